"""/c/<slug>/games/<game>/places/: The places of a table's players in the ranking, shown at the end of their
game.
"""

from dataclasses import dataclass

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from frontend.presenters.standings import loaded_rankings, ranking_lines
from frontend.views.championship_context import PageContext, championship_page, mark_uncacheable
from games.models import Game
from tournaments.models import Table
from tournaments.standings import Figure


@dataclass(frozen=True, slots=True)
class PlaceNow:
    """A row of the live ranking that contains a player of the table."""

    place: int
    shared: bool
    name: str
    total: Figure


@require_safe
@championship_page()
def game_places(page: PageContext, game_id: str) -> HttpResponse:
    """Return the places in the live ranking. Return none before the game has ended, nor for a table shown
    with a delay, because the ranking then lacks the latest results of the players.
    """
    found = Table.objects.filter(game=game_id, round__championship=page.championship)
    table = found.select_related("game").first()
    if table is None or table.game is None:
        raise Http404(_("There is no such table."))
    over = table.game.status == Game.Status.ENDED
    lines: list[PlaceNow] = []
    people = 0
    if over and not table.game.delay_minutes:
        cache_version = page.load_cache_version()
        rounds = list(page.championship.rounds.order_by("number"))
        ranking, _mark = loaded_rankings.load_live(page.championship, rounds, cache_version)
        numbers = set(table.seatings.values_list("entry__number", flat=True))
        rows = [row for row in ranking.rows if numbers & set(row.numbers)]
        entries = ranking_lines.load_ranked_people(page.championship, rows)
        lines = [
            PlaceNow(row.place, row.shared, ranking_lines.name_in(entries, row), row.total) for row in rows
        ]
        people = len(ranking.rows)
    return mark_uncacheable(
        render(page.request, "parts/game_places.html", {"lines": lines, "people": people})
    )
