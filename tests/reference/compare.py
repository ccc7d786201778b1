"""The engine beside the reference: every legal line, every event whose content the rules fix, every refusal.

python -m tests.reference.compare [VARIANT …] [--games 2000] [--seed 0] [--deals 60] [--probes 0.05]

plays so many random games of each variant, each with another choice of seats, preset and options, and prints
a table of what was compared, and the first difference of a game with what is needed to see it again. Exit 1
where there was one.
"""

import argparse
import copy
import random
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

from engine import IllegalCommand, State, cards, decide, decode_command, evolve, legal_cards, to_act, to_dict
from engine.registry import VARIANTS

from .common import DECK, TEN_CONTRACTS, Illegal, Options, fixed
from .games import MODULES, start
from .random_play import play, random_options

Line = dict[str, Any]


class Setting(NamedTuple):
    """One game to compare; `options` stand above those of the preset."""

    variant: str
    seed: int
    seats: int
    options: Options
    preset: str | None

    def __str__(self) -> str:
        return f"{self.variant} seed {self.seed}, {self.seats} seats, preset {self.preset}, {self.options}"


def kinds(variant: str) -> list[tuple[int, str | None]]:
    """Every preset of the engine with every number of seats."""
    presets = (None, *VARIANTS[variant].presets)
    return [(seats, preset) for preset in presets for seats in MODULES[variant].SEATS]


def settings(variant: str, games: int, first: int = 0) -> Iterator[Setting]:
    """The kinds of games in turn; two of three games with random options above the preset. A preset that the
    reference has not by name is spelt out."""
    in_turn = kinds(variant)
    for seed in range(first, first + games):
        seats, preset = in_turn[seed % len(in_turn)]
        options = random_options(variant, seats, seed) if seed // len(in_turn) % 3 else {}
        if preset is not None and preset not in MODULES[variant].PRESETS:
            options, preset = {**VARIANTS[variant].presets[preset], **options}, None
        yield Setting(variant, seed, seats, options, preset)


def engine_legal(state: State) -> Line | None:
    """The line `{"seat": …, "cards": […]}` or `{"seat": …, "cmds": […]}` of the engine; None at the end."""
    turn = to_act(state)
    if turn is None:
        return None
    if turn.phase == "trick_play":
        return {"seat": turn.seat, "cards": sorted(cards.codes(legal_cards(state)))}
    return {"seat": turn.seat, "cmds": sorted(turn.commands)}


def same(wanted: list[Line], found: list[Line]) -> bool:
    """Whether two lists of fixed events agree; the engine may say more about each."""
    if [event["type"] for event in wanted] != [event["type"] for event in found]:
        return False
    return all(_agrees(want, got) for want, got in zip(wanted, found, strict=True))


def _agrees(want: Line, got: Line) -> bool:
    got = {name: value for name, value in got.items() if name in want or name in ("seat", "slot", "payments")}
    got.pop("seq", None)
    if "shown" in want:
        shown = [{name: meld[name] for name in ("seat", "cards")} for meld in got["shown"]]
        return {**got, "shown": _sorted(shown)} == {**want, "shown": _sorted(want["shown"])}
    return got == want


def _sorted(shown: list[Line]) -> list[Line]:
    return sorted(shown, key=lambda meld: (meld["seat"], meld["cards"]))


def engine_events(state: State, command: Line) -> list[Line] | None:
    """The fixed events of a command, carried out; None where it is refused."""
    try:
        events = decide(state, decode_command(command))
    except IllegalCommand:
        return None
    for event in events:
        evolve(state, event)
    return fixed([to_dict(event) for event in events])


def probe(game: Any, rng: random.Random) -> Line:
    """Some command that is well formed and perhaps legal."""
    legal = game.legal() or {}
    seat = legal.get("seat") if rng.random() < 0.8 else rng.randrange(game.seats)
    seat = rng.randrange(game.seats) if seat is None else seat
    names = legal.get("cmds", ["play"]) if rng.random() < 0.7 else NAMES
    name = rng.choice([*names, "stop", "take_turned"] if rng.random() < 0.3 else names)
    held = [card for card in game.hands[seat] if isinstance(card, str)] or DECK
    command: Line = {"cmd": name, "seat": seat}
    if name == "play":
        command["card"] = rng.choice(held if rng.random() < 0.8 else DECK)
        if rng.random() < 0.2:
            command["stoeck"] = rng.choice([True, False, 20, -20])
        if rng.random() < 0.2:
            command["melds"] = [rng.sample(DECK, 3)] if rng.random() < 0.5 else []
    elif name == "deal":
        deck = list(DECK)
        rng.shuffle(deck)
        command = {"cmd": "deal", "deck": deck if rng.random() < 0.8 else deck[1:]}
        if rng.random() < 0.5:
            command["dealer"] = rng.randrange(game.seats)
        if rng.random() < 0.5:
            command["cut"] = rng.choice(DECK)
    elif name in ("bid", "predict"):
        command["points"] = rng.choice([0, 5, 20, 60, 65, 155, 157, 158, 160, 500, 505, 510, 600, 1000])
    elif name in ("discard", "exchange"):
        command["cards"] = rng.sample(held, min(len(held), rng.choice([0, 3, 6])))
    elif name == "choose":
        command["contract"] = rng.choice(TEN_CONTRACTS)
        if rng.random() < 0.3:
            command["slot"] = rng.choice(["joker7", "joker8", "slalom", "guschti", "hearts"])
    return command


TABLE = {"trick_taken": "tricks", "deal_scored": "deals"}
COLUMNS = ("games", "with options", "deals", "tricks", "legal sets", "tried", "differ")
NAMES = [
    "deal", "push", "choose", "bid", "defer", "pass", "discard", "concede", "accept", "predict", "exchange",
    "keep", "play", "claim_out",
]  # fmt: skip


def difference(
    setting: Setting, max_deals: int = 60, probes: float = 0.05, seen: Counter[str] | None = None
) -> str | None:
    """The first difference in a random game, or None; what was compared is counted in `seen`."""
    seen = Counter() if seen is None else seen
    commands = play(*setting, max_deals=max_deals)
    rng = random.Random(f"probes {setting.variant} {setting.seed}")
    state = State()
    found = engine_events(state, commands[0])
    game: Any
    game, events = start(commands[0])
    if found is None or events[0]["options"] != state.options:
        return f"{setting}\n  options: {events[0]['options']}, the engine has {state.options}"
    for number, command in enumerate(commands[1:], 1):
        legal, ours = game.legal(), engine_legal(state)
        seen["legal sets"] += 1
        if legal != ours:
            return f"{setting}\n  before command {number}: legal {legal}, the engine has {ours}"
        if rng.random() < probes:
            asked = probe(game, rng)
            seen["tried"] += 1
            if (unlike := _probed(game, state, asked)) is not None:
                return f"{setting}\n  before command {number}: {asked}: {unlike}"
        wanted = fixed(game.do(command))
        found = engine_events(state, command)
        seen.update(TABLE[event["type"]] for event in wanted if event["type"] in TABLE)
        if found is None or not same(wanted, found):
            return f"{setting}\n  command {number} {command}: {wanted}, the engine has {found}"
    legal, ours = game.legal(), engine_legal(state)
    if legal != ours:
        return f"{setting}\n  at the end: legal {legal}, the engine has {ours}"
    return None


def _probed(game: Any, state: State, command: Line) -> str | None:
    wanted: list[Line] | None
    try:
        wanted = fixed(copy.deepcopy(game).do(command))
    except Illegal:
        wanted = None
    found = engine_events(state.copy(), command)
    if (wanted is None) == (found is None) and (wanted is None or same(wanted, found or [])):
        return None
    return f"{wanted}, the engine has {found}"


def main() -> int:
    """Compare, and print one line a kind of game; return 1 where something differs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("variants", nargs="*", choices=[[], *sorted(MODULES)])
    parser.add_argument("--games", type=int, default=2000, help="games of each variant")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--deals", type=int, default=60, help="stop a game after so many deals")
    parser.add_argument(
        "--probes", type=float, default=0.05, help="how often a random command is tried as well"
    )
    asked = parser.parse_args()
    worst = 0
    print(f"{'game':38}", *(f"{name:>13}" for name in COLUMNS))
    for variant in asked.variants or sorted(MODULES):
        begun = time.monotonic()
        rows, unlike = compare(variant, asked.games, asked.seed, asked.deals, asked.probes)
        for name, row in (*sorted(rows.items()), (f"{variant}: all", sum(rows.values(), Counter()))):
            print(f"{name:38}", *(f"{row[column]:13}" for column in COLUMNS))
        print(f"{time.monotonic() - begun:.0f} s", *unlike[:5], sep="\n")
        worst = max(worst, int(bool(unlike)))
        sys.stdout.flush()
    return worst


def compare(
    variant: str, games: int, first: int, deals: int, probes: float
) -> tuple[dict[str, Counter[str]], list[str]]:
    """What was compared, by preset and number of seats; the differences."""
    rows: dict[str, Counter[str]] = defaultdict(Counter)
    unlike = []
    for setting in settings(variant, games, first):
        seats, preset = kinds(variant)[setting.seed % len(kinds(variant))]
        row = rows[f"{variant}, {preset or 'default'}, {seats} seats"]
        row.update({"games": 1, "with options": int(bool(setting.options))})
        if (found := difference(setting, deals, probes, row)) is not None:
            row["differ"] += 1
            unlike.append(found)
    return rows, unlike


if __name__ == "__main__":
    sys.exit(main())
