"""The order of a ranking: sums, places, tie-breaks."""

from __future__ import annotations

import fractions

from .buchholz import sum_strengths
from .match_points import counts_matches
from .report import Unusable
from .variants import find_variant


class CountingRules:
    """How a championship counts. Directions are 1 if more is better, -1 if less is."""

    def __init__(self, regulations, version, fewest=False):
        play, self.counting, self.version = regulations["play"], regulations["counting"], version
        self.table_direction = -1 if fewest or (find_variant(play) or {}).get("fewest") else 1
        most = play["credit"] == "wins" or counts_matches(self.counting)
        self.total_direction = 1 if most else self.table_direction
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


def sum_rounds(rounds, rules, held, strict):
    """Return the numbers of the rounds that count, and their total.

    Rounds are (number, points, unfinished).
    """
    may = [one for one in rounds if rules.may_count(one[1:], strict)]
    may.sort(key=lambda one: (-rules.total_direction * one[1], one[0]))
    counts = {one[0] for one in may[: rules.count_kept_rounds(held)]}
    if rules.counting["what"] == "last_round":
        counts &= {max((one[0] for one in rounds), default=0)}
    total = sum(one[1] for one in may if one[0] in counts)
    if rules.counting["what"] == "average" and counts:
        total = fractions.Fraction(total, len(counts))
    return counts, total


def count_strengths(told, scored, met, rules, held, totals):
    """Return Buchholz by number: what opponents did not play counts as the regulations say."""
    worth, as_opponent = rules.counting.get("buchholz_unplayed"), dict(totals)
    for key in told if worth is not None else ():
        played = [(r.round, r.points, r.unfinished) for r in scored.get(key, []) if r.played]
        missed = set(range(1, held + 1)) - {one[0] for one in played}
        given = [*played, *((number, worth, None) for number in missed)]
        as_opponent[key] = sum_rounds(given, rules, held, rules.total_direction < 0)[1]
    byes = {key: sum(not (r.played or r.absent or r.broken_off) for r in scored.get(key, [])) for key in told}
    return sum_strengths(totals, as_opponent, met, byes)


def weigh_last_round(given, counts, points):
    """Return the order by the last round of an entry: the round, the table, the points there."""
    if not given:
        return (0,)
    last = max(given, key=lambda one: (one.round, one.played))
    return last.round, -(last.at if last.played else 1 << 20), len(counts), points


def rank_entries(told, scored, meetings, met, rules, held, recorded, places=None):
    """Return the numbers in groups of equal rank, the best first. Raise Unusable if a sum is wrong."""
    worth, best, totals, what = {}, {}, {}, rules.counting["what"]
    for key, row in told.items():
        strict = rules.total_direction < 0 or row["off"] is not None
        rounds = [(r["round"], r["points"], r.get("unfinished")) for r in row["rounds"]]
        counts, total = sum_rounds(rounds, rules, held, strict)
        if any(r["counts"] != (r["round"] in counts) for r in row["rounds"]):
            raise Unusable("number %d: the wrong rounds count" % key)
        if (row["total"], row["sweeps"]) != (total, sum(r["sweeps"] for r in row["rounds"])):
            raise Unusable("number %d has %s points in total instead of %s" % (key, total, row["total"]))
        totals[key] = total
        worth[key] = (rules.version > 1 and bool(counts), total)
        if strict:
            worth[key] = (len(counts), -(total if row["off"] is None else row["off"]))
        if what == "average":
            there = bool(counts) + (len(counts) >= rules.counting["number"])
            worth[key] = (there, rules.total_direction * total)
        if what == "last_round":
            worth[key] = weigh_last_round(scored.get(key, []), counts, rules.total_direction * total)
        if places is not None:
            worth[key] = (-places.get(key, max(places.values(), default=0) + 1),)
        may = [one[1] for one in rounds if rules.may_count(one[1:], strict)]
        best[key] = sorted((rules.total_direction * points for points in may), reverse=True)
    strengths = {}
    if "buchholz" in rules.counting["tie_breaks"]:
        strengths = count_strengths(told, scored, met, rules, held, totals)
        strengths = {key: rules.total_direction * value for key, value in strengths.items()}
    groups = _group_by_value(list(told), worth)
    for name in rules.counting["tie_breaks"]:
        groups = [
            part
            for group in groups
            for part in _apply_tie_break(
                group, name, told, scored, meetings, recorded, rules, best, strengths
            )
        ]
    return groups


def _group_by_value(group, values):
    """Group numbers by value, the highest first."""
    parts = {}
    for key in group:
        parts.setdefault(values[key], []).append(key)
    return [parts[value] for value in sorted(parts, reverse=True)]


def _apply_tie_break(group, name, told, scored, meetings, recorded, rules, best, strengths):
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
    if name == "buchholz":
        return _group_by_value(group, strengths)
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


def read_row(row):
    """Return a row of a ranking with its fractions as numbers. Raise Unusable for another text."""
    rounds = [dict(one, points=read_figure(one["points"])) for one in row["rounds"]]
    return dict(row, total=read_figure(row["total"]), off=read_figure(row["off"]), rounds=rounds)


def read_figure(value):
    """Return points; a fraction that is not whole is written "n/d" in lowest terms."""
    if not isinstance(value, str):
        return value
    above, _, below = value.partition("/")
    try:
        found = fractions.Fraction(int(above), int(below))
    except (ValueError, ZeroDivisionError):
        raise Unusable("%r is no number" % value) from None
    if found.denominator == 1 or value != str(found):
        raise Unusable("%r is no fraction in lowest terms" % value)
    return found


def write_exact_number(value):
    """Write an exact number as files have it."""
    return value.numerator if value.denominator == 1 else "%d/%d" % (value.numerator, value.denominator)
