"""Codes that connect phones to a table, for its players and scorers: printed sheets, and the state of each
place.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

import segno
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from frontend.presenters.names.seat_names import load_official_names
from frontend.presenters.tables.tables import seat_mark
from tournaments.models import Round, Table
from tournaments.names import fold, matches
from tournaments.services.draw.seated import prefetch_people
from tournaments.services.entries.code_places import COMPUTER, OUT, CodeChange, CodePlace
from tournaments.services.entries.seat_codes import Code, seats_of_place


@dataclass(frozen=True, slots=True)
class Scan:
    """One code: its picture (None if phones cannot reach this machine), its text, and the names of its owners
    (empty for a scorer's code).
    """

    picture: SafeString | None
    token: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Poster:
    table: int
    scans: tuple[Scan, ...]


@dataclass(frozen=True, slots=True)
class CodeSlip:
    """A single code on paper. marks: the labels of its chairs."""

    table: int
    marks: tuple[str, ...]
    scan: Scan


@dataclass(frozen=True, slots=True)
class PlaceLine:
    """A place at a table that has a code. marks: labels of its chairs; names: its people; status: key of the
    state's label; back_to: name of the place's own player, if the code can be returned to them. `changed_by`:
    who last replaced or returned this code since codes were created for all tables; given_back: it was
    returned.
    """

    number: int
    marks: tuple[str, ...]
    names: str
    status: str
    back_to: str
    changed_at: datetime | None
    changed_by: str
    given_back: bool

    @property
    def may_renew(self) -> bool:
        return self.status != COMPUTER


@dataclass(frozen=True, slots=True)
class PlacesOfTable:
    table: int
    mode: str
    lines: tuple[PlaceLine, ...]


@dataclass(frozen=True, slots=True)
class Issued:
    """The time when codes were last created for all tables, and the name of the official who did it."""

    at: datetime
    by: str


def list_place_lines(places: Sequence[CodePlace], *, chips: int, query: str = "") -> list[PlacesOfTable]:
    """Return the places by table, filtered by `query`: part of a name, or a table number. `chips`: as for
    `seat_mark`. One query if any code was replaced alone.
    """
    wanted = fold(query)
    matching = [place for place in places if not wanted or _is_found(place, wanted)]
    by = _load_names(place.changed for place in matching)
    return [
        PlacesOfTable(table.number, table.mode, tuple(_line(place, chips, by) for place in of_table))
        for table, of_table in groupby(matching, key=lambda place: place.table)
    ]


def find_last_issue(places: Sequence[CodePlace]) -> Issued | None:
    """Return when, and by whom, codes were last created for all tables; None if they never were. At most one
    query.
    """
    last = max((place.issued for place in places if place.issued is not None), default=None)
    return None if last is None else Issued(last.at, _load_names([last]).get(last.by, ""))


def _load_names(changes: Iterable[CodeChange | None]) -> dict[str, str]:
    """Map references to the names of the officials who made these changes."""
    return load_official_names({change.by for change in changes if change is not None})


def _is_found(place: CodePlace, wanted: str) -> bool:
    if wanted.isdecimal():
        return str(place.table.number) == wanted.lstrip("0")
    return any(matches(wanted, chair.entry.sort_name) for chair in place.chairs)


def _line(place: CodePlace, chips: int, by: dict[str, str]) -> PlaceLine:
    changed = place.changed
    return PlaceLine(
        number=place.number,
        marks=list_seat_marks(place.table, [chair.seat for chair in place.chairs], chips=chips),
        names=" + ".join(chair.entry.name for chair in place.chairs) or _("Scorer"),
        # Any number of phones may scan a poster's code, so their number is unknown.
        status="poster" if place.state == OUT and place.role != "seat" else place.state,
        back_to=place.back_to.name if place.back_to is not None else "",
        changed_at=changed.at if changed is not None else None,
        changed_by=by.get(changed.by, "") if changed is not None else "",
        given_back=changed is not None and changed.back,
    )


def list_seat_marks(table: Table, chairs: Sequence[int], *, chips: int) -> tuple[str, ...]:
    """Return the labels of these chairs of a table. `chips`: as for `seat_mark`."""
    return tuple(seat_mark(table.number, chair, chips=chips) for chair in chairs)


def list_posters(round_: Round, issued: Sequence[Code], address: str | None) -> Iterator[Poster]:
    """Yield a poster for each table with codes in `issued`, drawn on request. `address`: URL of the code page
    as phones reach it, to which `#` and the code are added; None if phones cannot reach this machine.
    """
    tables = prefetch_people(round_.tables.all())
    names = {
        table.number: {seating.seat: seating.entry.name for seating in table.seatings.all()}
        for table in tables
    }
    for number, codes in groupby(issued, key=lambda code: code.table):
        yield Poster(number, _build_scans(list(codes), names[number], address))


def build_code_slip(table: Table, code: Code, address: str | None, *, chips: int) -> CodeSlip:
    """Return one code, to be shown large or printed alone. `address`, `chips`: as in `list_posters` and
    `seat_mark`.
    """
    chairs = seats_of_place(table.game, code.role, code.seat) if table.game is not None else []
    names = {seating.seat: seating.entry.name for seating in table.seatings.all()}
    scan = Scan(_draw_code(address, code), code.token, tuple(names[chair] for chair in chairs))
    return CodeSlip(table.number, list_seat_marks(table, chairs, chips=chips), scan)


def _build_scans(codes: Sequence[Code], names: dict[int, str], address: str | None) -> tuple[Scan, ...]:
    return tuple(
        Scan(_draw_code(address, code), code.token, tuple(_owner_names(code, len(codes), names)))
        for code in codes
    )


def _draw_code(address: str | None, code: Code) -> SafeString | None:
    return render_qr_code(f"{address}#{code.token}") if address else None


def _owner_names(code: Code, codes: int, names: dict[int, str]) -> Iterable[str]:
    if code.seat is None:
        return ()
    if code.role == "seat":
        return (names[code.seat],)
    return (name for seat, name in sorted(names.items()) if seat % codes == code.seat)


def render_qr_code(text: str, *, border: int = 2) -> SafeString:
    """Draw this text, a URL, as a QR code in SVG. `border`: the width of its white margin, in modules."""
    # With a fixed mask: trying all eight takes five times as long, and random bits gain nothing from it.
    drawing = segno.make(text, error="m", micro=False, mask=2).svg_inline(omitsize=True, border=border)
    return mark_safe(drawing)  # noqa: S308 - segno draws shapes only; no text is in it
