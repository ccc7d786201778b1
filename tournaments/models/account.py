"""Data of accounts beside their names: sessions that are signed in, one-time links, and mails."""

from typing import ClassVar

from django.contrib.sessions.models import Session
from django.db import models

from games.models import User
from tournaments.models.championship import Championship, Official
from tournaments.models.entry import Entry


class SignedInSession(models.Model):
    """A session of an account, as the account's owner sees it in a list.

    The row is deleted with its Django session, whose key is the hash of the key in the cookie. `address`,
    `browser`: network address and user agent. `seen_at`: last use, exact to some minutes.
    """

    session = models.OneToOneField(Session, on_delete=models.CASCADE, primary_key=True, related_name="+")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="signed_in_sessions")
    address = models.CharField(max_length=45)
    browser = models.CharField(max_length=200)
    began_at = models.DateTimeField()
    seen_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["-seen_at", "pk"]

    def __str__(self) -> str:
        return f"session of {self.user_id}"


class Invitation(models.Model):
    """An offer by a one-time link: an office, the account of an entry, or only an account (`championship`
    None). Only the hash of the link's token is stored, in `digest`.

    `user`: the only account that may accept, if it is known; the person then needs no link. `role`: the
    office; `entry`: the entry whose seats the account gets; `may_found`: the new account may start
    championships; `name`: a note of the maker. `used_by`: the account that accepted.
    """

    digest = models.CharField(max_length=64, unique=True)
    championship = models.ForeignKey(
        Championship, null=True, blank=True, on_delete=models.CASCADE, related_name="invitations"
    )
    role = models.CharField(max_length=8, choices=Official.Role.choices, blank=True, default="")
    entry = models.ForeignKey(
        Entry, null=True, blank=True, on_delete=models.CASCADE, related_name="invitations"
    )
    user = models.ForeignKey(User, null=True, blank=True, on_delete=models.CASCADE, related_name="offers")
    may_found = models.BooleanField(default=False)
    name = models.CharField(max_length=80, blank=True, default="")
    made_by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)
    used_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        ordering: ClassVar = ["-made_at", "-pk"]

    def __str__(self) -> str:
        return f"invitation {self.pk}"


class PasswordReset(models.Model):
    """A one-time link with which a person sets a new password. Only the hash of its token is stored, in
    `digest`.

    `by_mail`: the link was requested, perhaps by a stranger, and mailed to the account's confirmed address;
    else `made_by` gave it to the person. `told_at`: the time when the person was shown that the link had been
    made.
    """

    digest = models.CharField(max_length=64, unique=True)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="password_resets")
    made_by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    by_mail = models.BooleanField(default=False)
    made_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)
    told_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["-made_at", "-pk"]

    def __str__(self) -> str:
        return f"reset of {self.user_id}"


class AccountMail(models.Model):
    """A mail about an account that a worker has to send. Its row is deleted when the mail is sent or given
    up. The token of its link is made when it is sent, so that no token is stored.

    `user`: None for a link for a new password, because the account is looked up only after the response.
    `asked`: for a new password the typed name or address, else the recipient's address. `due_at`: earliest
    time of sending; a worker postpones it before it sends the mail, so that no other worker sends it.
    `tries`: number of attempts.
    """

    class Kind(models.TextChoices):
        RESET, CONFIRM, CHANGED = "reset", "confirm", "changed"

    kind = models.CharField(max_length=7, choices=Kind.choices)
    user = models.ForeignKey(User, null=True, blank=True, on_delete=models.CASCADE, related_name="mails")
    asked = models.CharField(max_length=254)
    language = models.CharField(max_length=8)
    due_at = models.DateTimeField(db_index=True)
    tries = models.PositiveSmallIntegerField(default=0)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["pk"]

    def __str__(self) -> str:
        return f"{self.kind} of account {self.user_id}"
