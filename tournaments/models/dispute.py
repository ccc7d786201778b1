"""Referee calls, disputes about a deal, appeals, and hands opened to officials."""

from typing import Any, ClassVar

from django.db import models

from games.models import User
from tournaments import dispute_states
from tournaments.models.round import Table


class Dispute(models.Model):
    """A dispute raised at a table; without a deal it is a referee call. The ruling is an event of the game.

    `raised_ref`: reference of its author in the streams. `incident`: a code of `tournaments.incident_kinds`:
    as raised, and after the ruling as the referee saw it. `seen_seq`: number of the game's last event when
    the dispute was raised; `at_seq`: number of the event concerned (a card), if given. `ruling_number`:
    number of the ruling in the game's stream. `chosen_by`: the seat that chose, if the ruling left the choice
    to the opponents. `answer`: the referee's text. `version` counts changes, so that nobody decides on an
    outdated page.
    """

    Status = dispute_states.Status

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="disputes")
    deal = models.PositiveIntegerField(null=True, blank=True)
    trick = models.PositiveSmallIntegerField(null=True, blank=True)
    at_seq = models.PositiveIntegerField(null=True, blank=True)
    incident = models.CharField(max_length=20, blank=True, default="")
    raised_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    raised_ref = models.CharField(max_length=32)
    text = models.CharField(max_length=500, blank=True, default="")
    status = models.CharField(max_length=9, choices=Status.choices, default=Status.OPEN)
    version = models.PositiveIntegerField(default=0)
    seen_seq = models.IntegerField(default=-1)
    ruling_number = models.PositiveIntegerField(null=True, blank=True)
    chosen_by = models.PositiveSmallIntegerField(null=True, blank=True)
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
        """Whether this is a referee call, which concerns no deal in particular."""
        return self.deal is None

    def become(self, status: str, **columns: Any) -> None:
        """Update a locked dispute: set its status and these columns, and increment its version."""
        changed = {"status": status, "version": self.version + 1, **columns}
        for name, value in changed.items():
            setattr(self, name, value)
        self.save(update_fields=list(changed))


class Appeal(models.Model):
    """An appeal against a ruling. A dispute has at most one appeal that is not withdrawn.

    `ruling_number`: number of the appealed ruling in the game's stream; None if the dispute was settled
    orally. `outcome`: `upheld`, `replaced`, `withdrawn`, or "" while open.
    """

    dispute = models.ForeignKey(Dispute, on_delete=models.CASCADE, related_name="appeals")
    ruling_number = models.PositiveIntegerField(null=True, blank=True)
    raised_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    raised_ref = models.CharField(max_length=32)
    reason = models.CharField(max_length=500)
    raised_at = models.DateTimeField(auto_now_add=True)
    outcome = models.CharField(max_length=9, blank=True, default="")
    answer = models.CharField(max_length=500, blank=True, default="")
    decided_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    decided_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["raised_at", "pk"]

    def __str__(self) -> str:
        return f"appeal {self.pk} on dispute {self.dispute_id}"


class OpenedHands(models.Model):
    """The opening of a running deal's hidden cards to an official. The event is in the round's stream.

    From then on the official sees every hand of this deal, and of no later deal. `ref`: the official's
    reference. `seq`: number of the game's last event at that moment.
    """

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="opened_hands")
    opened_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    ref = models.CharField(max_length=32)
    deal = models.PositiveIntegerField()
    seq = models.IntegerField()
    reason = models.CharField(max_length=500)
    opened_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["opened_at", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["table", "ref", "deal"], name="tournaments_hands_opened_once")
        ]

    def __str__(self) -> str:
        return f"hands of table {self.table_id} opened at {self.seq}"
