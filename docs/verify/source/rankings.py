"""Published rankings."""

from __future__ import annotations

import fractions
import functools

from .brackets import build_bracket
from .buchholz import list_opponents
from .canonical import serialize_json, sha256
from .encounters import list_team_players, merge_encounters, plays_in_teams
from .entries import list_merged_at, list_pair_starts_at, list_pairs_at, list_persons_at
from .event_chain import END_OF_RECORD
from .official_acts import describe_acts
from .ranking_order import CountingRules, list_separators, rank_entries, read_figure, read_row
from .regulations import get_pairing
from .report import Unusable
from .results import (
    RoundScore,
    _merge_members,
    compute_bye_points,
    count_own_mean,
    count_unplayed,
    find_counting_moment,
    has_unknown_sides,
    list_excused_at,
    read_results,
    score_round,
    value_rounds,
)
from .system_documents import ALWAYS, find_withdrawn
from .teams import check_team_ranking
from .variants import find_variant

MOST_LEFT = 64  # people of a bracket who may have gone home after a round, tried one by one


def draw_sealed_number(regulations, rounds):
    """Return the sealed number, or None if there is none or its seed is secret."""
    counting = regulations["counting"] if regulations else {"what": None}
    if counting["what"] != "nearest" or len(rounds) < regulations["rounds"]:
        return None
    periods = rounds[regulations["rounds"] - 1].seed_periods
    if not periods or periods[-1].seed is None:
        return None
    stream = periods[-1].randomness.draw_bytes("sealed", 1, 0)
    span = counting["most"] - counting["least"] + 1
    pairs = (256 * high + low for high, low in zip(stream, stream))
    return counting["least"] + next(pair for pair in pairs if pair < 65536 - 65536 % span) % span


def read_counting_version(event, before, regulations):
    """Return the counting version of a ranking. Raise Unusable if it is impossible."""
    version = event["body"].get("counting_version", 1)
    if version not in (1, 2):
        raise Unusable("it was counted by a version that this program does not know: %r" % (version,))
    if regulations.get("averages") not in (None, "exact"):
        raise Unusable("its averages are of a kind that this program does not know")
    if version < before or (version == 1 and "lowest_wins" not in regulations["counting"]):
        raise Unusable("it was counted by version 1, which was over by then")
    return version


def plays_in_groups(regulations):
    """Whether pairs or teams are drawn and ranked, and not single players."""
    return regulations["play"]["format"] == "fixed_pairs" or plays_in_teams(regulations)


def list_bracket_rounds(regulations, phases, pair_of, house):
    """Return the closed rounds of a knock-out: tables as points by entrant, and byes."""
    played, in_pairs = [], plays_in_groups(regulations)
    for tables, byes in phases:
        found = []
        for points in tables:
            seats = {}
            for number, own in points.items():
                if number not in house and (number in pair_of or not in_pairs):
                    seats.setdefault("n%04d" % pair_of.get(number, number), []).append(own)
            found.append(
                {
                    ref: None if None in own else fractions.Fraction(sum(own), len(own))
                    for ref, own in seats.items()
                }
            )
        resting = {number for number in byes if number in pair_of or not in_pairs}
        played.append((found, {"n%04d" % pair_of.get(number, number) for number in resting}))
    return played


def find_bracket_document(rounds, closed):
    """Return the document of the last draw of a closed round that was not made by hand; None without one."""
    drawn = [one.draw["problem"] for one in rounds[:closed] if one.draw]
    return next((told for told in reversed(drawn) if "entrants" in told), None)


def list_bracket_places(regulations, rounds, played, direction, gone):
    """Yield the places of a bracket by number, and whether all is decided.

    First if everybody is there but those who are gone; then if others are not there either: those without a
    part in the last round, and with them one of those still in.
    """
    document = find_bracket_document(rounds, len(played))
    play, seeds = regulations["play"], [one.draw["seed"] for one in rounds[: len(played)] if one.draw]
    heads = 2 if plays_in_groups(regulations) else play["seats"]
    build = functools.partial(
        build_bracket, document, heads, played, direction, next(filter(None, seeds), "")
    )
    absent = {ref for tables, byes in played for one in (byes, *tables) for ref in one}
    absent -= {ref for one in (played[-1][1], *played[-1][0]) for ref in one}
    bracket = build(gone)
    still_in = {ref for match in bracket.matches if not match.is_decided for ref in match.entrants}
    away = [gone | absent, *(gone | absent | {ref} for ref in sorted(still_in)[:MOST_LEFT])]
    for one in (bracket, *map(build, away)):
        yield {int(ref[1:]): place for ref, place in one.list_places().items()}, bracket.over


def is_by_start(regulations):
    """Whether regulations count the starts of a person in an open heat."""
    return get_pairing(regulations)[0] == "open"


def number_starts(key, scored, person_of):
    """Return the results of a person or a pair, numbered from 1 in the order of their starts."""
    own = sorted(number for number in scored if person_of.get(number, number) == key)
    given = {}
    for one in (one for number in own for one in scored[number]):
        given.setdefault((one.round, one.at), one)  # a table of a pair counts once
    return [one._replace(round=at) for at, one in enumerate(given.values(), 1)]


def check_ranking(export, streams, rounds, own, regulations, snapshot, event, last, rules, now=None):
    """Check points, sums and places of a ranking. Raise Unusable.

    They follow from the tables at the moment of its publication, or at a later moment `now`.
    """
    moment, published, version = now or event["at"], event["at"], rules.version
    closed = []
    for number, one in enumerate(rounds, 1):
        told = [e for e in one.stream.events if e["at"] <= moment]
        ends = [e for e in told if e["type"] in ("round_closed", "round_reopened", "draw_undone")]
        if ends and ends[-1]["type"] == "round_closed":
            closed.append((number, one, find_counting_moment(one, streams, ends[-1]["at"], moment)))
        if not last and "round_reopened" in [e["type"] for e in one.stream.events]:
            return  # changed since: only the last ranking can be checked
    if snapshot["after_round"] != max([number for number, _, _ in closed], default=0):
        raise Unusable("it is not of the rounds that were closed then")
    entries = export.rows("entry")
    keys = {row["player_ref"]: row["number"] for row in entries}
    house = {row["number"] for row in entries if row["house"]}
    written = dict(keys)
    by_start = is_by_start(regulations)
    persons = list_persons_at(own, published)
    if not by_start:
        keys.update({other: written[kept] for other, kept in list_merged_at(own, published).items()})
    scored, meetings, missing, sat, phases, there = {}, [], set(), [], [], []
    teams = list_team_players(own, published) if plays_in_teams(regulations) else {}
    team_of = {keys[player]: team for team, players in teams.items() for player in players}
    for number, one, end in closed:
        phases.append(([], {keys[player] for player in one.byes}))
        # results at the closing, which give the points of a bye
        then = read_results(streams, one.games, end, regulations)
        results = read_results(streams, one.games, moment, regulations)
        seated = [[keys[player] for player in one.get_players_at(game)] for game in one.games]
        then = [result for _, result, _ in merge_encounters(then, seated, team_of, regulations)]
        merged = merge_encounters(results, seated, team_of, regulations)
        there.append((number, [result for _, result, _ in merged]))
        for at, result, who in merged:
            credit = regulations["play"]["credit"]
            points = [result.credit(side, credit, version) for side in result.sides]
            phases[-1][0].append(dict(zip(who, points)))
            for seat, key in enumerate(who):
                given = score_round(result, number, result.sides[seat], regulations, version, at)
                scored.setdefault(key, []).append(given)
            if not result.has_result:
                missing.add(number)
            elif not result.is_replaced:
                by_side = {}
                for seat, key in enumerate(who):
                    by_side.setdefault(result.sides[seat], []).append(key)
                sat.append(list(by_side.values()))
            if len(result.totals) == 2 and (version == 1 or result.has_result):
                sides = [[k for seat, k in enumerate(who) if result.sides[seat] == side] for side in (0, 1)]
                meetings.append((sides, result.totals))
        given = compute_bye_points(regulations, then, version)
        for said in one.stream.events:
            if said["type"] != "sitting_out_counted" or said["at"] != end:
                continue
            if regulations["byes"]["points"] == "fixed" or read_figure(said["body"]["points"]) != given:
                raise Unusable("sitting out in round %d was counted as %r" % (number, said["body"]["points"]))
        for player in one.byes if given is not None else ():
            scored.setdefault(keys[player], []).append(RoundScore(number, given, 0, False, 0, False, None, 0))
    rows, pair_of, members = [read_row(row) for row in snapshot["rows"]], {}, {}
    in_pairs = regulations["play"]["format"] == "fixed_pairs"
    if by_start and in_pairs:
        starts, key_of = list_pair_starts_at(own, published)
        for number, players in starts.items():
            pair_of.update({written[player]: key_of[number] for player in players})
            members[key_of[number]] = sorted({written[persons[player]] for player in players})
    elif in_pairs:
        for number, players in list_pairs_at(own, published):
            members[number] = sorted(keys[player] for player in players)
            pair_of.update(dict.fromkeys(members[number], number))
    elif by_start:
        pair_of = {written[player]: written[person] for player, person in persons.items()}
    for number, players in teams.items():
        members[number] = sorted(keys[player] for player in players)
        pair_of.update(dict.fromkeys(members[number], number))
    ranked_ones = {pair_of.get(number, number) for number in set(keys.values()) - house}
    if teams:
        ranked_ones = set(teams)  # a person without a team has no line
    if by_start:
        scored = {key: number_starts(key, scored, pair_of) for key in ranked_ones}
    else:
        scored = {
            key: _merge_members([scored.get(n, []) for n in members.get(key, [key])]) for key in ranked_ones
        }
    if regulations["byes"]["points"] == "own" and not by_start:
        scored = {key: count_own_mean(given, regulations) for key, given in scored.items()}
    left = {written[player] for player in find_withdrawn(own, published, ALWAYS)}
    stays = {key: bool(set(members.get(key, [key])) - left) for key in scored}
    values = value_rounds(regulations, there, version, rules.total_direction)
    excused = {}
    for player, missed in list_excused_at(own, published).items():
        key = keys[player]
        excused.setdefault(pair_of.get(key, key), set()).update(missed)
    scored = count_unplayed(scored, regulations, values, stays, excused)
    meetings = [
        ([list(dict.fromkeys(pair_of.get(n, n) for n in side)) for side in sides], totals)
        for sides, totals in meetings
    ]
    told = {row["key"]: row for row in rows}
    played = {key for key, given in scored.items() if given}
    if len(told) < len(rows) or not played <= told.keys() <= (played if by_start else ranked_ones):
        raise Unusable("it does not contain each player once")
    for key, row in told.items():
        if row.get("members") != members.get(key):
            raise Unusable("number %d: others are ranked with it than the log says" % key)
        mine = scored[key]
        told_rounds = [
            (r["round"], r["played"], r.get("absent", False), r.get("broken_off", False))
            for r in row["rounds"]
        ]
        if told_rounds != [(r.round, r.played, r.absent, r.broken_off and not r.played) for r in mine]:
            raise Unusable("number %d did not play the rounds it says" % key)
        for one, given in zip(row["rounds"], mine):
            if (one["points"], one.get("unfinished")) != (given.points, given.unfinished):
                said = key, given.points, given.round, one["points"], given.unfinished or "final"
                raise Unusable("number %d has %s points in round %d instead of %s (%s)" % said)
            if given.sweeps is not None and one["sweeps"] != given.sweeps:
                said = key, given.sweeps, given.round, one["sweeps"]
                raise Unusable("number %d has %d sweeps in round %d instead of %d" % said)
    met = list_opponents([[[pair_of.get(n, n) for n in side] for side in sides] for sides in sat])
    recorded = list_separators(own, written, published)
    alternatives = iter([(None, True)])
    if get_pairing(regulations)[0] == "knock_out" and closed:
        if find_bracket_document(rounds, len(closed)) is None:
            said = "ranking %r: the places of its bracket, of which every round was drawn by hand"
            export.report.unproven.append(said % snapshot["version"])
            return
        gone = {keys[player] for player in find_withdrawn(own, published, len(closed) + 1)}
        left = {pair_of.get(number, number) for number in gone}
        if teams:
            size = regulations["team_size"]
            left = {team for team in teams if len(set(members[team]) - gone) < size}
        gone = {"n%04d" % number for number in left}
        direction = rules.total_direction
        played = list_bracket_rounds(regulations, phases, pair_of, house)
        alternatives = list_bracket_places(regulations, rounds, played, direction, gone)
    held = regulations["counting"]["number"] if by_start else len(closed)
    wrong = None
    for at, (places, is_over) in enumerate(alternatives):
        level = rank_entries(told, scored, meetings, met, rules, held, recorded, places)
        found = find_wrong_place(rows, level)
        if found is None and (at or (last and not is_over)):
            said = "ranking %r: who was no longer there after the last round is the word of the desk"
            export.report.unproven.append(said % snapshot["version"])
        wrong = found if at == 0 or found is None else wrong
        if wrong is None:
            break
    if wrong is not None:
        raise Unusable("number %d has a wrong place" % wrong)
    check_team_ranking(own, regulations, snapshot, event, told, scored, meetings, rules, written)
    if version == 1 and now is None:
        note_version_1(export.report, snapshot, regulations, sorted(missing))


def find_wrong_place(rows, level):
    """Return the first key of a ranking that has another place than its group of level ones; None without."""
    at = 0
    for group in level:
        for place, key in enumerate(sorted(group), at):
            row = rows[place]
            if (row["key"], row["place"], row["shared"]) != (key, at + 1, len(group) > 1):
                return key
        at += len(group)
    return None


def note_version_1(report, snapshot, regulations, missing):
    """Note where version 1 of the counting was wrong, though the ranking is honest."""
    where = "ranking %r was counted by version 1: " % (snapshot["version"],)
    if CountingRules(regulations, 1).total_direction != CountingRules(regulations, 2).total_direction:
        report.notes.append(where + "its regulations stated another direction than the game has")
    if missing:
        told = "tables without a result counted 0 points (round %s)"
        report.notes.append(where + told % ", ".join(str(number) for number in missing))


def check_last_ranking(*arguments):
    """Compare the last ranking with the results at the end of the record. Raise Unusable."""
    try:
        check_ranking(*arguments, now=END_OF_RECORD)
    except Unusable as error:
        told = "results changed after the last ranking, which was not published again: %s"
        raise Unusable(told % error) from None


def closed_differently(rounds, moment):
    """Whether a round that was closed at a moment is not closed at the end of the record."""
    for one in rounds:
        if one.status != "closed" and any(
            event["type"] == "round_closed" and event["at"] <= moment for event in one.stream.events
        ):
            return True
    return False


def is_result_touched(one, streams):
    """Whether an official changed a result of a round, or the entry for which it counts."""
    return (
        any(event["type"] == "round_reopened" for event in one.stream.events)
        or any(list(describe_acts(streams[game])) for game in one.games if game in streams)
        or any("after results" in what for what in one.acts)
    )


def check_rankings(export, streams, rounds, own):
    """Check each published ranking: its hash in the log, and its points and places."""
    report, snapshots = export.report, export.rows("standingssnapshot")
    published = [event for event in own if event["type"] == "standings_published"]
    by_version = {event["body"]["version"]: event for event in published}
    regulations = [event["body"] for event in own if event["type"] == "regulations_set"]
    regulations = regulations[-1]["regulations"] if regulations else None
    sealed = draw_sealed_number(regulations, rounds)
    if [event["body"]["version"] for event in published] != list(range(1, len(published) + 1)):
        report.add_difference("championship", "the rankings it published are not numbered one by one")
    for version in sorted(by_version.keys() - {snapshot["version"] for snapshot in snapshots}):
        report.add_difference("ranking %r" % (version,), "is missing")
    if len({snapshot["version"] for snapshot in snapshots}) < len(snapshots):
        report.add_difference("championship.json", "it contains a ranking twice")
    for snapshot in snapshots:
        event, where = by_version.get(snapshot["version"]), "ranking %r" % (snapshot["version"],)
        told = sha256(serialize_json(snapshot["rows"])).hex(), snapshot["after_round"], snapshot["reason"]
        if event is None or told != tuple(
            event["body"][name] for name in ("digest", "after_round", "reason")
        ):
            report.add_difference(where, "is not the one in the log")
            continue
        known = sealed is not None and snapshot["after_round"] == regulations["rounds"]
        try:
            rows = [read_row(row) for row in snapshot["rows"]]
        except Unusable as error:
            report.add_difference(where, error)
            continue
        if any(row["off"] != (abs(row["total"] - sealed) if known else None) for row in rows):
            report.add_difference(where, "the sealed number it counts from is not the one of the seed")
            continue
        if any(has_unknown_sides(streams[game]) for one in rounds for game in one.games):
            told = "of games of which it is not known who plays with whom: its points were not verified"
            report.unproven.append("ranking %r is %s" % (snapshot["version"], told))
            continue
        earlier = published[: published.index(event)]
        before = max([e["body"].get("counting_version", 1) for e in earlier], default=1)
        this = export, streams, rounds, own, regulations, snapshot, event, event is published[-1]
        try:
            version = read_counting_version(event, before, regulations)
            alternatives = [CountingRules(regulations, version)]
            if find_variant(regulations["play"]) is None and version > 1:
                # an unknown variant: the most or the fewest points may win
                alternatives.append(CountingRules(regulations, version, fewest=True))
            for at, rules in enumerate(alternatives, 1):
                try:
                    check_ranking(*this, rules)
                    if this[-1] and not closed_differently(rounds, event["at"]):
                        check_last_ranking(*this, rules)
                    break
                except Unusable:
                    if at == len(alternatives):
                        raise
        except Unusable as error:
            report.add_difference(where, error)
    touched = [one.where for one in rounds if one.status == "closed" and is_result_touched(one, streams)]
    if touched and snapshots:
        told = "the %d published rankings follow from results of which officials changed some: %s"
        report.notes.append(told % (len(snapshots), ", ".join(touched)))
    else:
        report.checked.append("%d published rankings are those of the log" % len(snapshots))
    if sealed is not None:
        report.checked.append("the sealed number was drawn again: %d" % sealed)
