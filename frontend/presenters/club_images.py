"""The logo and the sponsors of a club, as pages show them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.urls import reverse

from tournaments.clubs.images import LOGO, list_images
from tournaments.models import Club, ClubImage

LOGO_HEIGHT: Final = 96
SPONSOR_HEIGHT: Final = 72
"""The largest heights on pages, in pixels (see club.css)."""


@dataclass(frozen=True, slots=True)
class ShownImage:
    """A picture. width, height: as shown, so that nothing moves when it arrives."""

    image: ClubImage
    url: str
    width: int
    height: int

    @property
    def name(self) -> str:
        """What it shows."""
        return self.image.name

    @property
    def link(self) -> str:
        """The address of the sponsor; empty for none."""
        return self.image.link


@dataclass(frozen=True, slots=True)
class ClubImages:
    """All pictures of a club."""

    logo: ShownImage | None = None
    sponsors: Sequence[ShownImage] = ()


def show_images(club: Club | int | None) -> ClubImages:
    """Return the pictures of a club; none without one. One query."""
    found = list_images(club)
    logos = [_show(one, LOGO_HEIGHT) for one in found if one.kind == LOGO]
    sponsors = [_show(one, SPONSOR_HEIGHT) for one in found if one.kind != LOGO]
    return ClubImages(logos[0] if logos else None, sponsors)


def _show(image: ClubImage, most: int) -> ShownImage:
    height = min(most, image.height)
    return ShownImage(
        image,
        reverse("club_image", args=[image.club.slug, image.digest]),
        max(1, round(image.width * height / image.height)),
        height,
    )
