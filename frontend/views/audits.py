"""/c/<slug>/audits/: everything stored of a championship checked again, and what was found."""

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from engine import Refused
from frontend.presenters.audits import audit_view, audit_views
from frontend.presenters.refusals import show_refusal
from frontend.views.championship_context import Frame, championship_page
from tournaments.models import Audit
from tournaments.services.audit import audit_report, auditing


@require_safe
@championship_page("board")
def audits(frame: Frame) -> HttpResponse:
    found = audit_views(frame.championship)
    return frame.page("pages/audits.html", {"audits": found, "may_audit": frame.roles.may("audit")})


@require_POST
@championship_page("audit")
def audit_start(frame: Frame) -> HttpResponse:
    try:
        begun = auditing.start_audit(frame.championship, actor=frame.actor)
    except Refused as error:
        show_refusal(frame.request, error)
        return redirect("audits", frame.championship.slug)
    return redirect("audit", frame.championship.slug, begun.pk)


@require_safe
@championship_page("board")
def audit(frame: Frame, audit_id: str) -> HttpResponse:
    """The report; while the audit runs, its progress, asked for once a second."""
    view = audit_view(_find(frame, audit_id), frame.championship)
    template = "parts/audit.html" if frame.for_a_part else "pages/audit.html"
    return frame.page(template, {"audit": view})


@require_safe
@championship_page("board")
def audit_text(frame: Frame, audit_id: str) -> HttpResponse:
    """The report as `manage.py audit` prints it, to file away; of a nightly one this championship's part."""
    found = _find(frame, audit_id)
    report = (
        audit_report.render_report(found)
        if found.night is None
        else audit_report.render_night_report(found, frame.championship)
    )
    response = HttpResponse(report, content_type="text/plain; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="audit-{frame.championship.slug}.txt"'
    return response


def _find(frame: Frame, audit_id: str) -> Audit:
    """One of this championship, or of a night that went through it."""
    own = frame.championship.audits.select_related("started_by", "championship").prefetch_related("parts")
    found = own.filter(pk=audit_id).first() or next(
        (night for night in auditing.list_nights(frame.championship) if night.pk == audit_id), None
    )
    if found is None:
        raise Http404(_("There is no such audit."))
    return found
