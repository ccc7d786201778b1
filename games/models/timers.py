"""Rows of what happens at a time: deadlines, leased work, signs of life of the workers."""

from typing import ClassVar

from django.db import models

from games.models.log import Stream


class Deadline(models.Model):
    """Something that is due: a clock, a bot's move, the end of a round. At most one of a kind a stream.

    It is finished (deleted, or armed anew) in the transaction of the events it causes. `guard_seq`: the
    moment of the stream it was meant for; a handler that finds the stream elsewhere does nothing.
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
    """When a sweep ran there last: by its clock (`at`), and in seconds since it was started (`monotonic`),
    which no hand sets; `boot` says since which start. `jump`: by how many seconds the clock jumped then
    (`jumped_at`).
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
    """Work that one worker at a time is at (`games.timers.leases`). `sent_at`: when a worker was told last;
    `beat_at`: the sign of life of whoever is at it, None where nobody is; `tries`: how often it was begun.
    """

    sent_at = models.DateTimeField(null=True, blank=True)
    beat_at = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True
