"""A call for the referee, or a dispute about a deal, and what became of it."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models import User
from tournaments.models.round import Table


class Dispute(models.Model):
    """Raised at a table; without a deal a call for the referee. The ruling itself is an event of the game.

    `raised_ref`: how the streams call whoever raised it. `seen_seq`: where the game stood then.
    """

    class Status(models.TextChoices):
        OPEN = "open", _("open")
        RULED = "ruled", _("ruled")
        WITHDRAWN = "withdrawn", _("withdrawn")

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="disputes")
    deal = models.PositiveIntegerField(null=True, blank=True)
    trick = models.PositiveSmallIntegerField(null=True, blank=True)
    raised_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    raised_ref = models.CharField(max_length=32)
    text = models.CharField(max_length=500, blank=True, default="")
    status = models.CharField(max_length=9, choices=Status.choices, default=Status.OPEN)
    seen_seq = models.IntegerField(default=-1)
    ruling_number = models.PositiveIntegerField(null=True, blank=True)
    answer = models.CharField(max_length=500, blank=True, default="")
    ruled_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    raised_at = models.DateTimeField(auto_now_add=True)
    settled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["-raised_at", "-pk"]
        indexes: ClassVar = [models.Index(fields=["status", "table"], name="tournaments_dispute_open")]

    def __str__(self) -> str:
        return f"dispute {self.pk} at {self.table_id}"

    @property
    def is_call(self) -> bool:
        """Only a call for the referee, about no deal in particular."""
        return self.deal is None
