"""The list for the door: people with a place and whether they have paid, and people on the waiting list."""

from django.utils.translation import gettext as _

from frontend.prints.occasion import Occasion
from frontend.prints.typesetting import Part
from tournaments.models import Entry, Fee
from tournaments.services.entries import waiting_list
from tournaments.services.money.fees import find_fee


def door_list(occasion: Occasion) -> Part:
    fees = list(occasion.championship.fees.all())
    groups = waiting_list.list_groups(occasion.championship)
    people = [entry for entry in occasion.people if not entry.bot]
    return {
        "kind": "door-list",
        "paper": occasion.paper,
        "over": occasion.over,
        "title": _("List for the door"),
        "said": occasion.said,
        "heads": [_("No."), _("Name"), _("Club"), _("Fee"), _("paid"), _("here")],
        "counted": _("Entered: %(n)d, paid: %(paid)d")
        % {"n": len(people), "paid": sum(entry.paid for entry in people)},
        "people": [_line(entry, fees) for entry in people],
        "waiting-title": _("Waiting list"),
        "waiting": [
            {"place": place, "name": " / ".join(entry.listed for entry in group), "club": group[0].club}
            for place, group in _with_places(groups)
        ],
    }


def _line(entry: Entry, fees: list[Fee]) -> dict[str, object]:
    fee = find_fee(entry, fees)
    return {
        "number": entry.number,
        "name": entry.listed,
        "club": entry.club,
        "fee": f"{fee.amount / 100:.2f}" if fee is not None else "",
        "paid": entry.paid,
        "here": entry.status == Entry.Status.ARRIVED,
    }


def _with_places(groups: list[waiting_list.Group]) -> list[tuple[str, waiting_list.Group]]:
    """Number the people in these groups. A pair has one number for each of its two people."""
    found, next_place = [], 1
    for group in groups:
        last = next_place + len(group) - 1
        found.append((str(next_place) if len(group) == 1 else f"{next_place}–{last}", group))
        next_place = last + 1
    return found
