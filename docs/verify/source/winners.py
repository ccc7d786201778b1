"""Winners and payments."""

from __future__ import annotations

from .deal_scores import APPLE_POINTS, APPLES_TO_LOSE, DealScores


class Winners(DealScores):
    """The winners of a game, by the totals and the deals that count."""

    def list_sides_at_target(self):
        """Return the sides that have reached their target."""
        return [side for side, goal in enumerate(self.list_targets()) if self.totals[side] >= goal]

    def find_winners_by_deals(self):
        """Return the winners by the deals that count, or None while the game goes on.

        On a sheet that counts in order, the first deal after which a side is at its target decides.
        """
        if self.mode == "sheet" and self.started.get("counting"):
            totals, counted = [0] * self.sides, self.score_deals()
            for number in self.list_counting_deals():
                if counted.get(number) is None:
                    break
                totals = [one + points for one, points in zip(totals, counted[number])]
                won = self.find_winners_with(totals)
                if won:
                    return won
        limit = self.get_deal_limit()
        ended = limit is not None and len(self.list_counting_deals()) >= limit
        return self.find_winners_with(self.totals) or (self.list_leaders(self.totals) if ended else None)

    def find_winners_with(self, totals):
        """Return the sides that have won with these totals, whatever the number of deals, or None."""
        kind = self.rules.get("ends")
        most = [side for side in range(self.sides) if totals[side] == max(totals)]
        if kind == "apples":
            if self.options["goal"] == "points":
                won = [side for side, total in enumerate(totals) if total >= 7]
            else:
                won = self.find_winners_by_apples()
            if won:
                return won
        if kind == "sticks" and len(most) == 1 and max(totals) >= 7:
            return most
        return most if kind == "tallies" and max(totals) >= 5 else None

    def find_winners_by_apples(self):
        """Return the sides that have not lost by three apples, once a side has three."""
        deals = [self.compute_ruled_cards(number) for number in self.list_counting_deals()]
        if None in deals:
            return [None]
        apples = [sum(cards[side] <= APPLE_POINTS for cards in deals) for side in (0, 1)]
        losers = [side for side in (0, 1) if apples[side] >= APPLES_TO_LOSE]
        if len(losers) < 2:
            return [1 - side for side in losers]
        return [side for side in (0, 1) if deals[-1][side] == max(deals[-1])]

    def list_sheet_winners(self):
        """Return the possible winners now: sides at their target, by deals, or leading."""
        there = self.list_sides_at_target()
        most = max((self.totals[side] for side in there), default=0)
        first = [side for side in there if self.totals[side] == most]
        return [won for won in (first, self.find_winners_by_deals(), self.list_leaders(self.totals)) if won]

    def list_end_winners(self):
        """Return the possible winners as the game ends.

        [None] means that several sides are at their target and the log does not say which was first.
        """
        if self.claim is not None:
            return [self.claim]
        by_deals, there = self.find_winners_by_deals(), self.list_sides_at_target()
        if by_deals == [None]:
            return by_deals
        if self.mode == "sheet":
            return self.list_sheet_winners()[:1] if there or by_deals else []
        if there and self.options.get("claim_out", "automatic") == "automatic":
            goals, course = self.list_targets(), self.running_totals
            if len(there) == 1:
                return [there]
            if self.mode == "transcribed":  # the log records points later than they counted
                return [None]
            for totals in course:
                first = [side for side, goal in enumerate(goals) if totals[side] >= goal]
                if first:
                    return [first] if len(first) == 1 and not self.rulings else [None]
            return [None]
        return [by_deals] if by_deals else []

    def check_payments(self, body, where):
        """Check the payments of a game."""
        stake, told = self.options.get("stake") or 0, body.get("payments")
        wanted = [stake * (self.sides * total - sum(self.totals)) for total in self.totals] if stake else None
        if self.game is not None and (told or None) != wanted:
            self.add_fault(where, "the payments do not follow from the totals")
