"""/c/<slug>/standings/lots/: Record the lots that people with the same place have drawn, for the director."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from frontend.forms.lots import LotsForm
from frontend.presenters.standings import ranking_lines
from frontend.presenters.words.figures import format_figure
from frontend.presenters.words.refusals import refusal_in
from frontend.views.championship_context import PageContext, championship_page
from tournaments.services.scores import tie_break_draws


@require_http_methods(["GET", "HEAD", "POST"])
@championship_page("edit")
def lots(page: PageContext) -> HttpResponse:
    """Show the shared places of the newest published ranking; POST records lots and publishes it again."""
    kind = tie_break_draws.draw_kind(page.championship)
    if kind is None:
        raise Http404
    groups = tie_break_draws.list_ties(page.championship)
    numbers = [[row.key for row in group] for group in groups]
    entries = ranking_lines.load_ranked_people(page.championship, [row for group in groups for row in group])
    known = dict(page.championship.entries.filter(number__in=entries).values_list("number", kind))
    posted = [page.request.POST] if page.request.method == "POST" else []
    form = LotsForm(numbers, kind, known, *posted)
    context: dict[str, Any] = {"kind": kind, "form": form}
    if form.is_valid():
        with refusal_in(context):
            if values := form.values():
                tie_break_draws.record_tie_break(page.championship, kind, values, actor=page.actor)
                messages.success(page.request, _("Saved; the ranking is published with it."))
            return redirect("standings", page.championship.slug)
    context["groups"] = [
        {
            "place": group[0].place,
            "total": format_figure(group[0].total),
            "people": [(ranking_lines.name_in(entries, row), form[f"n{row.key}"]) for row in group],
        }
        for group in groups
    ]
    return page.render("pages/lots.html", context, status=400 if form.is_bound else 200)
