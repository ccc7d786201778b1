"""Rows of timed work: deadlines, work with a lease, and heartbeats of the workers."""

from typing import ClassVar

from django.db import models

from games.models.log import Stream


class Deadline(models.Model):
    """A deadline: a clock, a bot's move, the end of a round. A stream has at most one of each kind.

    It is deleted or armed again in the transaction of the events that its handler causes. `guard_seq`: the
    game's `turn_seq` for which it was armed, None without a turn; once the turn is over, the handler does
    nothing.
    """

    kind = models.CharField(max_length=40)
    stream = models.ForeignKey(Stream, on_delete=models.PROTECT, related_name="deadlines")
    due_at = models.DateTimeField(db_index=True)
    guard_seq = models.IntegerField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["stream", "kind"], name="games_deadline_once")
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.stream_id} at {self.due_at}"


class Heartbeat(models.Model):
    """The last recorded time of a sweep on a machine. `at`: by its clock. `monotonic`: seconds since its
    boot, a clock that nobody can set. `boot`: identifies the boot. `jump`: the seconds by which the clock
    jumped at `jumped_at`.
    """

    host = models.CharField(max_length=100, primary_key=True)
    boot = models.CharField(max_length=40)
    at = models.DateTimeField()
    monotonic = models.FloatField()
    jump = models.FloatField(default=0)
    jumped_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.host} at {self.at}"


class Leased(models.Model):
    """Work with a lease: at most one worker at a time processes it (`games.timers.leases`). `sent_at`: time
    of the last message to a worker. `beat_at`: time of the last heartbeat of a worker; None before the first
    one, and after a worker has given the row back. `tries`: the number of attempts. `ended_at`: None while
    the work is unfinished.
    """

    sent_at = models.DateTimeField(null=True, blank=True)
    beat_at = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True
