"""Rounds, their tables, seatings, byes and queues."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models import Game, Stream
from tournaments.models.championship import Championship
from tournaments.models.entry import Entry
from tournaments.models.figure import FigureField


class Round(models.Model):
    """One round. Seed, draw, opening and closing are in `stream`.

    `place`, `starts_at`: of a session (a round to which tables are added); empty: as for the championship.
    `opens_at`, `closes_at`: scheduled times; `opened_at`, `closed_at`: actual times. `draws`: number of draws
    made. `drawn_cost`: numbers of repeats, and notes, of the valid draw. `delay_minutes`: delay of its
    tables' public display; None: by the regulations. `featured`: number of the table chosen by the director
    for display; None: the closest game.
    """

    class Status(models.TextChoices):
        PLANNED = "planned", _("planned")
        DRAWN = "drawn", _("drawn")
        OPEN = "open", _("open")
        CLOSED = "closed", _("closed")

    championship = models.ForeignKey(Championship, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveIntegerField()
    status = models.CharField(max_length=7, choices=Status.choices, default=Status.PLANNED)
    place = models.CharField(max_length=80, blank=True, default="")
    starts_at = models.DateTimeField(null=True, blank=True)
    opens_at = models.DateTimeField(null=True, blank=True)
    closes_at = models.DateTimeField(null=True, blank=True)
    opened_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    draws = models.PositiveIntegerField(default=0)
    drawn_cost = models.JSONField(null=True, blank=True)
    delay_minutes = models.PositiveSmallIntegerField(null=True, blank=True)
    featured = models.PositiveIntegerField(null=True, blank=True)
    stream = models.OneToOneField(Stream, on_delete=models.PROTECT, related_name="round")

    class Meta:
        ordering: ClassVar = ["championship", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["championship", "number"], name="tournaments_round_once")
        ]

    def __str__(self) -> str:
        return f"round {self.number} of {self.championship_id}"


class StandingTables(models.Manager["Table"]):
    """Manager of the tables that belong to valid draws."""

    def get_queryset(self) -> models.QuerySet["Table"]:
        return super().get_queryset().filter(undone=None)


class Table(models.Model):
    """One table of one round. It has a `game` from the opening of the round.

    `undone`: number of the undone draw of a table that is kept because it has disputes or opened hands. Such
    a table appears in no list of tables. It has no seatings; the seats of its game keep the people.
    """

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="tables")
    number = models.PositiveIntegerField()
    mode = models.CharField(max_length=12, choices=Game.Mode.choices)
    game = models.OneToOneField(
        Game, null=True, blank=True, on_delete=models.PROTECT, related_name="tournament_table"
    )
    undone = models.PositiveIntegerField(null=True, blank=True)

    objects = StandingTables()
    ever: ClassVar[models.Manager["Table"]] = models.Manager()
    """Manager of all tables, also those of undone draws."""

    class Meta:
        ordering: ClassVar = ["round", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["round", "number"], condition=models.Q(undone=None), name="tournaments_table_once"
            )
        ]

    def __str__(self) -> str:
        return f"table {self.number} of round {self.round_id}"


class Seating(models.Model):
    """A person on a chair. `seat`: 0 to 3, in the order of play."""

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="seatings")
    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="seatings")
    seat = models.PositiveSmallIntegerField()
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="seatings")

    class Meta:
        ordering: ClassVar = ["table", "seat"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["table", "seat"], name="tournaments_seat_once"),
            models.UniqueConstraint(fields=["round", "entry"], name="tournaments_seated_once"),
        ]

    def __str__(self) -> str:
        return f"{self.entry_id} at {self.table_id}.{self.seat}"


class Bye(models.Model):
    """A bye of an entry in a round. `points`: the credit for it by the regulations, set when the round
    closes.
    """

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="byes")
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="byes")
    points = FigureField(null=True, blank=True)

    class Meta:
        db_table = "tournaments_sitout"
        ordering: ClassVar = ["round", "entry"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["round", "entry"], name="tournaments_sits_out_once")
        ]

    def __str__(self) -> str:
        return f"{self.entry_id} has a bye in {self.round_id}"


class QueuePlace(models.Model):
    """A start's place in the queue of a session. The row stays after the start has got a seat."""

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="queue")
    entry = models.OneToOneField(Entry, on_delete=models.CASCADE, related_name="queue_place")
    queued_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["round", "queued_at", "pk"]

    def __str__(self) -> str:
        return f"{self.entry_id} in the queue of {self.round_id}"
