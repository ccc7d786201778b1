"""/series/<slug>/elsewhere/: Events of a series that were played on another installation, for keepers."""

from typing import Any, cast

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from engine import Refused
from frontend.forms.outside_championships import OutsideFileForm
from frontend.presenters.clubs import outside_championships
from frontend.presenters.clubs.series import shorten_key
from frontend.presenters.words.refusals import add_refusal, describe_refusal
from frontend.views.championship_context import is_partial_request
from frontend.views.clubs.series import series_keepers_page
from frontend.views.clubs.series_confirm import confirm_page, needs_reason
from frontend.views.numbers import MAX_NUMBER, parse_bounded
from games.models import User
from tournaments.clubs import rolls
from tournaments.models import ClubSeries, OutsideEvent
from tournaments.services.series import outside_files, outside_matching
from tournaments.services.series.outside_matching import PersonAnswer

MAX_TYPED = 200


@require_http_methods(["GET", "HEAD", "POST"])
@series_keepers_page
def series_elsewhere(request: HttpRequest, club_series: ClubSeries) -> HttpResponse:
    """List the files from other installations (GET), and accept an uploaded file (POST)."""
    posted = request.method == "POST"
    form = OutsideFileForm(
        request.POST if posted else None,
        request.FILES if posted else None,
        planned=outside_championships.list_planned(club_series),
    )
    if form.is_valid():
        upload, source, event = (form.cleaned_data[name] for name in ("file", "source", "event"))
        try:
            if upload.size > outside_files.MAX_BYTES:
                raise outside_files.make_outside_too_large_error()
            data = upload.read()
            outside = outside_files.receive_file(
                club_series, data, actor=cast(User, request.user), source=source, event=event
            )
        except Refused as error:
            add_refusal(form, error)
        else:
            return redirect("series_outside", club_series.slug, outside.pk)
    context = {"series": club_series, "form": form, "files": outside_championships.file_lines(club_series)}
    return render(request, "pages/series_elsewhere.html", context, status=400 if posted else 200)


def _find_file(series: ClubSeries, outside_id: int) -> OutsideEvent:
    found = series.outside.defer("data", "ranking").select_related("event", "replaces")
    file: OutsideEvent = get_object_or_404(found, pk=outside_id)
    file.series = series
    return file


@require_safe
@series_keepers_page
def series_outside(request: HttpRequest, club_series: ClubSeries, outside_id: int) -> HttpResponse:
    """Show a file from another installation: its verification and its people. `?page=2`: people 101 to
    200.
    """
    file = _find_file(club_series, outside_id)
    if is_partial_request(request):
        response = render(request, "parts/outside_progress.html", {"series": club_series, "file": file})
        if file.ended_at is not None:
            response.headers["HX-Refresh"] = "true"
        return response
    return _file_page(request, club_series, file, None)


def _file_page(
    request: HttpRequest, club_series: ClubSeries, file: OutsideEvent, refusal: dict[str, str] | None
) -> HttpResponse:
    context: dict[str, Any] = {
        "series": club_series,
        "file": file,
        "fingerprint": shorten_key(file.key),
        "refusal": refusal or outside_championships.describe_file_refusal(file),
    }
    if file.state == OutsideEvent.State.DONE:
        context |= _people_context(request, club_series, file, refused=refusal is not None)
        before = None
        if not file.counts:
            before = club_series.outside.filter(stream=file.stream, counts=True).exclude(pk=file.pk).first()
        if before is not None or file.replaces is not None:
            earlier = before or cast(OutsideEvent, file.replaces)
            context |= {
                "before": before,
                "changes": outside_championships.version_lines(earlier, file),
                "newer": True,
            }
    return render(request, "pages/series_outside.html", context, status=400 if refusal else 200)


def _people_context(
    request: HttpRequest, club_series: ClubSeries, file: OutsideEvent, *, refused: bool
) -> dict[str, Any]:
    per_page = outside_championships.PEOPLE_PER_PAGE
    count = file.people.count()
    pages = max(1, -(-count // per_page))
    asked = request.POST if refused else request.GET
    page = parse_bounded(asked.get("page"), least=1, most=pages, default=1)
    people = list(file.people.select_related("person")[(page - 1) * per_page : page * per_page])
    return {
        "lines": outside_championships.match_lines(
            club_series.club, people, request.POST.dict() if refused else {}
        ),
        "count": count,
        "open_count": file.people.filter(choice="").count(),
        "page": page,
        "next_page": page + 1 if page < pages else None,
        "roll": outside_championships.roll_options(club_series.club),
    }


@require_POST
@series_keepers_page
def series_outside_change(
    request: HttpRequest, club_series: ClubSeries, outside_id: int, act: str
) -> HttpResponse:
    """Do `save` (the answers on people), `take` (save, and let the file count), `back` (stop its counting) or
    `discard` (with `sure`).
    """
    file, actor = _find_file(club_series, outside_id), cast(User, request.user)

    def change(reason: str) -> None:
        if act == "take":
            outside_matching.take_event(file, actor=actor, rest_nobody="rest" in request.POST, reason=reason)
        else:
            outside_matching.take_out(file, actor=actor, reason=reason)

    reason = request.POST.get("reason", "")
    try:
        if act in ("save", "take"):
            outside_matching.save_choices(file, _read_answers(request, club_series, file), actor=actor)
        if act == "take":
            change(reason)
            messages.success(request, _("%(name)s counts in this series.") % {"name": file.name})
        elif act == "save":
            messages.success(request, _("Saved."))
        elif act == "back":
            change(reason)
            messages.success(request, _("%(name)s no longer counts.") % {"name": file.name})
        elif act == "discard":
            if "sure" not in request.POST:
                return redirect("series_outside", club_series.slug, file.pk)
            outside_matching.discard_file(file, actor=actor)
            return redirect("series_elsewhere", club_series.slug)
        else:
            raise Http404
    except Refused as error:
        if needs_reason(error):
            return confirm_page(request, club_series, error, change)
        refusal = describe_refusal(error)
        return _file_page(request, club_series, _find_file(club_series, outside_id), refusal)
    answer = redirect("series_outside", club_series.slug, file.pk)
    page = parse_bounded(request.POST.get("next"), least=1, most=1000, default=1)
    if act == "save" and page > 1:
        answer["Location"] += f"?page={page}"
    return answer


def _read_answers(
    request: HttpRequest, club_series: ClubSeries, file: OutsideEvent
) -> dict[int, PersonAnswer]:
    """Return number → answer for each person of the file that the submitted page contained. A typed name
    takes precedence over a choice.

    Raises TournamentError `series/no_such_person` if a typed name is not on the roll.
    """
    posted = request.POST
    numbers = [n for n in file.people.values_list("number", flat=True) if f"who-{n}" in posted]
    chosen_ids = {
        n: parse_bounded(chosen[1:], least=0, most=MAX_NUMBER, default=0)
        for n in numbers
        if (chosen := posted[f"who-{n}"]).startswith("p")
    }
    known = rolls.list_persons(club_series.club).in_bulk(list(chosen_ids.values()))
    typed = {n: text for n in numbers if (text := posted.get(f"other-{n}", "").strip()[:MAX_TYPED])}
    persons = outside_matching.find_typed_persons(club_series.club, typed)
    answers = {}
    for number in numbers:
        if number in persons:
            answers[number] = PersonAnswer("person", persons[number])
        elif number in chosen_ids:
            answers[number] = PersonAnswer("person", known.get(chosen_ids[number]))
        else:
            chosen = posted[f"who-{number}"]
            answers[number] = PersonAnswer(chosen if chosen in ("new", "nobody") else "")
    return answers
