"""Bounds for what is not known of a deal: who may have taken a trick, and how few or many points each side
may have.

A *world* is one contract that the deal may have been played with. The bounds hold for every way in which the
unknown cards may lie: they are sound, and exact wherever the points of the unknown cards are equal.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from engine import events as ev
from engine.cards import INDEX, SUIT_OF
from engine.contracts import CONTRACTS, LAST_TRICK, STRENGTH, TOP_DOWN
from engine.evidence.card_locations import Place, Whereabouts
from engine.ledger.state import DealRecord, State
from engine.rules import Table
from engine.tricks.modes import mode_at


@dataclass(slots=True)
class PlayedTrick:
    """A trick as it was recorded: its cards, and what is said of its taker, once it is complete."""

    played: list[ev.CardPlayed] = field(default_factory=list)
    taken: ev.TrickTaken | None = None
    wrong: list[Literal["wrong_taker", "wrong_points"]] = field(default_factory=list)
    """What is recorded of it and cannot be."""


class Range(NamedTuple):
    """From the least to the most, both included."""

    least: int
    most: int


class World(NamedTuple):
    """A contract that may have been played, and the modes that each trick may have had in it."""

    contract: str | None
    modes: tuple[tuple[int, ...], ...]


def worlds_of(table: Table, record: DealRecord, tricks: Sequence[PlayedTrick]) -> list[World]:
    """The contracts a deal may have been played with."""
    size = record.size
    if not table.rules.play.names_trumps:
        contracts = table.rules.play.contracts(record.contract, record.slot)
        return [World(c, tuple((mode_at(c, size, at),) for at in range(size))) for c in contracts]
    first = next((at for at, t in enumerate(tricks) if any(p.card is None for p in t.played)), None)
    named = size if record.extras.named is None else record.extras.named[0]
    done = sum(len(t.played) == table.state.seats for t in tricks)
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


def _values(table: Table, world: World) -> Sequence[int]:
    return table.rules.play.values[world.contract or "obenabe"]


def _unplayed(tricks: Sequence[PlayedTrick], where: Whereabouts, seat: int) -> list[int]:
    """Cards that a seat may have played where its card is not known."""
    played = {p.card for t in tricks for p in t.played}
    return [INDEX[card] for card in where.may_be_of(seat) if card not in played]


def possible_takers(
    state: State, worlds: Sequence[World], tricks: Sequence[PlayedTrick], where: Whereabouts, at: int
) -> list[int]:
    """The seats that may take a trick."""
    played = tricks[at].played
    seats = {p.seat for p in played}
    missing = [seat for seat in range(state.seats) if seat not in seats]
    if played[0].card is None:
        return list(range(state.seats))
    led = SUIT_OF[INDEX[played[0].card]]
    found: set[int] = set()
    for mode in {mode for world in worlds for mode in world.modes[at]}:
        strength = STRENGTH[mode][led]
        powers = {p.seat: [strength[INDEX[p.card]]] for p in played if p.card is not None}
        for seat in [*missing, *(p.seat for p in played if p.card is None)]:
            powers[seat] = [strength[card] for card in _unplayed(tricks, where, seat)] or [0]
        for seat, own in powers.items():
            rivals = [min(others) for other, others in powers.items() if other != seat]
            if max(own) > max(rivals):
                found.add(seat)
    return sorted(found)


def possible_points(
    table: Table,
    record: DealRecord,
    worlds: Sequence[World],
    tricks: Sequence[PlayedTrick],
    where: Whereabouts,
    at: int,
) -> Range:
    """The points of a trick, with the five of the last one."""
    trick = tricks[at]
    ranges = []
    unknown = {p.seat for p in trick.played if p.card is None}
    unknown |= set(range(table.state.seats)) - {p.seat for p in trick.played}
    candidates = sorted({card for seat in unknown for card in _unplayed(tricks, where, seat)})
    for world in worlds:
        values = _values(table, world)
        known = sum(values[INDEX[p.card]] for p in trick.played if p.card is not None)
        known += LAST_TRICK if at + 1 == record.size else 0
        ranges.append(_with(known, len(unknown), [values[card] for card in candidates]))
    return _around(ranges)


def _with(known: int, count: int, pool: Sequence[int]) -> Range:
    """Known points and those of so many cards of a pool."""
    if not count:
        return Range(known, known)
    ordered = sorted(pool)
    return Range(known + sum(ordered[:count]), known + sum(ordered[-count:]))


def _around(ranges: Sequence[Range]) -> Range:
    return Range(min(r.least for r in ranges), max(r.most for r in ranges))


class _Heap(NamedTuple):
    """Cards that count together for one of some sides: known points, and how many cards are not known."""

    sides: frozenset[int]
    known: int
    unknown: int


def points_of_sides(
    table: Table,
    record: DealRecord,
    worlds: Sequence[World],
    tricks: Sequence[PlayedTrick],
    where: Whereabouts,
    takers: Sequence[Sequence[int]],
    log: Sequence[ev.Event],
) -> list[Range]:
    """The card points of each side in the whole deal, between bounds."""
    scored = next((event for event in log if isinstance(event, ev.DealScored)), None)
    if scored is not None and None not in scored.card_points:
        return [Range(points or 0, points or 0) for points in scored.card_points]
    if any(isinstance(event, ev.DealConceded) for event in log):
        return [Range(0, table.rules.play.deal_points)] * table.rules.sides
    by_world = [_in_world(table, record, world, tricks, where, takers, log) for world in worlds]
    return [_around([ranges[side] for ranges in by_world]) for side in range(table.rules.sides)]


def _in_world(
    table: Table,
    record: DealRecord,
    world: World,
    tricks: Sequence[PlayedTrick],
    where: Whereabouts,
    takers: Sequence[Sequence[int]],
    log: Sequence[ev.Event],
) -> list[Range]:
    values = _values(table, world)
    heaps = list(_heaps(table, record, values, tricks, where, takers, log))
    used = {p.card for t in tricks for p in t.played}
    counted = {Place("hand", seat) for seat in range(table.state.seats)}
    for event in log:
        if isinstance(event, ev.CardsDiscarded):
            discards = Place("discards", event.seat)
            counted.add(discards)
            used |= set(where.in_place(discards))
    pool = sorted(
        values[INDEX[c]] for c, places in where.places.items() if c not in used and places & counted
    )
    ranges = []
    for side in range(table.rules.sides):
        sure = [heap for heap in heaps if heap.sides == {side}]
        possible = [heap for heap in heaps if side in heap.sides]
        least = _with(sum(h.known for h in sure), sum(h.unknown for h in sure), pool).least
        most = _with(sum(h.known for h in possible), sum(h.unknown for h in possible), pool).most
        ranges.append(Range(least, most))
    total = _with(sum(h.known for h in heaps), sum(h.unknown for h in heaps), pool)
    return [_complement(ranges, side, total) for side in range(len(ranges))]


def _complement(ranges: Sequence[Range], side: int, total: Range) -> Range:
    """What the others cannot have, this side has."""
    others = [r for other, r in enumerate(ranges) if other != side]
    own = ranges[side]
    least = max(own.least, total.least - sum(r.most for r in others))
    most = min(own.most, total.most - sum(r.least for r in others))
    return Range(least, most)


def _heaps(
    table: Table,
    record: DealRecord,
    values: Sequence[int],
    tricks: Sequence[PlayedTrick],
    where: Whereabouts,
    takers: Sequence[Sequence[int]],
    log: Sequence[ev.Event],
) -> list[_Heap]:
    """The tricks, those still to come, and the discards that count."""
    state = table.state
    sides = list(table.rules.sides_of(state))
    all_sides = frozenset(range(table.rules.sides))
    told = set(sides) == all_sides
    heaps = []
    for at, trick in enumerate(tricks):
        known = sum(values[INDEX[p.card]] for p in trick.played if p.card is not None)
        known += LAST_TRICK if at + 1 == record.size else 0
        missing = state.seats - sum(p.card is not None for p in trick.played)
        to = frozenset(sides[seat] for seat in takers[at]) if told else all_sides
        heaps.append(_Heap(to, known, missing))
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
            known = sum(values[INDEX[card]] for card in cards)
            to = frozenset({sides[event.seat]}) if told else all_sides
            heaps.append(_Heap(to, known, max(event.size - len(cards), 0)))
    return heaps
