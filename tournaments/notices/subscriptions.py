"""Who is told: phones that asked for it on the page of a person, which anybody may open who may see it."""

from collections.abc import Generator
from datetime import timedelta
from typing import Final

import msgspec
from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games import encryption
from games.errors import TooMuch
from games.messaging.rate_limit import Budget
from games.models import User
from tournaments.errors import TournamentError
from tournaments.models import Championship, Entry, Round
from tournaments.models.notice import Notice, Subscription
from tournaments.notices.endpoints import Endpoint
from tournaments.notices.keys import public_push_key
from tournaments.notices.occasions import new_notice, places_in_round

MOST_OF_ENTRY: Final = 12
"""Phones that are told about one person: his own, and those of who came with him."""
MOST_OF_PHONE: Final = 12
"""People about whom one phone is told."""
OF_ADDRESS: Final = Budget("notices-address", most=600, seconds=3600)
"""A hall, behind one address."""
LONGEST: Final = timedelta(days=60)
"""A subscription ends with the championship, or after so long."""
SALT: Final = "puur.notices"
BATCH: Final = 200


def subscribe(
    entry: Entry, endpoint: Endpoint, *, user: User | AnonymousUser | None, language: str, network: str
) -> Subscription:
    """From now on this phone is told about that person; pressed twice, or in two windows, it is once.
    `network`: from where it asks. Raises TournamentError `notices/…`, TooMuch `notices/too_often`.
    """
    if seconds := OF_ADDRESS.spend(network):
        raise TooMuch("too many phones asked", code="notices/too_often", minutes=-(-seconds // 60))
    if not public_push_key():
        raise TournamentError("notices/off", _("This platform tells no phones."))
    with transaction.atomic():
        locked = Entry.objects.select_for_update(no_key=True, of=("self",)).get(pk=entry.pk)
        _require_going_on(locked)
        mark = _mark(endpoint.url)
        row = Subscription.objects.filter(entry=locked, mark=mark).first()
        if row is None:
            _require_room(locked, mark)
            row = Subscription(entry=locked, mark=mark)
        row.language = language
        row.user = user if isinstance(user, User) else None
        _close(row, endpoint)
        row.save()
        _knows_already(row)
    return row


def unsubscribe(entry: Entry, url: str) -> int:
    """This phone is told about that person no more; about how many it is still."""
    mark = _mark(url)
    Subscription.objects.filter(entry=entry, mark=mark).delete()
    return Subscription.objects.filter(mark=mark).count()


def is_subscribed(entry: Entry, url: str) -> bool:
    return Subscription.objects.filter(entry=entry, mark=_mark(url)).exists()


def endpoint_in(row: Subscription) -> Endpoint:
    """Where the phone is reached. Raises DataKeyError, CannotBeOpened."""
    text = encryption.keys_in_use().open(row.key, bytes(row.closed), _place(row.entry_id, row.mark))
    return msgspec.json.decode(text, type=Endpoint)


def follow_merge(keep: Entry, strike: Entry) -> None:
    """Two entries were one person: who is told about the struck one is told about the one that stays. A row
    is bound to its entry, so it is closed again; a phone that cannot be reached any more is forgotten."""
    known = set(Subscription.objects.filter(entry=keep).values_list("mark", flat=True))
    for row in Subscription.objects.filter(entry=strike).exclude(mark__in=known):
        endpoint = _reached_at(row)
        if endpoint is not None:
            row.entry = keep
            _close(row, endpoint)
            row.save(update_fields=["entry", "key", "closed"])
    Subscription.objects.filter(entry=strike).delete()


def move(before: str, endpoint: Endpoint, *, network: str) -> int:
    """A browser is reached elsewhere than `before`, which it alone knows: whatever this phone is told goes
    there; about how many people. `network`: from where it says so. Raises TooMuch `notices/too_often`.
    """
    if seconds := OF_ADDRESS.spend(network):
        raise TooMuch("too many phones asked", code="notices/too_often", minutes=-(-seconds // 60))
    mark = _mark(endpoint.url)
    with transaction.atomic():
        rows = [
            *Subscription.objects.select_for_update(no_key=True).filter(mark=_mark(before)).order_by("pk")
        ]
        if mark == _mark(before):
            return len(rows)
        known = {*Subscription.objects.filter(mark=mark).values_list("entry", flat=True)}
        for row in rows:
            if row.entry_id in known:
                row.delete()
                continue
            row.mark = mark
            _close(row, endpoint)
            row.save(update_fields=["mark", "key", "closed"])
    return len(rows)


def close_endpoints_again() -> Generator[int, None, None]:
    """Close under the newest data key where phones are reached that another one has closed; yields how many
    rows each step has done. What cannot be opened is left: that phone is told nothing more anyway.
    """
    after = 0
    while True:
        with transaction.atomic():
            older = Subscription.objects.filter(pk__gt=after).exclude(key=encryption.keys_in_use().newest)
            rows = [*older.select_for_update(no_key=True).order_by("pk")[:BATCH]]
            done = sum(map(_closed_again, rows))
        if not rows:
            return
        yield done
        after = rows[-1].pk


def _closed_again(row: Subscription) -> bool:
    endpoint = _reached_at(row)
    if endpoint is not None:
        _close(row, endpoint)
        row.save(update_fields=["key", "closed"])
    return endpoint is not None


def _reached_at(row: Subscription) -> Endpoint | None:
    """None: what closed it is gone, and with it the way to that phone."""
    try:
        return endpoint_in(row)
    except (encryption.CannotBeOpened, encryption.DataKeyError):
        return None


def forget_subscriptions(of: Q) -> int:
    """These are told no more; how many there were."""
    return Subscription.objects.filter(of).delete()[0]


def forget_what_is_over() -> int:
    """Championships that are over or in the archive, and what is too old; how many rows."""
    over = Q(entry__championship__status=Championship.Status.FINISHED)
    shelved = Q(entry__championship__archived_at__isnull=False)
    return forget_subscriptions(over | shelved | Q(made_at__lt=timezone.now() - LONGEST))


def _require_going_on(entry: Entry) -> None:
    rows = Championship.objects.filter(pk=entry.championship_id, archived_at=None)
    if not rows.exclude(status=Championship.Status.FINISHED).exists():
        raise TournamentError("notices/over", _("The championship is over: there is nothing more to tell."))
    if entry.status == Entry.Status.WITHDRAWN:
        raise TournamentError(
            "notices/withdrawn", pgettext_lazy("notices", "This person does not take part any more.")
        )


def _require_room(entry: Entry, mark: str) -> None:
    """The newest phone takes the place of the oldest that never took a letter: addresses that lead nowhere
    keep nobody out.
    """
    if Subscription.objects.filter(mark=mark).count() >= MOST_OF_PHONE:
        raise TournamentError(
            "notices/too_many_people", _("This phone is told about as many people as possible already.")
        )
    phones = Subscription.objects.filter(entry=entry)
    if phones.count() < MOST_OF_ENTRY:
        return
    took = Notice.objects.filter(subscription=OuterRef("pk"), answer__gte=200, answer__lt=300)
    oldest = phones.filter(~Exists(took)).order_by("made_at", "pk").first()
    if oldest is None:
        raise TournamentError(
            "notices/too_many_phones", _("As many phones as possible are told about this person already.")
        )
    oldest.delete()


def _knows_already(row: Subscription) -> None:
    """What stands on the page on which the button was pressed is not told once more."""
    going_on = (Round.Status.DRAWN, Round.Status.OPEN)
    now = timezone.now()
    for round_ in Round.objects.filter(championship=row.entry.championship_id, status__in=going_on):
        place = places_in_round(round_).get(row.entry_id)
        told = Notice.objects.filter(subscription=row, round=round_).exists()
        notice = new_notice(round_, row, place, (), now) if place is not None and not told else None
        if notice is not None:
            notice.ended_at = now
            notice.save()


def _close(row: Subscription, endpoint: Endpoint) -> None:
    """Under the newest key, for the entry and the mark that the row has now."""
    ring = encryption.keys_in_use()
    row.key = ring.newest
    row.closed = ring.close(msgspec.json.encode(endpoint), _place(row.entry_id, row.mark))


def _mark(url: str) -> str:
    return salted_hmac(SALT, url, algorithm="sha256").hexdigest()


def _place(entry: int, mark: str) -> bytes:
    """To what a closed endpoint is bound: in another row it does not open."""
    return f"puur/subscription/1\0{entry}\0{mark}".encode()
