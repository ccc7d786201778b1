"""Who signs in, and what he may see and do at which table. Names never leave these tables for a stream."""

from typing import ClassVar

from django.contrib.auth.models import AbstractUser
from django.db import models

from games.ids import new_id
from games.models.table import Game


class User(AbstractUser):
    """A person who signs in. Custom from the first migration, and here so that nothing points left.

    `may_found`: he may found championships; who runs the installation (`is_superuser`) always may.
    """

    may_found = models.BooleanField(default=False)


class Role(models.TextChoices):
    SEAT = "seat"
    SCORER = "scorer"
    SPECTATOR = "spectator"
    REFEREE = "referee"
    DIRECTOR = "director"


class Tier(models.TextChoices):
    """How much of the cards a spectator sees."""

    PLAYED = "played"
    AFTER_DEAL = "after_deal"


class Access(models.Model):
    """A role of one person at one table; written by the championship, read by `games.rights.claims`.

    `ref` is how the log calls him: a random reference, the same one at all tables of a championship.
    `tier` is a spectator's, where he sees more than everybody. `opened_deal`: the deal whose hidden cards an
    official has opened as it was played.
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
    """A QR code's secret: opens one table in one role to whoever presents it. Only its hash is stored.

    `uses_left` None: as often as wanted (a poster); 1: once (a seat's own slip).
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
    """A table against bots of somebody without an account; `token` is what his session holds it by, `name`
    what he wants to be called there, "" for nothing in particular.

    Whatever counts, lists or audits games leaves these out. The row goes with its game
    (`games.guests`).
    """

    game = models.OneToOneField(Game, on_delete=models.CASCADE, primary_key=True, related_name="guest_table")
    token = models.ForeignKey(TableToken, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=40, blank=True, default="")

    def __str__(self) -> str:
        return f"guest at {self.game_id}"
