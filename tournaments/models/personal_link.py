"""The link by which one person comes to his tables all evening, without an account."""

from django.db import models

from games.models import TableToken
from tournaments.models.entry import Entry


class PersonalLink(models.Model):
    """One a person; another takes its place. `digest`: the hash of what stands behind the `#`; `token`: the
    seat that it has opened last; `seen_at`: when its waiting room was open last.
    """

    entry = models.OneToOneField(Entry, on_delete=models.CASCADE, related_name="personal_link")
    digest = models.CharField(max_length=64, unique=True)
    token = models.ForeignKey(TableToken, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    made_at = models.DateTimeField()
    seen_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"link of {self.entry_id}"
