"""The Standblatt of each person: a row a round, with what is known of it by now."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from frontend.presenters.rankings import published
from frontend.presenters.seating import seats_of, slip_of
from frontend.prints.occasion import Occasion
from frontend.prints.typesetting import Part
from tournaments.models import Entry, Round
from tournaments.standings import RankingRow

MOST_DEALS = 12
"""More deals have no column each; the points of a round still have one."""
MOST_ROWS = 11
"""Rounds on one sheet; more go on to a second one."""
ROOM = 84
"""Millimetres for the rows."""


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of somebody's round."""

    table: str
    others: str


def own_sheets(occasion: Occasion) -> Part:
    regulations = occasion.regulations
    seats = _seats(occasion)
    points = {row.key: row for row in published(occasion.championship).rows}
    rounds = range(1, regulations.rounds + 1)
    per_sheet = min(len(rounds), MOST_ROWS)
    return {
        "kind": "own-sheets",
        "paper": occasion.paper,
        "over": " · ".join(part for part in (occasion.over, occasion.said) if part),
        "deals": regulations.deals if regulations.deals <= MOST_DEALS else 0,
        "sweeps": counts_sweeps(occasion),
        "height": min(20, ROOM / max(1, per_sheet)),
        "words": _words(occasion),
        "people": [
            {
                "name": entry.name,
                "number": str(entry.number),
                "club": entry.club,
                "rounds": _rows(entry, rounds[at : at + per_sheet], seats, points.get(entry.number)),
            }
            for entry in occasion.people
            for at in range(0, len(rounds), per_sheet)
        ],
    }


def counts_sweeps(occasion: Occasion) -> bool:
    """Whether the number of sweeps separates those who are level."""
    return "sweeps" in occasion.regulations.counting.tie_breaks


def _words(occasion: Occasion) -> dict[str, str]:
    alone = occasion.regulations.play.format == "solo"
    others = {"pairs": _("Partner"), "fixed_pairs": _("Opponents")}
    return {
        "round": _("Round"),
        "table": _("Table"),
        "others": _("At the table with") if alone else others[occasion.regulations.play.format],
        "sweeps": _("Sweeps"),
        "points": _("Points"),
        "sum": _("Running total"),
        "signature": _("Signature of an opponent"),
        "number": _("No."),
        "foot": _("Have each round signed before you leave the table, and hand this sheet in at the end."),
    }


def _seats(occasion: Occasion) -> dict[tuple[int, int], Known]:
    """(round, number of the person) → where he sits, and with whom. Two queries a drawn round."""
    format_ = occasion.regulations.play.format
    found = {}
    drawn = occasion.championship.rounds.exclude(status=Round.Status.PLANNED).order_by("number")
    for round_ in drawn:
        for table in seats_of(round_, chips=occasion.chips):
            for chair in table.chairs:
                slip = slip_of([table], chair.number, pairs=format_ != "solo")
                if slip is not None:
                    others = slip.partner if format_ == "pairs" else ", ".join(slip.opponents)
                    found[round_.number, chair.number] = Known(f"{slip.table} · {slip.mark}", others)
        for number in round_.sit_outs.values_list("entry__number", flat=True):
            found[round_.number, number] = Known("–", _("sits out"))
    return found


def _rows(
    entry: Entry, rounds: range, seats: dict[tuple[int, int], Known], row: RankingRow | None
) -> list[dict[str, object]]:
    """The running total counts what counts."""
    given = {one.round: one for one in row.rounds} if row is not None else {}
    rows: list[dict[str, object]] = []
    for number in rounds:
        known = seats.get((number, entry.number), Known("", ""))
        one = given.get(number)
        total = sum(r.points for n, r in given.items() if n <= number and r.counts)
        rows.append(
            {
                "number": number,
                "table": known.table,
                "others": known.others,
                "points": str(one.points) if one is not None else "",
                "sweeps": str(one.sweeps) if one is not None else "",
                "sum": str(total) if one is not None else "",
            }
        )
    return rows
