"""Exports for other programs: rankings, results and entries as CSV (UTF-8 with BOM, semicolons), XLSX, JSON.

Headings and states are in the active language; JSON is always in English.
"""

import csv
import io
import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, override

from games.models import Game
from tournaments.models import Championship, Entry, Round
from tournaments.permissions import Actor, require
from tournaments.services.current_regulations import load_regulations
from tournaments.services.scores import published_ranking, ranking_basis, ruling_marks
from tournaments.services.scores.results import load_results
from tournaments.services.scores.ruling_marks import Mark
from tournaments.services.scores.team_exports import list_team_file_lines
from tournaments.spreadsheets.workbooks import write_workbook
from tournaments.standings import RoundScore, Separation, write_figure

_FORMULA_PREFIXES = ("=", "+", "-", "@", "\t", "\r")
Cell = str | int | Fraction
Lines = list[Sequence[Cell]]


class ExportedFile(NamedTuple):
    """An exported file. `name`: file name with extension; `kind`: media type."""

    name: str
    kind: str
    data: bytes


CSV: Final = "text/csv; charset=utf-8"
XLSX: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
JSON: Final = "application/json"
FORMATS: Final = {"csv": CSV, "xlsx": XLSX, "json": JSON}
NO_RESULT: Final = "–"
"""Text of the cell for a round without a result."""
QUICK_ENTRIES: Final = 1000
"""Largest number of entries for which a file is made within the request."""
STATUSES: Final[dict[str, str | Promise]] = {
    Game.Status.WAITING: gettext_lazy("not begun"),
    Game.Status.RUNNING: gettext_lazy("being played"),
    Game.Status.ENDED: gettext_lazy("finished"),
    Game.Status.CLOSED: gettext_lazy("broken off"),
}
"""Status of a game → text, in the language of the file."""
WHAT: Final = ("standings", "teams", "results", "entries")


def export(championship: Championship, what: str, form: str, *, actor: Actor) -> ExportedFile:
    """Export `what` (one of WHAT) in the format `form` (one of FORMATS).

    JSON is always in English, since its keys are the headings. Raises KeyError for another `what` or `form`;
    for entries NotAllowed without the permission.
    """
    made: dict[str, Callable[[], Lines]] = {
        "standings": lambda: list_standings_lines(championship),
        "teams": lambda: list_team_file_lines(championship),
        "results": lambda: list_results_lines(championship),
        "entries": lambda: list_entries_lines(championship, actor=actor),
    }
    kind = FORMATS[form]
    if form == "json":
        with override("en"):
            data = _json(championship, what, made[what]())
    else:
        lines = made[what]()
        data = _xlsx(championship.name, lines) if form == "xlsx" else _csv(lines)
    return ExportedFile(f"{championship.slug}-{what}.{form}", kind, data)


def is_quick(championship: Championship) -> bool:
    """Return whether there are at most QUICK_ENTRIES entries, so that a file is made within the request."""
    return championship.entries.count() <= QUICK_ENTRIES


def list_standings_lines(championship: Championship) -> Lines:
    """Return the latest published ranking as lines, or the live ranking if none is published. Headings come
    first.
    """
    snapshot = published_ranking.load_latest_snapshot(championship)
    rows = published_ranking.decode_rows(snapshot) if snapshot else ranking_basis.live_ranking(championship)
    people = {entry.number: entry for entry in championship.entries.all()}
    in_teams = load_regulations(championship).plays_in_teams
    teams = {team.number: team.name for team in championship.teams.all()} if in_teams else {}
    rounds = max((r.round for row in rows for r in row.rounds), default=0)
    head = [_("place"), _("number"), _("name"), _("club"), _("total"), _("sweeps")]
    by_start = load_regulations(championship).has_queue
    column = _("start %(number)s") if by_start else _("round %(number)s")
    head += [column % {"number": n} for n in range(1, rounds + 1)]
    marks = {} if by_start else ruling_marks.load_entry_marks(championship)
    head += [_("tie broken by"), _("rulings"), _("rounds that do not count")]
    lines: list[Sequence[Cell]] = [[*head, _("first name"), _("family name")]]
    for row in rows:
        by_round = {r.round: r for r in row.rounds}
        of_row = [people[number] for number in row.numbers if number in people]
        name, club = _joined(entry.name for entry in of_row), _joined(entry.club for entry in of_row)
        if row.key in teams:
            name, club = teams[row.key], ""
        cells: list[Cell] = [row.place, row.key, name, club, row.total, row.sweeps]
        cells += [_round_cell(by_round.get(n)) for n in range(1, rounds + 1)]
        dropped = ", ".join(str(one.round) for one in row.rounds if not one.counts)
        touched = list(
            dict.fromkeys(
                mark
                for n in range(1, rounds + 1)
                for number in row.numbers
                for mark in marks.get((n, number), ())
            )
        )
        cells += [_tie_break_cell(row.separation), _rulings_cell(touched, by_start=by_start), dropped]
        lines.append([*cells, *_first_and_family(of_row)])
    return lines


def _joined(words: Iterable[str]) -> str:
    """Join words of the two partners of a pair in one text. Equal words appear once."""
    return " / ".join(dict.fromkeys(filter(None, words)))


def _first_and_family(people: Sequence[Entry]) -> tuple[str, str]:
    """Return the first names and the family names of one or two people. An undivided name counts as family
    name.
    """
    first = " / ".join(entry.first_name for entry in people if entry.first_name)
    return first, " / ".join(entry.family_name or entry.name for entry in people)


def _round_cell(score: RoundScore | None) -> Cell:
    """Return the points of a round, "" if the row has no such round, a dash if there is no result.

    Points of a round that does not count have no brackets, since spreadsheets read brackets as a negative
    number.
    """
    if score is None:
        return ""
    return NO_RESULT if score.points is None else score.points


def list_results_lines(championship: Championship) -> Lines:
    """Return the results of every table so far as lines, one for each seat. Headings come first."""
    rounds = list(championship.rounds.exclude(status=Round.Status.PLANNED).order_by("number"))
    people = {entry.number: entry for entry in championship.entries.all()}
    lines: Lines = [
        [_("round"), _("table"), _("chair"), _("number"), _("name"), _("points"), _("sweeps"), _("status")]
    ]
    for result in load_results(rounds):
        for seat, (number, side) in enumerate(zip(result.entries, result.sides, strict=True)):
            of_seat = [people[number]] if number in people else []
            lines.append(
                [
                    *(result.round, result.table, "ABCD"[seat], number, _joined(e.name for e in of_seat)),
                    *((result.totals[side], result.sweeps[side]) if result.has_result else ("–", "–")),
                    str(STATUSES.get(result.status, result.status)),
                ]
            )
    return lines


def list_entries_lines(championship: Championship, *, actor: Actor) -> Lines:
    """Return all entries except further starts as lines that the importer can read. Headings come first.
    Raises NotAllowed.
    """
    require(actor, "export_entries", championship)
    has_teams = load_regulations(championship).has_teams
    lines: Lines = [
        [
            *(_("number"), _("name"), _("club"), _("licence"), _("status"), _("paid"), _("note")),
            *(_("first name"), _("family name"), _("e-mail"), _("category"), _("year of birth")),
            *(_("start rank"), _("consent"), *([_("team")] if has_teams else [])),
        ]
    ]
    for entry in championship.entries.filter(start_of=None).select_related("team").order_by("number"):
        paid = _("yes") if entry.paid else _("no")
        lines.append(
            [
                entry.number,
                entry.name,
                entry.club,
                entry.licence,
                entry.get_status_display(),
                paid,
                entry.note,
                *(entry.first_name, entry.family_name, entry.email, entry.category),
                *(entry.birth_year or "", entry.start_rank or ""),
                _("yes") if entry.consented_at else _("no"),
                *(["" if entry.team is None else entry.team.name] if has_teams else []),
            ]
        )
    return lines


def _tie_break_cell(separation: Separation | None) -> str:
    if separation is None:
        return ""
    names = {
        "highest_round": _("highest round"),
        "next_highest": _("next highest round"),
        "wins": _("tables won"),
        "table_points": _("points at the tables"),
        "sweeps": _("sweeps"),
        "direct_encounter": _("direct encounter"),
        "cut": _("cut"),
        "lot": _("lot"),
        "buchholz": _("strength of the opponents"),
    }
    mine, theirs = (
        "/".join(str(_spreadsheet_cell(one)) for one in values) or "–"
        for values in (separation.mine, separation.theirs)
    )
    return f"{names[separation.tie_break]} ({mine} : {theirs})"


def _rulings_cell(marks: Sequence[Mark], *, by_start: bool) -> str:
    """Return the text of the rulings behind a row, with a note where an appeal is open."""
    said = []
    for mark in marks:
        words = {"round": mark.round, "table": mark.table, "dispute": mark.dispute}
        if by_start and mark.provisional:
            said.append(_("session %(round)s, table %(table)s: dispute %(dispute)s, under appeal") % words)
        elif by_start:
            said.append(_("session %(round)s, table %(table)s: dispute %(dispute)s") % words)
        elif mark.provisional:
            said.append(_("round %(round)s, table %(table)s: dispute %(dispute)s, under appeal") % words)
        else:
            said.append(_("round %(round)s, table %(table)s: dispute %(dispute)s") % words)
    return "; ".join(said)


def _json(championship: Championship, what: str, lines: Lines) -> bytes:
    """Encode the lines as `{"championship", "what", "rows": [{heading: cell}]}`.

    In headings _ replaces spaces and hyphens. A missing result is null.
    """
    heads = [re.sub(r"\W+", "_", str(head)) for head in lines[0]]
    rows = [
        {head: None if cell == NO_RESULT else cell for head, cell in zip(heads, line, strict=True)}
        for line in lines[1:]
    ]
    document = {"championship": championship.slug, "what": what, "rows": rows}
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"), default=write_figure).encode()


def _csv(lines: Iterable[Sequence[Cell]]) -> bytes:
    out = io.StringIO()
    writer = csv.writer(out, delimiter=";", lineterminator="\r\n")
    for line in lines:
        writer.writerow(map(_spreadsheet_cell, line))
    return out.getvalue().encode("utf-8-sig")


def _xlsx(title: str, lines: Iterable[Sequence[Cell]]) -> bytes:
    """Build the XLSX file. Cells are escaped as in CSV, since a spreadsheet may save the
    file as CSV again.
    """
    return write_workbook(title, (list(map(_spreadsheet_cell, line)) for line in lines))


def _spreadsheet_cell(cell: Cell) -> str | int | float:
    """Return the cell for a spreadsheet. Fractions become decimal numbers: a spreadsheet would read 5/2 as a
    date.
    """
    if isinstance(cell, Fraction):
        return round(float(cell), 4)
    return cell if isinstance(cell, int) else escape_formula(cell)


def escape_formula(text: str) -> str:
    """Put an apostrophe before a text that a spreadsheet could read as a formula, also one with full-width
    signs. Return other texts unchanged.
    """
    return f"'{text}" if unicodedata.normalize("NFKC", text[:1]).startswith(_FORMULA_PREFIXES) else text
