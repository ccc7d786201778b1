"""/c/<slug>/entries/roll/: people of the roll into this evening, some or all; and whose evening it is."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from engine import Refused
from frontend.presenters.refusals import show_refusal
from frontend.views.championship_context import Frame, championship_page, refuse
from frontend.views.numbers import whole
from tournaments.clubs import rolls
from tournaments.models import Person
from tournaments.services import championships
from tournaments.services.desk import entries as desk

MOST_ID = 2**31 - 1


@require_http_methods(["GET", "POST"])
@championship_page("enter")
def entries_from_roll(frame: Frame) -> HttpResponse:
    """Everybody who is not entered yet, to be ticked; `?q=`. For those of the desk who keep the roll."""
    club = frame.championship.club
    if not rolls.keeps(frame.person, club):
        return refuse(frame)
    if frame.request.method == "POST":
        return _enter(frame)
    query = frame.request.GET.get("q", "").strip()[:40]
    people = list(rolls.not_entered(frame.championship, query))
    context = {"club": club, "people": people, "query": query, "kept": rolls.clubs_kept(frame.actor)}
    return frame.page("pages/entries_from_roll.html", context)


def _enter(frame: Frame) -> HttpResponse:
    posted = frame.request.POST
    wanted = rolls.not_entered(frame.championship)
    if "everybody" not in posted:
        chosen = [whole(one, least=0, most=MOST_ID, default=0) for one in posted.getlist("person")]
        wanted = wanted.filter(pk__in=chosen)
    people: list[Person] = list(wanted)
    if not people:
        messages.error(frame.request, _("Nobody was chosen."))
        return redirect("entries_from_roll", frame.championship.slug)
    try:
        made = desk.enter_persons(frame.championship, people, actor=frame.actor)
    except Refused as error:
        show_refusal(frame.request, error)
        return redirect("entries_from_roll", frame.championship.slug)
    said = ngettext(
        "%(n)d person of the roll is entered.", "%(n)d people of the roll are entered.", len(made)
    )
    messages.success(frame.request, said % {"n": len(made)})
    return redirect("entries", frame.championship.slug)


@require_POST
@championship_page("edit")
def championship_club(frame: Frame) -> HttpResponse:
    """Whose evening it is, of the clubs that one keeps."""
    number = whole(frame.request.POST.get("club"), least=0, most=MOST_ID, default=0)
    club = rolls.clubs_kept(frame.actor).filter(pk=number).first()
    if club is None:
        messages.error(frame.request, _("Choose a club whose roll you keep."))
    else:
        championships.give_to_club(frame.championship, club, actor=frame.actor)
        messages.success(frame.request, _("The evening belongs to %(club)s.") % {"club": club.name})
    return redirect("entries_from_roll", frame.championship.slug)
