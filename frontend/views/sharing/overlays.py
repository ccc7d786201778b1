"""/overlay/…: Transparent overlays for a video picture: a table, its names and points, or a ranking. They
show only public data.
"""

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from frontend.presenters.words.script_sentences import load_sentences
from frontend.sharing.parts import part_or_page
from frontend.sharing.public_page_data import public_page_data
from frontend.sharing.public_ranking import render_public_ranking
from frontend.sharing.strangers import embeddable_view, public_championship, public_game, requested_language
from frontend.views.numbers import MAX_NUMBER, parse_bounded
from games.models import Game
from tournaments.models import Round, Table

TOP, MOST = 5, 20
REFRESH_SECONDS = 20
"""Seconds between two checks whether the next round has begun."""


@require_safe
@embeddable_view
def overlay_table(request: HttpRequest, game_id: str, *, names_only: bool = False) -> HttpResponse:
    """Render one table until its game ends. `names_only`: only names and points."""
    game, place = public_game(game_id)
    return _render_overlay(request, game, place, names_only=names_only)


@require_safe
@embeddable_view
def overlay_of(request: HttpRequest, slug: str, number: int, *, names_only: bool = False) -> HttpResponse:
    """Render the table with this number in the newest opened round; without a public one, a waiting page.
    `names_only`: only names and points.
    """
    championship = public_championship(slug)
    last = championship.rounds.filter(status__in=(Round.Status.OPEN, Round.Status.CLOSED)).order_by("-number")
    found = Table.objects.filter(round=last.first(), number=min(number, MAX_NUMBER), game__isnull=False)
    table = found.select_related("game", "round__championship").first()
    if table is None or table.game is None or table.game.visibility == Game.Visibility.PRIVATE:
        answer = HttpResponse(render_to_string("overlay/waiting.html", {}))
        answer.headers["Refresh"] = str(REFRESH_SECONDS)
        return answer
    return _render_overlay(request, table.game, table, names_only=names_only, again=REFRESH_SECONDS)


@require_safe
@embeddable_view
def overlay_ranking(request: HttpRequest, slug: str) -> HttpResponse:
    """Render the first five places of the ranking; `?top=10`: the first ten; `?live=1`: with the running
    round.
    """
    championship = public_championship(slug)
    top = parse_bounded(request.GET.get("top"), least=1, most=MOST, default=TOP)
    with requested_language(request, championship):
        ranking = render_public_ranking(
            championship, top, "elsewhere/ranking_rows.html", live=request.GET.get("live") == "1"
        )
        context = {"championship": championship, "ranking": ranking, "again": request.get_full_path()}
        return part_or_page(request, ranking, "overlay/ranking.html", context)


def _render_overlay(
    request: HttpRequest, game: Game, place: Table | None, *, names_only: bool, again: int = 0
) -> HttpResponse:
    with requested_language(request, place.round.championship if place is not None else None):
        context = {
            "table_label": _("Table %(number)s") % {"number": place.number} if place else _("A single table"),
            "page_data": public_page_data(game, again=again),
            "words": load_sentences("overlay"),
            "names_only": names_only,
        }
        return HttpResponse(render_to_string("overlay/table.html", context))
