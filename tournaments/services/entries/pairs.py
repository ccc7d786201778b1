"""Fixed pairs: forming, changing and parting them.

A pair is an entrant: it is drawn and ranked as one. It can be parted until it has played. Afterwards a
partner who leaves withdraws, and a replacement plays on for the pair.
"""

from collections.abc import Callable, Collection, Iterable
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from games.appending import record
from tournaments.errors import TournamentError
from tournaments.events import EntrantFormed, EntrantJoined, EntrantParted
from tournaments.models import Bye, Championship, Entrant, Entry, Round, Seating
from tournaments.permissions import Actor
from tournaments.services import locks
from tournaments.services.current_regulations import load_regulations
from tournaments.services.open_heat_queue import drop_places, mark_away

FORMAT = "fixed_pairs"
PARTNERS = 2
PLAYED_STATUSES: tuple[Round.Status, ...] = (Round.Status.OPEN, Round.Status.CLOSED)


def has_fixed_pairs(championship: Championship) -> bool:
    """Return whether partners stay together in this championship. Only then are pairs drawn and ranked."""
    return load_regulations(championship).play.format == FORMAT


def load_pairs(championship: Championship) -> dict[Entrant, list[Entry]]:
    """Load every pair with its members who have not withdrawn, ordered by number. Two queries."""
    found: dict[int, list[Entry]] = {}
    for entry in _not_withdrawn(championship).filter(entrant__isnull=False).order_by("number"):
        found.setdefault(entry.entrant_id or 0, []).append(entry)
    return {entrant: found.get(entrant.pk, []) for entrant in championship.entrants.order_by("number")}


def find_partner(entry: Entry) -> Entry | None:
    """Return the other member of the entry's pair, None without a pair or if that member has withdrawn."""
    return _not_withdrawn(entry.championship).filter(entrant__members=entry.pk).exclude(pk=entry.pk).first()


def list_unpaired(championship: Championship) -> list[Entry]:
    """List the entries without a partner that have not withdrawn, by number. One query."""
    there = list(_not_withdrawn(championship).order_by("number"))
    members: dict[int | None, int] = {}
    for entry in there:
        members[entry.entrant_id] = members.get(entry.entrant_id, 0) + 1
    return [entry for entry in there if entry.entrant_id is None or members[entry.entrant_id] < PARTNERS]


def pair(entry: Entry, partner: Entry | None, *, actor: Actor) -> None:
    """Make two entries partners from the next draw on. Partner None: part the pair of `entry`.

    An earlier pair of `entry` is parted. An entry that has played stays in its pair: a new partner joins the
    pair in place of one who has withdrawn. Raises TournamentError `pairs/oneself`, `pairs/withdrawn`,
    `pairs/waits`, `pairs/elsewhere` (another championship), `pairs/taken` (`partner` has another
    partner), `pairs/played` (the pair to part has played), `pairs/both_played` (both have played in pairs),
    `pairs/nobody_left` (no remaining member has played for the pair), `pairs/seated` (the pair to part is
    seated in a drawn round).
    """
    with locks.for_official(entry.championship, actor, "enter") as (locked, ref):
        _pair(locked, _reload(entry), None if partner is None else _reload(partner), ref)


def pair_up(championship: Championship, couples: Iterable[tuple[Entry, Entry]], *, actor: Actor) -> None:
    """Form several pairs, all or none. Raises what `pair` raises, for the first pair that is refused."""
    with locks.for_official(championship, actor, "enter") as (locked, ref):
        for one, other in couples:
            _pair(locked, _reload(one), _reload(other), ref)


def form_pair(one: Entry, other: Entry, *, ref: str) -> Entrant:
    """Create a pair of two unpaired entries. `ref`: the actor's reference.

    The caller has locked both entries' championship.
    """
    entrant = Entrant.objects.create(championship=one.championship, number=one.number)
    for member in (one, other):
        member.entrant = entrant
        member.save(update_fields=["entrant"])
    players = (one.player_ref, other.player_ref)
    event = EntrantFormed(entrant=entrant.ref, number=entrant.number, players=players)
    record(one.championship.stream_id, event, actor=ref)
    return entrant


def apply_to_pair(act: Callable[..., Entry], entry: Entry, *, actor: Actor, **more: Any) -> list[Entry]:
    """Call `act` for an entry and for its partner if it has one, both or none. Return the results in order of
    entry number.
    """
    with transaction.atomic():
        both = [entry, *filter(None, [find_partner(entry)])]
        return [act(one, actor=actor, **more) for one in sorted(both, key=lambda one: one.number)]


def has_played(entrant: Entrant) -> bool:
    """Return whether a member of the entrant has had a seat or a bye in a round that was opened."""
    return have_played(entrant.members.all())


def have_played(people: Iterable[Entry]) -> bool:
    """Return whether one of the entries had a seat or a bye in a round that was opened."""
    of_people = {"entry__in": list(people), "round__status__in": PLAYED_STATUSES}
    return Seating.objects.filter(**of_people).exists() or Bye.objects.filter(**of_people).exists()


def _pair(championship: Championship, entry: Entry, partner: Entry | None, ref: str) -> None:
    if partner is None:
        if entry.entrant is not None:
            _dissolve(championship, entry.entrant, ref)
        return
    _refuse_impossible(championship, entry, partner)
    now = find_partner(entry)
    if now == partner:
        return
    taken = find_partner(partner)
    if taken is not None:
        raise TournamentError(
            "pairs/taken",
            _("%(name)s is already the partner of %(other)s."),
            name=partner.name,
            other=taken.name,
        )
    if now is not None and entry.entrant is not None:
        _dissolve(championship, entry.entrant, ref)
        entry = _reload(entry)
    played = [one for one in (entry, partner) if one.entrant is not None and has_played(one.entrant)]
    if len(played) == PARTNERS:
        raise TournamentError(
            "pairs/both_played",
            _("%(name)s and %(other)s have played with others: their points cannot be merged."),
            name=entry.name,
            other=partner.name,
        )
    for one in (entry, partner):
        if one.entrant is not None and one not in played:
            _dissolve(championship, one.entrant, ref)
    if played:
        newcomer = partner if played == [entry] else entry
        if not have_played(played):
            raise TournamentError(
                "pairs/nobody_left",
                _("Nobody of the pair of %(name)s has played for it: its points would go to others."),
                name=played[0].name,
            )
        _join(championship, played[0].entrant, newcomer, ref)
    else:
        one, other = sorted((_reload(entry), _reload(partner)), key=lambda one: one.number)
        form_pair(one, other, ref=ref)


def _refuse_impossible(championship: Championship, entry: Entry, partner: Entry) -> None:
    if entry.pk == partner.pk:
        raise TournamentError("pairs/oneself", _("Nobody can be their own partner."))
    if {entry.championship_id, partner.championship_id} != {championship.pk}:
        raise TournamentError("pairs/elsewhere", _("Partners play in one championship."))
    for one in (entry, partner):
        if one.waits:
            raise TournamentError(
                "pairs/waits", _("%(name)s is on the waiting list: move them up first."), name=one.name
            )
        if one.status == Entry.Status.WITHDRAWN:
            raise TournamentError(
                "pairs/withdrawn",
                _("%(name)s has withdrawn; restore the entry first."),
                name=one.name,
            )


def _join(championship: Championship, entrant: Entrant | None, newcomer: Entry, ref: str) -> None:
    if entrant is None:
        return
    newcomer.entrant = entrant
    newcomer.save(update_fields=["entrant"])
    event = EntrantJoined(entrant=entrant.ref, player=newcomer.player_ref)
    record(championship.stream_id, event, actor=ref)


def _dissolve(championship: Championship, entrant: Entrant, ref: str) -> None:
    members = entrant.members.order_by("number")
    names = " / ".join(member.name for member in members)
    if has_played(entrant):
        raise TournamentError(
            "pairs/played",
            _("%(names)s have played as a pair: withdraw the person who leaves, and enter somebody else."),
            names=names,
        )
    drawn = Seating.objects.filter(entry__in=members, round__status=Round.Status.DRAWN)
    if (seated := drawn.select_related("round").first()) is not None:
        raise TournamentError(
            "pairs/seated",
            _("%(names)s sit together in round %(round)s; undo its draw first."),
            names=names,
            round=seated.round.number,
        )
    if waiting := list(members.filter(queue_place__isnull=False)):
        drop_places(waiting)
        for member in waiting:
            mark_away(member)
    record(championship.stream_id, EntrantParted(entrant=entrant.ref), actor=ref)
    entrant.delete()


def _reload(entry: Entry) -> Entry:
    """Reload the entry."""
    return Entry.objects.select_related("championship", "entrant").get(pk=entry.pk)


def _not_withdrawn(championship: Championship) -> QuerySet[Entry]:
    return championship.entries.exclude(status=Entry.Status.WITHDRAWN)


def pair_name(members: Collection[Entry]) -> str:
    """Return the members' names joined in one text."""
    return " / ".join(member.name for member in members)
