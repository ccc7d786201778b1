"""The seating of a round for print: slips, and two lists for the wall."""

from django.utils.translation import gettext as _

from frontend.presenters.official_acts import ActLine, act_lines
from frontend.presenters.seating import Seats, by_name, seats_of, slip_of
from frontend.prints.occasion import Occasion
from frontend.prints.typesetting import Part
from tournaments.services.current_regulations import regulations_of


def slips(occasion: Occasion) -> Part:
    """Collect a slip for each seated person, sorted by name."""
    clubs = dict(occasion.championship.entries.values_list("number", "club"))
    tables = {table.number: table for table in _tables(occasion)}
    people = []
    for line in by_name(tables.values()):
        slip = slip_of([tables[line.table]], line.number, pairs=occasion.partners)
        if slip is None:
            continue
        told = [(_("with"), (slip.partner,))] if slip.partner else []
        against = _("against") if told or len(slip.opponents) == 1 else _("with")
        people.append(
            {
                "name": slip.name,
                "number": _("No. %(n)d") % {"n": slip.number},
                "club": clubs.get(slip.number, ""),
                "table": slip.table,
                "chair": slip.mark,
                "lines": [*told, (against, slip.opponents)],
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


def wall_by_name(occasion: Occasion) -> Part:
    lines = [
        {"name": line.name, "number": str(line.number), "table": line.table, "chair": line.mark}
        for line in by_name(_tables(occasion))
    ]
    return {**_wall(occasion), "kind": "wall-by-name", "title": _("Who sits where"), "lines": lines}


def wall_by_table(occasion: Occasion) -> Part:
    tables = [
        {"number": table.number, "sides": _sides(table, partners=occasion.partners)}
        for table in _tables(occasion)
    ]
    return {**_wall(occasion), "kind": "wall-by-table", "title": _("Table by table"), "tables": tables}


def _wall(occasion: Occasion) -> Part:
    return {
        "paper": occasion.paper,
        "over": occasion.over_with_round,
        "said": occasion.said,
        "sit-out": _("Sitting out in this round:"),
        "out": [one.name for one in occasion.out],
        "acts": [f"{act.text} «{act.reason}»" if act.reason else act.text for act in _acts(occasion)],
        "legend": _legend(occasion),
    }


def _acts(occasion: Occasion) -> list[ActLine]:
    """Return the officials' acts in the round on the wall."""
    if occasion.round is None:
        return []
    return act_lines(occasion.round, regulations_of(occasion.championship))


def _legend(occasion: Occasion) -> str:
    """Explain the figures behind a name."""
    said = _signs(occasion)
    if occasion.partners and any(not table.has_partners for table in _tables(occasion)):
        said = " ".join([said, _("At tables of three everybody plays alone.")])
    return said


def _signs(occasion: Occasion) -> str:
    if occasion.chips and occasion.partners:
        return _(
            "The large number is the table, the small one the chip of the chair. "
            "Partners sit opposite each other: even chips against odd ones."
        )
    if occasion.chips:
        return _("The large number is the table, the small one the chip of the chair.")
    if occasion.partners:
        return _(
            "The number is the table, the letter the chair. "
            "Partners sit opposite each other: A and C, B and D."
        )
    return _("The number is the table, the letter the chair.")


def _sides(table: Seats, *, partners: bool) -> list[list[dict[str, str]]]:
    """Group partners; without partners, two and two in the order of the chairs."""
    chairs = [
        {"chair": chair.letter, "name": chair.name, "number": str(chair.number)} for chair in table.chairs
    ]
    if partners and table.has_partners:
        return [chairs[0::2], chairs[1::2]]
    return [chairs[at : at + 2] for at in range(0, len(chairs), 2)]


def _tables(occasion: Occasion) -> list[Seats]:
    return seats_of(occasion.round, chips=occasion.chips) if occasion.round is not None else []
