"""/c/<slug>/rounds/<n>/codes/: a sheet for each table with the codes that open it on a phone."""

from django.http import Http404, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from frontend.presenters.codes import posters
from frontend.presenters.refusals import REFUSALS, tell
from frontend.views.frame import Frame, championship_page
from tournaments.services import codes


@require_http_methods(["GET", "POST"])
@championship_page("enter")
def round_codes(frame: Frame, number: int) -> HttpResponse:
    """GET explains and asks, because new codes end the old ones; POST makes them and shows them once."""
    found = frame.championship.rounds.filter(number=number).first()
    if found is None:
        raise Http404
    context = {"round": found, "posters": []}
    if frame.request.method == "POST":
        try:
            issued = codes.issue(found, actor=frame.actor)
        except REFUSALS as error:
            tell(frame.request, error)
        else:
            address = frame.request.build_absolute_uri(reverse("open_table"))
            context["posters"] = posters(found, issued, address)
    response = frame.page("pages/round_codes.html", context)
    response["Cache-Control"] = "no-store"
    return response
