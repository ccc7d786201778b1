"""The waiting list: people who enter when all places are taken, and how they get a place ("move up").

Rows and log treat waiting people as entered and withdrawn, so nobody draws, counts or bills them. Moving up
is stored like the return of a withdrawn person. Until the first round is drawn, a change that makes a
place free fills it at once; only the place that `put_back` makes free waits for the next change. Afterwards
the desk moves people up by hand.

A group is one person, or a pair that moves up only together. The groups stand in the order of entry. A pair
stands where the later of its two people entered.

- While there are places for the first group, it moves up.
- If only one place is free and a pair is first, the place goes to the first person who waits alone. The pair
  stays first.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from games.appending import record
from tournaments.errors import TournamentError
from tournaments.events import EntryReturned, EntryWithdrawn
from tournaments.models import Championship, Entry, EntryMail, OwnPage, Round
from tournaments.permissions import Actor
from tournaments.services import locks
from tournaments.services.entries import entry_mails, pairs
from tournaments.services.people.entry_persons import count_people

Group = tuple[Entry, ...]
"""People who move up together: one person, or a pair."""


def choose_groups(sizes: Sequence[int], free: int) -> list[int]:
    """Return the indexes of the groups that move up, in order.

    `sizes`: number of people of each group; `free`: number of free places.
    """
    waiting = list(enumerate(sizes))
    chosen = []
    while free > 0 and (found := next((one for one in waiting if one[1] <= free), None)) is not None:
        waiting.remove(found)
        chosen.append(found[0])
        free -= found[1]
    return chosen


def gets_place_at_once(sizes: Sequence[int], size: int, free: int) -> bool:
    """Return whether a new group of `size` people gets places at once, instead of waiting.

    `sizes`: number of people of each waiting group; `free`: number of free places.
    """
    return len(sizes) in choose_groups([*sizes, size], free)


def count_taken(championship: Championship) -> int:
    """Count the people who have a place. Helpers of the house, bots and further starts need no place."""
    return count_people(championship.entries.filter(house=False))


def count_free(championship: Championship) -> int | None:
    """Count the free places: 0 if there are more people than places, None if there is no limit."""
    if championship.entry_limit is None:
        return None
    return max(0, championship.entry_limit - count_taken(championship))


def list_groups(championship: Championship) -> list[Group]:
    """List the groups of waiting people, in order. Two people who wait as a pair are one group. One query."""
    rows: QuerySet[Entry] = championship.entries.filter(Entry.WAITS).select_related("own_page")
    waiting = {entry.pk: entry for entry in rows.order_by("waiting_since", "number")}
    groups: list[Group] = []
    for entry in waiting.values():
        other = waiting.get(_partner_key(entry) or 0)
        if other is None or _partner_key(other) != entry.pk:
            groups.append((entry,))
        elif _position(entry) > _position(other):
            groups.append((other, entry))
    return groups


def _partner_key(entry: Entry) -> int | None:
    page = getattr(entry, "own_page", None)
    return page.partner_id if isinstance(page, OwnPage) else None


def _position(entry: Entry) -> tuple[datetime | None, int]:
    return entry.waiting_since, entry.number


def place_on_list(groups: Sequence[Group], entry: Entry) -> int | None:
    """Return the place on the list, from 1, of the first person of the entry's group. None if the entry does
    not wait.
    """
    before = 0
    for group in groups:
        if any(one.pk == entry.pk for one in group):
            return before + 1
        before += len(group)
    return None


def has_to_wait(championship: Championship, size: int) -> bool:
    """Return whether a new group of `size` people has to wait. A caller that acts on it has locked the
    championship.
    """
    free = count_free(championship)
    if free is None:
        return False
    sizes = [len(group) for group in list_groups(championship)]
    if sizes and not fills_by_itself(championship):
        return True
    return not gets_place_at_once(sizes, size, free)


def fills_by_itself(championship: Championship) -> bool:
    """Return whether free places are filled without the desk: until the first round is drawn."""
    return not championship.rounds.exclude(status=Round.Status.PLANNED).exists()


def fill_free_places(championship: Championship) -> list[Entry]:
    """Move people up while there are places and no round is drawn, and return them.

    The caller has locked the championship.
    """
    if championship.status == Championship.Status.FINISHED or not fills_by_itself(championship):
        return []
    groups = list_groups(championship)
    if not groups:
        return []
    free = count_free(championship)
    chosen = choose_groups([len(group) for group in groups], sum(map(len, groups)) if free is None else free)
    moved = [entry for at in chosen for entry in groups[at]]
    _let_in(championship, moved, ref="server")
    return moved


def move_up(entry: Entry, *, actor: Actor) -> Entry:
    """Give a waiting person a place, together with the partner who waits with them, even above the limit.

    Nobody else moves. Raises NotAllowed, TournamentError `championship/archived`.
    """
    with locks.for_official(entry.championship, actor, "enter") as (locked, ref):
        group = next((one for one in list_groups(locked) if entry in one), ())
        _let_in(locked, group, ref=ref)
    entry.refresh_from_db()
    return entry


def put_back(entry: Entry, *, actor: Actor) -> Entry:
    """Let a person who came from the list wait again at the old position, with a partner who moved up with
    them. Their pair is parted.

    The place stays free until the next change. Raises TournamentError `entries/never_waited`,
    `entries/round_drawn`, `entries/has_starts`.
    """
    with locks.for_official(entry.championship, actor, "enter") as (locked, ref):
        entry = Entry.objects.select_related("championship", "entrant").get(pk=entry.pk)
        if entry.waits:
            return entry
        if entry.waiting_since is None or entry.status == Entry.Status.WITHDRAWN:
            raise TournamentError(
                "entries/never_waited", _("%(name)s did not come from the waiting list."), name=entry.name
            )
        if not fills_by_itself(locked):
            raise TournamentError(
                "entries/round_drawn", _("A round is already drawn: withdraw %(name)s."), name=entry.name
            )
        if entry.starts.exclude(status=Entry.Status.WITHDRAWN).exists():
            raise TournamentError(
                "entries/has_starts", _("%(name)s has further starts: withdraw them first."), name=entry.name
            )
        partner = pairs.find_partner(entry)
        both = [entry]
        if partner is not None:
            pairs.pair(entry, None, actor=actor)
            if partner.waiting_since is not None and _partner_key(entry) == partner.pk:
                both.append(partner)
        for one in sorted(both, key=lambda one: one.number):
            one.status, one.withdrawn_from, one.arrived_at = Entry.Status.WITHDRAWN, 1, None
            one.save(update_fields=["status", "withdrawn_from", "arrived_at"])
            record(locked.stream_id, EntryWithdrawn(player=one.player_ref, from_round=1), actor=ref)
    entry.refresh_from_db()
    return entry


def list_returnable(championship: Championship) -> set[int]:
    """Return the primary keys of the entries that `put_back` accepts and that do not wait. At most two
    queries.
    """
    starts = Entry.objects.filter(start_of=OuterRef("pk")).exclude(status=Entry.Status.WITHDRAWN)
    came = championship.entries.filter(waiting_since__isnull=False).exclude(status=Entry.Status.WITHDRAWN)
    found = set(came.filter(~Exists(starts)).values_list("pk", flat=True))
    return found if found and fills_by_itself(championship) else set()


def leave_list(championship: Championship, entry: Entry) -> None:
    """Remove a person from the list for good. A partner continues to wait alone, and other people may move
    up.

    The caller has locked the championship.
    """
    entry.waiting_since = None
    entry.save(update_fields=["waiting_since"])
    forget_partner(entry)
    fill_free_places(championship)


def forget_partner(entry: Entry) -> None:
    """Delete the partner's name on a person's own page, and the agreement with the partner on both pages."""
    OwnPage.objects.filter(Q(entry=entry) | Q(partner=entry)).update(partner=None)
    OwnPage.objects.filter(entry=entry).update(wished="")


def _let_in(championship: Championship, people: Iterable[Entry], *, ref: str) -> None:
    for entry in people:
        entry.status = Entry.Status.PAID if entry.paid else Entry.Status.REGISTERED
        entry.withdrawn_from = None
        entry.save(update_fields=["status", "withdrawn_from"])
        record(championship.stream_id, EntryReturned(player=entry.player_ref), actor=ref)
        entry_mails.write_mail(entry, EntryMail.Kind.MOVED_UP)
    for entry in people:
        form_agreed_pair(championship, entry)


def form_agreed_pair(championship: Championship, entry: Entry) -> None:
    """Make the entry and its agreed partner a pair, if pairs are fixed, both have a place and neither has a
    partner.

    The caller has locked the championship.
    """
    agreed = OwnPage.objects.filter(entry=entry, partner__own_page__partner=entry).values("partner")
    both = list(championship.entries.filter(Q(pk=entry.pk) | Q(pk__in=agreed)).order_by("number"))
    if len(both) < pairs.PARTNERS or any(one.status == Entry.Status.WITHDRAWN for one in both):
        return
    if pairs.has_fixed_pairs(championship) and not any(map(pairs.find_partner, both)):
        pairs.pair(both[0], both[1], actor=None)
