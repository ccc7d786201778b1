"""The rows beside the log: championship, entries, rounds, tables, seats, games, names, receipts."""

from __future__ import annotations

import functools

from .entries import check_excuses, check_merged_entries, check_pairs, check_starts
from .event_chain import start_body
from .event_schemas import KNOWN_EVENTS, SCORING_EVENTS
from .regulations import is_by_regulations

STATUS_EVENTS = ("seats_drawn", "draw_undone", "round_opened", "round_closed", "round_reopened")
REQUIRED_TABLES = (
    "championship",
    "regulations",
    "entry",
    "round",
    "game",
    "seat",
    "table",
    "seating",
    "sitout",
    "standingssnapshot",
)


def check_tables(export, streams, rounds, own):
    """Compare the rows beside the log with the log."""
    differs = functools.partial(export.report.add_difference, "championship.json")
    missing = [table for table in REQUIRED_TABLES if table not in export.tables]
    if missing:
        differs("it lacks %s" % ", ".join(missing))
    by_pk = {table: {row["pk"]: row for row in export.rows(table)} for table in REQUIRED_TABLES}
    if any(len(by_pk[table]) != len(export.rows(table)) for table in REQUIRED_TABLES):
        differs("it contains a row twice")
    told = {
        type_: [event["body"] for event in own if event["type"] == type_]
        for type_ in KNOWN_EVENTS["championship"]
    }

    # the championship and its regulations
    sets, frozen = told["regulations_set"], [body["version"] for body in told["regulations_frozen"]]
    versions = [body["version"] for body in sets]
    if versions != list(range(1, len(sets) + 1)) or len(frozen) > 1 or frozen not in ([], versions[-1:]):
        export.report.add_difference(
            "championship", "its regulations changed after they were frozen, or their versions are wrong"
        )
    planned = [body["rounds"] for body in told["rounds_planned"]] or [sets[-1]["regulations"]["rounds"]]
    if len(by_pk["round"]) != planned[-1]:
        differs("it has %d rounds instead of %r" % (len(by_pk["round"]), planned[-1]))
    status = "finished" if told["championship_finished"] else "running" if frozen else "draft"
    rows = [
        (row["stream"], row["slug"], row["regulations_version"], row["status"])
        for row in by_pk["championship"].values()
    ]
    if rows != [(export.championship, export.manifest["slug"], versions[-1] if versions else None, status)]:
        differs("the championship is not the one of the log")
    rows = {
        row["version"]: (row["data"], row["frozen_at"] is not None) for row in by_pk["regulations"].values()
    }
    if rows != {body["version"]: (body["regulations"], body["version"] in frozen) for body in sets}:
        differs("the regulations are not those of the log")

    # The first checkpoint that covers an event decides, because clocks may be wrong.
    frozen_at = [event["at"][0] for event in own if event["type"] == "regulations_frozen"]
    opened_at = [e["at"][0] for one in rounds for e in one.stream.events if e["type"] == "round_opened"]
    if opened_at and (not frozen_at or frozen_at[0] > min(opened_at)):
        export.report.add_difference("championship", "its regulations were changed after a round was opened")
    finished_at = [event["at"][0] for event in own if event["type"] == "championship_finished"]
    for one in rounds if finished_at else ():
        turns = [e for e in one.stream.events if e["type"] in STATUS_EVENTS and e["at"][0] <= finished_at[0]]
        last = [e for e in turns if e["at"][0] == finished_at[0]] or turns[-1:]
        if all(event["type"] != "round_closed" for event in last):
            export.report.add_difference(
                "championship", "it was finished though %s was not closed" % one.where
            )

    # entries
    players = {pk: row["player_ref"] for pk, row in by_pk["entry"].items()}
    added = [(body["number"], body["player"]) for body in told["entry_added"]]
    if sorted((row["number"], row["player_ref"]) for row in by_pk["entry"].values()) != sorted(added):
        differs("the entries are not those of the log")
    if len({number for number, _ in added}) < len(added) or len({player for _, player in added}) < len(added):
        export.report.add_difference("championship", "a number or a player was entered twice")
    entered = {player for _, player in added}
    for one in rounds:
        for draw, _period, _entropy in one.drawn_seats:
            if not set(draw["players"]) <= entered:
                one.add_difference("draw %d seats a person who was never entered" % draw["draw"])
        if not set(one.late_players) <= entered:
            one.add_difference("a person who was never entered sat down")

    check_pairs(export, rounds, own, players)
    check_merged_entries(export, rounds, own, players)
    check_starts(export, own, players)
    check_excuses(export, rounds, own)

    # rounds, tables and seats
    numbers = {one.stream.id: one for one in rounds}
    of_round = {pk: numbers.get(row["stream"]) for pk, row in by_pk["round"].items()}
    for pk, row in by_pk["round"].items():
        one = of_round[pk]
        if one is None:
            continue
        if (row["status"], row["draws"]) != (one.status, one.draw_count):
            one.add_difference("it is %s after draw %r, not as the log says" % (row["status"], row["draws"]))
        tables = {
            r["pk"]: r
            for r in by_pk["table"].values()
            if r["round"] == pk and r.get("undone") is None  # kept because of a referee's decision
        }
        there = sorted((r["number"], r["game"], r["mode"]) for r in tables.values() if r["game"] is not None)
        if sorted(r["number"] for r in tables.values()) != list(range(1, len(one.seated) + 1)):
            one.add_difference("its tables are not those that were drawn")
        wanted = [(n, game, one.opened_games[game].mode) for n, game in enumerate(one.games, 1)]
        if one.status in ("open", "closed") and there != wanted:
            one.add_difference("its tables have other games than the log says")
        sat = sorted(
            (tables[r["table"]]["number"] if r["table"] in tables else 0, r["seat"], players.get(r["entry"]))
            for r in by_pk["seating"].values()
            if r["round"] == pk
        )
        if sat != [(n, s, player) for n, table in enumerate(one.seated, 1) for s, player in enumerate(table)]:
            one.add_difference("the seats are not those of the draw")
        out = sorted(players.get(r["entry"], "") for r in by_pk["sitout"].values() if r["round"] == pk)
        if out != sorted(one.byes):
            one.add_difference("the byes are not those of the draw")
        plays = {
            (tables[r["table"]]["number"], r["seat"], r["deal"], players.get(r["entry"]))
            for r in (export.rows("substitute") if "substitute" in export.tables else [])
            if r["table"] in tables
        }
        if plays != {(*at, n, who) for at, told in one.substitutes.items() for n, who in told.items()}:
            one.add_difference("the substitutes are not those of the log")
    for table in ("table", "seating", "sitout"):
        if any(row["round"] not in of_round for row in by_pk[table].values()):
            differs("the table %s refers to a round that does not exist" % table)

    for one in rounds:
        sheets = [start_body(streams.get(game)) for game in one.games]
        ways = {started.get("counting") for started in sheets if started.get("mode") == "sheet"}
        if len(ways) > 1:
            one.add_difference("its sheets are counted in several ways")

    # games
    if by_pk["game"].keys() != {stream.id for stream in streams.values() if stream.kind == "game"}:
        differs("its games are not those of the log")
    belongs = [game for one in rounds for game in one.opened_games]
    if len(set(belongs)) != len(belongs):
        export.report.add_difference("rounds", "two of them have one game")
    seats = {}
    for row in by_pk["seat"].values():
        seats.setdefault(row["game"], {})[row["number"]] = row["player_ref"]
    regulations = next((body["regulations"] for body in sets[::-1]), None)
    options = {}
    for game, row in by_pk["game"].items():
        where, started, one = (
            "game %s" % game,
            start_body(streams.get(game)),
            numbers.get(row["round_stream"]),
        )
        said = [started.get(name) for name in ("variant", "mode", "seats", "options")]
        if said != [row[name] for name in ("variant", "mode", "seat_count", "options")]:
            export.report.add_difference(where, "it is another game than the log says")
        if one is None or game not in one.opened_games:
            if one is None or any(
                event["type"] in SCORING_EVENTS for event in streams[game].events if game in streams
            ):
                export.report.add_difference(where, "it belongs to no round")
            else:
                export.report.notes.append("%s was begun and is not counted: its draw was undone" % where)
        else:
            if row["number"] != one.opened_games[game].number:
                export.report.add_difference(where, "it plays the cards of another table")
            if seats.get(game) != dict(enumerate(one.get_players_at(game))):
                export.report.add_difference(where, "its players are not those of the draw")
        if regulations is not None and not is_by_regulations(started, row, regulations):
            export.report.add_difference(where, "it was not played by the regulations")
        if started.get("options") != options.setdefault(started.get("seats"), started.get("options")):
            export.report.add_difference(where, "it was played by other rules than the first game")
    if seats.keys() - by_pk["game"].keys():
        differs("a seat refers to a game that does not exist")
    export.report.checked.append(
        "entries, regulations, tables and seats are those of the log: %d entries, %d tables"
        % (len(added), len(by_pk["table"]))
    )
    house = sum(row["house"] is not False for row in by_pk["entry"].values())
    if house:
        export.report.unproven.append(
            "%d entries are players of the house, who are not ranked; that is not sealed" % house
        )
    bots = sum(row["bot"] != "" for row in by_pk["seat"].values())
    if bots:
        export.report.unproven.append("%d seats were played by programs; that is not sealed" % bots)


def check_names(export):
    """Check that names belong to entries, and report data that are not sealed."""
    if "names.json" in export.infos:
        names = next(iter(export.read_lines("names.json")), {})
        known = {str(row["pk"]) for row in export.rows("entry")}
        if not set(names.get("entry", {})) <= known:
            export.report.add_difference("names.json", "it names a person who was never entered")
    export.report.unproven.append(
        "not sealed, only what the platform says now: names and clubs, who plays for the house, the title, "
        "place and time of the championship. Who has which number stands on the sheets of the hall"
    )
    export.report.unproven.append(
        "not checked here: whether the rules of Jass were applied rightly. python -m engine audit does that"
    )


def check_receipts(export, streams):
    """Compare the receipts of a backup with the envelopes: the events of each command."""
    if "receipts.jsonl" not in export.listed:
        return
    told = [
        (one["stream"], one["command_id"], one["first_seq"], one["count"])
        for one in export.read_lines("receipts.jsonl")
    ]
    found = []
    for name in sorted(streams):
        for event in streams[name].events:
            if found and found[-1][:2] == (name, event["command_id"]):
                found[-1] = (*found[-1][:3], found[-1][3] + 1)
            else:
                found.append((name, event["command_id"], event["seq"], 1))
    if sorted(told) != sorted(found):
        export.report.add_difference("receipts.jsonl", "it does not list the events of each command")
