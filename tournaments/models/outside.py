"""Championships of other installations that a series counts, from their public files."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models import Leased, User
from tournaments.models.club import Person
from tournaments.models.series import ClubEvent, ClubSeries


class OutsideEvent(Leased):
    """A public file that a keeper has sent: verified by a worker, then matched to the roll, then counted.

    `data`: the file until it is verified. `digest`, `size`: SHA-256 and bytes of the file. `source`: origin
    of the file, as the keeper states it. `stream`: id of the championship's stream; `checkpoint`, `seal` and
    `key`: number, hash and public key of its last checkpoint. `names`: how the file names people, a kind of
    `tournaments.names.public_names`. `ranking`: rows of `tournaments.standings.RankingRow`. `event`: the
    event of the series for which it was sent; `counts`: whether the table counts the file for it now.
    `replaces`: the version that counted before. `message`: code of a refusal, with its parameters.
    """

    class State(models.TextChoices):
        QUEUED = "queued", _("waiting")
        RUNNING = "running", _("at work")
        DONE = "done", _("done")
        FAILED = "failed", _("not possible")

    series = models.ForeignKey(ClubSeries, on_delete=models.CASCADE, related_name="outside")
    event = models.ForeignKey(
        ClubEvent, null=True, blank=True, on_delete=models.SET_NULL, related_name="outside"
    )
    counts = models.BooleanField(default=False)
    replaces = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="replaced_by"
    )
    source = models.CharField(max_length=80, blank=True, default="")
    sent_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    received_at = models.DateTimeField(auto_now_add=True)
    digest = models.CharField(max_length=64)
    size = models.PositiveIntegerField()
    data = models.BinaryField(null=True)
    state = models.CharField(max_length=7, choices=State.choices, default=State.QUEUED)
    message = models.CharField(max_length=60, blank=True, default="")
    message_params = models.JSONField(default=dict)
    format = models.CharField(max_length=40, blank=True, default="")
    stream = models.CharField(max_length=32, blank=True, default="")
    key = models.CharField(max_length=64, blank=True, default="")
    checkpoint = models.PositiveIntegerField(default=0)
    seal = models.CharField(max_length=64, blank=True, default="")
    words = models.CharField(max_length=200, blank=True, default="")
    name = models.CharField(max_length=80, blank=True, default="")
    place = models.CharField(max_length=80, blank=True, default="")
    starts_at = models.DateTimeField(null=True, blank=True)
    exported_at = models.DateTimeField(null=True, blank=True)
    public = models.BooleanField(default=True)
    names = models.CharField(max_length=8, blank=True, default="")
    direction = models.SmallIntegerField(default=1)
    ranking = models.JSONField(default=list)
    ranking_version = models.PositiveIntegerField(default=0)
    ranking_digest = models.CharField(max_length=64, blank=True, default="")
    notes = models.JSONField(default=list)

    class Meta:
        ordering: ClassVar = ["-received_at", "-pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["event"], condition=Q(counts=True), name="tournaments_outside_counts"
            ),
            models.UniqueConstraint(
                fields=["series", "stream"], condition=Q(counts=True), name="tournaments_outside_once"
            ),
        ]

    def __str__(self) -> str:
        return self.name or f"file {self.pk}"


class OutsidePerson(models.Model):
    """A person ranked in the file of an `OutsideEvent`, and the person of the roll to whom they correspond.

    `entry`: reference of the entry in the streams of the file. `total`: an exact number, whole or "n/d".
    `choice`: the keeper's decision: none yet, `person`, `new` (a new person of the roll), or `nobody`.
    """

    class Choice(models.TextChoices):
        OPEN = "", _("not said yet")
        PERSON = "person", _("a person of the roll")
        NEW = "new", _("new on the roll")
        NOBODY = "nobody", _("not on the roll")

    outside = models.ForeignKey(OutsideEvent, on_delete=models.CASCADE, related_name="people")
    number = models.PositiveIntegerField()
    entry = models.CharField(max_length=32, blank=True, default="")
    name = models.CharField(max_length=120, blank=True, default="")
    club = models.CharField(max_length=40, blank=True, default="")
    licence = models.CharField(max_length=20, blank=True, default="")
    birth_year = models.PositiveSmallIntegerField(null=True, blank=True)
    place = models.PositiveIntegerField()
    total = models.JSONField()
    choice = models.CharField(max_length=6, choices=Choice.choices, blank=True, default=Choice.OPEN)
    person = models.ForeignKey(
        Person, null=True, blank=True, on_delete=models.SET_NULL, related_name="outside_results"
    )

    class Meta:
        ordering: ClassVar = ["outside", "place", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["outside", "number"], name="tournaments_outside_person_once")
        ]

    def __str__(self) -> str:
        return f"{self.number} of {self.outside_id}"
