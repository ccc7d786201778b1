"""Secrecy: worlds that differ only in what an observer must not know look the same to the observer.

Every variant, preset and number of seats, every observer, every place where cards lie hidden; compared are
all bytes of the events, of the picture of the table, and of the answers to what a seat tries.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from engine import Observer, State, cards, evolve
from engine.cli.playing import playout
from engine.commands import Command, Start
from engine.events import Event, PredictionMade
from engine.registry import VARIANTS
from tests.engine import hidden_swaps
from tests.engine.drawing import as_json, starts
from tests.engine.hidden_swaps import Apart, OtherPrediction, Step, Swap, by_rule, look_alike, places
from tests.engine.random_games import EFFORT, GAMES, Game, steps_of

pytestmark = pytest.mark.slow

TRIES = 60
MAX_STEPS = 130
each_game = pytest.mark.parametrize("game", GAMES, ids=str)


def observers(seats: int) -> list[Observer]:
    return [*map(Observer.seat, range(seats)), Observer.spectator(), Observer.spectator("after_deal")]


def states(steps: Sequence[Step]) -> Iterator[State]:
    """After each command."""
    state = State()
    for _, events in steps:
        for event in events:
            evolve(state, event)
        yield state


def hidden_places(steps: Sequence[Step], observer: Observer) -> list[tuple[int, int, dict[str, int]]]:
    """(deal, moments in it, places of cards that may change) for each moment with two of them."""
    found: list[tuple[int, int, dict[str, int]]] = []
    began = 0
    for at, state in enumerate(states(steps)):
        if state.deal and state.dealing:
            began = at if not found or found[-1][0] != state.deal else began
            known = by_rule(state, steps[: at + 1])
            free = {name: bits & ~known for name, bits in places(state, observer.number).items()}
            free = {name: bits for name, bits in free.items() if bits}
            if sum(bits.bit_count() for bits in free.values()) > 1:
                found.append((state.deal, at - began, free))
    return found


def swaps(
    steps: Sequence[Step], observer: Observer, rng: random.Random
) -> Iterator[tuple[str, int, int, Swap]]:
    """For each place some swaps with a card of it: (place, deal, moment up to which it should hold, swap)."""
    moments = hidden_places(steps, observer)
    cut = any(getattr(command, "cut", None) for command, _ in steps)
    for name in sorted({name for _, _, free in moments for name in free}):
        with_it = [moment for moment in moments if name in moment[2]]
        for _ in range(TRIES):
            deal, at, free = rng.choice(with_it)
            one = rng.choice(cards.codes(free[name]))
            everywhere = 0
            for bits in free.values():
                everywhere |= bits
            others = cards.codes(everywhere & ~cards.BIT[one])
            if others:
                yield name, deal, at, Swap(one, rng.choice(others), cut)


@pytest.mark.long(7)
@each_game
def test_cards_that_an_observer_has_not_seen_change_places_and_he_cannot_tell(game: Game) -> None:
    rng = random.Random(str(game))
    compared: Counter[tuple[str, str]] = Counter()
    for seed in range(EFFORT):
        steps = steps_of(game, 50 + seed)[:MAX_STEPS]
        for observer in observers(game.seats):
            done: Counter[str] = Counter()
            for name, deal, moment, change in swaps(steps, observer, rng):
                if done[name] == 2:
                    continue
                reached = -1
                for _ in look_alike(steps, observer, deal, change, probing=rng.choice((0, 7))):
                    reached += 1
                if reached >= moment:
                    done[name] += 1
                    compared[str(observer), name] += 1
            for name in {name for _, _, free in hidden_places(steps, observer) for name in free}:
                assert done[name], (str(observer), name)
    assert len({observer for observer, _ in compared}) == game.seats + 2


@pytest.mark.parametrize("variant", VARIANTS)
@settings(
    max_examples=4 * EFFORT,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)
@given(data=st.data())
def test_no_option_tells_an_observer_more(variant: str, data: st.DataObject) -> None:
    start, seed = data.draw(starts((variant,))), data.draw(st.integers(0, 2**32))
    observer = data.draw(st.sampled_from(observers(start.seats)))
    note(f"{as_json(start)}, seed {seed}, {observer}")
    rng = random.Random(seed)
    steps = [step for step, _ in zip(playout(start, rng), range(MAX_STEPS), strict=False)]
    for _, deal, _, change in list(swaps(steps, observer, rng))[:: TRIES // 2]:
        for _ in look_alike(steps, observer, deal, change, probing=5):
            pass


@pytest.mark.parametrize("seats", [3, 4])
def test_a_sealed_prediction_is_another_and_nobody_else_can_tell(seats: int) -> None:
    start = Start(variant="differenzler", seats=seats, options={"sealed_predictions": True, "deals": seats})
    steps = list(playout(start, random.Random(seats)))
    told = [event for _, events in steps for event in events if isinstance(event, PredictionMade)]
    for observer in observers(seats):
        for event in told[:seats]:
            if event.seat != observer.number:
                change = OtherPrediction(event.seat, (event.points or 0) + 1)
                moments = len(list(look_alike(steps, observer, 1, change, probing=9)))
                assert moments >= 36  # up to the last card, which shows them all


# --- that this would find a leak --------------------------------------------------------------------------


def unredacted(event: Event, observer: Observer) -> Event:
    return event


@pytest.mark.long(7)
@each_game
def test_every_place_would_be_seen_if_nothing_were_taken_out(
    monkeypatch: pytest.MonkeyPatch, game: Game
) -> None:
    monkeypatch.setattr(hidden_swaps, "redact", unredacted)
    steps = steps_of(game, 50)[:MAX_STEPS]
    observer = Observer.seat(0)
    there, found = set(), set()
    for name, deal, _, change in list(swaps(steps, observer, random.Random(1)))[:: TRIES // 4]:
        there.add(name)
        try:
            for _ in look_alike(steps, observer, deal, change):
                pass
        except Apart:
            found.add(name)
    assert found == there


def test_an_answer_that_tells_of_unseen_cards_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = steps_of(Game("la-pomme", None, 2), 50)[:4]
    deal, _, free = hidden_places(steps, Observer.seat(1))[0]
    one, two = cards.codes(free["extra cards"])[0], cards.codes(free["undealt"])[0]
    worlds_seen = look_alike(steps, Observer.seat(1), deal, Swap(one, two, False), probing=1)
    assert len(list(worlds_seen)) > 1

    def telling(state: State, command: Command) -> tuple[object, ...]:
        """As if a wish were refused for what the extra cards will bring (ADR 5)."""
        return "refused", any(bits & cards.BIT[one] for bits in state.variant_state.extra)

    monkeypatch.setattr(hidden_swaps, "answer", telling)
    with pytest.raises(Apart):
        list(look_alike(steps, Observer.seat(1), deal, Swap(one, two, False), probing=1))
