"""Teams that play against each other at tables side by side."""

from __future__ import annotations

from .entries import list_merged_at
from .report import Unusable
from .results import TableResult
from .teams import list_teams_at
from .variants import find_variant


def plays_in_teams(regulations):
    """Whether teams are drawn and ranked, and not their members."""
    return regulations.get("entrants") == "teams"


def list_team_players(own, moment):
    """Return the players of each team at a moment by its number, without merged entries."""
    merged, members = list_merged_at(own, moment), {}
    for player, team in list_teams_at(own, moment).items():
        if player not in merged and team is not None:
            members.setdefault(team, []).append(player)
    return members


class EncounterResult(TableResult):
    """The results of the tables of two teams as one: sums of sides. Sides are 0 and 1, seat by seat."""

    def __init__(self, tables, regulations):
        """tables: (result, whether its second side is the first team)."""
        results = [result for result, _ in tables]
        self.scaled, self.against_field, self.by_deal, self.outside = False, [], [], []
        self.sides = [side ^ turned for result, turned in tables for side in result.sides]
        self.totals = [
            sum(result.totals[side ^ turned] for result, turned in tables if len(result.totals) == 2)
            for side in (0, 1)
        ]
        self.swept = [side ^ turned for result, turned in tables for side in result.swept]
        self.ruled = any(result.ruled for result in results)
        self.complete = all(result.complete for result in results)
        self.closed = all(result.closed for result in results if not result.complete)
        self.has_result = any(result.has_result for result in results)
        self.is_replaced = "broken_off" in regulations and self.closed and not self.complete
        sign = -1 if (find_variant(regulations["play"]) or {}).get("fewest") else 1
        best = max(sign * total for total in self.totals)
        self.winners = [side for side in (0, 1) if self.complete and sign * self.totals[side] == best]


def merge_encounters(results, seated, team_of, regulations):
    """Return (place, result, people) of each encounter, or of each table where no teams are drawn.

    seated: people by seat of each table; team_of: number of their team. Raise Unusable where people of two
    teams sit on one side, or people of one team against each other.
    """
    if not plays_in_teams(regulations):
        return [(at, *one) for at, one in enumerate(zip(results, seated), 1)]
    found, opponents = [], {}
    for at, (result, people) in enumerate(zip(results, seated), 1):
        sides = [{team_of[p] for p in people[side::2] if p in team_of} for side in (0, 1)]
        if len(sides[0]) > 1 or len(sides[1]) > 1 or sides[0] & sides[1]:
            raise Unusable("at table %d people of one team do not play for it" % at)
        one, other = (next(iter(side), None) for side in sides)
        if one is not None and other is not None:
            opponents[one], opponents[other] = other, one
        found.append((at, result, people, one, other))
    encounters, alone = {}, []
    for at, result, people, one, other in found:
        one = opponents.get(other) if one is None else one
        other = opponents.get(one) if other is None else other
        if one is None or other is None or sorted(set(result.sides)) != [0, 1]:
            alone.append((at, result, people))
        else:
            encounters.setdefault((min(one, other), max(one, other)), []).append(
                (at, result, people, one > other)
            )
    merged = [
        (
            tables[0][0],
            EncounterResult([(result, turned) for _, result, _, turned in tables], regulations),
            [person for _, _, people, _ in tables for person in people],
        )
        for tables in encounters.values()
    ]
    return sorted([*alone, *merged], key=lambda one: one[0])
