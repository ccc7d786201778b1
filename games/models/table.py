"""Rows of games, seats and results. Results, and most columns of games, are projections of the log."""

from typing import Any, ClassVar

from django.db import models

from games.ids import new_id
from games.models.log import Stream


class Game(models.Model):
    """The game of one table. `id` is also the id of its stream.

    `number`: selects the cards; tables of a round with the same number play the same cards. `seed_seq`: the
    seq, in the round's stream, of the commitment to the seed from which the game is dealt.
    `hands_wait_deals`, `hands_wait_minutes`: the delay after the end of a deal before `visibility` opens its
    hands. `deal_pause`, `turn_seconds`: seconds. `turn_seq`: the event after which the present turn began.
    `clock_waits`: no turn is timed before all players are present (`games.play.waiting_for_players`).
    `delay_minutes`: the delay for observers without a part in the game
    (`games.rights.observers.sees_undelayed`).

    In a delayed game, this row and the results of its deals hold the delayed state, except `turn_seq`.
    `ahead` holds the newer state of the log, up to `ahead_seq`; `games.projections.delayed_broadcast` reads
    both.
    """

    is_now = False
    """Whether this object holds the current state of a delayed game. Only a copy made by
    `games.projections.delayed_broadcast` does.
    """

    class Mode(models.TextChoices):
        DEALT = "dealt"
        TRANSCRIBED = "transcribed"
        SHEET = "sheet"

    class Status(models.TextChoices):
        WAITING = "waiting"
        RUNNING = "running"
        ENDED = "ended"
        CLOSED = "closed"

    OVER: ClassVar = (Status.ENDED, Status.CLOSED)
    """Statuses of a game that is finished or was broken off."""

    class Visibility(models.TextChoices):
        """The cards that people without a role in the game see: none (they do not even find the game), played
        cards, or also the hands of finished deals.
        """

        PRIVATE = "private"
        PLAYED = "played"
        AFTER_DEAL = "after_deal"

    id = models.CharField(max_length=32, primary_key=True, default=new_id, editable=False)
    variant = models.CharField(max_length=40)
    preset = models.CharField(max_length=40, blank=True, default="")
    mode = models.CharField(max_length=12, choices=Mode.choices)
    seat_count = models.PositiveSmallIntegerField()
    options = models.JSONField(default=dict)
    round_stream = models.ForeignKey(Stream, on_delete=models.PROTECT, related_name="games")
    number = models.PositiveIntegerField(default=1)
    seed_seq = models.PositiveIntegerField(default=0)
    visibility = models.CharField(max_length=10, choices=Visibility.choices, default=Visibility.PLAYED)
    hands_wait_deals = models.PositiveSmallIntegerField(default=0)
    hands_wait_minutes = models.PositiveSmallIntegerField(default=0)
    deal_pause = models.FloatField(default=0)
    turn_seconds = models.PositiveIntegerField(null=True, blank=True)
    delay_minutes = models.PositiveSmallIntegerField(default=0)
    clock_waits = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    status = models.CharField(max_length=8, choices=Status.choices, default=Status.WAITING)
    phase = models.CharField(max_length=20, default="start")
    deal = models.PositiveIntegerField(default=0)
    trick = models.PositiveSmallIntegerField(default=0)
    turn_seat = models.PositiveSmallIntegerField(null=True, blank=True)
    turn_seq = models.IntegerField(default=-1)
    head_seq = models.IntegerField(default=-1)
    totals = models.JSONField(default=list)
    sides = models.JSONField(default=list)
    winners = models.JSONField(null=True, blank=True)
    last_event_at = models.DateTimeField(null=True, blank=True)
    ahead_seq = models.IntegerField(null=True, blank=True)
    ahead = models.JSONField(null=True, blank=True)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["status", "-last_event_at"], name="games_game_status"),
        ]

    def __str__(self) -> str:
        return f"{self.variant} {self.id}"

    def save(self, *args: Any, **more: Any) -> None:
        """Save the row. Raises ValueError for an object with the current state of a delayed game, because the
        public would see that state.
        """
        if self.is_now:
            raise ValueError("what is ahead of the row is not stored in it")
        super().save(*args, **more)


class Seat(models.Model):
    """A seat. `player_ref`: the random reference of its player in the championship. `bot`: the name of the
    bot that plays it; empty for a person. `bot_pace`: seconds that the bot waits after a card. `came_at`:
    when the player was first present at a table whose clock waits.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField()
    player_ref = models.CharField(max_length=32)
    bot = models.CharField(max_length=40, blank=True, default="")
    bot_pace = models.FloatField(default=1.0)
    came_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["game", "number"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["game", "number"], name="games_seat_once")]

    def __str__(self) -> str:
        return f"seat {self.number} of {self.game_id}"


class DealResult(models.Model):
    """The result of one deal. `scores`: as it was played or entered. `counted`: after the rulings on the
    deal.

    If a table enters totals, they are one row, with `sweeps` and `stoecks` per side. `by_desk`: the desk
    wrote the result. `witness`: the confirmation in place of a side that has not confirmed the result itself.
    `sweep`: the side with a sweep as played or entered. `ruled_sweep`: the side to which a ruling gives a
    sweep.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="results")
    deal = models.PositiveIntegerField()
    card_points = models.JSONField(null=True)
    scores = models.JSONField(null=True)
    counted = models.JSONField(null=True)
    confirmed = models.BooleanField(default=False)
    annulled = models.BooleanField(default=False)
    sweep = models.PositiveSmallIntegerField(null=True)
    ruled_sweep = models.PositiveSmallIntegerField(null=True)
    stoeck = models.PositiveSmallIntegerField(null=True)
    sweeps = models.JSONField(null=True)
    stoecks = models.JSONField(null=True)
    by_desk = models.BooleanField(default=False)
    witness = models.CharField(max_length=16, blank=True, default="")

    class Meta:
        ordering: ClassVar = ["game", "deal"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["game", "deal"], name="games_result_once")]

    def __str__(self) -> str:
        return f"deal {self.deal} of {self.game_id}"
