"""Who has qualified by the steps of a series, found again from the rankings (docs/developers/series.md)."""

from __future__ import annotations

import math

from .draw_problem import SeededNumbers
from .report import Unusable
from .season_tables import compute_season, fill_rules, parse_exact_number

QUALIFY_DEFAULTS = {"from": None, "to": None, "steps": [], "level": "all"}
STEP_DEFAULTS = {
    "kind": None,
    "count": None,
    "of": "each",
    "percent": None,
    "round": "up",
    "points": None,
    "fill_to": None,
    "category": None,
    "lapse": False,
}


class RankedResult:
    """The result of a person in an event, or in the table of the series (None); the higher worth is better.

    line: what partners share.
    """

    def __init__(self, person, event, place, worth, line):
        self.person, self.event, self.place, self.worth, self.line = person, event, place, worth, line

    def is_level_with(self, other):
        """Whether a step cannot separate the two."""
        return self.worth == other.worth or (self.event, self.place) == (other.event, other.place)


def group_by_line(results):
    """Return lists of the results of one line, in the order in which the lines begin."""
    found = {}
    for one in results:
        found.setdefault((one.event, one.line), []).append(one)
    return list(found.values())


class TicketFinder:
    """The steps applied in turn. `tickets`: person → event, place, step; `waiting`: persons in order.

    rules: those of the series; order: the keys of all events; cancelled: those of cancelled ones; categories:
    words by person, by event.
    """

    def __init__(self, rules, events, order, cancelled, said, seed, categories):
        self.rules = fill_rules(rules["qualify"], QUALIFY_DEFAULTS)
        self.said, self.seed, self.categories = said, seed, {}
        sources = self.rules["from"]
        if sources is None:
            sources = [key for key in order if key != self.rules["to"]]
        by_key = {event.key: event for event in events}
        self.events = [by_key[key] for key in dict.fromkeys(sources) if key in by_key]
        for event in self.events:
            for person, words in categories.get(event.key, {}).items():
                self.categories.setdefault(person, set()).update(words)
        self.alike = len({event.direction for event in self.events}) <= 1
        self.tickets, self.wanted, self.lots = {}, {}, {}
        self.results = {}
        self.partners, self.line_of = {}, {}  # persons by event and line, line by event and person
        for event in self.events:
            found = [
                RankedResult(person, event.key, place, event.direction * total, line)
                for place, person, total, line in event.rows
            ]
            self.register(found)
            self.results[event.key] = sorted(found, key=lambda one: (one.place, self.draw_lot(one)))
        self.overall = self.order_persons([one for found in self.results.values() for one in found])
        self.season = None
        if any(step.get("kind") == "table" for step in self.rules["steps"]):
            missed = len(set(sources) & set(cancelled))
            self.season = self.order_season(compute_season(rules, self.events, order, missed))
        self.find()

    def register(self, results):
        """Note who is of which line."""
        for one in results:
            self.partners.setdefault((one.event, one.line), []).append(one.person)
            self.line_of[one.event, one.person] = one.line

    def draw_lot(self, one):
        """Return the best lot of the partners, and the own one: the lowest goes first."""
        partners = self.partners[one.event, one.line]
        return min(map(self.draw_own_lot, partners)), self.draw_own_lot(one.person)

    def draw_own_lot(self, person):
        """Return the lot of a person."""
        if person not in self.lots:
            numbers = SeededNumbers(self.seed.encode(), "series/lot/" + person)
            self.lots[person] = numbers.draw_below(2**32), person
        return self.lots[person]

    def count_places(self):
        """Return the places in use: partners with tickets by one line need one."""
        lines = {
            (event, self.line_of[event, person])
            for person, (event, place, _why) in self.tickets.items()
            if place is not None
        }
        return len(lines) + sum(place is None for _event, place, _why in self.tickets.values())

    def compare(self, one):
        """Return the key that orders results of several events: the lower one is better."""
        worth = -one.worth if self.alike else 0
        return (worth,) if self.rules["level"] == "lot" else (worth, one.place)

    def order_persons(self, results):
        """Return the best result of each person, best first."""
        best = {}
        for one in results:
            known = best.get(one.person)
            if known is None or (*self.compare(one), one.place) < (*self.compare(known), known.place):
                best[one.person] = one
        return sorted(best.values(), key=lambda one: (self.compare(one), self.draw_lot(one)))

    def order_season(self, rows):
        """Return the persons with a place in the table, best first. Partners had one line in each event."""
        found, lines = [], {}
        for event in self.events:
            for _place, person, _total, line in event.rows:
                lines[person] = (*lines.get(person, ()), (event.key, line))
        for row in rows:
            if row["place"] is None:
                continue
            level = found and parse_exact_number(row["total"]) == parse_exact_number(
                rows[len(found) - 1]["total"]
            )
            worth = found[-1].worth if level else -len(found)
            found.append(RankedResult(row["ref"], None, row["place"], worth, lines[row["ref"]]))
        self.register(found)
        if self.rules["level"] == "lot":
            return sorted(found, key=lambda one: (-one.worth, self.draw_lot(one)))
        return sorted(found, key=lambda one: (-one.worth, one.place, self.draw_lot(one)))

    def find(self):
        """Apply the steps, then what was said of the tickets."""
        for step in self.rules["steps"]:
            self.apply(fill_rules(step, STEP_DEFAULTS))
        declined = self.said["declined"]
        order = self.overall if self.season is None else self.season
        self.waiting = [one for one in order if one.person not in self.tickets and one.person not in declined]
        for person in [person for person in self.tickets if person in declined]:
            del self.tickets[person]
            wanted = self.wanted.get(person)
            fitting = [one for one in self.waiting if wanted in self.categories.get(one.person, ())]
            for one in (fitting or self.waiting)[:1]:
                self.waiting.remove(one)
                self.give(one, "replacement")
        for person in self.said["accepted"]:
            if person not in declined:
                self.tickets.setdefault(person, (None, None, "accepted"))
        self.waiting = [one.person for one in self.waiting if one.person not in self.tickets]

    def give(self, one, why):
        """Give a ticket to who has none."""
        self.tickets.setdefault(one.person, (one.event, one.place, why))

    def apply(self, step):
        """Apply one step."""
        kind = step["kind"]
        if kind in ("holder", "wild_card"):
            for person in self.said["holders" if kind == "holder" else "wild_cards"]:
                self.tickets.setdefault(person, (None, None, kind))
        elif kind == "threshold":
            least = parse_exact_number(step["points"])
            direction = {event.key: event.direction for event in self.events}
            reached = [
                one
                for found in self.results.values()
                for one in found
                if one.worth >= direction[one.event] * least
            ]
            for one in self.order_persons(reached):
                self.give(one, kind)
        elif kind == "share":
            for found in self.results.values():
                exact = parse_exact_number(step["percent"]) * len(group_by_line(found)) / 100
                self.take(found, (math.ceil if step["round"] == "up" else math.floor)(exact), step)
        elif kind == "first" and step["of"] == "each":
            for found in self.results.values():
                self.take(found, step["count"], step)
        elif kind == "table":
            self.take(self.season, step["count"], step)
        elif kind in ("first", "best_rest", "category"):
            self.take_overall(step)
        else:
            raise Unusable("a step is not known to this program: %r" % (kind,))

    def take_overall(self, step):
        """Take from the best results of all persons."""
        if not self.alike:
            raise Unusable("a step compares totals of events of both directions")
        if step["kind"] == "first":
            self.take(self.overall, step["count"], step)
        elif step["kind"] == "best_rest":
            self.take(self.overall, step["fill_to"] - self.count_places(), step)
        else:
            before, category = set(self.tickets), step["category"]
            fitting = [one for one in self.overall if category in self.categories.get(one.person, ())]
            self.take(fitting, 1 if step["count"] is None else step["count"], step)
            self.wanted.update(dict.fromkeys(set(self.tickets) - before, category))

    def take(self, found, count, step):
        """Give tickets to the first lines, and decide between those level at the last place."""
        lapses = step["lapse"] and step["kind"] in ("first", "share", "table")
        left = group_by_line(one for one in found if lapses or one.person not in self.tickets)
        if count <= 0:
            return
        chosen = left[:count]
        if count < len(left) and left[count - 1][0].is_level_with(left[count][0]):
            start, end = count - 1, count + 1
            while start > 0 and left[start - 1][0].is_level_with(left[start][0]):
                start -= 1
            while end < len(left) and left[end - 1][0].is_level_with(left[end][0]):
                end += 1
            if self.rules["level"] == "all":
                chosen = left[:end]
            elif self.rules["level"] == "lot":
                lots = sorted(left[start:end], key=lambda line: self.draw_lot(line[0]))[: count - start]
                chosen = left[:start] + [one for one in left[start:end] if one in lots]
        for line in chosen:
            for one in line:
                self.give(one, step["kind"])

    def write(self):
        """Return the qualification as a series publishes it."""
        return {
            "qualified": [
                {"ref": person, "from": event, "place": place, "why": why}
                for person, (event, place, why) in self.tickets.items()
            ],
            "waiting": self.waiting,
        }
