"""/series/<slug>/versions/: Published tables, what each one changed, their seal, and the file."""

import io
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from engine import Refused
from frontend.presenters import seals
from frontend.presenters.refusals import refusal_sentence
from frontend.presenters.series_difference import compare_published
from frontend.views.championship_context import mark_uncacheable
from frontend.views.numbers import parse_bounded
from games import sealing
from tournaments.archive.series_file import export_series
from tournaments.models import ClubSeries
from tournaments.series.writing import write_rows, write_tickets
from tournaments.services.series import loading, publishing

VERSIONS_SHOWN = 100


def find_readable(
    request: HttpRequest, slug: str
) -> tuple[loading.LoadedSeries, loading.SeriesReading, bool]:
    """Return a series, what this reader may see of it, and whether they keep it. Raises 404."""
    found = get_object_or_404(ClubSeries.objects.select_related("club"), slug=slug)
    keeper = loading.may_edit_series(request.user, found)
    loaded = loading.load_series(found)
    reading = loading.read_series(loaded, request.user, keeper=keeper)
    if not reading.visible:
        raise Http404(_("There is no such series."))
    return loaded, reading, keeper


def show_published(found: ClubSeries, loaded: loading.LoadedSeries) -> dict[str, Any]:
    """Return the version published last, and whether the table has changed since."""
    last = publishing.latest_table(found)
    if last is None:
        return {"published": None, "may_publish": bool(loaded.document.held)}
    tickets = None if loaded.qualification is None else write_tickets(loaded.qualification)
    newer = (last.table, last.qualification) != (write_rows(loaded.table), tickets)
    return {"published": last, "newer": newer, "may_publish": newer and bool(loaded.document.held)}


@require_safe
def series_versions(request: HttpRequest, series_slug: str) -> HttpResponse:
    """List the versions. `?version=2`: what the second one changed; else what the last one did."""
    loaded, reading, keeper = find_readable(request, series_slug)
    found = loaded.series
    versions = list(found.snapshots.defer("table", "qualification").order_by("-version")[:VERSIONS_SHOWN])
    context: dict[str, Any] = {"series": found, "keeper": keeper, "versions": versions}
    if versions:
        asked = parse_bounded(
            request.GET.get("version"), least=1, most=versions[0].version, default=versions[0].version
        )
        two = {one.version: one for one in found.snapshots.filter(version__in=(asked - 1, asked))}
        context["asked"] = two.get(asked)
        context["difference"] = compare_published(two.get(asked - 1), two[asked], reading.names)
    try:
        context |= show_published(found, loaded)
        if context.get("newer"):
            context["since"] = compare_published(context["published"], loaded, reading.names)
    except Refused as error:
        context["refusal"] = {"sentence": refusal_sentence(error), "code": error.code}
    last = None if found.stream_id is None else sealing.latest_checkpoint(found.stream_id)
    context["seal"] = None if last is None else seals.sealed(last)
    return mark_uncacheable(render(request, "pages/series_versions.html", context))


@require_safe
def series_file(request: HttpRequest, series_slug: str) -> HttpResponse:
    """Return the file of the series for the verifier, without those of its events."""
    loaded, reading, _keeper = find_readable(request, series_slug)
    if loaded.series.stream_id is None:
        raise Http404(_("Nothing has been sealed yet."))
    out = io.BytesIO()
    export_series(loaded, out, names=reading.names)
    answer = HttpResponse(out.getvalue(), content_type="application/zip")
    answer["Content-Disposition"] = f'attachment; filename="{loaded.series.slug}.zip"'
    return mark_uncacheable(answer)
