"""What was sealed when. Written by `games.sealing` alone, guarded by the same triggers as the log."""

from typing import ClassVar

from django.db import models

from games.models.log import Stream


class Checkpoint(models.Model):
    """One checkpoint of a championship's stream. `body`: the exact bytes that are signed and hashed;
    `heads`: JSON object of stream → seq, what its root is computed from.
    """

    pk = models.CompositePrimaryKey("stream_id", "number")
    stream = models.ForeignKey(Stream, on_delete=models.PROTECT, related_name="checkpoints")
    number = models.PositiveIntegerField()
    body = models.BinaryField()
    signature = models.BinaryField(max_length=64)
    heads = models.BinaryField()
    made_at = models.DateTimeField()

    class Meta:
        indexes: ClassVar = [models.Index(fields=["stream", "made_at"], name="games_checkpoint_when")]

    def __str__(self) -> str:
        return f"checkpoint {self.number} of {self.stream_id}"
