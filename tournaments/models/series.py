"""Series of a club, their events, decisions on tickets, and published tables."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.ids import new_id
from games.models import Stream
from tournaments.models.championship import Championship
from tournaments.models.club import Club, Person
from tournaments.models.entry import Entry


class ClubSeries(models.Model):
    """Championships of a club that are counted together, or that lead to a final.

    `rules`: the JSON of `tournaments.series.document.SeriesRules`, without the events' weights, which are in
    `ClubEvent`. `seed`: the seed of the lots. `stream`: None for a series that has not changed since series
    have streams.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="series")
    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=80)
    rules = models.JSONField()
    seed = models.CharField(max_length=32, default=new_id, editable=False)
    stream = models.OneToOneField(
        Stream, null=True, on_delete=models.PROTECT, related_name="series", editable=False
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["-created_at", "-pk"]
        verbose_name_plural = "series"

    def __str__(self) -> str:
        return self.name


class ClubEvent(models.Model):
    """An event of a series: a championship of this platform, one of another (`OutsideEvent`), or a planned
    one.

    `key`: its name in the rules. `name`, `place`, `starts_at`: as planned; a linked championship has its own.
    `weight`: factor of its points in the table. `state`: a `planned` event counts once its championship is
    finished. `entrants`: for a final, the references of the persons who had qualified when it was created, by
    start rank, with partners in one group.
    """

    class State(models.TextChoices):
        PLANNED = "planned", _("planned")
        HELD = "held", _("counts")
        CANCELLED = "cancelled", _("cancelled")
        VOID = "void", _("does not count")

    WITHDRAWN = (State.CANCELLED, State.VOID)
    """States of events that are left out of the table."""

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


class SeriesTicket(models.Model):
    """A decision on the ticket of a person of the roll (`person`), or of somebody who is not on it (`entry`).

    `reason`: why a wild card was given.
    """

    class Kind(models.TextChoices):
        HOLDER = "holder", _("title holder")
        WILD_CARD = "wild_card", _("wild card")
        DECLINED = "declined", _("declined")
        ACCEPTED = "accepted", _("accepted")

    series = models.ForeignKey(ClubSeries, on_delete=models.CASCADE, related_name="tickets")
    kind = models.CharField(max_length=9, choices=Kind.choices)
    person = models.ForeignKey(
        Person, null=True, on_delete=models.CASCADE, related_name="series_tickets", editable=False
    )
    entry = models.ForeignKey(Entry, null=True, on_delete=models.CASCADE, related_name="+", editable=False)
    reason = models.CharField(max_length=200, blank=True, default="")

    class Meta:
        ordering: ClassVar = ["series", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["series", "kind", "person"], name="tournaments_series_ticket_person"
            ),
            models.UniqueConstraint(
                fields=["series", "kind", "entry"], name="tournaments_series_ticket_entry"
            ),
            models.CheckConstraint(
                condition=models.Q(person=None) ^ models.Q(entry=None), name="tournaments_series_ticket_one"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.ref}"

    @property
    def ref(self) -> str:
        """The person's reference in the series' documents and stream."""
        return f"p{self.person_id}" if self.person_id is not None else f"e{self.entry_id}"


class SeriesSnapshot(models.Model):
    """A published version of the table and of the qualification; the stream has their digests.

    `table`: rows of `place` (None: too few events), `ref` and `total`. `qualification`: lists `qualified` and
    `waiting`, as `python -m tournaments.series` writes them. `teams`: rows as in `table`, with `members`.
    `qualification` and `teams` are None if the series has no rules for them.
    """

    series = models.ForeignKey(ClubSeries, on_delete=models.CASCADE, related_name="snapshots")
    version = models.PositiveIntegerField()
    table = models.JSONField()
    qualification = models.JSONField(null=True)
    teams = models.JSONField(null=True)
    reason = models.CharField(max_length=200, blank=True, default="")
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["series", "version"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["series", "version"], name="tournaments_series_snapshot")
        ]

    def __str__(self) -> str:
        return f"version {self.version} of {self.series_id}"
