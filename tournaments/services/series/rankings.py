"""The rankings of which a table of a series is made, with its stream's references of people and teams."""

from collections.abc import Mapping
from typing import NamedTuple

import msgspec
from django.db.models import Max

from games.store import ConcurrencyError
from tournaments.models import ClubEvent, Entry, OutsideEvent, StandingsSnapshot
from tournaments.services.scores.published_ranking import digest_rows
from tournaments.services.series.loading import LoadedSeries
from tournaments.standings import RankingRow


class CountedRanking(NamedTuple):
    """The published ranking of an event that counts, with its persons.

    championship: id of its stream; version, digest: of the ranking; persons: reference of the entry →
    reference of the person. categories: reference of the entry → category, empty without one; team_refs:
    reference of the entry → reference of the team in its championship, if the entry has a team.

    key, seal: for a file of another installation, its key and its last checkpoint; otherwise empty.
    """

    championship: str
    version: int
    digest: str
    persons: dict[str, str]
    categories: dict[str, str]
    team_refs: dict[str, str]
    key: str = ""
    seal: str = ""


class _Ranked(NamedTuple):
    """An entry that may be ranked.

    on_roll, alone: its person's reference with and without a person of the roll; entry: reference of the
    entry.
    """

    on_roll: str
    alone: str
    entry: str
    category: str
    team: str | None


def load_rankings(loaded: LoadedSeries) -> dict[str, CountedRanking]:
    """Return key of the event → ranking, for each event that counts.

    Raises ConcurrencyError if one of the rankings was published after the series was loaded.
    """
    held_events = {event.key for event in loaded.document.held}
    events = [event for event in loaded.events if event.key in held_events and event.championship is not None]
    pks = [event.championship_id for event in events]
    newest = StandingsSnapshot.objects.filter(championship__in=pks).order_by().values("championship")
    latest = newest.annotate(newest=Max("pk")).values("newest")
    snapshots = {one.championship_id: one for one in StandingsSnapshot.objects.filter(pk__in=latest)}
    entries: dict[int, dict[int, _Ranked]] = {}
    rows = Entry.objects.filter(championship__in=pks)
    for within, number, pk, person, *own in rows.values_list(
        "championship", "number", "pk", "person", "player_ref", "category", "team__ref"
    ):
        entries.setdefault(within, {})[number] = _Ranked(f"p{person}", f"e{pk}", *own)
    counted = {
        event.key: _read_ranking(loaded, event, snapshots.get(made), entries.get(made, {}))
        for event in events
        if (made := event.championship_id) is not None
    }
    return counted | {
        event.key: _read_outside(loaded, event, loaded.outside[event.pk])
        for event in loaded.events
        if event.key in held_events and event.championship is None
    }


def _read_outside(loaded: LoadedSeries, event: ClubEvent, outside: OutsideEvent) -> CountedRanking:
    ranked = loaded.document.by_key[event.key].totals
    persons: dict[str, str] = {}
    categories: dict[str, str] = {}
    for one in outside.people.all():
        ref = f"p{one.person_id}"
        on_roll = ref in ranked and ref not in persons.values()
        persons[one.entry] = ref if on_roll else f"o{one.pk}"
        categories[one.entry] = one.person.category if on_roll and one.person is not None else ""
    return CountedRanking(
        outside.stream,
        outside.ranking_version,
        outside.ranking_digest,
        persons,
        categories,
        {},
        key=outside.key,
        seal=outside.seal,
    )


def _read_ranking(
    loaded: LoadedSeries,
    event: ClubEvent,
    snapshot: StandingsSnapshot | None,
    entries: dict[int, _Ranked],
) -> CountedRanking:
    ranked = loaded.document.by_key[event.key].totals
    persons: dict[str, str] = {}
    categories: dict[str, str] = {}
    teams: dict[str, str] = {}
    totals = {}
    for row in msgspec.convert(snapshot.rows, list[RankingRow]) if snapshot is not None else ():
        for number in row.numbers if row.has_result else ():
            if (found := entries.get(number)) is not None and found.entry not in persons:
                ref = (
                    found.on_roll if found.on_roll in ranked and found.on_roll not in totals else found.alone
                )
                persons[found.entry], totals[ref] = ref, row.total
                categories[found.entry] = found.category
                if found.team is not None:
                    teams[found.entry] = found.team
    if snapshot is None or event.championship is None or totals != ranked:
        raise ConcurrencyError("a ranking of the series was published meanwhile")
    return CountedRanking(
        event.championship.stream_id,
        snapshot.version,
        digest_rows(snapshot.rows),
        persons,
        categories,
        teams,
    )


def match_teams(
    loaded: LoadedSeries, counted: Mapping[str, CountedRanking], before: Mapping[str, Mapping[str, str]]
) -> tuple[dict[str, str], dict[str, dict[str, str]]]:
    """Return two mappings: team of the document → reference, event → reference of the entry → reference of
    its team.

    A team keeps the reference that it had in `before`. A new team gets the reference that it has in its first
    championship.
    """
    refs: dict[str, str] = {}
    members: list[tuple[str, str, str]] = []  # event, entry, team of the document
    for event in loaded.document.held:
        team_of = {row.ref: row.team for row in event.ranking}
        entries = counted[event.key].persons.items()
        members += [(event.key, entry, team_of[person] or "") for entry, person in entries]
    for key, entry, team in members:
        known = before.get(key, {}).get(entry)
        if team and known and team not in refs and known not in refs.values():
            refs[team] = known
    for key, entry, team in members:
        if team and team not in refs:
            refs[team] = counted[key].team_refs[entry]
    teams: dict[str, dict[str, str]] = {event.key: {} for event in loaded.document.held}
    for key, entry, team in members:
        teams[key][entry] = refs[team] if team else ""
    return refs, teams
