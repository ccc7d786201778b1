"""Games with hidden cards, and the same games with other hidden cards: two worlds to be compared over HTTP
and over sockets.

The worlds of the engine's own test (tests/engine/test_view_secrecy.py) define the difference, and when an
observer may learn it.
"""

import itertools
import random
from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

import pytest

from engine import VARIANTS, Observer, State
from engine.cards import BIT
from engine.cli.playing import playout
from engine.commands import Command, Deal, Start
from engine.events import DealStarted, PredictionMade
from games.models import Game
from games.play import game_creation
from games.randomness import dealing
from tests.engine.hidden_swaps import Apart, Change, OtherPrediction, Step, Swap, look_alike, places
from tests.engine.test_view_secrecy import hidden_places, states, swaps
from tests.games.cast import PLAYERS

HIDDEN = {key: {"hand"} for key in VARIANTS} | {
    "bieter": {"hand", "closed talon", "discards", "undealt"},
    "differenzler": {"hand", "sealed prediction"},
    "la-pomme": {"hand", "extra cards", "discards", "undealt"},
    "lake-constance": {"hand", "closed table cards"},
}
"""Places that are secret to spectators."""
OPTIONS: dict[str, dict[str, Any]] = {
    "differenzler": {"sealed_predictions": True},
    "schieber": {"partner_waits": True, "first_forehand": "drawn"},
}


class World(NamedTuple):
    """The content of each deal, and the commands between deals."""

    packs: Mapping[int, Deal]
    moves: Sequence[Any]


def game_of(variant: str, seats: int, seed: int = 5, mode: str = "dealt") -> Iterator[Step]:
    """A random game that uses every place. In a transcript no hand lies face down."""
    options = {} if (variant, mode) == ("schieber", "transcribed") else OPTIONS.get(variant, {})
    return playout(Start(variant=variant, seats=seats, options=options), random.Random(seed))


def opened(start: Any, number: int = 1, mode: str = "dealt") -> Game:
    """Create the table of such a game."""
    return game_creation.create_game(
        variant=start.variant,
        seats=start.seats,
        options=start.options,
        players=PLAYERS[: start.seats],
        number=number,
        mode=mode,
    )


def heads_of(steps: Sequence[Step]) -> list[int]:
    """Return the ends of the log that observers can see: the server deals at once."""
    after = [state.seq - 1 for state in states(steps)]
    return [
        head for head, (command, _) in zip(after, steps[1:], strict=False) if not isinstance(command, Deal)
    ]


def changes(
    steps: Sequence[Step], observer: Observer, rng: random.Random
) -> Iterator[tuple[str, int, Change]]:
    """Return (place, deal, possible changes) for each place that is hidden from an observer."""
    for place, deal, _, change in swaps(steps, observer, rng):
        yield place, deal, change
    for deal, prediction in other_predictions(steps, observer):
        yield "sealed prediction", deal, prediction


def other_predictions(steps: Sequence[Step], observer: Observer) -> Iterator[tuple[int, Change]]:
    deal = 0
    for event in itertools.chain.from_iterable(events for _, events in steps):
        deal += isinstance(event, DealStarted)
        if isinstance(event, PredictionMade) and event.sealed and event.seat != observer.number:
            yield deal, OtherPrediction(event.seat, (event.points or 0) + 1)


def world_of(steps: Sequence[Step], deal: int = 0, change: Change | None = None) -> World:
    """Return the deals and commands of these steps, with a change in one deal."""
    now = 0
    packs: dict[int, Deal] = {}
    moves: list[Command] = []
    for command, _ in steps[1:]:
        now += isinstance(command, Deal)
        given = change.of(command) if change and now == deal else command
        if isinstance(given, Deal):
            packs[now] = given
        else:
            moves.append(given)
    return World(packs, moves)


def seat_0_forehand(_source: object, _number: int, seats: int, **_: bool) -> dealing.ForehandDraw:
    """Replaces drawing for tests with fixed decks."""
    return dealing.ForehandDraw(((None,) * seats,), 0)


def dealt(monkeypatch: pytest.MonkeyPatch, *worlds: World) -> None:
    """From now on, deal the table with number n as in the n-th world; seat 0 is forehand."""
    monkeypatch.setattr(dealing, "deck", lambda _source, number, deal: worlds[number - 1].packs[deal].deck)
    monkeypatch.setattr(dealing, "cut", lambda _source, number, deal: worlds[number - 1].packs[deal].cut)
    monkeypatch.setattr(dealing, "draw_forehand", seat_0_forehand)


def is_otherwise(steps: Sequence[Step], deal: int, change: Change) -> bool:
    """Return whether a change makes a difference: not if two cards of one hand change places.

    Decided by an observer who sees everything.
    """
    try:
        for _ in look_alike(steps, Observer.referee(), deal, change):
            pass
    except Apart:
        return True
    return False


class Watching(NamedTuple):
    """An observer, and the end of the log from which it watches."""

    who: Observer
    since: int = 0


class Twin(NamedTuple):
    """A second world, and for each observer the last head at which it cannot be distinguished from the first,
    and the changed places that are hidden from the observer.
    """

    world: World
    until: dict[str, int]
    places: dict[str, set[str]]


def hidden_in(steps: Sequence[Step], who: Observer, deal: int, since: int = 0) -> set[str]:
    """Return all places that are hidden from an observer in a deal, when the log ends at `since` or later."""
    if who.role == "referee":
        return set()
    earlier = sum(state.seq - 1 < since for state in states(steps))
    moments = hidden_places(steps, who)[len(hidden_places(steps[:earlier], who)) :]
    found = {place for now, _, free in moments if now == deal for place in free}
    return found | {"sealed prediction" for now, _ in other_predictions(steps, who) if now == deal}


def twin_of(steps: Sequence[Step], people: Mapping[str, Watching], deal: int, change: Change) -> Twin:
    """Return the second world with this change in a deal."""
    before = max(state.seq - 1 for state in states(steps) if state.deal < deal)
    until, hidden = dict.fromkeys(people, before), {name: set[str]() for name in people}
    for who in {each.who for each in people.values()}:
        if who.role == "referee" or (isinstance(change, OtherPrediction) and change.seat == who.number):
            continue
        names = [name for name, each in people.items() if each.who == who]
        for state in look_alike(steps, who, deal, change):
            head = state.seq - 1
            until.update(dict.fromkeys(names, head))
            for name in names:
                if head >= people[name].since:
                    hidden[name] |= lying_in(state, who, change)
    return Twin(world_of(steps, deal, change), until, hidden)


def lying_in(state: State, who: Observer, change: Change) -> set[str]:
    """Return the hidden places of a change."""
    if isinstance(change, Swap):
        cards = BIT[change.one] | BIT[change.two]
        return {place for place, bits in places(state, who.number).items() if bits & cards}
    told = isinstance(change, OtherPrediction) and state.variant_state.predictions[change.seat] is not None
    return {"sealed prediction"} if told else set()


def twins_of(steps: Sequence[Step], people: Mapping[str, Watching], deal: int, tries: int) -> list[Twin]:
    """Return second worlds such that, for each of these people, each place hidden from them in a deal differs
    in one of them without their noticing; of a number of tries the one that lasts longest.
    """
    found: list[Twin] = []
    for name, one in people.items():
        for place in sorted(hidden_in(steps, one.who, deal, one.since)):
            if not any(place in twin.places[name] for twin in found):
                changed = otherwise(steps, one.who, deal, place)
                tried = ((twin_of(steps, {name: one}, deal, change), change) for change in changed)
                good = ((twin.until[name], c) for twin, c in tried if place in twin.places[name])
                some = list(itertools.islice(good, tries))
                if some:
                    _, change = max(some, key=itemgetter(0))
                    found.append(twin_of(steps, people, deal, change))
    return found


def otherwise(steps: Sequence[Step], who: Observer, deal: int, place: str) -> Iterator[Change]:
    """Return the possible changes of a place in a deal."""
    for seed in range(1, 20):
        for where, now, change in changes(steps, who, random.Random(seed)):
            if (where, now) == (place, deal) and is_otherwise(steps, deal, change):
                yield change
