"""/t/#<code>: Open a table or a seat by its code, or a waiting room by a personal link. Codes are in the
URL's fragment or in a form, so that no server log contains them.
"""

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_http_methods

from engine import Refused
from frontend.presenters.words.refusals import describe_refusal
from frontend.views.championship_context import mark_uncacheable
from games.api.views import WRONG_CODES
from games.errors import Forbidden
from games.messaging import rate_limit
from games.models.accounts import Role
from games.rights import tokens
from tournaments.models import Championship
from tournaments.services.entries import personal_links
from tournaments.services.table_access import code_attempts, phones

MAX_FIELD_LENGTH: Final = 128
STATUS: Final = {"codes/too_many_tries": 429, "codes/too_many_phones": 429}


@require_http_methods(["GET", "HEAD", "POST"])
def open_table(request: HttpRequest) -> HttpResponse:
    """Show a field for the code (GET), or open the submitted code; a script submits the fragment of a scanned
    URL. A code of a seat opens its table, a code of a table asks for the side first, and a personal link
    opens the waiting room. After a wrong code the field keeps it. `of`: slug of the championship whose page
    has the form, and whose budget counts the attempts.
    """
    of = Championship.objects.filter(slug=_read_field(request, "of")).first()
    context: dict[str, object] = {"of": of.slug if of is not None else ""}
    status = 200
    if request.method == "POST":
        try:
            return mark_uncacheable(redirect(_open_code(request, of)))
        except Refused as error:
            status = STATUS.get(error.code, 403)
            refusal = describe_refusal(error)
            context |= {"refusal": refusal, "typed": request.POST.get("code", "")[:MAX_FIELD_LENGTH]}
    answer = mark_uncacheable(render(request, "pages/open_table.html", context, status=status))
    patch_vary_headers(answer, ["Cookie"])
    return answer


def _read_field(request: HttpRequest, name: str) -> str:
    return (request.POST if request.method == "POST" else request.GET).get(name, "")[:MAX_FIELD_LENGTH]


def _open_code(request: HttpRequest, of: Championship | None) -> str:
    """Open what the code belongs to, and return the URL to redirect to. Raises Refused for a wrong code and
    after too many attempts.
    """
    typed = phones.normalise_code(request.POST.get("code", "")[:MAX_FIELD_LENGTH])
    network = rate_limit.address_of(request)
    if len(typed) != tokens.TOKEN_LENGTH:
        phones.admit_phone(typed, request.session, network, of)
        return "/t/table/"
    if personal_links.open_link(typed.lower(), request.session) is not None:
        return reverse("waiting_room")
    try:
        opened = tokens.redeem(typed.lower(), request.session)
    except Forbidden as error:  # A valid code is never throttled, because 128 bits cannot be guessed.
        if seconds := WRONG_CODES.spend(network):
            raise code_attempts.make_too_many_error(seconds) from error
        raise
    return f"/g/{opened.game_id}/{'play' if opened.role == Role.SEAT else 'sheet'}/"
