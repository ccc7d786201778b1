"""/series/<slug>/: A series of a club for everybody, and its form for the keepers of the club's roll."""

import hashlib
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from engine import Refused
from frontend.forms.outside_championships import OutsideFileForm
from frontend.forms.series import (
    EditEventForm,
    EventForm,
    FinalForm,
    NewSeriesForm,
    NumbersForm,
    PresetForm,
    SeriesNameForm,
)
from frontend.forms.series_steps import QualificationForm
from frontend.fragment_cache import as_safe_html, get_or_make_fragment
from frontend.presenters.clubs import series as presenter
from frontend.presenters.clubs.event_line import build_event_track, stop_date
from frontend.presenters.clubs.outside_championships import list_planned
from frontend.presenters.rounds.finals import change_lines
from frontend.presenters.words.refusals import add_refusal, refusal_in, show_refusal
from frontend.sharing.club_calendar import list_series_events
from frontend.views.championship_context import mark_uncacheable
from frontend.views.clubs.club_page import calendar_response
from frontend.views.clubs.clubs import keepers_page
from frontend.views.clubs.series_confirm import confirm_page, needs_reason
from frontend.views.clubs.series_versions import show_published
from frontend.views.numbers import parse_bounded
from games.models import User
from tournaments.clubs.public import public_clubs
from tournaments.models import Championship, Club, ClubEvent, ClubSeries
from tournaments.services.championships import championships
from tournaments.services.series import editing, finals, loading, publishing
from tournaments.services.series.cached_series import load_shared_series

AnyForm = forms.Form | QualificationForm
LINES_PER_PAGE = 100
OFFERED = 60
"""Largest number of championships, the newest, that the form of a new series offers."""
WAITING_SHOWN = 30
"""Largest number of people on the waiting list that the page shows."""
_WITH_REASON = ("rules", "numbers", "steps", "add")
"""Actions that need a reason as soon as an event counts."""


@require_http_methods(["GET", "HEAD", "POST"])
@keepers_page
def club_series(request: HttpRequest, club: Club) -> HttpResponse:
    """List the series of a club (GET), or create one (POST)."""
    newest = club.championships.filter(archived_at=None).order_by("-pk")[:OFFERED]
    offered = sorted(newest, key=lambda one: (one.starts_at or one.created_at, one.pk))
    form = NewSeriesForm(request.POST if request.method == "POST" else None, championships=offered)
    context = {"club": club, "listed": club.series.all(), "form": form}
    if form.is_valid():
        with refusal_in(context):
            club_series = editing.create_series(
                club, actor=cast(User, request.user), final_name=_("Final"), **form.cleaned_data
            )
            return redirect("series_edit", club_series.slug)
    response = render(request, "pages/club_series.html", context, status=400 if form.is_bound else 200)
    return mark_uncacheable(response)


def _find(slug: str) -> ClubSeries:
    return get_object_or_404(ClubSeries.objects.select_related("club"), slug=slug)


@require_safe
def series(request: HttpRequest, series_slug: str) -> HttpResponse:
    """Render the events, the table and the qualification of a series. `?page=2`: lines 101 to 200 of the
    table.
    """
    club_series = _find(series_slug)
    keeper = loading.may_edit_series(request.user, club_series)
    loaded = load_shared_series(club_series)
    reading = loading.read_series(loaded, request.user, keeper=keeper)
    if not reading.visible:
        raise Http404(_("There is no such series."))
    events = presenter.event_lines(loaded)
    has_club_page = public_clubs().filter(pk=club_series.club_id).exists()
    context: dict[str, Any] = {
        "series": club_series,
        "keeper": keeper,
        "has_club_page": has_club_page,
        "track": build_event_track(events, None if loaded.final is None else loaded.final.key),
        "dated": any(stop_date(line) for line in events),
        "rules": presenter.rule_lines(loaded.document.rules),
        "not_on_roll": presenter.names_not_on_roll(loaded, events) if keeper else [],
    }
    with refusal_in(context):
        context |= _show_table(
            request, loaded, reading, events, linked=reading.full and (keeper or has_club_page)
        )
        context["held"] = [line for line in events if line.state == "held"]
        context["team_lines"] = presenter.team_season_lines(loaded, reading.names, reading.team_names)
        if (qualification := loaded.qualification) is not None:
            context |= {
                "tickets": presenter.ticket_lines(loaded, events, reading.names),
                "waiting": [reading.names[ref] for ref in qualification.waiting[:WAITING_SHOWN]],
                "final_changes": change_lines(loaded, reading.names) if keeper else [],
                "final": next((line for line in events if line.event == loaded.final), None),
            }
        context |= show_published(club_series, loaded, keeper=keeper)
    return mark_uncacheable(render(request, "pages/series.html", context))


@require_safe
def series_calendar(request: HttpRequest, series_slug: str) -> HttpResponse:
    """Return a calendar of the dated events of the series; 404 for people who may not read its page."""
    club_series = _find(series_slug)
    loaded = load_shared_series(club_series)
    reading = loading.read_series(
        loaded, request.user, keeper=loading.may_edit_series(request.user, club_series)
    )
    if not reading.visible:
        raise Http404(_("There is no such series."))
    events = list_series_events(club_series, loaded.events, timezone.now(), request.build_absolute_uri)
    public = all(one.public for one in loaded.championships) and all(
        one.public for one in loaded.outside.values()
    )
    return calendar_response(request, events, club_series.name, club_series.slug, shared=public)


def _show_table(
    request: HttpRequest,
    loaded: loading.LoadedSeries,
    reading: loading.SeriesReading,
    events: Sequence[presenter.SeriesEventLine],
    *,
    linked: bool,
) -> dict[str, Any]:
    """Return the context of one page of the table, cached for all people who read the same names. `linked`:
    names link to pages of persons.
    """
    rows = [*loaded.table.rows, *loaded.table.unranked]
    pages = max(1, -(-len(rows) // LINES_PER_PAGE))
    page = parse_bounded(request.GET.get("page"), least=1, most=pages, default=1)
    shown = rows[(page - 1) * LINES_PER_PAGE : page * LINES_PER_PAGE]

    def make() -> str:
        lines = presenter.season_lines(loaded, shown, reading.names)
        context = {
            "series": loaded.series,
            "held": [line for line in events if line.state == "held"],
            "lines": lines,
            "linked": linked,
            "dropped": any("dropped" in cell.classes for line in lines for cell in line.cells),
            "finalists": any(line.is_finalist for line in lines),
            "given": any("given" in cell.classes for line in lines for cell in line.cells),
        }
        return render_to_string("parts/season_table.html", context)

    compared = [row.separation.against for row in shown if row.separation is not None]
    names = [(ref, reading.names[ref]) for ref in [*(row.ref for row in shown), *compared]]
    said = repr((loaded.mark, loaded.series.club.slug, names))
    told = hashlib.blake2b(said.encode(), digest_size=15).hexdigest()
    of = (loaded.series.pk, page, linked)
    return {
        "table": as_safe_html(get_or_make_fragment("season table", of, told, make, str)) if shown else "",
        "people": len(rows),
        "page": page,
        "next_page": page + 1 if page < pages else None,
    }


def series_keepers_page(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorate a view `view(request, series, …)` for keepers of the club's roll. Anonymous users sign in;
    others get 404.
    """

    @login_required
    @wraps(view)
    def wrapped(request: HttpRequest, series_slug: str, *args: Any, **kwargs: Any) -> HttpResponse:
        club_series = _find(series_slug)
        if not loading.may_edit_series(request.user, club_series):
            raise Http404(_("There is no such series."))
        return mark_uncacheable(view(request, club_series, *args, **kwargs))

    return wrapped


@require_safe
@series_keepers_page
def series_edit(request: HttpRequest, club_series: ClubSeries) -> HttpResponse:
    return _edit_page(request, club_series, {})


@require_POST
@series_keepers_page
def series_change(request: HttpRequest, club_series: ClubSeries, act: str) -> HttpResponse:
    """Do `rename`, `rules`, `numbers`, `steps`, `add`, `final`, `publish` or `delete` (with `sure`) with a
    series.

    If the change needs a reason and has none, show its effect and ask for the reason.
    """
    if act == "delete":
        if "sure" not in request.POST:
            return redirect("series_edit", club_series.slug)
        editing.delete_series(club_series, actor=cast(User, request.user))
        messages.success(
            request, _("%(name)s is deleted; its championships stay.") % {"name": club_series.name}
        )
        return redirect("club_series", club_series.club_id)
    if act == "publish":
        return _publish(request, club_series)
    make = _FORMS.get(act)
    if make is None:
        raise Http404
    form = make(club_series, request.POST)
    if form.is_valid():
        try:
            answer = _change_series(request, club_series, act, form, request.POST.get("reason", ""))
        except Refused as error:
            if needs_reason(error) and act in _WITH_REASON:
                return confirm_page(
                    request,
                    club_series,
                    error,
                    lambda reason: _change_series(request, club_series, act, form, reason),
                )
            add_refusal(form, error)
        else:
            return answer
    return _edit_page(request, club_series, {act: form})


def _publish(request: HttpRequest, club_series: ClubSeries) -> HttpResponse:
    actor, reason = cast(User, request.user), request.POST.get("reason", "")
    try:
        snapshot = publishing.publish_table(club_series, actor=actor, reason=reason)
    except Refused as error:
        if needs_reason(error):
            return confirm_page(
                request,
                club_series,
                error,
                lambda tried: publishing.publish_table(club_series, actor=actor, reason=tried),
            )
        show_refusal(request, error)
    else:
        messages.success(request, _("Version %(n)d of the table is published.") % {"n": snapshot.version})
    return redirect("series", club_series.slug)


def _change_series(
    request: HttpRequest, club_series: ClubSeries, act: str, form: AnyForm, reason: str = ""
) -> HttpResponse:
    actor, data = cast(User, request.user), form.cleaned_data
    if act == "final":
        new_championship = finals.make_final(
            club_series, actor=actor, language=(get_language() or "en")[:2], **data
        )
        messages.success(
            request,
            _("%(name)s is created, with everybody on the roll who has qualified.")
            % {"name": new_championship.name},
        )
        return redirect("championship", new_championship.slug)
    if act == "rename":
        editing.rename_series(club_series, data["name"], actor=actor)
    elif act == "rules":
        editing.choose_preset(club_series, data["preset"], actor=actor, final_name=_("Final"), reason=reason)
    elif act == "numbers":
        steps = cast(NumbersForm, form).steps
        editing.set_numbers(
            club_series, best=data["best"], least=data["least"], steps=steps, actor=actor, reason=reason
        )
    elif act == "steps":
        editing.set_qualification(club_series, **data, actor=actor, final_name=_("Final"), reason=reason)
    else:
        editing.add_event(club_series, actor=actor, reason=reason, **data)
    return redirect("series_edit", club_series.slug)


@require_POST
@series_keepers_page
def series_event(request: HttpRequest, club_series: ClubSeries, event_id: int, act: str) -> HttpResponse:
    """Do `save`, `earlier`, `later` or `remove` with an event of the series."""
    event = get_object_or_404(club_series.events.select_related("championship"), pk=event_id)
    event.series = club_series
    actor = cast(User, request.user)
    form = _event_form(event, _list_free(club_series), request.POST if act == "save" else None)
    if act == "save" and not form.is_valid():
        return _edit_page(request, club_series, {f"event{event.pk}": form})

    def change(reason: str) -> None:
        if act == "save":
            editing.edit_event(event, actor=actor, reason=reason, **form.cleaned_data)
        elif act in ("earlier", "later"):
            editing.move_event(event, earlier=act == "earlier", actor=actor, reason=reason)
        elif act == "remove":
            editing.remove_event(event, actor=actor, reason=reason)
        else:
            raise Http404

    try:
        change(request.POST.get("reason", ""))
    except Refused as error:
        if needs_reason(error):
            return confirm_page(request, club_series, error, change)
        form = _event_form(event, _list_free(club_series), request.POST)
        add_refusal(form, error)
        return _edit_page(request, club_series, {f"event{event.pk}": form})
    return redirect("series_edit", club_series.slug)


def _edit_page(request: HttpRequest, club_series: ClubSeries, bound: dict[str, AnyForm]) -> HttpResponse:
    """Render the page with the forms of a series. `bound`: action → its submitted form with errors."""
    events = list(club_series.events.select_related("championship").order_by("position", "pk"))
    free = _list_free(club_series)
    forms_here = {
        act: bound.get(act) or make(club_series, None) for act, make in _FORMS.items() if act != "final"
    }
    lines = []
    for event in events:
        name = f"event{event.pk}"
        lines.append((event, bound.get(name) or _event_form(event, free, None), name in bound))
    rules = editing.decode_series_rules(club_series)
    final = next((e for e in events if rules.qualify is not None and e.key == rules.qualify.to), None)
    if final is not None and final.championship is None and championships.may_found(cast(User, request.user)):
        forms_here["final"] = bound.get("final") or _final_form(club_series, None)
    forms_here["elsewhere"] = OutsideFileForm(planned=list_planned(club_series))
    context = {"series": club_series, "forms": forms_here, "events": lines, "bound": bound}
    context["elsewhere_files"] = club_series.outside.count()
    return render(request, "pages/series_edit.html", context, status=400 if bound else 200)


def _list_free(club_series: ClubSeries) -> list[Championship]:
    """Return the unarchived championships of the club that are not an event of the series."""
    taken = club_series.events.exclude(championship=None).values("championship")
    return list(Championship.objects.filter(club=club_series.club_id, archived_at=None).exclude(pk__in=taken))


def _event_form(event: ClubEvent, free: list[Championship], data: QueryDict | None) -> EditEventForm:
    initial = {name: getattr(event, name) for name in ("name", "place", "starts_at", "weight", "state")}
    own = [] if event.championship is None else [event.championship]
    return EditEventForm(
        data,
        initial=initial | {"championship": event.championship_id},
        championships=own + free,
        auto_id=f"id_{event.pk}_%s",
    )


def _final_form(club_series: ClubSeries, data: QueryDict | None) -> FinalForm:
    events = list(club_series.events.select_related("championship").order_by("-position"))
    qualify = editing.decode_series_rules(club_series).qualify
    planned = next((event for event in events if qualify is not None and event.key == qualify.to), None)
    initial: dict[str, Any] = {"name": club_series.name}
    if planned is not None:
        name = f"{club_series.name}, {planned.name}"[:80]
        initial = {"name": name, "place": planned.place, "starts_at": planned.starts_at}
    made = [event.championship for event in events if event.championship is not None]
    if made and not initial.get("place"):
        initial["place"] = made[0].place
    like, initial["like"] = finals.propose_regulations(made)
    return FinalForm(data, initial=initial, like=like, auto_id="id_final_%s")


_FORMS: dict[str, Callable[[ClubSeries, QueryDict | None], AnyForm]] = {
    "rename": lambda found, data: SeriesNameForm(data, initial={"name": found.name}, auto_id="id_rename_%s"),
    "rules": lambda _found, data: PresetForm(data, auto_id="id_rules_%s"),
    "numbers": lambda found, data: NumbersForm(editing.decode_series_rules(found), data),
    "steps": lambda found, data: QualificationForm(editing.decode_series_rules(found).qualify, data),
    "add": lambda found, data: EventForm(data, championships=_list_free(found), auto_id="id_add_%s"),
    "final": _final_form,
}
