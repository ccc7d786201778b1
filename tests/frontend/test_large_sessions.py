"""A session with 400 tables: its pages ask no more queries than one with few, and seating stays quick."""

import gc
import time

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.frontend.evening import client, forget_what_is_shared, person
from tests.frontend.test_queue_page import QUEUE, heat, session
from tournaments.models import Entry, QueuePlace, Round
from tournaments.services.entries import entries
from tournaments.services.open_heat import seating

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.long]
TABLES = 400
SECONDS = 1.5
"""Bound of a page with nothing cached, in a test on a busy machine; performance.md has the measured times."""
PAGES = (
    QUEUE,
    f"{QUEUE}?q=Gast",
    "/c/herbstcup/rounds/1/",
    "/c/herbstcup/where/?q=Gast",
    "/c/herbstcup/starts/",
    "/c/herbstcup/standings/?live=1",
    "/c/herbstcup/",
)


def fill(opened: Round, people: int) -> None:
    """Let many people queue at once."""
    first = opened.championship.entries.count() + 1
    wanted = [
        entries.NewEntry(f"Gast{n:04} Muster", status=Entry.Status.ARRIVED)
        for n in range(first, first + people)
    ]
    made = entries.add_entries(opened.championship, wanted, actor=person("fredi"))
    now = timezone.now()
    QueuePlace.objects.bulk_create(QueuePlace(round=opened, entry=one, queued_at=now) for one in made)


def measure(address: str) -> tuple[int, float]:
    """Return the queries and the processor seconds of a page with nothing cached.

    Neither signing in nor a collection of the test's own garbage counts.
    """
    fredi = client("fredi")
    forget_what_is_shared()
    gc.collect()
    gc.freeze()
    with CaptureQueriesContext(connection) as asked:
        begun = time.process_time()
        assert fredi.get(address).status_code == 200
        took = time.process_time() - begun
    gc.unfreeze()
    return len(asked), took


def test_pages_of_400_tables_ask_no_more_queries() -> None:
    opened = session(heat())
    fill(opened, 81)
    seating.seat_next(opened, actor=person("fredi"))
    for address in PAGES:
        measure(address)
    few = {address: measure(address)[0] for address in PAGES}
    slowest = 0.0
    while (there := opened.tables.count()) < TABLES:
        fill(opened, 80)
        begun = time.perf_counter()
        seating.seat_next(opened, actor=person("fredi"), seen=there)
        slowest = max(slowest, time.perf_counter() - begun)
    fill(opened, 200)
    print(f"\nseating 20 tables: {slowest:.2f} s")
    for address in PAGES:
        queries, took = measure(address)
        print(f"{address}: {queries} queries, {took * 1000:.0f} ms")
        assert queries <= few[address], address
        assert took < SECONDS, address
