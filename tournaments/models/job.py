"""Background jobs and their progress."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.ids import new_id
from games.models import Leased, User
from tournaments.models.championship import Championship
from tournaments.models.round import Round


class Job(Leased):
    """One job. Celery gets only the id; the sweep resends lost messages.

    `params`: arguments; `done` of `total`: progress; `result`: outcome; `message`: a stable code of
    success or failure, with `message_params` (`tournaments.errors.describe_for_storage`).

    A round has at most one unfinished job of a kind, a championship one of kind `file` and one of `copy`.
    Other jobs of a championship run side by side: exports and prints differ by `params`.
    """

    class Kind(models.TextChoices):
        DRAW = "draw", _("drawing the round")
        OPEN = "open", _("opening the round")
        CLOSE = "close", _("closing the round")
        STANDINGS = "standings", _("working out the standings")
        EXPORT = "export", _("writing the file")
        FILE = "file", _("writing the file of the championship")
        PRINT = "print", _("making the PDF")
        COPY = "copy", _("writing the copy of the championship")

    class State(models.TextChoices):
        QUEUED = "queued", _("waiting")
        RUNNING = "running", _("at work")
        DONE = "done", _("done")
        FAILED = "failed", _("not possible")

    id = models.CharField(max_length=32, primary_key=True, default=new_id, editable=False)
    kind = models.CharField(max_length=10, choices=Kind.choices)
    championship = models.ForeignKey(Championship, on_delete=models.CASCADE, related_name="jobs")
    round = models.ForeignKey(Round, null=True, blank=True, on_delete=models.CASCADE, related_name="jobs")
    started_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    params = models.JSONField(default=dict)
    state = models.CharField(max_length=7, choices=State.choices, default=State.QUEUED)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    message = models.CharField(max_length=60, blank=True, default="")
    message_params = models.JSONField(default=dict)
    result = models.JSONField(null=True, blank=True)
    queued_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["-queued_at"]
        indexes: ClassVar = [models.Index(fields=["state", "sent_at"], name="tournaments_job_waiting")]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["round", "kind"],
                condition=models.Q(state__in=["queued", "running"]),
                name="tournaments_job_once",
            ),
            models.UniqueConstraint(
                fields=["championship"],
                condition=models.Q(kind="file", state__in=["queued", "running"]),
                name="tournaments_file_job_once",
            ),
            models.UniqueConstraint(
                fields=["championship"],
                condition=models.Q(kind="copy", state__in=["queued", "running"]),
                name="tournaments_copy_job_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.id}"

    @property
    def is_over(self) -> bool:
        return self.state in (self.State.DONE, self.State.FAILED)
