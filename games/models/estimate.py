"""Estimated values of the cards of a finished deal, by our bots."""

from typing import ClassVar

from django.db import models

from games.models.table import Game
from games.models.timers import Leased


class DealEstimate(Leased):
    """The estimate of a deal. It is created on request and kept as long as the game.

    `seq`: the event that ended the deal; a deal that was taken back and ends again gets another row. `seen`:
    the number of examined cards. `gains`: the fields of `games.analysis.best_card_gains.CardGain` for each
    examined card to which there was a better one.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="estimates")
    deal = models.PositiveIntegerField()
    seq = models.IntegerField()
    seen = models.PositiveSmallIntegerField(default=0)
    gains = models.JSONField(default=list)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "deal", "seq"], name="games_estimate_once")
        ]

    def __str__(self) -> str:
        return f"estimate of deal {self.deal} of {self.game_id}"
