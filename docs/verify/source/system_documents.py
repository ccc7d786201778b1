"""The document of a draw by a pairing system, compared with the log."""

from __future__ import annotations

import functools

from .encounters import list_team_players, merge_encounters, plays_in_teams
from .entries import list_merged_at, list_pairs_at
from .match_points import counts_matches
from .ranking_order import CountingRules, read_figure, write_exact_number
from .regulations import get_pairing, read_regulations_at
from .results import (
    RoundScore,
    TableResult,
    _merge_members,
    compute_bye_points,
    count_unplayed,
    find_counting_moment,
    has_unknown_sides,
    list_excused_at,
    read_results,
    score_round,
    value_rounds,
)
from .system_rounds import SYSTEM_CHECKS, SystemRound, find_faults
from .teams import list_team_mates
from .variants import find_variant

ALWAYS = 10**6  # a round after all others
KNOWN_SYSTEM_VERSIONS = tuple(key + "/1" for key in SYSTEM_CHECKS)
"""Algorithms of which the criteria are checked."""
NO_CREDITS = {
    "absent_rounds": {},
    "bye": {"points": "mean_of_round", "most": None},
    "absence": None,
    "walkover": {"points": "win", "most": None},
}
"""Parts of a document that no championship changes."""
PLAIN_COUNTING = {
    "sealed": None,
    "least_rounds": 0,
    "scale": [],
    "members": 0,
    "credit": "points",
    "by": "entrant",
    "buchholz_unplayed": None,
}


def is_by_system(drawn):
    """Whether a draw names a pairing system: "key/version"."""
    return "/" in drawn["algorithm"]


def check_system_draw(export, where, drawn, number, rounds, own, moment):
    """Check a draw by a pairing system: its document, and what its round has to keep."""
    differs = functools.partial(export.report.add_difference, where)
    told, players = drawn["problem"], drawn["players"]
    regulations, earlier = read_regulations_at(own, moment), rounds[: number - 1]
    entered = {e["body"]["player"]: e["body"]["number"] for e in own if e["type"] == "entry_added"}
    house = {row["player_ref"] for row in export.rows("entry") if row["house"]}
    guests = [player for player in players if player not in house]
    order = [entered[player] for player in guests]
    if order != sorted(set(order)) or players[: len(guests)] != guests:
        differs("its players are not in the order of their numbers")
    for fault in check_frame(told, drawn["algorithm"], regulations):
        differs(fault)
    seeds = [one.draw["seed"] for one in earlier if one.draw and one.draw["seed"]]
    if told.get("plan_seed") != (seeds[0] if seeds else ""):
        differs("its plan is not from the seed of the first draw")
    index = {player: "%04d" % at for at, player in enumerate(players)}
    merged = list_merged_at(own, moment)
    sat = [one.list_seats_at(moment) or ([], []) for one in earlier]
    played = {merged.get(p, p) for tables, byes in sat for p in [*byes, *(p for t in tables for p in t)]}
    if played - house - index.keys():
        differs("somebody who has played is missing")
    apart = {frozenset((a, b)): how for a, b, how in told["apart"]}
    by_team = list_team_mates(own, moment, regulations)
    for kind, allowed in (("never_meet", ("hard",)), ("avoid_meet", ("hard", "soft"))):
        refs_of = (find_refs(told, [index[p] for p in mates if p in index]) for mates in by_team[kind])
        if any(len(refs) == 2 and apart.get(refs) not in allowed for refs in refs_of):
            differs("it did not keep the members of a team apart")
    gone = find_withdrawn(own, moment, number)
    groups = list_pairs_at(own, moment)
    if plays_in_teams(regulations):
        groups = list(list_team_players(own, moment).items())
    members = list_members(guests, index, entered, regulations, groups)
    faults = list(check_entrants(told, members, number, {index[p] for p in gone if p in index}, regulations))
    for fault in faults:
        differs(fault)
    if faults:
        return
    people, ref_of = name_people(told, {player: index[player] for player in guests}, members, merged)
    team_of = {player: team for team, players in groups for player in players}
    team_of.update({other: team_of[kept] for other, kept in merged.items() if kept in team_of})
    past, is_known = rebuild_past(earlier, regulations, moment, people, ref_of, team_of)
    left = find_withdrawn(own, moment, ALWAYS)
    played_by = {ref: {p for p in ref_of if ref_of[p] == ref} for ref in members}
    for other, kept in merged.items():
        if kept in ref_of:
            played_by[ref_of[kept]].add(other)
    stays = {
        ref: bool({p for p in players if ref_of.get(p) == ref} - left) for ref, players in played_by.items()
    }
    missed = list_excused_at(own, moment)
    excused = {ref: set().union(*(missed.get(p, ()) for p in players)) for ref, players in played_by.items()}
    add_unplayed(past, earlier, regulations, moment, played_by, (stays, excused), team_of)
    if get_pairing(regulations)[0] != "knock_out":  # there they wait, or are out
        add_absences(past, told, excused)
    if not any(one["absent"] or one["no_show"] for one in told["past"]):
        past = [dict(one, absent=[], no_show=[]) for one in past]  # as before 0.3; no draw depends on them
    if strip_points(told["past"]) != strip_points(past):
        differs("it did not start from the rounds before it")
        return
    if is_known and told["past"] != past:
        differs("it did not start from the points of the rounds before it")
        return
    names = {ref: "number %d" % order[int(sorted(persons)[0])] for ref, persons in members.items()}
    if plays_in_teams(regulations):
        names = {ref: "team %d" % int(ref[1:]) for ref in members}
    follows_plan = all(
        one.draw and one.draw["algorithm"] == drawn["algorithm"] and one.draw["tables"] == one.seated
        for one in earlier
    )
    tables = [[index[player] for player in table] for table in drawn["tables"]]
    out, helpers = [index[p] for p in drawn["sit_out"]], [index[p] for p in players[len(guests) :]]
    found = SystemRound(told, tables, out, names, follows_plan, helpers, drawn["seed"])
    faults = find_faults(found)
    for fault in faults:
        differs(fault)
    unproven = list(found.unproven)
    if not is_known:
        unproven.append("the points that it started from")
    if drawn["algorithm"] not in KNOWN_SYSTEM_VERSIONS:
        unproven.append("what %s has to keep" % drawn["algorithm"])
    for what in unproven:
        export.report.unproven.append("%s: %s" % (where, what))
    if faults:
        return
    said = "%s: everybody has one place, and %s keeps what it has to (%d players there, %d wishes)"
    there = sum(map(len, drawn["tables"])) + len(drawn["sit_out"])
    said %= (where, drawn["algorithm"], there, len(told["apart"]))
    (export.report.checked if drawn["draw"] == 1 else export.report.notes).append(said)


def check_frame(told, algorithm, regulations):
    """Check what follows from the regulations alone: system, options, tables, rounds and counting."""
    system, options = get_pairing(regulations)
    if (told["system"], told["options"], algorithm.partition("/")[0]) != (system, options, system):
        yield "its pairing system or options are not those of the regulations"
    play, counting = regulations["play"], regulations["counting"]
    rules = CountingRules(regulations, 2)
    what = "sum" if counting["what"] == "nearest" else counting["what"]
    averaged = what == "average"
    direction = rules.table_direction if counts_matches(counting) else rules.total_direction
    frame = {
        "size": play["seats"],
        "rounds": regulations["rounds"],
        "partners": play["format"] != "solo",
        "direction": direction if find_variant(play) else told["direction"],
        "counting": dict(
            PLAIN_COUNTING,
            what=what,
            number=0 if averaged else counting["number"],
            least_rounds=counting["number"] if averaged else 0,
            scale=counting.get("scale", []),
            tie_breaks=counting["tie_breaks"],
            buchholz_unplayed=counting.get("buchholz_unplayed"),
            credit="field" if play["credit"] == "field" else "points",
        ),
        "broken_off": describe_broken_off(regulations),
        **NO_CREDITS,
    }
    other = sorted(name for name, value in frame.items() if told.get(name) != value)
    if other:
        yield "it was drawn by something else than the regulations: %s" % ", ".join(other)


def describe_broken_off(regulations):
    """Return the credit of tables broken off; the past of the document has those of the rounds before."""
    rules = regulations.get("broken_off")
    if rules is None:
        return None
    fixed = rules["points"] == "fixed"
    return {"points": rules["fixed"] if fixed else "mean_of_round", "most": rules["most"]}


def find_withdrawn(own, moment, number):
    """Return the players that had withdrawn from a round at a moment."""
    gone = {}
    for event in own:
        if event["at"] <= moment and event["type"] == "entry_withdrawn":
            gone[event["body"]["player"]] = event["body"]["from_round"]
        elif event["at"] <= moment and event["type"] == "entry_returned":
            gone.pop(event["body"]["player"], None)
    return {player for player, from_round in gone.items() if from_round <= number}


def count_members(regulations):
    """Return the number of people who are drawn as one."""
    if plays_in_teams(regulations):
        return regulations["team_size"]
    return 2 if regulations["play"]["format"] == "fixed_pairs" else 1


def list_members(guests, index, entered, regulations, groups):
    """Return the persons that the log knows for each entrant, by ref. A pair keeps who has left it.

    groups: the pairs or teams, with number and players.
    """
    size = count_members(regulations)
    if size == 1:
        return {"n%04d" % entered[player]: {index[player]} for player in guests}
    known = {"n%04d" % number: {index[p] for p in players if p in index} for number, players in groups}
    return {ref: members for ref, members in known.items() if len(members) >= size}


def check_entrants(told, members, number, gone, regulations):
    """Check the entrants of a document: those of the log, with the rounds in which they played."""
    entrants = told["entrants"]
    listed = {one["ref"]: one["members"] or [one["ref"]] for one in entrants}
    size = count_members(regulations)
    for one in entrants:
        own, reserves = listed[one["ref"]], one.get("reserves", [])
        if plays_in_teams(regulations) and members.get(one["ref"]) != {*own, *reserves}:
            yield "a team is not the one of the log"
        if plays_in_teams(regulations) and (own != sorted(own) or set(own) & set(reserves)):
            yield "a team does not line up in the order of its numbers"
        if reserves and not plays_in_teams(regulations):
            yield "an entrant has a reserve, which the regulations do not know"
    if len(listed) < len(entrants) or listed.keys() != members.keys():
        yield "its entrants are not those of the log"
        return
    if any(len(set(own)) != size or not set(own) <= members[ref] for ref, own in listed.items()):
        yield "its entrants are not those of the log"
    for one in entrants:
        lineup = set(listed[one["ref"]])
        persons = lineup | set(one.get("reserves", []))
        took_part = [
            before["round"]
            for before in told["past"]
            if one["ref"] in before["byes"] or any(persons & set(t["seats"]) for t in before["tables"])
        ]
        first, last = min(took_part, default=number), max(took_part, default=number - 1)
        if one["from_round"] != first or one["until_round"] not in (None, last) or one["team"]:
            yield "an entrant begins or ends elsewhere than the rounds say"
        if one["until_round"] is None and lineup & gone:
            yield "it draws somebody who had withdrawn"


def name_people(told, index, members, merged):
    """Return the person by player, as whom the past counts them, and the entrant of each player with byes."""
    person, ref_of = dict(index), {}
    players = {at: player for player, at in index.items()}
    for one in told["entrants"]:
        for own in members[one["ref"]]:
            ref_of[players[own]] = one["ref"]
            if own not in (one["members"] or [own]) and not one.get(
                "reserves"
            ):  # whoever left a pair counts as the one who joined it
                person[players[own]] = one["members"][1]
    person.update({other: person[kept] for other, kept in merged.items() if kept in person})
    return person, ref_of


def is_closed_at(one, moment):
    """Whether a round was closed at a moment."""
    turns = ("round_closed", "round_reopened", "draw_undone")
    ends = [e["type"] for e in one.stream.events if e["at"] <= moment and e["type"] in turns]
    return ends[-1:] == ["round_closed"]


def rebuild_past(earlier, regulations, moment, people, ref_of, team_of):
    """Return the rounds before a draw as its document tells them, and whether all points are known.

    team_of: the team of each player, where teams are drawn.
    """
    past, helpers, is_known = [], {}, True
    for number, one in enumerate(earlier, 1):
        is_closed, tables = is_closed_at(one, moment), []
        sat, byes = one.list_seats_at(moment) or ([], [])
        for place, seated in enumerate(sat, 1):
            stream = one.get_game_at(place)
            points, deals, broken_off = [None] * len(seated), [], False
            if stream is not None and is_closed:
                is_known = is_known and not has_unknown_sides(stream)
                result = TableResult(stream, moment, regulations)
                kind = regulations["play"]["credit"]
                if kind == "field":  # its document states deals, and the points as they were made
                    kind, deals = "points", result.by_deal
                points = [result.credit(side, kind, 2) for side in result.sides]
                broken_off = result.is_replaced
            seats = [
                people.get(player) or helpers.setdefault(player, "x%d" % (len(helpers) + 1))
                for player in seated
            ]
            tables.append(
                {"seats": seats, "points": points, "deals": deals, "broken_off": broken_off, "walkover": []}
            )
        refs = sorted({ref_of[player] for player in byes if player in ref_of})
        closed = [e for e in one.stream.events if e["type"] == "round_closed" and e["at"] <= moment]
        worth = None
        if closed and refs:
            end = find_counting_moment(one, one.streams, closed[-1]["at"], moment)
            results = read_results(one.streams, one.games, end, regulations)
            seated = [one.get_players_at(game) for game in one.games]
            results = [result for _, result, _ in merge_encounters(results, seated, team_of, regulations)]
            worth = compute_bye_points(regulations, results, 2)
        given = {} if worth is None else dict.fromkeys(refs, write_exact_number(worth))
        past.append(
            {"round": number, "tables": tables, "byes": refs, "absent": [], "no_show": [], "given": given}
        )
    return past, is_known


def add_absences(past, told, excused):
    """Add the entrants who missed each drawn round, with notice or without it."""
    for one in past:
        if not one["tables"]:
            continue
        there = {*one["byes"], *(person for table in one["tables"] for person in table["seats"])}
        missed = [
            entrant["ref"]
            for entrant in told["entrants"]
            if entrant["from_round"] <= one["round"] <= (entrant["until_round"] or one["round"])
            and there.isdisjoint([entrant["ref"], *entrant["members"], *entrant.get("reserves", [])])
        ]
        one["absent"] = sorted(ref for ref in missed if one["round"] in excused.get(ref, ()))
        one["no_show"] = sorted(set(missed) - set(one["absent"]))


def add_unplayed(past, earlier, regulations, moment, players_of, desk, team_of):
    """Add the points of who did not play a closed round to its end, where the regulations credit that.

    players_of: by ref of the entrant, those merged into its members too; desk: whether each has not
    withdrawn, and the rounds missed with notice.
    """
    if not regulations.keys() & {"absences", "broken_off"}:
        return
    scored, results_of = {}, []
    direction = CountingRules(regulations, 2).total_direction
    for number, (one, told) in enumerate(zip(earlier, past), 1):
        if not is_closed_at(one, moment):
            continue
        results = read_results(one.streams, one.games, moment, regulations)
        seated = [one.get_players_at(game) for game in one.games]
        merged = merge_encounters(results, seated, team_of, regulations)
        results_of.append((number, [result for _, result, _ in merged]))
        for at, result, who in merged:
            for seat, player in enumerate(who):
                given = score_round(result, number, result.sides[seat], regulations, 2, at)
                scored.setdefault(player, []).append(given)
        _, byes = one.list_seats_at(moment) or ([], [])
        for player in byes:
            worth = next((told["given"][ref] for ref in told["given"] if player in players_of[ref]), None)
            if worth is not None:
                bye = RoundScore(number, read_figure(worth), 0, False, 0, False, None, 0)
                scored.setdefault(player, []).append(bye)
    rounds = {
        ref: _merge_members([scored.get(player, []) for player in sorted(players)])
        for ref, players in players_of.items()
    }
    values = value_rounds(regulations, results_of, 2, direction)
    for ref, found in count_unplayed(rounds, regulations, values, *desk).items():
        for one in found:
            if one.points is not None and (one.absent or (one.broken_off and not one.played)):
                past[one.round - 1]["given"][ref] = write_exact_number(one.points)


def find_refs(told, persons):
    """Return the refs of the entrants of these persons, as far as they play."""
    ref_of = {person: one["ref"] for one in told["entrants"] for person in one["members"] or [one["ref"]]}
    return frozenset(ref_of[person] for person in persons if person in ref_of)


def strip_points(past):
    """Return past rounds without their points."""
    return [
        dict(one, given={}, tables=[dict(table, points=[], deals=[]) for table in one["tables"]])
        for one in past
    ]
