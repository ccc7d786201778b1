"""Tables drawn from the queue of an open session: the document, and what they have to keep."""

from __future__ import annotations

import collections
import functools
import itertools

from .entries import list_merged_at, list_pairs_at, list_persons_at, list_tables_at
from .regulations import get_pairing, read_regulations_at
from .system_documents import NO_CREDITS, PLAIN_COUNTING, find_withdrawn

KNOWN_QUEUE_VERSION = "open/1"
LONG_QUEUE = 40
"""Starts up to which the search of the platform is never cut short."""


def check_queue_draw(export, where, drawn, number, rounds, own, moment):
    """Check one draw from a queue: who can have waited, at which tables they had sat, and the new tables."""
    differs = functools.partial(export.report.add_difference, where)
    told, players = drawn["problem"], drawn["players"]
    regulations = read_regulations_at(own, moment)
    size, partners = regulations["play"]["seats"], regulations["play"]["format"] != "solo"
    system, options = get_pairing(regulations)
    frame = {
        "system": system,
        "size": size,
        "partners": partners,
        "rounds": None,
        "direction": 1,
        "plan_seed": "",
        "counting": dict(PLAIN_COUNTING, what="sum", number=0, tie_breaks=None),
        "broken_off": None,
        **NO_CREDITS,
    }
    other = sorted(name for name, value in frame.items() if told.get(name) != value)
    if other or told.keys() != {*frame, "options", "entrants", "past", "apart"}:
        differs("it was drawn by something else than the regulations: %s" % (", ".join(other) or "more"))
    mix = told["options"].get("mix")
    if drawn["algorithm"].partition("/")[0] != system or set(told["options"]) != {"mix"} or mix < 0:
        differs("its pairing system or options are not those of the regulations")
    elif mix != options.get("mix", 0):
        export.report.notes.append("%s: tables waited for %d more than they seat" % (where, mix))
    entered = {e["body"]["player"]: e["body"]["number"] for e in own if e["type"] == "entry_added"}
    person_of, merged = list_persons_at(own, moment), list_merged_at(own, moment)
    order = [entered[player] for player in players]
    persons = [person_of[player] for player in players]
    if order != sorted(set(order)) or len(set(persons)) < len(persons):
        differs("its starts are not one a person, in the order of their numbers")
    units = {key: [player] for key, player in zip(order, players)}
    if regulations["play"]["format"] == "fixed_pairs":
        units = {key: members for key, members in list_pairs_at(own, moment) if set(members) & set(players)}
        if sorted(player for members in units.values() for player in members) != sorted(players):
            differs("its pairs are not those of the log")
            return
    entrants = [
        {
            "ref": "n%04d" % key,
            "members": ["%04d" % at for at, player in enumerate(players) if player in members],
            "team": None,
            "from_round": 1,
            "until_round": None,
        }
        for key, members in sorted(units.items())
    ]
    said = [dict(one, start_rank=None) for one in told["entrants"]]
    if (
        any(one.pop("reserves", None) for one in said)
        or said != [dict(one, start_rank=None) for one in entrants]
        or sorted(one["start_rank"] for one in told["entrants"]) != list(range(1, len(units) + 1))
    ):
        differs("its entrants are not those of the log")
        return
    sat = [list_tables_at(one, moment, before=True) for one in rounds]
    busy = {
        person_of[player]
        for one, tables in zip(rounds, sat)
        for place, seated in tables.items()
        if not has_ended(one, place, moment)
        for player in seated
    }
    if busy & set(persons):
        differs("it seats somebody who still played at a table")
    if {player for tables in sat for seated in tables.values() for player in seated} & set(players):
        differs("it seats a start that had a seat already")
    if set(players) & (find_withdrawn(own, moment, number) | set(merged)):
        differs("it seats a start that was taken back")
    index = {person: "%04d" % at for at, person in enumerate(persons)}
    if told["past"] != rebuild_tables(sat, person_of, index):
        differs("it did not start from the tables before it")
        return
    for fault in check_queue_tables(export, where, drawn, size, mix):
        differs(fault)


def has_ended(one, place, moment):
    """Whether the game at a table of a round was over before a moment."""
    games = [
        e["body"]["game"]
        for e in one.stream.events
        if e["type"] == "table_opened" and e["body"]["table"] == place and e["at"] < moment
    ]
    stream = one.streams.get(games[-1]) if games else None
    ends = [
        e["type"]
        for e in (stream.events if stream is not None else [])
        if e["at"] < moment and e["type"] in ("game_ended", "game_closed", "game_resumed")
    ]
    return bool(ends) and ends[-1] != "game_resumed"


def rebuild_tables(sat, person_of, index):
    """Return the tables so far at which somebody has sat who waits, as a document tells them."""
    past, others = [], {}
    for number, tables in enumerate(sat, 1):
        found = []
        for place in sorted(tables):
            people = [person_of[player] for player in tables[place]]
            if not set(people) & index.keys():
                continue
            names = [index.get(p) or others.setdefault(p, "x%d" % (len(others) + 1)) for p in people]
            found.append({"seats": names, "points": [], "deals": [], "broken_off": False, "walkover": []})
        if found:
            past.append(
                {"round": number, "tables": found, "byes": [], "absent": [], "no_show": [], "given": {}}
            )
    return past


def check_queue_tables(export, where, drawn, size, mix):
    """Check that everybody at the tables waited, once, and that no exchange of two would be better."""
    told = drawn["problem"]
    index = {player: at for at, player in enumerate(drawn["players"])}
    seated = [player for table in drawn["tables"] for player in table]
    if len(set(seated)) < len(seated) or not set(seated) <= index.keys():
        yield "it seats somebody twice, or who did not wait"
        return
    if not drawn["tables"] or any(len(table) != size for table in drawn["tables"]):
        yield "a table has not %d seats" % size
        return
    units = [[int(person) for person in one["members"]] for one in told["entrants"]]
    heads = size // max(map(len, units))
    sides = {frozenset(unit) for unit in units if len(unit) > 1}
    for table in drawn["tables"]:
        if sides and not {frozenset(index[player] for player in table[at::2]) for at in (0, 1)} <= sides:
            yield "it separates a pair"
            return
    full = max(len(units) - mix, 0) // heads
    if len(drawn["tables"]) > full or (len(drawn["tables"]) < full and not list_apart(told, "hard")):
        yield "it seats %d tables, and the queue fills %d" % (len(drawn["tables"]), full)
    if drawn["algorithm"] != KNOWN_QUEUE_VERSION:
        export.report.unproven.append("%s: what %s has to keep" % (where, drawn["algorithm"]))
        return
    known = {int(s) for one in told["past"] for t in one["tables"] for s in t["seats"] if s.isdecimal()}
    if not known <= set(index.values()):
        yield "its past names somebody who did not wait"
        return
    if len(drawn["tables"]) < full:
        export.report.unproven.append("%s: who sits with whom, since people are kept apart" % where)
        return
    unit_of = {person: at for at, unit in enumerate(units) for person in unit}
    tables = [sorted({unit_of[index[player]] for player in table}) for table in drawn["tables"]]
    better = find_better_exchange(told, units, tables)
    if better is None:
        return
    if len(index) <= LONG_QUEUE:
        yield better
    else:
        told = (
            "%s: whether its long queue has nothing better (%s): give the problem and the seed of its event"
        )
        told += " to python -m tournaments.pairing next, which draws it again"
        export.report.unproven.append(told % (where, better))


def list_apart(told, strength):
    """Return the pairs of starts, by their numbers, whose people are kept apart so."""
    number_of = {one["ref"]: at for at, one in enumerate(told["entrants"])}
    return {
        frozenset((number_of[a], number_of[b]))
        for a, b, how in told["apart"]
        if how == strength and a in number_of and b in number_of
    }


def find_better_exchange(told, units, tables):
    """Return what exchange of two starts would make better, or None.

    Compared are the same people again, the first of the queue left waiting, and meetings. units: the persons
    of each start; tables: their numbers.
    """
    met, whole = collections.Counter(), set()
    for one in told["past"]:
        for table in one["tables"]:
            whole.add(frozenset(table["seats"]))
            met.update(frozenset(pair) for pair in itertools.combinations(table["seats"], 2))
    apart = list_apart(told, "hard")
    ranks = [one["start_rank"] for one in told["entrants"]]
    first = ranks.index(min(ranks))
    names = [["%04d" % person for person in unit] for unit in units]
    for one, other in list_apart(told, "soft") - apart:  # as if they had met once more
        met.update(frozenset((a, b)) for a in names[one] for b in names[other])

    def compute_cost(table):
        pairs = list(itertools.combinations(table, 2))
        return (
            sum(frozenset(pair) in apart for pair in pairs),
            frozenset(name for at in table for name in names[at]) in whole,
            -(first in table),
            sum(met[frozenset((a, b))] for one, other in pairs for a in names[one] for b in names[other]),
        )

    costs = [compute_cost(table) for table in tables]
    waiting = sorted(set(range(len(units))) - {unit for table in tables for unit in table})
    for at, table in enumerate(tables):
        others = [(None, person) for person in waiting]
        others += [(n, person) for n in range(at + 1, len(tables)) for person in tables[n]]
        for (n, other), person in itertools.product(others, table):
            before, after = costs[at], compute_cost([other if p == person else p for p in table])
            if n is not None:
                before = tuple(map(sum, zip(before, costs[n])))
                there = compute_cost([person if p == other else p for p in tables[n]])
                after = tuple(map(sum, zip(after, there)))
            if after < before:
                refs = [int(one["ref"][1:]) for one in told["entrants"]]
                return "number %d in place of number %d would have been better" % (refs[other], refs[person])
    return None


def check_queue_draws(export, rounds, own):
    """Check all draws from queues, and count them for the report. Return their number."""
    count = 0
    for number, one in enumerate(rounds, 1):
        faults = len(export.report.differences)
        for drawn, _period, _entropy, moment in one.queue_draws:
            where = "%s, draw %d from its queue" % (one.where, drawn["draw"])
            try:
                check_queue_draw(export, where, drawn, number, rounds, own, moment)
            except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
                export.report.add_difference(where, "it cannot be followed: %r" % (error,))
        count += len(one.queue_draws)
        if one.queue_draws and len(export.report.differences) == faults:
            told = "%s: %d draws from its queue keep what they have to" % (one.where, len(one.queue_draws))
            export.report.checked.append(told)
    return count
