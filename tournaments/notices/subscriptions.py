"""Subscriptions of phones to persons. Anyone who may see a person's page can subscribe to the person."""

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

MAX_OF_ENTRY: Final = 12
"""Largest number of phones per person: the person's own, and companions' phones."""
MAX_OF_PHONE: Final = 12
"""Largest number of persons per phone."""
ADDRESS_BUDGET: Final = Budget("notices-address", most=600, seconds=3600)
"""Limit of requests per network address; enough for a hall whose phones share one address."""
MAX_LIFETIME: Final = timedelta(days=60)
"""Age at which a subscription is deleted if its championship has not ended before."""
SALT: Final = "puur.notices"
BATCH_SIZE: Final = 200


def subscribe(
    entry: Entry, endpoint: Endpoint, *, user: User | AnonymousUser | None, language: str, network: str
) -> Subscription:
    """Subscribe this phone to a person. Idempotent. `network`: network of the request.

    If the person has MAX_OF_ENTRY phones, the oldest subscription that never got a message is deleted. Raises
    TournamentError `notices/…`, TooMuch `notices/too_often`.
    """
    if seconds := ADDRESS_BUDGET.spend(network):
        raise TooMuch("too many phones asked", code="notices/too_often", minutes=-(-seconds // 60))
    if not public_push_key():
        raise TournamentError("notices/off", _("This platform sends no messages to phones."))
    with transaction.atomic():
        locked = Entry.objects.select_for_update(no_key=True, of=("self",)).get(pk=entry.pk)
        _require_going_on(locked)
        mark = _endpoint_mark(endpoint.url)
        row = Subscription.objects.filter(entry=locked, mark=mark).first()
        if row is None:
            _require_room(locked, mark)
            row = Subscription(entry=locked, mark=mark)
        row.language = language
        row.user = user if isinstance(user, User) else None
        _encrypt_endpoint(row, endpoint)
        row.save()
        _record_as_told(row)
    return row


def unsubscribe(entry: Entry, url: str) -> int:
    """Unsubscribe this phone from a person; return the number of persons to whom it is still subscribed."""
    mark = _endpoint_mark(url)
    Subscription.objects.filter(entry=entry, mark=mark).delete()
    return Subscription.objects.filter(mark=mark).count()


def is_subscribed(entry: Entry, url: str) -> bool:
    return Subscription.objects.filter(entry=entry, mark=_endpoint_mark(url)).exists()


def decrypt_endpoint(row: Subscription) -> Endpoint:
    """Decrypt the endpoint of a subscription. Raises DataKeyError, DecryptionError."""
    text = encryption.keys_in_use().decrypt(
        row.key, bytes(row.closed), _associated_data(row.entry_id, row.mark)
    )
    return msgspec.json.decode(text, type=Endpoint)


def follow_merge(keep: Entry, strike: Entry) -> None:
    """Move the subscriptions of the merged entry `strike` to the entry `keep`.

    The encryption of a row is bound to its entry, so the row is encrypted again. It is deleted if that is
    impossible, or `keep` has its phone already.
    """
    known = set(Subscription.objects.filter(entry=keep).values_list("mark", flat=True))
    for row in Subscription.objects.filter(entry=strike).exclude(mark__in=known):
        endpoint = _try_endpoint(row)
        if endpoint is not None:
            row.entry = keep
            _encrypt_endpoint(row, endpoint)
            row.save(update_fields=["entry", "key", "closed"])
    Subscription.objects.filter(entry=strike).delete()


def move_subscriptions(before: str, endpoint: Endpoint, *, network: str) -> int:
    """Move all subscriptions of a browser to a new endpoint; return their number.

    `before`: address of the old endpoint; knowledge of it authenticates the browser. `network`: as for
    `subscribe`. A subscription is deleted, but counted, if the new endpoint is subscribed to its person
    already. Raises TooMuch `notices/too_often`.
    """
    if seconds := ADDRESS_BUDGET.spend(network):
        raise TooMuch("too many phones asked", code="notices/too_often", minutes=-(-seconds // 60))
    mark = _endpoint_mark(endpoint.url)
    with transaction.atomic():
        rows = [
            *Subscription.objects.select_for_update(no_key=True)
            .filter(mark=_endpoint_mark(before))
            .order_by("pk")
        ]
        if mark == _endpoint_mark(before):
            return len(rows)
        known = {*Subscription.objects.filter(mark=mark).values_list("entry", flat=True)}
        for row in rows:
            if row.entry_id in known:
                row.delete()
                continue
            row.mark = mark
            _encrypt_endpoint(row, endpoint)
            row.save(update_fields=["mark", "key", "closed"])
    return len(rows)


def reencrypt_endpoints() -> Generator[int, None, None]:
    """Encrypt the endpoints of subscriptions again under the newest data key, in steps. Yields after each
    step the number of rows that it encrypted.

    Rows that cannot be decrypted stay as they are: their phones can no longer get messages.
    """
    after = 0
    while True:
        with transaction.atomic():
            older = Subscription.objects.filter(pk__gt=after).exclude(key=encryption.keys_in_use().newest)
            rows = [*older.select_for_update(no_key=True).order_by("pk")[:BATCH_SIZE]]
            done = sum(map(_reencrypt, rows))
        if not rows:
            return
        yield done
        after = rows[-1].pk


def _reencrypt(row: Subscription) -> bool:
    endpoint = _try_endpoint(row)
    if endpoint is not None:
        _encrypt_endpoint(row, endpoint)
        row.save(update_fields=["key", "closed"])
    return endpoint is not None


def _try_endpoint(row: Subscription) -> Endpoint | None:
    """Return the decrypted endpoint; None if it cannot be decrypted."""
    try:
        return decrypt_endpoint(row)
    except (encryption.DecryptionError, encryption.DataKeyError):
        return None


def forget_subscriptions(of: Q) -> int:
    """Delete the subscriptions that match the filter; return the number of deleted rows, notices included."""
    return Subscription.objects.filter(of).delete()[0]


def forget_finished() -> int:
    """Delete subscriptions of finished or archived championships, and those older than MAX_LIFETIME.

    Returns the number of deleted rows, notices included.
    """
    over = Q(entry__championship__status=Championship.Status.FINISHED)
    shelved = Q(entry__championship__archived_at__isnull=False)
    return forget_subscriptions(over | shelved | Q(made_at__lt=timezone.now() - MAX_LIFETIME))


def _require_going_on(entry: Entry) -> None:
    rows = Championship.objects.filter(pk=entry.championship_id, archived_at=None)
    if not rows.exclude(status=Championship.Status.FINISHED).exists():
        raise TournamentError("notices/over", _("The championship is over: there will be no more messages."))
    if entry.status == Entry.Status.WITHDRAWN:
        raise TournamentError(
            "notices/withdrawn", pgettext_lazy("notices", "This person no longer takes part.")
        )


def _require_room(entry: Entry, mark: str) -> None:
    """Raise TournamentError if the phone has too many persons, or the person too many phones.

    If the person has too many, the oldest subscription that never got a message is deleted instead, so that
    dead endpoints do not block new ones.
    """
    if Subscription.objects.filter(mark=mark).count() >= MAX_OF_PHONE:
        raise TournamentError(
            "notices/too_many_people", _("This phone already follows as many people as possible.")
        )
    phones = Subscription.objects.filter(entry=entry)
    if phones.count() < MAX_OF_ENTRY:
        return
    took = Notice.objects.filter(subscription=OuterRef("pk"), answer__gte=200, answer__lt=300)
    oldest = phones.filter(~Exists(took)).order_by("made_at", "pk").first()
    if oldest is None:
        raise TournamentError(
            "notices/too_many_phones", _("This person is already followed by as many phones as possible.")
        )
    oldest.delete()


def _record_as_told(row: Subscription) -> None:
    """Record the person's present seat as already sent, because the page with the button shows it."""
    going_on = (Round.Status.DRAWN, Round.Status.OPEN)
    now = timezone.now()
    for round_ in Round.objects.filter(championship=row.entry.championship_id, status__in=going_on):
        place = places_in_round(round_).get(row.entry_id)
        told = Notice.objects.filter(subscription=row, round=round_).exists()
        notice = new_notice(round_, row, place, (), now) if place is not None and not told else None
        if notice is not None:
            notice.ended_at = now
            notice.save()


def _encrypt_endpoint(row: Subscription, endpoint: Endpoint) -> None:
    """Store the endpoint in the row, encrypted under the newest key and bound to the row's present entry and
    mark.
    """
    ring = encryption.keys_in_use()
    row.key = ring.newest
    row.closed = ring.encrypt(msgspec.json.encode(endpoint), _associated_data(row.entry_id, row.mark))


def _endpoint_mark(url: str) -> str:
    return salted_hmac(SALT, url, algorithm="sha256").hexdigest()


def _associated_data(entry: int, mark: str) -> bytes:
    """Return the associated data of a row's encryption, so that the endpoint cannot be decrypted in another
    row.
    """
    return f"puur/subscription/1\0{entry}\0{mark}".encode()
