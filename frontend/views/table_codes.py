"""/c/<slug>/codes/: Permanent codes of tables, the phones connected by them, and the address for phones."""

from typing import Any, Final

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from frontend.presenters import table_cards
from frontend.presenters.codes import render_qr_code
from frontend.presenters.refusals import refusal_in, refusals_as_messages
from frontend.views.championship_context import PageContext, championship_page, mark_uncacheable
from frontend.views.numbers import parse_bounded
from games.messaging import rate_limit
from tournaments.models import PhoneAddress
from tournaments.services.current_regulations import load_regulations
from tournaments.services.table_access import code_attempts
from tournaments.services.table_access import phone_address as addresses
from tournaments.services.table_access import table_codes as tables

MAX_QUERY_LENGTH: Final = 6
SERVE_FOR_PHONES: Final = "python3 manage.py serve --host 0.0.0.0"


@require_http_methods(["GET", "HEAD", "POST"])
@championship_page("enter")
def table_codes_page(frame: PageContext) -> HttpResponse:
    """List the codes (`?q=`: beginning of a table number); `?print=1`: show the cards for print. POST creates
    codes for those of the tables 1 to `tables` that have none.
    """
    championship = frame.championship
    if frame.request.method == "POST":
        with refusals_as_messages(frame.request):
            count = parse_bounded(frame.request.POST.get("tables"), least=0, most=10_000, default=0)
            codes = tables.make_codes(championship, count, actor=frame.actor)
            n = len(codes)
            sentence = ngettext("%(n)d code is made.", "%(n)d codes are made.", n) % {"n": n}
            messages.success(
                frame.request, sentence if n else _("Each of these tables already has its code.")
            )
        return redirect("table_codes", championship.slug)
    query = frame.request.GET.get("q", "").strip()[:MAX_QUERY_LENGTH]
    cards = table_cards.cards_found(championship, query)
    address = _phone_address(frame)
    context: dict[str, Any] = {"query": query, "address": address}
    if frame.request.GET.get("print") == "1":
        context["cards"] = [table_cards.printed_card(card, address) for card in cards]
        return frame.page("pages/table_cards.html", context)
    page = frame.page_asked_for
    first = (page - 1) * table_cards.CARDS_PER_PAGE
    context |= {
        "lines": table_cards.card_lines(championship, cards[first : first + table_cards.CARDS_PER_PAGE]),
        "next_page": page + 1 if len(cards) > first + table_cards.CARDS_PER_PAGE else None,
        "count": len(cards),
        "needed": tables.count_tables_needed(championship, load_regulations(championship).play.seats),
        "guessed": code_attempts.are_codes_guessed(championship),
    }
    if frame.is_partial:
        return frame.page("parts/table_codes.html", context)
    return frame.page("pages/table_codes.html", context | _phones_context(frame, address))


@require_http_methods(["GET", "HEAD", "POST"])
@championship_page("enter")
def table_code_page(frame: PageContext, number: int) -> HttpResponse:
    """Show the card of one table, large (GET); replace its code (POST)."""
    championship = frame.championship
    if frame.request.method == "POST":
        with refusals_as_messages(frame.request):
            tables.renew_codes(championship, [number], actor=frame.actor)
            sentence = _("Table %(n)d has a new code. The previous code and its phones no longer work.")
            messages.success(frame.request, sentence % {"n": number})
            return redirect("table_code", championship.slug, number)
        return redirect("table_codes", championship.slug)
    card = next((card for card in tables.list_cards(championship) if card.number == number), None)
    if card is None:
        raise Http404(_("Table %(n)d has no code.") % {"n": number})
    address = _phone_address(frame)
    context = {
        "card": table_cards.printed_card(card, address),
        "line": table_cards.card_lines(championship, [card])[0],
        "address": address,
    }
    return frame.page("pages/table_code.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@championship_page("enter")
def phone_address_page(frame: PageContext) -> HttpResponse:
    """Choose the address at which phones reach the server (POST), or show whether a phone has reached it
    (GET).
    """
    if frame.request.method == "POST":
        with refusals_as_messages(frame.request):
            addresses.choose_address(
                frame.championship, frame.request.POST.get("address", ""), actor=frame.actor
            )
            messages.success(frame.request, _("Written down."))
        return redirect("table_codes", frame.championship.slug)
    return frame.page("parts/phone_address.html", _phones_context(frame, _phone_address(frame)))


@require_safe
def phone_check(request: HttpRequest, nonce: str) -> HttpResponse:
    """Record that a phone has reached this server at the chosen address; the desk's page then shows it."""
    row = get_object_or_404(PhoneAddress.objects.select_related("championship"), nonce=nonce)
    context: dict[str, Any] = {"championship": row.championship}
    with refusal_in(context):
        addresses.record_phone(row, request.build_absolute_uri("/"), rate_limit.client_address(request) or "")
    return mark_uncacheable(render(request, "pages/phone_check.html", context))


def _phone_address(frame: PageContext) -> str | None:
    return addresses.find_printed_address(frame.championship, frame.request.build_absolute_uri("/"))


def _phones_context(frame: PageContext, address: str | None) -> dict[str, Any]:
    chosen = PhoneAddress.objects.filter(championship=frame.championship).first()
    asked = frame.request.build_absolute_uri("/")
    check = None
    if chosen is not None:
        check = f"{chosen.address}{reverse('phone_check', args=[chosen.nonce])}"
    return {
        "address": address,
        "chosen": chosen,
        "offered": [
            one for one in addresses.list_addresses(asked) if chosen is None or one != chosen.address
        ],
        "check": check,
        "check_picture": render_qr_code(check) if check else None,
        "serve_for_phones": SERVE_FOR_PHONES,
    }
