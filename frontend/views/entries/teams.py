"""/c/<slug>/teams/: The teams and their members. The desk creates, renames and merges teams."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from engine import Refused
from frontend.forms.teams import MergeForm, RenameForm, TeamJoinForm
from frontend.presenters.standings.teams import describe_drawn_teams, describe_rules
from frontend.presenters.words.refusals import describe_refusal
from frontend.views.championship_context import PageContext, championship_page, mark_uncacheable
from frontend.views.numbers import MAX_NUMBER, parse_bounded
from tournaments.models import Entry, Team
from tournaments.services.current_regulations import load_regulations
from tournaments.services.entries import entry_search, teams
from tournaments.services.people.team_members import find_team_rules, has_teams

PAGE = 50
"""Number of teams on a page."""
LISTED = 100
"""Largest number of people without a team that the page names."""


@require_safe
@championship_page()
def teams_page(page: PageContext) -> HttpResponse:
    """List the teams with their members, and for the desk the forms. `?page=2`: teams 51 to 100."""
    return mark_uncacheable(_render(page))


@require_POST
@championship_page("enter")
def team_act(page: PageContext, act: str) -> HttpResponse:
    """Do `join`, `leave`, `rename`, `merge` or `clubs` (make teams of clubs). After a refused `join` the form
    keeps its content.
    """
    if act not in ACTS or not has_teams(page.championship):
        raise Http404
    join = TeamJoinForm(page.request.POST) if act == "join" else TeamJoinForm()
    try:
        said = ACTS[act](page, join)
    except Refused as error:
        refusal = describe_refusal(error)
        return _render(page, join, refusal=refusal, status=400)
    if said is None:
        return _render(page, join, status=400)
    messages.success(page.request, said)
    return redirect("teams", page.championship.slug)


def _render(
    page: PageContext,
    join: TeamJoinForm | None = None,
    *,
    refusal: dict[str, str] | None = None,
    status: int = 200,
) -> HttpResponse:
    regulations = load_regulations(page.championship)
    if not regulations.has_teams:
        raise Http404
    rules = find_team_rules(page.championship)
    found = teams.load_teams(page.championship)
    missing = {one.team.pk: one.missing for one in teams.list_short(page.championship)}
    pages = max(1, -(-len(found) // PAGE))
    page_number = min(page.page_number, pages)
    shown = list(found.items())[(page_number - 1) * PAGE : page_number * PAGE]
    alone = teams.list_teamless(page.championship) if page.roles.may_check_in else []
    context: dict[str, Any] = {
        "rules": rules,
        "rules_said": describe_drawn_teams(regulations) if rules is None else describe_rules(rules),
        "teams": [(team, members, missing.get(team.pk, 0)) for team, members in shown],
        "team_count": len(found),
        "page": page_number,
        "next_page": page_number + 1 if page_number < pages else None,
        "team_choices": [(team.number, team.name) for team in found],
        "alone": alone[:LISTED],
        "alone_more": max(0, len(alone) - LISTED),
        "have_clubs": any(entry.club for entry in alone),
        "form": join or TeamJoinForm(),
        "refusal": refusal,
        "joining": refusal is not None or (join is not None and join.is_bound),
    }
    return page.render("pages/teams.html", context, status=status)


def _join(page: PageContext, form: TeamJoinForm) -> str | None:
    if not form.is_valid():
        return None
    people = [entry_search.find_entry(page.championship, text) for text in form.names()]
    there = [entry for entry in people if entry is not None]
    data = form.cleaned_data
    team = teams.join(page.championship, there, data["team"], actor=page.actor, reason=data["reason"])
    sentence = ngettext("%(n)d person belongs to %(team)s.", "%(n)d people belong to %(team)s.", len(there))
    return sentence % {"n": len(there), "team": "" if team is None else team.name}


def _leave(page: PageContext, _form: TeamJoinForm) -> str:
    entry = _entry(page)
    reason = page.request.POST.get("reason", "")
    teams.join(page.championship, [entry], "", actor=page.actor, reason=reason)
    return _("%(name)s belongs to no team.") % {"name": entry.name}


def _rename(page: PageContext, _form: TeamJoinForm) -> str:
    form = RenameForm(page.request.POST)
    name = form.cleaned_data["name"] if form.is_valid() else ""
    team = teams.rename(_team(page), name, actor=page.actor)
    return _("The team is called %(name)s.") % {"name": team.name}


def _merge(page: PageContext, _form: TeamJoinForm) -> str:
    team, form = _team(page), MergeForm(page.request.POST)
    data = form.cleaned_data if form.is_valid() else {"other": "", "reason": ""}
    other = teams.get_team(page.championship, data["other"])
    teams.merge(team, other, actor=page.actor, reason=data["reason"])
    return _("%(name)s and %(other)s are one team.") % {"name": team.name, "other": other.name}


def _form_from_clubs(page: PageContext, _form: TeamJoinForm) -> str:
    count = teams.form_from_clubs(page.championship, actor=page.actor)
    return ngettext("%(n)d person has a team now.", "%(n)d people have a team now.", count) % {"n": count}


def _team(page: PageContext) -> Team:
    number = parse_bounded(page.request.POST.get("number"), least=1, most=MAX_NUMBER, default=0)
    team: Team = get_object_or_404(page.championship.teams.select_related("championship"), number=number)
    return team


def _entry(page: PageContext) -> Entry:
    number = parse_bounded(page.request.POST.get("entry"), least=1, most=MAX_NUMBER, default=0)
    return page.find_entry(number)


ACTS: dict[str, Callable[[PageContext, TeamJoinForm], str | None]] = {
    "join": _join,
    "leave": _leave,
    "rename": _rename,
    "merge": _merge,
    "clubs": _form_from_clubs,
}
