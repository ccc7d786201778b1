"""The score sheet of each person or fixed pair, with a row for each round and the results known so far."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from frontend.presenters.rounds.seating import build_slip, list_seats
from frontend.presenters.standings.loaded_rankings import load_published
from frontend.presenters.words.figures import format_figure
from frontend.prints.occasion import Occasion
from frontend.prints.typesetting import Part
from tournaments.models import Entry, Round
from tournaments.standings import Figure, RankingRow

MAX_DEALS = 8
"""Largest number of deals for which a round has one column for each deal, wide enough for three digits by
hand. A round with more deals has one column for its points.
"""
MAX_ROWS = 11
"""Number of rounds on a sheet; further rounds continue on further sheets."""
ROOM = 84
"""The height of all rows together, in millimetres."""
BLANK = 4
"""Number of sheets without a name, for people who enter late."""


@dataclass(frozen=True, slots=True)
class Carrier:
    """The person or pair that a sheet is for. `number`: of the entry or pair; 0 on a blank sheet."""

    number: int
    people: tuple[Entry, ...]

    @property
    def clubs(self) -> str:
        return " / ".join(dict.fromkeys(entry.club for entry in self.people if entry.club))


@dataclass(frozen=True, slots=True)
class Known:
    """The seat of a person in one round. `mark`: label of the chair; `others`: the partner drawn for the
    round, else the opponents; for a bye a note.
    """

    table: str
    mark: str
    others: tuple[str, ...]
    deals: int | None = None
    """The number of deals at this table; None if the table is not known yet."""


def own_sheets(occasion: Occasion) -> Part:
    """Return a sheet for each person or fixed pair."""
    return _sheets(occasion, list_carriers(occasion))


def blank_own_sheets(occasion: Occasion) -> Part:
    """Return BLANK sheets without names."""
    return _sheets(occasion, [Carrier(0, ()) for _n in range(BLANK)])


def list_carriers(occasion: Occasion) -> list[Carrier]:
    """Return the persons and pairs that get a sheet, sorted by name; a pair stands where its first person
    would.
    """
    found: dict[int, Carrier] = {}
    own = {entrant.pk: entrant.number for entrant in occasion.championship.entrants.all()}
    for entry in occasion.people:
        number = own.get(entry.entrant_id or 0, entry.number)
        before = found[number].people if number in found else ()
        found[number] = Carrier(number, (*before, entry))
    return list(found.values())


def _sheets(occasion: Occasion, carriers: list[Carrier]) -> Part:
    regulations = occasion.regulations
    seats = _seats(occasion) if any(one.people for one in carriers) else {}
    points = {row.key: row for row in load_published(occasion.championship).rows}
    rounds = range(1, regulations.rounds + 1)
    per_sheet = min(len(rounds), MAX_ROWS)
    return {
        "kind": "own-sheets",
        "paper": occasion.paper,
        "over": " · ".join(part for part in (occasion.over, occasion.said) if part),
        "deals": regulations.deals if regulations.deals <= MAX_DEALS else 0,
        "sweeps": counts_sweeps(occasion),
        "height": min(20, ROOM / max(1, per_sheet)),
        "words": _words(occasion),
        "people": [
            {
                "names": [entry.name for entry in one.people],
                "number": str(one.number) if one.people else "",
                "club": one.clubs,
                "rounds": _rows(one, rounds[at : at + per_sheet], seats, points.get(one.number)),
            }
            for one in carriers
            for at in range(0, len(rounds), per_sheet)
        ],
    }


def counts_sweeps(occasion: Occasion) -> bool:
    """Return whether the number of sweeps is a tie-break."""
    return "sweeps" in occasion.regulations.counting.tie_breaks


def _words(occasion: Occasion) -> dict[str, str]:
    alone = occasion.regulations.play.format == "solo"
    others = {"pairs": _("Partner"), "fixed_pairs": _("Opponents")}
    return {
        "round": _("Start") if occasion.regulations.has_queue else _("Round"),
        "table": _("Table"),
        "others": _("At the table with") if alone else others[occasion.regulations.play.format],
        "sweeps": _("Sweeps"),
        "points": _("Wins") if occasion.regulations.play.credit == "wins" else _("Points"),
        "sum": _("Running total"),
        "signature": _("Signature of an opponent"),
        "number": _("No."),
        "name": _("Name"),
        "foot": _("Have each start signed before you leave the table, and hand this sheet in at the end.")
        if occasion.regulations.has_queue
        else _("Have each round signed before you leave the table, and hand this sheet in at the end."),
    }


def _seats(occasion: Occasion) -> dict[tuple[int, int], Known]:
    """Return (round, number of the person) → seat and partner. People of merged entries have the number of
    the entry that remains. Two queries for each drawn round.
    """
    struck = occasion.championship.entries.exclude(merged_into=None)
    counts_as = dict(struck.values_list("number", "merged_into__number"))
    format_ = occasion.regulations.play.format
    found = {}
    drawn = occasion.championship.rounds.exclude(status=Round.Status.PLANNED).order_by("number")
    for round_ in drawn:
        for table in list_seats(round_, chips=occasion.chips):
            for chair in table.chairs:
                slip = build_slip([table], chair.number, pairs=format_ != "solo")
                if slip is not None:
                    with_whom = (slip.partner,) if format_ == "pairs" and slip.partner else ()
                    others = with_whom or slip.opponents
                    number = counts_as.get(chair.number, chair.number)
                    deals = occasion.regulations.deals_at(len(table.chairs))
                    found[round_.number, number] = Known(str(slip.table), slip.mark, others, deals)
        for number in round_.byes.values_list("entry__number", flat=True):
            bye = Known("–", "", (_("has a bye"),))
            found.setdefault((round_.number, counts_as.get(number, number)), bye)
    return found


def _rows(
    one: Carrier, rounds: range, seats: dict[tuple[int, int], Known], row: RankingRow | None
) -> list[dict[str, object]]:
    """Return the rows of a sheet. The running total includes only rounds that count."""
    given = {score.round: score for score in row.rounds} if row is not None else {}
    rows: list[dict[str, object]] = []
    for number in rounds:
        where = [seats[number, entry.number] for entry in one.people if (number, entry.number) in seats]
        score = given.get(number)
        total: Figure = sum(r.points or 0 for n, r in given.items() if n <= number and r.counts)
        rows.append(
            {
                "number": number,
                "table": _chairs(where),
                "deals": where[0].deals if where else None,
                "others": where[0].others if where else (),
                "points": "" if score is None else format_figure(score.points),
                "sweeps": str(score.sweeps) if score is not None else "",
                "sum": format_figure(total) if score is not None else "",
            }
        )
    return rows


def _chairs(where: list[Known]) -> str:
    """Format the chairs of one person as "3 · B", and of a pair as "3 · B D"."""
    if not where:
        return ""
    marks = " ".join(known.mark for known in where if known.mark)
    return f"{where[0].table} · {marks}" if marks else where[0].table
