"""/c/<slug>/codes/: Permanent codes of tables, the phones connected by them, and the address for phones."""

from typing import Any, Final

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from frontend.presenters.tables import table_code_cards
from frontend.presenters.tables.codes import render_qr_code
from frontend.presenters.words.refusals import refusal_in, refusals_as_messages
from frontend.views.championship_context import PageContext, championship_page, mark_uncacheable
from frontend.views.numbers import parse_bounded
from games.messaging import rate_limit
from tournaments.models import PhoneAddress
from tournaments.services.current_regulations import load_regulations
from tournaments.services.table_access import code_attempts, phone_address, table_codes

MAX_QUERY_LENGTH: Final = 6
SERVE_FOR_PHONES: Final = "python3 manage.py serve --host 0.0.0.0"


@require_http_methods(["GET", "HEAD", "POST"])
@championship_page("enter")
def table_codes_page(page: PageContext) -> HttpResponse:
    """List the codes (`?q=`: beginning of a table number); `?print=1`: show the cards for print. POST creates
    codes for those of the tables 1 to `tables` that have none.
    """
    championship = page.championship
    if page.request.method == "POST":
        with refusals_as_messages(page.request):
            count = parse_bounded(page.request.POST.get("tables"), least=0, most=10_000, default=0)
            codes = table_codes.make_codes(championship, count, actor=page.actor)
            n = len(codes)
            sentence = ngettext("%(n)d code is made.", "%(n)d codes are made.", n) % {"n": n}
            messages.success(page.request, sentence if n else _("Each of these tables already has its code."))
        return redirect("table_codes", championship.slug)
    query = page.request.GET.get("q", "").strip()[:MAX_QUERY_LENGTH]
    cards = table_code_cards.cards_found(championship, query)
    address = _phone_address(page)
    context: dict[str, Any] = {"query": query, "address": address}
    if page.request.GET.get("print") == "1":
        context["cards"] = [table_code_cards.printed_card(card, address) for card in cards]
        return page.render("pages/table_code_cards.html", context)
    page_number = page.page_number
    first, last = (n * table_code_cards.CARDS_PER_PAGE for n in (page_number - 1, page_number))
    context |= {
        "lines": table_code_cards.card_lines(championship, cards[first:last]),
        "next_page": page_number + 1 if len(cards) > last else None,
        "count": len(cards),
        "needed": table_codes.count_tables_needed(championship, load_regulations(championship).play.seats),
        "guessed": code_attempts.are_codes_guessed(championship),
    }
    if page.is_partial:
        return page.render("parts/table_codes.html", context)
    return page.render("pages/table_codes.html", context | _phones_context(page, address))


@require_http_methods(["GET", "HEAD", "POST"])
@championship_page("enter")
def table_code_page(page: PageContext, number: int) -> HttpResponse:
    """Show the card of one table, large (GET); replace its code (POST)."""
    championship = page.championship
    if page.request.method == "POST":
        with refusals_as_messages(page.request):
            table_codes.renew_codes(championship, [number], actor=page.actor)
            sentence = _("Table %(n)d has a new code. The previous code and its phones no longer work.")
            messages.success(page.request, sentence % {"n": number})
            return redirect("table_code", championship.slug, number)
        return redirect("table_codes", championship.slug)
    card = next((card for card in table_codes.list_cards(championship) if card.number == number), None)
    if card is None:
        raise Http404(_("Table %(n)d has no code.") % {"n": number})
    address = _phone_address(page)
    context = {
        "card": table_code_cards.printed_card(card, address),
        "line": table_code_cards.card_lines(championship, [card])[0],
        "address": address,
    }
    return page.render("pages/table_code.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@championship_page("enter")
def phone_address_page(page: PageContext) -> HttpResponse:
    """Choose the address at which phones reach the server (POST), or show whether a phone has reached it
    (GET).
    """
    if page.request.method == "POST":
        with refusals_as_messages(page.request):
            phone_address.choose_address(
                page.championship, page.request.POST.get("address", ""), actor=page.actor
            )
            messages.success(page.request, _("Written down."))
        return redirect("table_codes", page.championship.slug)
    return page.render("parts/phone_address.html", _phones_context(page, _phone_address(page)))


@require_safe
def phone_check(request: HttpRequest, nonce: str) -> HttpResponse:
    """Record that a phone has reached this server at the chosen address; the desk's page then shows it."""
    row = get_object_or_404(PhoneAddress.objects.select_related("championship"), nonce=nonce)
    context: dict[str, Any] = {"championship": row.championship}
    with refusal_in(context):
        phone_address.record_phone(
            row, request.build_absolute_uri("/"), rate_limit.client_address(request) or ""
        )
    return mark_uncacheable(render(request, "pages/phone_check.html", context))


def _phone_address(page: PageContext) -> str | None:
    return phone_address.find_printed_address(page.championship, page.request.build_absolute_uri("/"))


def _phones_context(page: PageContext, address: str | None) -> dict[str, Any]:
    chosen = PhoneAddress.objects.filter(championship=page.championship).first()
    asked = page.request.build_absolute_uri("/")
    check = None
    if chosen is not None:
        check = f"{chosen.address}{reverse('phone_check', args=[chosen.nonce])}"
    return {
        "address": address,
        "chosen": chosen,
        "offered": [
            one for one in phone_address.list_addresses(asked) if chosen is None or one != chosen.address
        ],
        "check": check,
        "check_picture": render_qr_code(check) if check else None,
        "serve_for_phones": SERVE_FOR_PHONES,
    }
