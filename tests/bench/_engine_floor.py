"""The minimal cost of legal, decide and evolve in the shape of our engine: the same commands, events and
tables, one call each with everything inlined, for one way of following. There are no phases, options, melds,
refusals or scores; no code checks the deck, chooses a contract or closes the deal.
"""

import random
from collections.abc import Iterator

import numpy as np

from engine.card_points import VALUES
from engine.cards import ALL, BIT, DECK, INDEX, SUIT_MASK, SUIT_OF, WITHOUT, Card
from engine.commands import Play
from engine.contracts import CONTRACTS, HIGHER, MODES, PUUR, STRENGTH, Contract
from engine.events import CardPlayed, DealStarted, Event, HandDealt, TrickTaken
from engine.tricks.trick_tables import POINTS, POINTS_BITS

FROM_CARD = [ALL >> card << card for card in range(36)]
CODE_OF = {1 << card: code for card, code in enumerate(DECK)}
NOBODY = (-1, 0)
"""No seat has been found to play next yet."""


_Way = tuple[int, int, int, tuple[int, ...], list[int]]


class _Table:
    __slots__ = (
        "hands", "leader", "next_play", "seats", "seq", "taken", "trick", "tricks", "way", "ways"
    )  # fmt: skip

    hands: list[int]
    leader: int
    next_play: tuple[int, int]
    seats: list[int]
    taken: list[int]
    trick: list[int]
    tricks: list[tuple[list[int], list[int], int, int]]
    way: _Way
    ways: list[list[_Way]]

    def __init__(self) -> None:
        self.seq = 0
        self.next_play = NOBODY


def _ways(contract: Contract) -> list[list[_Way]]:
    """By trick and suit led: suit asked for, trumps beside it, Puur where trumps are led, higher cards,
    values."""
    return [
        [
            (
                SUIT_MASK[led],
                SUIT_MASK[mode] if mode < 4 and mode != led else 0,
                PUUR[led] if mode == led else 0,
                HIGHER[mode] if mode < 4 else (),
                [
                    power << POINTS_BITS | points
                    for power, points in zip(STRENGTH[mode][led], VALUES[contract], strict=True)
                ],
            )
            for led in range(4)
        ]
        for mode in MODES[contract][9]
    ]


WAYS = [_ways(contract) for contract in CONTRACTS[:6]]


def _legal(table: _Table) -> tuple[int, int]:
    trick = table.trick
    if not trick:
        seat, legal = table.leader, table.hands[table.leader]
    else:
        seat = table.seats[-1] + 1
        if seat == 4:
            seat = 0
        legal = table.hands[seat]
        asked, trump, puur, higher, _ = table.way
        suit, trumps = legal & asked, legal & trump
        if suit:
            if trumps:
                for card in trick:
                    trumps &= higher[card]
                legal = suit | trumps
            elif suit != puur:
                legal = suit
        elif trumps and trumps != legal and len(trick) > 1:
            above = trumps
            for card in trick:
                above &= higher[card]
            legal ^= trumps ^ above
    found = table.next_play = (seat, legal)
    return found


def _decide(table: _Table, command: Play) -> list[Event]:
    seat, legal = table.next_play
    code = command.card
    if command.seat != seat or not legal & BIT[code]:
        raise ValueError("illegal")
    if command.melds is not None or command.stoeck is not None:
        raise ValueError("nothing is declared here")
    trick, seq = table.trick, table.seq
    if len(trick) < 3:
        return [CardPlayed(seq=seq, seat=seat, card=code)]
    worths = table.way[4]
    best = total = worths[INDEX[code]]
    taker = seat
    for card, who in zip(trick, table.seats):  # noqa: B905 - passing strict= takes time
        worth = worths[card]
        total += worth
        if worth > best:
            best = worth
            taker = who
    return [
        CardPlayed(seq=seq, seat=seat, card=code),
        TrickTaken(seq=seq + 1, seat=taker, points=total & POINTS),
    ]


def _evolve(table: _Table, event: Event) -> None:
    if type(event) is CardPlayed:
        seat, code, trick = event.seat, event.card, table.trick
        table.hands[seat] &= WITHOUT[code]
        trick.append(INDEX[code])
        table.seats.append(seat)
        if len(trick) == 1:
            table.way = table.ways[len(table.tricks)][SUIT_OF[trick[0]]]
    elif type(event) is TrickTaken:
        taker, points = event.seat, event.points
        assert taker is not None
        assert points is not None
        table.tricks.append((table.seats, table.trick, taker, points))
        table.trick, table.seats, table.leader = [], [], taker
        table.taken[taker] += points
    elif type(event) is HandDealt:
        assert event.cards is not None
        bits = 0
        for code in event.cards:
            bits |= BIT[code]
        table.hands[event.seat] = bits
    else:
        table.hands, table.taken, table.tricks = [0] * 4, [0] * 4, []
        table.trick, table.seats, table.leader = [], [], 1
    table.seq = event.seq + 1
    table.next_play = NOBODY


def _deal(table: _Table, deck: list[Card]) -> Iterator[Event]:
    yield DealStarted(seq=table.seq, deal=1, dealer=0)
    for seat in range(4):
        hand = sorted(deck[seat * 9 : seat * 9 + 9], key=INDEX.__getitem__)
        yield HandDealt(seq=table.seq, seat=seat, size=9, cards=hand)


def playout(deals: int, rng: random.Random) -> list[Event]:
    """Random deals, as `ours_playout` of the bench plays them."""
    table, log, random = _Table(), [], rng.random
    for _ in range(deals):
        for event in _deal(table, [DECK[card] for card in np.random.permutation(36).tolist()]):
            _evolve(table, event)
            log.append(event)
        table.ways = WAYS[int(random() * 6)]
        for _ in range(36):
            seat, legal = _legal(table)
            legal = legal & FROM_CARD[int(random() * 36)] or legal
            for event in _decide(table, Play(seat=seat, card=CODE_OF[legal & -legal])):
                _evolve(table, event)
                log.append(event)
    return log
