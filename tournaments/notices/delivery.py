"""Delivery of notices: a push service takes each at most once. A notice is retried if nothing was written, or
the service answers 429 or 5xx.

A notice is claimed when its connection is open, just before writing. A failure before the claim loses
nothing. After the claim the phone may have the message even if no answer comes, so it is not repeated.
"""

import asyncio
import contextlib
import logging
from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest
from time import monotonic
from typing import Final

from django.db.models import QuerySet
from django.utils import timezone
from redis import Redis
from redis.exceptions import LockError
from redis.lock import Lock

from games import encryption
from games.messaging import redis_client, task_queue
from tournaments.models.notice import Notice, Subscription
from tournaments.notices.addresses import INTERNET, InsideAddress, Network
from tournaments.notices.marking import claim_notices, end_notices, postpone_notice
from tournaments.notices.occasions import SEND_TASK
from tournaments.notices.rendering import render_letters
from tournaments.notices.subscriptions import decrypt_endpoint
from tournaments.notices.webpush_client import (
    Letter,
    Line,
    Opened,
    Reply,
    close_lines,
    open_lines,
    write_letters,
)

BATCH_SIZE: Final = 60
"""Largest number of messages per batch.

A task stops after TIME_BUDGET_SECONDS to free the worker for bots and clocks; another task continues."""
LOOKED_AT: Final = 300
"""Number of due notices among which a batch is chosen."""
TIME_BUDGET_SECONDS: Final = 10.0
RETRY_WAITS_SECONDS: Final = (10, 30, 90, 300)
"""Waiting times before the next attempts, in seconds. The last one is repeated."""
REST_SECONDS: Final = 30.0
"""Pause of a push service that could not be reached, in seconds."""
MAX_RESTING: Final = 1000
LOCK_SECONDS: Final = 60
TOOK, GONE, LATER = range(200, 300), (404, 410), (429, *range(500, 600))

log = logging.getLogger(__name__)


_resting: dict[str, float] = {}
"""End of the pause by host, in seconds of this process's monotonic clock."""


def waiting_notices() -> "QuerySet[Notice]":
    """Return the notices that are due."""
    return Notice.objects.filter(sent_at=None, ended_at=None, due_at__lte=timezone.now())


def send_due(network: Network = INTERNET) -> int:
    """Send the due notices; return the number of messages written.

    Sends nothing while another worker holds the lock in Redis.
    """
    written = 0
    with _lock() as alone:
        if not alone:
            return 0
        began = monotonic()
        while monotonic() < began + TIME_BUDGET_SECONDS and (batch := _choose_batch()):
            now = _send_batch(network, batch)
            written += now
            if not now:  # nothing can be reached: the sweep tries again, and the worker is free
                return written
    if waiting_notices().exists():
        task_queue.send(SEND_TASK)
    return written


@contextlib.contextmanager
def _lock() -> Iterator[bool]:
    """Take a lock in Redis, and yield whether this worker may send.

    Without Redis every worker may; the claim of each notice then prevents sending it twice.
    """
    name = redis_client.key("notices", "telling")
    lock: Lock | None = None

    def take(redis: Redis) -> bool:
        nonlocal lock
        lock = redis.lock(name, timeout=LOCK_SECONDS)
        return bool(lock.acquire(blocking=False))

    def release(_: Redis) -> None:
        if lock is not None:
            with contextlib.suppress(LockError):  # it has expired, and another worker may hold it
                lock.release()

    got = redis_client.ask_redis(take, True)
    try:
        yield got
    finally:
        if got:
            redis_client.ask_redis(release, None)


def _choose_batch() -> list[Notice]:
    """Choose the oldest due notices, from each push service in turn, so that no service delays the others."""
    rows = waiting_notices().select_related(
        "subscription__entry__championship", "subscription__user", "round"
    )
    found: dict[str, list[Notice]] = {}
    for notice in rows.order_by("due_at", "pk")[:LOOKED_AT]:
        found.setdefault(_service_of(notice), []).append(notice)
    turns = zip_longest(*found.values())
    return [notice for turn in turns for notice in turn if notice is not None][:BATCH_SIZE]


def _service_of(notice: Notice) -> str:
    """Return the domain of the push service; "" if the endpoint cannot be decrypted."""
    try:
        return ".".join(decrypt_endpoint(notice.subscription).host.split(".")[-2:])
    except (encryption.DecryptionError, encryption.DataKeyError):
        return ""


def _send_batch(network: Network, batch: Iterable[Notice]) -> int:
    by_key = {notice.pk: notice for notice in batch}
    letters = [
        letter
        for letter in render_letters(list(by_key.values()))
        if not _postpone_if_paused(letter, by_key[letter.key])
    ]
    if not letters:
        return 0
    with asyncio.Runner() as runner:
        opened = runner.run(open_lines(network, letters))
        lines = _open_connections(letters, opened, by_key)
        claimed = claim_notices([line.letter.key for line in lines])
        runner.run(close_lines([line for line in lines if line.letter.key not in claimed]))
        replies = runner.run(write_letters([line for line in lines if line.letter.key in claimed]))
    hosts = {letter.key: letter.host for letter in letters}
    for key, reply in replies.items():
        _record_reply(by_key[key], hosts[key], reply)
    return len(replies)


def _postpone_if_paused(letter: Letter, notice: Notice) -> bool:
    """Postpone the notice while its service is paused; this does not count as an attempt."""
    left = _resting.get(letter.host, 0.0) - monotonic()
    if left > 0:
        postpone_notice(notice, left)
    return left > 0


def _open_connections(
    letters: Iterable[Letter], opened: Mapping[int, Opened], by_key: Mapping[int, Notice]
) -> list[Line]:
    """Return the connections that are open. Notices whose connection failed are ended or postponed."""
    lines = []
    for letter in letters:
        found = opened[letter.key]
        if isinstance(found, Line):
            lines.append(found)
        elif isinstance(found, InsideAddress):
            log.warning("notices/endpoint_inside: %s leads to an address of a network within", letter.host)
            end_notices([by_key[letter.key]])
        else:
            _pause_service(letter.host, str(found))
            by_key[letter.key].tries += 1
            _retry_later(by_key[letter.key])
    return lines


def _pause_service(host: str, why: str) -> None:
    """Pause a push service. Logs only the first pause before an answer: a hall without the Internet is no
    error.
    """
    if len(_resting) > MAX_RESTING:
        _resting.clear()
    if host not in _resting:
        log.warning("notices/no_way: %s cannot be reached (%s); phones are told later, or not", host, why)
    _resting[host] = monotonic() + REST_SECONDS


def _record_reply(notice: Notice, host: str, reply: Reply) -> None:
    """Store the push service's answer, and end or postpone the notice. A redirect is not followed.

    If the service no longer knows the endpoint, the subscription is deleted.
    """
    _resting.pop(host, None)
    notice.tries += 1
    if reply.status in GONE:
        Subscription.objects.filter(pk=notice.subscription_id).delete()
        return
    notice.answer = reply.status
    if reply.status in LATER:
        _retry_later(notice, reply.wait)
        return
    if reply.status not in TOOK:
        log.warning("notices/not_taken: %s answered %s", host, reply.status or "nothing")
    end_notices([notice])


def _retry_later(notice: Notice, wait: int = 0) -> None:
    """Postpone the notice to its next attempt. `wait`: seconds that the service asks for."""
    postpone_notice(notice, max(wait, RETRY_WAITS_SECONDS[min(notice.tries, len(RETRY_WAITS_SECONDS)) - 1]))
