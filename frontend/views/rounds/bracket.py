"""/c/<slug>/bracket/: The bracket of a championship played as a knock-out."""

from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from frontend.presenters.rounds.bracket import view_bracket
from frontend.views.championship_context import PageContext, championship_page
from tournaments.services.current_regulations import load_regulations
from tournaments.services.scores.bracket import has_bracket, load_bracket


@require_safe
@championship_page()
def bracket_page(page: PageContext) -> HttpResponse:
    """Render the bracket with results of closed rounds only; 404 if the championship has none."""
    regulations = load_regulations(page.championship)
    if not has_bracket(regulations):
        raise Http404
    bracket = load_bracket(page.championship.rounds.order_by("number"), regulations)
    shown = None if bracket is None else view_bracket(page.championship, bracket)
    return page.render("pages/bracket.html", {"bracket": shown})
