"""/clubs/<slug>/people/<n>/: A person of a club across its championships."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from frontend.presenters.clubs.persons_season import load_persons_season
from frontend.views.championship_context import mark_uncacheable
from frontend.views.clubs.club_page import find_club
from tournaments.clubs import rolls
from tournaments.services.series.person_history import load_across_evenings


@require_safe
def club_person(request: HttpRequest, club_slug: str, person_id: int) -> HttpResponse:
    """Render the page for keepers, for the person, and for everybody else as far as names are public. Raises
    404 both for a person whom the reader may not see and for an unknown one.
    """
    club, keeper = find_club(request, club_slug)
    person = rolls.list_persons(club).filter(pk=person_id).first()
    across_evenings = None if person is None else load_across_evenings(person, request.user, keeper=keeper)
    if person is None or across_evenings is None:
        raise Http404(_("There is no such person."))
    person.club = club
    context = {
        "club": club,
        "person": person,
        "keeper": keeper,
        "season": load_persons_season(club, person, across_evenings, request.user, keeper=keeper),
    }
    return mark_uncacheable(render(request, "pages/club_person.html", context))
