"""/c/<slug>/cash/: The tills of a championship, its fees, bills and accounts."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from engine import Refused
from frontend.forms.money import BookingForm, CreditorForm, FeesForm, TillForm, parse_prices
from frontend.presenters.money import till as words
from frontend.presenters.words.refusals import (
    describe_refusal,
    refusal_sentence,
    refusals_as_messages,
    show_refusal,
)
from frontend.prints.receipts import receipt
from frontend.views.championship_context import PageContext, championship_page, mark_uncacheable
from frontend.views.numbers import parse_bounded
from tournaments.errors import TournamentError
from tournaments.models import Booking
from tournaments.services import prize_giving
from tournaments.services.current_regulations import load_regulations
from tournaments.services.entries import entries
from tournaments.services.money import bills, bookings, fees, till_shifts
from tournaments.services.money.evening_accounts import compute_evening_accounts

OWING, BOOKED = 50, 30
MAX_PK = 2**62


@require_safe
@championship_page("cash")
def cash(page: PageContext) -> HttpResponse:
    return _cash_page(page)


def _cash_page(page: PageContext, *, status: int = 200, **more: Any) -> HttpResponse:
    championship = page.championship
    prices = list(championship.fees.all())
    owing = fees.unpaid(championship).order_by("sort_name", "number")
    if query := page.request.GET.get("q", "").strip():
        owing = owing.filter(pk__in=entries.search_entries(championship, query).values("pk"))
    shown = Paginator(owing, OWING).get_page(page.page_number)
    tills = till_shifts.list_tills(championship)
    mine = next((t for t in tills if t.shift.held_by == page.actor and t.shift.closed_at is None), None)
    won = words.describe_prize_money(championship)
    newest = championship.bookings.select_related("entry", "booked_by", "cancelled_by").order_by("-pk")
    booked = list(newest[:BOOKED])
    context = {
        "prices": prices,
        "owing": [(entry, fees.find_fee(entry, prices)) for entry in shown] if prices else [],
        "paid_unbooked": bookings.list_unbooked(championship) if prices else [],
        "page": shown,
        "query": query,
        "mine": mine,
        "tills": [till for till in tills if till is not mine],
        "booked": words.book_lines(championship, booked),
        "seen": booked[0].pk if booked else 0,
        "won": [one for one in won if one.state.handed_over],
        "not_booked": [one for one in won if not one.state.handed_over],
        "never_booked": bool(won) and not championship.bookings.filter(prize__isnull=False).exists(),
        "open_form": TillForm(prefix="open"),
        "close_form": TillForm(prefix="close"),
        "booking": BookingForm(prefix="booking"),
        "methods": [m for m in Booking.Method.choices if m[0] != Booking.Method.CASH],
        "may_set": page.roles.may("prizes"),
        "has_creditor": bills.can_bill(championship),
    }
    return page.render("pages/cash.html", context | more, status=status)


@require_POST
@championship_page("cash")
def cash_till(page: PageContext) -> HttpResponse:
    """Open a till with the amount in it; with `shift`, a shift's number, close its till with the counted
    amount.
    """
    closing = "shift" in page.request.POST
    form = TillForm(page.request.POST, prefix="close" if closing else "open")
    if not form.is_valid():
        return _cash_page(page, status=400, **{"close_form" if closing else "open_form": form})
    amount = form.cleaned_data["amount"] or 0
    with refusals_as_messages(page.request):
        if closing:
            number = parse_bounded(page.request.POST.get("shift"), least=0, most=10**6, default=0)
            shift = get_object_or_404(page.championship.cash_shifts, number=number)
            till_shifts.close_till(shift, actor=page.actor, counted=amount)
            messages.success(page.request, _("Your till is closed."))
        else:
            till_shifts.open_till(page.championship, actor=page.actor, float_amount=amount)
            messages.success(page.request, _("Your till is open."))
    return redirect("cash", page.championship.slug)


@require_POST
@championship_page("cash")
def cash_paid(page: PageContext) -> HttpResponse:
    """Book the fees of paid entries without a booking."""
    return _book_all(page, bookings.book_unbooked, _("The fees are booked."))


@require_POST
@championship_page("cash")
def cash_fee(page: PageContext, number: int) -> HttpResponse:
    """Book the payment of an entry's fee by `method`, or let the entry pay the fee with the label `fee`."""
    entry = page.find_entry(number)
    asked = page.request.POST
    with refusals_as_messages(page.request):
        if "fee" in asked:
            fee = page.championship.fees.filter(label=asked["fee"]).first()
            if fee is None:
                raise TournamentError(
                    "money/unknown_fee", _("There is no fee “%(label)s”."), label=asked["fee"]
                )
            fees.set_fee(entry, fee, actor=page.actor)
            sentence = _("%(name)s owes the fee “%(label)s”.")
            messages.success(page.request, sentence % {"name": entry.name, "label": fee.label})
        else:
            if entry.paid:
                messages.info(page.request, _("%(name)s has already paid.") % {"name": entry.name})
                return redirect("cash", page.championship.slug)
            entries.pay(entry, actor=page.actor, method=_payment_method(page))
            messages.success(page.request, _("%(name)s has paid.") % {"name": entry.name})
    return redirect("cash", page.championship.slug)


def _last_seen_booking(page: PageContext) -> int | None:
    """Return the primary key of the newest booking that the submitted page showed; None if the form does not
    say.
    """
    asked = page.request.POST.get("seen")
    return None if asked is None else parse_bounded(asked, least=0, most=MAX_PK, default=0)


def _book_all(page: PageContext, book: Callable[..., object], message: str) -> HttpResponse:
    """Call `book` for everything that is not booked yet, and show `said` as confirmation."""
    with refusals_as_messages(page.request):
        book(page.championship, actor=page.actor, method=_payment_method(page))
        messages.success(page.request, message)
    return redirect("cash", page.championship.slug)


def _payment_method(page: PageContext) -> str:
    method = page.request.POST.get("method", "")
    return method if method in Booking.Method.values else Booking.Method.CASH


@require_POST
@championship_page("cash")
def cash_prizes(page: PageContext) -> HttpResponse:
    """Book all prize money of called winners that is not booked yet."""
    return _book_all(page, prize_giving.settle_all, _("The prize money is booked."))


@require_POST
@championship_page("cash")
def cash_prize(page: PageContext, number: int) -> HttpResponse:
    """Book the payment of a prize. `number`: key of the winner's row in the ranking; POST `line`: index in
    the prize plan.
    """
    line = parse_bounded(page.request.POST.get("line"), least=0, most=10**6, default=10**6)
    with refusals_as_messages(page.request):
        prize_giving.settle(page.championship, number, line, actor=page.actor, method=_payment_method(page))
        messages.success(page.request, _("The prize money is booked."))
    return redirect("cash", page.championship.slug)


@require_POST
@championship_page("cash")
def cash_book(page: PageContext) -> HttpResponse:
    form = BookingForm(page.request.POST, prefix="booking")
    if not form.is_valid():
        return _cash_page(page, status=400, booking=form)
    data = form.cleaned_data
    try:
        bookings.book(
            page.championship,
            data["kind"],
            data["title"],
            data["amount"],
            actor=page.actor,
            method=data["method"],
            seen=_last_seen_booking(page),
        )
    except Refused as error:
        refusal = describe_refusal(error)
        return _cash_page(page, status=400, booking=form, refusal=refusal)
    messages.success(page.request, _("Written down."))
    return redirect("cash", page.championship.slug)


@require_POST
@championship_page("cash")
def cash_cancel(page: PageContext, booking_id: int) -> HttpResponse:
    found = page.championship.bookings.select_related("championship")
    booking = get_object_or_404(found, pk=booking_id)
    with refusals_as_messages(page.request):
        bookings.cancel(booking, actor=page.actor)
        messages.success(page.request, _("Cancelled; both lines stay in the book."))
    return redirect("cash", page.championship.slug)


@require_safe
@championship_page("cash")
def cash_receipt(page: PageContext, booking_id: int) -> HttpResponse:
    """Return the receipt of a booking as a PDF in the reader's language; redirect if it is cancelled."""
    found = page.championship.bookings.select_related("entry", "booked_by", "cancelled_by")
    booking = get_object_or_404(found, pk=booking_id)
    if not booking.stands:
        show_refusal(page.request, bookings.make_cancelled_error())
        return redirect("cash", page.championship.slug)
    with refusals_as_messages(page.request):
        pdf = receipt(page.championship, booking, translation.get_language() or "en")
        return mark_uncacheable(HttpResponse(pdf, content_type="application/pdf"))
    return redirect("cash", page.championship.slug)


@require_safe
@championship_page("cash")
def accounts(page: PageContext) -> HttpResponse:
    """Render the accounts of the championship on one printable page."""
    context = {
        "accounts": compute_evening_accounts(page.championship),
        "tills": till_shifts.list_tills(page.championship),
        "to_hand_over": prize_giving.compute_money_to_hand_over(page.championship),
    }
    return page.render("pages/accounts.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@championship_page("prizes")
def cash_fees(page: PageContext) -> HttpResponse:
    """Edit the entry fees and the account for bills. The POST field `about` names the submitted form: `fees`
    or `creditor`.
    """
    championship, asked = page.championship, page.request.POST
    prices, creditor = fees.load_prices(championship), bills.load_creditor(championship)
    about = asked.get("about") if page.request.method == "POST" else None
    listed = FeesForm(
        asked if about == "fees" else None, initial=[price._asdict() for price in prices], prefix="fee"
    )
    form = CreditorForm(asked if about == "creditor" else None, initial=creditor)
    context: dict[str, Any] = {
        "listed": listed,
        "form": form,
        "about": about,
        "in_pairs": load_regulations(championship).play.format != "solo",
        "fees_mark": fees.form_digest(prices),
        "creditor_mark": fees.form_digest(creditor),
    }
    seen = asked.get("seen")
    try:
        if about == "fees" and listed.is_valid():
            fees.set_fees(championship, parse_prices(listed), actor=page.actor, seen=seen)
        elif about == "creditor" and form.is_valid():
            bills.set_creditor(championship, actor=page.actor, seen=seen, **form.cleaned_data)
        else:
            status = 400 if page.request.method == "POST" else 200
            return page.render("pages/cash_fees.html", context, status=status)
    except Refused as error:
        context["refusal"] = describe_refusal(error)
        if error.code == "money/changed_since":
            stands = {"fees": words.fees_as_text(prices), "creditor": list(filter(None, creditor.values()))}
            context["stands"] = stands[str(about)]
        return page.render("pages/cash_fees.html", context, status=400)
    messages.success(page.request, _("Written down."))
    return redirect("cash", championship.slug)


@require_safe
@championship_page("cash")
def bill(page: PageContext, number: int) -> HttpResponse:
    """Render a printable page with a QR-bill. Its drawing is served as `bill.svg`."""
    entry = page.find_entry(number)
    with refusals_as_messages(page.request):
        bills.render_bill(entry)
        return page.render("pages/bill.html", {"entry": entry})
    return redirect("cash", page.championship.slug)


@require_safe
@championship_page("cash")
def bill_drawing(page: PageContext, number: int) -> HttpResponse:
    entry = page.find_entry(number, "championship")
    try:
        drawn = bills.render_bill(entry)
    except Refused as error:
        raise Http404(refusal_sentence(error)) from None
    return HttpResponse(drawn, content_type="image/svg+xml")
