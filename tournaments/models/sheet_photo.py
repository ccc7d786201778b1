"""Photos of score sheets on paper."""

from typing import ClassVar

from django.db import models

from tournaments.models.round import Table


class SheetPhoto(models.Model):
    """What was written at a table, as somebody photographed it. `digest`: SHA-256 of `data`, in the stream of
    the round too; `data` is empty once the photo was erased.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="photos")
    digest = models.CharField(max_length=64)
    data = models.BinaryField()
    width = models.PositiveIntegerField()
    height = models.PositiveIntegerField()
    by_ref = models.CharField(max_length=64)
    taken_at = models.DateTimeField(auto_now_add=True)
    erased_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["table", "digest"], name="tournaments_photo_once")
        ]

    def __str__(self) -> str:
        return f"photo of the sheet of table {self.table_id}"
