"""/t/me/: where somebody waits who came by his personal link, and from where he goes on to his table."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from engine import Refused
from frontend.presenters.next_seats import seats_of_people
from frontend.presenters.refusals import sentence_of
from frontend.views.championship_context import for_a_part, kept_nowhere
from tournaments.models import PersonalLink, Round
from tournaments.services import public_names
from tournaments.services.current_regulations import regulations_of
from tournaments.services.entries import personal_links


@require_http_methods(["GET", "HEAD", "POST"])
def waiting_room(request: HttpRequest) -> HttpResponse:
    """Says which table is next and who of it is there, and goes on as soon as the table is open. POST: also
    where another device has the seat.
    """
    link = personal_links.link_of_session(request.session)
    if link is None:
        return _go(request, reverse("open_table"))
    championship = link.entry.championship
    public_names.grant_full_names(championship.pk)
    personal_links.mark_seen(link)
    seating = personal_links.find_seat(link)
    refusal = None
    if personal_links.can_sit_down(seating):
        try:
            game = personal_links.sit_down(link, request.session, from_elsewhere=request.method == "POST")
            return _go(request, reverse("table_play", args=[game]))
        except Refused as error:
            refusal = {"sentence": sentence_of(error), "code": error.code}
    round_ = seating.round if seating is not None else _newest(link)
    [seat] = seats_of_people(round_, [link.entry], regulations_of(championship))
    context = {
        "championship": championship,
        "round": round_,
        "seat": seat,
        "mates": personal_links.table_mates(seating, timezone.now()) if seating is not None else [],
        "me": link.entry,
        "open": seating is not None and seating.round.status == Round.Status.OPEN,
        "deals_here": seating is not None and seating.table.mode == "dealt",
        "game": seating.table.game_id if seating is not None else None,
        "refusal": refusal,
    }
    template = "parts/waiting_room.html" if for_a_part(request) else "pages/waiting_room.html"
    return kept_nowhere(render(request, template, context))


def _newest(link: PersonalLink) -> Round | None:
    """The round that is drawn or open, in which this person has no seat."""
    drawn = link.entry.championship.rounds.filter(status__in=[Round.Status.DRAWN, Round.Status.OPEN])
    return drawn.order_by("-number").first()


def _go(request: HttpRequest, url: str) -> HttpResponse:
    """The whole page goes on, also where only a part asks."""
    if not for_a_part(request):
        return kept_nowhere(redirect(url))
    answer = kept_nowhere(HttpResponse())
    answer.headers["HX-Redirect"] = url
    return answer
