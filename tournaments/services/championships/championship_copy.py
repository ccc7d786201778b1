"""Copying a championship: the same settings on a new day."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from games.models import User
from tournaments import regulations as rules
from tournaments.clubs import rolls
from tournaments.models import Championship, Creditor, Entry, Seating, SideConstraint
from tournaments.names import name_key
from tournaments.permissions import require
from tournaments.prizes import PrizePlan
from tournaments.services import prize_giving
from tournaments.services.championships import championships, officials
from tournaments.services.current_regulations import load_regulations
from tournaments.services.entries import entries, pairs
from tournaments.services.money import bills, fees
from tournaments.services.money.fees import Price
from tournaments.services.scores.competition_document import load_next_ranks

WEEK = timedelta(days=7)


def duplicate_championship(
    of: Championship,
    *,
    actor: User,
    name: str,
    starts_at: datetime | None = None,
    place: str = "",
    public: bool = True,
    public_names: str | None = None,
    keep_days: int | None = None,
    people: bool = False,
) -> Championship:
    """Create a championship in preparation from the regulations, officials, prizes, fees and creditor of
    `of`.

    `people`: enter the people again, as not paid, with pairs, teams, side constraints, and the start ranks
    that a ladder gives. Bots, waiting people and those who withdrew before playing are left out.
    `public_names`: None keeps the setting of `of`. Raises NotAllowed for an actor who does not direct `of`,
    and what `championships.found_championship` raises.
    """
    require(actor, "edit", of)
    regulations = load_regulations(of)
    with transaction.atomic():
        new_championship = championships.found_championship(
            actor=actor,
            name=name,
            place=place,
            starts_at=starts_at,
            public=public,
            public_names=public_names or of.public_names,
            keep_days=keep_days,
            language=of.language,
            preset=regulations.preset,
            changes=rules.encode(regulations),
            club=of.club if rolls.is_keeper(actor, of.club) else None,
        )
        new_championship.copied_from = of
        new_championship.save(update_fields=["copied_from"])
        for office in of.officials.select_related("user").order_by("pk"):
            officials.appoint(new_championship, office.user, office.role, actor=actor)
        _copy_prizes_and_fees(of, new_championship, actor)
        if people:
            _copy_entries(of, new_championship, actor)
    return new_championship


def count_participants(of: Championship) -> int:
    """Count the people whom `duplicate_championship` enters again with `people`."""
    return sum(1 for _ in _participants(of))


def next_date(of: Championship) -> datetime | None:
    """Return the first time in the future with the weekday and local time of `of`, at least a week after its
    start.

    None if `of` has no start time.
    """
    if of.starts_at is None:
        return None
    # In local time, so that the hour stays the same across a change of summer time.
    started, now = timezone.make_naive(of.starts_at), timezone.make_naive(timezone.now())
    weeks = max(1, -((started - now) // WEEK))
    return timezone.make_aware(started + weeks * WEEK)


def _copy_prizes_and_fees(of: Championship, championship: Championship, actor: User) -> None:
    """Copy the prize plan, the fees and the creditor. Prizes given and payments are not copied."""
    plan = prize_giving.load_plan(of)
    if plan != PrizePlan():
        prize_giving.set_plan(championship, plan, actor=actor)
    prices = [Price(fee.label, fee.amount) for fee in of.fees.all()]
    if prices:
        fees.set_fees(championship, prices, actor=actor)
    account = Creditor.objects.filter(championship=of).first()
    if account is not None and not bills.list_missing_fields(account):
        fields = {name: getattr(account, name) for name in bills.CREDITOR_FIELDS}
        bills.set_creditor(championship, actor=actor, **fields)


def _copy_entries(of: Championship, championship: Championship, actor: User) -> None:
    old = list(_participants(of))
    ranks = load_next_ranks(of, load_regulations(of))
    wanted = [
        entries.NewEntry(
            family_name=entry.family_name,
            first_name=entry.first_name,
            club=entry.club,
            licence=entry.licence,
            house=entry.house,
            user=entry.user,
            email=entry.email,
            birth_year=entry.birth_year,
            category=entry.category,
            unnamed_since=entry.unnamed_since,
            start_rank=ranks.get(entry.number),
            person=entry.person if championship.club_id == of.club_id else None,
            team="" if entry.team is None else entry.team.name,
        )
        for entry in old
    ]
    # People entered twice on purpose stay entered twice.
    new = entries.add_entries(championship, wanted, actor=actor, allow_doubles=True)
    now = {entry.pk: fresh for entry, fresh in zip(old, new, strict=True)}
    by_label = {fee.label: fee for fee in championship.fees.all()}
    for entry in old:
        if entry.fee is not None and (fee := by_label.get(entry.fee.label)) is not None:
            fees.set_fee(now[entry.pk], fee, actor=actor)
    members: dict[int, list[Entry]] = {}
    for entry in old:
        if entry.entrant_id is not None and entry.status != Entry.Status.WITHDRAWN:
            members.setdefault(entry.entrant_id, []).append(entry)
    for pair in members.values():
        if len(pair) == pairs.PARTNERS:
            pairs.pair(*(now[one.pk] for one in pair), actor=actor)
    apart = of.side_constraints.exclude(kind=SideConstraint.Kind.FIXED_PAIR)
    SideConstraint.objects.bulk_create(
        SideConstraint(
            championship=championship,
            kind=wish.kind,
            one=now[wish.one_id],
            other=now[wish.other_id],
            soft=wish.soft,
        )
        for wish in apart
        if wish.one_id in now and wish.other_id in now
    )


def _participants(of: Championship) -> Iterator[Entry]:
    """Yield all entries except bots, further starts, and people who withdrew before playing.

    A person who was entered again after withdrawing counts once.
    """
    entered = of.entries.filter(bot=False, start_of=None).select_related("user", "person", "fee", "team")
    everybody = list(entered.order_by("number"))
    there = {name_key(entry.name) for entry in everybody if entry.status != Entry.Status.WITHDRAWN}
    played = set(Seating.objects.filter(round__championship=of).values_list("entry", flat=True))
    for entry in everybody:
        if entry.status != Entry.Status.WITHDRAWN:
            yield entry
        elif entry.pk in played and name_key(entry.name) not in there:
            there.add(name_key(entry.name))
            yield entry
