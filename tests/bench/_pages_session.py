"""Pages of an open session with many tables, and of a round with as many, for the director: with nothing kept
from earlier answers (cold), and again (warm).
"""

import gzip
import statistics
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tests.bench import _pages_place
from tests.bench._load_figures import rounded, say

if TYPE_CHECKING:
    from games.models import User
    from tournaments.models import Round

WAITING = 281
AT_ONCE = 20
"""Tables seated by one press."""
PAGE_MS, PAGE_KB, PAGE_QUERIES = 150, 60, 20


def hold_session(tables: int, slug: str) -> "Round":
    """Open a session of an open heat, seat this many tables, and let people wait."""
    from games.models import User
    from tournaments import regulations
    from tournaments.presets import PRESETS
    from tournaments.services.championships import championships
    from tournaments.services.open_heat import seating, sessions

    director = User.objects.get_or_create(username="director")[0]
    changes = {
        "play": {**regulations.encode(PRESETS["klubabend"])["play"], "mode": "sheet"},
        "rounds": 2,
        "deals": 1,
        "hand_in": "deals",
        "counting": {"what": "best", "number": 1, "tie_breaks": []},
        "pairing": {"system": "open", "options": {}},
    }
    made = championships.create(actor=director, name=slug, slug=slug, preset="klubabend", changes=changes)
    opened = sessions.open_session(made.rounds.get(number=1), actor=director)
    while (there := opened.tables.count()) < tables:
        _queue_people(opened, 4 * min(AT_ONCE, tables - there), director)
        seating.seat_next(opened, actor=director, seen=there)
    _queue_people(opened, WAITING if tables > AT_ONCE else tables, director)
    return opened


def _queue_people(opened: "Round", people: int, director: "User") -> None:
    from django.utils import timezone

    from tournaments.models import Entry, QueuePlace
    from tournaments.services.entries import entries

    first = opened.championship.entries.count() + 1
    wanted = [
        entries.NewEntry(f"Gast{n:04} Muster", status=Entry.Status.ARRIVED)
        for n in range(first, first + people)
    ]
    made = entries.add_entries(opened.championship, wanted, actor=director)
    now = timezone.now()
    QueuePlace.objects.bulk_create(QueuePlace(round=opened, entry=one, queued_at=now) for one in made)


def list_pages(slug: str) -> Iterator[tuple[str, str]]:
    """Return the name and the path of each page."""
    c = f"/c/{slug}/"
    yield "queue", f"{c}rounds/1/queue/"
    yield "queue, a search", f"{c}rounds/1/queue/?q=Gast"
    yield "round", f"{c}rounds/1/"
    yield "where", f"{c}where/?q=Gast"
    yield "starts", f"{c}starts/"
    yield "live ranking", f"{c}standings/?live=1"
    yield "overview", c
    yield "tables", f"{c}tables/"
    yield "board", f"{c}board/"


def list_pages_of_hall(slug: str) -> Iterator[tuple[str, str]]:
    """Return the name and the path of each page of a championship with as many tables."""
    c = f"/c/{slug}/"
    yield "round", f"{c}rounds/2/"
    yield "overview", c
    yield "tables", f"{c}tables/"
    yield "board", f"{c}board/"
    yield "entries", f"{c}entries/"
    yield "live ranking", f"{c}standings/?live=1"


def measure_halls(tables: int, times: int) -> None:
    """Print cold and warm milliseconds of processor time, queries when cold, and compressed kilobytes."""
    session = f"session-{tables}"
    hold_session(tables, session)
    measure_pages("session", tables, list_pages(session), times)
    hall = f"hall-{tables}"
    _pages_place.championship(4 * tables, hall)
    measure_pages("round", tables, list_pages_of_hall(hall), times)


def measure_pages(kind: str, tables: int, pages: Iterator[tuple[str, str]], times: int) -> None:
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    from games.models import User

    browser = Client(SERVER_NAME="localhost", headers={"accept-language": "en"})
    browser.force_login(User.objects.get(username="director"))

    def take_ms(path: str) -> float:
        start = time.process_time()
        assert browser.get(path).status_code == 200, path
        return 1000 * (time.process_time() - start)

    for name, path in pages:
        take_ms(path)  # the first answer loads templates and translations
        cold, warm = [], []
        for _ in range(times):
            forget_answers()
            cold.append(take_ms(path))
            warm.append(take_ms(path))
        forget_answers()
        with CaptureQueriesContext(connection) as asked:
            answer = browser.get(path)
        title = f"pages/a {kind} of {tables} tables/{name}"
        say(f"{title}, cold ms", statistics.median(cold), PAGE_MS, warm_ms=rounded(statistics.median(warm)))
        say(f"{title}, queries", len(asked), PAGE_QUERIES)
        say(f"{title}, kB", len(gzip.compress(answer.content, 6)) / 1000, PAGE_KB)


def forget_answers() -> None:
    """Forget everything that this process and Redis keep of earlier answers."""
    from django.conf import settings

    from frontend import fragment_cache
    from frontend.presenters.standings import loaded_rankings
    from games.messaging import redis_client
    from tournaments.services import cache_versions
    from tournaments.services.series import cached_series

    cache_versions.forget_all()
    for module in (loaded_rankings, fragment_cache, cached_series):
        module.KEPT.clear()
    if settings.REDIS_PREFIX.startswith("bench"):
        shared = redis_client.key("shared", "*")
        redis_client.ask_redis(lambda redis: [redis.delete(key) for key in redis.scan_iter(shared)], None)
