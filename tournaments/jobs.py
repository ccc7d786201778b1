"""Background jobs: each is a row with progress and a lease (`games.timers.leases`), run by a worker or by the
caller.
"""

from base64 import b64encode
from collections.abc import Callable
from typing import Any, ClassVar, Final

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone, translation
from django.utils.translation import gettext_lazy as _

from engine import Refused
from games.timers.leases import LEASE_TIMEOUT, Lease, Work
from tournaments.archive import copies, storing
from tournaments.errors import TournamentError, describe_for_storage
from tournaments.models import Championship, Job, PublicFile, Round
from tournaments.permissions import Actor, require
from tournaments.services.championship_seals import shown_until
from tournaments.services.current_regulations import load_regulations
from tournaments.services.draw import drawing
from tournaments.services.open_heat import sessions
from tournaments.services.rounds import rounds
from tournaments.services.scores import exports, published_ranking

LARGE_FILES: Final = (Job.Kind.FILE, Job.Kind.COPY)
Act = Callable[[Lease[Job], rounds.Progress], dict[str, Any]]
_ACTION: Final = {
    Job.Kind.DRAW: "draw",
    Job.Kind.OPEN: "open",
    Job.Kind.CLOSE: "close",
    Job.Kind.STANDINGS: "board",
    Job.Kind.EXPORT: "export_entries",
    Job.Kind.PRINT: "enter",
}


def start_job(kind: str, of: Championship | Round, *, actor: Actor, **params: Any) -> Job:
    """Start a job and return its row.

    Kinds for a round: `draw` (params left_over, short_teams), `open` (param draw: draw it first), `close`
    (params force, reason). Kinds for a championship: `standings`; `export` (params what: of `exports.WHAT`;
    format: `csv` or `xlsx`; language, by default the championship's); `print` (params:
    `frontend.prints.print_jobs`). Raises NotAllowed, and TournamentError `jobs/at_work` while a job of this
    kind waits or runs for the round.
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
            _("Somebody started the same thing a moment ago: %(what)s."),
            what=job.get_kind_display(),
        ) from None
    transaction.on_commit(lambda: send([job.pk]), robust=True)
    return job


def start_file_job(championship: Championship) -> Job:
    """Return the unfinished job that writes the public file; start one if there is none."""
    return _start_file_job(Job.Kind.FILE, championship, None)


def _start_file_job(kind: Job.Kind, championship: Championship, actor: Actor) -> Job:
    jobs = Job.objects.filter(championship=championship, kind=kind)
    at_it = jobs.filter(state__in=[Job.State.QUEUED, Job.State.RUNNING])
    if (running := at_it.first()) is not None:
        return running
    jobs.filter(ended_at__lt=timezone.now() - storing.BEING_READ).delete()
    job = Job(kind=kind, championship=championship, started_by=actor)
    try:
        with transaction.atomic():
            job.save(force_insert=True)
    except IntegrityError:  # another request was faster
        return at_it.get()
    transaction.on_commit(lambda: send([job.pk]), robust=True)
    return job


def start_copy_job(championship: Championship, *, actor: Actor) -> Job:
    """Return the unfinished job that writes the static copy; start one if there is none.

    Raises NotAllowed, and the errors of `copies.require_copyable`.
    """
    require(actor, "edit", championship)
    copies.require_copyable(championship)
    return _start_file_job(Job.Kind.COPY, championship, actor)


def _draw(lease: Lease[Job], progress: rounds.Progress) -> dict[str, Any]:
    job = lease.row
    round_ = _require_round(job)
    # On a retry after a worker's death, the work may already be stored.
    if job.tries == 1 or round_.status == Round.Status.PLANNED:
        progress(0, 1)
        way = str(job.params.get("left_over", ""))
        short_teams = bool(job.params.get("short_teams"))
        drawing.draw_round(round_, actor=job.started_by, left_over=way, short_teams=short_teams)
    progress(1, 1)
    return {"round": round_.number}


def _open(lease: Lease[Job], progress: rounds.Progress) -> dict[str, Any]:
    job = lease.row
    round_ = _require_round(job)
    if load_regulations(round_.championship).has_queue:
        if job.tries == 1 or round_.status == Round.Status.PLANNED:
            sessions.open_session(round_, actor=job.started_by)
        return {"round": round_.number}
    if job.params.get("draw") and round_.status == Round.Status.PLANNED:
        drawing.draw_round(round_, actor=job.started_by)
    if job.tries == 1 or round_.status != Round.Status.OPEN:
        rounds.open_round(round_, actor=job.started_by, progress=progress)
    return {"round": round_.number}


def _close(lease: Lease[Job], progress: rounds.Progress) -> dict[str, Any]:
    job = lease.row
    round_ = _require_round(job)
    if job.tries == 1 or round_.status != Round.Status.CLOSED:
        force, reason = bool(job.params.get("force")), str(job.params.get("reason", ""))
        rounds.close_round(round_, actor=job.started_by, force=force, reason=reason, progress=progress)
    return {"round": round_.number}


def _standings(lease: Lease[Job], progress: rounds.Progress) -> dict[str, Any]:
    job = lease.row
    progress(0, 1)
    snapshot = published_ranking.publish(job.championship, reason="asked_for")
    progress(1, 1)
    return {"version": snapshot.version, "after_round": snapshot.after_round}


def _export(lease: Lease[Job], progress: rounds.Progress) -> dict[str, Any]:
    job = lease.row
    progress(0, 1)
    what, form = str(job.params.get("what", "standings")), str(job.params.get("format", "csv"))
    if what not in exports.WHAT or form not in exports.FORMATS:
        raise TournamentError("jobs/no_such_file", _("There is no such file."))
    # Workers have no request: its language is a parameter.
    with translation.override(str(job.params.get("language") or job.championship.language)):
        exported = exports.export(job.championship, what, form, actor=job.started_by)
    progress(1, 1)
    return {"name": exported.name, "kind": exported.kind, "data": b64encode(exported.data).decode()}


def _file(lease: Lease[Job], progress: rounds.Progress) -> dict[str, Any]:
    public_file = write_public_file(lease.row.championship, lease.held, progress)
    return {"checkpoint": public_file.checkpoint, "size": public_file.size}


def write_public_file(
    championship: Championship, still_wanted: Callable[[], bool], progress: rounds.Progress
) -> PublicFile:
    """Return the public file; write it if it is missing or outdated.

    Raises TournamentError `jobs/shown_late` while a table's display is delayed, `jobs/nothing_sealed` without
    a checkpoint or if `still_wanted` returns False.
    """
    if shown_until(championship) is not None:
        raise TournamentError(
            "jobs/shown_late",
            _("A table is shown with a delay: the file can be made when everything is shown."),
        )
    public_file = storing.make_file(championship, still_wanted, progress)
    if public_file is None:
        raise TournamentError("jobs/nothing_sealed", _("Nothing has been sealed yet."))
    return public_file


def _require_round(job: Job) -> Round:
    if job.round is None:
        raise TournamentError("jobs/no_round", _("Choose a round."))
    return job.round


_ACTS: dict[Job.Kind, Act] = {
    Job.Kind.DRAW: _draw,
    Job.Kind.OPEN: _open,
    Job.Kind.CLOSE: _close,
    Job.Kind.STANDINGS: _standings,
    Job.Kind.EXPORT: _export,
    Job.Kind.FILE: _file,
}


def register_act(kind: Job.Kind, act: Act) -> None:
    """Register the function that runs jobs of this kind, for layers above this one."""
    _ACTS[kind] = act


class _Jobs(Work[Job]):
    task = "tournaments.run_job"
    begun: ClassVar = {"state": Job.State.RUNNING}
    left: ClassVar = {"state": Job.State.QUEUED}

    def rows(self) -> QuerySet[Job]:
        return Job.objects.select_related("championship", "round__championship", "started_by")

    def may_begin(self, rows: QuerySet[Job]) -> QuerySet[Job]:
        """Leave out jobs for large files while such a file is being written. The sweep sends them again
        later.
        """
        since = timezone.now() - LEASE_TIMEOUT
        at_it = Job.objects.filter(kind__in=LARGE_FILES, state=Job.State.RUNNING, beat_at__gte=since)
        keys = list(at_it.values_list("pk", flat=True))
        return rows.exclude(kind__in=LARGE_FILES) if keys else rows

    def do(self, lease: Lease[Job]) -> None:
        result = _ACTS[Job.Kind(lease.row.kind)](
            lease, lambda done, total: _report_progress(lease, done, total)
        )
        lease.end(state=Job.State.DONE, result=result, message="jobs/done")

    def refused(self, lease: Lease[Job], refusal: Refused) -> None:
        params = describe_for_storage(refusal)
        lease.end(state=Job.State.FAILED, message=refusal.code, message_params=params)

    def given_up(self, lease: Lease[Job]) -> None:
        lease.end(state=Job.State.FAILED, message="jobs/crashed")


def _report_progress(lease: Lease[Job], done: int, total: int) -> None:
    lease.live(done=done, total=total)


_jobs: Final = _Jobs()
send, due, run = _jobs.send, _jobs.due, _jobs.run
