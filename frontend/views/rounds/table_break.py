"""/c/<slug>/tables/<id>/close/ and …/resume/: Finish a table early, and resume it."""

from collections.abc import Callable

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from frontend.presenters.words.refusals import refusals_as_messages
from frontend.views.championship_context import PageContext, championship_page
from frontend.views.numbers import MAX_NUMBER, parse_bounded
from tournaments.models import Table
from tournaments.services.current_regulations import load_regulations
from tournaments.services.rounds import breaking_off


@require_http_methods(["GET", "HEAD", "POST"])
@championship_page("close")
def table_close(page: PageContext, table_id: int) -> HttpResponse:
    """Finish one table early, after a confirmation. The log records the person and the reason."""
    sentence = _("Table %(n)d is finished early. It can be resumed until the close.")
    return _confirm_and_do(page, table_id, "pages/table_close.html", breaking_off.break_off, sentence)


@require_http_methods(["GET", "HEAD", "POST"])
@championship_page("close")
def table_resume(page: PageContext, table_id: int) -> HttpResponse:
    """Resume a table that was finished early."""
    return _confirm_and_do(
        page, table_id, "pages/table_resume.html", breaking_off.resume_table, _("Table %(n)d is resumed.")
    )


@require_safe
@championship_page("close")
def table_close_of(page: PageContext, number: int) -> HttpResponse:
    """Redirect to the page that closes table `?table=3` early."""
    wanted = parse_bounded(page.request.GET.get("table"), least=0, most=MAX_NUMBER, default=0)
    table_row = page.find_round(number).tables.filter(number=wanted, game__isnull=False).first()
    if table_row is None:
        messages.error(page.request, _("There is no such table."))
        return redirect("board", page.championship.slug)
    return redirect("table_close", page.championship.slug, table_row.pk)


def _confirm_and_do(
    page: PageContext, table_id: int, template: str, act: Callable[..., None], message: str
) -> HttpResponse:
    found = Table.objects.filter(pk=table_id, round__championship=page.championship)
    table = found.select_related("game", "round__championship").first()
    if table is None or table.game is None:
        raise Http404(_("There is no such table."))
    if page.request.POST.get("sure") != "yes":
        wins = load_regulations(page.championship).play.credit == "wins"
        return page.render(template, {"table": table, "round": table.round, "wins": wins})
    with refusals_as_messages(page.request):
        act(table, actor=page.actor, reason=page.request.POST.get("reason", ""))
        messages.success(page.request, message % {"n": table.number})
    return redirect("board", page.championship.slug)
