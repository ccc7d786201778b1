"""Jobs: rows taken by workers, with progress, done once despite lost messages and workers."""

from base64 import b64decode
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from engine import IllegalCommand, Refused
from games.encryption import DataKeyError
from games.messaging import task_queue
from games.models import Game, User
from games.store import ConcurrencyError
from games.timers import leases
from tests.tournaments import table_play
from tournaments import jobs, tasks
from tournaments.errors import NotAllowed, TournamentError
from tournaments.models import Championship, Entry, Job, Round
from tournaments.pairing import PairingError
from tournaments.services.draw import drawing
from tournaments.services.rounds import rounds

pytestmark = pytest.mark.both

People = Callable[[int], list[Entry]]
Opened = Callable[..., Round]
Sent = list[tuple[str, ...]]


@pytest.fixture(autouse=True)
def sent(monkeypatch: pytest.MonkeyPatch) -> Sent:
    """What was handed to Celery; delivered by the tests themselves, or not."""
    messages: Sent = []
    monkeypatch.setattr(task_queue, "send", lambda task, *args: messages.append(args))
    return messages


def first(championship: Championship) -> Round:
    return championship.rounds.get(number=1)


def test_a_round_is_drawn_opened_and_closed_by_jobs(
    championship: Championship, fredi: User, arrived: People
) -> None:
    arrived(8)
    for kind, after in (("draw", Round.Status.DRAWN), ("open", Round.Status.OPEN)):
        job = jobs.start_job(kind, first(championship), actor=fredi)
        assert (job.state, job.started_by) == (Job.State.QUEUED, fredi)
        assert tasks.run_job(job.pk)
        job.refresh_from_db()
        assert (job.state, job.message, job.done) == (Job.State.DONE, "jobs/done", job.total)
        assert job.is_over
        assert first(championship).status == after
    table_play.play_to_the_end(first(championship))
    job = jobs.start_job("close", first(championship), actor=fredi)
    jobs.run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.result) == (Job.State.DONE, {"round": 1})
    assert first(championship).status == Round.Status.CLOSED


def test_a_worker_is_told_the_id_and_nothing_else(
    championship: Championship,
    fredi: User,
    arrived: People,
    sent: Sent,
    django_capture_on_commit_callbacks: Any,
) -> None:
    arrived(4)
    with django_capture_on_commit_callbacks(execute=True):
        job = jobs.start_job("draw", first(championship), actor=fredi)
        assert sent == []
    assert sent == [(job.pk,)]


def test_pressing_twice_starts_one_job(championship: Championship, fredi: User, arrived: People) -> None:
    arrived(4)
    jobs.start_job("draw", first(championship), actor=fredi)
    with pytest.raises(TournamentError) as refused:
        jobs.start_job("draw", first(championship), actor=fredi)
    assert refused.value.code == "jobs/at_work"
    assert Job.objects.count() == 1


def test_a_message_delivered_twice_does_the_work_once(
    championship: Championship, fredi: User, arrived: People
) -> None:
    arrived(4)
    job = jobs.start_job("draw", first(championship), actor=fredi)
    assert [jobs.run(job.pk), jobs.run(job.pk)] == [True, False]
    assert first(championship).draws == 1


def test_a_job_that_is_not_possible_says_why(
    championship: Championship, fredi: User, arrived: People
) -> None:
    arrived(3)
    job = jobs.start_job("draw", first(championship), actor=fredi)
    jobs.run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.message) == (Job.State.FAILED, "draw/too_few")
    assert job.message_params["here"] == 3
    assert job.message_params["detail"] == "People present: 3; a table needs 4."
    assert job.message_params["sentences"]["en"] == job.message_params["detail"]
    assert job.message_params["sentences"]["de"].startswith("Anwesend: 3; ein Tisch braucht 4.")
    assert jobs.due() == []


def test_a_lost_message_is_sent_again(
    championship: Championship, fredi: User, arrived: People, sent: Sent
) -> None:
    arrived(4)
    job = jobs.start_job("draw", first(championship), actor=fredi)
    assert tasks.sweep() == 1  # the transaction of the test never commits: the message was never sent
    assert tasks.sweep() == 0
    Job.objects.update(sent_at=timezone.now() - timedelta(minutes=1))
    assert tasks.sweep() == 1
    assert sent == [(job.pk,), (job.pk,)]


def test_a_job_of_a_dead_worker_is_taken_over(
    championship: Championship, fredi: User, arrived: People
) -> None:
    arrived(4)
    job = jobs.start_job("draw", first(championship), actor=fredi)
    long_ago = timezone.now() - timedelta(minutes=5)
    Job.objects.update(state=Job.State.RUNNING, tries=1, beat_at=timezone.now(), sent_at=long_ago)
    assert not jobs.run(job.pk)
    Job.objects.update(beat_at=long_ago)
    assert jobs.due() == [job.pk]
    assert jobs.run(job.pk)
    assert first(championship).status == Round.Status.DRAWN


@pytest.mark.parametrize("kind", ["draw", "open", "close"])
def test_a_worker_that_died_after_its_work_leaves_nothing_to_do(
    championship: Championship, fredi: User, open_round: Opened, kind: str
) -> None:
    round_ = rounds.close_round(open_round("sheet"), actor=fredi, force=True)
    second = championship.rounds.get(number=2)
    if kind != "close":
        round_ = drawing.draw_round(second, actor=fredi)
    if kind == "open":
        rounds.open_round(round_, actor=fredi)
    games = Game.objects.count()
    job = jobs.start_job(kind, round_, actor=fredi)
    Job.objects.update(state=Job.State.RUNNING, tries=1, beat_at=timezone.now() - timedelta(minutes=5))
    assert jobs.run(job.pk)
    job.refresh_from_db()
    assert job.state == Job.State.DONE
    assert Game.objects.count() == games


@pytest.mark.parametrize(
    "refusal",
    [
        IllegalCommand("start/wrong_seats", "this game is for 4", seats=3),
        ConcurrencyError("somebody was quicker", expected=1),
        PairingError("pairing/rounds", "at most 100 rounds", most=100),
    ],
)
def test_a_refusal_of_any_layer_ends_the_job_with_its_words_at_once(
    championship: Championship,
    fredi: User,
    arrived: People,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    refusal: Refused,
) -> None:
    arrived(4)
    job = jobs.start_job("draw", first(championship), actor=fredi)

    def refuse(*_: Any, **__: Any) -> None:
        raise refusal

    monkeypatch.setattr(drawing, "draw_round", refuse)
    assert jobs.run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.tries, job.message) == (Job.State.FAILED, 1, refusal.code)
    assert job.message_params == {**refusal.params, "detail": refusal.detail}
    assert jobs.due() == []
    assert caplog.records == []


def test_a_crash_is_tried_again_and_then_given_up(
    championship: Championship, fredi: User, arrived: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    arrived(4)
    job = jobs.start_job("draw", first(championship), actor=fredi)

    def crash(*_: Any, **__: Any) -> None:
        raise OSError("disk")

    monkeypatch.setattr(drawing, "draw_round", crash)
    states = []
    for _ in range(leases.MAX_TRIES):
        jobs.run(job.pk)
        job.refresh_from_db()
        states.append(job.state)
    assert states == [Job.State.QUEUED, Job.State.QUEUED, Job.State.FAILED]
    assert job.message == "jobs/crashed"
    assert first(championship).status == Round.Status.PLANNED


def test_a_job_waits_for_a_data_key_however_long_that_takes(
    championship: Championship, fredi: User, arrived: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    arrived(4)
    job = jobs.start_job("draw", first(championship), actor=fredi)

    def away(*_: Any, **__: Any) -> None:
        raise DataKeyError("not carried here yet", code="data/key_missing")

    with monkeypatch.context() as without:
        without.setattr(drawing, "draw_round", away)
        for _ in range(leases.MAX_TRIES + 1):
            jobs.run(job.pk)
            job.refresh_from_db()
            assert (job.state, job.message) == (Job.State.QUEUED, "")
    jobs.run(job.pk)
    job.refresh_from_db()
    assert job.state == Job.State.DONE


def test_the_progress_of_a_job_can_be_read(
    championship: Championship, fredi: User, arrived: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    arrived(8)
    drawing.draw_round(first(championship), actor=fredi)
    monkeypatch.setattr("tournaments.services.rounds.rounds.TABLES_PER_TRANSACTION", 1)
    job = jobs.start_job("open", first(championship), actor=fredi)
    seen = []
    update = type(Job.objects.all()).update

    def watched(self: Any, **fields: Any) -> int:
        if "done" in fields:
            seen.append((fields["done"], fields["total"]))
        return update(self, **fields)

    monkeypatch.setattr("django.db.models.query.QuerySet.update", watched)
    jobs.run(job.pk)
    assert seen == [(0, 2), (1, 2), (2, 2)]


@pytest.mark.parametrize(
    ("kind", "params", "result"),
    [
        ("standings", {}, {"version": 1, "after_round": 1}),
        ("export", {"what": "standings"}, {"name": "clubabend-standings.csv"}),
        ("export", {"what": "entries"}, {"name": "clubabend-entries.csv"}),
    ],
)
def test_standings_and_files_are_jobs_too(
    championship: Championship,
    fredi: User,
    open_round: Opened,
    kind: str,
    params: dict[str, str],
    result: dict[str, Any],
) -> None:
    rounds.close_round(open_round("sheet", "sheet"), actor=fredi, force=True)
    job = jobs.start_job(kind, championship, actor=fredi, **params)
    jobs.run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.message) == (Job.State.DONE, "jobs/done")
    assert job.result == {**(job.result or {}), **result}
    assert kind == "standings" or "Chiara" in b64decode(job.result["data"]).decode()


def test_a_job_of_a_round_needs_a_round(championship: Championship, fredi: User) -> None:
    job = jobs.start_job("draw", championship, actor=fredi)
    jobs.run(job.pk)
    job.refresh_from_db()
    assert job.message == "jobs/no_round"


def test_a_job_asks_for_the_permission_of_what_it_does(
    championship: Championship, gabi: User, eva: User
) -> None:
    for kind in ("draw", "open", "close"):
        with pytest.raises(NotAllowed):
            jobs.start_job(kind, first(championship), actor=gabi)
    with pytest.raises(NotAllowed):
        jobs.start_job("standings", championship, actor=eva)
    assert not Job.objects.exists()
