"""The logo and the sponsors of a club."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.club import Club


class ClubImage(models.Model):
    """The logo or a sponsor's picture, on the club's pages and prints.

    `position`: order of the sponsors. `name`: text alternative for readers who cannot see the picture.
    `link`: web address of a sponsor, or "". `digest`: SHA-256 of `data`, part of the picture's address.
    `width`, `height`: in pixels.
    """

    class Kind(models.TextChoices):
        LOGO = "logo", _("Logo")
        SPONSOR = "sponsor", _("Sponsor")

    class Format(models.TextChoices):
        PNG = "png", "PNG"
        JPEG = "jpeg", "JPEG"

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="images")
    kind = models.CharField(max_length=7, choices=Kind.choices)
    position = models.PositiveIntegerField(default=0)
    name = models.CharField(max_length=60)
    link = models.CharField(max_length=200, blank=True, default="")
    digest = models.CharField(max_length=64)
    format = models.CharField(max_length=4, choices=Format.choices)
    data = models.BinaryField()
    width = models.PositiveIntegerField()
    height = models.PositiveIntegerField()
    added_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["club", "kind", "position", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["club"], condition=Q(kind="logo"), name="tournaments_club_image_one_logo"
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.club_id}: {self.name}"
