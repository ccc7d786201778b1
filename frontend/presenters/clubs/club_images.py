"""The logo and the sponsors of a club, as pages show them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.urls import reverse

from tournaments.clubs.images import LOGO

LOGO_HEIGHT: Final = 96
SPONSOR_HEIGHT: Final = 72
"""The largest heights of a logo and of a sponsor's picture on pages, in pixels."""


@dataclass(frozen=True, slots=True)
class ShownImage:
    """A picture of a club as pages show it. link: the page that it links to, empty for none; width, height:
    the displayed size in pixels, so that nothing on the page moves while the picture loads.
    """

    name: str
    link: str
    url: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class ClubImages:
    """All pictures of a club."""

    logo: ShownImage | None = None
    sponsors: Sequence[ShownImage] = ()


def show_images(slug: str | None, pictures: Sequence[Mapping[str, Any]] | None) -> ClubImages:
    """Return the pictures of the club with this slug. `pictures`: their stored descriptions. No query."""
    shown = [(one["kind"] == LOGO, show_image(slug or "", one)) for one in pictures or ()]
    return ClubImages(
        next((one for logo, one in shown if logo), None), [one for logo, one in shown if not logo]
    )


def show_image(slug: str, picture: Mapping[str, Any]) -> ShownImage:
    """Return one picture of the club with this slug, at most LOGO_HEIGHT or SPONSOR_HEIGHT high."""
    height = min(LOGO_HEIGHT if picture["kind"] == LOGO else SPONSOR_HEIGHT, picture["height"])
    return ShownImage(
        picture["name"],
        picture["link"],
        reverse("club_image", args=[slug, picture["digest"]]),
        max(1, round(picture["width"] * height / picture["height"])),
        height,
    )
