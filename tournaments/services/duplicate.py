"""The same evening once more: a new championship with what the old one was played by, and on a new day."""

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
from tournaments.services import championships, prizes
from tournaments.services.current_regulations import regulations_of
from tournaments.services.entries import entries, pairs
from tournaments.services.money import bills, fees
from tournaments.services.money.fees import Price

WEEK = timedelta(days=7)


def again(
    of: Championship,
    *,
    actor: User,
    name: str,
    starts_at: datetime | None = None,
    place: str = "",
    public: bool = True,
    public_names: str | None = None,
    people: bool = False,
) -> Championship:
    """A championship in preparation with the regulations, the kind of tables, the officials, the prizes and
    the fees of `of`; with `people` also everybody who took part there, as registered and not paid, pairs and
    who is kept apart included. Nothing of `of` changes. `public_names`: None: as there.

    Raises NotAllowed for whoever does not direct `of` or may start none, and what `championships.found`
    raises.
    """
    require(actor, "edit", of)
    held = regulations_of(of)
    with transaction.atomic():
        made = championships.found(
            actor=actor,
            name=name,
            place=place,
            starts_at=starts_at,
            public=public,
            public_names=public_names or of.public_names,
            language=of.language,
            preset=held.preset,
            changes=rules.encode(held),
            club=of.club if rolls.keeps(actor, of.club) else None,
        )
        made.copied_from = of
        made.save(update_fields=["copied_from"])
        for office in of.officials.select_related("user").order_by("pk"):
            championships.appoint(made, office.user, office.role, actor=actor)
        _bring_prizes_and_fees(of, made, actor)
        if people:
            _bring_people(of, made, actor)
    return made


def next_day(of: Championship) -> datetime | None:
    """The same weekday and hour, a week later, or as soon as there is one that is not over."""
    if of.starts_at is None:
        return None
    started = timezone.localtime(of.starts_at)
    weeks = max(1, -(-(timezone.now() - of.starts_at) // WEEK))
    # Added to the hour on the wall, so that it stays the same where summer time begins or ends between.
    return timezone.make_aware(started.replace(tzinfo=None) + weeks * WEEK)


def _bring_prizes_and_fees(of: Championship, made: Championship, actor: User) -> None:
    """What there is to win and what it costs, and to which account; nothing that was given or paid."""
    plan = prizes.plan_of(of)
    if plan != PrizePlan():
        prizes.set_plan(made, plan, actor=actor)
    prices = [Price(fee.label, fee.amount) for fee in of.fees.all()]
    if prices:
        fees.set_fees(made, prices, actor=actor)
    account = Creditor.objects.filter(championship=of).first()
    if account is not None and not bills.missing_of(account):
        told = {name: getattr(account, name) for name in bills.ASKED}
        bills.set_creditor(made, actor=actor, **told)


def _bring_people(of: Championship, made: Championship, actor: User) -> None:
    old = list(_who_took_part(of))
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
            person=entry.person if made.club_id == of.club_id else None,
        )
        for entry in old
    ]
    # Who was entered twice on purpose is so again.
    new = entries.add_all(made, wanted, actor=actor, allow_doubles=True)
    now = {entry.pk: fresh for entry, fresh in zip(old, new, strict=True)}
    by_label = {fee.label: fee for fee in made.fees.all()}
    for entry in old:
        if entry.fee is not None and (fee := by_label.get(entry.fee.label)) is not None:
            fees.charge(now[entry.pk], fee, actor=actor)
    for entry in old:
        partner = pairs.partner_of(entry)
        if partner is not None and partner.pk in now and entry.pk < partner.pk:
            pairs.pair(now[entry.pk], now[partner.pk], actor=actor)
    apart = of.side_constraints.exclude(kind=SideConstraint.Kind.FIXED_PAIR)
    SideConstraint.objects.bulk_create(
        SideConstraint(championship=made, kind=wish.kind, one=now[wish.one_id], other=now[wish.other_id])
        for wish in apart
        if wish.one_id in now and wish.other_id in now
    )


def _who_took_part(of: Championship) -> Iterator[Entry]:
    """Everybody but those who withdrew before they had played; who was entered anew only once."""
    entered = of.entries.filter(bot=False).select_related("user", "person", "fee")
    everybody = list(entered.order_by("number"))
    there = {name_key(entry.name) for entry in everybody if entry.status != Entry.Status.WITHDRAWN}
    played = set(Seating.objects.filter(round__championship=of).values_list("entry", flat=True))
    for entry in everybody:
        if entry.status != Entry.Status.WITHDRAWN:
            yield entry
        elif entry.pk in played and name_key(entry.name) not in there:
            there.add(name_key(entry.name))
            yield entry
