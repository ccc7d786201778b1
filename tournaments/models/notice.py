"""Push subscriptions of browsers, and the notices sent to them."""

from typing import ClassVar

from django.db import models

from games.models import User
from tournaments.models.entry import Entry
from tournaments.models.round import Round


class Subscription(models.Model):
    """A browser's subscription to one entry, in the browser's language.

    The endpoint is stored encrypted in `closed`, under the data key named `key`; `mark` is a keyed hash of
    it, to find the row. `user`: the account signed in.
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
    """A push message to a subscription, sent once.

    `occasion`: what it is about, as `tournaments.notices.occasions` codes it. `due_at`: earliest time of
    sending; `until`: latest. `sent_at`: when a worker claimed it for sending; it is sent again only if
    the push service answers 429 or 5xx. `answer`: the last HTTP status. `ended_at`: no further attempt
    follows.
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
