"""Random logs of every game, with all events beside play: unseen cards, cancelled slips of the pen, rulings
and their replacements, corrected and signed results.
"""

import random
from contextlib import suppress
from typing import Any

from msgspec.structs import replace

from engine import Event, IllegalCommand, list_sheet_fields
from engine.cli.playing import random_command
from engine.commands import (
    Close,
    Command,
    ConfirmResult,
    CorrectResult,
    Deal,
    EnterResult,
    Exchange,
    Resume,
    Rule,
    TakeBack,
)
from engine.events import DealScored, TurnedTaken
from tests.engine.random_games import Game, steps_of
from tests.engine.tables import Table
from tests.engine.test_sheets_of_all_games import as_written
from tests.engine.test_transcripts_of_all_games import forgotten

LONGEST = 160
KINDS = (
    "award_from_trick",
    "card_powerless",
    "annul_deal",
    "short_hand",
    "score_change",
    "penalty",
    "warning",
)


def ruled(game: Game, seed: int) -> list[Event]:
    """A dealt game, with occasional rulings."""
    rng = random.Random(f"{game} {seed}")
    table = Table(game.variant, game.seats, preset=game.preset)
    while len(table.log) < LONGEST and not table.state.over:
        table.do(random_command(table.state, rng))
        if rng.random() < 0.05:
            _try(table, _ruling(table, rng))
    for _ in range(4):
        _try(table, _ruling(table, rng))
    return table.log


def transcribed(game: Game, seed: int) -> list[Event]:
    """A transcribed game with the cards that were seen."""
    rng = random.Random(f"{game} {seed}")
    table = Table(game.variant, game.seats, preset=game.preset, mode="transcribed")
    for command, events in steps_of(game, seed)[1:]:
        told = forgotten(command, rng, 0.1)
        if isinstance(told, Deal):
            if table.state.dealing or table.state.over or len(table.log) > LONGEST:
                break
            told = replace(told, dealer=events[0].dealer)  # type: ignore[attr-defined]  # the first event is DealStarted
        if isinstance(told, Exchange):
            told = replace(told, take_turned=any(isinstance(event, TurnedTaken) for event in events))
        if not _try(table, told):
            break  # a ruling has ended the deal
        kept = [past for past in table.state.past if past.kind is not DealScored]
        if kept and rng.random() < 0.1 and not isinstance(told, Deal):
            table.do(TakeBack(to=kept[-1].seq))
            table.do(told)
        if rng.random() < 0.02:
            _try(table, _ruling(table, rng))
    return table.log


def on_a_sheet(game: Game, seed: int) -> list[Event]:
    """Results of a game: corrected, signed and ruled on."""
    rng = random.Random(f"{game} {seed}")
    table = Table(game.variant, game.seats, preset=game.preset, mode="sheet")
    played = Table(game.variant, game.seats, preset=game.preset)
    written: list[EnterResult] = []
    for command, events in steps_of(game, seed)[1:]:
        played.do(command)
        if not any(isinstance(event, DealScored) for event in events):
            continue
        record = played.state.records[-1]
        facts = as_written(played.state, record, {field.name for field in list_sheet_fields(table.state)})
        points = [points or 0 for points in record.card_points]
        result = EnterResult(seat=0, deal=len(table.state.results) + 1, card_points=points, **facts)
        if not _try(table, result) or len(table.log) > LONGEST // 2:
            break
        written.append(result)
        other = rng.choice(written)
        plain = {name: getattr(other, name) for name in EnterResult.__struct_fields__ if name != "scores"}
        plain |= {"card_points": plain["card_points"][::-1], "sweep": None}
        _try(table, CorrectResult(**plain))
        for seat in range(game.seats):
            _try(table, ConfirmResult(seat=seat, deal=rng.choice(written).deal))
        _try(table, _ruling(table, rng))
        if rng.random() < 0.2:
            _try(table, Close(reason="too late"))
        if rng.random() < 0.3:
            _try(table, CorrectResult(**{**plain, "reason": "read wrongly"}))
        _try(table, Resume(reason="they are back"))
    return table.log


def _ruling(table: Table, rng: random.Random) -> Rule:
    """A random ruling, often an impossible one.

    It replaces the last one on a deal made after the deal: no event contains the score of a deal without a
    later ruling.
    """
    state, kind = table.state, rng.choice(KINDS)
    last = {ruling.deal: ruling for ruling in state.rulings}
    replaced = [ruling.number for deal, ruling in last.items() if deal is None or ruling.scores is not None]
    deals = max(len(state.records), len(state.results), state.deal, 1)
    facts: dict[str, Any] = {
        "against": rng.randrange(state.seats),
        "deal": None if kind in ("penalty", "warning") else rng.randint(1, deals),
        "trick": rng.randint(1, 9) if kind in ("award_from_trick", "card_powerless") else None,
        "choice": rng.choice(("points", "annul")) if kind == "short_hand" else None,
        "points": 5 if kind == "penalty" else None,
        "scores": [rng.randrange(9) for _ in state.totals] if kind == "score_change" else None,
        "replaces": rng.choice(replaced) if replaced and rng.random() < 0.5 else None,
    }
    facts["stands"] = state.mode == "sheet"
    return Rule(kind=kind, reason="seen", **facts)  # type: ignore[arg-type]  # KINDS holds plain strings


def _try(table: Table, command: Command) -> bool:
    with suppress(IllegalCommand):
        table.do(command)
        return True
    return False
