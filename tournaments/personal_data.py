"""Export and erasure of a person's data.

The log contains random references instead of names, so erasure does not change it: replays, hashes and
rankings stay the same. The tables to export follow from the models: all that refer to an account or an entry.
"""

import secrets
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.apps import apps
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import BinaryField, ForeignKey, Model, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games import store
from games.models import Access, User
from games.models.accounts import Role
from tournaments.archive import contents, storing
from tournaments.clubs import rolls
from tournaments.errors import TournamentError
from tournaments.models import (
    AccountMail,
    Appeal,
    Championship,
    Dispute,
    Entry,
    Invitation,
    Job,
    Official,
    OutsidePerson,
    PasswordReset,
    Person,
    Round,
    Seating,
    SignedInSession,
)
from tournaments.names import TwoNames
from tournaments.notices.subscriptions import forget_subscriptions
from tournaments.services import locks
from tournaments.services.entries import own_partner
from tournaments.services.people import name_visibility
from tournaments.services.scores import photos

FORMAT: Final = "puur/person/1"
ERASED: Final = "erased-"
"""Prefix of the usernames of erased accounts. Their rows stay, because rulings refer to them."""
IS_ERASED: Final = Q(username__regex=f"^{ERASED}[0-9a-f]{{12}}$", is_active=False)
WRITTEN: Final[dict[type[Model], dict[str, str]]] = {
    Dispute: {"text": "raised_by", "answer": "ruled_by"},
    Appeal: {"reason": "raised_by", "answer": "decided_by"},
}
"""Text columns of a table, each with the column of its author. An export leaves out texts of other authors.
"""
TEXTS: Final = ("club", "licence", "note", "email", "category")
"""Text columns of an entry besides its names."""
NOT_EXPORTED: Final = {
    "password",
    "digest",
    "session",
    "params",
    "result",
    "session_hash",
    "mark",
    "key",
    "closed",
    "salt",
    "ranking",
    "notes",
}
"""Columns with secrets, data about other people, or encrypted push endpoints."""


@dataclass(frozen=True)
class DataSubject:
    """The person whose data is exported or erased: with an account (`user`) or without.

    `refs`: references in streams; `persons`: rows on club rolls.
    """

    user: User | None
    entries: tuple[Entry, ...]
    refs: frozenset[str]
    persons: tuple[Person, ...] = ()


def load_user_subject(user: User) -> DataSubject:
    """Load the person of an account."""
    persons = tuple(Person.objects.filter(Q(user=user) | Q(entries__user=user)).distinct())
    own = Q(user=user) | Q(person__in=persons, user=None)
    entries = _with_starts(Entry.objects.filter(own).select_related("championship"))
    given = (model.objects.filter(user=user).values_list("ref", flat=True) for model in (Official, Access))
    return DataSubject(user, entries, frozenset(entry.player_ref for entry in entries).union(*given), persons)


def load_person_subject(person: Person) -> DataSubject:
    """Load a person of a club's roll, with the entries that have no account.

    Entries with an account belong to the account's person.
    """
    entries = _with_starts(person.entries.filter(user=None).select_related("championship"))
    return DataSubject(None, entries, frozenset(entry.player_ref for entry in entries), (person,))


def find_subject(who: str) -> DataSubject:
    """Find a person by username, or by `slug/number` of an entry.

    Raises TournamentError `people/unknown`.
    """
    slug, slash, number = who.rpartition("/")
    if slash and number.isdecimal():
        known = Entry.objects.select_related("championship", "user", "person", "start_of__championship")
        entry = known.filter(championship__slug=slug, number=int(number[:9])).first()
        if entry is not None:
            if entry.user is not None:
                return load_user_subject(entry.user)
            if entry.person is not None:
                return load_person_subject(entry.person)
            entries = _with_starts([entry.start_of or entry])
            return DataSubject(None, entries, frozenset(one.player_ref for one in entries))
    user = User.objects.filter(username=who).first()
    if user is None:
        raise TournamentError("people/unknown", _("There is nobody called %(who)s."), who=who)
    return load_user_subject(user)


def _with_starts(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Return the entries, followed by the further starts of their persons."""
    own = list(entries)
    known = {entry.pk for entry in own}
    further = Entry.objects.filter(start_of__in=known).exclude(pk__in=known).select_related("championship")
    return (*own, *further)


def export_data(person: DataSubject) -> dict[str, Any]:
    """Return the rows of a person by table, and the person's acts at their tables, as data for JSON.

    Rows of other people appear only by their id.
    """
    rows = {
        _row_label(model): [_encode_row(one, person) for one in found]
        for model, found in _related_rows(person)
    }
    return {
        "format": FORMAT,
        "made_at": timezone.now(),
        "refs": sorted(person.refs),
        "rows": {label: found for label, found in rows.items() if found},
        "acts": {game: acts for game in _game_ids(person) if (acts := _list_acts(game, person.refs))},
    }


def count_rows(person: DataSubject) -> dict[str, int]:
    """Count the rows of `export_data` by table, empty tables left out. Sessions are counted in one of their
    two tables only.
    """
    found = _related_rows(person, sessions=False)
    counted = {_row_label(model): rows.count() for model, rows in found}
    return {label: number for label, number in counted.items() if number}


def _row_label(model: type[Model]) -> str:
    """Return the name of a database table in the data of a person."""
    return f"{model._meta.app_label}.{contents.table_label(model)}"


def erase_data(person: DataSubject) -> None:
    """Erase the person's names, texts, photos, subscriptions and means to sign in, and files with names.

    Raises TournamentError `people/seated` while the person sits in a round that is not closed,
    `people/in_charge` while they are an official of an unfinished championship.
    """
    with transaction.atomic():
        concerned = {entry.championship_id for entry in person.entries}
        if person.user is not None:  # offices block erasing
            offices = Official.objects.filter(user=person.user)
            concerned |= set(offices.values_list("championship", flat=True))
        for championship in sorted(concerned):
            locks.lock_championship(championship)
        _refuse_if_needed(person)
        Dispute.objects.filter(_raised_by(person)).update(text="")
        Appeal.objects.filter(_raised_by(person)).update(reason="")
        forget_written_files(concerned)
        own_partner.forget_named(person.entries)
        for entry in person.entries:
            entry.call(TwoNames("", f"№ {entry.number}"))
            for field in TEXTS:
                setattr(entry, field, "")
            entry.birth_year = entry.consented_at = entry.unnamed_since = entry.user = None
            gone = (*Entry.NAMES, *TEXTS, "birth_year", "consented_at", "unnamed_since", "user")
            entry.save(update_fields=gone)
        photos.erase_where_seated(person.entries)
        forget_subscriptions(Q(entry__in=person.entries) | Q(user=person.user, user__isnull=False))
        for on_a_roll in person.persons:
            rolls.erase_person(on_a_roll)
        if person.user is not None:
            _erase_account(person.user)
        for championship in concerned:
            name_visibility.update_unnamed(championship)


def forget_written_files(championships: Collection[int]) -> None:
    """Delete stored files with names of these championships, and the jobs that write such files."""
    # A job in progress would write a file with the name; without its row the file is not stored.
    written = [Job.Kind.EXPORT, Job.Kind.FILE, Job.Kind.PRINT, Job.Kind.COPY]
    Job.objects.filter(championship__in=championships, kind__in=written).delete()
    for made in Championship.objects.filter(pk__in=championships):
        storing.forget_files(made)


def require_not_erased(user: User) -> None:
    """Raise TournamentError `accounts/erased` if the account's person was erased. Such an account stays
    unusable.
    """
    if User.objects.filter(IS_ERASED, pk=user.pk).exists():
        raise TournamentError("accounts/erased", _("This account has been erased for good."))


def _raised_by(person: DataSubject) -> Q:
    """Return the filter of disputes and appeals by the person, as an account or by the code of their seat."""
    by_ref = Q(raised_ref__in=person.refs)
    return by_ref if person.user is None else by_ref | Q(raised_by=person.user)


def _refuse_if_needed(person: DataSubject) -> None:
    seated = Seating.objects.filter(entry__in=person.entries).exclude(round__status=Round.Status.CLOSED)
    if seated.exists():
        raise TournamentError("people/seated", _("This person is seated at a table that is not closed."))
    offices = Official.objects.filter(user=person.user).exclude(
        championship__status=Championship.Status.FINISHED
    )
    if person.user is not None and offices.exists():
        raise TournamentError(
            "people/in_charge", _("This person is an official of a championship that is not finished.")
        )


def _erase_account(user: User) -> None:
    """Anonymise the account. The row stays, because rulings refer to it; nobody can sign in with it."""
    for model in (Authenticator, EmailAddress, SocialAccount):
        model.objects.filter(user=user).delete()
    PasswordReset.objects.filter(user=user).delete()
    AccountMail.objects.filter(user=user).delete()
    Invitation.objects.filter(used_by=user).update(name="")
    _sessions(user).delete()
    Access.objects.filter(user=user, role__in=[Role.SEAT, Role.SCORER, Role.SPECTATOR]).delete()
    rolls.erase_founder(user)
    user.username = f"{ERASED}{secrets.token_hex(6)}"
    user.first_name = user.last_name = user.email = ""
    user.is_active = user.is_staff = user.is_superuser = False
    user.set_unusable_password()
    user.save()


def _related_rows(
    person: DataSubject, *, sessions: bool = True
) -> Iterator[tuple[type[Model], QuerySet[Model]]]:
    user, entries = person.user, [entry.pk for entry in person.entries]
    from_files = OutsidePerson.objects.filter(person__in=person.persons).values_list("pk", flat=True)
    for label in ("games", "tournaments", "account", "mfa", "socialaccount"):
        for model in apps.get_app_config(label).get_models():
            own = {
                Entry: entries,
                Person: [one.pk for one in person.persons],
                OutsidePerson: list(from_files),
                User: [user.pk] if user is not None else [],
            }
            selected = Q(pk__in=own.get(model, ()))
            for key in _foreign_keys(model):
                if key.related_model is Entry:
                    selected |= Q(**{f"{key.name}__in": entries})
                elif key.related_model is User and user is not None:
                    selected |= Q(**{key.name: user})
            if any(field.name == "raised_ref" for field in model._meta.concrete_fields):
                selected |= Q(raised_ref__in=person.refs)
            yield model, model._default_manager.filter(selected).order_by("pk")
    if user is not None and sessions:
        yield Session, _sessions(user)


def _sessions(user: User) -> QuerySet[Model]:
    listed = SignedInSession.objects.filter(user=user)
    return Session._default_manager.filter(pk__in=listed.values("pk"))


def _foreign_keys(model: type[Model]) -> "list[ForeignKey[Model, Model]]":
    return [field for field in model._meta.concrete_fields if isinstance(field, ForeignKey)]


def _encode_row(one: Model, person: DataSubject) -> dict[str, Any]:
    written = WRITTEN.get(type(one), {})
    row: dict[str, Any] = {}
    for field in one._meta.concrete_fields:
        value = getattr(one, field.attname)
        if field.name in NOT_EXPORTED or (isinstance(one, Session) and field.name != "expire_date"):
            continue
        if isinstance(field, BinaryField):  # files with other people
            continue
        if isinstance(one, Authenticator) and field.name == "data":  # secrets of the second factor
            continue
        if getattr(field, "related_model", None) is User:
            if person.user is not None and value == person.user.pk:
                row[field.name] = person.user.username
        elif field.name not in written or _is_author(one, written[field.name], person):
            row[field.name] = value
    return row


def _is_author(one: Model, author: str, person: DataSubject) -> bool:
    if person.user is not None and getattr(one, f"{author}_id") == person.user.pk:
        return True
    return author == "raised_by" and getattr(one, "raised_ref", "") in person.refs


def _game_ids(person: DataSubject) -> list[str]:
    seated = Seating.objects.filter(entry__in=person.entries, table__game__isnull=False)
    return list(seated.order_by("pk").values_list("table__game", flat=True))


def _list_acts(game: str, refs: frozenset[str]) -> list[dict[str, Any]]:
    """List the events of a game that the person caused, without secrets."""
    return [
        {"seq": event.seq, "recorded_at": event.recorded_at, "type": event.type, **event.body}
        for event in store.read(game, parts=False)
        if event.actor in refs
    ]
