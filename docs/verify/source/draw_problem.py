"""The problem of a draw, and its random numbers (docs/developers/seats.md)."""

from __future__ import annotations

import hmac
import itertools

from .report import Unusable

SEARCH_VERSIONS = ("1", "2", "3")  # versions of the search; each draw names its own
MAX_MOVES = 480000
SMALL_WORK, LARGE_WORK = 320, 1200
PARTNER_WEIGHT, MEETING_WEIGHT, OPPONENT_WEIGHT, FORBIDDEN_WEIGHT = 20000, 3, 4, 10**9


class SeededNumbers:
    """Random numbers of 32 bits from the seed of a draw, for one purpose."""

    def __init__(self, seed, use):
        self.seed, self.prefix, self.block, self.waiting = seed, use.encode() + b"\0", 0, []

    def draw_words(self):
        """Return the next 256 numbers."""
        blocks = range(self.block, self.block + 32)
        self.block += 32
        data = b"".join(hmac.digest(self.seed, self.prefix + i.to_bytes(8, "big"), "sha256") for i in blocks)
        return [int.from_bytes(data[at : at + 4], "big") for at in range(0, 1024, 4)]

    def draw_below(self, bound):
        """Return a number below a bound."""
        while True:
            self.waiting = self.waiting or self.draw_words()[::-1]
            word = self.waiting.pop()
            if word < 2**32 - 2**32 % bound:
                return word % bound

    def shuffle(self, items):
        """Shuffle a list in place."""
        for i in range(len(items) - 1, 0, -1):
            j = self.draw_below(i + 1)
            items[i], items[j] = items[j], items[i]


class DrawProblem:
    """The input of a draw, from the log. Raise Unusable if it is invalid."""

    def __init__(self, told, seed, version="2"):
        self.seed, self.size, self.format = seed, told["table_size"], told["format"]
        self.players, self.rounds = told["players"], told["rounds"]
        if self.size not in (2, 3, 4) or self.format not in ("pairs", "solo"):
            raise Unusable("no such tables are drawn")
        if not ((3 if told.get("threes") else self.size) <= self.players <= 5000 and 1 <= self.rounds <= 100):
            raise Unusable("nobody draws so many players or rounds")
        self.past = told["past"]
        self.fixed_pairs = [tuple(pair) for pair in told["fixed_pairs"]]
        self.never_partner = [tuple(pair) for pair in told["never_partner"]]
        self.never_meet = [tuple(pair) for pair in told["never_meet"]]
        self.first_out, self.last_out = told["sit_out_first"], set(told.get("sit_out_last", []))
        self.avoid_partner, self.avoid_meet = self.read_avoided(told)
        if version != "3" and (told.get("avoid_partner") or told.get("avoid_meet")):
            raise Unusable("the first two searches avoided no pairs")
        self.threes, self.version = told.get("threes", 0), version
        if self.threes and (self.size != 4 or self.fixed_pairs or not 0 < 3 * self.threes <= self.players):
            raise Unusable("no such tables of three are drawn")
        if version == "1" and (self.threes or self.last_out):
            raise Unusable("the first search knew no tables of three")
        self.in_pairs = self.format == "pairs" and self.size == 4
        self.sizes = [self.size] * ((self.players - 3 * self.threes) // self.size) + [3] * self.threes
        self.seated = sum(self.sizes)
        self.bye_count = self.players - self.seated
        self.fixed = {a: b for pair in self.fixed_pairs for a, b in (pair, pair[::-1])}
        if not self.in_pairs:
            self.avoid_partner = []
        self.avoids = bool(self.avoid_partner or self.avoid_meet)
        bound = self.fixed_pairs or self.never_partner or self.never_meet
        self.free = not (self.past or self.bye_count or self.threes or bound)

    def read_avoided(self, told):
        """Return the pairs to be avoided as partners and at one table, without those that a rule binds."""
        fixed, never_partner, never_meet, partner, meet = (
            {(min(pair), max(pair)) for pair in pairs}
            for pairs in (
                self.fixed_pairs,
                self.never_partner,
                self.never_meet,
                told.get("avoid_partner", []),
                told.get("avoid_meet", []),
            )
        )
        if not all(0 <= a < b < self.players for a, b in partner | meet):
            raise Unusable("it avoids pairs of players that there are not")
        meet -= fixed | never_meet
        return sorted(partner - fixed - never_meet - never_partner - meet), sorted(meet)


def split_into_tables(positions, problem):
    """Split players, ordered by position, into tables."""
    ends = list(itertools.accumulate(problem.sizes))
    return [tuple(positions[end - size : end]) for size, end in zip(problem.sizes, ends)]
