"""/c/<slug>/where/: Find a person's seat."""

from typing import Any, Final

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from frontend.presenters.messages.notices import notice_panel
from frontend.presenters.rounds.next_seats import load_seats_of_people
from frontend.presenters.tables.hall import MAX_QUERY_LENGTH
from frontend.presenters.tables.session_places import session_places
from frontend.views.championship_context import PageContext, championship_page
from frontend.views.numbers import parse_bounded
from tournaments.models import Entry, Round
from tournaments.services.current_regulations import load_regulations
from tournaments.services.people import name_visibility

FOUND: Final = 12


@require_safe
@championship_page()
def where(page: PageContext) -> HttpResponse:
    """Find seats. `?q=`: part of a name, or an entry number; a signed-in player is found without it. People
    without a seat are found too, so that they can subscribe to messages.
    """
    query = page.request.GET.get("q", "").strip()[:MAX_QUERY_LENGTH]
    regulations = load_regulations(page.championship)
    if regulations.has_queue:
        return _where_in_sessions(page, query)
    newest = newest_seats(page)
    is_over = newest is not None and newest.status == Round.Status.CLOSED
    round_ = None if is_over else newest
    people: list[Entry] = []
    if query:
        people = list(_find_by_name(page, query)[: FOUND + 1])
    elif page.roles.entry is not None:
        people = [page.roles.entry]
    context: dict[str, Any] = {"round": round_, "query": query, "more": len(people) > FOUND}
    if is_over:
        planned = page.championship.rounds.filter(status=Round.Status.PLANNED).order_by("number")
        context |= {"is_over": True, "next_number": planned.values_list("number", flat=True).first()}
    context["people"] = load_seats_of_people(round_, people[:FOUND], regulations)
    context["tells"] = len(people) == 1 and notice_panel(page.championship, people[0].number)
    return page.render("parts/where.html" if page.is_partial else "pages/where.html", context)


def _where_in_sessions(page: PageContext, query: str) -> HttpResponse:
    """Render where the people found are now in the open sessions: at a table or in the queue."""
    people = [page.roles.entry] if page.roles.entry is not None else []
    if query:
        people = list(_find_by_name(page, query)[: 4 * FOUND])
    found = session_places(page.championship, people, chips=_chips(page))
    context = {
        "query": query,
        "found": found[:FOUND],
        "more": len(found) > FOUND,
        "sessions": list(page.championship.rounds.filter(status=Round.Status.OPEN).order_by("number")),
    }
    return page.render(
        "parts/where_sessions.html" if page.is_partial else "pages/where_sessions.html", context
    )


def newest_seats(page: PageContext) -> Round | None:
    """Return the newest round that has seats, whether drawn, running or over; None if there is none."""
    drawn = page.championship.rounds.exclude(status=Round.Status.PLANNED)
    newest_round = drawn.order_by("-number").first()
    if newest_round is not None:
        newest_round.championship = page.championship
    return newest_round


def _find_by_name(page: PageContext, query: str) -> Any:
    entries = page.championship.entries.exclude(status=Entry.Status.WITHDRAWN)
    if query.isdecimal():
        return entries.filter(number=parse_bounded(query, least=0, most=10**8, default=0))
    return name_visibility.filter_by_name(entries, page.championship, query).order_by("sort_name", "number")


def _chips(page: PageContext) -> int:
    return load_regulations(page.championship).chips()
