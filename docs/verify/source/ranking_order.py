"""The order of a ranking: sums, places, tie-breaks."""

from __future__ import annotations

import fractions

from .report import Unusable
from .variants import find_variant


class CountingRules:
    """How a championship counts. Directions are 1 if more is better, -1 if less is."""

    def __init__(self, regulations, version, fewest=False):
        play, self.counting, self.version = regulations["play"], regulations["counting"], version
        self.table_direction = -1 if fewest or (find_variant(play) or {}).get("fewest") else 1
        self.total_direction = 1 if play["credit"] == "wins" else self.table_direction
        if version == 1:
            self.table_direction, self.total_direction = 1, -1 if self.counting.get("lowest_wins") else 1

    def count_kept_rounds(self, held):
        """Return the number of rounds of an entry that count after `held` rounds."""
        number = self.counting["number"]
        kept = {"best": min(number, held), "drop_worst": max(1, held - number) if held else 0}
        return kept.get(self.counting["what"], held)

    def may_count(self, one, strict):
        """Whether the points of a round may be added up. If strict, only final results may."""
        points, unfinished = one
        return points is not None and not (self.version > 1 and strict and unfinished)


def list_separators(own, keys, moment):
    """Return the recorded lots and cards, by number."""
    found = {"cut": {}, "lot": {}}
    for event in own:
        if event["type"] == "separator_recorded" and event["at"] <= moment:
            for player, value in event["body"]["values"].items():
                found[event["body"]["kind"]][keys[player]] = value
    return found


def rank_entries(told, scored, meetings, rules, held, recorded):
    """Return the numbers in groups of equal rank, the best first. Raise Unusable if a sum is wrong."""
    keep, worth, best = rules.count_kept_rounds(held), {}, {}
    for key, row in told.items():
        strict = rules.total_direction < 0 or row["off"] is not None
        may = [r for r in row["rounds"] if rules.may_count((r["points"], r.get("unfinished")), strict)]
        may.sort(key=lambda r: (-rules.total_direction * r["points"], r["round"]))
        counts = {r["round"] for r in may[:keep]}
        if any(r["counts"] != (r["round"] in counts) for r in row["rounds"]):
            raise Unusable("number %d: the wrong rounds count" % key)
        total = sum(r["points"] for r in row["rounds"] if r["counts"])
        exact = isinstance(row["total"], fractions.Fraction) == isinstance(total, fractions.Fraction)
        if not exact or (row["total"], row["sweeps"]) != (total, sum(r["sweeps"] for r in row["rounds"])):
            raise Unusable("number %d has %s points in total instead of %s" % (key, total, row["total"]))
        worth[key] = (rules.version > 1 and bool(counts), total)
        if strict:
            worth[key] = (len(counts), -(total if row["off"] is None else row["off"]))
        best[key] = [rules.total_direction * r["points"] for r in may]
    groups = _group_by_value(list(told), worth)
    for name in rules.counting["tie_breaks"]:
        groups = [
            part
            for group in groups
            for part in _apply_tie_break(group, name, told, scored, meetings, recorded, rules, best)
        ]
    return groups


def _group_by_value(group, values):
    """Group numbers by value, the highest first."""
    parts = {}
    for key in group:
        parts.setdefault(values[key], []).append(key)
    return [parts[value] for value in sorted(parts, reverse=True)]


def _apply_tie_break(group, name, told, scored, meetings, recorded, rules, best):
    """Split a group by one tie-break."""
    if len(group) == 1:
        return [group]
    if name == "direct_encounter":
        won, met = dict.fromkeys(group, 0), set()
        for (one, other), (mine, theirs) in meetings:
            lead = rules.table_direction * (mine - theirs)
            for side, by, against in ((one, lead, other), (other, -lead, one)):
                for a in set(group).intersection(side):
                    for b in set(group).intersection(against):
                        met.add((a, b))
                        won[a] += (by > 0) + (by >= 0)
        return _group_by_value(group, won) if len(met) == len(group) * (len(group) - 1) else [group]
    if name in ("cut", "lot"):
        values = recorded[name]
        sign = 1 if name == "cut" else -1
        return (
            _group_by_value(group, {key: sign * values[key] for key in group})
            if set(group) <= values.keys()
            else [group]
        )
    if name == "sweeps":
        return _group_by_value(group, {key: told[key]["sweeps"] for key in group})
    if name == "wins":
        return _group_by_value(group, {key: sum(r.won for r in scored.get(key, [])) for key in group})
    if name == "table_points":
        return _group_by_value(
            group, {key: _sum_table_points(scored.get(key, []), rules.table_direction) for key in group}
        )
    part = slice(0, 1) if name == "highest_round" else slice(1, None)
    return _group_by_value(group, {key: tuple(best[key][part]) for key in group})


def _sum_table_points(given, direction):
    """Return the table points of an entry, comparable in the direction of the game."""
    if direction > 0:
        return (sum(r.table or 0 for r in given),)
    final = [r.table for r in given if r.table is not None and r.played and not r.unfinished]
    return len(final), -sum(final)
