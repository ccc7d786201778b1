"""Photos of paper score sheets."""

from typing import ClassVar

from django.db import models

from tournaments.models.round import Table


class SheetPhoto(models.Model):
    """A photo of a sheet, as JPEG in `data`. `digest`: SHA-256 of `data`, also in the round's stream.

    `by_ref`: reference of the person who took it. `data` is empty once the photo is erased.
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
