"""Accounts, and rights at tables. Names of people are never in a stream."""

from typing import ClassVar

from django.contrib.auth.models import AbstractUser
from django.db import models

from games.ids import new_id
from games.models.table import Game


class User(AbstractUser):
    """A person's account. It is a custom model in this app, so that no app of a lower layer depends on a
    higher one.

    `may_found`: the person may create championships; an administrator of the installation (`is_superuser`)
    always may.
    """

    REQUIRED_FIELDS: ClassVar[list[str]] = []
    """Fields that `createsuperuser` asks for, besides name and password."""

    may_found = models.BooleanField(default=False)

    @property
    def display_name(self) -> str:
        """The person's name, or the user name of an account without one."""
        return self.get_full_name() or self.get_username()


class Role(models.TextChoices):
    SEAT = "seat"
    SCORER = "scorer"
    SPECTATOR = "spectator"
    REFEREE = "referee"
    DIRECTOR = "director"


class Tier(models.TextChoices):
    """The cards that a spectator with a role sees: the played ones, or also all hands after each deal."""

    PLAYED = "played"
    AFTER_DEAL = "after_deal"


class Access(models.Model):
    """A role of one person at one table; `games.rights.claims` reads it.

    `ref`: the person's random reference in the log, the same at all tables of a championship. `tier`: for a
    spectator who sees more than the public; otherwise empty. `opened_deal`: the deal whose hidden cards an
    official has opened during its play.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="accesses")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="accesses")
    role = models.CharField(max_length=10, choices=Role.choices)
    seat = models.PositiveSmallIntegerField(null=True, blank=True)
    tier = models.CharField(max_length=10, choices=Tier.choices, blank=True, default="")
    opened_deal = models.PositiveIntegerField(null=True, blank=True)
    ref = models.CharField(max_length=32, default=new_id)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "user", "role", "seat"], name="games_access_once_seat"),
            models.UniqueConstraint(
                fields=["game", "user", "role"],
                condition=models.Q(seat__isnull=True),
                name="games_access_once",
            ),
            models.CheckConstraint(
                condition=~models.Q(role="seat") | models.Q(seat__isnull=False),
                name="games_access_seat_has_number",
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["user", "game"], name="games_access_user")]

    def __str__(self) -> str:
        return f"{self.user_id} {self.role} at {self.game_id}"


class TableToken(models.Model):
    """The secret of a QR code, which gives its bearer one role at one table. Only its hash `digest` is
    stored.

    `ref`: the reference of the bearer in the log. `uses_left`: exchanges left; None for a poster, without
    limit.
    """

    digest = models.CharField(max_length=64, unique=True)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="tokens")
    role = models.CharField(max_length=10, choices=[(Role.SEAT, "seat"), (Role.SCORER, "scorer")])
    seat = models.PositiveSmallIntegerField(null=True, blank=True)
    ref = models.CharField(max_length=32, default=new_id)
    uses_left = models.PositiveSmallIntegerField(null=True, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=~models.Q(role="seat") | models.Q(seat__isnull=False),
                name="games_token_seat_has_number",
            )
        ]

    def __str__(self) -> str:
        return f"{self.role} at {self.game_id}"


class GuestTable(models.Model):
    """A guest table: a table against bots for a person without an account. `token` identifies the guest's
    session; `name` is the guest's name at the table, "" if the guest gave none.

    Audits of all games leave guest tables out.
    """

    game = models.OneToOneField(Game, on_delete=models.CASCADE, primary_key=True, related_name="guest_table")
    token = models.ForeignKey(TableToken, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=40, blank=True, default="")

    def __str__(self) -> str:
        return f"guest at {self.game_id}"
