"""/c/<slug>/starts/: The ranking of the single starts of an open heat."""

from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from frontend.presenters.standings import ranking_lines
from frontend.views.championship_context import PageContext, championship_page
from tournaments.services.current_regulations import load_regulations
from tournaments.services.scores.ranking_basis import rank_starts

PAGE = 100


@require_safe
@championship_page()
def starts_page(page: PageContext) -> HttpResponse:
    """Render the starts by their results, also those of open sessions. `?page=2`: the next hundred."""
    if not load_regulations(page.championship).has_queue:
        raise Http404
    cache_version = page.load_cache_version()
    page_number = page.page_number
    mark = cache_version.marks("frame", "people", "tables", "results")

    def make() -> str:
        rows = rank_starts(page.championship)
        shown_page = min(page_number, max(1, -(-len(rows) // PAGE)))
        shown = rows[(shown_page - 1) * PAGE : shown_page * PAGE]
        context = {
            "lines": ranking_lines.ranked_lines(
                shown, ranking_lines.load_ranked_people(page.championship, shown), (1,)
            ),
            "count": len(rows),
            "page": shown_page,
            "next_page": shown_page + 1 if len(rows) > shown_page * PAGE else None,
        }
        return page.render_fragment("parts/starts_table.html", context)

    body = page.get_or_make_html("starts", cache_version, (page_number,), mark, make)
    return page.render("pages/starts.html", {"table": body})
