"""A moment at the desk: its facts about a card equal the engine's when the card was played."""

import random

import pytest
from msgspec.structs import replace

from engine import Event, IllegalCommand, Observer, legal_cards, redact_events, replay
from engine.cards import codes
from engine.commands import Deal, Exchange, Play, Start
from engine.events import CardPlayed, DealStarted, InfractionFound, TurnedTaken
from frontend.presenters.tables.moment import Moment, build_moment
from tests.engine.random_games import EFFORT, GAMES, Game, log_of, steps_of
from tests.engine.tables import Table
from tests.engine.test_transcripts_of_all_games import forgotten

OF_CARDS = {"revoke", "undertrump"}
every_game = pytest.mark.parametrize("game", GAMES, ids=str)


def at(log: list[Event], game: Game, seq: int) -> Moment:
    found = build_moment(log, [f"P{seat}" for seat in range(game.seats)], seq=seq)
    assert found is not None
    return found


def cards_in(log: list[Event]) -> list[CardPlayed]:
    return [event for event in log if isinstance(event, CardPlayed)]


@pytest.mark.long(15)
@every_game
@pytest.mark.parametrize("seed", range(2 * EFFORT))
def test_hand_and_legal_cards_of_a_dealt_game_are_those_of_the_engine(game: Game, seed: int) -> None:
    log = log_of(game, seed)
    after = list(redact_events(log, Observer.referee()))
    for card in random.Random(seed).sample(cards_in(log), 30):
        shown, state = at(after, game, card.seq), replay(log[: card.seq])

        assert {held.code for held in shown.hand} == set(codes(state.hands[card.seat]))
        assert {held.code for held in shown.legal} == set(codes(legal_cards(state, card.seat)))
        assert shown.complete
        others = [seat for seat in range(game.seats) if seat != card.seat]
        assert [(hand.cards, hand.unknown) for hand in shown.others] == [
            (tuple(codes(state.hands[seat])), 0) for seat in others
        ]


def written_down(game: Game, seed: int, share: float, *, carelessly: bool = False) -> list[Event]:
    """A game as somebody remembers it, about its first deals; `carelessly`: players play any card."""
    rng = random.Random(f"{game} {seed} {share}")
    steps = steps_of(game, seed)
    start = steps[0][0]
    assert isinstance(start, Start)
    table = Table(start.variant, start.seats, preset=start.preset, mode="transcribed")
    for command, events in steps[1:]:
        told = forgotten(command, rng, share)
        if isinstance(told, Deal):
            if table.state.dealing or table.state.over or len(table.log) > 120:
                break
            started = events[0]
            assert isinstance(started, DealStarted)
            told = replace(told, dealer=started.dealer)
        if isinstance(told, Exchange):
            told = replace(told, take_turned=any(isinstance(event, TurnedTaken) for event in events))
        if isinstance(told, Play) and carelessly and told.card is not None:
            told = careless(table, told, rng)
        try:
            table.do(told)
        except IllegalCommand:
            break  # after a careless card the game went another way
    return table.log


def careless(table: Table, told: Play, rng: random.Random) -> Play:
    """Another card of the hand now and then, else the one that was played."""
    hand = codes(table.state.hands[told.seat])
    if not hand or rng.random() < 0.7:
        return told
    return Play(seat=told.seat, card=rng.choice(hand))


@pytest.mark.long(15)
@every_game
@pytest.mark.parametrize("share", [0.05, 0.3, 1.0])
def test_nobody_who_kept_the_rules_is_shown_a_card_that_he_might_not_play(game: Game, share: float) -> None:
    """However much of the game was forgotten."""
    for seed in range(1, 1 + EFFORT):
        log = written_down(game, seed, share)
        for card in cards_in(log):
            if card.card is not None:
                shown = at(log, game, card.seq)
                assert [held.why for held in shown.hand if held.chosen] == [""], (seed, card)


@pytest.mark.long(15)
@every_game
@pytest.mark.parametrize("share", [0.0, 0.05, 0.3])
def test_a_card_is_shown_as_forbidden_where_the_record_marks_it(game: Game, share: float) -> None:
    for seed in range(1, 1 + 2 * EFFORT):
        log = written_down(game, seed, share, carelessly=True)
        marked = {e.at_seq for e in log if isinstance(e, InfractionFound) and e.code in OF_CARDS}
        shown = {
            card.seq
            for card in cards_in(log)
            if card.card is not None
            and any(held.chosen and not held.legal for held in at(log, game, card.seq).hand)
        }
        assert shown == marked, seed
