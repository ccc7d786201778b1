"""/c/<slug>/regulations/: The regulations for everybody, and a form for the director until the first round
opens.
"""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from engine import Refused
from frontend.forms.championship import AboutForm
from frontend.forms.regulations import RegulationsForm
from frontend.preferences import chosen
from frontend.presenters.refusals import describe_refusal
from frontend.presenters.regulations import articles
from frontend.views.championship_context import PageContext, championship_page, refuse
from tournaments.errors import TournamentError
from tournaments.services import championships, fewer_rounds
from tournaments.services.current_regulations import load_current_row, regulations_of


@require_http_methods(["GET", "HEAD", "POST"])
@championship_page()
def regulations(frame: PageContext) -> HttpResponse:
    """Show two forms and save one: AboutForm with POST `about`, or the regulations until they freeze."""
    if frame.request.method == "POST" and not frame.roles.may("edit"):
        return refuse(frame)
    found = frame.championship
    row = load_current_row(found)
    held = regulations_of(found)
    posted = frame.request.POST if frame.request.method == "POST" else None
    is_about = posted is not None and "about" in posted
    about = AboutForm(posted if is_about else None, initial=_about_initial(frame))
    form = RegulationsForm(None if is_about else posted, regulations=held, deck=chosen(frame.request, "deck"))
    context: dict[str, Any] = {"about": about, "form": form, "frozen": row.frozen_at, "version": row.version}
    try:
        if about.is_bound and about.is_valid():
            championships.edit_championship(found, actor=frame.actor, **about.cleaned_data)
            messages.success(frame.request, _("Saved."))
            return redirect("regulations", found.slug)
        if form.is_bound and form.is_valid():
            championships.change_regulations(found, form.changed(), actor=frame.actor)
            messages.success(
                frame.request,
                _("The regulations are changed; this is version %(n)d.") % {"n": row.version + 1},
            )
            return redirect("regulations", found.slug)
    except Refused as error:
        context["refusal"] = describe_refusal(error)
        if isinstance(error, TournamentError) and form.is_bound:
            form.place(error)
    if row.frozen_at is None and frame.roles.may("edit"):
        context["many_rounds"] = fewer_rounds.find_many_rounds(found, held)
    context["articles"] = articles(held, chosen(frame.request, "deck"))
    context["variant"] = held.play.variant
    return frame.page("pages/regulations.html", context, status=200 if posted is None else 400)


def _about_initial(frame: PageContext) -> dict[str, Any]:
    found = frame.championship
    starts = timezone.localtime(found.starts_at) if found.starts_at else None
    told: dict[str, Any] = {"name": found.name, "place": found.place, "starts_at": starts}
    told |= {"public": found.public, "public_names": found.public_names}
    return {**told, "keep_days": found.keep_days}
