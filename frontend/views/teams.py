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
from frontend.presenters.refusals import describe_refusal
from frontend.presenters.teams import describe_drawn_teams, describe_rules
from frontend.views.championship_context import PageContext, championship_page, mark_uncacheable
from frontend.views.numbers import MAX_NUMBER, parse_bounded
from tournaments.models import Entry, Team
from tournaments.services.current_regulations import load_regulations
from tournaments.services.entries import entry_search, teams
from tournaments.services.team_members import find_team_rules, has_teams

PAGE = 50
"""Number of teams on a page."""
LISTED = 100
"""Largest number of people without a team that the page names."""


@require_safe
@championship_page()
def teams_page(frame: PageContext) -> HttpResponse:
    """List the teams with their members, and for the desk the forms. `?page=2`: teams 51 to 100."""
    return mark_uncacheable(_render(frame))


@require_POST
@championship_page("enter")
def team_act(frame: PageContext, act: str) -> HttpResponse:
    """Do `join`, `leave`, `rename`, `merge` or `clubs` (make teams of clubs). After a refused `join` the form
    keeps its content.
    """
    if act not in ACTS or not has_teams(frame.championship):
        raise Http404
    join = TeamJoinForm(frame.request.POST) if act == "join" else TeamJoinForm()
    try:
        said = ACTS[act](frame, join)
    except Refused as error:
        refusal = describe_refusal(error)
        return _render(frame, join, refusal=refusal, status=400)
    if said is None:
        return _render(frame, join, status=400)
    messages.success(frame.request, said)
    return redirect("teams", frame.championship.slug)


def _render(
    frame: PageContext,
    join: TeamJoinForm | None = None,
    *,
    refusal: dict[str, str] | None = None,
    status: int = 200,
) -> HttpResponse:
    regulations = load_regulations(frame.championship)
    if not regulations.has_teams:
        raise Http404
    rules = find_team_rules(frame.championship)
    found = teams.load_teams(frame.championship)
    missing = {one.team.pk: one.missing for one in teams.list_short(frame.championship)}
    pages = max(1, -(-len(found) // PAGE))
    page = min(frame.page_asked_for, pages)
    shown = list(found.items())[(page - 1) * PAGE : page * PAGE]
    alone = teams.list_teamless(frame.championship) if frame.roles.may_check_in else []
    context: dict[str, Any] = {
        "rules": rules,
        "rules_said": describe_drawn_teams(regulations) if rules is None else describe_rules(rules),
        "teams": [(team, members, missing.get(team.pk, 0)) for team, members in shown],
        "team_count": len(found),
        "page": page,
        "next_page": page + 1 if page < pages else None,
        "team_choices": [(team.number, team.name) for team in found],
        "alone": alone[:LISTED],
        "alone_more": max(0, len(alone) - LISTED),
        "have_clubs": any(entry.club for entry in alone),
        "form": join or TeamJoinForm(),
        "refusal": refusal,
        "joining": refusal is not None or (join is not None and join.is_bound),
    }
    return frame.page("pages/teams.html", context, status=status)


def _join(frame: PageContext, form: TeamJoinForm) -> str | None:
    if not form.is_valid():
        return None
    people = [entry_search.find_entry(frame.championship, text) for text in form.names()]
    there = [entry for entry in people if entry is not None]
    data = form.cleaned_data
    team = teams.join(frame.championship, there, data["team"], actor=frame.actor, reason=data["reason"])
    sentence = ngettext("%(n)d person belongs to %(team)s.", "%(n)d people belong to %(team)s.", len(there))
    return sentence % {"n": len(there), "team": "" if team is None else team.name}


def _leave(frame: PageContext, _form: TeamJoinForm) -> str:
    entry = _entry(frame)
    reason = frame.request.POST.get("reason", "")
    teams.join(frame.championship, [entry], "", actor=frame.actor, reason=reason)
    return _("%(name)s belongs to no team.") % {"name": entry.name}


def _rename(frame: PageContext, _form: TeamJoinForm) -> str:
    form = RenameForm(frame.request.POST)
    name = form.cleaned_data["name"] if form.is_valid() else ""
    team = teams.rename(_team(frame), name, actor=frame.actor)
    return _("The team is called %(name)s.") % {"name": team.name}


def _merge(frame: PageContext, _form: TeamJoinForm) -> str:
    team, form = _team(frame), MergeForm(frame.request.POST)
    data = form.cleaned_data if form.is_valid() else {"other": "", "reason": ""}
    other = teams.get_team(frame.championship, data["other"])
    teams.merge(team, other, actor=frame.actor, reason=data["reason"])
    return _("%(name)s and %(other)s are one team.") % {"name": team.name, "other": other.name}


def _form_from_clubs(frame: PageContext, _form: TeamJoinForm) -> str:
    count = teams.form_from_clubs(frame.championship, actor=frame.actor)
    return ngettext("%(n)d person has a team now.", "%(n)d people have a team now.", count) % {"n": count}


def _team(frame: PageContext) -> Team:
    number = parse_bounded(frame.request.POST.get("number"), least=1, most=MAX_NUMBER, default=0)
    team: Team = get_object_or_404(frame.championship.teams.select_related("championship"), number=number)
    return team


def _entry(frame: PageContext) -> Entry:
    number = parse_bounded(frame.request.POST.get("entry"), least=1, most=MAX_NUMBER, default=0)
    return frame.entry(number)


ACTS: dict[str, Callable[[PageContext, TeamJoinForm], str | None]] = {
    "join": _join,
    "leave": _leave,
    "rename": _rename,
    "merge": _merge,
    "clubs": _form_from_clubs,
}
