"""Results of tables, and points of byes."""

from __future__ import annotations

import collections
import fractions

from .event_chain import effective_events, start_body
from .match_points import convert_lead, counts_matches
from .regulations import count_deals_at_three, is_table_of_three
from .score_book import read_score_book
from .variants import find_variant


class TableResult:
    """The result of a table at a moment: totals, winners and sweeps."""

    def __init__(self, stream, moment, regulations):
        started = start_body(stream)
        scales = regulations["byes"].get("three") == "scaled"
        self.scaled = scales and is_table_of_three(started, regulations)
        book = read_score_book(stream, moment)
        self.sides = [book.get_side(seat) for seat in range(started["seats"])]
        self.totals, self.winners = book.totals, book.winners
        self.swept, self.ruled = book.find_sweeps()
        self.against_field = []
        written, rulings = {}, {}  # points by deal; ruling → deal and its points after it
        deals, closed, ended = {}, False, False  # deals: number -> whether all its scores are known
        for event in effective_events(stream, moment):
            kind, body = event["type"], event["body"]
            closed = kind == "game_closed" or (closed and kind != "game_resumed")
            ended = ended or kind == "game_ended"
            if kind == "deal_annulled":
                deals.pop(body["deal"], None)
            if kind in ("deal_scored", "result_entered", "result_corrected"):
                written[body["deal"]] = body["scores"]
            if kind == "ruling_made":
                rulings.pop(body.get("replaces"), None)
                if body.get("scores") is not None and body.get("deal") is not None:
                    rulings[body["ruling"]] = body["deal"], body["scores"]
            ruled = kind == "ruling_made" and body.get("deal") in deals and body["kind"] != "annul_deal"
            if ruled or kind in ("deal_scored", "result_entered", "result_corrected"):
                deals[body["deal"]] = None not in body["scores"]
        planned = 1 if started.get("hand_in") == "totals" else started["options"].get("deals")
        ruled = dict(rulings.values())
        counted = {deal: ruled.get(deal, written.get(deal)) for deal in deals}
        last = count_deals_at_three(started, regulations)
        self.by_deal = [counted.get(deal) for deal in range(1, last + 1)]
        self.outside = [
            total - sum(points[side] or 0 for points in counted.values() if points)
            for side, total in enumerate(self.totals)
        ]
        self.closed = closed
        self.complete = (ended and not closed) or bool(planned and planned <= len(deals))
        self.has_result = self.complete or any(deals.values()) or any(self.totals)
        self.is_replaced = "broken_off" in regulations and closed and not self.complete

    def credit(self, side, kind, version):
        """Return the points of a seat: those of its side, or one for each beaten opponent.

        None means no result, or no winner yet where wins count (0 in version 1).
        """
        if version > 1 and not (self.has_result and (kind != "wins" or self.winners)):
            return None
        if kind == "field":
            return self.against_field[side] if side < len(self.against_field) else None
        if kind != "wins":
            total = self.totals[side]
            return (8 * total + 3) // 6 if self.scaled else total
        beaten = sum(other not in self.winners for other in self.sides) if side in self.winners else 0
        return (6 * beaten + 2) // 4 if self.scaled else beaten

    def give(self, side, regulations, version):
        """Return what counts of this table for a side; None without a result. Raise Unusable."""
        counting = regulations["counting"]
        if not counts_matches(counting):
            return self.credit(side, regulations["play"]["credit"], version)
        if not self.has_result or len(self.totals) != 2:
            return None
        fewest = (find_variant(regulations["play"]) or {}).get("fewest")
        lead = self.totals[side] - self.totals[1 - side]
        return convert_lead(counting, -lead if fewest else lead)

    def leads(self, side, regulations):
        """Whether a side has better points than every other."""
        sign = -1 if (find_variant(regulations["play"]) or {}).get("fewest") else 1
        rest = [total for at, total in enumerate(self.totals) if at != side]
        return self.has_result and all(sign * (self.totals[side] - total) > 0 for total in rest)


def read_results(streams, games, moment, regulations):
    """Return the results of the tables of a round at a moment, compared with each other if that counts."""
    results = [TableResult(streams[game], moment, regulations) for game in games]
    if regulations["play"]["credit"] == "field":
        for size in {len(one.sides) for one in results}:
            compare_tables([one for one in results if len(one.sides) == size])
    return results


def compare_tables(tables):
    """Count each side of these tables against the same side of the others, deal by deal.

    A table that misses a deal counts the mean of its other deals there.
    """
    held = set()
    for table in tables:
        held.update(number for number, points in enumerate(table.by_deal) if points and any_known(points))
    for table in tables:
        table.against_field = []
        for side, beside in enumerate(table.outside):
            found = []
            for number, points in enumerate(table.by_deal):
                others = [
                    other.by_deal[number][side]
                    for other in tables
                    if other is not table and number < len(other.by_deal) and other.by_deal[number]
                ]
                others = [value for value in others if value is not None]
                if points and points[side] is not None and others:
                    found.append(points[side] - fractions.Fraction(sum(others), len(others)))
            mean = sum(found) / len(found) if found else None
            table.against_field.append(None if mean is None else mean * len(held) + beside)


def any_known(points):
    """Whether any side of a deal has points."""
    return any(value is not None for value in points)


def has_unknown_sides(stream):
    """Whether it is unknown which seats of a game form a side."""
    started = start_body(stream)
    two_of_four = (started["seats"], started["sides"]) == (4, 2)
    bid = any(event["type"] == "auction_won" for event in stream.events)
    return find_variant(started) is None and two_of_four and bid


RoundScore = collections.namedtuple(
    "Scored", "round points sweeps played table won unfinished at absent broken_off", defaults=(False, False)
)
"""One round of one entry.

points: None without a result; sweeps: None if they cannot be counted; unfinished: why a result is not final;
at: the number of the table, 0 for a bye; absent: the round was missed; broken_off: the table was, and a
credit counts in its place.
"""


def score_round(result, number, side, regulations, version, at):
    """Return the score of a seat at a table in a round."""
    points, won = result.give(side, regulations, version), result.winners == [side]
    sweeps, table, unfinished = None if result.ruled else result.swept.count(side), result.totals[side], None
    if version > 1:
        if not result.complete:
            there = ("so_far", "broken_off") if result.has_result else ("none_yet", "none")
            unfinished = there[result.closed]
        if points is None and result.has_result:
            unfinished = "none" if result.complete or result.closed else "none_yet"
        if not result.has_result:
            sweeps, table = 0, None
    return RoundScore(number, points, sweeps, True, table, won, unfinished, at, False, result.is_replaced)


def compute_bye_points(regulations, results, version):
    """Return the points of a bye in a round with these results, or None if no table has one."""
    found = compute_unplayed_points(regulations["byes"], regulations, results, version)
    return 0 if found is None and version == 1 else found


def compute_unplayed_points(rules, regulations, results, version, direction=1):
    """Return what a round with these results gives to who did not play it, or None if no table has one.

    Where the average of own rounds counts, this is that of people without any final result.
    """
    worth = rules["points"]
    if worth == "fixed":
        return rules["fixed"]
    if worth == "win" and regulations["counting"]["what"] == "matches":
        return 2
    credits = [
        (one.complete, one.leads(side, regulations), one.give(side, regulations, version))
        for one in results
        if not one.is_replaced
        for side in one.sides
    ]
    credits = [one for one in credits if one[2] is not None]
    there = [one for one in credits if one[0] or version == 1] or credits
    if worth == "win":
        there = [one for one in there if one[1]] or there
    given = [points for _, _, points in there]
    if not given:
        return None
    if worth == "worst":
        return min(given) if direction > 0 else max(given)
    return compute_average(given, regulations)


def compute_average(points, regulations):
    """Return the average of points: exact, or in earlier regulations a whole number, a half rounded up."""
    total, count = sum(points), len(points)
    if regulations.get("averages") == "exact":
        return fractions.Fraction(total) / count
    return (2 * total + count) // (2 * count)


def average_own(given, regulations):
    """Return the average of the final results of an entrant, or None without any."""
    own = [one.points for one in given if one.played and one.points is not None and not one.unfinished]
    return compute_average(own, regulations) if own else None


def count_own_mean(given, regulations):
    """Return the rounds of an entrant with the average of its final results for each bye, if it has any."""
    mean = average_own(given, regulations)
    return given if mean is None else [one if one.played else one._replace(points=mean) for one in given]


def count_absences(given, worth, regulations, stays, excused):
    """Return the rounds of an entrant with those that it missed.

    worth: what closed rounds give, in order; excused: the rounds missed with notice. Rounds before the first
    one and, of who has left, after the last one give nothing.
    """
    if not any(one.played for one in given):
        return given
    rules, there, mean = regulations["absences"], {one.round for one in given}, None
    if rules["points"] == "own":
        mean = average_own(given, regulations)
    missed = [
        (number, points)
        for number, points in worth
        if number > min(there) and number not in there and (stays or number < max(there))
        if number in excused or not rules.get("excused")
    ]
    more = [
        RoundScore(number, points if mean is None else mean, 0, False, 0, False, None, 0, True)
        for number, points in missed[: rules["most"]]
    ]
    return sorted([*given, *more], key=lambda one: one.round)


def count_broken_off(given, worth, regulations):
    """Return the rounds of an entrant with the credits of tables that were broken off, of the first ones.

    worth: what closed rounds give. Nothing else of such a table counts.
    """
    rules, worth, mean = regulations["broken_off"], dict(worth), None
    if rules["points"] == "own":
        mean = average_own(given, regulations)
    left = sorted(one.round for one in given if one.broken_off and one.round in worth)[: rules["most"]]
    found = []
    for one in given:
        if one.broken_off and one.round in worth:
            points = worth[one.round] if mean is None else mean
            one = RoundScore(
                one.round,
                points if one.round in left else None,
                0,
                False,
                0,
                False,
                None,
                one.at,
                False,
                True,
            )
        found.append(one)
    return found


def list_excused_at(own, moment):
    """Return the rounds that each player misses with notice, as noted at a moment."""
    found = {}
    for event in own:
        if event["type"] == "absences_excused" and event["at"] <= moment:
            found[event["body"]["player"]] = set(event["body"]["rounds"])
    return found


def count_unplayed(scored, regulations, values, stays, excused):
    """Return the rounds of all entrants, by key, with what they did not play to its end.

    values: for `absences` and `broken_off`, what closed rounds give; by key, stays: whether the entrant has
    not withdrawn, excused: the rounds missed with notice.
    """
    if "absences" in regulations:
        scored = {
            key: count_absences(one, values["absences"], regulations, stays[key], excused.get(key, ()))
            for key, one in scored.items()
        }
    if "broken_off" in regulations:
        worth = values["broken_off"]
        scored = {key: count_broken_off(one, worth, regulations) for key, one in scored.items()}
    return scored


def value_rounds(regulations, results_of, version, direction):
    """Return what closed rounds give, for `absences` and `broken_off`. results_of: (number, results)."""
    values = {}
    for kind in ("absences", "broken_off"):
        if kind in regulations:
            rules = regulations[kind]
            found = [
                (number, compute_unplayed_points(rules, regulations, results, version, direction))
                for number, results in results_of
            ]
            values[kind] = [one for one in found if one[1] is not None]
    return values


def find_counting_moment(one, streams, closed_at, moment):
    """Return the moment at which byes of a round were counted for a ranking.

    That is the closing of the round, or the last correction or ruling after it.
    """
    counted = [event for event in one.stream.events if event["type"] == "sitting_out_counted"]
    for game in one.games:
        for event in streams[game].events:
            by_office = event["type"].startswith("result_") and event["body"].get("reason") is not None
            if by_office or event["type"] in ("ruling_made", "deal_annulled"):
                counted.append(event)
    return max([closed_at, *(event["at"] for event in counted if event["at"] <= moment)])


def _merge_members(of_members):
    """Return the rounds of a pair: from a table if there is one, else from a bye."""
    rounds = {}
    for given in (given for one in of_members for given in one):
        before = rounds.get(given.round)
        if before is None or _precedence(given) > _precedence(before):
            rounds[given.round] = given
    return [rounds[number] for number in sorted(rounds)]


def _precedence(given):
    """Return the rank of a score among those of a pair: a table before a bye before none."""
    return 0 if given.points is None else 1 + given.played
