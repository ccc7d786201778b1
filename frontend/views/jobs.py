"""/jobs/<id>/: how far a piece of work is; asked for once a second until it is over."""

from base64 import b64decode

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from frontend.presenters.jobs import job_view
from frontend.views import championship_context as frames
from frontend.views.championship_context import PageContext
from frontend.views.checkpoints import may_export
from tournaments.models import Job


@require_safe
def job(request: HttpRequest, job_id: str) -> HttpResponse:
    """`?refresh=1`: the page around it wants to be loaded anew when the work is over."""
    found, frame = _find(request, job_id)
    view = job_view(found)
    if frames.for_a_part(request):
        refresh = request.GET.get("refresh") == "1"
        response = frame.page("parts/job.html", {"job": view, "refresh": refresh})
        if view.over and refresh:
            response.headers["HX-Refresh"] = "true"
        return response
    return frame.page("pages/job.html", {"job": view})


@require_safe
def job_file(request: HttpRequest, job_id: str) -> HttpResponse:
    """The file an export has written. Only for
    whoever could ask for it now."""
    found, frame = _find(request, job_id)
    result = found.result or {}
    if not frame.roles.may("export_entries") or found.state != Job.State.DONE or "data" not in result:
        raise Http404(_("There is no file."))
    response = HttpResponse(b64decode(result["data"]), content_type=result["kind"])
    response.headers["Content-Disposition"] = f'attachment; filename="{result["name"]}"'
    return frames.kept_nowhere(response)


def _find(request: HttpRequest, job_id: str) -> tuple[Job, PageContext]:
    """The job, for whoever started it and for the officials; that of a public file for whoever may have it.
    Nobody else learns that there is one.
    """
    found = Job.objects.select_related("championship", "round").filter(pk=job_id).first()
    if found is None:
        raise Http404(_("There is no such job."))
    frame = frames.frame_of(request, found.championship)
    own = frame.roles.may("board") or found.started_by_id == (request.user.pk or -1)
    if not own and not (found.kind == Job.Kind.FILE and may_export(frame)):
        raise Http404(_("There is no such job."))
    return found, frame
