"""/c/<slug>/rounds/: All rounds of a championship, and a form to change their number."""

from typing import cast

from django.contrib import messages
from django.db.models import Count, Q
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from frontend.accounts.proof import reauthentication_required
from frontend.presenters.words.refusals import refusals_as_messages
from frontend.views.championship_context import PageContext, championship_page
from frontend.views.clubs.series_versions import publish_with_ranking
from frontend.views.numbers import parse_bounded
from games.models import User
from tournaments.models import Championship, Round
from tournaments.services.current_regulations import load_regulations
from tournaments.services.draw import drawing_ahead
from tournaments.services.rounds import fewer_rounds
from tournaments.services.scores.bracket import has_bracket
from tournaments.services.series import publishing


@require_safe
@championship_page()
def rounds(page: PageContext) -> HttpResponse:
    found = list(
        page.championship.rounds.order_by("number").annotate(
            table_count=Count("tables", filter=Q(tables__undone=None))
        )
    )
    regulations = load_regulations(page.championship)
    context: dict[str, object] = {
        "rounds": found,
        "has_bracket": has_bracket(regulations),
        "has_queue": regulations.has_queue,
    }
    if page.roles.may("draw") and drawing_ahead.may_draw_ahead(regulations):
        context |= {
            "to_draw": sum(r.status == Round.Status.PLANNED for r in found),
            "to_come": sum(r.status == Round.Status.DRAWN for r in found),
        }
    if page.roles.may_direct and page.championship.status == Championship.Status.RUNNING:
        least, most = fewer_rounds.compute_possible_rounds(page.championship)
        left = [r for r in found if r.status != Round.Status.CLOSED]
        context |= {
            "may_play_fewer": least < most,
            "least": least,
            "most": most,
            "closed": len(found) - len(left),
            "kept_series": publishing.list_kept_series(page.championship, cast(User, page.request.user)),
            "may_finish": left and all(r.status == Round.Status.PLANNED for r in left),
        }
    return page.render("pages/rounds.html", context)


@require_POST
@championship_page("edit")
def rounds_fewer(page: PageContext) -> HttpResponse:
    """Set the number of rounds to `rounds`."""
    count = parse_bounded(page.request.POST.get("rounds"), least=0, most=1000, default=0)
    with refusals_as_messages(page.request):
        fewer_rounds.set_round_count(page.championship, count, actor=page.actor)
        has_queue = load_regulations(page.championship).has_queue
        messages.success(
            page.request,
            _("The number of sessions is set.") if has_queue else _("The number of rounds is set."),
        )
    return redirect("rounds", page.championship.slug)


@require_POST
@championship_page("draw")
def rounds_ahead(page: PageContext) -> HttpResponse:
    """Draw all planned rounds; with `again`, repeat the draw of all rounds that have not begun, for a
    `reason`.
    """
    data = page.request.POST
    with refusals_as_messages(page.request):
        if data.get("again"):
            drawn = drawing_ahead.redraw_rounds_to_come(
                page.championship, actor=page.actor, reason=data.get("reason", "")[:200]
            )
        else:
            drawn = drawing_ahead.draw_ahead(page.championship, actor=page.actor)
        sentence = ngettext("%(n)d round is drawn.", "%(n)d rounds are drawn.", len(drawn))
        messages.success(page.request, sentence % {"n": len(drawn)})
    return redirect("rounds", page.championship.slug)


@require_POST
@reauthentication_required
@championship_page("close")
def championship_finish_early(page: PageContext) -> HttpResponse:
    """Finish the championship with the rounds played so far."""
    with refusals_as_messages(page.request):
        fewer_rounds.finish_early(page.championship, actor=page.actor)
        messages.success(
            page.request, _("The championship is closed. Everything can still be read and replayed.")
        )
        publish_with_ranking(page)
        return redirect("championship", page.championship.slug)
    return redirect("rounds", page.championship.slug)
