"""/e/<slug>/<link>/: Self-registration. /c/<slug>/entries/link/: Create or revoke that link."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from engine import Refused
from frontend.forms.entries import OwnEntryForm
from frontend.forms.teams import add_team_field
from frontend.presenters.refusals import refusal_sentence, show_refusal
from frontend.presenters.teams import team_context
from frontend.views.championship_context import PageContext, championship_page, mark_uncacheable
from games.error_responses import answer_to
from games.messaging import rate_limit
from tournaments.models import Round
from tournaments.services.entries import entry_link as links
from tournaments.services.entries.entries import NewEntry


@require_POST
@championship_page("enter")
def entry_link(frame: PageContext) -> HttpResponse:
    """Create a new link with POST `on`, else revoke it. The list shows it unfolded."""
    on = frame.request.POST.get("on") == "1"
    try:
        links.set_link(frame.championship, on=on, actor=frame.actor)
    except Refused as error:
        show_refusal(frame.request, error)
    else:
        said = _("Whoever has the link can enter himself now.") if on else _("The link has ended.")
        messages.success(frame.request, said)
    return redirect(f"{reverse('entries', args=[frame.championship.slug])}?link=1#entry-link")


@require_http_methods(["GET", "HEAD", "POST"])
def enter_oneself(request: HttpRequest, slug: str, link: str) -> HttpResponse:
    """Register one person at a time; the form reappears to register others."""
    championship = links.find_by_link(slug, link)
    if championship is None:
        raise Http404(_("This link has ended. Ask the organiser."))
    form = OwnEntryForm(request.POST if request.method == "POST" else None)
    add_team_field(form, championship)
    rounds = list(championship.rounds.order_by("number"))
    context = {
        "championship": championship,
        "form": form,
        "fees": list(championship.fees.all()),
        **team_context(championship),
        "rounds": rounds,
        "playing": next((one for one in reversed(rounds) if one.status == Round.Status.OPEN), None),
    }
    status = 200
    if form.is_bound:
        status = 400
        if form.is_valid():
            try:
                new = NewEntry(**form.cleaned_data)
                made = links.enter_by_link(championship, link, rate_limit.address_of(request), new)
            except Refused as error:
                context["refusal"] = {"sentence": refusal_sentence(error), "code": error.code}
                status = answer_to(error).status
            else:
                said = _("%(name)s is entered, number %(n)d.") % {"name": made.name, "n": made.number}
                messages.success(request, said)
                return mark_uncacheable(redirect("enter_oneself", slug, link))
    return mark_uncacheable(render(request, "pages/enter_oneself.html", context, status=status))
