"""/c/<slug>/board/: every table of the open round for those who run the evening."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from engine.commands import Close
from frontend.presenters.projected import wall
from frontend.presenters.refusals import REFUSALS, tell
from frontend.presenters.tables import table_views, with_everything
from frontend.presenters.words import catalogue
from frontend.views.frame import Frame, championship_page
from frontend.views.numbers import whole
from games import access
from games.ids import new_id
from games.submit import submit
from tournaments.models import Round, Table


@require_GET
@championship_page("board")
def board(frame: Frame) -> HttpResponse:
    """Asked for again every few seconds; calls first, then who is slow, then the order of the tables."""
    rounds = list(frame.championship.rounds.order_by("number"))
    begun = [r for r in rounds if r.status not in (Round.Status.PLANNED, Round.Status.DRAWN)]
    current = next((r for r in rounds if r.status == Round.Status.OPEN), begun[-1] if begun else None)
    now = timezone.now()
    rows = with_everything(Table.objects.filter(round=current).order_by("number")) if current else []
    tables = table_views(rows, now, results=True)
    context: dict[str, Any] = {
        "round": current,
        "round_open": current is not None and current.status == Round.Status.OPEN,
        "rounds": rounds,
        "tables": sorted(tables, key=lambda t: (not t.calls, t.over, not t.slow, t.number)),
        "over": sum(t.over for t in tables),
        "calls": sum(len(t.calls) for t in tables),
        "slow": sum(t.slow for t in tables),
        "now": now,
    }
    template = "parts/board_tables.html" if frame.for_a_part else "pages/board.html"
    return frame.page(template, context)


@require_GET
@championship_page()
def tables(frame: Frame) -> HttpResponse:
    """The same tables for spectators: at a glance, with the way to each."""
    shown = _round_shown(frame)
    rows = with_everything(Table.objects.filter(round=shown).order_by("number")) if shown else []
    mine = frame.roles.entry
    found = table_views(rows, timezone.now(), mine=mine.pk if mine else None)
    context = {"round": shown, "tables": found, "table_count": len(found)}
    template = "parts/overview_tables.html" if frame.for_a_part else "pages/tables.html"
    return frame.page(template, context)


@require_GET
@championship_page()
def tables_projector(frame: Frame) -> HttpResponse:
    """Their slates for the back of the hall; `?page=2`: the next ones."""
    shown = _round_shown(frame)
    page = whole(frame.request.GET.get("page"), least=1, most=1000, default=1)
    context: dict[str, Any] = {
        "round": shown,
        "wall": wall(Table.objects.filter(round=shown), page, timezone.now()),
    }
    if frame.for_a_part:
        return frame.page("parts/projected_tables.html", context)
    return frame.page("pages/tables_projector.html", {**context, "words": catalogue()})


def _round_shown(frame: Frame) -> Round | None:
    """The open round, else the last one that was played."""
    rounds = frame.championship.rounds
    found = rounds.filter(status=Round.Status.OPEN).first()
    return found or rounds.filter(status=Round.Status.CLOSED).order_by("-number").first()


@require_http_methods(["GET", "POST"])
@championship_page("close")
def table_close(frame: Frame, table_id: int) -> HttpResponse:
    """Break off one table's game, after a page that asks. The log says who did it and why."""
    found = Table.objects.filter(pk=table_id, round__championship=frame.championship).select_related("game")
    table = found.first()
    if table is None or table.game is None:
        raise Http404(_("There is no such table."))
    if frame.request.POST.get("sure") != "yes":
        return frame.page("pages/table_close.html", {"table": table})
    reason = frame.request.POST.get("reason", "").strip()[:200] or _("by the director's word")
    command = Close(reason=reason)
    try:
        ref = access.authorise(table.game, frame.actor, command)
        submit(table.game.id, command, actor=ref, command_id=new_id())
    except REFUSALS as error:
        tell(frame.request, error)
    else:
        messages.success(frame.request, _("Table %(n)d is broken off.") % {"n": table.number})
    return redirect("board", frame.championship.slug)
