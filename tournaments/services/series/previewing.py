"""Preview of a change to a series: the change is made, the table is computed, and the change is undone."""

from collections.abc import Callable
from typing import NamedTuple

from django.db import transaction

from engine import Refused
from tournaments.models import ClubSeries
from tournaments.services.series.loading import LoadedSeries, load_series


class SeriesChange(NamedTuple):
    """A series before and after a change. None: the rules of the series do not fit its events."""

    before: LoadedSeries | None
    after: LoadedSeries | None


class _Undone(Exception):
    """Exception that ends the transaction of a preview, and so undoes the change."""


def preview_change(series: ClubSeries, change: Callable[[], object]) -> SeriesChange:
    """Return the series before and after a change that is undone. Raises what the change raises."""
    before, after = _compute(series), None
    try:
        with transaction.atomic():
            change()
            after = _compute(ClubSeries.objects.select_related("club").get(pk=series.pk))
            raise _Undone
    except _Undone:
        pass
    return SeriesChange(before, after)


def _compute(series: ClubSeries) -> LoadedSeries | None:
    """Load a series with table and qualification, so that nothing is read after the change is undone."""
    try:
        loaded = load_series(series)
        _ = loaded.table, loaded.qualification
    except Refused:
        return None
    return loaded
