"""Series of a club and their events."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.ids import new_id
from tournaments.models.championship import Championship
from tournaments.models.club import Club


class ClubSeries(models.Model):
    """Championships of a club that are counted together, or that lead to one.

    `rules`: the JSON of `tournaments.series.document.SeriesRules`; the weights are those of the events.
    `seed`: of the lots. Files from elsewhere are its `outside`.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="series")
    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=80)
    rules = models.JSONField()
    seed = models.CharField(max_length=32, default=new_id, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["-created_at", "-pk"]
        verbose_name_plural = "series"

    def __str__(self) -> str:
        return self.name


class ClubEvent(models.Model):
    """An event of a series: a championship, one from elsewhere (`OutsideEvent`), or a planned one.

    `key`: its name in the rules. `name`, `place`, `starts_at`: of the plan; a championship has its own.
    `state`: `planned` counts once the championship is finished. `entrants`: of a final, the references in
    its series of who had qualified when it was made, by start rank; partners together.
    """

    class State(models.TextChoices):
        PLANNED = "planned", _("planned")
        HELD = "held", _("counts")
        CANCELLED = "cancelled", _("cancelled")
        VOID = "void", _("does not count")

    series = models.ForeignKey(ClubSeries, on_delete=models.CASCADE, related_name="events")
    key = models.CharField(max_length=32)
    position = models.PositiveIntegerField()
    championship = models.ForeignKey(
        Championship, null=True, blank=True, on_delete=models.SET_NULL, related_name="series_events"
    )
    name = models.CharField(max_length=80)
    place = models.CharField(max_length=80, blank=True, default="")
    starts_at = models.DateTimeField(null=True, blank=True)
    weight = models.DecimalField(max_digits=5, decimal_places=2, default=1)
    state = models.CharField(max_length=9, choices=State.choices, default=State.PLANNED)
    entrants = models.JSONField(default=list, blank=True)

    class Meta:
        ordering: ClassVar = ["series", "position", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["series", "key"], name="tournaments_series_event_key"),
            models.UniqueConstraint(
                fields=["series", "championship"], name="tournaments_series_event_championship"
            ),
        ]

    def __str__(self) -> str:
        return self.name
