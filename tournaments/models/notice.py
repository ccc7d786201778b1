"""The rows of notices: which phones are told about whom, and what each was told."""

from typing import ClassVar

from django.db import models

from games.models import User
from tournaments.models.entry import Entry
from tournaments.models.round import Round


class Subscription(models.Model):
    """One browser is told about one entry, in its language. Where it is reached lies closed in `closed`,
    under the data key `key`; `mark` finds it again, and nobody reads the address in it. `user`: who was
    signed in.
    """

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="subscriptions")
    user = models.ForeignKey(User, null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    language = models.CharField(max_length=8)
    mark = models.CharField(max_length=64, db_index=True)
    key = models.CharField(max_length=12)
    closed = models.BinaryField()
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["entry", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["entry", "mark"], name="tournaments_subscription_once")
        ]

    def __str__(self) -> str:
        return f"subscription {self.pk} to entry {self.entry_id}"


class Notice(models.Model):
    """Something a subscription is told once. `occasion`: what about, in words of `occasions`; `due_at`: not
    before; `sent_at`: when it was written to the push service, and from then on never again, unless the
    service said that it did not take it; `answer`: its last status; `ended_at`: nothing more comes of it.
    """

    subscription = models.ForeignKey(Subscription, on_delete=models.CASCADE, related_name="notices")
    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="notices")
    occasion = models.CharField(max_length=60)
    due_at = models.DateTimeField()
    until = models.DateTimeField()
    tries = models.PositiveSmallIntegerField(default=0)
    sent_at = models.DateTimeField(null=True, blank=True)
    answer = models.PositiveSmallIntegerField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["due_at", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["subscription", "occasion"], name="tournaments_notice_once")
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["due_at"],
                condition=models.Q(sent_at=None, ended_at=None),
                name="tournaments_notice_waiting",
            )
        ]

    def __str__(self) -> str:
        return f"{self.occasion} to subscription {self.subscription_id}"
