"""/c/<slug>/checkpoints/copy/: A static copy of the championship's pages that needs no server."""

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from frontend.presenters.words.refusals import refusals_as_messages
from frontend.views.championship_context import PageContext, championship_page, refuse
from frontend.views.verification.checkpoints import may_export, stream_file
from tournaments import jobs
from tournaments.archive import copies, storing
from tournaments.models import PublicFile


@require_http_methods(["GET", "HEAD", "POST"])
@championship_page()
def championship_copy(page: PageContext) -> HttpResponse:
    """Start a job that makes the copy (POST, for the director), or download it (GET, if `may_export`). After
    a change of the championship the copy is no longer offered, so that nobody appears under a name that was
    changed.
    """
    championship = page.championship
    if page.request.method == "POST":
        if not page.roles.may("edit"):
            return refuse(page)
        with refusals_as_messages(page.request):
            jobs.start_copy_job(championship, actor=page.actor)
        return redirect("checkpoints", championship.slug)
    if not may_export(page):
        return refuse(page)
    copy = (
        storing.current_file(championship, PublicFile.Kind.COPY)
        if copies.is_publicly_visible(championship)
        else None
    )
    if copy is None:
        raise Http404(_("There is no copy yet: it is made on the page of the seals."))
    return stream_file(page, copy, f"{championship.slug}-{copy.made_at:%Y-%m-%d}.zip")
