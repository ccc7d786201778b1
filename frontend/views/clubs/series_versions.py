"""/series/<slug>/versions/: The published tables of a series, the changes in each one, their seal, and the
file.
"""

import io
from typing import Any, cast

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from engine import Refused
from frontend.presenters.clubs.series_difference import compare_published
from frontend.presenters.verification import seals
from frontend.presenters.words.refusals import refusal_in, refusal_sentence
from frontend.views.championship_context import PageContext, mark_uncacheable
from frontend.views.numbers import parse_bounded
from games import sealing
from games.models import User
from tournaments.archive.series_file import export_series
from tournaments.models import ClubSeries
from tournaments.services.series import loading, publishing

VERSIONS_SHOWN = 100


def find_readable(
    request: HttpRequest, slug: str
) -> tuple[loading.LoadedSeries, loading.SeriesReading, bool]:
    """Return a series, what this reader may see of it, and whether they keep the club's roll. Raises 404 if
    they may see nothing.
    """
    club_series = get_object_or_404(ClubSeries.objects.select_related("club"), slug=slug)
    keeper = loading.may_edit_series(request.user, club_series)
    loaded = loading.load_series(club_series)
    reading = loading.read_series(loaded, request.user, keeper=keeper)
    if not reading.visible:
        raise Http404(_("There is no such series."))
    return loaded, reading, keeper


def show_published(club_series: ClubSeries, loaded: loading.LoadedSeries, *, keeper: bool) -> dict[str, Any]:
    """Return the context of the newest published version: whether the table has changed since then, and by
    which events. Before the first version, it is empty except for keepers.
    """
    last = publishing.load_latest_table(club_series)
    if last is None and not keeper:
        return {}
    unpublished = publishing.list_unpublished(loaded)
    newer = last is not None and (bool(unpublished) or publishing.has_changed(loaded, last))
    return {
        "published": last,
        "newer": newer,
        "may_publish": (newer or last is None) and bool(loaded.document.held),
        "unpublished": unpublished,
    }


def publish_with_ranking(page: PageContext) -> None:
    """If the form has `series_table`, publish the tables of the series in which the finished championship
    counts and whose club's roll the person keeps.
    """
    if "series_table" not in page.request.POST:
        return
    actor = cast(User, page.request.user)
    for found in publishing.list_kept_series(page.championship, actor):
        try:
            snapshot = publishing.publish_table(found, actor=actor)
        except Refused as error:
            told = {"series": found.name, "why": refusal_sentence(error)}
            messages.warning(page.request, _("The table of %(series)s is not published: %(why)s") % told)
        else:
            said = {"n": snapshot.version, "series": found.name}
            messages.success(page.request, _("Version %(n)d of the table of %(series)s is published.") % said)


@require_safe
def series_versions(request: HttpRequest, series_slug: str) -> HttpResponse:
    """List the published versions of the table, with the changes in the newest one. `?version=2`: the changes
    in version 2.
    """
    loaded, reading, keeper = find_readable(request, series_slug)
    found = loaded.series
    versions = list(
        found.snapshots.defer("table", "qualification", "teams").order_by("-version")[:VERSIONS_SHOWN]
    )
    context: dict[str, Any] = {"series": found, "keeper": keeper, "versions": versions}
    if versions:
        asked = parse_bounded(
            request.GET.get("version"), least=1, most=versions[0].version, default=versions[0].version
        )
        newest = [*found.snapshots.filter(version__lte=asked).order_by("-version")[:2], None, None]
        after, before = newest[:2]
        # Versions have no gaps; an audit reports a row that was deleted in the database.
        if after is None or after.version != asked:
            raise Http404(_("There is no such page."))
        context["asked"] = after
        context["difference"] = compare_published(before, after, reading.names)
    with refusal_in(context):
        context |= show_published(found, loaded, keeper=keeper)
        if context.get("newer"):
            context["since"] = compare_published(context["published"], loaded, reading.names)
    last = None if found.stream_id is None else sealing.find_latest_checkpoint(found.stream_id)
    context["seal"] = None if last is None else seals.build_sealed(last)
    return mark_uncacheable(render(request, "pages/series_versions.html", context))


@require_safe
def series_file(request: HttpRequest, series_slug: str) -> HttpResponse:
    """Return the file of the series for the verifier, without the files of its events; 404 before the first
    seal.
    """
    loaded, reading, _keeper = find_readable(request, series_slug)
    if loaded.series.stream_id is None:
        raise Http404(_("Nothing has been sealed yet."))
    out = io.BytesIO()
    export_series(loaded, out, names=reading.names)
    answer = HttpResponse(out.getvalue(), content_type="application/zip")
    answer["Content-Disposition"] = f'attachment; filename="{loaded.series.slug}.zip"'
    return mark_uncacheable(answer)
