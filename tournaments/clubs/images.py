"""The logo and the sponsors of a club: keepers of its roll add, change, order and remove them.

A picture is re-encoded in a confined process (ADR 13).
"""

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext_lazy as _

from tournaments.clubs import rolls
from tournaments.errors import TournamentError
from tournaments.models import Club, ClubImage
from tournaments.names import clean
from tournaments.permissions import Actor
from tournaments.positions import move_by_one
from tournaments.sandbox.running import TookTooMuch, run_confined

MAX_BYTES: Final = 5 * 2**20
"""Largest size of an uploaded file, in bytes."""
MAX_MEMORY: Final = 512 * 2**20
MAX_SPONSORS: Final = 8
MAX_NAME_LENGTH: Final = 60
MAX_LINK_LENGTH: Final = 200
LOGO: Final = ClubImage.Kind.LOGO
SPONSOR: Final = ClubImage.Kind.SPONSOR


class Emblem(NamedTuple):
    """A re-encoded picture: its bytes, format (`png` …), and width and height in pixels."""

    data: bytes
    format: str
    width: int
    height: int


def image_too_large_error() -> TournamentError:
    """Return the error for a file larger than MAX_BYTES."""
    sentence = _("A logo has at most %(most)s MB. Send it in a smaller size.")
    return TournamentError("club_image/too_large", sentence, most=MAX_BYTES // 2**20, field="file")


def reencode_emblem(data: bytes) -> Emblem:
    """Re-encode a picture in a confined process.

    Raises TournamentError `club_image/too_large`, `club_image/no_picture`, `club_image/too_many_pixels`,
    `club_image/took_too_much`; TooMuch `files/too_many` if too many files wait for such a process.
    """
    if len(data) > MAX_BYTES:
        raise image_too_large_error()
    try:
        found = run_confined("emblem", data, memory=MAX_MEMORY)
    except TookTooMuch:
        sentence = _("This picture takes too much memory. Send it in a smaller size.")
        raise TournamentError("club_image/took_too_much", sentence, field="file") from None
    if found.code == "club_image/too_many_pixels":
        sentence = _(
            "This picture has %(pixels)s million pixels, at most %(most)s are allowed. Send it in a "
            "smaller size."
        )
        raise TournamentError("club_image/too_many_pixels", sentence, field="file", **found.params)
    if found.code:
        sentence = _("This picture cannot be read. Send a PNG or a JPEG.")
        raise TournamentError("club_image/no_picture", sentence, field="file")
    return Emblem(found.body, found.head["format"], found.head["width"], found.head["height"])


def list_images(club: Club) -> list[ClubImage]:
    """Return the pictures of a club without their bytes: the logo first, then the sponsors by position."""
    return list(ClubImage.objects.filter(club=club).defer("data").order_by("kind", "position", "pk"))


def set_logo(club: Club, emblem: Emblem, *, actor: Actor) -> None:
    """Replace the logo of the club. The picture gets the club's name, if a keeper has named the club."""
    rolls.require_keeper(actor, club)
    with _changing(club):
        ClubImage.objects.filter(club=club, kind=LOGO).delete()
        ClubImage.objects.create(club=club, kind=LOGO, name=club.logo_name, **_columns(emblem))


def add_sponsor(club: Club, emblem: Emblem, *, name: str, link: str = "", actor: Actor) -> None:
    """Add a sponsor after the last one.

    Raises NotAllowed, TournamentError `names/…`, `club_image/link`, `club_image/too_many`.
    """
    rolls.require_keeper(actor, club)
    name, link = clean(name, longest=MAX_NAME_LENGTH, needed=True), clean_link(link)
    with _changing(club):
        there = ClubImage.objects.filter(club=club, kind=SPONSOR)
        if there.count() >= MAX_SPONSORS:
            raise TournamentError(
                "club_image/too_many",
                _("A club has at most %(most)s sponsors. Remove one first."),
                most=MAX_SPONSORS,
            )
        position = (there.aggregate(last=Max("position"))["last"] or 0) + 1
        ClubImage.objects.create(
            club=club, kind=SPONSOR, name=name, link=link, position=position, **_columns(emblem)
        )


def edit_sponsor(image: ClubImage, *, name: str, link: str, actor: Actor) -> None:
    """Change name and link of a sponsor. Nothing changes if the sponsor has been removed.

    Raises NotAllowed, TournamentError `names/…`, `club_image/link`.
    """
    rolls.require_keeper(actor, image.club)
    name, link = clean(name, longest=MAX_NAME_LENGTH, needed=True), clean_link(link)
    with _changing(image.club):
        ClubImage.objects.filter(pk=image.pk, kind=SPONSOR).update(name=name, link=link)


def move_sponsor(image: ClubImage, *, earlier: bool, actor: Actor) -> None:
    """Move a sponsor by one position. Nothing happens if the first should move earlier, or the last later."""
    rolls.require_keeper(actor, image.club)
    with _changing(image.club):
        found = [one for one in list_images(image.club) if one.kind == SPONSOR]
        move_by_one(found, image, earlier=earlier)
        ClubImage.objects.bulk_update(found, ["position"])


def remove_image(image: ClubImage, *, actor: Actor) -> None:
    """Remove a logo or a sponsor."""
    rolls.require_keeper(actor, image.club)
    with _changing(image.club):
        image.delete()


@contextmanager
def _changing(club: Club) -> Iterator[None]:
    """Run changes of a club's pictures one at a time in a transaction, then store on the club what pages
    show.
    """
    with transaction.atomic():
        Club.objects.select_for_update().get(pk=club.pk)
        yield
        columns = ("kind", "digest", "name", "link", "width", "height")
        rows = ClubImage.objects.filter(club=club).order_by("kind", "position", "pk")
        club.pictures = list(rows.values(*columns))
        Club.objects.filter(pk=club.pk).update(pictures=club.pictures)


def image_bytes(club_slug: str, digest: str) -> tuple[bytes, str] | None:
    """Return the bytes and the format of a picture; None if the club has no such picture."""
    found = ClubImage.objects.filter(club__slug=club_slug, digest=digest).first()
    if found is None:
        return None
    data = bytes(found.data)
    return (data, found.format) if hashlib.sha256(data).hexdigest() == digest else None


def load_for_print(club: int | None) -> Sequence[ClubImage]:
    """Return the pictures of a club with their bytes: the logo first, then the sponsors by position."""
    if club is None:
        return ()
    return list(ClubImage.objects.filter(club=club).order_by("kind", "position", "pk"))


def clean_link(link: str) -> str:
    """Check and return the link of a sponsor; "" if empty. Raises TournamentError `club_image/link`."""
    link = link.strip()
    if not link:
        return ""
    try:
        parts = urlsplit(link)
        host, _port = parts.hostname or "", parts.port
    except ValueError:
        raise _link_error() from None
    named = parts.username is None and parts.password is None
    plain = link.isascii() and link.isprintable() and not set(link) & set(' "<>\\^`{|}')
    if not (parts.scheme == "https" and "." in host and named and plain and len(link) <= MAX_LINK_LENGTH):
        raise _link_error()
    return link


def _link_error() -> TournamentError:
    return TournamentError(
        "club_image/link",
        _("The address of a sponsor begins with https:// and has at most %(most)s characters."),
        most=MAX_LINK_LENGTH,
        field="link",
    )


def _columns(emblem: Emblem) -> dict[str, Any]:
    digest = hashlib.sha256(emblem.data).hexdigest()
    return {**emblem._asdict(), "digest": digest}
