"""What is stored about one person: all of it as one value, and erased where he asks for it.

The log knows people by random references only, so nothing in it changes: replays, hashes and rankings stay as
they were. Which tables hold something follows from the models: whatever points to an account or an entry.
"""

import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.apps import apps
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import ForeignKey, Model, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games import store
from games.models import Access, User
from games.models.people import Role
from tournaments.archive import storing
from tournaments.clubs import rolls
from tournaments.errors import TournamentError
from tournaments.models import Appeal, Championship, Dispute, Entry, Job, Official, Person, Round, Seating
from tournaments.names import TwoNames
from tournaments.notices.subscriptions import forget_subscriptions
from tournaments.services import locks
from tournaments.services.scores import photos

FORMAT: Final = "puur/person/1"
SIGN_INS: Final = (AccessAttempt, AccessFailureLog, AccessLog)
"""Tables that know people by the name they typed."""
WRITTEN: Final[dict[type[Model], dict[str, str]]] = {
    Dispute: {"text": "raised_by", "answer": "ruled_by"},
    Appeal: {"reason": "raised_by", "answer": "decided_by"},
}
"""Column of text → who wrote it; what others wrote is theirs."""
TEXTS: Final = ("club", "licence", "note", "email", "category")
"""What is written down about somebody who is entered, beside his name."""
NOT_HIS: Final = {"password", "params", "result", "session_hash", "mark", "key", "closed"}
"""Columns that would open an account, hold lists of other people, or are where a phone is reached, closed."""


@dataclass(frozen=True)
class DataSubject:
    """Somebody with an account, or known by entries alone. `refs`: how streams call him; `persons`: he on the
    rolls of clubs.
    """

    user: User | None
    entries: tuple[Entry, ...]
    refs: frozenset[str]
    persons: tuple[Person, ...] = ()


def of_user(user: User) -> DataSubject:
    """The person behind an account."""
    persons = tuple(Person.objects.filter(Q(user=user) | Q(entries__user=user)).distinct())
    his = Q(user=user) | Q(person__in=persons, user=None)
    entries = tuple(Entry.objects.filter(his).select_related("championship"))
    given = (model.objects.filter(user=user).values_list("ref", flat=True) for model in (Official, Access))
    return DataSubject(user, entries, frozenset(entry.player_ref for entry in entries).union(*given), persons)


def of_person(person: Person) -> DataSubject:
    """Somebody on the roll of a club, with all his entries that no account plays; accounts are their own."""
    entries = tuple(person.entries.filter(user=None).select_related("championship"))
    return DataSubject(None, entries, frozenset(entry.player_ref for entry in entries), (person,))


def find_person(who: str) -> DataSubject:
    """By the name of an account, or `slug/number` for an entry. Raises TournamentError `people/unknown`."""
    slug, slash, number = who.rpartition("/")
    if slash and number.isdecimal():
        known = Entry.objects.select_related("championship", "user", "person")
        entry = known.filter(championship__slug=slug, number=int(number[:9])).first()
        if entry is not None:
            if entry.user is not None:
                return of_user(entry.user)
            if entry.person is not None:
                return of_person(entry.person)
            return DataSubject(None, (entry,), frozenset([entry.player_ref]))
    user = User.objects.filter(username=who).first()
    if user is None:
        raise TournamentError("people/unknown", _("There is nobody called %(who)s."), who=who)
    return of_user(user)


def everything(person: DataSubject) -> dict[str, Any]:
    """Rows by table, and what he did at the tables he sat at; of other people only the numbers of rows."""
    rows = {model._meta.label_lower: [_row(one, person) for one in found] for model, found in _rows(person)}
    return {
        "format": FORMAT,
        "made_at": timezone.now(),
        "refs": sorted(person.refs),
        "rows": {label: found for label, found in rows.items() if found},
        "acts": {game: acts for game in _games(person) if (acts := _acts(game, person.refs))},
    }


def erase(person: DataSubject) -> None:
    """Take names, notes and sign-ins away for good. Raises TournamentError `people/seated` while he sits in a
    round that is not closed, `people/in_charge` while he is an official of a championship not yet finished.
    """
    with transaction.atomic():
        concerned = {entry.championship_id for entry in person.entries}
        if person.user is not None:  # officials stand below the regulations
            offices = Official.objects.filter(user=person.user)
            concerned |= set(offices.values_list("championship", flat=True))
        for championship in sorted(concerned):
            locks.lock_championship(championship)
        _refuse_if_needed(person)
        Dispute.objects.filter(_raised_by(person)).update(text="")
        Appeal.objects.filter(_raised_by(person)).update(reason="")
        # A file that is being written now would hold the name still: without its job it is not kept.
        written = [Job.Kind.EXPORT, Job.Kind.FILE, Job.Kind.PRINT, Job.Kind.COPY]
        Job.objects.filter(championship__in=concerned, kind__in=written).delete()
        for entry in person.entries:
            entry.call(TwoNames("", f"№ {entry.number}"))
            for field in TEXTS:
                setattr(entry, field, "")
            entry.birth_year = entry.consented_at = entry.user = None
            gone = (*Entry.NAMES, *TEXTS, "birth_year", "consented_at", "user")
            entry.save(update_fields=gone)
        photos.erase_where_seated(person.entries)
        forget_subscriptions(Q(entry__in=person.entries) | Q(user=person.user, user__isnull=False))
        for on_a_roll in person.persons:
            rolls.blank(on_a_roll)
        if person.user is not None:
            _erase_account(person.user)
        for made in Championship.objects.filter(pk__in=concerned):
            storing.forget_files(made)


def _raised_by(person: DataSubject) -> Q:
    """What he raised, signed in or with the code of his seat."""
    by_ref = Q(raised_ref__in=person.refs)
    return by_ref if person.user is None else by_ref | Q(raised_by=person.user)


def _refuse_if_needed(person: DataSubject) -> None:
    seated = Seating.objects.filter(entry__in=person.entries).exclude(round__status=Round.Status.CLOSED)
    if seated.exists():
        raise TournamentError("people/seated", _("This person sits in a round that is not closed."))
    offices = Official.objects.filter(user=person.user).exclude(
        championship__status=Championship.Status.FINISHED
    )
    if person.user is not None and offices.exists():
        raise TournamentError(
            "people/in_charge", _("This person is an official of a championship that is not finished.")
        )


def _erase_account(user: User) -> None:
    """The row stays, because rulings lead to it; nobody can sign in with it, and it says nothing."""
    for model in SIGN_INS:
        model._default_manager.filter(username=user.username).delete()
    Session.objects.filter(pk__in=[session.pk for session in _sessions(user)]).delete()
    Access.objects.filter(user=user, role__in=[Role.SEAT, Role.SCORER, Role.SPECTATOR]).delete()
    user.username = f"erased-{secrets.token_hex(6)}"
    user.first_name = user.last_name = user.email = ""
    user.is_active = user.is_staff = user.is_superuser = False
    user.set_unusable_password()
    user.save()


def _rows(person: DataSubject) -> Iterator[tuple[type[Model], QuerySet[Model]]]:
    user, entries = person.user, [entry.pk for entry in person.entries]
    for label in ("games", "tournaments"):
        for model in apps.get_app_config(label).get_models():
            own = {
                Entry: entries,
                Person: [one.pk for one in person.persons],
                User: [user.pk] if user is not None else [],
            }
            his = Q(pk__in=own.get(model, ()))
            for key in _keys(model):
                if key.related_model is Entry:
                    his |= Q(**{f"{key.name}__in": entries})
                elif key.related_model is User and user is not None:
                    his |= Q(**{key.name: user})
            if any(field.name == "raised_ref" for field in model._meta.concrete_fields):
                his |= Q(raised_ref__in=person.refs)
            yield model, model._default_manager.filter(his).order_by("pk")
    if user is not None:
        for model in SIGN_INS:
            yield model, model._default_manager.filter(username=user.username).order_by("pk")
        yield Session, Session._default_manager.filter(pk__in=[session.pk for session in _sessions(user)])


def _keys(model: type[Model]) -> "list[ForeignKey[Model, Model]]":
    return [field for field in model._meta.concrete_fields if isinstance(field, ForeignKey)]


def _row(one: Model, person: DataSubject) -> dict[str, Any]:
    written = WRITTEN.get(type(one), {})
    row: dict[str, Any] = {}
    for field in one._meta.concrete_fields:
        value = getattr(one, field.attname)
        if field.name in NOT_HIS or (isinstance(one, Session) and field.name != "expire_date"):
            continue
        if getattr(field, "related_model", None) is User:
            if person.user is not None and value == person.user.pk:
                row[field.name] = person.user.username
        elif field.name not in written or _wrote(one, written[field.name], person):
            row[field.name] = value
    return row


def _wrote(one: Model, author: str, person: DataSubject) -> bool:
    if person.user is not None and getattr(one, f"{author}_id") == person.user.pk:
        return True
    return author == "raised_by" and getattr(one, "raised_ref", "") in person.refs


def _games(person: DataSubject) -> list[str]:
    seated = Seating.objects.filter(entry__in=person.entries, table__game__isnull=False)
    return list(seated.order_by("pk").values_list("table__game", flat=True))


def _acts(game: str, refs: frozenset[str]) -> list[dict[str, Any]]:
    """What he did at a table, without what is still secret."""
    return [
        {"seq": event.seq, "recorded_at": event.recorded_at, "type": event.type, **event.body}
        for event in store.read(game, parts=False)
        if event.actor in refs
    ]


def _sessions(user: User) -> list[Session]:
    return [s for s in Session.objects.all() if s.get_decoded().get(SESSION_KEY) == str(user.pk)]
