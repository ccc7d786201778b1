"""/jobs/<id>/: The progress of a background job, polled once a second until the job is over."""

from base64 import b64decode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from frontend.presenters.site.jobs import job_view
from frontend.views import championship_context
from frontend.views.championship_context import PageContext
from frontend.views.verification.checkpoints import may_export
from tournaments.models import Job


@require_safe
def job(request: HttpRequest, job_id: str) -> HttpResponse:
    """Show the progress of a job. `?refresh=1`: the surrounding page reloads when the job is over."""
    job, page = _find_job(request, job_id)
    view = job_view(job)
    if championship_context.is_partial_request(request):
        refresh = request.GET.get("refresh") == "1"
        response = page.render("parts/job.html", {"job": view, "refresh": refresh})
        if view.over and refresh:
            response.headers["HX-Refresh"] = "true"
        return response
    return page.render("pages/job.html", {"job": view})


@require_safe
def job_file(request: HttpRequest, job_id: str) -> HttpResponse:
    """Return the file of a finished export to people who may export now; 404 to others."""
    job, page = _find_job(request, job_id)
    result = job.result or {}
    if not page.roles.may("export_entries") or job.state != Job.State.DONE or "data" not in result:
        raise Http404(_("There is no file."))
    response = HttpResponse(b64decode(result["data"]), content_type=result["kind"])
    response.headers["Content-Disposition"] = f'attachment; filename="{result["name"]}"'
    return championship_context.mark_uncacheable(response)


def _find_job(request: HttpRequest, job_id: str) -> tuple[Job, PageContext]:
    """Return the job if the person has started it or is an official. A job that writes the public file is
    returned to everybody who may have that file. Raises 404 for anybody else.
    """
    job = get_object_or_404(Job.objects.select_related("championship", "round"), pk=job_id)
    page = championship_context.build_page_context(request, job.championship)
    own = page.roles.may("board") or job.started_by_id == (request.user.pk or -1)
    if not own and not (job.kind == Job.Kind.FILE and may_export(page)):
        raise Http404(_("There is no such job."))
    return job, page
