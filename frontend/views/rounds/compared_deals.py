"""/c/<slug>/rounds/<n>/deals/: The deals of a round whose tables all play the same cards.

A deal is listed, and its page exists, once each table has finished it or given up
(`games.projections.same_cards`).
"""

from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from frontend.preferences import read_preference
from frontend.presenters.tables.compared_deals import (
    compared_lines,
    draw_spreads,
    name_sides_of_round,
    summarise_deals,
)
from frontend.views.championship_context import PageContext, championship_page
from tournaments.models import Round
from tournaments.services.current_regulations import load_regulations
from tournaments.services.scores.deal_comparison import (
    list_compared_deals,
    load_compared_deal,
    summarise_compared,
)


@require_safe
@championship_page()
def compared_deals(page: PageContext, number: int) -> HttpResponse:
    """List the deals that are over at all tables of the round, with the mean points of each side."""
    found = _round(page, number)
    regulations = load_regulations(page.championship)
    context = {
        "round": found,
        "deals": summarise_deals(list_compared_deals(found)),
        "sides": name_sides_of_round(regulations),
        "planned": regulations.deals,
    }
    return page.render("pages/compared_deals.html", context)


@require_safe
@championship_page()
def compared_deal(page: PageContext, number: int, deal: int) -> HttpResponse:
    """Render the results of one deal at its tables. Raises 404 before it is over at all of them."""
    found = _round(page, number)
    tables = load_compared_deal(found, deal)
    if not tables:
        raise Http404
    regulations = load_regulations(page.championship)
    names = name_sides_of_round(regulations)
    whole = summarise_compared(deal, tables)
    [shown] = summarise_deals([whole])
    context = {
        "round": found,
        "deal": deal,
        "lines": compared_lines(tables, read_preference(page.request, "deck"), chips=regulations.chips()),
        "means": [(name, mean) for name, (mean, _span) in zip(names, shown.sides, strict=False)],
        "spreads": draw_spreads(whole, tables, names),
        "before": deal - 1 if deal > 1 else None,
        "after": deal + 1 if any(one.deal == deal + 1 for one in list_compared_deals(found)) else None,
        "against_field": regulations.counts_against_field,
    }
    return page.render("pages/compared_deal.html", context)


def _round(page: PageContext, number: int) -> Round:
    """Return the round. Raises Http404 unless all its tables play the same cards."""
    if not load_regulations(page.championship).plays_same_cards:
        raise Http404
    return page.find_round(number)
