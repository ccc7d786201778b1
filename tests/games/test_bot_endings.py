"""Endings played by bots, compared with a full search of all card distributions; and bad plays.

The full search is implemented only here: plainly, on the engine's own table.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from statistics import fmean
from typing import cast

import pytest

from engine import Observer, State, advance, cards, decode_command, evolve, legal_cards, redact_events, to_act
from engine.cards import INDEX, SUIT_MASK, Card, members
from engine.commands import Command, Play
from engine.decider import decide
from engine.phases.dealing import deck_from_hands
from engine.registry import get_rules
from games.bots import choose
from games.bots.playouts import card_rollouts, endings
from games.bots.reckoning import knowledge
from games.bots.rollout_decisions import think
from tests.bench import bots
from tests.engine.random_games import EFFORT

LEFT = 2
"""Tricks that are left, the one lying included."""
MAX_WORLDS = 100
CAMPS = [
    ("schieber", 4),
    ("coiffeur", 4),
    ("coiffeur", 3),
    ("bieter", 3),
    ("la-pomme", 2),
    ("lake-constance", 2),
]
ALONE = [("differenzler", 4), ("differenzler", 3), ("plus-minus", 3)]
Position = tuple[State, int]


def drawn_endings(variant: str, seats: int, count: int) -> Iterator[Position]:
    """Views of seats with a choice, two tricks before the end of deals that quick bots have played."""
    found: list[Position] = []

    def spy(state: State, seat: int, seed: bytes) -> Command:
        turn = to_act(state)
        assert turn is not None
        if turn.phase == "trick_play" and state.sizes[0] - len(state.tricks) == LEFT:
            legal = legal_cards(state, seat)
            if legal & (legal - 1):
                found.append((state.copy(), seat))
        return choose(state, seat, seed)

    options = bots.SIMPLE if variant == "schieber" else {}
    for game in range(1000):
        found.clear()
        decks = (bots.duel_deck(f"{variant} {game}".encode(), deal) for deal in range(200))
        start = {
            "variant": variant,
            "options": {**(bots.SINGLE if variant == "schieber" else {}), **options},
        }
        bots.game_played([spy] * seats, start, decks, b"endings", longest=4)
        for state, seat in found:
            if 1 < len(worlds_of(state, seat)) <= MAX_WORLDS or seats == 2:
                yield state, seat
                count -= 1
                if not count:
                    return


def worlds_of(state: State, seat: int) -> list[tuple[int, ...]]:
    """Every way the hidden cards may lie; none where something lies closed or too much is out of play."""
    sight = knowledge.build_knowledge(state, seat)
    if any(pile.closed is not None for piles in state.variant_state.table for pile in piles):
        return []
    others = [other for other in range(state.seats) if other != seat]
    start = [sight.hand if who == seat else sight.known[who] for who in range(state.seats)]
    found: list[tuple[int, ...]] = []

    def give(at: int, hands: list[int], unseen: int) -> None:
        if len(found) > MAX_WORLDS:
            return
        if at == len(others):
            found.append(tuple(hands))
            return
        who = others[at]
        for chosen in combinations(members(unseen & sight.may[who]), sight.left[who]):
            bits = sum(1 << card for card in chosen)
            given = hands.copy()
            given[who] |= bits
            give(at + 1, given, unseen & ~bits)

    give(0, start, sight.unseen & ~sum(sight.known))
    return found


def goods(state: State) -> list[float]:
    """By seat what the deal that is over was good for: its score less the average of the other sides'."""
    rules = get_rules(state)
    scores = [points or 0 for points in state.records[-1].scores]
    sides = rules.sides_of(state)
    total = sum(scores)
    return [
        rules.variant.score_direction
        * (scores[sides[who]] - (total - scores[sides[who]]) / (len(scores) - 1))
        for who in range(state.seats)
    ]


def searched(
    state: State, seat: int, hands: Sequence[int], card: int, friends: Sequence[bool] | None
) -> float:
    """What a card is good for when all play perfectly and see all hands. `friends` None: each for itself."""
    table = state.copy()
    table.hands[:] = hands
    mover = to_act(table)
    assert mover is not None
    assert mover.seat is not None
    advance(table, Play(seat=mover.seat, card=cards.DECK[card]))
    return best_line(table, seat, friends)[seat]


def best_line(table: State, seat: int, friends: Sequence[bool] | None) -> list[float]:
    if not table.dealing:
        return goods(table)
    turn = to_act(table)
    assert turn is not None
    assert turn.seat is not None
    lines = []
    for card in members(legal_cards(table, turn.seat)):
        after = table.copy()
        advance(after, Play(seat=turn.seat, card=cards.DECK[card]))
        lines.append(best_line(after, seat, friends))
    if friends is None:
        return max(lines, key=lambda line: line[turn.seat or 0])
    return (max if friends[turn.seat] else min)(lines, key=lambda line: line[seat])


def losses(variant: str, seats: int, count: int, *, camps: bool) -> list[float]:
    """By how much the bot's card is worse than the best, on average over every way the cards may lie, in
    points of cards."""
    found = []
    for state, seat in drawn_endings(variant, seats, count):
        sight = knowledge.build_knowledge(state, seat)
        friends = sight.friends if camps else None
        worlds = worlds_of(state, seat)
        if not worlds:
            continue
        values = {
            card: fmean(searched(state, seat, hands, card, friends) for hands in worlds)
            for card in members(legal_cards(state, seat))
        }
        command = think(state, seat, b"endings")
        if not isinstance(command, Play) or command.card is None:
            continue  # it has ended the deal
        factor = get_rules(state).play.multiplier(state.contract, state.slot)
        found.append((max(values.values()) - values[INDEX[command.card]]) / factor)
    return found


@pytest.mark.parametrize(("variant", "seats"), CAMPS)
def test_endings_are_played_as_a_full_search_plays_them(variant: str, seats: int) -> None:
    lost = losses(variant, seats, 6 * EFFORT, camps=True)
    assert lost
    assert max(lost) <= 2
    assert fmean(lost) <= 0.4


@pytest.mark.long
@pytest.mark.parametrize(("variant", "seats"), CAMPS)
def test_two_hundred_endings_are_played_as_a_full_search_plays_them(variant: str, seats: int) -> None:
    lost = losses(variant, seats, 200, camps=True)
    assert max(lost) <= 2
    assert fmean(lost) <= 0.2


@pytest.mark.long(len(ALONE))
@pytest.mark.slow
@pytest.mark.parametrize("endings", [40, 200])
@pytest.mark.parametrize(("variant", "seats"), ALONE)
def test_endings_of_players_alone_cost_next_to_nothing(variant: str, seats: int, endings: int) -> None:
    """Who is indifferent may do either: what others make of it is not certain."""
    lost = losses(variant, seats, endings, camps=False)
    assert fmean(lost) <= 1


def played(commands: Sequence[dict[str, object]], seats: int) -> tuple[State, list[State]]:
    state, views = State(), [State() for _ in range(seats)]
    for command in commands:
        step(state, views, decode_command(command))
    return state, views


def step(state: State, views: list[State], command: Command) -> None:
    for event in decide(state, command):
        evolve(state, event)
        for seat, view in enumerate(views):
            [seen] = redact_events([event], Observer.seat(seat))
            evolve(view, seen)


def the_rest(state: State, views: list[State]) -> None:
    """The bots play the deal to its end."""
    deal = state.deal
    while state.deal == deal and state.dealing:
        turn = to_act(state)
        assert turn is not None
        assert turn.seat is not None
        step(state, views, think(views[turn.seat], turn.seat, b"the rest"))


def hand(text: str) -> list[Card]:
    return cast("list[Card]", text.split())


def test_a_declarer_on_lead_at_undenufe_runs_what_nobody_can_beat() -> None:
    """Eight of nine cards take their tricks whatever the others hold."""
    hands = [
        hand("S6 S7 S8 S9 D6 D7 H6 C6 CA"),
        hand("S10 SJ SQ D8 D9 D10 H7 H8 C7"),
        hand("SK SA DJ DQ H9 H10 C8 C9 C10"),
    ]
    rest = hand("DK HA HK HQ CK CQ DA HJ CJ")
    deck = [*deck_from_hands(hands, 0), *rest]
    state, views = played(
        [
            {"cmd": "start", "variant": "bieter", "seats": 3},
            {"cmd": "deal", "deck": deck},
            {"cmd": "bid", "seat": 0, "points": 500},
            {"cmd": "pass", "seat": 1},
            {"cmd": "pass", "seat": 2},
            {"cmd": "discard", "seat": 0, "cards": sorted(rest[:6])},
            {"cmd": "choose", "seat": 0, "contract": "undenufe"},
        ],
        3,
    )
    the_rest(state, views)
    assert sum(trick.taker == 0 for trick in state.records[0].tricks) >= 8


def test_who_leads_does_not_draw_the_partners_trumps() -> None:
    """After two rounds of trumps only the partner can hold any."""
    hands = [
        hand("SJ S9 SA DA DK HA H6 C6 D6"),
        hand("SK D7 D8 D9 H7 H8 C7 C8 C9"),
        hand("S6 S7 S8 S10 D10 H9 H10 C10 CJ"),
        hand("SQ DJ DQ HJ HQ HK CQ CK CA"),
    ]
    state, views = played(
        [
            {"cmd": "start", "variant": "schieber", "seats": 4, "preset": "championship"},
            {"cmd": "deal", "deck": deck_from_hands(hands, 0), "dealer": 3},
            {"cmd": "choose", "seat": 0, "contract": "spades"},
        ],
        4,
    )
    trumps = SUIT_MASK[2]
    wasted = 0
    while not state.records:
        turn = to_act(state)
        assert turn is not None
        assert turn.seat is not None
        command = think(views[turn.seat], turn.seat, b"partner")
        if turn.seat in (0, 2) and not state.trick and isinstance(command, Play):
            foes, partner = state.hands[1] | state.hands[3], state.hands[(turn.seat + 2) % 4]
            sight = knowledge.build_knowledge(views[turn.seat], turn.seat)
            known_void = not any(sight.may[foe] & trumps for foe in (1, 3))
            other = state.hands[turn.seat] & ~trumps
            if known_void and partner & trumps and not foes & trumps and other:
                wasted += trumps >> INDEX[command.card] & 1
        step(state, views, command)
    assert wasted == 0


def test_a_search_that_would_take_too_long_is_given_up() -> None:
    [(state, seat)] = list(drawn_endings("schieber", 4, 1))
    sight = knowledge.build_knowledge(state, seat)
    scene, worlds = card_rollouts.build_scene(state, sight), card_rollouts.guess_worlds(state, sight, b"x", 3)
    search = endings.CampSearch(scene, scene.sides[seat], nodes=2)
    with pytest.raises(endings.NodesSpent):
        search.values(worlds[0], members(legal_cards(state, seat)))
