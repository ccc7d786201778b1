"""Published tables of a series. A published version has its rankings and digests in the stream, and is
sealed.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import reduce
from operator import or_
from typing import Any, NamedTuple

from django.db.models import Max, Q
from django.utils.translation import gettext_lazy as _
from msgspec import UNSET
from msgspec.structs import replace

from games import store
from games.models import User
from tournaments.clubs import rolls
from tournaments.errors import TournamentError
from tournaments.events import TournamentEvent
from tournaments.models import (
    Championship,
    ClubEvent,
    ClubSeries,
    SeriesSnapshot,
    StandingsSnapshot,
)
from tournaments.permissions import Actor
from tournaments.series.events import QualificationPublished, TablePublished, TeamTablePublished
from tournaments.series.log import find_code_of_change, list_changes
from tournaments.series.series_json import write_rows, write_team_rows, write_tickets
from tournaments.services.scores.published_ranking import digest_rows
from tournaments.services.series.loading import LoadedSeries, load_series
from tournaments.services.series.rankings import load_rankings, match_teams
from tournaments.services.series.stream import changing, read_state, record_events, require_reason


class Unpublished(NamedTuple):
    """An event whose newest ranking is not in the latest published table.

    since: when that ranking was published, or received in a file; corrected: whether an older ranking of the
    event is in the latest published table.
    """

    event: ClubEvent
    since: datetime
    corrected: bool


def load_latest_table(series: ClubSeries) -> SeriesSnapshot | None:
    """Return the version published last, None if there is none."""
    return series.snapshots.order_by("-version").first()


def publish_table(series: ClubSeries, *, actor: Actor, reason: str = "") -> SeriesSnapshot:
    """Publish table and qualification. If nothing has changed, return the latest version.

    Raises NotAllowed, TournamentError `series/nothing_counts` or with a code of `stream.REASONS_NEEDED`,
    SeriesError, ConcurrencyError.
    """
    rolls.require_keeper(actor, series.club)
    with changing(series, actor=actor, reason=reason) as locked_series:
        return publish_held(
            locked_series, load_series(locked_series), actor=actor, reason=" ".join(reason.split())
        )


def publish_held(
    locked_series: ClubSeries, loaded: LoadedSeries, *, actor: Actor, reason: str = ""
) -> SeriesSnapshot:
    """Publish the table of a series that `changing` has locked, as `publish_table` does."""
    if not loaded.document.held:
        raise TournamentError(
            "series/nothing_counts", _("No evening counts yet: there is no table to publish.")
        )
    rows, counted = write_rows(loaded.table), load_rankings(loaded)
    rankings: dict[str, dict[str, str | int]] = {
        key: {
            "championship": one.championship,
            "version": one.version,
            "digest": one.digest,
            **({"key": one.key, "seal": one.seal} if one.seal else {}),
        }
        for key, one in counted.items()
    }
    qualification = None if loaded.qualification is None else write_tickets(loaded.qualification)
    before, last = read_state(locked_series), load_latest_table(locked_series)
    after = replace(before, persons={key: one.persons for key, one in counted.items()})
    teams = None
    if loaded.team_table is not None:
        refs, matched = match_teams(loaded, counted, before.teams)
        teams, after = write_team_rows(loaded.team_table, refs), replace(after, teams=matched)
    if needs_categories(loaded):
        after = replace(after, categories={key: one.categories for key, one in counted.items()})
    shown = rows, qualification, teams
    unchanged = last is not None and (last.table, last.qualification, last.teams) == shown
    if last is not None and unchanged and before.rankings == rankings:
        return last
    changes = list_changes(before, after, reason)
    require_reason(find_code_of_change(before, changes, before.rankings), reason)
    version = 1 if last is None else last.version + 1
    published: list[TournamentEvent] = [
        *changes,
        TablePublished(version=version, digest=digest_rows(rows), rankings=rankings, reason=reason or UNSET),
    ]
    if teams is not None:
        published.append(TeamTablePublished(version=version, digest=digest_rows(teams)))
    if qualification is not None:
        published.append(QualificationPublished(version=version, digest=digest_rows(qualification)))
    snapshot = SeriesSnapshot.objects.create(
        series=locked_series,
        version=version,
        table=rows,
        qualification=qualification,
        teams=teams,
        reason=reason,
    )
    record_events(locked_series, published, actor=actor)
    return snapshot


def has_changed(loaded: LoadedSeries, last: SeriesSnapshot) -> bool:
    """Return whether a table or the qualification differs from a published version. Raises SeriesError."""
    tickets = None if loaded.qualification is None else write_tickets(loaded.qualification)
    if (last.table, last.qualification) != (write_rows(loaded.table), tickets):
        return True
    if loaded.team_table is None:
        return last.teams is not None
    found = write_team_rows(loaded.team_table, loaded.team_names)
    return _without_refs(found) != _without_refs(last.teams or [])


def _without_refs(rows: Iterable[Mapping[str, Any]]) -> list[tuple[str, ...]]:
    """Return rows of teams without the teams' references. Level teams are ordered by their members."""
    return sorted((str(row["place"]), str(row["total"]), *row["members"]) for row in rows)


def list_unpublished(loaded: LoadedSeries) -> list[Unpublished]:
    """Return the events that count and whose newest ranking is not in the latest published table, in order.
    At most three queries.
    """
    published_events = (
        store.read_types([loaded.series.stream_id], ["table_published"]) if loaded.series.stream_id else []
    )
    published = published_events[-1][1].body["rankings"] if published_events else {}
    held_events = {event.key for event in loaded.document.held}
    events = [event for event in loaded.events if event.key in held_events]
    rankings = StandingsSnapshot.objects.filter(championship__in=[one.championship_id for one in events])
    newest = dict(rankings.order_by().values_list("championship").annotate(Max("version")))
    found: list[tuple[ClubEvent, bool]] = []
    for event in events:
        outside = loaded.outside.get(event.pk)
        version = newest[event.championship_id or 0] if outside is None else outside.ranking_version
        counted = published.get(event.key)
        if counted is None or counted["version"] != version:
            found.append((event, counted is not None))
    since = {
        event.pk: loaded.outside[event.pk].received_at for event, _ in found if event.pk in loaded.outside
    }
    here = [event for event, _ in found if event.pk not in since]
    dates = _load_dates({event.championship_id or 0: newest[event.championship_id or 0] for event in here})
    since |= {event.pk: dates[event.championship_id or 0] for event in here}
    return [Unpublished(event, since[event.pk], corrected) for event, corrected in found]


def _load_dates(versions: Mapping[int, int]) -> dict[int, datetime]:
    """Return championship → when this version of its ranking was published. versions: championship → version.

    Other versions are not read: to reach a date, some databases read through the large columns.
    """
    wanted = [Q(championship=pk, version=version) for pk, version in versions.items()]
    if not wanted:
        return {}
    rows = StandingsSnapshot.objects.filter(reduce(or_, wanted)).order_by()
    return dict(rows.values_list("championship", "made_at"))


def list_kept_series(championship: Championship, keeper: User) -> list[ClubSeries]:
    """Return the series that have the championship as an event, neither cancelled nor void, and whose club's
    roll `keeper` keeps.
    """
    counts = ClubEvent.objects.filter(championship=championship).exclude(state__in=ClubEvent.WITHDRAWN)
    found = ClubSeries.objects.filter(pk__in=counts.values("series"), club__keepers__user=keeper)
    return list(found.select_related("club").distinct())


def needs_categories(loaded: LoadedSeries) -> bool:
    """Return whether a step of the qualification asks for a category."""
    rules = loaded.document.rules.qualify
    return rules is not None and any(step.kind == "category" for step in rules.steps)
