"""/c/<slug>/rounds/<n>/codes/: Sheets of codes by which phones open their tables, and single new codes for
lost ones and for substitutes.
"""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from engine import Refused
from frontend.presenters.tables.codes import build_code_slip, find_last_issue, list_place_lines, list_posters
from frontend.presenters.words.refusals import describe_refusal, refusals_as_messages, show_refusal
from frontend.views.championship_context import PageContext, championship_page
from tournaments.models import Round, Table
from tournaments.services.current_regulations import load_regulations
from tournaments.services.draw.seated import prefetch_people
from tournaments.services.entries import code_places, seat_codes
from tournaments.services.table_access import phone_address

MAX_QUERY_LENGTH = 40


@require_http_methods(["GET", "HEAD", "POST"])
@championship_page("enter")
def round_codes(page: PageContext, number: int) -> HttpResponse:
    """Show who holds each seat (`?q=`: a filter), and ask for confirmation, because new codes replace the old
    ones (GET); create codes for the whole round, and show them this one time (POST).
    """
    round_ = page.find_round(number)
    query = page.request.GET.get("q", "").strip()[:MAX_QUERY_LENGTH]
    context: dict[str, Any] = {
        "round": round_,
        "posters": [],
        "query": query,
        "address": _code_page_address(page),
    }
    if page.request.method == "POST":
        with refusals_as_messages(page.request):
            made = seat_codes.issue_codes(round_, actor=page.actor)
            context["posters"] = list_posters(round_, made, _code_page_address(page)) if made else []
    if not context["posters"] and round_.status == Round.Status.OPEN:
        chips = load_regulations(page.championship).chips()
        places = code_places.list_code_places(round_)
        context["issued"] = find_last_issue(places)
        context["tables"] = list_place_lines(places, chips=chips, query=query)
    template = "parts/code_places.html" if page.is_partial else "pages/round_codes.html"
    return page.render(template, context)


@require_POST
@championship_page("enter")
def seat_code(page: PageContext, number: int, table: int, place: int) -> HttpResponse:
    """Replace the code of one place, and show it once. If only an account holds the seat, POST `over=account`
    must confirm this.
    """
    table_row = _find_table(page, number, table)
    over = page.request.POST.get("over") == "account"
    context: dict[str, Any] = {
        "round": table_row.round,
        "table": table_row,
        "place": place,
        "address": _code_page_address(page),
    }
    try:
        code = seat_codes.renew_code(table_row, place, actor=page.actor, over_account=over)
    except Refused as error:
        if error.code != "codes/seat_of_account":
            show_refusal(page.request, error)
            return _back_to_list(page, table_row)
        context["refusal"] = describe_refusal(error)
    else:
        chips = load_regulations(page.championship).chips()
        context["slip"] = build_code_slip(table_row, code, _code_page_address(page), chips=chips)
    return page.render("pages/seat_code.html", context)


@require_POST
@championship_page("enter")
def seat_back(page: PageContext, number: int, table: int, place: int) -> HttpResponse:
    """Take a seat from the holder of a code, and return it to the person who was drawn to it."""
    table_row = _find_table(page, number, table)
    with refusals_as_messages(page.request):
        seating = seat_codes.give_seat_back(table_row, place, actor=page.actor)
        sentence = _("%(name)s has the seat again. The person who used its code no longer has it.")
        messages.success(page.request, sentence % {"name": seating.entry.name})
    return _back_to_list(page, table_row)


def _find_table(page: PageContext, number: int, table: int) -> Table:
    round_ = page.find_round(number)
    one: Table = get_object_or_404(prefetch_people(round_.tables.select_related("game")), number=table)
    one.round = round_
    return one


def _back_to_list(page: PageContext, table: Table) -> HttpResponse:
    listed = reverse("round_codes", args=[page.championship.slug, table.round.number])
    return redirect(f"{listed}#table-{table.number}")


def _code_page_address(page: PageContext) -> str | None:
    """Return the URL of the page for codes, as phones reach it; None if they cannot."""
    address = phone_address.find_printed_address(page.championship, page.request.build_absolute_uri("/"))
    return f"{address}{reverse('open_table')}" if address else None
