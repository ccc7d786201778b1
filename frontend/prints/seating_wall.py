"""The seating of a round as two lists for the wall: by name and by table."""

from django.utils.translation import gettext as _

from frontend.presenters.disputes.official_acts import ActLine, act_lines
from frontend.presenters.rounds.seating import Seats, sort_by_name
from frontend.prints.occasion import Occasion
from frontend.prints.typesetting import Part
from tournaments.services.current_regulations import load_regulations


def wall_by_name(occasion: Occasion) -> Part:
    lines = [
        {"name": line.name, "number": str(line.number), "table": line.table, "chair": line.mark}
        for line in sort_by_name(occasion.seatings())
    ]
    return {**_wall(occasion), "kind": "wall-by-name", "title": _("Seating plan"), "lines": lines}


def wall_by_table(occasion: Occasion) -> Part:
    tables = [
        {"number": table.number, "sides": _sides(table, partners=occasion.partners)}
        for table in occasion.seatings()
    ]
    return {**_wall(occasion), "kind": "wall-by-table", "title": _("Table by table"), "tables": tables}


def _wall(occasion: Occasion) -> Part:
    return {
        "paper": occasion.paper,
        "over": occasion.over_with_round,
        "said": occasion.said,
        "byes": _("Byes in this round:") if occasion.out else "",
        "out": [one.name for one in occasion.out],
        "acts": [f"{act.text} «{act.reason}»" if act.reason else act.text for act in _acts(occasion)],
        "legend": _legend(occasion),
    }


def _acts(occasion: Occasion) -> list[ActLine]:
    """Return the acts of officials in the round, which the print for the wall shows."""
    if occasion.round is None:
        return []
    return act_lines(occasion.round, load_regulations(occasion.championship))


def _legend(occasion: Occasion) -> str:
    """Explain the figures that stand behind a name."""
    said = _signs(occasion)
    if occasion.partners and any(not table.has_partners for table in occasion.seatings()):
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
    """Return the chairs of a table by partnership; without partners by two in the order of play."""
    chairs = [
        {
            "chair": chair.letter,
            "name": chair.name,
            "number": f"{chair.team} · {chair.number}" if chair.team else str(chair.number),
        }
        for chair in table.chairs
    ]
    if partners and table.has_partners:
        return [chairs[0::2], chairs[1::2]]
    return [chairs[at : at + 2] for at in range(0, len(chairs), 2)]
