"""A person's own page, opened by a secret link, and the mails to the person."""

from typing import ClassVar

from django.db import models

from tournaments.models.entry import Entry


class OwnPage(models.Model):
    """The page of one entry for the person themselves.

    `digest`: hash of the link; `salt`: the platform derives the link from the salt and its secret key, so
    that a later mail can contain the link. `language`: the person's language. `wished`: the partner's name,
    as the person stated it; `partner`: the partner's entry, once both agree. The draw knows a pair only by
    its entrant.
    """

    entry = models.OneToOneField(Entry, on_delete=models.CASCADE, related_name="own_page")
    digest = models.CharField(max_length=64, unique=True)
    salt = models.CharField(max_length=32)
    language = models.CharField(max_length=8)
    wished = models.CharField(max_length=200, blank=True, default="")
    partner = models.ForeignKey(Entry, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["entry"]

    def __str__(self) -> str:
        return f"own page of entry {self.entry_id}"


class EntryMail(models.Model):
    """A mail to the person of an entry.

    `due_at`: earliest time of sending; a worker postpones it before it sends the mail, so that no other
    worker sends it. `tries`: number of attempts.
    """

    class Kind(models.TextChoices):
        ENTERED, MOVED_UP = "entered", "moved_up"

    class State(models.TextChoices):
        WAITING, SENT, FAILED = "waiting", "sent", "failed"

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="mails")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    state = models.CharField(max_length=7, choices=State.choices, default=State.WAITING)
    due_at = models.DateTimeField()
    tries = models.PositiveSmallIntegerField(default=0)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["pk"]
        indexes: ClassVar = [
            models.Index(
                fields=["due_at"], condition=models.Q(state="waiting"), name="tournaments_mail_waiting"
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} to entry {self.entry_id}"
