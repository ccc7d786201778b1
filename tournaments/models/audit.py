"""Audits of stored games, their parts and findings."""

from typing import ClassVar

from django.db import models

from games.ids import new_id
from games.models import Leased, User
from tournaments.models.championship import Championship


class Audit(models.Model):
    """An audit of one championship, or of all games (`championship` None). A nightly audit has no
    `started_by`.

    `night`: date of a nightly audit, unique. `rules`: by variant, the version of the rules that games
    are audited by. `open_disputes`: number of undecided disputes at the end of the audit.
    """

    id = models.CharField(max_length=32, primary_key=True, default=new_id, editable=False)
    championship = models.ForeignKey(
        Championship, null=True, blank=True, on_delete=models.CASCADE, related_name="audits"
    )
    started_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    night = models.DateField(null=True, blank=True, unique=True)
    rules = models.JSONField(default=dict)
    open_disputes = models.PositiveIntegerField(default=0)
    started_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["-started_at"]

    def __str__(self) -> str:
        return f"audit {self.id}"


class AuditPart(Leased):
    """Streams of an audit that one worker checks. Celery gets only the id; the sweep sends lost ids again.

    `games` and `streams`: ids to check; `checked`, `events`, `checkpoints`: numbers checked so far;
    `findings`: objects like `tournaments.services.audit.auditing.AuditFinding`.
    """

    audit = models.ForeignKey(Audit, on_delete=models.CASCADE, related_name="parts")
    number = models.PositiveIntegerField()
    streams = models.JSONField(default=list)
    games = models.JSONField(default=list)
    checked = models.PositiveIntegerField(default=0)
    events = models.PositiveIntegerField(default=0)
    checkpoints = models.PositiveIntegerField(default=0)
    findings = models.JSONField(default=list)

    class Meta:
        ordering: ClassVar = ["audit", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["audit", "number"], name="tournaments_audit_part_once")
        ]

    def __str__(self) -> str:
        return f"part {self.number} of {self.audit_id}"
