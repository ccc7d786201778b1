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
from frontend.preferences import read_preference
from frontend.presenters.regulations.regulations import list_articles
from frontend.presenters.words.refusals import describe_refusal
from frontend.views.championship_context import PageContext, championship_page, refuse
from tournaments.errors import TournamentError
from tournaments.services.championships import championships, regulations_change
from tournaments.services.current_regulations import load_current_row, load_regulations
from tournaments.services.rounds import fewer_rounds


@require_http_methods(["GET", "HEAD", "POST"])
@championship_page()
def regulations(page: PageContext) -> HttpResponse:
    """Show two forms and save one: AboutForm with POST `about`, or the regulations until they freeze."""
    if page.request.method == "POST" and not page.roles.may("edit"):
        return refuse(page)
    championship = page.championship
    row = load_current_row(championship)
    regulations = load_regulations(championship)
    posted = page.request.POST if page.request.method == "POST" else None
    is_about = posted is not None and "about" in posted
    about = AboutForm(posted if is_about else None, initial=_about_initial(page))
    form = RegulationsForm(
        None if is_about else posted, regulations=regulations, deck=read_preference(page.request, "deck")
    )
    context: dict[str, Any] = {"about": about, "form": form, "frozen": row.frozen_at, "version": row.version}
    try:
        if about.is_bound and about.is_valid():
            championships.edit_championship(championship, actor=page.actor, **about.cleaned_data)
            messages.success(page.request, _("Saved."))
            return redirect("regulations", championship.slug)
        if form.is_bound and form.is_valid():
            regulations_change.change_regulations(championship, form.changed(), actor=page.actor)
            messages.success(
                page.request,
                _("The regulations are changed; this is version %(n)d.") % {"n": row.version + 1},
            )
            return redirect("regulations", championship.slug)
    except Refused as error:
        context["refusal"] = describe_refusal(error)
        if isinstance(error, TournamentError) and form.is_bound:
            form.place(error)
    if row.frozen_at is None and page.roles.may("edit"):
        context["many_rounds"] = fewer_rounds.find_many_rounds(championship, regulations)
    context["articles"] = list_articles(regulations, read_preference(page.request, "deck"))
    context["variant"] = regulations.play.variant
    return page.render("pages/regulations.html", context, status=200 if posted is None else 400)


def _about_initial(page: PageContext) -> dict[str, Any]:
    championship = page.championship
    starts = timezone.localtime(championship.starts_at) if championship.starts_at else None
    initial: dict[str, Any] = {"name": championship.name, "place": championship.place, "starts_at": starts}
    initial |= {"public": championship.public, "public_names": championship.public_names}
    return {**initial, "keep_days": championship.keep_days}
