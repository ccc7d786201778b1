"""Merging two entries of the same person, before the first draw or after they have played.

Seats and results keep their references to the entries. An event records the merge. Ranking, draws and both
verifiers then count the results of both entries for the kept one. A second event undoes the merge.
"""

from typing import Final, NamedTuple

import msgspec
from django.db.models import Max, Q
from django.utils.translation import gettext_lazy as _

from games.appending import record
from tournaments.errors import NotAllowed, TournamentError
from tournaments.events import EntriesMerged, EntriesParted, EntryWithdrawn
from tournaments.models import Booking, Championship, Entry, Round, Seating, SideConstraint, Substitute
from tournaments.names import clean
from tournaments.notices.subscriptions import follow_merge
from tournaments.permissions import Actor, may, require
from tournaments.services import locks
from tournaments.services.current_regulations import round_or_session
from tournaments.services.entries import waiting_list
from tournaments.services.scores import published_ranking

MAX_REASON_LENGTH: Final = 200
_OPENED_STATUSES: Final = (Round.Status.OPEN, Round.Status.CLOSED)
_SEATED_STATUSES: Final = (Round.Status.DRAWN, Round.Status.OPEN)
TAKEN_OVER: Final = (
    *("club", "licence", "note", "email", "birth_year", "category", "person", "fee"),
    "unnamed_since",
)
"""Fields that the kept entry takes from the removed one if its own are empty."""


class PlannedMerge(NamedTuple):
    """The effect of merging two entries of one person. `keep`: the entry that stays; `strike`: the removed
    entry, which is withdrawn and merged into `keep`.

    `played`: (round, table) of each seat of the removed entry; `byes`: the rounds of its byes;
    `brings_points`: some of these seats or byes count for the kept entry; `pays`: only the removed entry has
    paid; `paid_twice`: both have paid.
    """

    keep: Entry
    strike: Entry
    played: tuple[tuple[int, int], ...]
    byes: tuple[int, ...]
    brings_points: bool
    pays: bool
    paid_twice: bool


def plan_merge(one: Entry, other: Entry) -> PlannedMerge:
    """Compute the effect of merging two entries, which may be given in either order.

    Raises TournamentError `merge/…`.
    """
    _refuse_two_people(one, other)
    keep, strike = sorted((one, other), key=_keep_order)
    if strike.user_id is not None and strike.user_id != keep.user_id:
        raise TournamentError(
            "merge/account",
            _("Number %(number)s would be removed, but plays with an account: remove the account first."),
            number=strike.number,
        )
    if strike.entrant_id is not None:
        raise TournamentError(
            "merge/pair",
            _(
                "Number %(number)s would be removed, but has a partner: give the partner to the "
                "other entry first."
            ),
            number=strike.number,
        )
    played = strike.seatings.filter(round__status__in=_OPENED_STATUSES).order_by("round__number")
    byes = strike.byes.filter(round__status__in=_OPENED_STATUSES).order_by("round__number")
    own = Round.objects.filter(seatings__entry=keep, status__in=_OPENED_STATUSES)
    counts = byes.exclude(round__in=own)  # in a round that the kept entry played, a bye does not count
    return PlannedMerge(
        keep,
        strike,
        tuple(played.values_list("round__number", "table__number")),
        tuple(byes.values_list("round__number", flat=True)),
        brings_points=played.exists() or counts.exists(),
        pays=strike.paid and not keep.paid,
        paid_twice=strike.paid and keep.paid,
    )


def merge_entries(one: Entry, other: Entry, *, actor: Actor, reason: str = "") -> PlannedMerge:
    """Merge two entries; the kept one gets the results of both. Republishes the ranking if a round is closed.

    If the removed entry brings points, only a referee may merge the two, with a `reason`. Raises
    TournamentError `merge/…`, NotAllowed `merge/results_exist`. Return the plan that was carried out.
    """
    with locks.for_official(one.championship, actor, "reseat") as (locked, ref):
        found = locked.entries.select_related("championship").filter(pk__in=[one.pk, other.pk])
        by_pk = {entry.pk: entry for entry in found}
        if len(by_pk) != 2:
            raise _same_entry_error()
        plan = plan_merge(by_pk[one.pk], by_pk[other.pk])
        keep, strike = plan.keep, plan.strike
        cleaned_reason = _reason_after_results(plan, locked, actor, reason)
        events: list[EntryWithdrawn | EntriesMerged] = []
        if strike.status != Entry.Status.WITHDRAWN:
            opened = locked.rounds.filter(status__in=_OPENED_STATUSES)
            strike.withdrawn_from = (opened.aggregate(last=Max("number"))["last"] or 0) + 1
            events.append(EntryWithdrawn(player=strike.player_ref, from_round=strike.withdrawn_from))
            _copy_presence(keep, strike)
        merged = EntriesMerged(
            player=keep.player_ref, other=strike.player_ref, reason=cleaned_reason or msgspec.UNSET
        )
        events.append(merged)
        strike.status, strike.merged_into, strike.waiting_since = Entry.Status.WITHDRAWN, keep, None
        strike.save(update_fields=["status", "withdrawn_from", "merged_into", "waiting_since"])
        _take_over(keep, strike)
        follow_merge(keep, strike)
        record(locked.stream_id, *events, actor=ref)
        waiting_list.forget_partner(strike)
        waiting_list.fill_free_places(locked)
        _republish(keep, ref)
    return plan


def _reason_after_results(plan: PlannedMerge, championship: Championship, actor: Actor, reason: str) -> str:
    """Return the referee's reason, which is required if the removed entry brings points. Otherwise return an
    empty text.
    """
    if not plan.brings_points:
        require(actor, "enter", championship)
        return ""
    if actor is not None and not may(actor, "rule", championship):
        raise NotAllowed(
            "merge/results_exist",
            _(
                "Number %(number)s has played: its results would go to another entry. Only a referee "
                "may merge them now, with a reason."
            ),
            number=plan.strike.number,
        )
    cleaned_reason = clean(reason, longest=MAX_REASON_LENGTH, field="reason")
    if not cleaned_reason:
        raise TournamentError(
            "merge/reason_missing",
            _("Number %(number)s has played: give the reason for merging. It stays on record."),
            number=plan.strike.number,
        )
    return cleaned_reason


def part_entries(entry: Entry, *, actor: Actor) -> Entry:
    """Undo a merge: each entry has its own results again; the kept one keeps the payment. The desk can then
    reinstate the removed entry.

    `entry`: the removed entry, which is returned. Raises TournamentError `merge/not_merged`.
    """
    with locks.for_official(entry.championship, actor, "enter") as (locked, ref):
        struck = locked.entries.select_related("championship", "merged_into").get(pk=entry.pk)
        kept = struck.merged_into
        if kept is None:
            raise TournamentError(
                "merge/not_merged",
                _("Number %(number)s is not merged with another entry."),
                number=entry.number,
            )
        struck.merged_into = None
        struck.save(update_fields=["merged_into"])
        event = EntriesParted(player=kept.player_ref, other=struck.player_ref)
        record(locked.stream_id, event, actor=ref)
        _republish(struck, ref)
    return struck


def _republish(entry: Entry, ref: str) -> None:
    if entry.championship.rounds.filter(status=Round.Status.CLOSED).exists():
        published_ranking.publish(entry.championship, reason="merged", ref=ref)


def _refuse_two_people(one: Entry, other: Entry) -> None:
    if one.pk == other.pk or one.championship_id != other.championship_id:
        raise _same_entry_error()
    for entry in (one, other):
        if entry.merged_into_id is not None or entry.merged.exists():
            raise TournamentError(
                "merge/merged",
                _("Number %(number)s is already merged with another entry: separate them first."),
                number=entry.number,
            )
    for entry in (one, other):
        if entry.start_of_id is not None:
            raise TournamentError(
                "merge/start",
                _("Number %(number)s is a further start: choose the first number of the person."),
                number=entry.number,
            )
    if one.house != other.house:
        raise TournamentError(
            "merge/house",
            _(
                "One of the two is a helper of the house and does not count: make both equal at the "
                "desk first."
            ),
        )
    rounds = {number: (table, status) for number, table, status in _at_tables(one)}
    for number, table, status in _at_tables(other):
        if number not in rounds:
            continue
        tables = {"round": number, "one": rounds[number][0], "other": table}
        if status == Round.Status.DRAWN:
            raise TournamentError(
                "merge/drawn_twice",
                _(
                    "Both are drawn in round %(round)s (tables %(one)s and %(other)s): give one of "
                    "the seats to somebody else (“Somebody is missing”), or undo the draw."
                ),
                **tables,
            )
        sentence = round_or_session(
            one.championship,
            _(
                "Both have played in round %(round)s, at tables %(one)s and %(other)s, so they are "
                "two people. If somebody else had one of the seats, enter a substitute there."
            ),
            _(
                "Both have played in session %(round)s, at tables %(one)s and %(other)s, so they are "
                "two people. If somebody else had one of the seats, enter a substitute there."
            ),
        )
        raise TournamentError("merge/played_together", sentence, **tables)


def _at_tables(entry: Entry) -> list[tuple[int, int, str]]:
    """List (round, table, status of the round) of each seat or substitution of the entry."""
    told = ("round__number", "table__number", "round__status")
    seats = Seating.objects.filter(entry=entry).values_list(*told)
    for_others = Substitute.objects.filter(entry=entry)
    return [
        *seats,
        *for_others.values_list("table__round__number", "table__number", "table__round__status"),
    ]


def _keep_order(entry: Entry) -> tuple[bool, bool, bool, int, int]:
    """Return a sort key of an entry. Of two merged entries, the one with the lower key is kept.

    These are compared in turn: a seat in a drawn or open round, not withdrawn, an account or a partner, more
    seats played, the lower number.
    """
    sits = entry.seatings.filter(round__status__in=_SEATED_STATUSES).exists()
    known = entry.user_id is not None or entry.entrant_id is not None
    return (
        not sits,
        entry.status == Entry.Status.WITHDRAWN,
        not known,
        -entry.seatings.count(),
        entry.number,
    )


def _copy_presence(keep: Entry, strike: Entry) -> None:
    """Mark the kept entry as present if the removed one is."""
    if strike.status == Entry.Status.ARRIVED and keep.status != Entry.Status.ARRIVED:
        keep.status, keep.arrived_at = Entry.Status.ARRIVED, strike.arrived_at


def _take_over(keep: Entry, strike: Entry) -> None:
    """Copy missing data, the payment and the side constraints of the removed entry to the kept one."""
    for field in TAKEN_OVER:
        if not getattr(keep, field):
            setattr(keep, field, getattr(strike, field))
    if strike.paid and not keep.paid:
        keep.paid = True
        if keep.status == Entry.Status.REGISTERED:
            keep.status = Entry.Status.PAID
        Booking.objects.filter(entry=strike).update(entry=keep)
    keep.save(update_fields=[*TAKEN_OVER, "paid", "status", "arrived_at"])
    wishes = SideConstraint.objects.filter(Q(one=strike) | Q(other=strike))
    for wish in wishes.select_related("one", "other"):
        whom = wish.other if wish.one_id == strike.pk else wish.one
        if whom.pk != keep.pk:
            first, second = sorted((keep, whom), key=lambda entry: entry.number)
            kept, _created = SideConstraint.objects.get_or_create(
                championship=keep.championship,
                kind=wish.kind,
                one=first,
                other=second,
                defaults={"soft": wish.soft},
            )
            if kept.soft and not wish.soft:
                kept.soft = False
                kept.save(update_fields=["soft"])
    wishes.delete()


def _same_entry_error() -> TournamentError:
    return TournamentError("merge/two", _("Choose two different entries of this championship."))
