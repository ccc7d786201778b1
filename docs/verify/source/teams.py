"""Teams: who belongs to which, and the ranking of teams."""

from __future__ import annotations

import functools

from .canonical import serialize_json, sha256
from .entries import list_merged_at, list_seated_at
from .ranking_order import _apply_tie_break, _group_by_value, read_figure
from .regulations import read_regulations_at
from .report import Unusable

APART = ("never_partner", "never_meet", "avoid_partner", "avoid_meet")
"""How regulations keep the members of a team apart: always, or as far as possible."""
MOST_OF_DRAWN_TEAM = 60
"""The most people of a team that is drawn, with its reserve."""


def list_teams_at(own, moment):
    """Return the number of the team by player at a moment."""
    numbers, team_of = {}, {}
    for event in own:
        body = event["body"]
        if event["at"] > moment:
            continue
        if event["type"] == "team_formed":
            numbers[body["team"]] = body["number"]
        elif event["type"] == "team_joined":
            team_of.update(dict.fromkeys(body["players"], numbers.get(body["team"])))
        elif event["type"] == "team_left":
            for player in body["players"]:
                team_of.pop(player, None)
    return team_of


def list_team_mates(own, moment, regulations):
    """Return the pairs of players of one team that a draw keeps apart, by the kind of wish."""
    apart, members = regulations.get("teams", {}).get("apart"), {}
    merged, pair_of = list_merged_at(own, moment), {}
    for event in own if regulations["play"]["format"] == "fixed_pairs" else ():
        body = event["body"]
        if event["at"] <= moment and event["type"] == "entrant_formed":
            pair_of.update(dict.fromkeys(body["players"], body["entrant"]))
        elif event["at"] <= moment and event["type"] == "entrant_joined":
            pair_of[body["player"]] = body["entrant"]
    for player, team in list_teams_at(own, moment).items():
        if player not in merged:
            members.setdefault(team, []).append(player)
    found = {
        frozenset((one, other))
        for players in members.values()
        for at, one in enumerate(players)
        for other in players[:at]
        if pair_of.get(one) is None or pair_of.get(one) != pair_of.get(other)
    }
    return {kind: found if apart == kind else set() for kind in APART}


def check_teams(export, rounds, own):
    """Check that teams are those of the log, not too large, and changed after playing only with a reason."""
    differs = functools.partial(export.report.add_difference, "championship")
    numbers, team_of, gone, entered, published = {}, {}, set(), {}, False
    for event in own:
        kind, body = event["type"], event["body"]
        if kind == "entry_added":
            entered[body["player"]] = body["number"]
        elif kind == "entry_withdrawn":
            gone.add(body["player"])
        elif kind == "entry_returned":
            gone.discard(body["player"])
        elif kind == "standings_published":
            published = True
        elif kind == "team_formed":
            if body["team"] in numbers or body["number"] in numbers.values():
                differs("a team was formed twice")
            numbers[body["team"]] = body["number"]
        elif kind == "team_dissolved":
            if published or body["team"] in team_of.values() or numbers.pop(body["team"], None) is None:
                differs("a team with members, or with a place, was dissolved")
        elif kind in ("team_joined", "team_left"):
            players, team = body["players"], body.get("team")
            if not set(players) <= entered.keys() or (kind == "team_joined" and team not in numbers):
                differs("a person who was never entered joined a team, or a team that there is not")
                continue
            regulations = read_regulations_at(own, event["at"])
            drawn = regulations.get("entrants") == "teams"
            check_move(export.report, rounds, event, entered, team_of if drawn else {})
            for player in players:
                team_of[player] = team
            out = gone | list_merged_at(own, event["at"]).keys()
            there = [one for one, belongs in team_of.items() if belongs == team and one not in out]
            size = MOST_OF_DRAWN_TEAM if drawn else regulations.get("teams", {}).get("size", 0)
            if regulations["play"]["format"] == "fixed_pairs":
                size *= 2
            if team is not None and len(there) > size:
                differs("team %d has %d people instead of at most %d" % (numbers[team], len(there), size))
    refs = {row["pk"]: row["ref"] for row in export.rows("team")}
    told = {
        row["player_ref"]: refs.get(row["team"])
        for row in export.rows("entry")
        if row.get("team") is not None
    }
    rows = {row["ref"]: row["number"] for row in export.rows("team")}
    if rows != numbers or told != {player: team for player, team in team_of.items() if team is not None}:
        export.report.add_difference("championship.json", "the teams are not those of the log")


def check_move(report, rounds, event, entered, bound):
    """Note who changed teams after playing; without a reason it differs.

    bound: the team of those who may not leave it after playing, since its results are theirs.
    """
    played = [
        player
        for player in event["body"]["players"]
        if any(player in list_seated_at(one, event["at"]) and _is_opened(one, event["at"]) for one in rounds)
    ]
    if not played:
        return
    if any(bound.get(player) is not None for player in played):
        report.add_difference("championship", "somebody changed teams after playing for one")
        return
    told = "number %s changed teams after playing: %s"
    who, why = ", ".join(str(entered[player]) for player in played), event["body"].get("reason")
    if not why:
        report.add_difference("championship", told % (who, "no reason"))
    else:
        report.notes.append("championship: " + told % (who, why))


def _is_opened(one, moment):
    """Whether a round was open or closed at a moment."""
    turns = [
        event["type"]
        for event in one.stream.events
        if event["at"] <= moment and event["type"] in ("round_opened", "draw_undone")
    ]
    return turns[-1:] == ["round_opened"]


def check_team_ranking(own, regulations, snapshot, event, told, scored, meetings, rules, written):
    """Check the ranking of teams that was published beside a single one. Raise Unusable.

    told: the single ranking by number, checked before; written: number by player.
    """
    teams, digest = snapshot.get("teams"), event["body"].get("teams_digest")
    wanted = read_regulations_at(own, event["at"]).get("teams")
    if (teams is None) != (wanted is None) or (teams is None) != (digest is None):
        raise Unusable("the ranking of teams is missing, or the regulations know none")
    if teams is None:
        return
    if sha256(serialize_json(teams)).hex() != digest:
        raise Unusable("the ranking of teams is not the one in the log")
    team_of = {written[player]: team for player, team in list_teams_at(own, event["at"]).items()}
    found = rank_teams(list(told.values()), scored, meetings, team_of, wanted, rules)
    said = [_read_team(row) for row in teams]
    for mine, theirs in zip(found, said):
        if mine != theirs:
            raise Unusable(
                "team %r: its place, its total or its members are not those of the log" % theirs[0]
            )
    if len(found) != len(said):
        raise Unusable("the ranking of teams does not contain each team once")


def rank_teams(rows, scored, meetings, team_of, wanted, rules):
    """Return the rows of the ranking of teams: number, place, whether it is shared, total, off, members."""
    lines = {}
    for row in rows:
        if row["key"] in team_of:
            lines.setdefault(team_of[row["key"]], []).append(row)
    counted = {
        team: [row for row in own[: wanted["best"]] if any(r["counts"] for r in row["rounds"])]
        for team, own in lines.items()
    }
    short = {team for team, own in lines.items() if len(own) < wanted["best"]}
    placed = sorted(lines.keys() - (short if wanted["short"] == "unranked" else set()))
    totals = {team: sum(row["total"] for row in counted[team]) for team in lines}
    offs, worth, best, of_team, swept = {}, {}, {}, {}, {}
    for team in placed:
        own = counted[team]
        known = [row["off"] for row in own if row["off"] is not None]
        offs[team] = sum(known) if known else None
        strict = rules.total_direction < 0 or bool(known)
        of_team[team] = [one for row in own for one in scored[row["key"]]]
        swept[team] = {"sweeps": sum(row["sweeps"] for row in own)}
        may = [one.points for one in of_team[team] if rules.may_count((one.points, one.unfinished), strict)]
        best[team] = sorted((rules.total_direction * points for points in may), reverse=True)
        worth[team] = bool(own), rules.total_direction * totals[team]
        if strict:
            kept = sum(r["counts"] for row in own for r in row["rounds"])
            worth[team] = kept, -(totals[team] if offs[team] is None else offs[team])
    counts_for = {row["key"]: team for team, own in counted.items() for row in own}
    between = []
    for sides, points in meetings:
        one, other = ({counts_for[key] for key in side if key in counts_for} for side in sides)
        between.append(((one - other, other - one), points))
    no_lots, no_strength = {"cut": {}, "lot": {}}, dict.fromkeys(placed, 0)
    groups = _group_by_value(placed, worth)
    for name in rules.counting["tie_breaks"]:
        groups = [
            part
            for group in groups
            for part in _apply_tie_break(
                group, name, swept, of_team, between, no_lots, rules, best, no_strength
            )
        ]
    found = []
    for group in groups:
        place = len(found) + 1
        found += [
            [team, place, len(group) > 1, totals[team], offs[team], _list_members(lines[team], wanted)]
            for team in sorted(group)
        ]
    found += [
        [team, None, False, totals[team], None, _list_members(lines[team], wanted)]
        for team in sorted(lines.keys() - set(placed))
    ]
    return found


def _read_team(row):
    """Return a row of the ranking of teams as `rank_teams` does, with its fractions as numbers."""
    members = [dict(one, total=read_figure(one["total"])) for one in row["members"]]
    total, off = read_figure(row["total"]), read_figure(row["off"])
    return [row["key"], row["place"], row["shared"], total, off, members]


def _list_members(lines, wanted):
    """Return the members of a team as its row tells them."""
    return [
        {
            "key": row["key"],
            "total": row["total"],
            "counts": at < wanted["best"] and any(r["counts"] for r in row["rounds"]),
        }
        for at, row in enumerate(lines)
    ]
