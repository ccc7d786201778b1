"""The sheets that lie on the tables: a code to scan for whoever sits or writes there."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

import segno
from django.utils.safestring import SafeString, mark_safe

from tournaments.models import Round
from tournaments.services.codes import Code


@dataclass(frozen=True, slots=True)
class Scan:
    """One code: a picture, the same as text to type, and whose it is (nobody's: the scorer's)."""

    picture: SafeString
    token: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Poster:
    table: int
    scans: tuple[Scan, ...]


def posters(round_: Round, issued: Sequence[Code], address: str) -> list[Poster]:
    """A poster a table. `address`: of the page that opens tables; the token goes behind its `#`."""
    tables = round_.tables.prefetch_related("seatings__entry")
    names = {
        table.number: {seating.seat: seating.entry.name for seating in table.seatings.all()}
        for table in tables
    }
    return [
        Poster(number, _scans(list(codes), names[number], address))
        for number, codes in groupby(issued, key=lambda code: code.table)
    ]


def _scans(codes: Sequence[Code], names: dict[int, str], address: str) -> tuple[Scan, ...]:
    return tuple(
        Scan(_picture(f"{address}#{code.token}"), code.token, tuple(_whose(code, len(codes), names)))
        for code in codes
    )


def _whose(code: Code, codes: int, names: dict[int, str]) -> Iterable[str]:
    if code.seat is None:
        return ()
    if code.role == "seat":
        return (names[code.seat],)
    return (name for seat, name in sorted(names.items()) if seat % codes == code.seat)


def _picture(text: str) -> SafeString:
    drawing = segno.make(text, error="m", micro=False).svg_inline(omitsize=True, border=2)
    return mark_safe(drawing)  # noqa: S308 - drawn by segno from a token; nothing people typed is in it
