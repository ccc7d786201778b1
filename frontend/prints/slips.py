"""A slip for each seated person of a round: table, chair, other players."""

from django.utils.translation import gettext as _

from frontend.presenters.rounds.seating import build_slip, sort_by_name
from frontend.prints.occasion import Occasion
from frontend.prints.typesetting import Part


def slips(occasion: Occasion) -> Part:
    """Return a slip for each seated person, sorted by name."""
    clubs = dict(occasion.championship.entries.values_list("number", "club"))
    tables = {table.number: table for table in occasion.seatings()}
    people = []
    for line in sort_by_name(tables.values()):
        slip = build_slip([tables[line.table]], line.number, pairs=occasion.partners)
        if slip is None:
            continue
        encounter = [(_("Encounter"), (slip.encounter,))] if slip.encounter else []
        told = [(_("with"), (slip.partner,))] if slip.partner else []
        against = _("against") if told or len(slip.opponents) == 1 else _("with")
        people.append(
            {
                "name": slip.name,
                "number": _("No. %(n)d") % {"n": slip.number},
                "club": clubs.get(slip.number, ""),
                "table": slip.table,
                "chair": slip.mark,
                "lines": [*told, (against, slip.opponents), *encounter],
            }
        )
    return {
        "kind": "slips",
        "paper": occasion.paper,
        "over": occasion.over_with_round,
        "table": _("Table"),
        "chair": _("Chip") if occasion.chips else _("Chair"),
        "people": people,
    }
