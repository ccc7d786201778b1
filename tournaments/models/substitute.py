"""Somebody plays on another's chair from some deal on; the result stays with who was drawn to it."""

from typing import ClassVar

from django.db import models

from tournaments.models.entry import Entry
from tournaments.models.round import Table


class Substitute(models.Model):
    """`entry` plays on the chair from `deal` on, until the next row of the chair; where it is the entry that
    was drawn to it, that one plays again.
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
