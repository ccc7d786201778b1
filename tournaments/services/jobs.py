"""Work that takes time: a row with its progress, done by a worker, or right here when asked to.

The row is the record and Celery only carries its id. A lost message is sent again by the sweep; a worker that
dies leaves a row whose last sign of life gets old, and another one takes it over.
"""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import IntegrityError, transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from engine import Refused
from games.signals import errands
from games.vault import DataKeyError
from tournaments.archive import storing
from tournaments.errors import TournamentError
from tournaments.models import Championship, Job, Round
from tournaments.permissions import Actor, require
from tournaments.services import drawing, exports, ranking, rounds

log = logging.getLogger(__name__)

SEND_AGAIN: Final = timedelta(seconds=20)
SILENT: Final = timedelta(seconds=40)
"""So long without a sign of life and a job is taken over: longer than any step between two of them."""
MOST_TRIES: Final = 3

Work = Callable[[Job, rounds.Progress], dict[str, Any]]
_ACTION: Final = {
    Job.Kind.DRAW: "draw",
    Job.Kind.OPEN: "open",
    Job.Kind.CLOSE: "close",
    Job.Kind.STANDINGS: "board",
    Job.Kind.EXPORT: "export_entries",
}


def start(kind: str, of: Championship | Round, *, actor: Actor, **params: Any) -> Job:
    """Have something done: `draw`, `open`, `close` (params force, reason) of a round, `standings` or `export`
    (param what: `standings` or `entries`) of a championship.

    Raises TournamentError `jobs/at_work` while the same is being done for the same round.
    """
    championship, round_ = (of.championship, of) if isinstance(of, Round) else (of, None)
    kind = Job.Kind(kind)
    require(actor, _ACTION[kind], championship)
    job = Job(kind=kind, championship=championship, round=round_, started_by=actor, params=params)
    try:
        with transaction.atomic():
            job.save(force_insert=True)
    except IntegrityError:
        raise TournamentError(
            "jobs/at_work",
            _("Somebody has started that a moment ago: %(what)s."),
            what=job.get_kind_display(),
        ) from None
    transaction.on_commit(lambda: send(job.pk), robust=True)
    return job


def make_file(championship: Championship) -> Job:
    """Have the public file of a championship made, for whoever may see it: the job that is at it, or a new
    one.
    """
    jobs = Job.objects.filter(championship=championship, kind=Job.Kind.FILE)
    at_it = jobs.filter(state__in=[Job.State.QUEUED, Job.State.RUNNING])
    if (running := at_it.first()) is not None:
        return running
    jobs.filter(ended_at__lt=timezone.now() - storing.BEING_READ).delete()
    job = Job(kind=Job.Kind.FILE, championship=championship)
    try:
        with transaction.atomic():
            job.save(force_insert=True)
    except IntegrityError:  # somebody was quicker
        return at_it.get()
    transaction.on_commit(lambda: send(job.pk), robust=True)
    return job


def send(job_id: str) -> None:
    """Tell a worker. Without a broker nothing is lost: the sweep sends again."""
    from tournaments import tasks

    Job.objects.filter(pk=job_id).update(sent_at=timezone.now())
    errands.send(tasks.run_job, job_id)


def run(job_id: str) -> bool:
    """Do a job, unless it is done or somebody else is at it; whether anything was done here."""
    now = timezone.now()
    free = Q(state=Job.State.QUEUED) | Q(state=Job.State.RUNNING, beat_at__lt=now - SILENT)
    if not _one_file_at_a_time(Job.objects.filter(free, pk=job_id), now).update(
        state=Job.State.RUNNING, beat_at=now, tries=F("tries") + 1
    ):
        return False
    job = Job.objects.select_related("championship", "round__championship", "started_by").get(pk=job_id)
    mine = Job.objects.filter(pk=job_id, state=Job.State.RUNNING, tries=job.tries)

    def progress(done: int, total: int) -> None:
        mine.update(done=done, total=total, beat_at=timezone.now())

    try:
        result = _WORK[Job.Kind(job.kind)](job, progress)
    except Refused as refusal:
        mine.update(
            state=Job.State.FAILED,
            message=refusal.code,
            message_params={**_plain(refusal.params), "detail": refusal.detail},
            ended_at=timezone.now(),
        )
        return True
    except Exception as error:
        log.exception("job failed", extra={"job": job_id})
        over = job.tries >= MOST_TRIES and not isinstance(error, DataKeyError)
        mine.update(
            state=Job.State.FAILED if over else Job.State.QUEUED,
            message="jobs/crashed" if over else "",
            ended_at=timezone.now() if over else None,
        )
        return True
    mine.update(state=Job.State.DONE, result=result, message="jobs/done", ended_at=timezone.now())
    return True


def due(limit: int = 200) -> list[str]:
    """Jobs whose message seems lost, or whose worker does."""
    now = timezone.now()
    waiting = Q(state=Job.State.QUEUED) & (Q(sent_at=None) | Q(sent_at__lt=now - SEND_AGAIN))
    silent = Q(state=Job.State.RUNNING, beat_at__lt=now - SILENT)
    return list(
        Job.objects.filter(waiting | silent).order_by("queued_at").values_list("pk", flat=True)[:limit]
    )


def _one_file_at_a_time(jobs: QuerySet[Job], now: datetime) -> QuerySet[Job]:
    """A file is as much work as a processor gives: the next one waits, and the sweep sends it again."""
    at_it = Job.objects.filter(kind=Job.Kind.FILE, state=Job.State.RUNNING, beat_at__gte=now - SILENT)
    keys = list(at_it.values_list("pk", flat=True))
    return jobs.exclude(kind=Job.Kind.FILE) if keys else jobs


def _plain(params: dict[str, Any]) -> dict[str, Any]:
    return {key: value if isinstance(value, int) else str(value) for key, value in params.items()}


def _draw(job: Job, progress: rounds.Progress) -> dict[str, Any]:
    round_ = _round_of(job)
    # Taken over from a worker that died after its work was stored: then there is nothing left to do.
    if job.tries == 1 or round_.status == Round.Status.PLANNED:
        progress(0, 1)
        drawing.draw(round_, actor=job.started_by)
    progress(1, 1)
    return {"round": round_.number}


def _open(job: Job, progress: rounds.Progress) -> dict[str, Any]:
    round_ = _round_of(job)
    if job.params.get("draw") and round_.status == Round.Status.PLANNED:
        drawing.draw(round_, actor=job.started_by)
    if job.tries == 1 or round_.status != Round.Status.OPEN:
        rounds.open_(round_, actor=job.started_by, progress=progress)
    return {"round": round_.number}


def _close(job: Job, progress: rounds.Progress) -> dict[str, Any]:
    round_ = _round_of(job)
    if job.tries == 1 or round_.status != Round.Status.CLOSED:
        force, reason = bool(job.params.get("force")), str(job.params.get("reason", ""))
        rounds.close(round_, actor=job.started_by, force=force, reason=reason, progress=progress)
    return {"round": round_.number}


def _standings(job: Job, progress: rounds.Progress) -> dict[str, Any]:
    progress(0, 1)
    snapshot = ranking.publish(job.championship, reason="asked_for")
    progress(1, 1)
    return {"version": snapshot.version, "after_round": snapshot.after_round}


def _export(job: Job, progress: rounds.Progress) -> dict[str, Any]:
    progress(0, 1)
    what = job.params.get("what", "standings")
    if what == "entries":
        data = exports.entries_csv(job.championship, actor=job.started_by)
    else:
        data = exports.standings_csv(job.championship)
    progress(1, 1)
    return {"name": f"{job.championship.slug}-{what}.csv", "text": data.decode("utf-8-sig")}


def _file(job: Job, progress: rounds.Progress) -> dict[str, Any]:
    mine = Job.objects.filter(pk=job.pk, state=Job.State.RUNNING, tries=job.tries)
    made = storing.make(job.championship, mine.exists, progress)
    if made is None:
        raise TournamentError("jobs/nothing_sealed", _("Nothing has been sealed yet."))
    return {"checkpoint": made.checkpoint, "size": made.size}


def _round_of(job: Job) -> Round:
    if job.round is None:
        raise TournamentError("jobs/no_round", _("This needs a round."))
    return job.round


_WORK: Final[dict[Job.Kind, Work]] = {
    Job.Kind.DRAW: _draw,
    Job.Kind.OPEN: _open,
    Job.Kind.CLOSE: _close,
    Job.Kind.STANDINGS: _standings,
    Job.Kind.EXPORT: _export,
    Job.Kind.FILE: _file,
}
