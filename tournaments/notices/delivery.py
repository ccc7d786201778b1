"""Notices on their way: written to the push service at most once, tried again where nothing was written.

A notice is claimed when its line is open, just before it is written. Whoever ends before has lost nothing;
who ends after, or hears no answer, has perhaps told a phone, and nobody tells it again.
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

from games import encryption
from games.messaging import redis_client, task_queue
from tournaments.models.notice import Notice, Subscription
from tournaments.notices.addresses import INTERNET, Inside, Network
from tournaments.notices.marking import claim_notices, end_notices, postpone_notice
from tournaments.notices.occasions import TELL
from tournaments.notices.rendering import letters_of
from tournaments.notices.subscriptions import endpoint_in
from tournaments.notices.webpush_client import Letter, Line, Opened, Reply, hang_up, open_lines, write_letters

BATCH: Final = 60
"""Letters at a time. A task ends after SECONDS, so that bots and clocks, which wait for the same workers,
have their turn; another one goes on."""
LOOKED_AT: Final = 300
"""Notices among which the letters of a batch are chosen."""
SECONDS: Final = 10.0
WAITS: Final = (10, 30, 90, 300)
"""Seconds until the next try."""
REST_SECONDS: Final = 30.0
"""For how long a service that cannot be reached is left alone."""
MOST_RESTING: Final = 1000
LOCK_SECONDS: Final = 60
TOOK, GONE, LATER = range(200, 300), (404, 410), (429, *range(500, 600))

log = logging.getLogger(__name__)


_resting: dict[str, float] = {}
"""Host → until when, by the clock of this process."""


def waiting_notices() -> "QuerySet[Notice]":
    """Notices that should be sent by now."""
    return Notice.objects.filter(sent_at=None, ended_at=None, due_at__lte=timezone.now())


def tell(network: Network = INTERNET) -> int:
    """Send what is due; how many letters were written. Only one worker is at it at a time."""
    written = 0
    with _alone() as alone:
        if not alone:
            return 0
        began = monotonic()
        while monotonic() < began + SECONDS and (batch := _batch()):
            now = _send(network, batch)
            written += now
            if not now:  # nobody is reached: the sweep looks again, and others have their turn
                return written
    if waiting_notices().exists():
        task_queue.send(TELL)
    return written


@contextlib.contextmanager
def _alone() -> Iterator[bool]:
    """A mark in Redis; where Redis is away the claim of each notice is enough."""
    name = redis_client.key("notices", "telling")
    got = redis_client.ask_redis(lambda redis: bool(redis.set(name, 1, nx=True, ex=LOCK_SECONDS)), True)
    try:
        yield got
    finally:
        if got:
            redis_client.ask_redis(lambda redis: redis.delete(name), None)


def _batch() -> list[Notice]:
    """The oldest, with the same share for each service: one that many addresses name holds up no other."""
    rows = waiting_notices().select_related(
        "subscription__entry__championship", "subscription__user", "round"
    )
    found: dict[str, list[Notice]] = {}
    for notice in rows.order_by("due_at", "pk")[:LOOKED_AT]:
        found.setdefault(_service_of(notice), []).append(notice)
    turns = zip_longest(*found.values())
    return [notice for turn in turns for notice in turn if notice is not None][:BATCH]


def _service_of(notice: Notice) -> str:
    """The domain to which its letter goes; "" where nobody can tell any more."""
    try:
        return ".".join(endpoint_in(notice.subscription).host.split(".")[-2:])
    except (encryption.CannotBeOpened, encryption.DataKeyError):
        return ""


def _send(network: Network, batch: Iterable[Notice]) -> int:
    by_key = {notice.pk: notice for notice in batch}
    letters = [
        letter for letter in letters_of(list(by_key.values())) if not _rests(letter, by_key[letter.key])
    ]
    if not letters:
        return 0
    with asyncio.Runner() as runner:
        opened = runner.run(open_lines(network, letters))
        lines = _lines(letters, opened, by_key)
        claimed = claim_notices([line.letter.key for line in lines])
        runner.run(hang_up([line for line in lines if line.letter.key not in claimed]))
        replies = runner.run(write_letters([line for line in lines if line.letter.key in claimed]))
    hosts = {letter.key: letter.host for letter in letters}
    for key, reply in replies.items():
        _record(by_key[key], hosts[key], reply)
    return len(replies)


def _rests(letter: Letter, notice: Notice) -> bool:
    """Whether its service was not to be reached a moment ago: then it waits, and costs no try."""
    left = _resting.get(letter.host, 0.0) - monotonic()
    if left > 0:
        postpone_notice(notice, left)
    return left > 0


def _lines(
    letters: Iterable[Letter], opened: Mapping[int, Opened], by_key: Mapping[int, Notice]
) -> list[Line]:
    """Those that are open; of the others what follows from it."""
    lines = []
    for letter in letters:
        found = opened[letter.key]
        if isinstance(found, Line):
            lines.append(found)
        elif isinstance(found, Inside):
            log.warning("notices/endpoint_inside: %s leads to an address of a network within", letter.host)
            end_notices([by_key[letter.key]])
        else:
            _unreachable(letter.host, str(found))
            by_key[letter.key].tries += 1
            _later(by_key[letter.key])
    return lines


def _unreachable(host: str, why: str) -> None:
    """Said once while it lasts: a hall without the Internet is no fault."""
    if len(_resting) > MOST_RESTING:
        _resting.clear()
    if host not in _resting:
        log.warning("notices/no_way: %s cannot be reached (%s); phones are told later, or not", host, why)
    _resting[host] = monotonic() + REST_SECONDS


def _record(notice: Notice, host: str, reply: Reply) -> None:
    """What was answered, and what follows. A redirect leads nowhere: it is an answer like any other."""
    _resting.pop(host, None)
    notice.tries += 1
    if reply.status in GONE:
        Subscription.objects.filter(pk=notice.subscription_id).delete()
        return
    notice.answer = reply.status
    if reply.status in LATER:
        _later(notice, reply.wait)
        return
    if reply.status not in TOOK:
        log.warning("notices/not_taken: %s answered %s", host, reply.status or "nothing")
    end_notices([notice])


def _later(notice: Notice, wait: int = 0) -> None:
    """Another try. `wait`: seconds that the service has asked for."""
    postpone_notice(notice, max(wait, WAITS[min(notice.tries, len(WAITS)) - 1]))
