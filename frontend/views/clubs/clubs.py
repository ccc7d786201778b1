"""/clubs/: The clubs whose rolls a person keeps, and the people on them. Only keepers see a roll."""

from collections.abc import Callable
from functools import wraps
from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from frontend.forms.clubs import ClubForm, KeeperForm
from frontend.forms.persons import PersonForm
from frontend.presenters.tables.hall import MAX_QUERY_LENGTH
from frontend.presenters.words.refusals import refusal_in, refusals_as_messages
from frontend.views.championship_context import is_partial_request, mark_uncacheable
from frontend.views.numbers import MAX_NUMBER, parse_bounded
from games.models import User
from tournaments import personal_data
from tournaments.clubs import rolls
from tournaments.models import Club, Person
from tournaments.services.championships import championships

PEOPLE_PER_PAGE = 100
OFFERED = 1000
"""Largest number of people in the list of the form that merges two; the others are found by a search."""


def _user(request: HttpRequest) -> User:
    return cast(User, request.user)


def _page(request: HttpRequest, template: str, context: dict[str, Any], status: int = 200) -> HttpResponse:
    return mark_uncacheable(render(request, template, context, status=status))


def keepers_page(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorate a view `view(request, club, …)` for keepers of the club. Anonymous users sign in; others get
    404.
    """

    @login_required
    @wraps(view)
    def wrapped(request: HttpRequest, club_id: int, *args: Any, **kwargs: Any) -> HttpResponse:
        club = Club.objects.filter(pk=club_id).first()
        if club is None or not rolls.is_keeper(request.user, club):
            raise Http404(_("You keep no such roll."))
        return view(request, club, *args, **kwargs)

    return wrapped


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def clubs(request: HttpRequest) -> HttpResponse:
    """List the clubs whose rolls this person keeps; POST creates one, if they may create championships."""
    may_found = championships.may_found(_user(request))
    form = ClubForm(request.POST if request.method == "POST" else None)
    context: dict[str, Any] = {"form": form, "may_found": may_found}
    if form.is_bound and not may_found:
        return render(request, "pages/may_not_found.html", status=403)
    if form.is_valid():
        with refusal_in(context):
            club = rolls.found_club(form.cleaned_data["name"], actor=_user(request))
            return redirect("roll", club.pk)
    context["clubs"] = rolls.list_kept_clubs(_user(request))
    return _page(request, "pages/clubs.html", context, 400 if form.is_bound else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@keepers_page
def roll(request: HttpRequest, club: Club) -> HttpResponse:
    """List the people on the roll by family name. `?q=`: search; `?from=`: how many to skip;
    `?show=archived`: archived people. POST adds a person.
    """
    asked = request.GET
    query, show = asked.get("q", "").strip()[:MAX_QUERY_LENGTH], asked.get("show", "")
    first = parse_bounded(asked.get("from"), least=0, most=100_000, default=0)
    adding = request.method == "POST" or "add" in asked
    form = PersonForm(request.POST if request.method == "POST" else None, cursor=adding)
    context: dict[str, Any] = {"club": club, "query": query, "show": show}
    if form.is_bound and form.is_valid():
        with refusal_in(context):
            person = rolls.add_person(club, actor=_user(request), **form.cleaned_data)
            messages.success(request, _("%(name)s is on the roll.") % {"name": person.name})
            return redirect(reverse("roll", args=[club.pk]) + "?add=1")
    found = rolls.search_persons(club, query, archived=show == "archived")
    if show == "archived":
        found = found.exclude(archived_at=None)
    page = list(found[first : first + PEOPLE_PER_PAGE + 1])
    context |= {
        "people": page[:PEOPLE_PER_PAGE],
        "more_from": first + PEOPLE_PER_PAGE if len(page) > PEOPLE_PER_PAGE else None,
    }
    if is_partial_request(request):
        return _page(request, "parts/roll_rows.html", context)
    context |= {
        "form": form,
        "adding": adding,
        "count": rolls.search_persons(club, "").count(),
        "club_form": ClubForm(initial={"name": club.name}),
        "keeper_form": KeeperForm(asker=_user(request)),
        "keepers": club.keepers.select_related("user"),
    }
    return _page(request, "pages/roll.html", context, 400 if form.is_bound else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@keepers_page
def roll_person(request: HttpRequest, club: Club, person_id: int) -> HttpResponse:
    """Edit a person on the roll, with buttons to archive, merge or erase them. `?q=`: search for the person
    to merge with.
    """
    person = _person(club, person_id)
    fields = {name: getattr(person, name) for name in ("family_name", "first_name", *rolls.FIELDS)}
    form = PersonForm(request.POST if request.method == "POST" else None, initial=fields)
    context: dict[str, Any] = {"club": club, "person": person, "form": form}
    if form.is_bound and form.is_valid():
        with refusal_in(context):
            rolls.edit_person(person, actor=_user(request), **form.cleaned_data)
            messages.success(request, _("%(name)s is corrected.") % {"name": person.name})
            return redirect("roll", club.pk)
    query = request.GET.get("q", "").strip()[:MAX_QUERY_LENGTH]
    others = list(rolls.search_persons(club, query, archived=True).exclude(pk=person.pk)[: OFFERED + 1])
    context |= {
        "entries": person.entries.select_related("championship").order_by("-championship__pk"),
        "query": query,
        "others": others[:OFFERED],
        "searches": query or len(others) > OFFERED,
    }
    return _page(request, "pages/roll_person.html", context, 400 if form.is_bound else 200)


@require_POST
@keepers_page
def roll_act(request: HttpRequest, club: Club, person_id: int, act: str) -> HttpResponse:
    """Do `archive`, `restore`, `merge` (with `other`) or `erase` (with `sure`) with a person on the roll."""
    person = _person(club, person_id)
    with refusals_as_messages(request):
        done = _do_act(request, club, person, act)
        if done:
            messages.success(request, done)
            return redirect("roll", club.pk)
    return redirect("roll_person", club.pk, person.pk)


def _do_act(request: HttpRequest, club: Club, person: Person, act: str) -> str:
    """Do the action and return its confirmation message; empty if nothing was done."""
    name, actor = person.name, _user(request)
    if act in ("archive", "restore"):
        rolls.archive_person(person, actor=actor, archived=act == "archive")
        sentence = _("%(name)s is archived.") if act == "archive" else _("%(name)s is on the roll again.")
        return sentence % {"name": name}
    if act == "merge":
        number = parse_bounded(request.POST.get("other"), least=0, most=MAX_NUMBER, default=0)
        other = rolls.list_persons(club).filter(pk=number).first()
        kept = rolls.merge_persons(person, other or person, actor=actor)
        if kept.unnamed_since is not None:
            personal_data.forget_written_files(set(kept.entries.values_list("championship", flat=True)))
        return _("Both are one now: %(name)s.") % {"name": name}
    if act == "erase":
        if "sure" not in request.POST:
            messages.error(request, _("Tick the confirmation: erased data cannot be restored."))
            return ""
        personal_data.erase_data(personal_data.load_person_subject(person))
        return _("%(name)s is erased, here and in all evenings.") % {"name": name}
    raise Http404


@require_POST
@keepers_page
def club_change(request: HttpRequest, club: Club, act: str) -> HttpResponse:
    """Do `rename`, `keeper` (add a keeper) or `resign` (stop keeping the roll)."""
    with refusals_as_messages(request):
        if act == "rename":
            form = ClubForm(request.POST)
            if form.is_valid():
                rolls.rename_club(club, form.cleaned_data["name"], actor=_user(request))
            else:
                messages.error(request, " ".join(map(str, form.errors["name"])))
        elif act == "keeper":
            keeper = KeeperForm(request.POST, asker=_user(request))
            if keeper.is_valid():
                rolls.add_keeper(club, keeper.cleaned_data["user"], actor=_user(request))
            else:
                messages.error(request, " ".join(map(str, keeper.errors["user"])))
        elif act == "resign":
            rolls.remove_keeper(club, _user(request), actor=_user(request))
            return redirect("clubs")
        else:
            raise Http404
    return redirect("roll", club.pk)


def _person(club: Club, number: int) -> Person:
    return get_object_or_404(rolls.list_persons(club).select_related("club"), pk=number)
