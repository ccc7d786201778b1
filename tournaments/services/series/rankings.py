"""The rankings that a table of a series is made from, as its stream names them."""

from typing import NamedTuple

import msgspec
from django.db.models import Max

from games.store import ConcurrencyError
from tournaments.models import ClubEvent, Entry, OutsideEvent, StandingsSnapshot
from tournaments.services.scores.ranking import digest_rows
from tournaments.services.series.loading import LoadedSeries
from tournaments.standings import RankingRow


class CountedRanking(NamedTuple):
    """A ranking that counts. championship: its stream; persons: by the reference of the entry.

    key, seal: of the file of a championship from elsewhere; empty for a championship of this installation.
    """

    championship: str
    version: int
    digest: str
    persons: dict[str, str]
    key: str = ""
    seal: str = ""


def load_rankings(loaded: LoadedSeries) -> dict[str, CountedRanking]:
    """Return the ranking of each event that counts, by key.

    Raises ConcurrencyError if one was published since the series was loaded.
    """
    held = {event.key for event in loaded.document.held}
    events = [event for event in loaded.events if event.key in held and event.championship is not None]
    pks = [event.championship_id for event in events]
    newest = StandingsSnapshot.objects.filter(championship__in=pks).order_by().values("championship")
    latest = newest.annotate(newest=Max("pk")).values("newest")
    snapshots = {one.championship_id: one for one in StandingsSnapshot.objects.filter(pk__in=latest)}
    entries: dict[int, dict[int, tuple[str, str, str]]] = {}
    rows = Entry.objects.filter(championship__in=pks)
    for within, number, pk, person, ref in rows.values_list(
        "championship", "number", "pk", "person", "player_ref"
    ):
        entries.setdefault(within, {})[number] = (ref, f"p{person}", f"e{pk}")
    own = {
        event.key: _read_ranking(loaded, event, snapshots.get(made), entries.get(made, {}))
        for event in events
        if (made := event.championship_id) is not None
    }
    return own | {
        event.key: _read_outside(loaded, event, loaded.outside[event.pk])
        for event in loaded.events
        if event.key in held and event.championship is None
    }


def _read_outside(loaded: LoadedSeries, event: ClubEvent, outside: OutsideEvent) -> CountedRanking:
    ranked = loaded.document.by_key[event.key].totals
    persons: dict[str, str] = {}
    for one in outside.people.all():
        ref = f"p{one.person_id}"
        persons[one.entry] = ref if ref in ranked and ref not in persons.values() else f"o{one.pk}"
    return CountedRanking(
        outside.stream,
        outside.ranking_version,
        outside.ranking_digest,
        persons,
        key=outside.key,
        seal=outside.seal,
    )


def _read_ranking(
    loaded: LoadedSeries,
    event: ClubEvent,
    snapshot: StandingsSnapshot | None,
    entries: dict[int, tuple[str, str, str]],
) -> CountedRanking:
    ranked = loaded.document.by_key[event.key].totals
    persons: dict[str, str] = {}
    totals = {}
    for row in msgspec.convert(snapshot.rows, list[RankingRow]) if snapshot is not None else ():
        for number in row.numbers if row.has_result else ():
            if number in entries and entries[number][0] not in persons:
                entry, on_roll, alone = entries[number]
                ref = on_roll if on_roll in ranked and on_roll not in totals else alone
                persons[entry], totals[ref] = ref, row.total
    if snapshot is None or event.championship is None or totals != ranked:
        raise ConcurrencyError("a ranking of the series was published meanwhile")
    return CountedRanking(event.championship.stream_id, snapshot.version, digest_rows(snapshot.rows), persons)
