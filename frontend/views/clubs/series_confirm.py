"""The page that shows the table of a series before and after a change, and asks for the reason of the
change.
"""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from engine import Refused
from frontend.presenters.clubs.series_difference import compare_loaded, full_names_of
from frontend.presenters.words.refusals import describe_refusal
from frontend.views.championship_context import mark_uncacheable
from tournaments.models import ClubSeries
from tournaments.services.series.previewing import preview_change
from tournaments.services.series.stream import REASONS_NEEDED

TRIED = "?"
"""The reason with which a change is tried. The trial is not stored."""


def needs_reason(error: Refused) -> bool:
    """Return whether a change was refused because it lacks a reason."""
    return error.code in REASONS_NEEDED


def confirm_page(
    request: HttpRequest, series: ClubSeries, error: Refused, change: Callable[[str], object]
) -> HttpResponse:
    """Show the effect of a change, and ask for its reason. `error`: why it was refused; `change`: function
    that makes it with a reason.
    """
    before, after = preview_change(series, lambda: change(TRIED))
    sent = [
        (name, value)
        for name, values in request.POST.lists()
        if name not in ("csrfmiddlewaretoken", "reason")
        for value in values
    ]
    context = {
        "series": series,
        "refusal": describe_refusal(error),
        "difference": compare_loaded(before, after, full_names_of(before, after)),
        "sent": sent,
    }
    return mark_uncacheable(render(request, "pages/series_confirm.html", context, status=409))
