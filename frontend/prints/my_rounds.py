"""A slip for each person or pair with all their drawn rounds: table, chair, partner, opponents."""

from django.utils.translation import gettext as _

from frontend.presenters.rounds.seating import Seats, build_slip, list_seats
from frontend.prints.occasion import Occasion
from frontend.prints.own_sheets import Carrier, list_carriers
from frontend.prints.typesetting import Part
from tournaments.models import Round


def my_rounds(occasion: Occasion) -> Part:
    """Return a slip for each person or fixed pair with a drawn table. Two queries for each drawn round."""
    drawn = list(occasion.championship.rounds.exclude(status=Round.Status.PLANNED).order_by("number"))
    tables = {one.number: list_seats(one, chips=occasion.chips) for one in drawn}
    out = {one.number: set(one.byes.values_list("entry__number", flat=True)) for one in drawn}
    table_of = {
        (number, chair.number): table
        for number, of_round in tables.items()
        for table in of_round
        for chair in table.chairs
    }
    heads = {"solo": _("At the table with"), "fixed_pairs": _("Opponents")}
    both = f"{_('Partner')}, {_('Opponents')}"
    people = []
    for one in list_carriers(occasion):
        rows = [_row(occasion, one, round_.number, table_of, out[round_.number]) for round_ in drawn]
        if any(row["table"] for row in rows):
            people.append(
                {
                    "name": " / ".join(entry.name for entry in one.people),
                    "number": _("No. %(n)d") % {"n": one.number},
                    "club": one.clubs,
                    "rows": rows,
                }
            )
    return {
        "kind": "my-rounds",
        "paper": occasion.paper,
        "over": " · ".join(part for part in (occasion.over, occasion.said) if part),
        "heads": [
            _("Round"),
            _("Table"),
            _("Chip") if occasion.chips else _("Chair"),
            heads.get(occasion.regulations.play.format, both),
        ],
        "with": _("with"),
        "against": _("against"),
        "people": people,
    }


def _row(
    occasion: Occasion, one: Carrier, number: int, table_of: dict[tuple[int, int], Seats], out: set[int]
) -> dict[str, object]:
    """Return one round of a slip; if there is no table, the reason if it is known."""
    found = [
        slip
        for entry in one.people
        if (table := table_of.get((number, entry.number))) is not None
        and (slip := build_slip([table], entry.number, pairs=occasion.partners)) is not None
    ]
    if not found:
        rests = any(entry.number in out for entry in one.people)
        return {
            "round": number,
            "table": "",
            "chair": "",
            "partner": "",
            "others": [_("has a bye") if rests else "–"],
        }
    mates = {entry.name for entry in one.people}
    return {
        "round": number,
        "table": str(found[0].table),
        "chair": " ".join(slip.mark for slip in found),
        "partner": found[0].partner if found[0].partner not in mates else "",
        "others": list(found[0].opponents),
    }
