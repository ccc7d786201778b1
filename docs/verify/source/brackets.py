"""The bracket of a knock-out: who meets whom and who goes on, from start ranks, lots and results."""

from __future__ import annotations

import fractions
import hmac
import itertools

MOST_SEPARATIONS = 100000
HARD_APART = 1 << 20
OUTSIDE = (1 << 30, 0, 0)


class Match:
    """A match, or a table of which several go on. slots: entrants, None for nobody.

    place: the best place that is played for; wins: the winner of each game; order: first to last once it is
    decided; settled: the round in which it was.
    """

    def __init__(self, place, slots):
        self.place, self.slots, self.wins = place, list(slots), []
        self.order, self.winners, self.is_decided, self.is_played, self.settled = [], [], False, False, None

    @property
    def entrants(self):
        """The entrants, without empty slots."""
        return [ref for ref in self.slots if ref is not None]

    def decide(self, order, able, going, settled, is_played=False):
        """End the match: the first ones of those able to go on do."""
        self.order, self.winners = order, [ref for ref in order if ref in able][:going]
        self.is_decided, self.is_played, self.settled = True, is_played, settled


class Bracket:
    """A bracket that follows the rounds.

    ranks: start rank, or None, of each entrant of the first round; apart: weight by pair of those who should
    not meet there; is_expected: whether an entrant is there in a round, by entrant and round. Entrants are
    refs, `n0007`.
    """

    def __init__(self, options, heads, ranks, apart, direction, seed, is_expected):
        self.heads, self.options, self.direction, self.seed = heads, options, direction, seed
        self.advance = 1 if heads == 2 else options.get("advance") or heads // 2
        self.group, self.is_expected, self.gained = heads // self.advance, is_expected, {}
        is_seeded = options.get("seeded", True)
        keys = {}
        for ref, rank in ranks.items():
            rank = rank if is_seeded else None
            keys[ref] = rank is None, rank or 0, self.draw_lot("seed", ref), ref
        order = sorted(keys, key=keys.get)
        self.separate(order, sum(not keys[ref][0] for ref in order), apart)
        slots = self.place_entrants(order)
        self.size = len(slots)
        self.phases = [[(1, [Match(1, own) for own in slots])]]
        self.members, self.over = set(ranks), False

    def draw_lot(self, purpose, ref):
        """Return the lot of an entrant."""
        label = "knock_out/%s/%s\0" % (purpose, ref)
        return hmac.digest(self.seed.encode(), label.encode() + bytes(8), "sha256")[:4]

    # the first phase

    def place_entrants(self, order):
        """Return the slots of the matches of the first phase, in bracket order."""
        count = 1
        while count * self.heads < len(order):
            count *= self.group
        surplus = max(len(order) - self.advance * count, 0)
        full, more = divmod(surplus, self.heads - self.advance)
        byes = count - full - (more > 0)
        last = 2 * byes if self.advance == 1 or count < 4 or byes >= 4 else 4 + byes
        tables = {rank: [] for rank in range(1, count + 1)}
        for rank in range(1, byes + 1):
            seeds = [rank, last + 1 - rank][: self.advance]
            tables[rank] = [order[at - 1] for at in seeds if at <= len(order)]
        seated = {ref for own in tables.values() for ref in own}
        left = [ref for ref in order if ref not in seated]
        room = dict.fromkeys(range(byes + 1, count + 1), self.heads)
        if more:
            room[byes + 1] = self.advance + more
        ranks = sorted(room)
        while left and ranks:
            for rank in ranks:
                if left and len(tables[rank]) < room[rank]:
                    tables[rank].append(left.pop(0))
            ranks.reverse()
        found = [1]
        while len(found) < count:
            k = len(found)
            found = [one for r in found for one in (r, 2 * k + 1 - r, 2 * k + r, 4 * k + 1 - r)[: self.group]]
        return [tables[rank] + [None] * (self.heads - len(tables[rank])) for rank in found]

    def separate(self, order, drawn, apart):
        """Exchange those placed by lot while fewer meet who should not."""
        tables = [
            [at for at in own if at is not None] for own in self.place_entrants(list(range(len(order))))
        ]
        home = {at: own for own in tables for at in own}

        def count_cost(at):
            return sum(apart.get(frozenset((order[at], order[o])), 0) for o in home[at] if o != at)

        is_better, tried = bool(apart), 0
        while is_better and tried < MOST_SEPARATIONS:
            is_better = False
            for one in range(drawn, len(order)):
                for other in range(drawn, len(order)) if count_cost(one) else ():
                    if home[one] is home[other] or tried >= MOST_SEPARATIONS:
                        continue
                    tried += 1
                    before = count_cost(one) + count_cost(other)
                    order[one], order[other] = order[other], order[one]
                    if count_cost(one) + count_cost(other) < before:
                        is_better = True
                        break
                    order[one], order[other] = order[other], order[one]

    # rounds

    @property
    def matches(self):
        """The matches of the current phase."""
        return [match for _, found in self.phases[-1] for match in found]

    @property
    def going(self):
        """How many go on from a match, the winner in the last phase."""
        return 1 if self.size == 1 else self.advance

    def list_present(self, match, number, points=()):
        """Return the entrants of a match who are expected in a round, or have played in it."""
        return [ref for ref in match.entrants if ref in points or self.is_expected(ref, number)]

    def open_round(self, number, tables=None):
        """Decide what needs no game, and go to the next phase while all is decided. tables: as drawn."""
        points = score_entrants(tables or ())
        while not self.over:
            is_open = any(
                not match.is_decided
                and min(len(match.entrants), len(self.list_present(match, number, points))) > self.going
                for match in self.matches
            )
            if tables is not None and is_open:
                self.follow_hand_draw(tables)
            for match in self.matches:
                own, present = match.entrants, self.list_present(match, number, points)
                if not match.is_decided and len(own) <= self.going:
                    match.decide(own, own, self.going, number)
                elif not match.is_decided and len(present) <= self.going:
                    gone = [ref for ref in own if ref not in present]
                    match.decide(present + gone, present, self.going, number)
            if not all(match.is_decided for match in self.matches):
                return
            if self.size == 1:
                self.over = True
                return
            self.phases.append(self.make_next())
            self.size //= self.group

    def make_next(self):
        """Return the next phase: its parts, each the best place of it and its matches."""
        following = []
        for place, found in self.phases[-1]:
            going = [match.winners + [None] * (self.advance - len(match.winners)) for match in found]
            following.append(self.join(place, going))
            if self.heads == 2 and (
                self.options.get("places") or (self.options.get("third") and len(found) == 2)
            ):
                losing = [[ref for ref in match.order if ref not in match.winners] for match in found]
                losing = [own if len(own) == 1 else [None] for own in losing]
                following.append(self.join(place + len(found), losing))
        return following

    def join(self, place, feeding):
        """Return a part that neighbouring matches lead to."""
        slots = [feeding[at : at + self.group] for at in range(0, len(feeding), self.group)]
        return place, [Match(place, itertools.chain.from_iterable(own)) for own in slots]

    def follow_hand_draw(self, tables):
        """Move entrants between matches without games where the tables were drawn otherwise."""
        for _, found in self.phases[-1]:
            free = [match for match in found if not match.is_decided and not match.wins]
            home = {ref: match for match in free for ref in match.entrants}
            for points in tables:
                met = [ref for ref in points if ref in home]
                target = home[met[0]] if met else None
                for ref in met:
                    if home[ref] is target:
                        continue
                    other = next((one for one in target.entrants if one not in met), None)
                    if other is None and None not in target.slots:
                        continue
                    origin = home[ref]
                    origin.slots[origin.slots.index(ref)] = other
                    target.slots[target.slots.index(other)] = ref
                    home[ref] = target
                    if other is not None:
                        home[other] = origin

    def play(self, number, tables, byes):
        """Follow a closed round. Tables are points by entrant, None without a result."""
        self.open_round(number, tables)
        points = score_entrants(tables)
        for ref, own in points.items():
            total, games = self.gained.get(ref, (fractions.Fraction(0), 0))
            self.gained[ref] = total + own, games + 1
        seated = {ref for one in tables for ref in one}
        for match in self.matches if not self.over else ():
            if match.is_decided:
                continue
            own, gone = match.entrants, []
            through = [ref for ref in own if ref in byes]
            if through and not seated & set(own) and len(through) <= self.going:
                gone = [ref for ref in own if ref not in through]
            rest = [ref for ref in own if ref not in gone]
            if any(ref in points for ref in rest):
                gone += [ref for ref in rest if ref not in points]
                rest = [ref for ref in rest if ref in points]
            if gone and len(rest) <= self.going:
                rest.sort(key=lambda ref: self.order_level(number, ref))
                match.decide(rest + gone, rest, self.going, number)
            elif all(ref in points for ref in rest):
                rest.sort(key=lambda ref: (-self.direction * points[ref], self.order_level(number, ref)))
                match.wins.append(rest[0])
                if 2 * match.wins.count(rest[0]) > self.options.get("best_of", 1):
                    match.decide(rest + gone, rest, self.going, number, is_played=True)

    def order_level(self, number, ref):
        """Return the order of level entrants: the mean of their points so far, then a lot."""
        total, games = self.gained.get(ref, (fractions.Fraction(0), 1))
        return -self.direction * total / games, self.draw_lot("level/%d" % number, ref), ref

    # places

    def list_places(self):
        """Return the place of each entrant."""
        reached = {}
        for parts in self.phases:
            is_last = all(len(found) == 1 for _, found in parts)
            for place, found in parts:
                through = place + (1 if is_last else len(found) * self.advance)
                for match in found:
                    for at, ref in enumerate(match.order if match.is_decided else match.entrants):
                        if not match.is_decided:
                            reached[ref] = place, 1, 0
                        elif ref in match.winners:
                            reached[ref] = place, 0, 0
                        else:
                            reached[ref] = through, 2, at if self.heads > 2 and match.is_played else 0
        standing = sorted(reached.get(ref, OUTSIDE) for ref in self.members)
        return {ref: standing.index(reached.get(ref, OUTSIDE)) + 1 for ref in self.members}


def score_entrants(tables):
    """Return the points of a round by entrant, without who has a table without a result."""
    found, missing = {}, set()
    for points in tables:
        for ref, own in points.items():
            if own is None:
                missing.add(ref)
            else:
                found[ref] = found.get(ref, 0) + own
    return {ref: own for ref, own in found.items() if ref not in missing}


def build_bracket(told, heads, played, direction, seed, away):
    """Return the bracket after rounds of (tables, byes), opened for the next one.

    told: the document of a draw; away: the entrants who are not there now.
    """
    last, ranks = {}, {one["ref"]: one["start_rank"] for one in told["entrants"]}
    for number, (tables, byes) in enumerate(played, 1):
        last.update(dict.fromkeys(itertools.chain(byes, *tables), number))
    first = set(itertools.chain(played[0][1], *played[0][0])) if played else set()
    if not played:
        first = {one["ref"] for one in told["entrants"]} - away
    apart, ref_of = {}, {}
    for one in told["entrants"]:
        ref_of.update(dict.fromkeys([one["ref"], *one["members"]], one["ref"]))
    for one, other, how in told["apart"]:
        pair = frozenset(ref_of.get(ref, ref) for ref in (one, other))
        weight = HARD_APART if how == "hard" else 1
        apart[pair] = max(apart.get(pair, 0), weight)
    bracket = Bracket(
        told["options"],
        heads,
        {ref: ranks.get(ref) for ref in first},
        apart,
        direction,
        seed,
        lambda ref, number: ref not in away or number <= last.get(ref, 0),
    )
    for number, (tables, byes) in enumerate(played, 1):
        bracket.play(number, tables, byes)
    bracket.open_round(len(played) + 1)
    return bracket
