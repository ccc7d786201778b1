"""A sign of life of the workers of a machine."""

from django.db import models


class Heartbeat(models.Model):
    """When a sweep ran there last: by its clock (`at`), and in seconds since it was started (`monotonic`),
    which no hand sets; `boot` says since which start. `jump`: by how many seconds the clock jumped then
    (`jumped_at`).
    """

    host = models.CharField(max_length=100, primary_key=True)
    boot = models.CharField(max_length=40)
    at = models.DateTimeField()
    monotonic = models.FloatField()
    jump = models.FloatField(default=0)
    jumped_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.host} at {self.at}"
