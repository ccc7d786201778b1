"""Changes of seat at a running table: a seat given to somebody else, and substitutes from some deal on."""

from typing import ClassVar

from django.db import models

from games.models import User
from tournaments.models.entry import Entry
from tournaments.models.round import Table


class SeatChange(models.Model):
    """One such change at a table that is dealt here. Who plays there reads it on the page of the table.

    `given_by` did it, `ref` is how the streams call him; `deal`: the one that was played. `to_official`: the
    account that has got the seat is an official's.
    """

    class Way(models.TextChoices):
        ACCOUNT = "account"
        """To the account that is linked to the entry now."""
        NO_ACCOUNT = "no_account"
        """To whoever comes by its code."""
        CODE = "code"
        """To whoever scans the new code."""
        BACK = "back"
        """Back to the account to which it was drawn."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="seat_changes")
    seat = models.PositiveSmallIntegerField()
    way = models.CharField(max_length=10, choices=Way.choices)
    to_official = models.BooleanField(default=False)
    given_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    ref = models.CharField(max_length=32)
    deal = models.PositiveIntegerField()
    given_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["given_at", "pk"]

    def __str__(self) -> str:
        return f"seat {self.seat} of table {self.table_id}: {self.way}"


class Substitute(models.Model):
    """`entry` plays on the chair from `deal` on, until the next row of the chair; the result stays with the
    entry that was drawn to it. Where `entry` is that one, it plays again.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="substitutes")
    seat = models.PositiveSmallIntegerField()
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="+")
    deal = models.PositiveSmallIntegerField()

    class Meta:
        ordering: ClassVar = ["table", "seat", "deal"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["table", "seat", "deal"], name="tournaments_substitute_once")
        ]

    def __str__(self) -> str:
        return f"{self.entry_id} at {self.table_id}.{self.seat} from deal {self.deal}"
