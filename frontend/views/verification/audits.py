"""/c/<slug>/audits/: Audits of a championship's stored data, and their findings."""

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from frontend.presenters.verification.audits import audit_view, audit_views
from frontend.presenters.words.refusals import refusals_as_messages
from frontend.views.championship_context import PageContext, championship_page
from tournaments.models import Audit
from tournaments.services.audit import audit_report, auditing


@require_safe
@championship_page("board")
def audits(page: PageContext) -> HttpResponse:
    audits = audit_views(page.championship)
    return page.render("pages/audits.html", {"audits": audits, "may_audit": page.roles.may("audit")})


@require_POST
@championship_page("audit")
def audit_start(page: PageContext) -> HttpResponse:
    with refusals_as_messages(page.request):
        begun = auditing.start_audit(page.championship, actor=page.actor)
        return redirect("audit", page.championship.slug, begun.pk)
    return redirect("audits", page.championship.slug)


@require_safe
@championship_page("board")
def audit(page: PageContext, audit_id: str) -> HttpResponse:
    """Show an audit's report; while the audit runs, show its progress, polled once a second."""
    view = audit_view(_find_audit(page, audit_id), page.championship)
    template = "parts/audit.html" if page.is_partial else "pages/audit.html"
    return page.render(template, {"audit": view})


@require_safe
@championship_page("board")
def audit_text(page: PageContext, audit_id: str) -> HttpResponse:
    """Return an audit's report as text, as `manage.py audit` prints it. Of a nightly audit only the part of
    this championship is included.
    """
    audit = _find_audit(page, audit_id)
    report = (
        audit_report.render_report(audit)
        if audit.night is None
        else audit_report.render_night_report(audit, page.championship)
    )
    response = HttpResponse(report, content_type="text/plain; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="audit-{page.championship.slug}.txt"'
    return response


def _find_audit(page: PageContext, audit_id: str) -> Audit:
    """Find an audit of this championship, or a nightly audit that included it. Raises 404 for any other
    audit.
    """
    own = page.championship.audits.select_related("started_by", "championship").prefetch_related("parts")
    found = own.filter(pk=audit_id).first() or next(
        (night for night in auditing.list_nights(page.championship) if night.pk == audit_id), None
    )
    if found is None:
        raise Http404(_("There is no such audit."))
    return found
