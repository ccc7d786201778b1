from django.db import models


class Leased(models.Model):
    """Work that one worker at a time is at (`games.due.leases`). `sent_at`: when a worker was told last;
    `beat_at`: the sign of life of whoever is at it, None where nobody is; `tries`: how often it was begun.
    """

    sent_at = models.DateTimeField(null=True, blank=True)
    beat_at = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True
