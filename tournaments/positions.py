"""Moving of rows whose order is set by hand. Their `position` counts from 1."""

from typing import Protocol, TypeVar


class Positioned(Protocol):
    """A row with a position."""

    position: int


T = TypeVar("T", bound=Positioned)


def move_by_one(rows: list[T], row: T, *, earlier: bool) -> None:
    """Move a row by one place and number all rows again. The caller saves the rows.

    The first row cannot move earlier, nor the last row later. Nothing changes if the row is not among them,
    because somebody has removed it.
    """
    if row not in rows:
        return
    at = rows.index(row)
    to = at - 1 if earlier else at + 1
    if 0 <= to < len(rows):
        rows[at], rows[to] = rows[to], rows[at]
    for position, one in enumerate(rows, 1):
        one.position = position
