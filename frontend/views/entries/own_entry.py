"""/e/<slug>/me/<token>/: A person's own page, opened by the link that the person got when entering."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from engine import Refused
from frontend.presenters.entries.entering import load_own_entry
from frontend.presenters.words.refusals import refusal_sentence, refusals_as_messages
from frontend.views.championship_context import mark_uncacheable
from frontend.views.numbers import parse_bounded
from tournaments.models import OwnPage
from tournaments.services.entries import own_pages, own_partner
from tournaments.services.entries.entries import HIGHEST
from tournaments.services.money import bills
from tournaments.services.people import name_visibility


@require_http_methods(["GET", "HEAD", "POST"])
def own_entry(request: HttpRequest, slug: str, token: str) -> HttpResponse:
    """Show the person's entry with its state, partner, bill, seat and results. POST `do`: `withdraw` (with
    `sure`), `partner` (with a name), or `accept` (with the number of a person who wants to be the partner).
    """
    page = _find(slug, token)
    if request.method == "POST":
        with refusals_as_messages(request):
            _act(request, page)
        return _mark_private(redirect("own_entry", slug, token))
    context = {
        "championship": page.entry.championship,
        "own": load_own_entry(page),
        "token": token,
        "address": request.build_absolute_uri(),
    }
    return _mark_private(render(request, "pages/own_entry.html", context))


@require_safe
def own_bill(request: HttpRequest, slug: str, token: str) -> HttpResponse:
    """Return the QR-bill of the fee as SVG; 404 if none is due."""
    page = _find(slug, token)
    if not load_own_entry(page).to_pay:
        raise Http404(_("There is nothing to pay."))
    try:
        drawn = bills.render_bill(page.entry)
    except Refused as error:
        raise Http404(refusal_sentence(error)) from None
    return _mark_private(HttpResponse(drawn, content_type="image/svg+xml"))


def _find(slug: str, token: str) -> OwnPage:
    """Return the own page of this token, with full names readable. Raises 404 for an unknown token."""
    own_page = own_pages.find_page(slug, token)
    if own_page is not None:
        name_visibility.grant_full_names(own_page.entry.championship_id)
        own_page = own_pages.find_page(slug, token)
    if own_page is None:
        raise Http404(_("This link no longer works. Ask the organiser."))
    return own_page


def _act(request: HttpRequest, page: OwnPage) -> None:
    do = request.POST.get("do", "")
    if do == "withdraw" and request.POST.get("sure") == "1":
        own_pages.withdraw_oneself(page)
        messages.success(request, _("You have withdrawn. The organiser sees it."))
    elif do == "partner":
        own_partner.name_partner(page, request.POST.get("partner", ""))
        messages.success(request, _("Written down."))
    elif do == "accept":
        number = parse_bounded(request.POST.get("number"), least=1, most=HIGHEST, default=0)
        own_partner.accept_partner(page, number)
        messages.success(request, _("You play together."))


def _mark_private(response: HttpResponse) -> HttpResponse:
    """Forbid caches and search engines to store the response."""
    response.headers["X-Robots-Tag"] = "noindex, nofollow"
    response.headers["Referrer-Policy"] = "no-referrer"
    return mark_uncacheable(response)
