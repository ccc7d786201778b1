"""/c/<slug>/rounds/<n>/hands/: The hands of a round on paper, for tables that deal the same cards by hand."""

from typing import Any

from django.http import Http404, HttpResponse
from django.utils.translation import get_language
from django.views.decorators.http import require_http_methods

from frontend.preferences import read_preference
from frontend.presenters.names.seat_names import load_official_names
from frontend.presenters.words.refusals import refusals_as_messages
from frontend.prints.hands import hand_slips
from frontend.prints.typesetting import typeset
from frontend.views.championship_context import PageContext, championship_page, mark_uncacheable
from tournaments.models import Round
from tournaments.services.current_regulations import load_regulations
from tournaments.services.draw import printed_hands as services


@require_http_methods(["GET", "HEAD", "POST"])
@championship_page("open")
def printed_hands(page: PageContext, number: int) -> HttpResponse:
    """Explain the print and list earlier ones (GET); record a print and return the PDF, which is not stored
    (POST).
    """
    round_, regulations = page.find_round(number), load_regulations(page.championship)
    if not regulations.plays_same_cards:
        raise Http404
    tables = services.list_paper_tables(round_)
    if page.request.method == "POST":
        with refusals_as_messages(page.request):
            deals = services.print_hands(round_, actor=page.actor)
            part = hand_slips(
                round_, tables, deals, read_preference(page.request, "deck"), chips=regulations.chips()
            )
            title = f"{page.championship.name}: {number}"
            pdf = typeset(title, get_language() or "de", [part], page.championship.created_at)
            answer = HttpResponse(pdf, content_type="application/pdf")
            named = f"{page.championship.slug}-{number}-hands.pdf"
            answer.headers["Content-Disposition"] = f'attachment; filename="{named}"'
            return mark_uncacheable(answer)
    printings = services.list_printings(round_)
    officials = load_official_names({one.ref for one in printings})
    context: dict[str, Any] = {
        "round": round_,
        "tables": tables,
        "deals": regulations.deals,
        "open": round_.status == Round.Status.OPEN,
        "printed": [(one.at, officials.get(one.ref)) for one in printings],
    }
    return page.render("pages/printed_hands.html", context)
