"""/t/me/: The waiting room of a personal link, which leads to the person's tables."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from frontend.presenters.rounds.next_seats import load_seats_of_people
from frontend.presenters.words.refusals import refusal_in
from frontend.views.championship_context import is_partial_request, mark_uncacheable
from tournaments.models import PersonalLink, Round
from tournaments.services.current_regulations import load_regulations
from tournaments.services.entries import personal_links
from tournaments.services.people import name_visibility


@require_http_methods(["GET", "HEAD", "POST"])
def waiting_room(request: HttpRequest) -> HttpResponse:
    """Show the person's next table and which of its players are present; redirect to the seat once it can be
    taken. POST takes it even if another device holds it.
    """
    link = personal_links.link_of_session(request.session)
    if link is None:
        return _redirect_page(request, reverse("open_table"))
    championship = link.entry.championship
    name_visibility.grant_full_names(championship.pk)
    personal_links.mark_seen(link)
    seating = personal_links.find_seat(link)
    context: dict[str, Any] = {"championship": championship}
    if personal_links.can_sit_down(seating):
        with refusal_in(context):
            game = personal_links.sit_down(link, request.session, from_elsewhere=request.method == "POST")
            return _redirect_page(request, reverse("table_play", args=[game]))
    round_ = seating.round if seating is not None else _newest_round_without_seat(link)
    [seat] = load_seats_of_people(round_, [link.entry], load_regulations(championship))
    context |= {
        "round": round_,
        "seat": seat,
        "mates": personal_links.list_table_mates(seating, timezone.now()) if seating is not None else [],
        "me": link.entry,
        "open": seating is not None and seating.round.status == Round.Status.OPEN,
        "deals_here": seating is not None and seating.table.mode == "dealt",
        "game": seating.table.game_id if seating is not None else None,
    }
    template = "parts/waiting_room.html" if is_partial_request(request) else "pages/waiting_room.html"
    return mark_uncacheable(render(request, template, context))


def _newest_round_without_seat(link: PersonalLink) -> Round | None:
    """Return the newest drawn or open round in which this person has no seat; None if there is none."""
    drawn = link.entry.championship.rounds.filter(status__in=[Round.Status.DRAWN, Round.Status.OPEN])
    return drawn.order_by("-number").first()


def _redirect_page(request: HttpRequest, url: str) -> HttpResponse:
    """Redirect the whole page, also if the request is for a polled part."""
    if not is_partial_request(request):
        return mark_uncacheable(redirect(url))
    answer = mark_uncacheable(HttpResponse())
    answer.headers["HX-Redirect"] = url
    return answer
