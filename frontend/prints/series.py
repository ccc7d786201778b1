"""Prints of a series: the tables of persons and of teams, the qualified persons, and certificates."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from frontend.presenters.clubs.event_line import build_event_track, stop_date
from frontend.presenters.clubs.series import (
    SeasonLine,
    SeriesEventLine,
    TicketLine,
    event_lines,
    qualification_lines,
    season_lines,
    team_season_lines,
    ticket_lines,
)
from frontend.presenters.words.figures import format_figure
from frontend.prints.awards import CERTIFIED, describe_place
from frontend.prints.occasion import day
from frontend.prints.typesetting import Part
from tournaments.series.season_table import SeasonRow, SeasonTable
from tournaments.services.series import publishing
from tournaments.services.series.loading import LoadedSeries, SeriesReading
from tournaments.services.series.winners import find_series_winners, is_over

MOST_CERTIFIED: Final = 50
SIGNATURES: Final = 3
WAITING_SHOWN: Final = 60
"""Largest number of people on the waiting list that the print shows."""
MAX_CELLS: Final = 30_000
"""Largest number of cells with a column for each event. A table with more cells would take minutes to
typeset.
"""
LETTER_MM, CELL_MARGIN_MM = 1.6, 1.6
"""The width of a character in a cell, and the space beside its text, in millimetres."""
ROOM_MM: Final[Sequence[tuple[Literal["portrait", "landscape"], float]]] = (
    ("portrait", 108.0),
    ("landscape", 195.0),
)
"""The width for the columns of events on a sheet of A4 beside place, name and total, in millimetres."""
FEW_LINES, LARGE_SCALE, MOST_SPREAD = 30, 1.3, 1.7
"""A table with at most FEW_LINES lines has letters enlarged by LARGE_SCALE if they fit; columns widen at most
by MOST_SPREAD.
"""


class TableLayout(NamedTuple):
    """The sheet on which a table is printed. form: `folded` if the columns of events do not fit, so that two
    columns stand for them; widths: of the columns of events, in millimetres; scale: of the letters' size.
    """

    form: Literal["portrait", "landscape", "folded"]
    widths: tuple[float, ...] = ()
    scale: float = 1.0


@dataclass(frozen=True)
class SeriesOccasion:
    """The parameters of a print of a series. `reading`: what its reader may see; `places`: number of places
    of the table that get a certificate.
    """

    loaded: LoadedSeries
    reading: SeriesReading
    places: int = CERTIFIED


@dataclass(frozen=True, slots=True)
class SeriesDocument:
    """A printable document of a series. `key`: part of URLs and file names; `part`: collects its data;
    `keepers`: only keepers of the club's roll may print it; `possible`: whether the series' rules allow it;
    `ready`: whether there is something to print.
    """

    key: str
    label: str | Promise
    about: str | Promise
    part: Callable[[SeriesOccasion], Part]
    possible: Callable[[LoadedSeries], bool]
    ready: Callable[[LoadedSeries], bool]
    keepers: bool = False


def season_table(occasion: SeriesOccasion) -> Part:
    """Return the table of persons, with a column for each event if the columns fit."""
    loaded, names = occasion.loaded, occasion.reading.names
    rows = _all_rows(loaded.table)
    qualification = loaded.qualification if loaded.final is not None else None
    return _table_sheet(
        occasion,
        _("Table of the series"),
        _("Name"),
        season_lines(loaded, rows, names),
        rows,
        {ticket.ref for ticket in qualification.qualified} if qualification is not None else set(),
    )


def team_season_table(occasion: SeriesOccasion) -> Part:
    """Return the table of teams, with the members below the name of each team."""
    loaded, reading = occasion.loaded, occasion.reading
    table = loaded.team_table
    rows = [] if table is None else _all_rows(table)
    lines = team_season_lines(loaded, reading.names, reading.team_names)
    return _table_sheet(occasion, _("Table of the teams"), _("Team"), lines, rows, set())


def _all_rows(table: SeasonTable) -> list[SeasonRow]:
    return [*table.rows, *table.unranked]


def _table_sheet(
    occasion: SeriesOccasion,
    title: str,
    who: str,
    lines: Sequence[SeasonLine],
    rows: Sequence[SeasonRow],
    qualified: set[str],
) -> Part:
    loaded = occasion.loaded
    held_events = [line for line in event_lines(loaded) if line.state == "held"]
    layout = choose_layout([line.cells for line in lines], [f"{line.number}." for line in held_events])
    folded = layout.form == "folded"
    numbered = _fold_cells(loaded, rows) if folded else [line.cells for line in lines]
    classes = {one for cells in numbered for _text, one in cells}
    mark = pgettext("qualified, short", "Q")
    legend = (
        (any(row.ref in qualified for row in rows), f"{mark}: " + _("qualified by the present rankings")),
        (any("dropped" in one for one in classes), _("Crossed out: does not count.")),
        (
            any("given" in one for one in classes),
            _("In italics: the person's own average, for a missed evening."),
        ),
        (any(row.place is None for row in rows), "–: " + _("no place: too few evenings")),
        (not folded, " · ".join(map(_name_evening, held_events))),
        (True, describe_version(loaded)),
    )
    return {
        "kind": "season-table",
        "flipped": layout.form == "landscape",
        "scale": layout.scale,
        "widths": layout.widths,
        "over": _title_with_club(loaded, title),
        "title": loaded.series.name,
        "said": describe_state(loaded),
        "heads": {
            "place": pgettext("ranking", "Place"),
            "name": who,
            "evenings": [_("Evenings"), _("Best evening")]
            if folded
            else [f"{line.number}." for line in held_events],
            "total": _("Total"),
        },
        "lines": [
            {
                "place": "–" if line.place is None else str(line.place),
                "name": line.name,
                "mark": mark if row.ref in qualified else "",
                "below": line.reason.short if line.reason else ", ".join(line.members),
                "cells": cells,
                "total": line.total,
            }
            for line, row, cells in zip(lines, rows, numbered, strict=True)
        ],
        "legend": [words for there, words in legend if there and words],
    }


def describe_version(loaded: LoadedSeries) -> str:
    """Return a sentence on the version published last, and one if the table has changed since. One query."""
    last = publishing.load_latest_table(loaded.series)
    if last is None:
        return _("This table is not published yet.")
    sentence = _("Version %(n)s was published %(day)s.") % {"n": last.version, "day": day(last.made_at)}
    return (
        f"{sentence} {_('The table has changed since.')}"
        if publishing.has_changed(loaded, last)
        else sentence
    )


def choose_layout(lines: Sequence[Sequence[tuple[str, str]]], heads: Sequence[str]) -> TableLayout:
    """Return the sheet on which a table fits. `lines`: (text, class) of the cells in each line; `heads`:
    headings of the columns.
    """
    if len(lines) * len(heads) > MAX_CELLS:
        return TableLayout("folded")
    letters = [max(len(head), *(len(cells[at][0]) for cells in lines), 0) for at, head in enumerate(heads)]
    needed = [LETTER_MM * each + CELL_MARGIN_MM for each in letters]
    width = sum(needed)
    for form, room in ROOM_MM:
        if width <= room:
            scale = LARGE_SCALE if len(lines) <= FEW_LINES and width * LARGE_SCALE <= room else 1.0
            spread = max(scale, min(MOST_SPREAD, room / width)) if width else 1.0
            return TableLayout(form, tuple(round(each * spread, 2) for each in needed), scale)
    return TableLayout("folded", scale=LARGE_SCALE if len(lines) <= FEW_LINES else 1.0)


def _fold_cells(loaded: LoadedSeries, rows: Sequence[SeasonRow]) -> list[list[tuple[str, str]]]:
    """Return two cells for each row: the number of events, and the value of the best event."""
    held_events, rules = loaded.document.held, loaded.document.rules
    lowest = rules.table.kind != "places" and all(event.direction < 0 for event in held_events)
    best = min if lowest else max

    def fold(row: SeasonRow) -> list[tuple[str, str]]:
        own = [event.key for event in held_events if row.members is not None or row.ref in event.totals]
        values = [row.events[key] for key in own if key in row.events]
        return [(str(len(values)), ""), (format_figure(best(values)) if values else "–", "")]

    return [fold(row) for row in rows]


def qualified_list(occasion: SeriesOccasion) -> Part:
    """Return the print of the qualified persons in order, the first WAITING_SHOWN of the waiting list, and
    the rules. The series must have a final.
    """
    loaded, names = occasion.loaded, occasion.reading.names
    events = event_lines(loaded)
    final = next(line for line in events if line.event == loaded.final)
    waiting = () if loaded.qualification is None else loaded.qualification.waiting
    left = len(waiting) - WAITING_SHOWN
    return {
        "kind": "qualified",
        "over": _title_with_club(loaded, _("Qualified: %(final)s") % {"final": _name_and_day(final)}),
        "title": loaded.series.name,
        "said": describe_state(loaded),
        "qualified": {
            "title": _("Qualified"),
            "nobody": _("Nobody yet."),
            "lines": [
                {"name": ticket.name, "why": _describe_ticket(ticket)}
                for ticket in ticket_lines(loaded, events, names)
            ],
        },
        "waiting": {
            "title": _("Waiting list"),
            "about": _("The first person here moves up as soon as somebody declines."),
            "lines": [names[ref] for ref in waiting[:WAITING_SHOWN]],
            "more": ngettext("and %(n)d more", "and %(n)d more", left) % {"n": left} if left > 0 else "",
        },
        "rules": list(qualification_lines(loaded.document.rules)),
    }


def _describe_ticket(ticket: TicketLine) -> str:
    """Describe why a person has qualified, as the page does: "by place: Frühling, place 2"."""
    said = ": ".join(part for part in (ticket.why, ticket.reason, ticket.where) if part)
    state = _("in the final") if ticket.entered else pgettext("ticket", "accepted") if ticket.accepted else ""
    return " · ".join(part for part in (said, state) if part)


def series_certificates(occasion: SeriesOccasion) -> Part:
    """Return certificates for the winners of the final, if it decides the title, and for the first places of
    the table. Each person who shares a place in the table gets one.
    """
    loaded, names = occasion.loaded, occasion.reading.names
    winners = _final_certificates(occasion)
    place = _("%(n)d. place in the table") if winners else _("%(n)d. place")
    sharing = Counter(row.place for row in loaded.table.rows)
    keepers = loaded.series.club.keepers.order_by("pk").select_related("user")[:SIGNATURES]
    return {
        "kind": "certificates",
        "paper": "a4",
        "title": _("Certificate"),
        "championship": loaded.series.name,
        "said": _describe_end(loaded),
        "signatures": [row.user.display_name for row in keepers],
        "office": _club_name(loaded),
        "people": winners
        + [
            {
                "names": [names[row.ref]],
                "club": "",
                "place": describe_place(place % {"n": row.place}, shared=sharing[row.place] > 1),
                "points": _describe_total(loaded, row),
                "prize": "",
            }
            for row in loaded.table.rows
            if row.place is not None and row.place <= occasion.places
        ],
    }


def _final_certificates(occasion: SeriesOccasion) -> list[dict[str, object]]:
    """Return a certificate for each winner of the final, or for each winning pair; none if the table decides
    the title.
    """
    loaded, names = occasion.loaded, occasion.reading.names
    final = loaded.final
    event = None if final is None else loaded.document.by_key[final.key]
    if event is None or event.state != "held":
        return []
    winners = set(find_series_winners(loaded))
    lines: dict[tuple[bool, str], list[str]] = {}
    for row in event.ranking:
        if row.place == 1 and row.ref in winners:
            line = (False, row.ref) if row.line is None else (True, row.line)
            lines.setdefault(line, []).append(names[row.ref])
    where = _name_and_day(next(line for line in event_lines(loaded) if line.event == final))
    place = describe_place(_("1st place in the final"), shared=len(lines) > 1)
    return [
        {"names": people, "club": "", "place": place, "points": where, "prize": ""}
        for people in lines.values()
    ]


def _describe_total(loaded: LoadedSeries, row: SeasonRow) -> str:
    """Describe a total as the rules count it: "118 points in the best 5 evenings"."""
    rules, n = loaded.document.rules, len(row.events) - len(row.dropped)
    params = {"total": format_figure(row.total), "n": n}
    if rules.table.kind == "percent":
        return _("%(total)s percent") % params
    if rules.total == "average":
        sentence = ngettext(
            "%(total)s points on average, in %(n)d evening",
            "%(total)s points on average, in %(n)d evenings",
            n,
        )
    elif row.dropped:
        sentence = ngettext(
            "%(total)s points in the best evening", "%(total)s points in the best %(n)d evenings", n
        )
    else:
        sentence = ngettext("%(total)s points in %(n)d evening", "%(total)s points in %(n)d evenings", n)
    return sentence % params


def describe_state(loaded: LoadedSeries) -> str:
    """Describe the state of the table: "After 7 of 12 evenings: Chlausjass, 6 December 2026"; empty before
    the first.
    """
    lines = event_lines(loaded)
    track = build_event_track(lines, None)
    sentence = ngettext("After %(n)d of %(all)d evening", "After %(n)d of %(all)d evenings", track.all) % {
        "n": track.done,
        "all": track.all,
    }
    last = _find_last(lines)
    return "" if last is None else f"{sentence}: {_name_and_day(last)}"


def _describe_end(loaded: LoadedSeries) -> str:
    """Return the club and the day of the last event; before the series is over, the state of the table."""
    last = _find_last(event_lines(loaded))
    when = None if last is None else stop_date(last)
    if when is None or not is_over(loaded):
        return describe_state(loaded)
    return ", ".join(filter(None, (_club_name(loaded), day(when))))


def _find_last(lines: Sequence[SeriesEventLine]) -> SeriesEventLine | None:
    """Return the last event that counts; None if there is none."""
    return max((line for line in lines if line.state == "held"), key=_when, default=None)


def _name_and_day(line: SeriesEventLine) -> str:
    when = stop_date(line)
    return ", ".join(part for part in (line.name, day(when) if when else "") if part)


def _when(line: SeriesEventLine) -> tuple[float, int]:
    """Return a sort key: events by date; those without a date come first, by number."""
    when = stop_date(line)
    return (when.timestamp() if when is not None else float("-inf"), line.number)


def _name_evening(line: SeriesEventLine) -> str:
    return f"{line.number}. {_name_and_day(line)}" + (f" {line.weight}" if line.weight else "")


def _title_with_club(loaded: LoadedSeries, what: str) -> str:
    return " · ".join(filter(None, (_club_name(loaded), what)))


def _club_name(loaded: LoadedSeries) -> str:
    """Return the name of the club; "" as long as no keeper has named it."""
    return loaded.series.club.name if loaded.series.club.named else ""


def _has_rows(loaded: LoadedSeries) -> bool:
    return bool(loaded.table.rows or loaded.table.unranked)


SERIES_DOCUMENTS: Final[Mapping[str, SeriesDocument]] = {
    document.key: document
    for document in (
        SeriesDocument(
            "table",
            gettext_lazy("Table of the series"),
            gettext_lazy("For the notice board: each evening, or totals only if there are too many."),
            season_table,
            lambda _loaded: True,
            _has_rows,
        ),
        SeriesDocument(
            "team-table",
            gettext_lazy("Table of the teams"),
            gettext_lazy("With the members who count."),
            team_season_table,
            lambda loaded: loaded.document.rules.teams is not None,
            lambda loaded: loaded.team_table is not None and bool(loaded.team_table.rows),
        ),
        SeriesDocument(
            "qualified",
            gettext_lazy("Qualified and waiting list"),
            gettext_lazy("The people in the final by the present rankings, and those who move up."),
            qualified_list,
            lambda loaded: loaded.final is not None,
            _has_rows,
        ),
        SeriesDocument(
            "certificates",
            gettext_lazy("Certificates"),
            gettext_lazy(
                "For the winner of the final and the first places of the table, with a line to sign."
            ),
            series_certificates,
            lambda _loaded: True,
            lambda loaded: bool(loaded.table.rows),
            keepers=True,
        ),
    )
}
"""Key → document, for all printable documents of a series, in the order of their use."""
