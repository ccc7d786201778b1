"""Rulings of referees."""

from __future__ import annotations

from .deal_scores import MOVING_RULINGS, Deal, fill_unknown, is_annulling
from .sheets import SheetResults


class Rulings(SheetResults):
    """The rulings of referees, and the totals and winners that follow from them."""

    def _ruling_made(self, event, body, where):
        number, replaced = body["ruling"], body.get("replaces")
        counted, before = self.score_deals(), body.get("scores_before")
        if number != len(self.rulings) + len(self.replaced_rulings) + 1:
            self.add_fault(where, "ruling %r does not come next" % number)
        if body.get("totals_before") not in (None, self.totals):
            self.add_fault(where, "a ruling starts from other totals than there were")
        deal = body.get("deal")
        if before is not None and counted.get(deal) is not None and (fill_unknown(before) != counted[deal]):
            self.add_fault(where, "a ruling starts from another score than deal %r had" % deal)
        if replaced is not None:
            if self.rulings.pop(replaced, None) is None:
                self.add_fault(where, "it replaces a ruling that was not in force")
            self.replaced_rulings.add(replaced)
        self.rulings[number] = body
        self.touched.append(event)
        if body["kind"] == "penalty" and not body.get("points", 0) > 0:
            self.add_fault(where, "a penalty takes off a positive number of points")
        if is_annulling(body) and deal not in self.scores_written:
            running = (
                self.current_deal
                if self.current_deal is not None and self.current_deal.number == deal
                else None
            )
            self.deals[deal] = running or Deal(deal, self.seats, self.sides)
            self.scores_written[deal] = self.score_as_played(self.deals[deal])
            self.scores_recorded[deal] = [0] * self.sides
        told = body["scores"]
        if told is not None and deal in self.scores_written:
            rulings = self.list_rulings_on(deal)
            if rulings and rulings[-1]["kind"] in MOVING_RULINGS:
                self.scores_ruled[deal] = [r["ruling"] for r in rulings], fill_unknown(told)
                self.unproven.append(
                    where
                    + "what deal %d counts by ruling %d: %r instead of %r" % (deal, number, told, before)
                )
            now = self.score_deals().get(deal)
            if now is not None and fill_unknown(told) != now:
                self.add_fault(where, "deal %d counts %r by this ruling instead of %r" % (deal, now, told))
        totals = list(self.totals)
        self.check_totals(body["totals"], self.compute_totals(body["totals"], where), where)
        self.check_ruled_winners(body, totals, where)

    def check_ruled_winners(self, body, totals, where):
        """Check the winners of a finished game after a ruling."""
        told = body.get("winners")
        if self.over and body["totals"] != totals:
            possible = [self.list_leaders(self.totals)] if self.game is None else self.list_sheet_winners()
            if told is None and self.game is not None and self.winners not in possible:
                self.add_fault(where, "a ruling does not state the new winners")
            elif told is not None and self.game is not None and told not in possible:
                self.add_fault(where, "sides %r have won by these totals instead of %r" % (possible[0], told))
        elif told is not None:
            self.add_fault(where, "a ruling states the winners of a game that it does not change")
        self.winners = told if told is not None else self.winners

    def _deal_annulled(self, event, body, where):
        if body["deal"] not in self.scores_written or not any(
            is_annulling(r) for r in self.list_rulings_on(body["deal"])
        ):
            self.add_fault(where, "deal %r was annulled without a ruling" % body["deal"])
