"""The engine beside the reference: every legal line, every event whose content the rules fix, every refusal.

python -m tests.reference.compare [VARIANT …] [--games 2000] [--seed 0] [--deals 60] [--probes 0.05]

plays so many random games of each variant, each with another choice of seats, preset and options, and prints
the first difference of a game with what is needed to see it again. Exit 1 where there was one.
"""

import argparse
import copy
import random
import sys
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

from engine import IllegalCommand, State, cards, decide, decode_command, evolve, legal_cards, to_act, to_dict

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


def settings(variant: str, games: int, first: int = 0) -> Iterator[Setting]:
    """Every preset with every number of seats in turn; two of three games with random options above them."""
    module = MODULES[variant]
    kinds = [(seats, preset) for preset in (None, *module.PRESETS) for seats in module.SEATS]
    for seed in range(first, first + games):
        seats, preset = kinds[seed % len(kinds)]
        options = random_options(variant, seats, seed) if seed // len(kinds) % 3 else {}
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


NAMES = [
    "deal", "push", "choose", "bid", "defer", "pass", "discard", "concede", "accept", "predict", "exchange",
    "keep", "play", "claim_out",
]  # fmt: skip


def difference(setting: Setting, max_deals: int = 60, probes: float = 0.05) -> str | None:
    """The first difference in a random game, or None."""
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
        if legal != ours:
            return f"{setting}\n  before command {number}: legal {legal}, the engine has {ours}"
        if rng.random() < probes:
            asked = probe(game, rng)
            if (unlike := _probed(game, state, asked)) is not None:
                return f"{setting}\n  before command {number}: {asked}: {unlike}"
        wanted = fixed(game.do(command))
        found = engine_events(state, command)
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
    """Compare and print one line a variant; 1 where something differs."""
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
    for variant in asked.variants or sorted(MODULES):
        begun = time.monotonic()
        unlike = [
            found
            for setting in settings(variant, asked.games, asked.seed)
            if (found := difference(setting, asked.deals, asked.probes)) is not None
        ]
        print(f"{variant}: {asked.games} games, {len(unlike)} differ, {time.monotonic() - begun:.0f} s")
        for found in unlike[:5]:
            print(found)
        worst = max(worst, int(bool(unlike)))
        sys.stdout.flush()
    return worst


if __name__ == "__main__":
    sys.exit(main())
