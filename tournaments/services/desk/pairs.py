"""Who always sits with whom: the two who enter together where partners stay the same all evening."""

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from tournaments.errors import TournamentError
from tournaments.models import Championship, Entry, SideConstraint
from tournaments.permissions import Actor, require
from tournaments.services import locks
from tournaments.services.desk import entries


def partner_of(entry: Entry) -> Entry | None:
    """The other one of a fixed pair."""
    found = _pairs(entry.championship).filter(Q(one=entry) | Q(other=entry)).first()
    if found is None:
        return None
    return found.other if found.one_id == entry.pk else found.one


def without_partner(championship: Championship) -> list[Entry]:
    """Everybody still in the championship who has no partner, by number. Two queries."""
    paired = {pk for pair in _pairs(championship) for pk in (pair.one_id, pair.other_id)}
    there = championship.entries.exclude(status=Entry.Status.WITHDRAWN).order_by("number")
    return [entry for entry in there if entry.pk not in paired]


def entry_of(championship: Championship, number: str) -> Entry | None:
    """The entry of this number; None for no number. Raises TournamentError `entries/unknown`."""
    if not number:
        return None
    found = championship.entries.filter(number=int(number[:9])).first()
    if found is None:
        raise TournamentError("entries/unknown", _("There is no entry %(number)s."), number=number)
    return found


def pair(entry: Entry, partner: Entry | None, *, actor: Actor) -> None:
    """Make the two partners from the next draw on; None: entry has no partner any more.

    Raises TournamentError `pairs/taken` where the other one has a partner already, and
    `entries/constraint` for somebody with himself or of another championship.
    """
    require(actor, "enter", entry.championship)
    with transaction.atomic():
        locks.in_office(entry.championship, actor, "enter")
        now = partner_of(entry)
        if now == partner:
            return
        taken = None if partner is None else partner_of(partner)
        if partner is not None and taken is not None:
            raise TournamentError(
                "pairs/taken",
                _("%(name)s is the partner of %(other)s already."),
                name=partner.name,
                other=taken.name,
            )
        _pairs(entry.championship).filter(Q(one=entry) | Q(other=entry)).delete()
        if partner is not None:
            kind = SideConstraint.Kind.FIXED_PAIR
            entries.constrain(entry.championship, kind, entry, partner, actor=actor)


def _pairs(championship: Championship) -> QuerySet[SideConstraint]:
    found = championship.side_constraints.filter(kind=SideConstraint.Kind.FIXED_PAIR)
    return found.select_related("one", "other")
