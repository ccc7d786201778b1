"""/c/<slug>/standings/teams/: The ranking of teams, published or live."""

from typing import Any

from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from frontend.presenters.standings.loaded_rankings import LIVE
from frontend.presenters.standings.teams import TeamRanking, describe_rules, published_teams, team_lines
from frontend.presenters.verification import seals
from frontend.views.championship_context import PageContext, championship_page
from frontend.views.numbers import parse_bounded
from tournaments.models import Round
from tournaments.services import championship_seals
from tournaments.services.cache_versions import CacheVersion
from tournaments.services.people.team_members import find_team_rules
from tournaments.services.scores import ranking_basis
from tournaments.standings import TeamCounting, TeamRow

PAGE = 50


@require_safe
@championship_page()
def team_standings(page: PageContext) -> HttpResponse:
    """Render the ranking of teams, published or else live. `?after=2`: after round 2; `?live=1`: with the
    running round; `?page=2`: teams 51 to 100.
    """
    rules = require_teams(page)
    cache_version = page.load_cache_version()
    rounds = list(page.championship.rounds.order_by("number"))
    asked = parse_bounded(page.request.GET.get("after"), least=1, most=999, default=0)
    is_live = page.request.GET.get("live") == "1"
    team_ranking = TeamRanking() if is_live else published_teams(page.championship, asked or None)
    is_live = is_live or (team_ranking.version is None and not asked)

    rows = load_live_rows(page, cache_version) if is_live else team_ranking.rows
    pages = max(1, -(-len(rows) // PAGE))
    page_number = min(page.page_number, pages)

    def make() -> str:
        context = {
            "lines": team_lines(page.championship, rows[(page_number - 1) * PAGE : page_number * PAGE]),
            "rules_said": describe_rules(rules),
            "page": page_number,
            "next_page": page_number + 1 if page_number < pages else None,
            "ranking_asked": "live=1" if is_live else f"after={team_ranking.after}",
        }
        return page.render_fragment("parts/team_table.html", context)

    marks = LIVE if is_live else ("frame", "people")
    of = (team_ranking.version, team_ranking.after, is_live, page_number)
    table = page.get_or_make_html("team_standings", cache_version, of, cache_version.marks(*marks), make)
    if page.is_partial:
        return page.respond_with_part(f"team standings {of}", cache_version, marks, lambda: table)
    context: dict[str, Any] = {
        "ranking": team_ranking,
        "live": is_live,
        "after": team_ranking.after or asked,
        "rounds": [r for r in rounds if r.status == Round.Status.CLOSED],
        "is_open": any(r.status == Round.Status.OPEN for r in rounds),
        "rules_said": describe_rules(rules),
        "table": table,
        "page": page_number,
    }
    if team_ranking.rows:
        covering = championship_seals.find_covering_checkpoint(
            page.championship, team_ranking.made_at, cache_version.delay
        )
        context["printed_seal"] = seals.build_printed_seal(page.request, page.championship, covering)
    return page.render("pages/team_standings.html", context)


def load_live_rows(page: PageContext, cache_version: CacheVersion) -> list[TeamRow]:
    def make() -> list[TeamRow]:
        return ranking_basis.live_teams(page.championship) or []

    return page.get_or_make_fragment(
        "live_teams", cache_version, (), cache_version.marks(*LIVE), make, list[TeamRow]
    )


def require_teams(page: PageContext) -> TeamCounting:
    """Return the rules by which teams are ranked. Raises Http404 if there are no teams."""
    rules = find_team_rules(page.championship)
    if rules is None:
        raise Http404
    return rules
