"""The prize plan of a championship and the state of the prize giving."""

from typing import ClassVar

from django.db import models

from tournaments.models.championship import Championship


class PrizeGiving(models.Model):
    """The state of a prize giving, in which people are called up one after the other.

    `plan`: the JSON of `tournaments.prizes.PrizePlan`. `step`: number of calls made. `taken`: index of the
    chosen gift, by number of the entry. `later`: ids of calls postponed to the end. `version` counts changes,
    so that nobody acts on an outdated page.
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
