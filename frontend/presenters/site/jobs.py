"""Background jobs as pages show them: name, progress bar, and result or error."""

from dataclasses import dataclass

from django.urls import reverse

from frontend.presenters.words.errors import stored_error_text
from frontend.presenters.words.vocabulary import JOBS, word
from tournaments.models import Job


@dataclass(frozen=True, slots=True)
class JobView:
    id: str
    kind: str
    label: str
    state: str
    done: int
    total: int
    over: bool
    failed: bool
    sentence: str
    code: str
    back: str
    file: str


def job_view(job: Job) -> JobView:
    """Return the view of a job. Its championship and round should be loaded already, else they cost
    queries.
    """
    failed = job.state == Job.State.FAILED
    return JobView(
        id=job.pk,
        kind=job.kind,
        label=word(JOBS, job.kind),
        state=job.state,
        done=job.done,
        total=job.total,
        over=job.is_over,
        failed=failed,
        sentence=stored_error_text(job.message, job.message_params or {}) if failed else "",
        code=job.message if failed else "",
        back=_return_url(job),
        file=_file_url(job) if job.state == Job.State.DONE else "",
    )


def _file_url(job: Job) -> str:
    """Return the URL of the file that a finished job has written; "" if it has written none."""
    if job.kind == Job.Kind.FILE:
        return reverse("championship_file", args=[job.championship.slug])
    if job.kind == Job.Kind.COPY:
        return reverse("championship_copy", args=[job.championship.slug])
    if job.kind == Job.Kind.PRINT:
        return str((job.result or {}).get("address", ""))
    return reverse("job_file", args=[job.pk]) if (job.result or {}).get("data") else ""


def _return_url(job: Job) -> str:
    """Return the URL of the page from which the job was started."""
    slug = job.championship.slug
    if job.round is not None:
        return reverse("round", args=[slug, job.round.number])
    pages = {
        Job.Kind.FILE.value: "checkpoints",
        Job.Kind.COPY.value: "checkpoints",
        Job.Kind.PRINT.value: "prints",
    }
    return reverse(pages.get(job.kind, "standings"), args=[slug])
