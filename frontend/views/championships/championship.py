"""/c/<slug>/: The home page of a championship: its state, and the director's next step."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, cast

from django.contrib import messages
from django.db.models import Count, Exists, OuterRef, Q
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from frontend.accounts.proof import reauthentication_required
from frontend.preferences import read_preference
from frontend.presenters.money.loose_ends import list_loose_ends
from frontend.presenters.regulations.regulations import list_articles
from frontend.presenters.rounds.finals import load_final_links
from frontend.presenters.rounds.next_step import ChampionshipProgress, next_step
from frontend.presenters.standings import loaded_rankings, ranking_lines
from frontend.presenters.words.refusals import refusals_as_messages
from frontend.views.championship_context import PageContext, championship_page
from frontend.views.clubs.series_versions import publish_with_ranking
from frontend.views.tables.tiles import MARKS, load_own_table, load_tiles
from games.models import Game, User
from tournaments.models import Championship, Entry, Round, Table
from tournaments.prizes.giving import PODIUM
from tournaments.services import prize_giving
from tournaments.services.championships import championships
from tournaments.services.current_regulations import load_regulations
from tournaments.services.draw import left_over
from tournaments.services.people.entry_persons import PERSON
from tournaments.services.scores import ruling_marks, tie_break_draws
from tournaments.services.series import publishing

TOP = 8
TILES = 12
STILL_ON_PAPER = Table.objects.filter(round=OuterRef("pk"), game__mode=Game.Mode.SHEET).exclude(
    game__status__in=Game.OVER
)
"""Query for the unfinished tables of a round whose results are typed from score sheets."""


@require_safe
@championship_page()
def championship(page: PageContext) -> HttpResponse:
    """Render the overview of a championship. The tiles of its tables are a polled part of the page."""
    championship, cache_version = page.championship, page.load_cache_version()
    rounds = list(championship.rounds.annotate(on_paper=Exists(STILL_ON_PAPER)).order_by("number"))
    begun = [r for r in rounds if r.status != Round.Status.PLANNED]
    current = next((r for r in rounds if r.status == Round.Status.OPEN), begun[-1] if begun else None)
    mine = page.roles.entry
    also_open = [r for r in rounds if r.status == Round.Status.OPEN and r != current]
    context: dict[str, Any] = {"rounds": rounds, "current": current, "also_open": also_open}

    def tables() -> dict[str, Any]:
        read: list[Table] = []
        tiles = load_tiles(page, cache_version, current, read=read)
        own = load_own_table(page, current, read=read)
        pieces = tiles.own_first(own, TILES)
        elsewhere = Table.objects.filter(round__in=also_open).count() if also_open else 0
        every = tiles.tables + elsewhere
        return {
            "sections": [(current, pieces)],
            "all_tables": every if every > len(pieces) else 0,
            "table_count": tiles.tables,
            "tables_over": tiles.over,
            "my_table": own,
        }

    if page.is_partial:
        return page.respond_with_part(
            f"overview {current.pk if current else 0}",
            cache_version,
            MARKS,
            lambda: page.render_fragment("parts/overview_tables.html", tables()),
        )
    context |= tables()
    regulations = load_regulations(championship)
    counts = championship.entries.filter(bot=False).aggregate(
        entered=Count(PERSON, filter=~Q(status=Entry.Status.WITHDRAWN), distinct=True),
        arrived=Count(PERSON, filter=Q(status=Entry.Status.ARRIVED), distinct=True),
    )
    progress = ChampionshipProgress(
        entered=counts["entered"],
        arrived=counts["arrived"],
        table_size=regulations.play.seats,
        tables=context["table_count"],
        tables_over=context["tables_over"],
        sheets=any(r.on_paper for r in rounds if r.status == Round.Status.OPEN),
        prizes_left=all(r.status == Round.Status.CLOSED for r in rounds)
        and prize_giving.has_calls_left(championship),
        gap=left_over.count_gap(championship)
        if page.roles.may_direct and not regulations.has_queue and _is_draw_next(rounds)
        else None,
        has_queue=regulations.has_queue,
        level=page.roles.may_direct
        and _is_ready_to_close(championship, rounds)
        and _is_podium_level(championship),
        loose_ends=list_loose_ends(championship)
        if page.roles.may_direct and _is_ready_to_close(championship, rounds)
        else (),
    )
    found_ranking = loaded_rankings.load_published(championship)
    context |= {
        "progress": progress,
        "step": next_step(championship, rounds, progress) if page.roles.may_direct else None,
        "articles": list_articles(regulations, read_preference(page.request, "deck")),
        "variant": regulations.play.variant,
        "other_days": championships.load_related_championships(championship, page.actor),
        "ranking": found_ranking,
        "playing": loaded_rankings.find_played_round(rounds),
        "top": ranking_lines.ranked_lines(
            found_ranking.rows[:TOP],
            ranking_lines.load_ranked_people(championship, found_ranking.rows[:TOP]),
            found_ranking.rounds,
            mine=mine.number if mine else None,
            marks={}
            if found_ranking.by_start
            else ruling_marks.load_entry_marks(
                championship, ranking_lines.numbers_in(found_ranking.rows[:TOP])
            ),
        )
        if found_ranking.rows
        else [],
    }
    if context["step"] is not None and _is_ready_to_close(championship, rounds):
        context["kept_series"] = publishing.list_kept_series(championship, cast(User, page.request.user))
    if getattr(championship, "in_series", False):
        context["final"] = load_final_links(championship, page.request.user, directs=page.roles.may_direct)
    return page.render("pages/championship.html", context)


def _is_draw_next(rounds: Sequence[Round]) -> bool:
    """Return whether the director's next step is a draw."""
    current = next((r for r in rounds if r.status != Round.Status.CLOSED), None)
    return current is not None and current.status == Round.Status.PLANNED


def _is_podium_level(championship: Championship) -> bool:
    """Return whether people share one of the first three places, so that lots may have to decide."""
    if tie_break_draws.draw_kind(championship) is None:
        return False
    groups = tie_break_draws.list_ties(championship)
    return any(above.place == row.place <= PODIUM for group in groups for above, row in pairwise(group))


def _is_ready_to_close(championship: Championship, rounds: Sequence[Round]) -> bool:
    """Return whether all rounds are over and the championship is not finished yet."""
    finished = championship.status == Championship.Status.FINISHED
    return not finished and bool(rounds) and all(r.status == Round.Status.CLOSED for r in rounds)


@require_POST
@reauthentication_required
@championship_page("close")
def championship_finish(page: PageContext) -> HttpResponse:
    with refusals_as_messages(page.request):
        championships.finish(page.championship, actor=page.actor)
        messages.success(
            page.request, _("The championship is closed. Everything can still be read and replayed.")
        )
        publish_with_ranking(page)
    return redirect(reverse("championship", args=[page.championship.slug]))
