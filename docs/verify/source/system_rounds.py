"""Rounds by a pairing system: what each of them has to keep, checked without drawing it again."""

from __future__ import annotations

import collections
import fractions
import itertools

from .brackets import build_bracket
from .buchholz import list_opponents, sum_strengths
from .match_points import MATCH_COUNTINGS, convert_lead, counts_matches
from .ranking_order import read_figure


class SystemRound:
    """A drawn round with the document that it was drawn from. Entrants are named by ref, people by person.

    follows_plan: whether all rounds before were drawn by the same system and nobody changed chairs in them.
    helpers: players of the house, who may sit in empty chairs. seed: of the draw.
    """

    def __init__(self, told, tables, byes, names=None, follows_plan=True, helpers=(), seed=""):
        self.told, self.options, self.size = told, told["options"], told["size"]
        self.names, self.follows_plan, self.unproven = names or {}, follows_plan, []
        self.helpers, self.lasting_seed = set(helpers), told.get("plan_seed") or seed
        self.persons = {one["ref"]: one["members"] or [one["ref"]] for one in told["entrants"]}
        self.ref_of = {person: ref for ref, persons in self.persons.items() for person in persons}
        self.ref_of.update({p: one["ref"] for one in told["entrants"] for p in one.get("reserves", [])})
        self.in_teams = any(len(persons) > 2 for persons in self.persons.values())
        self.present = {one["ref"] for one in told["entrants"] if one["until_round"] is None}
        self.seats, self.bye_persons = tables, byes
        self.tables = self.list_matches(tables)
        self.byes = list(dict.fromkeys(self.ref_of[person] for person in byes))
        self.past_tables = [self.list_matches([t["seats"] for t in one["tables"]]) for one in told["past"]]
        self.met, self.partnered = collections.Counter(), collections.Counter()
        for one in told["past"]:
            seats = [table["seats"] for table in one["tables"]]
            self.met.update(self.list_meetings(seats, as_partners=False))
            self.partnered.update(self.list_meetings(seats, as_partners=True))
        self.bye_counts = collections.Counter(ref for one in told["past"] for ref in one["byes"])
        self.apart = {frozenset((a, b)) for a, b, how in told["apart"] if how == "hard"}
        self.avoided = {frozenset((a, b)) for a, b, _ in told["apart"]} - self.apart

    def list_entrants(self, seats):
        """Return the entrants at a table, each once, without players of the house."""
        return list(dict.fromkeys(self.ref_of[person] for person in seats if person in self.ref_of))

    def list_matches(self, tables):
        """Return the entrants of each table; of teams, those of each encounter once."""
        found = [self.list_entrants(seats) for seats in tables]
        if self.in_teams:
            found = list({frozenset(refs): refs for refs in found}.values())
        return found

    def list_meetings(self, tables, as_partners):
        """Return the pairs of entrants that are partners at these tables, or opponents, each once."""
        found = set()
        for seats in tables:
            for at, other in itertools.combinations(range(len(seats)), 2):
                together = self.told["partners"] and len(seats) == 4 and other - at == 2
                pair = frozenset(self.ref_of.get(seats[seat]) for seat in (at, other))
                if len(pair) == 2 and None not in pair and bool(together) == as_partners:
                    found.add(pair)
        return found

    def name(self, ref):
        """Return the name of an entrant in the report."""
        return self.names.get(ref, ref)

    def is_full(self):
        """Whether the same entrants took part in every round up to this one, in rounds of this system."""
        took_part = [
            {ref for table in tables for ref in table} | set(one["byes"])
            for tables, one in zip(self.past_tables, self.told["past"])
        ]
        return self.follows_plan and all(refs == self.present for refs in took_part)

    def list_points(self, at):
        """Return the points of each entrant by table of a past round, of teams by encounter: None without a
        result.
        """
        found = []
        for table in self.told["past"][at]["tables"]:
            own = {ref: [] for ref in self.list_entrants(table["seats"])}
            for person, points in zip(table["seats"], table["points"]):
                if person in self.ref_of:
                    own[self.ref_of[person]].append(points)
            found.append(
                {
                    ref: None if None in given else fractions.Fraction(sum(given), len(given))
                    for ref, given in own.items()
                }
            )
        return self.add_up_encounters(found) if self.in_teams else found

    def add_up_encounters(self, tables):
        """Return the sums of the tables of each encounter, None while one of them has no result."""
        found = {}
        for points in tables:
            sums = found.setdefault(frozenset(points), dict.fromkeys(points, 0))
            for ref, own in points.items():
                sums[ref] = None if None in (own, sums[ref]) else sums[ref] + own
        return list(found.values())


def find_faults(drawn):
    """Return what a round breaks. Add to its `unproven` what cannot be told from the document."""
    faults = list(check_people(drawn))
    check = SYSTEM_CHECKS.get(drawn.told["system"])
    if check is None or faults:
        return faults
    return list(dict.fromkeys(check(drawn)))


def check_people(drawn):
    """Check that everybody present has one table or bye, and that pairs sit together."""
    out = [person for ref in drawn.byes for person in drawn.persons[ref]]
    seated = [person for seats in drawn.seats for person in seats]
    if sorted(out) != sorted(drawn.bye_persons):
        yield "one of a pair has a bye without the other"
    wanted = {person for ref in drawn.present for person in drawn.persons[ref]}
    if len({*seated, *out}) < len(seated) + len(out):
        yield "somebody sits twice"
    if not wanted.issuperset({*seated, *out} - drawn.helpers):
        yield "somebody sits who was not there"
    if drawn.told["system"] not in ("knock_out", "open") and wanted - {*seated, *out}:
        yield "somebody who was there has neither a table nor a bye"
    if drawn.in_teams:
        yield from check_encounters(drawn)
    for seats in drawn.seats:
        refs = drawn.list_entrants(seats)
        if not 2 <= len(seats) <= drawn.size:
            yield "a table has %d seats" % len(seats)
        if any(len(drawn.persons[ref]) == 2 for ref in refs):
            sides = sorted(map(sorted, (seats[0::2], seats[1::2])))
            if len(seats) != 4 or sides != sorted(sorted(drawn.persons[ref]) for ref in refs):
                yield "a pair does not sit together"


def check_encounters(drawn):
    """Check that two of a team play against two of another one, and all of both at tables side by side."""
    places = {}
    for at, seats in enumerate(drawn.seats):
        sides = [{drawn.ref_of.get(person) for person in seats[side::2]} for side in (0, 1)]
        if len(sides[0]) != 1 or len(sides[1]) != 1 or sides[0] == sides[1]:
            yield "table %d is not one team against another one" % (at + 1)
            return
        places.setdefault(frozenset.union(*map(frozenset, sides)), []).append(at)
    met = [ref for refs in places for ref in refs]
    if len(set(met)) < len(met):
        yield "a team plays in two encounters"
    for refs, tables in places.items():
        if tables != list(range(tables[0], tables[0] + len(tables))):
            names = tuple(sorted(map(drawn.name, refs)))
            yield "the tables of %s and %s are not side by side" % names
        seated = sorted(person for at in tables for person in drawn.seats[at])
        if seated != sorted(person for ref in refs for person in drawn.persons[ref]):
            yield "a team does not play as it lines up"


# meetings


MATCHED_WHOLE = 200
"""Entrants up to which a repair of fixed pairs matches all of them anew, and so keeps apart whom it can."""


def list_better_exchanges(drawn, compute_cost, compute_bye_cost):
    """Return what an exchange between two tables, or of a bye, would make better. Costs are tuples.

    compute_cost: of a table; compute_bye_cost: of a table and the bye together.
    """
    for (a, b), (c, d) in list_table_pairs(drawn, compute_cost):
        before = add_costs(compute_cost(a, b), compute_cost(c, d))
        for one, other in (((a, c), (b, d)), ((a, d), (b, c))):
            if add_costs(compute_cost(*one), compute_cost(*other)) < before:
                names = tuple(drawn.name(ref) for ref in (*one, *other))
                yield "%s against %s and %s against %s would have been better" % names
    for out in drawn.byes if len(drawn.byes) == 1 else ():
        for a, b in drawn.tables:
            before = compute_bye_cost(a, b, out)
            for free, stays in ((a, b), (b, a)):
                if compute_bye_cost(out, stays, free) < before:
                    names = drawn.name(out), drawn.name(free)
                    yield "%s has the bye, which was due to %s" % names


def add_costs(one, other):
    """Add costs criterion by criterion."""
    return tuple(a + b for a, b in zip(one, other))


def list_table_pairs(drawn, compute_cost):
    """Return the pairs of tables of which one costs something."""
    dear = [any(compute_cost(*table)) for table in drawn.tables]
    for (at, one), (place, other) in itertools.combinations(enumerate(drawn.tables), 2):
        if dear[at] or dear[place]:
            yield one, other


def check_matches(drawn):
    """Check that tables have two entrants, and that no two with a bye could have met."""
    if any(len(refs) != 2 for refs in drawn.tables):
        yield "a table has not two entrants"
    for pair in map(frozenset, itertools.combinations(drawn.byes, 2)):
        allowed = drawn.told["system"] != "round_robin" or drawn.met[pair] < count_cycles(drawn)
        if allowed and pair not in drawn.apart:
            yield "%s and %s have a bye though they could have met" % tuple(sorted(map(drawn.name, pair)))


def check_fixed_pairs(drawn):
    """Check that nobody meets an opponent again, and nobody has another bye, where that could be avoided."""
    faults = list(check_matches(drawn))
    if faults:
        return faults

    exact = len(drawn.present) <= MATCHED_WHOLE
    avoided = drawn.avoided if exact else set()

    def compute_cost(a, b):
        pair = frozenset((a, b))
        return pair in drawn.apart, drawn.met[pair] ** 2, pair in avoided

    def compute_bye_cost(a, b, out):
        *costs, soft = compute_cost(a, b)
        return (*costs, drawn.bye_counts[out], soft)

    faults += list_better_exchanges(drawn, compute_cost, compute_bye_cost)
    together = sum(frozenset(refs) in drawn.avoided for refs in drawn.tables)
    if together and not faults:
        drawn.unproven.append("that %d who meet could not be kept apart" % together)
    again = [refs for refs in drawn.tables if drawn.met[frozenset(refs)]]
    if again and not faults and has_round_without_repeats(drawn):
        faults.append("%s and %s meet again though nobody had to" % tuple(map(drawn.name, again[0])))
    elif again and not faults:
        drawn.unproven.append("that %d meetings again could not be avoided" % len(again))
    return faults


def has_round_without_repeats(drawn):
    """Whether each of an even number has new opponents enough for a round without a repeat (Dirac, 1952)."""
    refs = sorted(drawn.present)
    new = collections.Counter()
    for pair in itertools.combinations(refs, 2):
        if not drawn.met[frozenset(pair)] and frozenset(pair) not in drawn.apart:
            new.update(pair)
    return len(refs) % 2 == 0 and all(2 * new[ref] >= len(refs) for ref in refs)


def count_cycles(drawn):
    """Return how often everybody meets everybody in a round robin."""
    return 2 if drawn.options.get("twice") else 1


def check_round_robin(drawn):
    """Check that nobody meets more often than planned; in a full field nobody has a second bye before all."""
    yield from check_matches(drawn)
    for refs in drawn.tables:
        if len(refs) == 2 and drawn.met[frozenset(refs)] >= count_cycles(drawn):
            yield "%s and %s meet again" % tuple(map(drawn.name, refs))
    yield from check_bye_order(drawn)


def check_bye_order(drawn):
    """Check that in a full field only those with the fewest byes have one."""
    if not drawn.is_full():
        if drawn.byes:
            drawn.unproven.append("that the byes were due, since not everybody was there in every round")
        return
    least = min((drawn.bye_counts[ref] for ref in drawn.present), default=0)
    for ref in drawn.byes:
        if drawn.bye_counts[ref] > least:
            yield "%s has another bye before everybody had one" % drawn.name(ref)


def check_whist(drawn):
    """Check that in a full field nobody has a partner twice, or an opponent three times."""
    if any(len(seats) != 4 for seats in drawn.seats) or not drawn.is_full():
        drawn.unproven.append("who should have been partners, since not everybody was there in every round")
        return
    for pair in sorted(map(sorted, drawn.list_meetings(drawn.seats, as_partners=True))):
        if drawn.partnered[frozenset(pair)]:
            yield "%s and %s are partners again" % tuple(map(drawn.name, pair))
    for pair in sorted(map(sorted, drawn.list_meetings(drawn.seats, as_partners=False))):
        if drawn.met[frozenset(pair)] > 1:
            yield "%s and %s are opponents for the third time" % tuple(map(drawn.name, pair))
    yield from check_bye_order(drawn)


# results


def check_king(drawn):
    """Check that winners moved up, losers down, and that the byes went to the lowest who had the fewest."""
    where_seated = {ref: at for at, refs in enumerate(drawn.tables) for ref in refs}
    least = min((drawn.bye_counts[ref] for ref in where_seated), default=0)
    for ref in drawn.byes:
        if drawn.bye_counts[ref] > least:
            yield "%s has another bye before others" % drawn.name(ref)
    ladder = order_ladder(drawn) if drawn.told["past"] else None
    if ladder is None:
        drawn.unproven.append("who begins where: by start rank, lot or tie-break")
        return
    highest, below = -1, -1  # tables of those who stand strictly above
    rank_before = None
    for ref in sorted((ref for ref in ladder if ref in where_seated), key=ladder.get):
        if ladder[ref] != rank_before:
            highest, rank_before = max(highest, below), ladder[ref]
        if where_seated[ref] < highest:
            yield "%s does not sit where the results of the round before say" % drawn.name(ref)
        below = max(below, where_seated[ref])
    for ref in drawn.byes:
        lower = [r for r in where_seated if ladder.get(r, -1) > ladder.get(ref, len(ladder))]
        if any(drawn.bye_counts[r] == drawn.bye_counts[ref] for r in lower):
            yield "%s has a bye though others stand below" % drawn.name(ref)


def order_ladder(drawn):
    """Return the rank of who played the last round, level ones alike, or None where results leave it open."""
    tables, direction = [], drawn.told["direction"]
    for points in drawn.list_points(-1):
        if None in points.values():
            return None
        if points:
            tables.append(sorted(points.items(), key=lambda one: -direction * one[1]))
    last, count = len(tables) - 1, drawn.options.get("up", 1)
    ups = [min(count, len(table)) if at else 0 for at, table in enumerate(tables)]
    downs = [min(count, len(t) - ups[at]) if at < last else 0 for at, t in enumerate(tables)]
    movers = [0, *(min(down, up) for down, up in zip(downs, ups[1:])), 0]  # between a table and the one above
    parts = []
    for at, table in enumerate(tables):
        rising, staying = movers[at], len(table) - movers[at + 1]
        for line in (rising, staying):
            if 0 < line < len(table) and table[line - 1][1] == table[line][1]:
                return None
        if at:
            parts.append(tables[at - 1][len(tables[at - 1]) - rising :])
        parts.append(table[rising:staying])
        if at < last:
            parts.append(tables[at + 1][: movers[at + 1]])
    ranks = {}
    for part in parts:
        for _, level in itertools.groupby(part, key=lambda one: one[1]):
            ranks.update(dict.fromkeys([ref for ref, _ in level], len(ranks)))
    return ranks


def check_knock_out(drawn):
    """Check that who meets, and who goes on without a game, are those of the bracket."""
    told, number = drawn.told, len(drawn.told["past"]) + 1
    heads = 2 if any(len(persons) > 1 for persons in drawn.persons.values()) else drawn.size
    played = [(drawn.list_points(at), set(one["byes"])) for at, one in enumerate(told["past"])]
    away = drawn.persons.keys() - drawn.present
    bracket = build_bracket(told, heads, played, told["direction"], drawn.lasting_seed, away)
    matches = [match for match in bracket.matches if not match.is_decided]
    wanted = [{ref for ref in match.entrants if ref in drawn.present} for match in matches]
    through = {
        ref
        for match in bracket.matches
        if match.settled == number
        for ref in match.winners
        if ref in drawn.present
    }
    waiting = {ref for match in bracket.matches if match.is_decided for ref in match.winners}
    due = set().union(*wanted)
    for refs in [*drawn.tables, *([ref] for ref in drawn.byes)]:
        for ref in refs:
            if ref not in bracket.members:
                yield "%s goes on without having been in the first round" % drawn.name(ref)
            elif ref not in due | waiting:
                yield "%s has lost and goes on" % drawn.name(ref)
    there = {ref for refs in drawn.tables for ref in refs} | set(drawn.byes)
    for ref in sorted((due | through) - there):
        yield (
            "%s has won and does not go on" % drawn.name(ref) if played else "%s is missing" % drawn.name(ref)
        )
    if set(drawn.byes) != through:
        yield "%d have a bye, and not %d" % (len(drawn.byes), len(through))
    for refs in drawn.tables:
        if set(refs) not in wanted:
            yield "%s do not meet in the bracket" % " and ".join(sorted(map(drawn.name, refs)))


def check_swiss(drawn):
    """Check that no exchange would avoid a meeting or bye, or bring neighbours nearer."""
    if drawn.size > 2 and all(len(persons) == 1 for persons in drawn.persons.values()):
        drawn.unproven.append("who sits together at tables of more than two entrants")
        return
    yield from check_matches(drawn)
    if len(drawn.byes) != len(drawn.present) % 2:
        yield "it has %d byes" % len(drawn.byes)
        return
    ranks = rank_by_totals(drawn)
    unknown = drawn.present - ranks.keys()
    if unknown:
        told = "the ranks of %d entrants: level in points, or counted otherwise"
        drawn.unproven.append(told % len(unknown))

    least = 0  # once everybody has met everybody, only those who have met more often meet again
    if any(drawn.met[frozenset(refs)] for refs in drawn.tables):
        least = min(drawn.met[frozenset(pair)] for pair in itertools.combinations(drawn.present, 2))

    def compute_cost(a, b):
        pair = frozenset((a, b))
        again = not drawn.options.get("repeats") and drawn.met[pair] > least
        return pair in drawn.apart, again, pair in drawn.avoided

    def measure(a, b):
        return (ranks[a] - ranks[b]) ** 2

    def compute_bye_cost(a, b, out):
        return (*compute_cost(a, b)[:2], drawn.bye_counts[out])

    def compute_whole_cost(a, b, out):
        return (*compute_bye_cost(a, b, out), -ranks[out], frozenset((a, b)) in drawn.avoided, measure(a, b))

    faults = list(list_better_exchanges(drawn, compute_cost, compute_bye_cost))
    yield from faults
    known = sorted(
        (sorted(table, key=ranks.get) for table in drawn.tables if ranks.keys() >= set(table)),
        key=lambda table: ranks[table[0]],
    )
    for at, (a, b) in enumerate(known):
        for c, d in known[at + 1 :] if not faults else ():
            if ranks[c] > ranks[b]:  # an exchange with tables further down brings nobody nearer
                break
            before = (*add_costs(compute_cost(a, b), compute_cost(c, d)), measure(a, b) + measure(c, d))
            for one, other in (((a, c), (b, d)), ((a, d), (b, c))):
                costs = add_costs(compute_cost(*one), compute_cost(*other))
                if (*costs, measure(*one) + measure(*other)) < before:
                    names = tuple(drawn.name(ref) for ref in (*one, *other))
                    yield "%s against %s and %s against %s would have been nearer" % names
    for out in drawn.byes if not faults else ():
        for a, b in known if out in ranks else ():
            before = compute_whole_cost(a, b, out)
            for free, stays in ((a, b), (b, a)):
                if compute_whole_cost(out, stays, free) < before:
                    yield "%s has the bye, which was due to %s" % (drawn.name(out), drawn.name(free))


def rank_by_totals(drawn):
    """Return twice the rank of each entrant whose total tells it; level ones share it without tie-breaks."""
    counting, direction = drawn.told["counting"], drawn.told["direction"]
    matched = counts_matches(counting)
    scored, tables = {ref: [] for ref in drawn.persons}, []
    for at, one in enumerate(drawn.told["past"]):
        for points in drawn.list_points(at):
            if matched:
                points = convert_table(counting, direction, points)
            tables.append([[ref] for ref in points])
            for ref, own in points.items():
                scored[ref].append(own)
        for ref in one["byes"]:
            scored[ref].append(read_figure(one["given"].get(ref)))
    direction = 1 if matched else direction
    held = len(drawn.told["past"])
    number = counting["number"]
    kept = {"sum": held, "best": min(number, held), "drop_worst": max(1, held - number)}
    kept.update(dict.fromkeys(("average", *MATCH_COUNTINGS), held))
    lacking = any(None in own or len(own) != held for own in scored.values())
    if not held or lacking or counting["what"] not in kept or counting.get("credit") == "field":
        return {}
    totals = {
        ref: sum(sorted((direction * points for points in own), reverse=True)[: kept[counting["what"]]])
        for ref, own in scored.items()
    }
    chain = counting["tie_breaks"] or ()
    if chain[:1] == ["buchholz"] and counting["buchholz_unplayed"] is None:
        strengths = sum_strengths(totals, totals, list_opponents(tables), drawn.bye_counts)
        totals, chain = {ref: (total, strengths[ref]) for ref, total in totals.items()}, chain[1:]
    level = collections.Counter(totals.values())
    ranks, before = {}, 0
    for total in sorted(level, reverse=True):
        ranks[total] = 2 * before + level[total] + 1
        before += level[total]
    return {ref: ranks[total] for ref, total in totals.items() if level[total] == 1 or not chain}


def convert_table(counting, direction, points):
    """Return what each of two entrants gets of a match, None without a result."""
    if len(points) != 2 or None in points.values():
        return dict.fromkeys(points)
    (one, mine), (other, theirs) = points.items()
    lead = direction * (mine - theirs)
    return {one: convert_lead(counting, lead), other: convert_lead(counting, -lead)}


SYSTEM_CHECKS = {
    "fixed_pairs": check_fixed_pairs,
    "round_robin": check_round_robin,
    "whist": check_whist,
    "king": check_king,
    "knock_out": check_knock_out,
    "swiss": check_swiss,
}
