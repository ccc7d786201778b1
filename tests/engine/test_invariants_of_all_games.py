"""What holds for every game of the registry: each preset and number of seats, and options drawn at random.

PUUR_EFFORT=50 plays that many times as many games.
"""

import random
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from engine import (
    CorruptLog,
    IllegalCommand,
    Observer,
    State,
    cards,
    decide,
    decode_command,
    decode_event,
    encode,
    evolve,
    legal_cards,
    list_offers,
    redact_events,
    replay,
    to_act,
    to_dict,
)
from engine.audit import audit
from engine.cli.playing import playout, random_command
from engine.commands import Command, Play, Start
from engine.events import (
    CardPlayed,
    DealConceded,
    DealScored,
    DealStarted,
    DealStopped,
    DiscardsCounted,
    Event,
    GameEnded,
    TrickTaken,
)
from engine.registry import VARIANTS, build_game_context, get_rules
from tests.engine.drawing import as_json, starts
from tests.engine.random_games import EFFORT, GAMES, Game, log_of

LONGEST = 700  # commands; options may ask for many deals
every_game = pytest.mark.parametrize("game", GAMES, ids=str)
every_variant = pytest.mark.parametrize("variant", VARIANTS)


class Played(NamedTuple):
    """A random game, whole or cut off after a command."""

    start: Start
    steps: list[tuple[Command, list[Event]]]

    @property
    def log(self) -> list[Event]:
        return [event for _, events in self.steps for event in events]


@st.composite
def games(draw: st.DrawFn, variant: str, longest: int = LONGEST) -> Played:
    """A random game of a variant, with options drawn."""
    start, seed = draw(starts((variant,))), draw(st.integers(0, 2**32))
    note(f"{as_json(start)}, seed {seed}")
    steps = []
    for step in playout(start, random.Random(seed)):
        steps.append(step)
        if len(steps) == longest:
            break
    return Played(start, steps)


def drawn(examples: int) -> Callable[[Any], Any]:
    """Run a test with so many draws for each variant, PUUR_EFFORT times as many when asked."""
    slow = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]
    bounds = settings(max_examples=examples * EFFORT, deadline=None, suppress_health_check=slow)
    return lambda test: pytest.mark.slow(every_variant(bounds(given(data=st.data())(test))))


# --- whole games ------------------------------------------------------------------------------------------


@pytest.mark.long(15)
@every_game
@pytest.mark.parametrize("seed", [1, 2])
def test_random_games_end(game: Game, seed: int) -> None:
    log = log_of(game, seed)
    state = replay(log)
    assert isinstance(log[-1], GameEnded)
    assert state.over
    assert to_act(state) is None
    assert audit(log) is None


@drawn(15)
def test_replaying_a_game_gives_what_was_played(variant: str, data: st.DataObject) -> None:
    game = data.draw(games(variant))
    state = State()
    for _, events in game.steps:
        for event in events:
            evolve(state, event)
    assert replay(game.log) == state
    assert [event.seq for event in game.log] == list(range(len(game.log)))
    half = data.draw(st.integers(0, len(game.log)))
    assert replay(game.log[half:], replay(game.log[:half])) == state


@drawn(10)
def test_commands_and_events_survive_json(variant: str, data: st.DataObject) -> None:
    game = data.draw(games(variant, 300))
    for command, events in game.steps:
        assert decode_command(encode(command)) == command
        for event in events:
            assert decode_event(encode(event)) == event
            assert decode_event(to_dict(event)) == event


@drawn(15)
def test_deciding_leaves_the_state_as_it_was_and_copies_are_independent(
    variant: str, data: st.DataObject
) -> None:
    game = data.draw(games(variant, 120))
    at = data.draw(st.integers(1, len(game.steps)))
    earlier = [event for _, events in game.steps[:at] for event in events]
    state, again = replay(earlier), replay(earlier)
    copy = state.copy()
    for command, events in game.steps[at:]:
        assert decide(copy, command) == events
        for event in events:
            evolve(copy, event)
    assert state == again
    assert copy == replay(game.log)


# --- cards and points -------------------------------------------------------------------------------------

PLAIN = {"A": 11, "K": 4, "Q": 3, "J": 2, "10": 10}
TRUMP = {**PLAIN, "J": 20, "9": 14}
TOP_DOWN = {**PLAIN, "8": 8}
BOTTOM_UP = {**TOP_DOWN, "A": 0, "6": 11}
SUITS = {"D": "diamonds", "H": "hearts", "S": "spades", "C": "clubs"}


def worth(card: str, contract: str | None, options: dict[str, Any]) -> int:
    """What a card counts, by the table of the rules."""
    suit, rank = SUITS[card[0]], card[1:]
    if contract in SUITS.values():
        if contract == suit and rank == "J":
            return int(options.get("puur_value", 20))
        return (TRUMP if suit == contract else PLAIN).get(rank, 0)
    as_top_down = contract is None or contract.endswith("obenabe")
    if as_top_down or options.get("undenufe_values") == "source":
        return TOP_DOWN.get(rank, 0)
    return BOTTOM_UP.get(rank, 0)


@drawn(25)
def test_every_card_is_played_once_and_the_points_are_those_of_the_cards(
    variant: str, data: st.DataObject
) -> None:
    """Also in a deal that was conceded, stopped, or whose middle ended the game."""
    state = State()
    played: list[str] = []
    taken: Counter[int | None] = Counter()
    said: list[type] = []
    lying = 0
    for event in data.draw(games(variant)).log:
        evolve(state, event)
        said.append(type(event))
        if isinstance(event, DealStarted):
            played, taken, said, lying = [], Counter(), [], 0
        elif isinstance(event, CardPlayed):
            assert event.card is not None
            assert event.card not in played
            played.append(event.card)
        elif isinstance(event, TrickTaken):
            taken[event.seat] += 1
            lying = len(played)
        elif isinstance(event, DealScored):
            if DealConceded in said:
                assert event.card_points == [0, 157]
                continue
            contract, tricks = state.contract, state.records[-1].tricks
            counted: Counter[int] = Counter()
            sides = get_rules(state).sides_of(state)
            for at, trick in enumerate(tricks, 1):
                of_cards = sum(worth(cards.DECK[card], contract, state.options) for card in trick.cards)
                assert trick.taker is not None
                counted[sides[trick.taker]] += of_cards + 5 * (at == state.sizes[0])
            if DiscardsCounted in said:
                put_away = cards.codes(state.variant_state.discards[state.declarer or 0])
                assert len(put_away) == 6
                counted[0] += sum(worth(card, contract, state.options) for card in put_away)
            assert event.card_points == [counted[side] for side in range(len(event.scores))]
            assert sum(taken.values()) == len(tricks)
            assert lying == len(tricks) * state.seats
            if lying == 36:  # a Stöck may end the game before the last trick is taken
                whole = 157 if state.options.get("puur_value") != 21 else 158
                assert sum(points or 0 for points in event.card_points) == whole
            elif DealStopped not in said and not _ended_within(state):
                assert len(played) == state.seats * state.sizes[0]


def _ended_within(state: State) -> bool:
    """The deal ended the game before its last card."""
    play = get_rules(state).play
    return play.targets is not None and any(
        total >= target for total, target in zip(state.totals, play.goals(state), strict=True)
    )


# --- what may be done -------------------------------------------------------------------------------------


@drawn(15)
def test_a_seat_finds_its_legal_cards_in_its_own_view_and_no_other_is_taken(
    variant: str, data: st.DataObject
) -> None:
    game = data.draw(games(variant, 150))
    state = State()
    views = [State() for _ in range(game.start.seats)]
    for command, events in game.steps:
        if isinstance(command, Play):
            seat, legal = command.seat, legal_cards(state)
            assert legal_cards(views[seat]) == legal != 0
            assert not legal & ~state.hands[seat]
            assert to_act(views[seat]) == to_act(state)
            _only_these_are_taken(state, seat, legal)
        for event in events:
            evolve(state, event)
            for seat, view in enumerate(views):
                evolve(view, next(redact_events([event], Observer.seat(seat))))


def _only_these_are_taken(state: State, seat: int, legal: int) -> None:
    for card in cards.DECK:
        try:
            decide(state, Play(seat=seat, card=card))
            taken = True
        except IllegalCommand:
            taken = False
        assert taken == bool(legal & cards.BIT[card])


@drawn(15)
def test_what_is_offered_is_never_refused(variant: str, data: st.DataObject) -> None:
    game = data.draw(games(variant, 80))
    state = State()
    for _, events in game.steps:
        for event in events:
            evolve(state, event)
        turn = to_act(state)
        if turn is not None and turn.phase != "dealing":
            found = list_offers(state)
            assert found
            for command in found[:12]:
                assert decide(state, command)
            names = {str(command.__struct_config__.tag) for command in found}
            assert names <= set(turn.commands)


def test_nothing_is_played_after_the_end() -> None:
    with pytest.raises(ValueError, match="over"):
        random_command(replay(log_of(GAMES[0], 1)), random.Random(1))


# --- the audit --------------------------------------------------------------------------------------------

WORDS = {  # what a player says or does: another word may make another game that goes on alike
    "game_started", "deal_started", "hand_dealt", "talon_dealt", "extra_dealt", "table_dealt", "pushed",
    "contract_set", "bid_made", "bid_deferred", "bid_passed", "cards_discarded", "deal_accepted",
    "prediction_made", "extra_exchanged", "extra_kept", "turned_taken", "melds_declared", "card_played",
    "stoeck_declared", "trump_turned",  # where a card is cut, it is only told
}  # fmt: skip


def tag(event: Event) -> str:
    return str(event.__struct_config__.tag)


@drawn(15)
def test_the_audit_accepts_every_game_also_one_that_is_not_over(variant: str, data: st.DataObject) -> None:
    game = data.draw(games(variant))
    assert audit(game.log) is None
    steps = game.steps[: data.draw(st.integers(1, len(game.steps)))]
    assert audit([event for _, events in steps for event in events]) is None


@drawn(40)
def test_the_audit_refuses_a_log_that_was_changed(variant: str, data: st.DataObject) -> None:
    """Changed, dropped, swapped, inserted or cut off; numbered anew, so that the numbers tell nothing."""
    game = data.draw(games(variant, 250))
    log = game.log
    kind = data.draw(st.sampled_from(["change", "drop", "swap", "insert", "truncate"]))
    at = data.draw(st.integers(1, len(log) - 2))
    touched = {tag(log[at])}
    if kind == "change":
        changed = data.draw(other_than(log[at]))
        if changed is None:
            return
        forged = [*log[:at], changed, *log[at + 1 :]]
    elif kind == "drop":
        forged = [*log[:at], *log[at + 1 :]]
    elif kind == "swap":
        other = data.draw(st.integers(at + 1, len(log) - 1))
        touched |= {tag(event) for event in log[at : other + 1]}
        forged = [*log[:at], log[other], *log[at + 1 : other], log[at], *log[other + 1 :]]
    elif kind == "insert":
        forged = [*log[:at], data.draw(st.sampled_from(log)), *log[at:]]
        touched = {tag(forged[at])}
    else:
        ends = {0}
        for _, events in game.steps:
            ends.add(max(ends) + len(events))
        if at in ends or tag(log[at]) in WORDS:
            return  # a game that is not over, or a Stöck that was not declared
        forged, touched = log[:at], {"nothing"}
    forged = [replace(event, seq=seq) for seq, event in enumerate(forged)]
    if forged == log:
        return
    note(f"{kind} at {at}: {log[at]}")
    if accepted(forged):
        assert touched & WORDS
        assert of_other_words(forged)


def accepted(log: list[Event]) -> bool:
    try:
        return audit(log) is None
    except CorruptLog:
        return False


def of_other_words(log: list[Event]) -> bool:
    """Whether the rules give this log, decided here without following whole tricks."""
    from engine.audit.command_of_event import find_command

    state, at = State(), 0
    while at < len(log):
        events = decide(state, find_command(build_game_context(state), log, at))
        if log[at : at + len(events)] != events:
            return False
        for event in events:
            evolve(state, event)
        at += len(events)
    return True


@st.composite
def other_than(draw: st.DrawFn, event: Event) -> Event | None:
    """The event with one field changed; None where no event comes of it."""
    plain = to_dict(event)
    name = draw(st.sampled_from(sorted(set(plain) - {"seq", "type"}) or ["seq"]))
    plain[name] = draw(_changed(plain[name]))
    try:
        return decode_event(plain)
    except CorruptLog:
        return None


def _changed(value: Any) -> st.SearchStrategy[Any]:
    match value:
        case bool():
            return st.just(not value)
        case int():
            return st.sampled_from([value - 1, value + 1, value + 10, 0, None])
        case [*_] if value:
            places = st.integers(0, len(value) - 1)
            one = places.flatmap(
                lambda at: _changed(value[at]).map(lambda new: [*value[:at], new, *value[at + 1 :]])
            )
            return one | places.map(lambda at: value[:at] + value[at + 1 :]) | st.just(value[::-1])
        case {**items} if items:
            keys = st.sampled_from(sorted(items, key=str))
            return keys.flatmap(lambda key: _changed(items[key]).map(lambda new: {**items, key: new}))
        case str() if value in cards.DECK:
            return st.sampled_from(cards.DECK)
        case str():
            return st.sampled_from(["spades", "undenufe", "joker7", "transcribed", ""])
    return st.sampled_from([None, 0, "spades", []])
