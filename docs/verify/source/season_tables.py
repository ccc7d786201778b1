"""The table of a series, computed again from the rankings of its events (docs/developers/series.md)."""

from __future__ import annotations

import collections
import fractions

from .ranking_order import write_exact_number
from .report import Unusable

Exact = fractions.Fraction
RULE_DEFAULTS = {
    "table": {},
    "best": None,
    "always": [],
    "weights": {},
    "least": None,
    "average_below": 0,
    "cancelled": "keep",
    "total": "sum",
    "ties": [],
    "teams": None,
    "qualify": None,
}
TEAM_DEFAULTS = {"size": None, "best": None}
TABLE_DEFAULTS = {"kind": "points", "points": [], "rest": 0, "shared": "mean", "direction": None}


class RankedEvent:
    """An event that counts. rows: place, person, exact total, and a line that partners share."""

    def __init__(self, key, direction, weight, rows):
        self.key, self.direction, self.weight, self.rows = key, direction, weight, rows


def fill_rules(given, defaults):
    """Return rules with the defaults of what they leave out. Raise Unusable for an unknown rule."""
    if not isinstance(given, dict):
        raise Unusable("its rules cannot be read")
    strange = [name for name in given if name not in defaults and given[name]]
    if strange:
        raise Unusable("a rule is not known to this program: %s" % ", ".join(sorted(strange)))
    return dict(defaults, **given)


def parse_exact_number(value):
    """Return a number of a file exactly: whole, a decimal, or "n/d"."""
    return Exact(str(value))


def value_of_places(rows, table):
    """Return the points of each place; partners share one without dividing it."""
    points, rest = [parse_exact_number(one) for one in table["points"]], parse_exact_number(table["rest"])
    lines, values = {}, {}
    for place, _person, _total, line in rows:
        lines.setdefault(place, set()).add(line)
    for place, sharing in lines.items():
        worth = [points[at - 1] if at <= len(points) else rest for at in range(place, place + len(sharing))]
        values[place] = worth[0] if table["shared"] == "better" else sum(worth) / len(worth)
    return values


def value_event(event, table):
    """Return the unweighted value of an event for each person."""
    if table["kind"] == "places":
        values = value_of_places(event.rows, table)
        return {person: values[place] for place, person, _total, _line in event.rows}
    totals = {person: total for _place, person, total, _line in event.rows}
    if table["kind"] == "points":
        return totals
    if table["kind"] != "percent":
        raise Unusable("its table is of a kind that this program does not know: %r" % (table["kind"],))
    if not any(totals.values()):
        return dict.fromkeys(totals, Exact(100))
    mean = sum(totals.values()) / len(totals)
    return {person: total * 100 / mean for person, total in totals.items()}


class Season:
    """What the events of a person or a team come to.

    values: by event, weighted, without those that do not count; compared: by event, those too; held, wins:
    numbers of own events and of first places; members: of a team, those who count.
    """

    def __init__(self, name, total, ranked, values, compared, held, wins, members=None):
        self.name, self.total, self.ranked, self.values, self.compared = name, total, ranked, values, compared
        self.held, self.wins, self.members = held, wins, members

    def write(self, place):
        """Return the row as it is published."""
        row = {"place": place, "ref": self.name, "total": write_exact_number(self.total)}
        return row if self.members is None else dict(row, members=self.members)


def compute_season(rules, events, order, cancelled):
    """Return the rows of a table as a series publishes them.

    events: those that count; order: the keys of all events; cancelled: how many are cancelled.
    """
    rules = fill_rules(rules, RULE_DEFAULTS)
    seasons, direction = _count_persons(rules, events, cancelled)
    return _place_seasons(seasons, rules["ties"], direction, order)


def compute_team_season(rules, events, order, cancelled, team_of):
    """Return the rows of the table of teams as a series publishes them. team_of: team by person."""
    rules = fill_rules(rules, RULE_DEFAULTS)
    limits = fill_rules(rules["teams"], TEAM_DEFAULTS)
    seasons, direction = _count_persons(rules, events, cancelled)
    members = {}
    for season in seasons:
        if season.name in team_of:
            members.setdefault(team_of[season.name], []).append(season)
    teams, complete = [], limits["best"] or limits["size"]
    for team, found in sorted(members.items()):
        if len(found) > limits["size"]:
            raise Unusable("team %s has %d members instead of %d" % (team, len(found), limits["size"]))
        found = sorted(
            (one for one in found if one.ranked), key=lambda one: (-direction * one.total, one.name)
        )
        counted, values = found[: limits["best"]], {}
        for one in counted:
            for key, value in one.values.items():
                values[key] = values.get(key, 0) + value
        ranked = len(counted) == complete or (direction > 0 and bool(counted))
        total, wins = sum((one.total for one in counted), Exact(0)), sum(one.wins for one in counted)
        names = [one.name for one in counted]
        teams.append(Season(team, total, ranked, values, values, len(values), wins, names))
    return _place_seasons(teams, rules["ties"], direction, order)


def _count_persons(rules, events, cancelled):
    """Return the seasons of all persons by reference, and the direction of the table."""
    table = fill_rules(rules["table"], TABLE_DEFAULTS)
    direction = 1 if table["kind"] == "places" else next((event.direction for event in events), 1)
    if table["kind"] != "places" and any(event.direction != direction for event in events):
        raise Unusable("in some events the most points win and in others the fewest")
    own = {event.key: value_event(event, table) for event in events}
    weight = {event.key: event.weight for event in events}
    best = rules["best"]
    if best is not None and rules["cancelled"] == "reduce":
        best = max(1, best - cancelled)
    always = [key for key in own if key in rules["always"]]
    others = len(own) - len(always)
    needed = 1
    if direction < 0 and rules["total"] == "sum":
        needed = len(always) + min(others if best is None else best, others)
    wins = collections.Counter(row[1] for event in events for row in event.rows if row[0] == 1)
    seasons = []
    for person in sorted({person for values in own.values() for person in values}):
        mine = {key: values[person] for key, values in own.items() if person in values}
        held, missed = len(mine), len(own) - len(mine)
        if 0 < missed < rules["average_below"]:
            mean = sum(mine.values()) / held
            mine.update({key: mean for key in own if key not in mine})
        worth = {key: value * weight[key] for key, value in mine.items()}
        counted = sorted(
            (key for key in worth if key not in always), key=lambda k: (-direction * worth[k], k)
        )
        counted = counted[:best] + [key for key in always if key in worth]
        total = sum((worth[key] for key in counted), Exact(0))
        if rules["total"] == "average":
            divisor = sum(weight[key] for key in counted)
            total = total / divisor if divisor else Exact(0)
        ranked = len(counted) >= needed if rules["least"] is None else held >= rules["least"]
        kept = {key: worth[key] for key in counted}
        seasons.append(Season(person, total, ranked, kept, worth, held, wins[person]))
    return seasons, direction


def _compare_tie(name, season, direction, order):
    """Return what a tie rule compares: the higher one is better."""
    worth = season.compared
    if name == "most_events":
        return [season.held]
    if name == "wins":
        return [season.wins]
    if name == "best_event":
        return sorted((direction * value for value in worth.values()), reverse=True)
    if name == "last_event":
        return [(1, direction * worth[key]) if key in worth else (0, 0) for key in reversed(order)]
    raise Unusable("a tie rule is not known to this program: %r" % (name,))


def _place_seasons(seasons, ties, direction, order):
    """Return the rows by place, then those without one."""
    standing = {
        season.name: (
            direction * season.total,
            [_compare_tie(name, season, direction, order) for name in ties],
        )
        for season in seasons
    }
    ranked = sorted((one for one in seasons if one.ranked), key=lambda one: one.name)
    ranked.sort(key=lambda one: standing[one.name], reverse=True)
    rows, place = [], 0
    for at, one in enumerate(ranked):
        if at == 0 or standing[one.name] != standing[ranked[at - 1].name]:
            place = at + 1
        rows.append(one.write(place))
    return rows + [one.write(None) for one in seasons if not one.ranked]
