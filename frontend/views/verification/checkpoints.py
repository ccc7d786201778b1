"""/c/<slug>/checkpoints/: Signed checkpoints as a page and as JSON, the public file, and the public key."""

from collections.abc import AsyncIterator
from typing import Any, cast

from django.core.handlers.asgi import ASGIRequest
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from frontend.loop_executor import LoopExecutor
from frontend.presenters.site.jobs import job_view
from frontend.presenters.verification import seals
from frontend.views.championship_context import PageContext, championship_page, refuse
from frontend.views.numbers import parse_bounded
from games import sealing
from games.sealing import SealKeyError
from tournaments import jobs
from tournaments.archive import copies, storing
from tournaments.models import Job, PublicFile
from tournaments.services import championship_seals
from tournaments.services.current_regulations import load_regulations

CHECKPOINTS_PER_PAGE = 30
LISTED = 500
reading = LoopExecutor("pieces", threads=2)


@require_safe
@championship_page()
def checkpoints(page: PageContext) -> HttpResponse:
    """List the newest 30 checkpoints. `?at=12`: also show checkpoint 12, which a printed sheet may name."""
    stream = page.championship.stream_id
    until = championship_seals.shown_until(page.championship)
    last = sealing.find_latest_checkpoint(stream, until)
    least = max(0, last.says.number - CHECKPOINTS_PER_PAGE) if last is not None else 0
    newest = sealing.listed(stream, since=least, until=until) if last is not None else []
    at = parse_bounded(page.request.GET.get("at"), least=1, most=10_000_000, default=0)
    asked = sealing.listed(stream, since=at - 1, limit=1, until=until) if at else []
    found = {one.says.number: one for one in (*asked, *newest)}
    context: dict[str, Any] = {
        "seals": [seals.build_sealed(found[number]) for number in sorted(found, reverse=True)],
        "at": at,
        "key": last.says.key if last is not None else "",
        "may_export": may_export(page),
        "shown_late": until is not None,
        **(_file_context(page) if until is None else {}),
    }
    return page.render("pages/checkpoints.html", context)


@require_safe
@championship_page()
def checkpoints_json(page: PageContext) -> HttpResponse:
    """Return the first 500 checkpoints as JSON; `?since=12`: the first 500 after checkpoint 12."""
    since = parse_bounded(page.request.GET.get("since"), least=0, most=10_000_000, default=0)
    until = championship_seals.shown_until(page.championship)
    found = sealing.listed(page.championship.stream_id, since=since, limit=LISTED, until=until)
    return JsonResponse({"checkpoints": [seals.checkpoint_file(one) for one in found]})


@require_safe
@championship_page()
def checkpoint_latest(page: PageContext) -> HttpResponse:
    until = championship_seals.shown_until(page.championship)
    last = sealing.find_latest_checkpoint(page.championship.stream_id, until)
    if last is None:
        raise Http404(_("Nothing has been sealed yet."))
    return JsonResponse(seals.checkpoint_file(last))


@require_http_methods(["GET", "HEAD", "POST"])
@championship_page()
def championship_file(page: PageContext) -> HttpResponse:
    """Start a job that makes the file of public data as of the last checkpoint (POST), or download it (GET).

    There is no file while a table is shown with a delay: it would contain cards that the public may not see
    yet.
    """
    if not may_export(page):
        return refuse(page)
    if page.request.method == "POST":
        if championship_seals.shown_until(page.championship) is None:
            jobs.start_file_job(page.championship)
        return redirect("checkpoints", page.championship.slug)
    until = championship_seals.shown_until(page.championship)
    file = storing.recent_file(page.championship) if until is None else None
    if file is None:
        raise Http404(_("There is no file yet: it is made on the page of the seals."))
    return stream_file(page, file, f"{page.championship.slug}.zip")


def stream_file(page: PageContext, file: PublicFile, name: str) -> HttpResponse:
    """Stream a stored file as a download with this name."""
    # Under ASGI, Django reads a plain iterator to its end before it sends anything.
    pieces = _stream_pieces(file) if isinstance(page.request, ASGIRequest) else storing.read_pieces(file)
    answer = StreamingHttpResponse(pieces, content_type="application/zip")
    answer["Content-Length"] = str(file.size)
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return cast(HttpResponse, answer)  # A streaming response, which the decorators accept.


async def _stream_pieces(file: PublicFile) -> AsyncIterator[bytes]:
    for number in range(-(-file.size // storing.PIECE)):
        yield await reading.run(storing.read_piece, file, number)


@require_safe
def seal_key(request: HttpRequest) -> HttpResponse:
    """Return the public key that verifies this installation's checkpoints; 404 if there is none."""
    try:
        return JsonResponse({"key": sealing.load_key_in_use().public.hex()})
    except SealKeyError:
        raise Http404(_("This platform does not seal.")) from None


def _file_context(page: PageContext) -> dict[str, Any]:
    """Return the context of the public file, its job and the static copy; empty for people who may not have
    the file.
    """
    if not may_export(page):
        return {}
    latest_job = page.championship.jobs.filter(kind=Job.Kind.FILE).select_related("championship").first()
    file = storing.current_file(page.championship)
    job = (
        job_view(latest_job)
        if latest_job is not None and not (latest_job.state == Job.State.DONE and file is None)
        else None
    )
    return {
        "file": file,
        "job": job if file is None or job is None or not job.over else None,
        **_copy_context(page),
    }


def _copy_context(page: PageContext) -> dict[str, Any]:
    """Return the context of the static copy; empty unless the championship is finished and public."""
    championship = page.championship
    if not (copies.is_finished(championship) and copies.is_publicly_visible(championship)):
        return {}
    copy = storing.current_file(championship, PublicFile.Kind.COPY)
    may_copy = page.roles.may("edit")
    latest_job = (
        championship.jobs.filter(kind=Job.Kind.COPY).select_related("championship").first()
        if may_copy
        else None
    )
    job = job_view(latest_job) if latest_job is not None and latest_job.state != Job.State.DONE else None
    return {"copy": copy, "may_copy": may_copy, "copy_job": job}


def may_export(page: PageContext) -> bool:
    """Return whether this person may download the championship's file or copy."""
    return page.roles.takes_part or load_regulations(page.championship).visibility != "private"
