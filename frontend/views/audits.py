"""/c/<slug>/audits/: everything stored of a championship checked again, and what was found."""

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from frontend.presenters.audits import audit_line, audit_view, latest
from frontend.presenters.refusals import REFUSALS, tell
from frontend.views.frame import Frame, championship_page
from tournaments.models import Audit
from tournaments.services import audit_report, auditing


@require_GET
@championship_page("board")
def audits(frame: Frame) -> HttpResponse:
    lines = [audit_line(audit) for audit in latest(frame.championship)]
    return frame.page("pages/audits.html", {"audits": lines, "may_audit": frame.roles.may("audit")})


@require_POST
@championship_page("audit")
def audit_start(frame: Frame) -> HttpResponse:
    try:
        begun = auditing.start(frame.championship, actor=frame.actor)
    except REFUSALS as error:
        tell(frame.request, error)
        return redirect("audits", frame.championship.slug)
    return redirect("audit", frame.championship.slug, begun.pk)


@require_GET
@championship_page("board")
def audit(frame: Frame, audit_id: str) -> HttpResponse:
    """The report; while the audit runs, its progress, asked for once a second."""
    view = audit_view(_find(frame, audit_id))
    template = "parts/audit.html" if frame.for_a_part else "pages/audit.html"
    return frame.page(template, {"audit": view})


@require_GET
@championship_page("board")
def audit_text(frame: Frame, audit_id: str) -> HttpResponse:
    """The report as `manage.py audit` prints it, to file away."""
    found = _find(frame, audit_id)
    response = HttpResponse(audit_report.text(found), content_type="text/plain; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="audit-{frame.championship.slug}.txt"'
    return response


def _find(frame: Frame, audit_id: str) -> Audit:
    found = (
        frame.championship.audits.filter(pk=audit_id)
        .select_related("started_by", "championship")
        .prefetch_related("parts")
        .first()
    )
    if found is None:
        raise Http404(_("There is no such audit."))
    return found
