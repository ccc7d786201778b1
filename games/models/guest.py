from django.db import models

from games.models.people import TableToken
from games.models.table import Game


class GuestTable(models.Model):
    """A table against bots of somebody without an account; `token` is what his session holds it by, `name`
    what he wants to be called there, "" for nothing in particular.

    Whatever counts, lists or audits games leaves these out. The row goes with its game
    (`games.guests`).
    """

    game = models.OneToOneField(Game, on_delete=models.CASCADE, primary_key=True, related_name="guest_table")
    token = models.ForeignKey(TableToken, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=40, blank=True, default="")

    def __str__(self) -> str:
        return f"guest at {self.game_id}"
