"""Links between a final and the championships that lead to it, on the pages of both."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import islice

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q
from django.utils.translation import gettext as _

from engine import Refused
from games.models import User
from tournaments.models import Championship, ClubEvent, ClubSeries
from tournaments.services.series.editing import decode_series_rules
from tournaments.services.series.finals import compare_final
from tournaments.services.series.loading import LoadedSeries, load_series

MAX_LINKS = 6
"""Largest number of championships of a series linked on the page of a final; the page of the series lists
all.
"""


@dataclass(frozen=True, slots=True)
class FinalLinks:
    """Championships that a page links because of a qualification, in all series of the page's championship.

    sources: those that lead to the page's final, earliest first; finals: those to which the page's
    championship leads. changes: sentences on how later corrections would change the qualification for this
    final.
    """

    sources: list[Championship]
    finals: list[Championship]
    changes: list[str]


def load_final_links(
    championship: Championship, reader: User | AnonymousUser, *, directs: bool
) -> FinalLinks | None:
    """Return links from a final to its championships (at most MAX_LINKS of a series), and from a
    championship to its finals; None if the reader may see nothing. directs: whether the reader directs the
    championship, and sees later changes. At most two queries, and more for the changes.
    """
    own = ClubEvent.objects.filter(championship=championship).select_related("series__club")
    ways = [
        (event, qualify)
        for event in own
        if (qualify := decode_series_rules(event.series).qualify) is not None
    ]
    events = _load_others(championship, reader, [event.series for event, _qualify in ways])
    sources: dict[int, Championship] = {}
    finals: dict[int, Championship] = {}
    changes: list[str] = []
    for event, qualify in ways:
        is_final = event.key == qualify.to
        others = {
            other.championship.pk: other.championship
            for other in events
            if other.series_id == event.series_id and (is_final or other.key == qualify.to)
            if other.championship is not None
        }
        if is_final:
            sources |= islice(others.items(), MAX_LINKS)
        else:
            finals |= others
        if is_final and directs and event.entrants:
            changes += _load_changes(event)
    if not (sources or finals or changes):
        return None
    return FinalLinks(_sort_by_date(sources.values()), _sort_by_date(finals.values()), changes)


def _sort_by_date(found: Iterable[Championship]) -> list[Championship]:
    """Return the championships by date; those without a date come last."""
    return sorted(
        found,
        key=lambda one: (one.starts_at is None, one.starts_at.timestamp() if one.starts_at else 0.0, one.pk),
    )


def _load_others(
    championship: Championship, reader: User | AnonymousUser, series: Collection[ClubSeries]
) -> list[ClubEvent]:
    """Return the events of these series with another championship that the reader may see, earliest first."""
    seen = Championship.objects.filter(_visible(reader)).exclude(pk=championship.pk)
    other_events = ClubEvent.objects.filter(series__in=series, championship__in=seen)
    return list(
        other_events.select_related("championship").order_by("championship__starts_at", "championship_id")
    )


def _visible(reader: User | AnonymousUser) -> Q:
    seen = Q(public=True)
    if reader.is_authenticated:
        seen |= Q(officials__user=reader.pk) | Q(entries__user=reader.pk)
    return seen


def _load_changes(event: ClubEvent) -> list[str]:
    loaded = load_series(event.series)
    names = {ref: one.names.running for ref, one in loaded.persons.items()}
    try:
        return change_lines(loaded, names)
    except Refused:  # the page of the series says so
        return []


def change_lines(loaded: LoadedSeries, names: Mapping[str, str]) -> list[str]:
    """Return a sentence for each entrant whose qualification or start rank later corrections would change.
    Raises SeriesError if the rules do not fit the results.
    """
    lines = []
    for one in compare_final(loaded):
        who = " / ".join(names.get(ref, "–") for ref in one.refs)
        params = {"who": who, "before": one.before, "now": one.now}
        if one.before is None:
            lines.append(_("%(who)s would have qualified, with start rank %(now)s.") % params)
        elif one.now is None:
            lines.append(_("%(who)s would not have qualified.") % params)
        else:
            lines.append(_("%(who)s would have start rank %(now)s instead of %(before)s.") % params)
    return lines
