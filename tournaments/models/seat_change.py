"""Changes of seats at running tables: seats given to another person, and substitutes."""

from typing import ClassVar

from django.db import models
from django.db.models import Exists, OuterRef, QuerySet

from games.models import User
from tournaments.models.entry import Entry
from tournaments.models.round import Table


class SeatChange(models.Model):
    """A seat of a dealt table given to another person; the table's page shows it to the players.

    `way`: how the seat was given. `to_official`: the new account belongs to an official. `given_by`, `ref`:
    the actor, and the actor's reference in the streams. `deal`: the running deal.
    """

    class Way(models.TextChoices):
        ACCOUNT = "account"
        """To the account that is now linked to the entry."""
        NO_ACCOUNT = "no_account"
        """To the holder of the seat's code, because the entry now has no account."""
        CODE = "code"
        """To the holder of a new code of the seat."""
        BACK = "back"
        """Back to the account of the drawn entry."""

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
    """A substitution: `entry` plays on the seat from `deal` on, until a later row for the seat.

    The result stays with the drawn entry. If `entry` is the drawn entry, the substitution ends.

    The person who plays the last deals on a seat counts as its player (`last_substitutions`): they have the
    rights of the seat from the naming on, lists name them, and they are not free for another seat. The deal
    in play does not decide, because a table on paper may write its deals down only after the round.
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


def last_substitutions() -> QuerySet[Substitute]:
    """Return the last substitution of each seat: that of the person who plays the last deals. A drawn person
    who plays again has one too.
    """
    later = Substitute.objects.filter(
        table=OuterRef("table"), seat=OuterRef("seat"), deal__gt=OuterRef("deal")
    )
    return Substitute.objects.filter(~Exists(later))
