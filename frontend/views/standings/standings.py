"""/c/<slug>/standings/: Published and live rankings as a page, as a graph and as a file."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.conf import settings
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe
from msgspec import UNSET

from frontend.fragment_cache import as_safe_html
from frontend.presenters.names.round_partners import load_round_partners
from frontend.presenters.standings import loaded_rankings, ranking_lines
from frontend.presenters.standings.loaded_rankings import LIVE, Ranking
from frontend.presenters.standings.places_graph import PlaceHistory, draw_places_graph
from frontend.presenters.verification import seals
from frontend.presenters.words.refusals import refusals_as_messages
from frontend.views.championship_context import (
    PageContext,
    championship_page,
    mark_uncacheable,
)
from frontend.views.numbers import parse_bounded
from tournaments import jobs
from tournaments.models import Job, Round
from tournaments.services import championship_seals
from tournaments.services.cache_versions import CacheVersion
from tournaments.services.current_regulations import load_regulations
from tournaments.services.scores import exports, ruling_marks, tie_break_draws
from tournaments.services.scores.bracket import has_bracket
from tournaments.standings import RankingRow

PAGE = 100
GRAPHED = 100


@require_safe
@championship_page()
def standings_page(page: PageContext) -> HttpResponse:
    """Render a ranking: the newest published one, else the live one. `?after=2`: as published after round 2;
    `?live=1`: with the running round; `?page=2`: rows 101 to 200.
    """
    cache_version = page.load_cache_version()
    rounds = list(page.championship.rounds.order_by("number"))
    ranking, mark = load_requested_ranking(page, rounds, cache_version)
    page_number = min(page.page_number, max(1, -(-len(ranking.rows) // PAGE)))
    own = page.roles.entry.number if page.roles.entry is not None else None
    corrects = page.roles.may("correct")
    of_start = ("live=1" if ranking.live else f"after={ranking.after}") if ranking.by_start else ""
    sweeps = ranking.have_swept

    def rows(shown: Sequence[RankingRow], mine: int | None = None) -> dict[int, str]:
        lines = ranking_lines.ranked_lines(
            shown,
            ranking_lines.load_ranked_people(page.championship, shown),
            ranking.rounds,
            before=loaded_rankings.places_after(page.championship, ranking.after - 1),
            mine=mine,
            marks=load_row_marks(page, ranking, shown),
            partners={}
            if ranking.by_start
            else load_round_partners(page.championship, set(ranking_lines.numbers_in(shown)), ranking.rounds),
        )
        return {
            line.number: page.render_fragment(
                "parts/standings_row.html",
                {"line": line, "corrects": corrects, "sweeps": sweeps, "of_start": of_start},
            )
            for line in lines
        }

    def table() -> dict[str, Any]:
        shown = ranking.rows[(page_number - 1) * PAGE : page_number * PAGE]
        of = (page_number, ranking.after, "live" if ranking.live else ranking.version, corrects, sweeps)
        made = (
            page.get_or_make_fragment(
                "standings", cache_version, of, mark, lambda: rows(shown), dict[int, str]
            )
            if shown
            else {}
        )
        my_row = ranking_lines.row_with(shown, own) if own is not None else None
        at_mine = rows([my_row], own) if my_row is not None else {}
        return {
            "ranking": ranking,
            "rows": [as_safe_html(each) for each in {**made, **at_mine}.values()],
            "sweeps": sweeps,
            "averages": any(not each.played for row in shown for each in row.rounds),
            "absent": any(each.absent is True for row in shown for each in row.rounds),
            "broken_off": any(each.broken_off is True for row in shown for each in row.rounds),
            "crossed_out": {
                bool(each.unfinished)
                for row in shown
                for each in row.rounds
                if not each.counts and each.points is not None
            },
            "people": len(ranking.rows),
            "page": page_number,
            "next_page": page_number + 1 if len(ranking.rows) > page_number * PAGE else None,
        }

    if page.is_partial:
        return page.respond_with_part(
            f"standings {page_number} {ranking.version} {ranking.after}",
            cache_version,
            LIVE,
            lambda: page.render_fragment("parts/standings_table.html", table()),
            more=stale_mark(ranking, mark, cache_version),
        )
    context: dict[str, Any] = {
        "rounds": [r for r in rounds if r.status == Round.Status.CLOSED],
        "is_open": any(r.status == Round.Status.OPEN for r in rounds),
        "has_bracket": has_bracket(regulations := load_regulations(page.championship)),
        "has_teams": regulations.teams is not UNSET,
        **table(),
    }
    if page.roles.may_direct and not ranking.live and all(r.status == Round.Status.CLOSED for r in rounds):
        draws = tie_break_draws.draw_kind(page.championship)
        ties = tie_break_draws.list_ties(page.championship) if draws else []
        context["level"] = any(row.shared for group in ties for row in group)
        context["drawn"] = bool(ties)
    if ranking.rows:
        covering = championship_seals.find_covering_checkpoint(
            page.championship, ranking.made_at, cache_version.delay
        )
        context["printed_seal"] = seals.build_printed_seal(page.request, page.championship, covering)
    return page.render("pages/standings.html", context)


@require_safe
@championship_page()
def standings_graph(page: PageContext) -> HttpResponse:
    """Render a graph of the places after each round or session: the first hundred rows and the requesting
    person's.
    """
    ranking = loaded_rankings.load_published(page.championship)
    by_round = loaded_rankings.places_by_round(page.championship, ranking.after)
    mine = page.roles.entry.number if page.roles.entry else None
    numbers = sorted(by_round) if ranking.by_start else ranking.rounds
    rows = [row for i, row in enumerate(ranking.rows) if i < GRAPHED or mine in row.numbers]
    entries = ranking_lines.load_ranked_people(page.championship, rows)
    courses = [
        PlaceHistory(
            label=ranking_lines.name_in(entries, row),
            places=tuple(by_round.get(number, {}).get(row.key) for number in numbers),
            mine=mine in row.numbers,
            number=row.numbers[0] if len(row.numbers) == 1 else None,
        )
        for row in rows
    ]
    return page.render(
        "pages/standings_graph.html", {"ranking": ranking, "graph": draw_places_graph(courses)}
    )


@require_http_methods(["GET", "HEAD", "POST"])
@championship_page("export_entries")
def standings_export(page: PageContext) -> HttpResponse:
    """Export a file. GET, for programs, returns
    `?what=standings|teams|results|entries&format=csv|xlsx|json&language=de`, or 409 if too large. POST starts
    a job that writes it.
    """
    if page.request.method != "POST":
        return _export_response(page)
    with refusals_as_messages(page.request):
        asked = page.request.POST
        job = jobs.start_job(
            Job.Kind.EXPORT,
            page.championship,
            actor=page.actor,
            what=asked.get("what", "standings"),
            format=asked.get("format", "csv"),
            language=get_language() or "",
        )
        return redirect("job", job.pk)
    return redirect("standings", page.championship.slug)


def _export_response(page: PageContext) -> HttpResponse:
    """Return the exported file. A refusal is returned as JSON with its code."""
    asked = page.request.GET
    what, form = asked.get("what", "standings"), asked.get("format", "csv")
    language = asked.get("language", get_language() or "")
    code = ""
    if what not in exports.WHAT or form not in exports.FORMATS or language not in dict(settings.LANGUAGES):
        code, status, detail = "jobs/no_such_file", 404, _("There is no such file.")
    elif not exports.is_quick(page.championship):
        code, status = "jobs/takes_a_job", 409
        detail = _("This file is too large for a direct download: order it on the page of the ranking.")
    if code:
        return mark_uncacheable(JsonResponse({"code": code, "detail": detail, "params": {}}, status=status))
    with override(language):
        exported = exports.export(page.championship, what, form, actor=page.actor)
    response = HttpResponse(exported.data, content_type=exported.kind)
    response.headers["Content-Disposition"] = f'attachment; filename="{exported.name}"'
    return mark_uncacheable(response)


def load_requested_ranking(
    page: PageContext, rounds: list[Round], cache_version: CacheVersion
) -> tuple[Ranking, str]:
    """Return the requested ranking with its cache mark. The default is the newest published ranking, or the
    live one before any is published.
    """
    after = parse_bounded(page.request.GET.get("after"), least=1, most=999, default=0)
    if page.request.GET.get("live") != "1":
        ranking = loaded_rankings.load_published(page.championship, after or None)
        if ranking.rows or after:
            return replace(ranking, after=ranking.after or after), cache_version.marks("frame", "people")
    return loaded_rankings.load_live(page.championship, rounds, cache_version)


def load_row_marks(page: PageContext, ranking: Ranking, shown: Sequence[RankingRow]) -> ruling_marks.Marks:
    """Load the rulings that affect these rows. A ranking of starts gets none, because rulings know rounds
    only.
    """
    if ranking.by_start:
        return {}
    return ruling_marks.load_entry_marks(page.championship, ranking_lines.numbers_in(shown))


def stale_mark(ranking: Ranking, mark: str, cache_version: CacheVersion) -> str:
    """Return the mark of a live ranking if it is older than this cache version, so that the page requests
    a newer one soon; else "".
    """
    return mark if ranking.live and mark != cache_version.marks(*LIVE) else ""
