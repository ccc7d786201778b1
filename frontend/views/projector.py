"""The pages for a projector, each in a loop: a ranking, teams, tables, seats, the queue, and prizes."""

from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from frontend.presenters.money import prizes as prize_words
from frontend.presenters.names.playing_teams import load_playing_teams
from frontend.presenters.rounds import seating
from frontend.presenters.rounds.byes import list_byes
from frontend.presenters.rounds.queue import list_called_tables, waiting_lines
from frontend.presenters.standings import loaded_rankings, ranking_lines
from frontend.presenters.standings.loaded_rankings import LIVE
from frontend.presenters.standings.teams import published_teams, team_lines
from frontend.presenters.tables.projector import (
    BEST_STARTS,
    CALLED_TABLES,
    MOST_WAITING,
    NAMES_AT_ONCE,
    RANKED_AT_ONCE,
    TALL_AT_ONCE,
    WAITING_AT_ONCE,
    find_projector_page,
    load_projected_tables,
)
from frontend.presenters.words.script_sentences import load_sentences
from frontend.views.championship_context import PageContext, championship_page, projector_view
from frontend.views.rounds.queue import load_session
from frontend.views.standings.standings import load_requested_ranking, load_row_marks, stale_mark
from frontend.views.standings.team_standings import load_live_rows, require_teams
from frontend.views.tables.board import list_open_or_last_rounds
from frontend.views.tables.tiles import MARKS, page_within
from frontend.views.tables.where import newest_seats
from tournaments.models import Round
from tournaments.services import open_heat_queue, prize_giving
from tournaments.services.current_regulations import load_regulations
from tournaments.services.scores.ranking_basis import rank_starts


@require_safe
@championship_page()
@projector_view
def ranking_projector(page: PageContext) -> HttpResponse:
    """Render the ranking, ten rows at a time."""
    cache_version = page.load_cache_version()
    rounds = list(page.championship.rounds.order_by("number"))
    ranking, mark = load_requested_ranking(page, rounds, cache_version)
    projected = find_projector_page(page.page_number, len(ranking.rows), RANKED_AT_ONCE)

    def make() -> str:
        shown = ranking.rows[projected.rows]
        context = {
            "ranking": ranking,
            "playing": loaded_rankings.find_played_round(rounds),
            "lines": ranking_lines.ranked_lines(
                shown,
                ranking_lines.load_ranked_people(page.championship, shown),
                ranking.rounds,
                marks=load_row_marks(page, ranking, shown),
            ),
            **projected.context(),
        }
        return page.render_fragment("parts/projected.html", context)

    of = (projected.number, ranking.after, "live" if ranking.live else ranking.version)
    body = page.get_or_make_html("projected", cache_version, of, mark, make)
    if page.is_partial:
        more = stale_mark(ranking, mark, cache_version)
        return page.respond_with_part(
            f"projected {projected.number} {ranking.version}", cache_version, LIVE, lambda: body, more=more
        )
    return page.render("pages/projector.html", {"projected": body})


@require_safe
@championship_page()
@projector_view
def team_projector(page: PageContext) -> HttpResponse:
    """Render the newest published ranking of teams, or the live one if none is published, ten teams at a
    time.
    """
    require_teams(page)
    cache_version = page.load_cache_version()
    rounds = list(page.championship.rounds.order_by("number"))
    team_ranking = published_teams(page.championship)
    rows = team_ranking.rows if not team_ranking.live else load_live_rows(page, cache_version)
    projected = find_projector_page(page.page_number, len(rows), RANKED_AT_ONCE)

    def make() -> str:
        context = {
            "ranking": team_ranking,
            "playing": loaded_rankings.find_played_round(rounds),
            "lines": team_lines(page.championship, rows[projected.rows]),
            **projected.context(),
        }
        return page.render_fragment("parts/projected_teams.html", context)

    body = page.get_or_make_html(
        "projected_teams",
        cache_version,
        (projected.number, team_ranking.version),
        cache_version.marks(*LIVE),
        make,
    )
    if page.is_partial:
        return page.respond_with_part(
            f"projected teams {projected.number} {team_ranking.version}", cache_version, LIVE, lambda: body
        )
    return page.render("pages/projector.html", {"projected": body})


@require_safe
@championship_page()
@projector_view
def tables_projector(page: PageContext) -> HttpResponse:
    """Render a few tables of an open round, else of the last one, with their scores; `?page=2`: the next
    ones.
    """
    cache_version, rounds = page.load_cache_version(), list_open_or_last_rounds(page)
    pages = sum(page_within(round_, page.page_number, TALL_AT_ONCE) for round_ in rounds)
    page_number = min(page.page_number, pages or 1)

    def make() -> str:
        teams = load_playing_teams(page.championship, load_regulations(page.championship))
        tables = load_projected_tables(rounds, page_number, timezone.now(), teams)
        return page.render_fragment(
            "parts/projected_tables.html", {"round": tables.round, "projected": tables}
        )

    of = (*(round_.pk for round_ in rounds), page_number)
    body = page.get_or_make_html("projected tables", cache_version, of, cache_version.marks(*MARKS), make)
    if page.is_partial:
        return page.respond_with_part(f"projected tables {of}", cache_version, MARKS, lambda: body)
    return page.render(
        "pages/tables_projector.html", {"projected": body, "words": load_sentences("projector")}
    )


@require_safe
@championship_page()
@projector_view
def seating_projector(page: PageContext) -> HttpResponse:
    """Render the seats of everybody in the newest round that has seats, by name."""
    cache_version, round_ = page.load_cache_version(), newest_seats(page)
    people = round_.seatings.count() if round_ is not None else 0
    projected = find_projector_page(page.page_number, people, NAMES_AT_ONCE)

    def make() -> str:
        chips = load_regulations(page.championship).chips()
        seats = seating.sort_by_name(seating.list_seats(round_, chips=chips)) if round_ else []
        lines = seats[projected.rows]
        context = {
            "round": round_,
            "lines": lines,
            "out": list_byes(round_) if round_ else [],
            **projected.context(),
            "first": lines[0].name if lines else "",
            "last": lines[-1].name if lines else "",
        }
        return page.render_fragment("parts/projected_seating.html", context)

    of = (round_.pk if round_ else None, projected.number)
    body = page.get_or_make_html(
        "projected seating", cache_version, of, cache_version.marks("frame", "people"), make
    )
    if page.is_partial:
        return page.respond_with_part(
            f"projected seating {of}", cache_version, ("frame", "people"), lambda: body
        )
    return page.render("pages/seating_projector.html", {"projected": body})


@require_safe
@championship_page()
@projector_view
def queue_projector(page: PageContext, number: int) -> HttpResponse:
    """Render the queue: the newest tables, who waits, and the best starts so far.
    `?page=2`: the next waiting starts.
    """
    round_ = load_session(page, number)
    cache_version = page.load_cache_version()

    def make() -> str:
        waiting = open_heat_queue.list_waiting(round_) if round_.status == Round.Status.OPEN else []
        lines = waiting_lines(waiting[:MOST_WAITING], None)
        projected = find_projector_page(page.page_number, len(lines), WAITING_AT_ONCE)
        rows = [row for row in rank_starts(page.championship) if row.has_result][:BEST_STARTS]
        context = {
            "round": round_,
            "waiting": lines[projected.rows],
            "waiting_count": len(waiting),
            "first": projected.rows.start + 1,
            "called": list_called_tables(
                round_, chips=load_regulations(page.championship).chips(), most=CALLED_TABLES
            ),
            "best": ranking_lines.ranked_lines(
                rows, ranking_lines.load_ranked_people(page.championship, rows), (1,)
            ),
            **projected.context(),
        }
        return page.render_fragment("parts/projected_queue.html", context)

    of = (round_.pk, page.page_number)
    marks = (*MARKS, "results")
    body = page.get_or_make_html("projected queue", cache_version, of, cache_version.marks(*marks), make)
    if page.is_partial:
        return page.respond_with_part(f"projected queue {of}", cache_version, marks, lambda: body)
    return page.render("pages/queue_projector.html", {"round": round_, "projected": body})


@require_safe
@championship_page()
@projector_view
def prizes_projector(page: PageContext) -> HttpResponse:
    """Render the called winner, as large as possible. The page is polled."""
    giving = prize_giving.load_giving(page.championship)
    shown = None
    if giving.current is not None:
        shown = prize_words.step_line(
            giving, giving.current, giving.step, prize_words.Names(page.championship)
        )
    context = {"shown": shown}
    if page.is_partial:
        return HttpResponse(page.render_fragment("parts/prize_projected.html", context))
    return page.render("pages/prizes_projector.html", context)
