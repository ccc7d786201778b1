"""POST /g/<game>/referee/: Call the referee to a table. If the call names a deal, it raises a dispute about
that deal.
"""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from frontend.presenters.tables.table_page import page_at_table
from frontend.presenters.words.refusals import refusals_as_messages
from tournaments.models import Table
from tournaments.services.referee import disputes


@require_POST
def call_referee(request: HttpRequest, game_id: str) -> HttpResponse:
    """Accept a call from players and scorers (by account or table token) of the table; 404 for others."""
    page = page_at_table(request, game_id)
    place = Table.objects.select_related("round__championship", "game").filter(game=page.game).first()
    if place is None or not page.takes_part:
        raise Http404
    token = page.principal.token
    by_ref = token.ref if token is not None and token.game_id == page.game.pk else None
    deal, trick = (_parse_number(request.POST.get(name, "")) for name in ("deal", "trick"))
    with refusals_as_messages(request):
        disputes.raise_dispute(
            place,
            actor=page.principal.user,
            by_ref=by_ref,
            deal=deal,
            trick=trick if deal else None,
            text=request.POST.get("text", ""),
        )
        messages.success(
            request,
            _("The referee has been called to your table.")
            if disputes.has_referee(place)
            else _("No referee is appointed: the director has been called to your table."),
        )
    back = request.POST.get("next", "")
    if url_has_allowed_host_and_scheme(back, {request.get_host()}, require_https=request.is_secure()):
        return HttpResponseRedirect(back)
    return redirect("table_live", game_id)


def _parse_number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else None
