"""Public files of a championship, stored in the database so that every node can serve them."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models.championship import Championship


class PublicFile(models.Model):
    """A generated file that serves all requests until the championship changes.

    `checkpoint`: number of the checkpoint that it contains; `names`: digest of the names in it, which can
    change without a checkpoint. `size`: in bytes. `whole`: all pieces are stored.
    """

    class Kind(models.TextChoices):
        FILE = "file", _("file")
        COPY = "copy", _("copy without a server")

    championship = models.ForeignKey(Championship, on_delete=models.CASCADE, related_name="public_files")
    kind = models.CharField(max_length=4, choices=Kind.choices, default=Kind.FILE)
    checkpoint = models.PositiveIntegerField()
    names = models.CharField(max_length=64)
    size = models.PositiveBigIntegerField(default=0)
    whole = models.BooleanField(default=False)
    made_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.kind} of {self.championship_id} at checkpoint {self.checkpoint}"


class PublicFilePiece(models.Model):
    """One piece of a public file's bytes, small enough for memory. `number`: counted from 0."""

    file = models.ForeignKey(PublicFile, on_delete=models.CASCADE, related_name="pieces")
    number = models.PositiveIntegerField()
    data = models.BinaryField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["file", "number"], name="tournaments_piece_once")
        ]

    def __str__(self) -> str:
        return f"piece {self.number} of {self.file_id}"
