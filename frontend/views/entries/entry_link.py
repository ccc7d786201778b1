"""/e/<slug>/<link>/: Self-registration. /c/<slug>/entries/link/ and …/terms/: The link to it, the number of
places, and the times.
"""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from engine import Refused
from frontend.forms.entries import EntryTermsForm, OwnEntryForm
from frontend.forms.teams import add_team_field
from frontend.presenters.entries.entering import count_places
from frontend.presenters.standings.teams import team_context
from frontend.presenters.words.refusals import describe_refusal, refusals_as_messages
from frontend.views.championship_context import PageContext, championship_page, mark_uncacheable
from games.error_responses import answer_to
from games.messaging import rate_limit
from tournaments.mails import sending
from tournaments.models import Championship, Round
from tournaments.names import read_name
from tournaments.services.entries import entry_link as links
from tournaments.services.entries import entry_terms, pairs
from tournaments.services.entries.entries import NewEntry


@require_POST
@championship_page("enter")
def entry_link(page: PageContext) -> HttpResponse:
    """With POST `on=1`, create a new link for self-registration; otherwise revoke the link. Then show the
    entries with the panel of the link open.
    """
    on = page.request.POST.get("on") == "1"
    with refusals_as_messages(page.request):
        links.set_link(page.championship, on=on, actor=page.actor)
        sentence = (
            _("Everybody with the link can enter themselves now.") if on else _("The link no longer works.")
        )
        messages.success(page.request, sentence)
    return _redirect_to_panel(page)


@require_POST
@championship_page("enter")
def entry_terms_set(page: PageContext) -> HttpResponse:
    """Set the number of places, and when entering opens and closes."""
    form = EntryTermsForm.of(page.championship, page.request.POST)
    if not form.is_valid():
        for name, errors in form.errors.items():
            for error in errors:
                messages.error(page.request, f"{form.fields[name].label}: {error}")
        return _redirect_to_panel(page)
    with refusals_as_messages(page.request):
        moved = entry_terms.set_terms(page.championship, actor=page.actor, **form.cleaned_data)
        messages.success(page.request, _("Written down."))
        if moved:
            sentence = ngettext(
                "%(n)d person moved up from the waiting list.",
                "%(n)d people moved up from the waiting list.",
                moved,
            )
            messages.success(page.request, sentence % {"n": moved})
    return _redirect_to_panel(page)


def _redirect_to_panel(page: PageContext) -> HttpResponse:
    return redirect(f"{reverse('entries', args=[page.championship.slug])}?link=1#entry-link")


@require_http_methods(["GET", "HEAD", "POST"])
def enter_oneself(request: HttpRequest, slug: str, link: str) -> HttpResponse:
    """Register one person, or two who play together, and redirect to the person's own page."""
    championship = links.find_by_link(slug, link)
    if championship is None:
        raise Http404(_("This link no longer works. Ask the organiser."))
    form = OwnEntryForm(
        request.POST if request.method == "POST" else None,
        pairs=pairs.has_fixed_pairs(championship),
        fees=championship.fees.all(),
        mails=sending.has_mail_server(),
    )
    add_team_field(form, championship)
    status, refusal = 200, None
    if form.is_bound:
        status = 400
        if form.is_valid():
            try:
                entered = _enter(championship, link, request, form.cleaned_data)
            except Refused as error:
                refusal = describe_refusal(error)
                status = answer_to(error).status
            else:
                _confirm_entered(request, entered)
                return mark_uncacheable(redirect("own_entry", slug, entered[0].token))
    context = _entering_context(championship) | {"form": form, "refusal": refusal}
    return mark_uncacheable(render(request, "pages/enter_oneself.html", context, status=status))


def _enter(
    championship: Championship, link: str, request: HttpRequest, params: dict[str, Any]
) -> list[links.Entered]:
    partner, both = params.pop("partner", ""), params.pop("with_partner", False)
    return links.enter_by_link(
        championship,
        link,
        rate_limit.address_of(request),
        NewEntry(**params),
        partner=read_name(partner) if partner else None,
        with_partner=both,
    )


def _confirm_entered(request: HttpRequest, entered: list[links.Entered]) -> None:
    """Show who is entered, and for a partner who is entered too the link to the partner's own page."""
    for entry, token in entered:
        named = {"name": entry.name, "n": entry.number}
        sentence = (
            _("%(name)s is on the waiting list.") if entry.waits else _("%(name)s is entered, number %(n)d.")
        )
        if entry.pk == entered[0].entry.pk:
            messages.success(request, sentence % named)
        else:
            url = request.build_absolute_uri(reverse("own_entry", args=[entry.championship.slug, token]))
            theirs = _("Pass on this link, it is shown only now:")
            messages.success(
                request, format_html('{} {} <a href="{}">{}</a>', sentence % named, theirs, url, url)
            )


def _entering_context(championship: Championship) -> dict[str, Any]:
    rounds = list(championship.rounds.order_by("number"))
    return {
        "championship": championship,
        **team_context(championship),
        "fees": list(championship.fees.all()),
        "opening": entry_terms.opening_of(championship).value,
        "places": count_places(championship),
        "rounds": rounds,
        "playing": next((one for one in reversed(rounds) if one.status == Round.Status.OPEN), None),
    }
