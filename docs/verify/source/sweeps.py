"""Sweeps: deals in which one side took every trick."""

from __future__ import annotations

from .cards import DEAL_POINTS
from .deal_scores import SCORING_FACTS, Deal, is_annulling
from .report import FAILING
from .rulings import Rulings


class Sweeps(Rulings):
    """The sweeps (deals in which one side took all tricks) that count."""

    def find_sweeps(self):
        """Return the sides of all sweeps that count, and whether some are unknown."""
        found, open_ = [], False
        for number, scores in self.score_deals().items():
            deal, rulings = self.deals[number], self.list_rulings_on(number)
            found += [side for side, count in enumerate(deal.sweeps) for _ in range(count)]
            if rulings and is_annulling(rulings[-1]):
                continue
            if any(ruling["kind"] == "card_powerless" for ruling in rulings):
                open_ = True  # this program does not derive the takers then
            elif scores == self.scores_recorded[number]:
                found += [deal.sweep] if deal.sweep is not None else []
            elif scores is None or self.game is None:
                open_ = True
            else:
                found += self.find_ruled_sweep(deal, scores)
        return found, open_

    def find_ruled_sweep(self, deal, scores):
        """Return the side of a sweep by a ruling that leads to these scores."""
        bonus = self.options.get("sweep_bonus", 0)
        if not bonus or self.started.get("hand_in") == "totals":
            return []
        beside = list(deal.bonuses)
        if deal.sweep is not None:
            beside[deal.sweep] -= deal.bonus
        for side in range(self.sides):
            for more in (beside, [0] * self.sides):
                swept = Deal(deal.number, self.seats, self.sides)
                for name in SCORING_FACTS:
                    setattr(swept, name, getattr(deal, name))
                swept.cards[side], swept.trick_sides = DEAL_POINTS, {side}
                swept.bonuses = [points + bonus * (one == side) for one, points in enumerate(more)]
                try:
                    if self.score_deal(swept, deal.ties)[0] == scores:
                        return [side]
                except FAILING:
                    return []
        return []
