"""A deal is played out card by card or in whole tricks: with the same events and the same table."""

import random
from collections.abc import Callable

import pytest

from engine import Event, IllegalCommand, State, advance, cards, next_play, replay, rollout
from engine.commands import Choose, Close, Deal, Play, Rule, Start
from engine.phases.dealing import deck_from_hands
from engine.phases.trick_play import trick_play
from engine.registry import build_game_context
from tests.engine.random_games import EFFORT, GAMES, Game, steps_of

Chooser = Callable[[int, int], int]


def by_chance(seed: int) -> Chooser:
    """Some card; the same ones in the same order for the same seed."""
    rng = random.Random(seed)
    return lambda _, legal: rng.choice(cards.members(legal))


def card_by_card(state: State, choose: Chooser) -> list[Event]:
    log: list[Event] = []
    while state.dealing:
        seat, legal = next_play(state)
        assert seat is not None
        log += advance(state, Play(seat=seat, card=cards.DECK[choose(seat, legal)]))
    return log


def same_both_ways(state: State, seed: int) -> list[Event]:
    there, here = state.copy(), state.copy()
    log = rollout(there, by_chance(seed))
    assert log == card_by_card(here, by_chance(seed))
    assert there == here
    return log


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_playing_out_is_the_same_as_playing_each_card(game: Game) -> None:
    tried = 0
    for seed in range(3 * EFFORT):
        state = State()
        for number, (_, events) in enumerate(steps_of(game, seed)):
            replay(events, state)
            if number % 5 == seed % 5 and next_play(state)[0] is not None:
                same_both_ways(state, number)
                tried += 1
    assert tried


def table(**options: object) -> State:
    """Schieber, every seat holding a suit: seat 0 holds all diamonds and leads, spades are trumps."""
    state = State()
    advance(state, Start(variant="schieber", seats=4, options={"first_forehand": "drawn", **options}))
    suits = [cards.codes(mask) for mask in cards.SUIT_MASK]
    advance(state, Deal(deck=deck_from_hands(suits, 0)))
    advance(state, Choose(seat=0, contract="spades"))
    return state


def test_it_begins_in_the_middle_of_a_trick_and_after_a_ruling_too() -> None:
    state = table()
    advance(state, Play(seat=0, card="D6"))
    assert same_both_ways(state, 1)
    play = by_chance(2)
    while len(state.tricks) < 1 or state.trick:
        seat, legal = next_play(state)
        advance(state, Play(seat=seat or 0, card=cards.DECK[play(seat or 0, legal)]))
    advance(state, Rule(kind="bar_suit", deal=1, against=state.leader, suit="spades", reason="r"))
    assert state.marked
    assert same_both_ways(state, 3)


def test_nothing_is_played_out_before_the_cards_are_due_nor_after_the_deal() -> None:
    state = State()
    with pytest.raises(IllegalCommand, match="play is not open in phase start"):
        rollout(state, by_chance(1))
    state = table()
    rollout(state, by_chance(1))
    before = state.copy()
    with pytest.raises(IllegalCommand) as refused:
        rollout(state, by_chance(1))
    assert refused.value.code == "play/not_now"
    assert state == before
    advance(state, Close(reason="abandoned"))
    with pytest.raises(IllegalCommand):
        rollout(state, by_chance(1))


@pytest.mark.parametrize("cards_before", range(9))
def test_a_card_that_may_not_be_played_is_refused_and_all_before_it_stands(cards_before: int) -> None:
    state, stood = table(), table()
    rest = iter(range(cards_before))
    played: list[tuple[int, int]] = []

    def choose(seat: int, legal: int) -> int:
        if next(rest, None) is None:
            return 35 if not legal >> 35 & 1 else 0
        played.append((seat, legal.bit_length() - 1))
        return legal.bit_length() - 1

    with pytest.raises(IllegalCommand) as refused:
        rollout(state, choose)
    assert refused.value.code in {"play/illegal_card", "play/not_in_hand"}
    for seat, card in played:
        advance(stood, Play(seat=seat, card=cards.DECK[card]))
    assert state == stood
    same_both_ways(state, 1)


@pytest.mark.parametrize(
    ("preset", "options"), [("championship", {}), (None, {"first_forehand": "drawn", "target": 5000})]
)
def test_a_deal_in_which_only_cards_count_is_played_out_in_one_go(
    preset: str | None, options: dict[str, object]
) -> None:
    state, log = State(), list[Event]()
    advance(state, Start(variant="schieber", seats=4, preset=preset, options=options))
    advance(state, Deal(deck=[*cards.DECK], dealer=3))
    advance(state, Choose(seat=0, contract="spades"))
    trick_play().play_fast(build_game_context(state), by_chance(1), log)
    assert len(log) == 9 * 5 + 1
    assert not state.dealing
