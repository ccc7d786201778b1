"""/c/<slug>/standings/teams/: The ranking of teams, published or live, as a page and for the projector."""

from typing import Any

from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from frontend.presenters import rankings, seals
from frontend.presenters.rankings import LIVE
from frontend.presenters.teams import TeamRanking, describe_rules, published_teams, team_lines
from frontend.views.championship_context import PageContext, championship_page, projector_view
from frontend.views.numbers import parse_bounded
from tournaments.models import Round
from tournaments.services import sealing
from tournaments.services.cache_versions import CacheVersion
from tournaments.services.scores import ranking
from tournaments.services.team_members import find_team_rules
from tournaments.standings import TeamCounting, TeamRow

PAGE = 50
PROJECTED = 10


@require_safe
@championship_page()
def team_standings(frame: PageContext) -> HttpResponse:
    """Render the ranking of teams, published or else live. `?after=2`: after round 2; `?live=1`: with the
    running round; `?page=2`: teams 51 to 100.
    """
    rules = _require_teams(frame)
    cache_version = frame.cache_version()
    rounds = list(frame.championship.rounds.order_by("number"))
    asked = parse_bounded(frame.request.GET.get("after"), least=1, most=999, default=0)
    is_live = frame.request.GET.get("live") == "1"
    team_ranking = TeamRanking() if is_live else published_teams(frame.championship, asked or None)
    is_live = is_live or (team_ranking.version is None and not asked)

    rows = _live_rows(frame, cache_version) if is_live else team_ranking.rows
    pages = max(1, -(-len(rows) // PAGE))
    page = min(frame.page_asked_for, pages)

    def make() -> str:
        context = {
            "lines": team_lines(frame.championship, rows[(page - 1) * PAGE : page * PAGE]),
            "rules_said": describe_rules(rules),
            "page": page,
            "next_page": page + 1 if page < pages else None,
            "ranking_asked": "live=1" if is_live else f"after={team_ranking.after}",
        }
        return frame.rendered("parts/team_table.html", context)

    marks = LIVE if is_live else ("frame", "people")
    of = (team_ranking.version, team_ranking.after, is_live, page)
    table = frame.piece("team_standings", cache_version, of, cache_version.marks(*marks), make)
    if frame.is_partial:
        return frame.part(f"team standings {of}", cache_version, marks, lambda: table)
    context: dict[str, Any] = {
        "ranking": team_ranking,
        "live": is_live,
        "after": team_ranking.after or asked,
        "rounds": [r for r in rounds if r.status == Round.Status.CLOSED],
        "is_open": any(r.status == Round.Status.OPEN for r in rounds),
        "rules_said": describe_rules(rules),
        "table": table,
        "page": page,
    }
    if team_ranking.rows:
        covering = sealing.find_covering_checkpoint(
            frame.championship, team_ranking.made_at, cache_version.delay
        )
        context["printed_seal"] = seals.build_printed_seal(frame.request, frame.championship, covering)
    return frame.page("pages/team_standings.html", context)


@require_safe
@championship_page()
@projector_view
def team_projector(frame: PageContext) -> HttpResponse:
    """Render the newest published ranking of teams, or the live one if none is published, for a projector,
    ten teams at a time.
    """
    _require_teams(frame)
    cache_version = frame.cache_version()
    rounds = list(frame.championship.rounds.order_by("number"))
    team_ranking = published_teams(frame.championship)
    rows = team_ranking.rows if not team_ranking.live else _live_rows(frame, cache_version)
    pages = max(1, -(-len(rows) // PROJECTED))
    page = parse_bounded(frame.request.GET.get("page"), least=1, most=pages, default=1)

    def make() -> str:
        context = {
            "ranking": team_ranking,
            "playing": rankings.find_played_round(rounds),
            "lines": team_lines(frame.championship, rows[(page - 1) * PROJECTED : page * PROJECTED]),
            "page": page,
            "pages": pages,
            "next_page": page % pages + 1,
        }
        return frame.rendered("parts/projected_teams.html", context)

    body = frame.piece(
        "projected_teams", cache_version, (page, team_ranking.version), cache_version.marks(*LIVE), make
    )
    if frame.is_partial:
        return frame.part(f"projected teams {page} {team_ranking.version}", cache_version, LIVE, lambda: body)
    return frame.page("pages/projector.html", {"projected": body})


def _live_rows(frame: PageContext, cache_version: CacheVersion) -> list[TeamRow]:
    def make() -> list[TeamRow]:
        return ranking.live_teams(frame.championship) or []

    return frame.shared("live_teams", cache_version, (), cache_version.marks(*LIVE), make, list[TeamRow])


def _require_teams(frame: PageContext) -> TeamCounting:
    """Return the rules by which teams are ranked. Raises Http404 if there are no teams."""
    rules = find_team_rules(frame.championship)
    if rules is None:
        raise Http404
    return rules
