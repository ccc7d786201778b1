"""Results of tables, with the rounds and meetings that follow from them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Final, NamedTuple

import msgspec
from msgspec.structs import replace

from tournaments.standings.field_credits import credit_against_field
from tournaments.standings.match_points import Conversion
from tournaments.standings.rows import Figure, Meeting, ScoredRound, Unfinished

Place = tuple[int, int]
"""A table: number of the round and number of the table."""
DealPoints = tuple[int | None, ...]
"""Points of a deal by side."""
BROKEN_OFF: Final = "closed"
"""Status of a game that was broken off."""
SIDES_OF_MATCH: Final = 2


class Crediting(NamedTuple):
    """The rule by which a table credits its seats.

    kind: `points` (points of the seat's side), `field` (points against the other tables) or `wins` (number of
    opponents beaten). convert: function from the side's lead to match points, if matches count. direction: 1
    if the most points win a table, else -1.
    """

    kind: str = "points"
    convert: Conversion | None = None
    direction: int = 1


class TableResult(msgspec.Struct, frozen=True, gc=False):
    """The result of one table so far.

    `status`: of the game. `entries`: number of the entry by seat; `sides`: side by seat; `totals`, `sweeps`:
    by side, after rulings; `winners`: winning sides, empty before the end; `deals`: number of valid deals
    with known scores; `complete`: every deal of the round is written, or the game has ended.
    """

    round: int
    table: int
    status: str
    entries: tuple[int, ...]
    sides: tuple[int, ...]
    totals: tuple[int, ...]
    sweeps: tuple[int, ...]
    winners: tuple[int, ...] = ()
    deals: int = 0
    complete: bool = False
    scaled: bool = False
    """Whether this is a table of three whose results are scaled to a table of four."""
    credited: bool = False
    """Whether a credit replaces the result if the table is broken off."""
    by_deal: tuple[DealPoints | None, ...] = ()
    """Points by deal of the round, and in each deal by side; set if tables are compared deal by deal."""
    outside: tuple[int, ...] = ()
    """Points of each side that belong to no deal, such as a penalty. They are not compared with other tables.
    """
    against_field: tuple[Fraction | None, ...] = ()
    """Credit of each side against the other tables (`count_against_field`)."""

    @property
    def place(self) -> Place:
        return self.round, self.table

    @property
    def has_result(self) -> bool:
        """Whether a deal has counted, the game has ended, or a ruling has moved points."""
        return bool(self.totals) and (self.deals > 0 or self.complete or any(self.totals))

    @property
    def is_replaced(self) -> bool:
        """Whether the table was broken off, and the regulations replace its result by a credit."""
        return self.credited and self.status == BROKEN_OFF and not self.complete

    @property
    def unfinished(self) -> Unfinished | None:
        """The state of a result that is not final; None if it is final."""
        if self.complete:
            return None
        broken_off = self.status == BROKEN_OFF
        if not self.has_result:
            return "none" if broken_off else "none_yet"
        return "broken_off" if broken_off else "so_far"

    def credit(self, seat: int, kind: str) -> Figure | None:
        """Return the credit of a seat: points of its side, number of opponents beaten, or points against the
        field.

        kind: as in `Crediting`. None without a result. The number of opponents beaten is None before the game
        has a winner. Points against the field are None as long as no other table has played a deal that this
        table has played.
        """
        if not self.has_result:
            return None
        side = self.sides[seat]
        if kind == "field":
            return self.against_field[side] if side < len(self.against_field) else None
        if kind == "points":
            return _scale(self.totals[side], 4, 3) if self.scaled else self.totals[side]
        if not self.winners:
            return None
        beaten = sum(other not in self.winners for other in self.sides) if side in self.winners else 0
        return _scale(beaten, 3, 2) if self.scaled else beaten

    def credit_points(self, seat: int, crediting: Crediting) -> Figure | None:
        """Return the points that this table credits to a seat; None without a result, or if match points
        count and the table has not two sides.
        """
        if crediting.convert is None:
            return self.credit(seat, crediting.kind)
        if not self.has_result or len(self.totals) != SIDES_OF_MATCH:
            return None
        side = self.sides[seat]
        return crediting.convert(crediting.direction * (self.totals[side] - self.totals[1 - side]))

    def leads(self, seat: int, direction: int) -> bool:
        """Return whether the seat's side has better points than every other side."""
        side = self.sides[seat]
        return self.has_result and all(
            direction * (self.totals[side] - other) > 0 for at, other in enumerate(self.totals) if at != side
        )

    def won(self, seat: int) -> bool:
        """Return whether the seat's side is the only winner."""
        return bool(self.winners) and self.winners == (self.sides[seat],)

    def scored(self, crediting: Crediting) -> Iterator[tuple[int, ScoredRound]]:
        """Yield (number of the entry, its result in this round) for each entry at this table."""
        unfinished, has_result = self.unfinished, self.has_result
        for seat, number in enumerate(self.entries):
            points = self.credit_points(seat, crediting)
            state = unfinished
            if points is None and has_result:
                state = "none" if self.complete or self.status == BROKEN_OFF else "none_yet"
            yield (
                number,
                ScoredRound(
                    self.round,
                    points,
                    self.sweeps[self.sides[seat]] if has_result else 0,
                    table=self.totals[self.sides[seat]] if has_result else None,
                    won=self.won(seat),
                    unfinished=state,
                    at=self.table,
                    broken_off=self.is_replaced,
                ),
            )


def count_against_field(tables: Sequence[TableResult]) -> list[TableResult]:
    """Return the tables with their credits against the field of their round. Unchanged tables are the same
    objects.

    Tables of different sizes have different hands, so tables of each size are compared separately.
    """
    fields: dict[tuple[int, int], list[int]] = {}
    for at, table in enumerate(tables):
        fields.setdefault((table.round, len(table.entries)), []).append(at)
    found = list(tables)
    for places in fields.values():
        credits = credit_against_field([tables[at].by_deal for at in places])
        for at, compared in zip(places, credits, strict=True):
            beside = tables[at].outside or (0,) * len(compared)
            credit = tuple(
                None if points is None else points + more
                for points, more in zip(compared, beside, strict=False)
            )
            if tables[at].against_field != credit:
                found[at] = replace(tables[at], against_field=credit)
    return found


def _scale(points: int, by: int, of: int) -> int:
    """Multiply points by the fraction `by`/`of`; half a point is rounded up."""
    return (2 * points * by + of) // (2 * of)


def build_meetings(tables: Iterable[TableResult], counted_for: Mapping[int, int]) -> list[Meeting]:
    """Build the meetings at tables with two sides and a result.

    counted_for: number of the row for which an entry counts, by number of the entry.
    """
    return [
        Meeting(result.round, *_keys_by_side(result, counted_for), (result.totals[0], result.totals[1]))
        for result in tables
        if len(result.totals) == SIDES_OF_MATCH and result.has_result
    ]


def _keys_by_side(
    result: TableResult, counted_for: Mapping[int, int]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the ranked keys of both sides. A pair appears once."""
    sides: tuple[dict[int, None], dict[int, None]] = ({}, {})
    for number, side in zip(result.entries, result.sides, strict=True):
        sides[side][counted_for.get(number, number)] = None
    return tuple(sides[0]), tuple(sides[1])
