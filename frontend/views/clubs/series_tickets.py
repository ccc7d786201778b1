"""/series/<slug>/tickets/: The qualified people, their answers, title holders and wild cards, for keepers."""

from typing import Any, cast

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from frontend.presenters.clubs import series
from frontend.presenters.words.refusals import refusal_in, refusals_as_messages
from frontend.views.clubs.series import series_keepers_page
from games.models import User
from tournaments.clubs import rolls
from tournaments.models import ClubSeries, SeriesTicket
from tournaments.services.series import loading, tickets

FOUND_SHOWN = 20
WAITING_SHOWN = 100
Kind = SeriesTicket.Kind


@require_safe
@series_keepers_page
def series_tickets(request: HttpRequest, club_series: ClubSeries) -> HttpResponse:
    """List the people with a ticket to the final. `?q=Anna`: search the roll for people to add."""
    loaded = loading.load_series(club_series)
    names = loading.read_series(loaded, request.user, keeper=True).names
    query = request.GET.get("q", "").strip()[:80]
    context: dict[str, Any] = {
        "series": club_series,
        "query": query,
        "persons": rolls.search_persons(club_series.club, query)[:FOUND_SHOWN] if query else [],
        "holders": _list_ticket_lines(loaded, names, Kind.HOLDER),
        "wild_cards": _list_ticket_lines(loaded, names, Kind.WILD_CARD),
        "declined": _list_ticket_lines(loaded, names, Kind.DECLINED),
        "steps": {step.kind for step in loaded.document.rules.qualify.steps}
        if loaded.document.rules.qualify is not None
        else set(),
    }
    with refusal_in(context):
        if (qualification := loaded.qualification) is not None:
            context |= {
                "tickets": series.ticket_lines(loaded, series.event_lines(loaded), names),
                "waiting": [names[ref] for ref in qualification.waiting[:WAITING_SHOWN]],
            }
    return render(request, "pages/series_tickets.html", context)


def _list_ticket_lines(loaded: loading.LoadedSeries, names: Any, kind: Kind) -> list[dict[str, str]]:
    return [
        {"ref": said.ref, "name": names[said.ref], "reason": said.reason}
        for said in loaded.tickets
        if said.kind == kind
    ]


@require_POST
@series_keepers_page
def series_ticket(request: HttpRequest, club_series: ClubSeries, act: str) -> HttpResponse:
    """Do `holder` or `wild-card` (add a person of the roll), `decline`, `accept`, or `undo` (one of these:
    `kind`).
    """
    actor, ref = cast(User, request.user), request.POST.get("ref", "")[:40]
    with refusals_as_messages(request):
        if act in ("holder", "wild-card"):
            number = request.POST.get("person", "")
            if not number.isdecimal():
                raise Http404
            person = get_object_or_404(club_series.club.roll, pk=int(number[:18]))
            if act == "holder":
                tickets.name_holder(club_series, person, actor=actor)
            else:
                tickets.give_wild_card(
                    club_series, person, reason=request.POST.get("reason", ""), actor=actor
                )
        elif act == "decline":
            tickets.decline(club_series, ref, actor=actor)
        elif act == "accept":
            tickets.accept_ticket(club_series, ref, actor=actor)
        elif act == "undo":
            tickets.undo_ticket(club_series, request.POST.get("kind", ""), ref, actor=actor)
        else:
            raise Http404
    return redirect("series_tickets", club_series.slug)
