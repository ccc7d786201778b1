"""Published tables of a series: a version with its rankings and digests in the stream, sealed."""

from django.utils.translation import gettext_lazy as _
from msgspec import UNSET
from msgspec.structs import replace

from tournaments.clubs import rolls
from tournaments.errors import TournamentError
from tournaments.events import TournamentEvent
from tournaments.models import ClubSeries, SeriesSnapshot
from tournaments.permissions import Actor
from tournaments.series.events import QualificationPublished, TablePublished
from tournaments.series.log import find_code_of_change, list_changes
from tournaments.series.writing import write_rows, write_tickets
from tournaments.services.scores.ranking import digest_rows
from tournaments.services.series.loading import LoadedSeries, load_series
from tournaments.services.series.rankings import load_rankings
from tournaments.services.series.stream import changing, read_state, record_events, require_reason


def latest_table(series: ClubSeries) -> SeriesSnapshot | None:
    """Return the version published last."""
    return series.snapshots.order_by("-version").first()


def publish_table(series: ClubSeries, *, actor: Actor, reason: str = "") -> SeriesSnapshot:
    """Publish table and qualification as they stand. Returns the latest version if nothing has changed.

    Raises TournamentError `series/nothing_counts`, `series/persons_after_seal`, SeriesError.
    """
    rolls.require_keeper(actor, series.club)
    with changing(series, actor=actor, reason=reason) as held:
        return publish_held(held, load_series(held), actor=actor, reason=" ".join(reason.split()))


def publish_held(held: ClubSeries, loaded: LoadedSeries, *, actor: Actor, reason: str = "") -> SeriesSnapshot:
    """Publish a locked series, inside `changing`."""
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
    before, last = read_state(held), latest_table(held)
    unchanged = last is not None and (last.table, last.qualification) == (rows, qualification)
    if last is not None and unchanged and before.rankings == rankings:
        return last
    after = replace(before, persons={key: one.persons for key, one in counted.items()})
    changes = list_changes(before, after, reason)
    require_reason(find_code_of_change(before, changes, before.rankings), reason)
    version = 1 if last is None else last.version + 1
    published: list[TournamentEvent] = [
        *changes,
        TablePublished(version=version, digest=digest_rows(rows), rankings=rankings, reason=reason or UNSET),
    ]
    if qualification is not None:
        published.append(QualificationPublished(version=version, digest=digest_rows(qualification)))
    made = SeriesSnapshot.objects.create(
        series=held, version=version, table=rows, qualification=qualification, reason=reason
    )
    record_events(held, published, actor=actor)
    return made
