"""What is written to a phone: looked at once more just before, put into words, closed, and signed."""

import logging
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

import msgspec
from django.utils import timezone

from engine import Refused
from games.encryption import CannotBeOpened, DataKeyError
from tournaments.models import Entry, Official, Round
from tournaments.models.notice import Notice, Subscription
from tournaments.notices.endpoints import endpoint_of
from tournaments.notices.keys import PushKey, PushKeyError, base64url, push_key
from tournaments.notices.marking import end_notices, postpone_notice
from tournaments.notices.message_encryption import close_message
from tournaments.notices.occasions import (
    SETTLES,
    PlaceInRound,
    chair_told,
    occasion_of,
    places_in_round,
    without_count,
)
from tournaments.notices.subscriptions import endpoint_in
from tournaments.notices.webpush_client import Letter

VERSION: Final = 1
"""Of what a worker in a browser reads; one that knows another version shows what it finds."""

log = logging.getLogger(__name__)


class NoticeWords(NamedTuple):
    """What a phone shows; `path`: what a tap opens, on this platform."""

    title: str
    body: str
    path: str


Words = Callable[[Subscription, PlaceInRound, bool], NoticeWords]
"""The words of a notice in the language of its subscription. The last argument: whether the phone was told
another place by the same draw."""
_words: list[Callable[[Round], Words]] = []


def teach_words(words: Callable[[Round], Words]) -> None:
    """How it is put: the pages know. What it needs of a round is read once for many phones."""
    _words[:] = [words]


class _Batch:
    """What is read once for all notices of a batch: six queries, and those of each round."""

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
        """Of a championship that is not public, only who takes part in it now."""
        championship = subscription.entry.championship
        return championship.public or (championship.pk, subscription.user_id) in self._inside

    def was_elsewhere(self, notice: Notice) -> bool:
        """Whether this phone was told another chair by the same draw."""
        draw, chair = chair_told(notice.occasion)
        earlier = [one for pk, one in self._told[notice.subscription_id, notice.round_id] if pk < notice.pk]
        return any(before == draw and was != chair for before, was in map(chair_told, earlier))


def letters_of(batch: Sequence[Notice]) -> Iterator[Letter]:
    """A letter for each notice that is still so; the others end."""
    try:
        key = push_key()
    except PushKeyError as error:
        log.warning("phones are told nothing: %s (%s)", error.detail, error.code)
        end_notices(batch)
        return
    known = _Batch(batch)
    for notice in batch:
        place = known.places[notice.round_id].get(notice.subscription.entry_id)
        if place is None or not _is_still_so(notice, place) or not known.may_read(notice.subscription):
            end_notices([notice])
            continue
        try:
            words = known.words[notice.round_id](notice.subscription, place, known.was_elsewhere(notice))
            yield _letter(notice, words, key)
        except LookupError:  # chairs were changed between two questions
            postpone_notice(notice, SETTLES.total_seconds())
        except (Refused, DataKeyError, CannotBeOpened, ValueError) as error:
            log.warning("a phone cannot be told: %s", getattr(error, "code", type(error).__name__))
            end_notices([notice])


def _is_still_so(notice: Notice, place: PlaceInRound) -> bool:
    same = occasion_of(notice.round, place) == without_count(notice.occasion)
    return same and notice.until >= timezone.now()


def _letter(notice: Notice, words: NoticeWords, key: PushKey) -> Letter:
    """Raises Refused `notices/endpoint…`, DataKeyError, CannotBeOpened, ValueError."""
    subscription = notice.subscription
    kept = endpoint_in(subscription)
    endpoint = endpoint_of(kept.url, kept.p256dh, kept.auth)  # what an operator allows may have changed
    topic = base64url(bytes.fromhex(subscription.mark)[:15] + notice.round_id.to_bytes(8, "big"))
    said = {
        "v": VERSION,
        "title": _clipped(words.title, 160),
        "body": _clipped(words.body, 900),
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
    body = close_message(msgspec.json.encode(said), endpoint.point, endpoint.secret)
    return Letter(notice.pk, endpoint.host, endpoint.path, headers, body)


def _clipped(text: str, most: int) -> str:
    """So many bytes at most, as UTF-8."""
    data = text.encode()
    return text if len(data) <= most else data[: most - 3].decode(errors="ignore") + "…"
