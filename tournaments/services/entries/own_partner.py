"""Partners whom people name when they enter.

Two people who name each other become a pair. If A named B, and B enters later without naming anybody, A and B
become a pair too. A person who is entered already and has not named A is never made A's partner, but is asked
on their own page. A name that fits several people makes no pair; the desk decides.
"""

from collections.abc import Collection

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournaments.errors import TournamentError
from tournaments.models import Championship, Entry, OwnPage
from tournaments.names import clean, name_key
from tournaments.services import locks
from tournaments.services.entries import own_pages, pairs, waiting_list

LONGEST = 180
"""Most characters of a partner's name."""


def name_partner(page: OwnPage, name: str) -> None:
    """Change the partner whom a person names, on their own page. An earlier partnership ends. An empty name
    names nobody.

    Raises TooMuch, TournamentError `names/…`, `pairs/not_fixed`, `pairs/oneself`, `entries/drawn_already`,
    `entries/withdrawn_oneself`, `championship/archived`, and what `pairs.pair` raises.
    """
    own_pages.count_change(page)
    with transaction.atomic():
        locked = locks.lock_writable(page.entry.championship_id)
        _require_changeable(locked, page)
        _part(page)
        if name.strip():
            note_wish(locked, page, name)
        else:
            OwnPage.objects.filter(pk=page.pk).update(wished="")
        waiting_list.fill_free_places(locked)
    page.refresh_from_db()


def accept_partner(page: OwnPage, number: int) -> None:
    """Agree to play with the entry of this number, which has named the person of the page.

    Raises what `name_partner` raises, and TournamentError `pairs/not_asked`.
    """
    own_pages.count_change(page)
    with transaction.atomic():
        locked = locks.lock_writable(page.entry.championship_id)
        _require_changeable(locked, page)
        other = next((one for one in list_askers(page) if one.entry.number == number), None)
        if other is None:
            raise TournamentError("pairs/not_asked", _("This person no longer asks to play with you."))
        _part(page)
        _join(locked, page, other)
    page.refresh_from_db()


def note_wish(championship: Championship, page: OwnPage, name: str) -> None:
    """Store the partner whom a person names. If pairs are fixed, the two become a pair once they have named
    each other.

    If `name` is empty and exactly one person has named this person, these two become a pair. The caller has
    locked the championship. Raises TournamentError `names/…`, `pairs/oneself`.
    """
    name = clean(name, longest=LONGEST, field="partner")
    names = _names(championship)
    if name and name_key(name) == names.get(page.entry_id):
        raise TournamentError("pairs/oneself", _("Nobody can be their own partner."))
    page.wished, page.partner = name, None
    page.save(update_fields=["wished", "partner"])
    if not pairs.has_fixed_pairs(championship):
        return
    other = _find_wished(championship, page, names) if name else _find_only_asker(page, names)
    if other is not None:
        _join(championship, page, other)


def join_entered(championship: Championship, one: OwnPage, other: OwnPage) -> None:
    """Make two people who enter together a pair if pairs are fixed. The caller locks the championship."""
    if pairs.has_fixed_pairs(championship):
        _join(championship, one, other)


def list_askers(page: OwnPage) -> list[OwnPage]:
    """List the pages of the people who have named this person and have no partner, by number.

    Empty if this person has a partner.
    """
    if page.partner_id is not None or pairs.find_partner(page.entry) is not None:
        return []
    mine = _names(page.entry.championship).get(page.entry_id)
    return [one for one in _free_pages(page) if one.wished and name_key(one.wished) == mine]


def forget_named(entries: Collection[Entry]) -> None:
    """Delete the own pages of these people. If others have named them as partners, delete these names too."""
    keys = {name_key(entry.name) for entry in entries}
    near = OwnPage.objects.filter(entry__championship__in={entry.championship_id for entry in entries})
    naming = [one.pk for one in near.exclude(wished="") if name_key(one.wished) in keys]
    OwnPage.objects.filter(pk__in=naming).update(wished="")
    OwnPage.objects.filter(entry__in=entries).delete()


def _find_wished(
    championship: Championship, page: OwnPage, names: dict[int, tuple[str, ...]]
) -> OwnPage | None:
    """Return the page of the person whom `page` names, if that person has no partner and has named this one
    too.
    """
    wanted, mine = name_key(page.wished), names.get(page.entry_id)
    if sum(key == wanted for key in names.values()) != 1:
        return None
    found = next((one for one in _free_pages(page) if names.get(one.entry_id) == wanted), None)
    if found is None or not found.wished or name_key(found.wished) != mine:
        return None
    return found


def _find_only_asker(page: OwnPage, names: dict[int, tuple[str, ...]]) -> OwnPage | None:
    mine = names.get(page.entry_id)
    if sum(key == mine for key in names.values()) != 1:
        return None
    asking = list_askers(page)
    return asking[0] if len(asking) == 1 else None


def _free_pages(page: OwnPage) -> list[OwnPage]:
    """List the pages of the other people in the championship who have no partner."""
    there = OwnPage.objects.filter(entry__championship=page.entry.championship_id, partner=None)
    there = there.exclude(entry=page.entry_id).exclude(
        entry__status=Entry.Status.WITHDRAWN, entry__waiting_since=None
    )
    taken = {
        entry.pk
        for members in pairs.load_pairs(page.entry.championship).values()
        if len(members) >= pairs.PARTNERS
        for entry in members
    }
    rows = there.select_related("entry").order_by("entry__number")
    return [one for one in rows if one.entry_id not in taken]


def _names(championship: Championship) -> dict[int, tuple[str, ...]]:
    """Return primary key → key of the name, for all entries that have not withdrawn."""
    rows = championship.entries.exclude(Entry.GONE).values_list("pk", "name")
    return {pk: name_key(name) for pk, name in rows}


def _join(championship: Championship, one: OwnPage, other: OwnPage) -> None:
    one.partner, other.partner = other.entry, one.entry
    for page in (one, other):
        page.save(update_fields=["partner"])
    waiting_list.form_agreed_pair(championship, one.entry)


def _part(page: OwnPage) -> None:
    """End the person's partnership, if they have one."""
    if pairs.find_partner(page.entry) is not None:
        pairs.pair(page.entry, None, actor=None)
    OwnPage.objects.filter(Q(pk=page.pk) | Q(partner=page.entry_id)).update(partner=None)
    page.partner = None


def _require_changeable(championship: Championship, page: OwnPage) -> None:
    page.entry.refresh_from_db()
    if not pairs.has_fixed_pairs(championship):
        raise TournamentError("pairs/not_fixed", _("Partners are drawn in this championship."))
    if not waiting_list.fills_by_itself(championship):
        raise own_pages.make_drawn_already_error()
    if page.entry.status == Entry.Status.WITHDRAWN and not page.entry.waits:
        raise TournamentError("entries/withdrawn_oneself", _("You have withdrawn. Enter again first."))
