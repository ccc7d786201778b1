"""The places of a knock-out: who lost in which phase, from the tables that were played."""

from __future__ import annotations

import fractions
import hmac

from .regulations import get_pairing


class OpenPlaces(Exception):
    """The tables alone do not say who goes on."""


class Bracket:
    """The phases of a knock-out, followed round by round. Entrants are numbers.

    members: who was drawn in the first round. key_of: order of places by number: (best place that is played
    for, 0 won, 1 not decided, 2 lost, order at the table).
    """

    def __init__(self, regulations, members, direction, seed):
        options, play = get_pairing(regulations)[1], regulations["play"]
        in_groups = play["format"] == "fixed_pairs" or regulations.get("entrants") == "teams"
        self.heads = 2 if in_groups else play["seats"]
        self.advance = 1 if self.heads == 2 else options.get("advance") or self.heads // 2
        self.best_of, self.third = options.get("best_of", 1), options.get("third", False)
        if options.get("places"):
            raise OpenPlaces("games for all places")
        self.direction, self.seed = direction, seed
        self.group, self.matches = self.heads // self.advance, 1
        while self.matches * self.heads < len(members):
            self.matches *= self.group
        self.key_of = dict.fromkeys(members, (1, 1, 0))
        self.alive, self.playing_third = set(members), set()
        self.settled, self.wins, self.gained = set(), {}, {}
        self.begins, self.over = True, False

    def play(self, number, tables, byes):
        """Follow a closed round. Tables are points by number, None without a result."""
        for points in tables:
            for key, own in points.items():
                if own is not None:
                    total, games = self.gained.get(key, (fractions.Fraction(0), 0))
                    self.gained[key] = total + own, games + 1
        if self.over:
            return
        tables = [{key: own for key, own in points.items() if key in self.key_of} for points in tables]
        seated = {key for points in tables for key in points}
        waiting = (self.alive | self.playing_third) - self.settled - seated
        if waiting - byes or (waiting and not self.begins):
            raise OpenPlaces("somebody was absent")
        self.begins = False
        for key in waiting:
            self._win(key)
        for points in tables:
            if not points or not points.keys() <= (self.alive | self.playing_third) - self.settled:
                continue
            if None not in points.values():
                self._count_game(number, points)
        if self.settled >= self.alive | self.playing_third:
            self._begin_next()

    def _count_game(self, number, points):
        """Count a game of a match; decide the match by the majority of its games."""
        order = sorted(
            points, key=lambda key: (-self.direction * points[key], self._order_level(number, key))
        )
        wins = self.wins.setdefault(frozenset(points), [])
        wins.append(order[0])
        if 2 * wins.count(order[0]) <= self.best_of:
            return
        is_third = order[0] in self.playing_third
        going = 1 if is_third or self.matches == 1 else self.advance
        through = 1 if self.matches == 1 else self.matches * self.advance
        for at, key in enumerate(order):
            if at < going:
                self._win(key)
                continue
            place = self.key_of[key][0] + through
            self.key_of[key] = place, 2, at if self.heads > 2 else 0
            self.settled.add(key)

    def _win(self, key):
        self.key_of[key] = self.key_of[key][0], 0, 0
        self.settled.add(key)

    def _begin_next(self):
        """Go to the next phase once all matches are decided."""
        if self.matches == 1:
            self.over = True
            return
        losers = {key for key in self.alive if self.key_of[key][1] == 2}
        if self.third and self.heads == 2 and self.matches == 2:
            self.playing_third = losers
            if len(losers) != 2:
                raise OpenPlaces("somebody was absent")
        self.alive -= losers
        for key in self.alive | self.playing_third:
            self.key_of[key] = self.key_of[key][0], 1, 0
        self.matches //= self.group
        self.settled, self.wins, self.begins = set(), {}, True

    def _order_level(self, number, key):
        """Return the order of level entrants: the mean of their points so far, then a lot."""
        total, games = self.gained[key]
        label = "knock_out/level/%d/n%04d\0" % (number, key)
        lot = hmac.new(self.seed.encode(), label.encode() + bytes(8), "sha256").digest()[:4]
        return -self.direction * total / games, lot, key

    def list_places(self):
        """Return the place of each number."""
        standing = sorted(self.key_of.values())
        return {key: standing.index(own) + 1 for key, own in self.key_of.items()}


def build_bracket(regulations, played, direction, seed):
    """Return the bracket after rounds of (tables, byes). Raise OpenPlaces."""
    tables, byes = played[0]
    members = {key for points in tables for key in points} | byes
    bracket = Bracket(regulations, members, direction, seed)
    for number, (of_round, out) in enumerate(played, 1):
        bracket.play(number, of_round, out)
    return bracket
