"""The prizes of a championship, and how far they have been given."""

from typing import ClassVar

from django.db import models

from tournaments.models.championship import Championship


class PrizeGiving(models.Model):
    """`plan`: the JSON of `tournaments.prizes.PrizePlan`. `step`: so many have been called to the front.
    `taken`: entry's number → which thing of the plan's table he has chosen. `version` counts what was done,
    so that nobody calls from a page that is out of date. `later`: which calls were put off to the end, since
    nobody came.
    """

    championship = models.OneToOneField(Championship, on_delete=models.CASCADE, related_name="prize_giving")
    plan = models.JSONField(default=dict)
    step = models.PositiveIntegerField(default=0)
    taken = models.JSONField(default=dict)
    later = models.JSONField(default=list)
    version = models.PositiveIntegerField(default=0)

    class Meta:
        ordering: ClassVar = ["championship"]

    def __str__(self) -> str:
        return f"prizes of {self.championship_id}"
