"""Audit of the rows of rounds, championships and series against their streams.

All rows and events are read in one snapshot. Data that no stream contains (names, payments, the times of a
round) is not checked. The rows of games are checked in `games.audit`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from games.audit import compare_row
from games.models import Seat
from games.store import StoredEvent
from tournaments.models import Championship, ClubSeries, Entry, Round, Substitute
from tournaments.series.log import fold_series, write_decimal
from tournaments.services.draw import substitutions
from tournaments.services.draw.seat_exchanges import Chair, exchanged_chairs
from tournaments.services.scores.published_ranking import digest_rows

Columns = dict[str, Any]


class _RoundState(NamedTuple):
    """State of a round according to its stream. People are given by their reference.

    `row`: columns of the round; `tables`: number of tables; `sits`: person by chair; `byes`: people with a
    bye; `games`, `modes`: id and mode of each table's game, by table number; `substitutes`: (table, seat) →
    first deal → person.
    """

    row: Columns
    tables: int
    sits: Mapping[Chair, str]
    byes: frozenset[str]
    games: Sequence[str]
    modes: Sequence[str]
    worth: int | None = None
    """Points of each bye; None: not counted again since the round was closed, or without value."""
    substitutes: Mapping[tuple[int, int], Mapping[int, str]] = MappingProxyType({})


def find_stream_differences(stream: str, events: Sequence[StoredEvent]) -> Iterator[str]:
    """Yield the differences between the rows that belong to this stream and its events, one sentence each."""
    if (round_ := Round.objects.filter(stream=stream).first()) is not None:
        yield from find_round_differences(round_, events)
    if (championship := Championship.objects.filter(stream=stream).first()) is not None:
        yield from find_championship_differences(championship, events)
    if (series := ClubSeries.objects.filter(stream=stream).first()) is not None:
        yield from find_series_differences(series, events)


def find_series_differences(series: ClubSeries, events: Sequence[StoredEvent]) -> Iterator[str]:
    """Yield the differences between the rows of a series and its stream: weights and states of its events,
    and published data.
    """
    state = fold_series((event.type, event.body) for event in events)
    for event in series.events.all():
        if (expected := state.events.get(event.key)) is not None:
            row = {"weight": write_decimal(event.weight), "state": str(event.state)}
            yield from compare_row(
                f"event {event.key}", row, {"weight": expected.weight, "state": expected.state}
            )
    kinds = {
        "table_published": "table",
        "team_table_published": "teams",
        "qualification_published": "qualification",
    }
    digests = {(e.type, e.body["version"]): e.body["digest"] for e in events if e.type in kinds}
    for snapshot in series.snapshots.iterator():
        for type_, part in kinds.items():
            said_digest = digests.pop((type_, snapshot.version), None)
            value = getattr(snapshot, part)
            if said_digest != (None if value is None else digest_rows(value)):
                yield f"published {part} {snapshot.version}: it is not the one in the stream"
    for type_, version in digests:
        yield f"published {kinds[type_]} {version}: it is missing"


def find_round_differences(round_: Round, events: Sequence[StoredEvent]) -> Iterator[str]:
    """Yield the differences between the rows of a round and its stream: round, tables, seatings, byes,
    substitutes and seats of the games.
    """
    state = _fold_round(events)
    yield from compare_row(f"round {round_.number}", vars(round_), state.row)
    tables = {table.number: table for table in round_.tables.all()}
    yield from _set_differences("tables", set(tables), set(range(1, state.tables + 1)))
    for number, (game, mode) in enumerate(zip(state.games, state.modes, strict=True), 1):
        if number in tables:
            yield from compare_row(f"table {number}", vars(tables[number]), {"game_id": game, "mode": mode})
    seated = ("table__number", "seat", "entry__player_ref")
    sits = {Chair(table, seat): ref for table, seat, ref in round_.seatings.values_list(*seated)}
    yield from _chair_differences("seating", sits, state.sits)
    out = set(round_.byes.values_list("entry__player_ref", flat=True))
    yield from _set_differences("byes", out, set(state.byes))
    if state.worth is not None and set(round_.byes.values_list("points", flat=True)) - {state.worth}:
        yield f"byes: they have not {state.worth} points, as the stream says"
    plays = ("table__number", "seat", "deal", "entry__player_ref")
    rows_of = Substitute.objects.filter(table__round=round_).values_list(*plays)
    said = {(*chair, deal, who) for chair, by in state.substitutes.items() for deal, who in by.items()}
    yield from _set_differences("substitutes", set(rows_of), said)
    if state.games:
        at_games = Seat.objects.filter(game__tournament_table__in=round_.tables.all())
        rows = at_games.values_list("game__tournament_table__number", "number", "player_ref")
        yield from _chair_differences(
            "game", {Chair(table, seat): ref for table, seat, ref in rows}, state.sits
        )


def _fold_round(events: Sequence[StoredEvent]) -> _RoundState:
    row: Columns = {"status": Round.Status.PLANNED, "draws": 0, "drawn_cost": None}
    nobody = _RoundState(row, 0, {}, frozenset(), (), ())
    state = nobody
    for event in events:
        body = event.body
        if event.type == "seats_drawn":
            places = enumerate(body["tables"], 1)
            sits = {Chair(table, seat): ref for table, refs in places for seat, ref in enumerate(refs)}
            row = {"status": Round.Status.DRAWN, "draws": body["draw"], "drawn_cost": body["cost"]}
            state = _RoundState(row, len(body["tables"]), sits, frozenset(body["sit_out"]), (), ())
        elif event.type == "draw_undone":
            state = nobody._replace(row={**nobody.row, "draws": body["draw"]})
        elif event.type == "round_opened":
            row = {**state.row, "status": Round.Status.OPEN}
            state = state._replace(row=row, games=body["games"], modes=body["modes"])
        elif event.type == "tables_drawn":
            more = {
                Chair(table, seat): ref
                for table, refs in enumerate(body["tables"], body["first"])
                for seat, ref in enumerate(refs)
            }
            state = state._replace(tables=state.tables + len(body["tables"]), sits={**state.sits, **more})
        elif event.type == "table_taken_back":
            state = state._replace(
                tables=state.tables - 1,
                sits={chair: ref for chair, ref in state.sits.items() if chair.table != body["table"]},
                games=state.games[: body["table"] - 1],
                modes=state.modes[: body["table"] - 1],
            )
        elif event.type == "table_opened":
            others = dict(enumerate(zip(state.games, state.modes, strict=True), 1))
            now = dict(sorted({**others, body["table"]: (body["game"], body["mode"])}.items()))
            state = state._replace(games=[g for g, _m in now.values()], modes=[m for _g, m in now.values()])
        elif event.type in ("round_closed", "round_reopened"):
            over = event.type == "round_closed"
            row = {**state.row, "status": Round.Status.CLOSED if over else Round.Status.OPEN}
            state = state._replace(row=row, worth=None)
        elif event.type == "sitting_out_counted":
            state = state._replace(worth=body["points"])
        elif event.type in ("chair_taken", "substitute_named"):
            state = _apply_replacement(state, event)
        elif (changed := exchanged_chairs(event)) is not None:
            one, other = changed
            state = state._replace(sits={**state.sits, one: state.sits[other], other: state.sits[one]})
    return state


def _apply_replacement(state: _RoundState, event: StoredEvent) -> _RoundState:
    substitutes = substitutions.substitutes_after(state.substitutes, event)
    if event.type == "substitute_named":
        return state._replace(substitutes=substitutes)
    chair = Chair(event.body["table"], event.body["seat"])
    return state._replace(
        tables=max(state.tables, chair.table),  # late arrivals add tables
        sits={**state.sits, chair: event.body["player"]},
        byes=frozenset(substitutions.byes_after(state.byes, event)),
        substitutes=substitutes,
    )


def find_championship_differences(championship: Championship, events: Sequence[StoredEvent]) -> Iterator[str]:
    """Yield the differences between the rows of a championship and its stream: championship, numbers of
    rounds, regulations, entries, entrants, teams and published rankings.
    """
    status, version, frozen, archived = Championship.Status.DRAFT, 0, None, False
    regulations: dict[int, Any] = {}
    rounds: int | None = None
    entries: dict[str, Columns] = {}
    entrants: dict[str, Columns] = {}
    teams: dict[str, Columns] = {}
    published: dict[int, Columns] = {}
    for event in events:
        body = event.body
        if event.type == "regulations_set":
            version = body["version"]
            regulations[version] = body["regulations"]
        elif event.type == "rounds_planned":
            rounds = body["rounds"]
        elif event.type == "regulations_frozen":
            status, frozen = Championship.Status.RUNNING, body["version"]
        elif event.type == "championship_finished":
            status = Championship.Status.FINISHED
        elif event.type in ("championship_archived", "championship_unarchived"):
            archived = event.type == "championship_archived"
        elif event.type == "entry_added":
            columns = {"number": body["number"], "withdrawn_from": None, "cut": None, "lot": None}
            columns |= {"merged_into": None, "team": None, "start_of": body.get("start_of")}
            columns["excused_rounds"] = []
            entries[body["player"]] = columns
        elif event.type in ("entry_withdrawn", "entry_returned"):
            entries[body["player"]]["withdrawn_from"] = body.get("from_round")
        elif event.type == "absences_excused":
            entries[body["player"]]["excused_rounds"] = body["rounds"]
        elif event.type == "entrant_formed":
            entrants[body["entrant"]] = {"number": body["number"], "members": sorted(body["players"])}
        elif event.type == "entrant_joined":
            pair = entrants[body["entrant"]]
            pair["members"] = sorted([*pair["members"], body["player"]])
        elif event.type == "entrant_parted":
            del entrants[body["entrant"]]
        elif event.type in ("entries_merged", "entries_parted"):
            merged = event.type == "entries_merged"
            entries[body["other"]]["merged_into"] = body["player"] if merged else None
        elif event.type == "team_formed":
            teams[body["team"]] = {"number": body["number"]}
        elif event.type == "team_dissolved":
            del teams[body["team"]]
        elif event.type in ("team_joined", "team_left"):
            for player in body["players"]:
                entries[player]["team"] = body.get("team")
        elif event.type == "separator_recorded":
            for player, value in body["values"].items():
                entries[player][body["kind"]] = value
        elif event.type == "standings_published":
            published[body["version"]] = {name: body[name] for name in ("after_round", "reason", "digest")}
            published[body["version"]]["teams_digest"] = body.get("teams_digest")
    row = {"status": status, "regulations_version": version}
    yield from compare_row("the championship", vars(championship), row)
    if archived != (championship.archived_at is not None):
        yield f"the championship: archived_at is {championship.archived_at}, the stream says otherwise"
    planned = range(1, (rounds or regulations[version]["rounds"]) + 1) if version else ()
    yield from _set_differences(
        "rounds", set(championship.rounds.values_list("number", flat=True)), set(planned)
    )
    kept = {
        one.version: {"data": one.data, "frozen": one.frozen_at is not None}
        for one in championship.regulations.all()
    }
    expected = {n: {"data": data, "frozen": n == frozen} for n, data in regulations.items()}
    yield from _row_differences("regulations", kept, expected)
    rows = dict(_entry_columns(championship))
    yield from _row_differences("entry", rows, entries)
    yield from _status_differences(championship.entries.all(), entries)
    yield from _row_differences("entrant", dict(_entrant_columns(championship)), entrants)
    numbered = {team.ref: {"number": team.number} for team in championship.teams.all()}
    yield from _row_differences("team", numbered, teams)
    snapshots = {
        one.version: {
            **vars(one),
            "digest": digest_rows(one.rows),
            "teams_digest": None if one.teams is None else digest_rows(one.teams),
        }
        for one in championship.snapshots.all()
    }
    yield from _row_differences("ranking", snapshots, published)


def _entry_columns(championship: Championship) -> Iterator[tuple[str, Columns]]:
    for entry in championship.entries.select_related("merged_into", "team", "start_of"):
        kept, team, first = entry.merged_into, entry.team, entry.start_of
        refs = {
            "merged_into": kept.player_ref if kept else None,
            "team": team.ref if team else None,
            "start_of": first.player_ref if first else None,
        }
        yield entry.player_ref, {**vars(entry), **refs}


def _entrant_columns(championship: Championship) -> Iterator[tuple[str, Columns]]:
    for entrant in championship.entrants.prefetch_related("members"):
        members = sorted(entry.player_ref for entry in entrant.members.all())
        yield entrant.ref, {"number": entrant.number, "members": members}


def _status_differences(entries: Iterable[Entry], expected: Mapping[str, Columns]) -> Iterator[str]:
    for entry in entries:
        gone = entry.status == Entry.Status.WITHDRAWN
        if entry.player_ref in expected and gone != (
            expected[entry.player_ref]["withdrawn_from"] is not None
        ):
            yield f"entry {entry.player_ref}: status is {entry.status!r}, the stream says otherwise"


def _row_differences(
    what: str, rows: Mapping[Any, Columns], expected: Mapping[Any, Columns]
) -> Iterator[str]:
    yield from _set_differences(what, set(rows), set(expected))
    for key in rows.keys() & expected.keys():
        yield from compare_row(f"{what} {key}", rows[key], expected[key])


def _chair_differences(what: str, rows: Mapping[Chair, str], expected: Mapping[Chair, str]) -> Iterator[str]:
    for chair in sorted(rows.keys() | expected.keys()):
        if rows.get(chair) != expected.get(chair):
            yield (
                f"{what}: at table {chair.table}, seat {chair.seat} sits {rows.get(chair)}, "
                f"the stream says {expected.get(chair)}"
            )


def _set_differences(what: str, rows: set[Any], expected: set[Any]) -> Iterator[str]:
    if missing := sorted(expected - rows):
        yield f"{what}: {missing} are missing"
    if added := sorted(rows - expected):
        yield f"{what}: the stream knows no {added}"
