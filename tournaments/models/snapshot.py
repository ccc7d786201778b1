"""Published rankings."""

from typing import ClassVar

from django.db import models

from tournaments.models.championship import Championship


class StandingsSnapshot(models.Model):
    """A ranking as published after a round. It never changes; a newer version can follow.

    `rows`: the JSON of `tournaments.standings.RankingRow`, whose `key` is the entry's number. `teams`: the
    JSON of `tournaments.standings.TeamRow`; None without a ranking of teams.
    """

    championship = models.ForeignKey(Championship, on_delete=models.CASCADE, related_name="snapshots")
    after_round = models.PositiveIntegerField()
    version = models.PositiveIntegerField()
    rows = models.JSONField()
    teams = models.JSONField(null=True, blank=True)
    reason = models.CharField(max_length=60)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["championship", "version"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["championship", "version"], name="tournaments_snapshot_once")
        ]

    def __str__(self) -> str:
        return f"standings {self.version} after round {self.after_round}"
