"""/c/<slug>/where/: Find a person's seat; on the projector, the seats of everybody."""

from typing import Any, Final

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from frontend.presenters import seating
from frontend.presenters.byes import list_byes
from frontend.presenters.hall import MAX_QUERY_LENGTH
from frontend.presenters.next_seats import load_seats_of_people
from frontend.presenters.notices import notice_panel
from frontend.presenters.session_places import session_places
from frontend.views.championship_context import PageContext, championship_page, projector_view
from frontend.views.numbers import parse_bounded
from tournaments.models import Entry, Round
from tournaments.services import name_visibility
from tournaments.services.current_regulations import load_regulations

FOUND: Final = 12
PROJECTED: Final = 45
"""Number of names on the projector at a time, in three columns."""


@require_safe
@championship_page()
def where(frame: PageContext) -> HttpResponse:
    """Find seats. `?q=`: part of a name, or an entry number; a signed-in player is found without it. People
    without a seat are found too, so that they can subscribe to messages.
    """
    query = frame.request.GET.get("q", "").strip()[:MAX_QUERY_LENGTH]
    regulations = load_regulations(frame.championship)
    if regulations.has_queue:
        return _where_in_sessions(frame, query)
    newest = newest_seats(frame)
    is_over = newest is not None and newest.status == Round.Status.CLOSED
    round_ = None if is_over else newest
    people: list[Entry] = []
    if query:
        people = list(_find_by_name(frame, query)[: FOUND + 1])
    elif frame.roles.entry is not None:
        people = [frame.roles.entry]
    context: dict[str, Any] = {"round": round_, "query": query, "more": len(people) > FOUND}
    if is_over:
        planned = frame.championship.rounds.filter(status=Round.Status.PLANNED).order_by("number")
        context |= {"is_over": True, "next_number": planned.values_list("number", flat=True).first()}
    context["people"] = load_seats_of_people(round_, people[:FOUND], regulations)
    context["tells"] = len(people) == 1 and notice_panel(frame.championship, people[0].number)
    return frame.page("parts/where.html" if frame.is_partial else "pages/where.html", context)


def _where_in_sessions(frame: PageContext, query: str) -> HttpResponse:
    """Render where the people found are now in the open sessions: at a table or in the queue."""
    people = [frame.roles.entry] if frame.roles.entry is not None else []
    if query:
        people = list(_find_by_name(frame, query)[: 4 * FOUND])
    found = session_places(frame.championship, people, chips=_chips(frame))
    context = {
        "query": query,
        "found": found[:FOUND],
        "more": len(found) > FOUND,
        "sessions": list(frame.championship.rounds.filter(status=Round.Status.OPEN).order_by("number")),
    }
    return frame.page(
        "parts/where_sessions.html" if frame.is_partial else "pages/where_sessions.html", context
    )


@require_safe
@championship_page()
@projector_view
def seating_projector(frame: PageContext) -> HttpResponse:
    """Render the seats of everybody in the newest round that has seats, by name, in pages for a projector."""
    cache_version, round_ = frame.cache_version(), newest_seats(frame)
    asked = parse_bounded(frame.request.GET.get("page"), least=1, most=1000, default=1)
    people = round_.seatings.count() if round_ is not None else 0
    pages = max(1, -(-people // PROJECTED))
    page = min(asked, pages)

    def make() -> str:
        found = seating.sort_by_name(seating.list_seats(round_, chips=_chips(frame))) if round_ else []
        lines = found[(page - 1) * PROJECTED : page * PROJECTED]
        context = {
            "round": round_,
            "lines": lines,
            "out": list_byes(round_) if round_ else [],
            "page": page,
            "pages": pages,
            "next_page": page % pages + 1,
            "first": lines[0].name if lines else "",
            "last": lines[-1].name if lines else "",
        }
        return frame.rendered("parts/projected_seating.html", context)

    of = (round_.pk if round_ else None, page)
    body = frame.piece("projected seating", cache_version, of, cache_version.marks("frame", "people"), make)
    if frame.is_partial:
        return frame.part(f"projected seating {of}", cache_version, ("frame", "people"), lambda: body)
    return frame.page("pages/seating_projector.html", {"projected": body})


def newest_seats(frame: PageContext) -> Round | None:
    """Return the newest round that has seats, whether drawn, running or over; None if there is none."""
    drawn = frame.championship.rounds.exclude(status=Round.Status.PLANNED)
    newest_round = drawn.order_by("-number").first()
    if newest_round is not None:
        newest_round.championship = frame.championship
    return newest_round


def _find_by_name(frame: PageContext, query: str) -> Any:
    entries = frame.championship.entries.exclude(status=Entry.Status.WITHDRAWN)
    if query.isdecimal():
        return entries.filter(number=parse_bounded(query, least=0, most=10**8, default=0))
    return name_visibility.filter_by_name(entries, frame.championship, query).order_by("sort_name", "number")


def _chips(frame: PageContext) -> int:
    return load_regulations(frame.championship).chips()
