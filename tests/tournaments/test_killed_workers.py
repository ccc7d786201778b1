"""A worker killed during leased work: another one completes it, once."""

import os
import signal
import subprocess
import sys
from datetime import timedelta

import pytest
from django.utils import timezone

from deploy.environment import BASE_DIR
from games import store
from games.messaging import task_queue
from games.models import Game, User
from games.timers import leases
from tests.games.live_server import database_url
from tournaments import jobs
from tournaments.models import AuditPart, Job
from tournaments.services.audit import auditing
from tournaments.services.championships import championships
from tournaments.services.draw import seating_by_hand
from tournaments.services.entries import entries

pytestmark = pytest.mark.faults

OPENING = """
from tournaments import jobs
from tournaments.services.rounds import rounds
def killed(done, total):
    if done:
        os.kill(os.getpid(), signal.SIGKILL)
rounds.TABLES_PER_TRANSACTION = 1
jobs._report_progress = lambda lease, done, total: killed(done, total)
jobs.run(sys.argv[1])
"""
AUDITING = """
from tournaments.services.audit import auditing
check = auditing._check_game
def killed(game, verified):
    if game.pk == sys.argv[2]:
        os.kill(os.getpid(), signal.SIGKILL)
    return check(game, verified)
auditing._check_game = killed
auditing.check(int(sys.argv[1]))
"""
BEGIN = """
import os, signal, sys, django
django.setup()
"""


@pytest.fixture(autouse=True)
def _no_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(task_queue, "send", lambda *message: None)


def killed_at(work: str, *args: str) -> None:
    """A process of its own does this work until it kills itself."""
    command = [sys.executable, "-c", BEGIN + work, *args]
    environment = {**os.environ, "DATABASE_URL": database_url(), "DJANGO_SETTINGS_MODULE": "deploy.settings"}
    done = subprocess.run(command, cwd=BASE_DIR, env=environment, capture_output=True, text=True)
    assert done.returncode == -signal.SIGKILL, done.stderr


def opening() -> Job:
    """Three tables that wait to be opened."""
    fredi = User.objects.create(username="fredi")
    made = championships.create(actor=fredi, name="Clubabend", changes={"rounds": 1})
    people = [entries.NewEntry(f"Person {n}", status="arrived") for n in range(12)]
    numbers = [entry.number for entry in entries.add_entries(made, people, actor=fredi)]
    seated = [numbers[at : at + 4] for at in range(0, 12, 4)]
    seating_by_hand.seat_by_hand(made.rounds.get(), seated, actor=fredi)
    return jobs.start_job("open", made.rounds.get(), actor=fredi)


def test_a_round_that_was_half_open_is_opened_to_its_end_once(real_database: str) -> None:
    job = opening()
    killed_at(OPENING, job.pk)
    job.refresh_from_db()
    assert (job.state, job.tries, job.is_over) == (Job.State.RUNNING, 1, False)
    first = set(Game.objects.values_list("pk", flat=True))
    assert len(first) == 1
    assert not jobs.run(job.pk), "whoever is at it may still be alive"
    Job.objects.update(beat_at=timezone.now() - leases.LEASE_TIMEOUT - timedelta(seconds=1))
    assert jobs.run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.tries) == (Job.State.DONE, 2)
    round_ = job.championship.rounds.get()
    assert round_.status == "open"
    games = set(Game.objects.values_list("pk", flat=True))
    assert games == set(round_.tables.values_list("game_id", flat=True))
    assert (len(games), first < games) == (3, True)
    opened = [event for event in store.verify(round_.stream_id) if event.type == "round_opened"]
    assert [set(event.body["games"]) for event in opened] == [games]


def test_an_audit_whose_worker_was_killed_is_done_again_and_finds_nothing(real_database: str) -> None:
    assert jobs.run(opening().pk)
    audit = auditing.start_audit()
    part = audit.parts.get()
    killed_at(AUDITING, str(part.pk), part.games[1])
    assert not auditing.check_next(audit), "whoever is at it may still be alive"
    AuditPart.objects.update(beat_at=timezone.now() - leases.LEASE_TIMEOUT - timedelta(seconds=1))
    assert auditing.check_next(audit)
    audit.refresh_from_db()
    after = auditing.load_progress(audit)
    assert (audit.ended_at is not None, after.done, after.total) == (True, 5, 5)
    assert auditing.load_findings(audit) == []
    events = sum(len(store.read(stream)) for stream in (*part.games, *part.streams))
    assert after.events == events, "each counted once"
