"""Bounds of unknown values of a deal: the possible takers of a trick, and the points of each side.

A world is one possible contract of the deal. The bounds hold for every distribution of the unknown cards,
and may be wider than necessary.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from engine import events as ev
from engine.card_points import LAST_TRICK
from engine.cards import INDEX, SUIT_OF
from engine.contracts import CONTRACTS, STRENGTH, TOP_DOWN
from engine.evidence.card_locations import CardLocations, Place
from engine.ledger.state import DealRecord, State
from engine.rules import GameContext
from engine.tricks.modes import mode_at


@dataclass(slots=True)
class PlayedTrick:
    """A recorded trick. `played`: its cards. `taken`: its event TrickTaken; None if the trick is not
    complete.
    """

    played: list[ev.CardPlayed] = field(default_factory=list)
    taken: ev.TrickTaken | None = None
    wrong: list[Literal["wrong_taker", "wrong_points"]] = field(default_factory=list)
    """Codes of the recorded values that are impossible."""


class Range(NamedTuple):
    """A range of numbers, both ends inclusive."""

    least: int
    most: int


class World(NamedTuple):
    """One possible contract of a deal (None: no trumps named), and for each trick its possible modes."""

    contract: str | None
    modes: tuple[tuple[int, ...], ...]


def list_worlds(context: GameContext, record: DealRecord, tricks: Sequence[PlayedTrick]) -> list[World]:
    """Return a world for each possible contract of a deal."""
    size = record.size
    if not context.rules.play.names_trumps:
        contracts = context.rules.play.contracts(record.contract, record.slot)
        return [World(c, tuple((mode_at(c, size, at),) for at in range(size))) for c in contracts]
    first = next((at for at, t in enumerate(tricks) if any(p.card is None for p in t.played)), None)
    named = size if record.variant_state.named is None else record.variant_state.named[0]
    done = sum(len(t.played) == context.state.seats for t in tricks)
    open_from = done if first is None else min(first, done)
    suits: tuple[str | None, ...]
    if record.contract is not None:
        suits = (record.contract,)
    elif done == size and first is None:
        suits = (None,)
    else:
        suits = (None, *CONTRACTS[:4])
    worlds = []
    for suit in suits:
        trumps = TOP_DOWN if suit is None else mode_at(suit, size, 0)
        modes: list[tuple[int, ...]] = [(TOP_DOWN,)] * min(open_from, named)
        modes += [(TOP_DOWN, trumps)] * (named - len(modes))
        modes += [(trumps,)] * (size - len(modes))
        worlds.append(World(suit, tuple(modes)))
    return worlds


def _values(context: GameContext, world: World) -> Sequence[int]:
    return context.rules.play.values[world.contract or "obenabe"]


def _unplayed_candidates(tricks: Sequence[PlayedTrick], where: CardLocations, seat: int) -> list[int]:
    """Return the numbers of the cards that a seat may have played as its unknown cards."""
    played = {p.card for t in tricks for p in t.played}
    return [INDEX[card] for card in where.possible_cards(seat) if card not in played]


def possible_takers(
    state: State, worlds: Sequence[World], tricks: Sequence[PlayedTrick], where: CardLocations, at: int
) -> list[int]:
    """Return the seats that may have taken trick `at` (from 0) in one of the worlds, with some cards in place
    of the unknown and missing ones.
    """
    played = tricks[at].played
    seats = {p.seat for p in played}
    missing = [seat for seat in range(state.seats) if seat not in seats]
    if played[0].card is None:
        return list(range(state.seats))
    led = SUIT_OF[INDEX[played[0].card]]
    possible: set[int] = set()
    for mode in {mode for world in worlds for mode in world.modes[at]}:
        strength = STRENGTH[mode][led]
        powers = {p.seat: [strength[INDEX[p.card]]] for p in played if p.card is not None}
        for seat in [*missing, *(p.seat for p in played if p.card is None)]:
            powers[seat] = [strength[card] for card in _unplayed_candidates(tricks, where, seat)] or [0]
        for seat, own in powers.items():
            rivals = [min(others) for rival, others in powers.items() if rival != seat]
            if max(own) > max(rivals):
                possible.add(seat)
    return sorted(possible)


def possible_points(
    context: GameContext,
    record: DealRecord,
    worlds: Sequence[World],
    tricks: Sequence[PlayedTrick],
    where: CardLocations,
    at: int,
) -> Range:
    """Return the range of the points of trick `at` (from 0), with the five if it is the last trick."""
    trick = tricks[at]
    ranges = []
    unknown = {p.seat for p in trick.played if p.card is None}
    unknown |= set(range(context.state.seats)) - {p.seat for p in trick.played}
    candidates = sorted({card for seat in unknown for card in _unplayed_candidates(tricks, where, seat)})
    for world in worlds:
        values = _values(context, world)
        known_points = sum(values[INDEX[p.card]] for p in trick.played if p.card is not None)
        known_points += LAST_TRICK if at + 1 == record.size else 0
        ranges.append(_add_unknown(known_points, len(unknown), [values[card] for card in candidates]))
    return _span(ranges)


def _add_unknown(known_points: int, count: int, pool: Sequence[int]) -> Range:
    """Return the range of a sum: `known_points`, and the points of `count` cards from `pool`."""
    if not count:
        return Range(known_points, known_points)
    ordered = sorted(pool)
    return Range(known_points + sum(ordered[:count]), known_points + sum(ordered[-count:]))


def _span(ranges: Sequence[Range]) -> Range:
    return Range(min(r.least for r in ranges), max(r.most for r in ranges))


class _Heap(NamedTuple):
    """Cards that all go to the same one of several sides: their known points, and the number of unknown
    cards.
    """

    sides: frozenset[int]
    known: int
    unknown: int


def points_of_sides(
    context: GameContext,
    record: DealRecord,
    worlds: Sequence[World],
    tricks: Sequence[PlayedTrick],
    where: CardLocations,
    takers: Sequence[Sequence[int]],
    log: Sequence[ev.Event],
) -> list[Range]:
    """Return the range of each side's card points in the whole deal."""
    scored = next((event for event in log if isinstance(event, ev.DealScored)), None)
    if scored is not None and None not in scored.card_points:
        return [Range(points or 0, points or 0) for points in scored.card_points]
    if any(isinstance(event, ev.DealConceded) for event in log):
        return [Range(0, context.rules.play.deal_points)] * context.rules.sides
    by_world = [_points_in_world(context, record, world, tricks, where, takers, log) for world in worlds]
    return [_span([ranges[side] for ranges in by_world]) for side in range(context.rules.sides)]


def _points_in_world(
    context: GameContext,
    record: DealRecord,
    world: World,
    tricks: Sequence[PlayedTrick],
    where: CardLocations,
    takers: Sequence[Sequence[int]],
    log: Sequence[ev.Event],
) -> list[Range]:
    values = _values(context, world)
    heaps = list(_list_heaps(context, record, values, tricks, where, takers, log))
    used = {p.card for t in tricks for p in t.played}
    counted = {Place("hand", seat) for seat in range(context.state.seats)}
    for event in log:
        if isinstance(event, ev.CardsDiscarded):
            discards = Place("discards", event.seat)
            counted.add(discards)
            used |= set(where.in_place(discards))
    pool = sorted(
        values[INDEX[c]] for c, places in where.places.items() if c not in used and places & counted
    )
    ranges = []
    for side in range(context.rules.sides):
        sure = [heap for heap in heaps if heap.sides == {side}]
        possible = [heap for heap in heaps if side in heap.sides]
        least = _add_unknown(sum(h.known for h in sure), sum(h.unknown for h in sure), pool).least
        most = _add_unknown(sum(h.known for h in possible), sum(h.unknown for h in possible), pool).most
        ranges.append(Range(least, most))
    total = _add_unknown(sum(h.known for h in heaps), sum(h.unknown for h in heaps), pool)
    return [_narrow_by_others(ranges, side, total) for side in range(len(ranges))]


def _narrow_by_others(ranges: Sequence[Range], side: int, total: Range) -> Range:
    """Return the range of a side, narrowed by the total and the ranges of the other sides."""
    others = [r for rival, r in enumerate(ranges) if rival != side]
    own = ranges[side]
    least = max(own.least, total.least - sum(r.most for r in others))
    most = min(own.most, total.most - sum(r.least for r in others))
    return Range(least, most)


def _list_heaps(
    context: GameContext,
    record: DealRecord,
    values: Sequence[int],
    tricks: Sequence[PlayedTrick],
    where: CardLocations,
    takers: Sequence[Sequence[int]],
    log: Sequence[ev.Event],
) -> list[_Heap]:
    """Return a heap for each trick, each trick still to be played, and the discards that count."""
    state = context.state
    sides = list(context.rules.sides_of(state))
    all_sides = frozenset(range(context.rules.sides))
    sides_known = set(sides) == all_sides
    heaps = []
    for at, trick in enumerate(tricks):
        known_points = sum(values[INDEX[p.card]] for p in trick.played if p.card is not None)
        known_points += LAST_TRICK if at + 1 == record.size else 0
        missing = state.seats - sum(p.card is not None for p in trick.played)
        to = frozenset(sides[seat] for seat in takers[at]) if sides_known else all_sides
        heaps.append(_Heap(to, known_points, missing))
    if any(isinstance(event, ev.DealStopped | ev.DealScored | ev.DealAnnulled) for event in log):
        heaps = [heap for heap, trick in zip(heaps, tricks, strict=True) if trick.taken is not None]
    else:
        heaps += [
            _Heap(all_sides, LAST_TRICK if at + 1 == record.size else 0, state.seats)
            for at in range(len(tricks), record.size)
        ]
    for event in log:
        if isinstance(event, ev.CardsDiscarded):
            cards = where.in_place(Place("discards", event.seat))
            known_points = sum(values[INDEX[card]] for card in cards)
            to = frozenset({sides[event.seat]}) if sides_known else all_sides
            heaps.append(_Heap(to, known_points, max(event.size - len(cards), 0)))
    return heaps
