"""What may be played and who takes a trick stands three times beside each other, for speed: asked for one
card, followed in a log, played to the end. In every state each card gets the same answer from all of them.
"""

import random
from collections.abc import Iterator

import pytest

from engine import Event, State, advance, cards, next_play, replay
from engine.commands import Play
from engine.decider import open_phase
from engine.events import CardPlayed, TrickTaken
from engine.registry import build_game_context
from engine.rules import GameContext
from engine.tricks.trick_tables import judge
from tests.engine.random_games import EFFORT, GAMES, Game, steps_of


class Enough(Exception):
    """The card asked about was asked for."""


def begun_tricks(game: Game, seed: int) -> Iterator[tuple[GameContext, list[Event]]]:
    """Some of the states in which a trick begins, and the log so far."""
    state, log = State(), list[Event]()
    for _, events in steps_of(game, seed):
        replay(events, state)
        log += events
        context = build_game_context(state)
        if (
            state.dealing
            and not state.trick
            and open_phase(context).kind == "trick_play"
            and len(log) % 3 == 0
        ):
            yield context, log


def plays(context: GameContext, chosen: list[int]) -> list[Event]:
    """What follows where these cards are played; written into the table."""
    events: list[Event] = []
    for card in chosen:
        seat, _ = next_play(context)
        events += advance(context, Play(seat=seat or 0, card=cards.DECK[card]))
    return events


def as_if_played(context: GameContext, card: int, rng: random.Random) -> list[Event]:
    """A trick to its end in which this card is played, whether it may be or not, as a log would have it."""
    state = context.state
    seat, legal = next_play(context)
    assert seat is not None
    if legal >> card & 1:
        events = plays(context, [card])
        while state.trick:
            events += plays(context, [rng.choice(cards.members(next_play(context)[1]))])
        return events
    lying, order, seq = [*state.trick, card], [*state.trick_seats, seat], state.seq
    written: list[Event] = [CardPlayed(seq=seq, seat=seat, card=cards.DECK[card])]
    while len(lying) < state.seats:
        order.append((order[-1] + 1) % state.seats)
        lying.append(rng.choice(cards.members(state.hands[order[-1]])))
        seq += 1
        written.append(CardPlayed(seq=seq, seat=order[-1], card=cards.DECK[lying[-1]]))
    worths = context.current_trick_tables()[len(state.tricks)][cards.SUIT_OF[lying[0]]].worths
    taker, points = judge(lying, order, worths)
    return [*written, TrickTaken(seq=seq + 1, seat=taker, points=points)]


def asked_for(context: GameContext, before: list[int]) -> int | None:
    """The mask that playing to the end asks for after these cards; None where it does not go that way."""
    answers = iter(before)
    found: list[int] = []

    def choose(seat: int, legal: int) -> int:
        card = next(answers, None)
        if card is None:
            found.append(legal)
            raise Enough
        return card

    try:
        open_phase(context).play_fast(context, choose, [])
    except Enough:
        return found[0]
    return None


def followed(context: GameContext, log: list[Event]) -> bool:
    """Whether a log is followed beyond the state of this table."""
    return open_phase(context).audit_run(context, log, context.state.seq) > 0


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_a_card_may_be_played_by_all_three_or_by_none(game: Game) -> None:
    in_logs = in_playouts = 0
    for seed in range(EFFORT):
        rng = random.Random(seed)
        for context, log in begun_tricks(game, seed):
            before: list[int] = []
            for _ in range(context.state.seats):
                here = context.copy()
                events = plays(here, before)
                seat, legal = next_play(here)
                if seat is None or not here.state.dealing or (before and not here.state.trick):
                    break
                mask = asked_for(context.copy(), before)
                if mask is not None:
                    assert mask == legal
                    in_playouts += 1
                hand = here.state.hands[seat]
                may = {
                    card: followed(
                        context.copy(), [*log, *events, *as_if_played(here.copy(), card, rng)]
                    )
                    for card in {*cards.members(hand), rng.randrange(36)}
                }  # fmt: skip
                if any(may.values()):
                    assert may == {card: bool(legal >> card & 1) for card in may}
                    in_logs += 1
                before.append(rng.choice(cards.members(legal)))
    assert in_playouts
    assert in_logs
