"""Rendering of notices just before they are sent: they are rechecked, worded, encrypted and signed."""

import logging
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

import msgspec
from django.utils import timezone

from engine import Refused
from games.encryption import DataKeyError, DecryptionError
from tournaments.models import Entry, Official, Round
from tournaments.models.notice import Notice, Subscription
from tournaments.notices.endpoints import parse_endpoint
from tournaments.notices.keys import PushKey, PushKeyError, base64url, push_key
from tournaments.notices.marking import end_notices, postpone_notice
from tournaments.notices.message_encryption import encrypt_message
from tournaments.notices.occasions import (
    SETTLE_DELAY,
    PlaceInRound,
    describe_occasion,
    parse_chair,
    places_in_round,
    strip_counter,
)
from tournaments.notices.subscriptions import decrypt_endpoint
from tournaments.notices.webpush_client import Letter

VERSION: Final = 1
"""Version of the payload. A service worker that does not know the version shows the fields that it knows."""

log = logging.getLogger(__name__)


class NoticeWords(NamedTuple):
    """Texts of a notice. `path`: path of the page that a tap opens."""

    title: str
    body: str
    path: str


Words = Callable[[Subscription, PlaceInRound, bool], NoticeWords]
"""Renders a notice in the language of its subscription.

The last argument: whether the phone already got a notice of another place of the round's draw."""
_words: list[Callable[[Round], Words]] = []


def register_words(words: Callable[[Round], Words]) -> None:
    """Register the frontend's function that prepares the texts of a round's notices.

    The function loads the data of the round once for many phones.
    """
    _words[:] = [words]


class _Batch:
    """Data read once for all notices of a batch: at most three queries, and those of each round's places and
    texts.
    """

    def __init__(self, batch: Sequence[Notice]) -> None:
        rounds = {notice.round_id: notice.round for notice in batch}
        for notice in batch:
            rounds[notice.round_id].championship = notice.subscription.entry.championship
        self.places = {pk: places_in_round(round_) for pk, round_ in rounds.items()}
        self.words = {pk: _words[0](round_) for pk, round_ in rounds.items()}
        closed = {round_.championship_id for round_ in rounds.values() if not round_.championship.public}
        self._inside: set[tuple[int, int | None]] = set()
        for model in (Entry, Official):
            rows = model._default_manager.filter(championship__in=closed, user__isnull=False)
            self._inside |= set(rows.values_list("championship", "user")) if closed else set()
        phones = [notice.subscription_id for notice in batch]
        earlier = Notice.objects.filter(subscription__in=phones, round__in=rounds)
        self._told: dict[tuple[int, int], list[tuple[int, str]]] = {}
        for phone, round_key, pk, occasion in earlier.values_list("subscription", "round", "pk", "occasion"):
            self._told.setdefault((phone, round_key), []).append((pk, occasion))

    def may_read(self, subscription: Subscription) -> bool:
        """Return whether the subscriber may see the championship. Only members may see a private one."""
        championship = subscription.entry.championship
        return championship.public or (championship.pk, subscription.user_id) in self._inside

    def was_elsewhere(self, notice: Notice) -> bool:
        """Return whether this phone already got a notice of another chair in the notice's draw."""
        draw, chair = parse_chair(notice.occasion)
        earlier = [one for pk, one in self._told[notice.subscription_id, notice.round_id] if pk < notice.pk]
        return any(before == draw and was != chair for before, was in map(parse_chair, earlier))


def render_letters(batch: Sequence[Notice]) -> Iterator[Letter]:
    """Yield a message for each notice that is still true; end or postpone the others."""
    try:
        key = push_key()
    except PushKeyError as error:
        log.warning("phones are told nothing: %s (%s)", error.detail, error.code)
        end_notices(batch)
        return
    known = _Batch(batch)
    for notice in batch:
        place = known.places[notice.round_id].get(notice.subscription.entry_id)
        if place is None or not _is_still_true(notice, place) or not known.may_read(notice.subscription):
            end_notices([notice])
            continue
        try:
            words = known.words[notice.round_id](notice.subscription, place, known.was_elsewhere(notice))
            yield _build_letter(notice, words, key)
        except LookupError:  # chairs were changed between two queries
            postpone_notice(notice, SETTLE_DELAY.total_seconds())
        except (Refused, DataKeyError, DecryptionError, ValueError) as error:
            log.warning("a phone cannot be told: %s", getattr(error, "code", type(error).__name__))
            end_notices([notice])


def _is_still_true(notice: Notice, place: PlaceInRound) -> bool:
    same = describe_occasion(notice.round, place) == strip_counter(notice.occasion)
    return same and notice.until >= timezone.now()


def _build_letter(notice: Notice, words: NoticeWords, key: PushKey) -> Letter:
    """Build the message of a notice. Raises Refused `notices/endpoint…`, DataKeyError, DecryptionError,
    ValueError.
    """
    subscription = notice.subscription
    kept = decrypt_endpoint(subscription)
    # the operator's allowed hosts may have changed
    endpoint = parse_endpoint(kept.url, kept.p256dh, kept.auth)
    topic = base64url(bytes.fromhex(subscription.mark)[:15] + notice.round_id.to_bytes(8, "big"))
    payload = {
        "v": VERSION,
        "title": _clip(words.title, 160),
        "body": _clip(words.body, 900),
        "path": words.path,
        "tag": topic,
        "lang": subscription.language,
    }
    headers = {
        "TTL": str(max(0, int((notice.until - timezone.now()).total_seconds()))),
        "Topic": topic,
        "Urgency": "high",
        "Content-Type": "application/octet-stream",
        "Content-Encoding": "aes128gcm",
        "Authorization": key.authorization(endpoint.origin),
    }
    body = encrypt_message(msgspec.json.encode(payload), endpoint.point, endpoint.secret)
    return Letter(notice.pk, endpoint.host, endpoint.path, headers, body)


def _clip(text: str, most: int) -> str:
    """Truncate a text to at most `most` bytes in UTF-8."""
    data = text.encode()
    return text if len(data) <= most else data[: most - 3].decode(errors="ignore") + "…"
