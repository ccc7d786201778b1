"""/g/<game>/: A table for spectators. Players and scorers get a link to their own page."""

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from frontend.presenters.tables.table_page import page_at_table
from frontend.presenters.tables.tables import annotate_substitutes
from frontend.views.numbers import MAX_NUMBER, parse_bounded
from games.live import viewer_count
from games.models import Game
from tournaments.models import Seating


@require_safe
def table_live(request: HttpRequest, game_id: str) -> HttpResponse:
    """Render the page. Cards arrive over the socket only, redacted for the person."""
    table = page_at_table(request, game_id)
    open_hands = table.observer.sees_deal(table.game.deal)
    facts = {
        "open_hands": open_hands,
        "clock": table.clock(),
        "watching": viewer_count.count_viewers([game_id])[game_id],
    }
    context = table.context(request, "live-table", **facts)
    place, championship = context["tournament_table"], context["championship"]
    if place is not None:
        seatings = list(
            annotate_substitutes(place.seatings.select_related("entry__start_of").order_by("seat"))
        )
        context["people"] = [seating.entry for seating in seatings]
        persons = [entry.start_of or entry for entry in context["people"]]
        extra = context["page_data"]["extra"]
        extra["people"] = pages = _person_pages(championship.slug, seatings)
        followed = parse_bounded(request.GET.get("follow"), least=1, most=MAX_NUMBER, default=0)
        context["following"] = followed if championship.public else 0
        if context["following"]:
            numbers = [page and one.number for page, one in zip(pages, persons, strict=True)]
            extra["near"] = numbers.index(followed) if followed in numbers else None
        context["followed"] = next((one for one in persons if one.number == followed), None)
        context["others"] = championship.public and table.game.visibility != Game.Visibility.PRIVATE
    return render(request, "pages/table_live.html", context)


def _person_pages(slug: str, seatings: Sequence[Seating]) -> list[str]:
    """Return the URL of the page of each seat's person; "" for a seat where a substitute plays."""
    return [
        ""
        if seating.stands_in is not None  # type: ignore[attr-defined]  # annotated by annotate_substitutes
        else reverse("persons_evening", args=[slug, seating.entry.number])
        for seating in seatings
    ]
