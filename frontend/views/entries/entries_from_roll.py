"""/c/<slug>/entries/roll/: Enter people from a club's roll, and set the club of a championship."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from frontend.presenters.tables.hall import MAX_QUERY_LENGTH
from frontend.presenters.words.refusals import refusals_as_messages
from frontend.views.championship_context import PageContext, championship_page, refuse
from frontend.views.numbers import MAX_NUMBER, parse_bounded
from tournaments.clubs import rolls
from tournaments.models import Person
from tournaments.services.championships import championships
from tournaments.services.entries import entries as desk

PEOPLE_PER_PAGE = 100


@require_http_methods(["GET", "HEAD", "POST"])
@championship_page("enter")
def entries_from_roll(page: PageContext) -> HttpResponse:
    """List the people of the roll without an entry, or enter the selected ones (POST). Only for people of the
    desk who keep the roll.
    """
    club = page.championship.club
    if not rolls.is_keeper(page.person, club):
        return refuse(page)
    if page.request.method == "POST":
        return _enter_selected(page)
    context = _list_people(page)
    if page.is_partial:
        return page.render("parts/roll_choice.html", context)
    count = rolls.list_not_entered(page.championship).count()
    context |= {"club": club, "count": count, "kept": rolls.list_kept_clubs(page.actor)}
    return page.render("pages/entries_from_roll.html", context)


def _list_people(page: PageContext) -> dict[str, Any]:
    """Return a hundred matching people, starting at `?from=`. The first page begins with the people selected
    so far.
    """
    parameters = page.request.GET
    query = parameters.get("q", "").strip()[:MAX_QUERY_LENGTH]
    first = parse_bounded(parameters.get("from"), least=0, most=MAX_NUMBER, default=0)
    ticked = list(rolls.list_not_entered(page.championship).filter(pk__in=_selected_ids(parameters)))
    matching = list(rolls.list_not_entered(page.championship, query)[first : first + PEOPLE_PER_PAGE + 1])
    others = [person for person in matching[:PEOPLE_PER_PAGE] if person not in ticked]
    return {
        "lines": [(person, True) for person in ticked if not first] + [(person, False) for person in others],
        "query": query,
        "first": first,
        "more_from": first + PEOPLE_PER_PAGE if len(matching) > PEOPLE_PER_PAGE else None,
    }


def _selected_ids(parameters: QueryDict) -> list[int]:
    return [parse_bounded(one, least=0, most=MAX_NUMBER, default=0) for one in parameters.getlist("person")]


def _enter_selected(page: PageContext) -> HttpResponse:
    posted = page.request.POST
    selected = rolls.list_not_entered(page.championship)
    if "everybody" not in posted:
        selected = selected.filter(pk__in=_selected_ids(posted))
    people: list[Person] = list(selected)
    if not people:
        messages.error(page.request, _("Nobody was chosen."))
        return redirect("entries_from_roll", page.championship.slug)
    with refusals_as_messages(page.request):
        entries = desk.enter_persons(page.championship, people, actor=page.actor)
        sentence = ngettext(
            "%(n)d person from the roll is entered.", "%(n)d people from the roll are entered.", len(entries)
        )
        messages.success(page.request, sentence % {"n": len(entries)})
        return redirect("entries", page.championship.slug)
    return redirect("entries_from_roll", page.championship.slug)


@require_POST
@championship_page("edit")
def championship_club(page: PageContext) -> HttpResponse:
    """Set the club of this championship to one whose roll the person keeps."""
    number = parse_bounded(page.request.POST.get("club"), least=0, most=MAX_NUMBER, default=0)
    club = rolls.list_kept_clubs(page.actor).filter(pk=number).first()
    if club is None:
        messages.error(page.request, _("Choose a club whose roll you keep."))
    else:
        with refusals_as_messages(page.request):
            championships.give_to_club(page.championship, club, actor=page.actor)
            messages.success(page.request, _("The evening belongs to %(club)s.") % {"club": club.name})
    return redirect("entries_from_roll", page.championship.slug)
