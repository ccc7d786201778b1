"""/status/doctor/: The report of all checks, for owners of the installation."""

from typing import Final

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from deploy import doctor
from deploy.doctor.results import Severity

TONES: Final = {Severity.OK: "done", Severity.WARNING: "warn", Severity.ERROR: "danger"}


@require_safe
@never_cache
@login_required
def show_report(request: HttpRequest) -> HttpResponse:
    """Show the results of all checks, the failed ones first. Raises Http404 for accounts that do not own the
    installation.
    """
    if not getattr(request.user, "is_superuser", False):
        raise Http404(_("This page is not public."))
    findings = doctor.examine()

    def rows(state: Severity) -> list[dict[str, object]]:
        look = {"tone": TONES[state], "word": doctor.STATE_WORDS[state]}
        return [{"finding": finding, **look} for finding in findings if finding.state is state]

    context = {
        "broken": rows(Severity.ERROR),
        "doubtful": rows(Severity.WARNING),
        "fine": rows(Severity.OK),
        "report": doctor.write_report(findings),
    }
    return render(request, "deploy/doctor.html", context)
