"""/t/#<code>: what the code of a table or a seat opens, or the link of a person. In a fragment or a form: no
log holds it.
"""

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_http_methods

from engine import Refused
from frontend.presenters.refusals import sentence_of
from frontend.views.championship_context import kept_nowhere
from games.api.views import WRONG_CODES
from games.errors import Forbidden
from games.messaging import rate_limit
from games.models.people import Role
from games.rights import tokens
from tournaments.models import Championship
from tournaments.services.entries import personal_links
from tournaments.services.table_access import phones

MAX_FIELD_LENGTH: Final = 128
STATUS: Final = {"codes/too_many_tries": 429, "codes/too_many_phones": 429}


@require_http_methods(["GET", "HEAD", "POST"])
def open_table(request: HttpRequest) -> HttpResponse:
    """A field for the code, which keeps a wrong one to be compared. A script sends what a scanned address
    holds behind its `#`. A seat's code opens its table at once, a table's asks first who writes, a person's
    link leads to the waiting room. `of`: the championship on whose page it was asked for, where tries are
    counted.
    """
    of = Championship.objects.filter(slug=_asked(request, "of")).first()
    context: dict[str, object] = {"of": of.slug if of is not None else ""}
    status = 200
    if request.method == "POST":
        try:
            return kept_nowhere(redirect(_opened(request, of)))
        except Refused as error:
            status = STATUS.get(error.code, 403)
            refusal = {"sentence": sentence_of(error), "code": error.code}
            context |= {"refusal": refusal, "typed": request.POST.get("code", "")[:MAX_FIELD_LENGTH]}
    answer = kept_nowhere(render(request, "pages/open_table.html", context, status=status))
    patch_vary_headers(answer, ["Cookie"])
    return answer


def _asked(request: HttpRequest, name: str) -> str:
    return (request.POST if request.method == "POST" else request.GET).get(name, "")[:MAX_FIELD_LENGTH]


def _opened(request: HttpRequest, of: Championship | None) -> str:
    """Where it goes on. Raises Refused."""
    typed = phones.normalise_code(request.POST.get("code", "")[:MAX_FIELD_LENGTH])
    network = rate_limit.address_of(request)
    if len(typed) != tokens.SIGNS:
        phones.admit_phone(typed, request.session, network, of)
        return "/t/table/"
    if personal_links.open_link(typed.lower(), request.session) is not None:
        return reverse("waiting_room")
    try:
        opened = tokens.redeem(typed.lower(), request.session)
    except Forbidden as error:  # a right one is never refused: nobody guesses 128 bits
        if seconds := WRONG_CODES.spend(network):
            raise phones.too_many_error(seconds) from error
        raise
    return f"/g/{opened.game_id}/{'play' if opened.role == Role.SEAT else 'sheet'}/"
