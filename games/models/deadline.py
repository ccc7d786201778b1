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
    payload = models.JSONField(default=dict)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["stream", "kind"], name="games_deadline_once")
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.stream_id} at {self.due_at}"
