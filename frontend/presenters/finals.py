"""Links between a final and the championships that lead to it, on the pages of both."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q
from django.utils.translation import gettext as _

from engine import Refused
from games.models import User
from tournaments.models import Championship, ClubEvent
from tournaments.services.series.editing import rules_of_series
from tournaments.services.series.finals import compare_final
from tournaments.services.series.loading import LoadedSeries, load_series

MAX_LINKS = 6
"""Largest number of championships linked on the page of a final; the page of the series lists all."""


@dataclass(frozen=True, slots=True)
class FinalLinks:
    """Championships that a page links because of a qualification. is_final: the page is that of a final and
    `others` lead to it; if false, `others` are the finals to which the page's championship leads.

    changes: sentences on how later corrections would change the qualification for this final.
    """

    others: list[Championship]
    is_final: bool
    changes: list[str]


def load_final_links(
    championship: Championship, reader: User | AnonymousUser, *, directs: bool
) -> FinalLinks | None:
    """Return the links of a final to its championships, or of a championship to its final; None if the reader
    may see none of these. directs: whether the reader directs the championship, and sees later changes.
    """
    own = ClubEvent.objects.filter(championship=championship).select_related("series__club")
    for event in own:
        qualify = rules_of_series(event.series).qualify
        if qualify is None:
            continue
        is_final = event.key == qualify.to
        others = Championship.objects.filter(series_events__series=event.series).exclude(pk=championship.pk)
        others = others.filter(_visible(reader)).distinct().order_by("starts_at", "pk")
        if not is_final:
            others = others.filter(series_events__key=qualify.to, series_events__series=event.series)
        changes = []
        if is_final and directs and event.entrants:
            changes = _load_changes(event)
        if others or changes:
            return FinalLinks(list(others[:MAX_LINKS]), is_final, changes)
    return None


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
    """Return a sentence for each entrant whose qualification a later correction has changed. Raises
    SeriesError if the rules do not fit the results.
    """
    lines = []
    for one in compare_final(loaded):
        who = " / ".join(names.get(ref, "–") for ref in one.refs)
        told = {"who": who, "before": one.before, "now": one.now}
        if one.before is None:
            lines.append(_("%(who)s would have qualified, with start rank %(now)s.") % told)
        elif one.now is None:
            lines.append(_("%(who)s would not have qualified.") % told)
        else:
            lines.append(_("%(who)s would have start rank %(now)s instead of %(before)s.") % told)
    return lines
