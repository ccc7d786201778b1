"""The verifier's own counting of a game agrees with the engine: every game, dealt and on sheets, with rulings
and corrections."""

import random
from types import ModuleType
from typing import Any

import pytest

from engine import IllegalCommand, State, decide, evolve, list_sheet_fields, public_body, secret_parts, to_act
from engine.cli.playing import random_command
from engine.commands import (
    Close,
    Command,
    ConfirmResult,
    CorrectResult,
    EnterResult,
    Mode,
    Resume,
    Rule,
    Start,
)
from engine.decider import to_game_context
from engine.events import Event
from games.projections import projection
from tests.reference.games import MODULES

GAMES = [
    ("schieber", 4), ("bieter", 3), ("differenzler", 3), ("differenzler", 4), ("coiffeur", 3),
    ("coiffeur", 4), ("la-pomme", 2), ("plus-minus", 3), ("plus-minus", 4), ("lake-constance", 2),
]  # fmt: skip
KINDS = (
    "award_from_trick", "card_powerless", "annul_deal", "short_hand", "score_change", "penalty", "warning",
)  # fmt: skip


class Played:
    """A game that is played at random, and what was recorded of it."""

    def __init__(self, variant: str, seats: int, mode: Mode, seed: int) -> None:
        self.rng = random.Random(f"{variant} {seats} {mode} {seed}")
        self.state = State()
        self.log: list[Event] = []
        options = MODULES[variant].some_options(self.rng, seats)
        self.do(Start(variant=variant, seats=seats, options=options, mode=mode))

    def do(self, command: Command) -> bool:
        try:
            events = decide(self.state, command)
        except IllegalCommand:
            return False
        for event in events:
            evolve(self.state, event)
        self.log += events
        return True

    def play(self) -> "Played":
        """To its end, with a ruling now and then."""
        for _ in range(3000):
            if to_act(self.state) is None:
                break
            self.do(random_command(self.state, self.rng))
            if self.rng.random() < 0.01:
                self.rule()
            if self.rng.random() < 0.003 and self.do(Close(reason="late")):
                self.rule()
                self.do(Resume(reason="on"))
        for _ in range(self.rng.randrange(4)):
            self.rule()
        return self

    def rule(self) -> None:
        """A ruling of any kind, if it is possible now; sometimes instead of one before."""
        rng, state = self.rng, self.state
        deal, against = rng.randint(1, max(state.deal, 1)), rng.randrange(state.seats)
        numbers = [ruling.number for ruling in state.rulings]
        kind = rng.choice(KINDS)
        kinds: dict[str, dict[str, Any]] = {
            "award_from_trick": {"deal": deal, "trick": rng.randint(1, 5), "against": against},
            "card_powerless": {"deal": deal, "trick": rng.randint(1, 5), "against": against},
            "annul_deal": {"deal": deal},
            "short_hand": {"deal": deal, "against": against, "choice": rng.choice(("annul", "points"))},
            "score_change": {"deal": deal, "scores": [rng.randrange(200) for _ in state.totals]},
            "penalty": {"against": against, "points": rng.randint(1, 60)},
            "warning": {},
        }
        said = kinds[kind]
        replaces = rng.choice(numbers) if numbers and rng.random() < 0.3 else None
        self.do(Rule(kind=kind, reason="seen", replaces=replaces, **said))  # type: ignore[arg-type]  # KINDS holds plain strings

    def write(self) -> "Played":
        """Deal by deal on a sheet, with corrections and rulings, to its end."""
        for _ in range(400):
            state, rng = self.state, self.rng
            if state.over and rng.random() < 0.3:
                break
            choice = rng.random()
            if choice < 0.2 and state.results:
                self.do(CorrectResult(**self.line(rng.randint(1, len(state.results))), reason="wrong"))
            elif choice < 0.25:
                self.rule()
            elif choice < 0.6:
                self.do(EnterResult(**self.line(len(state.results) + 1)))
            else:
                for deal, result in enumerate(state.results, 1):
                    if not result.confirmed:
                        self.do(ConfirmResult(deal=deal, seat=(1, 0)[(result.seat or 0) > 0]))
        return self

    def line(self, deal: int) -> dict[str, Any]:
        """A result that can be true more often than not."""
        rng, table = self.rng, to_game_context(self.state)
        said: dict[str, Any] = {"deal": deal, "seat": rng.randrange(2)}
        sides = table.rules.sides
        for field in list_sheet_fields(self.state, deal):
            if field.name == "card_points":
                total = field.sum_most or 0
                cuts = sorted(rng.randint(0, total) for _ in range(sides - 1))
                said["card_points"] = [b - a for a, b in zip([0, *cuts], [*cuts, total], strict=True)]
                if rng.random() < 0.2:
                    said["card_points"] = [total, *[0] * (sides - 1)]
            elif field.name in ("contract", "slot"):
                said[field.name] = rng.choice(field.choices)
            elif field.name == "predictions":
                said["predictions"] = [rng.randint(0, 157) for _ in range(self.state.seats)]
            elif field.name == "chooser":
                said["chooser"] = rng.randrange(self.state.seats)
            elif field.name == "bid":
                said["bid"] = 10 * rng.randint(10, 15) if self.state.variant != "bieter" else 500
            elif field.name == "took_trick":
                said["took_trick"] = list(range(sides)) if rng.random() < 0.5 else None
            elif field.name == "dealer":
                said["dealer"] = 0 if deal == 1 else None
            elif field.name == "stoeck" and rng.random() < 0.3:
                said["stoeck"] = rng.randrange(sides)
            elif field.name == "stoeck_points" and "stoeck" in said:
                said["stoeck_points"] = rng.choice((20, -20))
            elif field.name == "melds" and rng.random() < 0.3:
                said["melds"] = [50 * (side == 1) for side in range(sides)]
        points = said.get("card_points", [0])
        fields = {field.name for field in list_sheet_fields(self.state, deal)}
        if points[0] == sum(points) and "sweep" in fields and rng.random() < 0.5:
            said["sweep"], said["took_trick"] = 0, None
        return {name: value for name, value in said.items() if value is not None}

    def stored(self) -> list[dict[str, Any]]:
        """Its events as an export has them."""
        return [
            {
                "seq": event.seq,
                "type": event.__struct_config__.tag,
                "body": public_body(event),
                "parts": secret_parts(event),
                "at": (0, f"{event.seq:09}"),
            }
            for event in self.log
        ]


@pytest.mark.long(12)
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("variant", "seats"), GAMES, ids=str)
@pytest.mark.parametrize("mode", ["dealt", "sheet"])
def test_a_random_game_with_rulings_counts_as_the_engine_counts_it(
    puur_verify: ModuleType, variant: str, seats: int, mode: Mode, seed: int
) -> None:
    made = Played(variant, seats, mode, seed)
    played = made.play() if mode == "dealt" else made.write()
    started, *events = played.stored()
    book = puur_verify.ScoreBook(started["body"]).follow(events)
    assert book.faults == []
    assert book.totals == list(played.state.totals)
    assert book.winners == list(played.state.winners)
    rows = [row for row in projection.results(played.state) if not row.annulled]
    swept = [row.sweep if row.scores == row.counted else row.ruled_sweep for row in rows]
    found, is_open = book.find_sweeps()
    assert is_open or sorted(found) == sorted(side for side in swept if side is not None)


@pytest.mark.long(12)
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("variant", "seats"), GAMES, ids=str)
@pytest.mark.parametrize("mode", ["dealt", "sheet"])
def test_a_random_game_comes_as_its_kind_comes(
    puur_verify: ModuleType, variant: str, seats: int, mode: Mode, seed: int
) -> None:
    """Events, hands through exchanges, melds and Stöck: nothing of an honest game is strange."""
    made = Played(variant, seats, mode, seed + 100)
    played = made.write() if mode == "sheet" else made.play()
    stream = puur_verify.Stream("0" * 32, "game")
    stream.events = [{**event, "commitments": dict.fromkeys(event["parts"], "")} for event in played.stored()]
    started = stream.events[0]["body"]
    puur_verify.check_event_types(stream, started)
    if mode == "dealt":
        puur_verify.check_play(stream, started)
