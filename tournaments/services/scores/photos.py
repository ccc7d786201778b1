"""A photo of a score sheet is kept with its table: the picture in a row, its hash in the round's stream.

Seen and sent by who sits or writes at the table and by officials; erased by officials. The stream keeps that
there was one, and who took it away.
"""

import hashlib
from collections.abc import Sequence
from typing import Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.appending import record
from games.models import Game
from tournaments.errors import TournamentError
from tournaments.events import SheetPhotoErased, SheetPhotoKept
from tournaments.models import Entry, Round, SheetPhoto, Table
from tournaments.permissions import Actor, require
from tournaments.pictures import Picture
from tournaments.services import locks

MAX_PHOTOS: Final = 4
"""Of one table: front and back, and once more for both."""


def photos_at(table: Table) -> list[SheetPhoto]:
    """All that were taken, the newest first, without their bytes; erased ones too."""
    return list(SheetPhoto.objects.filter(table=table).defer("data").order_by("-taken_at", "-pk"))


def count_photos(table: Table) -> int:
    """How many there are to look at."""
    return SheetPhoto.objects.filter(table=table, erased_at=None).count()


def keep_photo(table: Table, picture: Picture, *, by_ref: str) -> SheetPhoto:
    """Keep a photo with the table. The same one again changes nothing. `by_ref`: who sends it, checked by the
    caller.

    Raises TournamentError `photo/no_sheet`, `photo/too_early`, `photo/enough`.
    """
    if table.mode != Game.Mode.SHEET:
        raise TournamentError("photo/no_sheet", _("At this table the cards themselves are recorded."))
    with transaction.atomic():
        locks.writable(table.round.championship_id)
        round_ = locks.round_(table.round_id)
        if round_.status not in (Round.Status.OPEN, Round.Status.CLOSED):
            raise TournamentError("photo/too_early", _("The round is not open yet."))
        known = SheetPhoto.objects.filter(table=table, digest=picture.digest).first()
        if known is not None and known.erased_at is None:
            return known
        if count_photos(table) >= MAX_PHOTOS:
            sentence = _("Table %(table)s has %(most)s photos already. Erase one that is not needed.")
            raise TournamentError("photo/enough", sentence, table=table.number, most=MAX_PHOTOS)
        taken, _made = SheetPhoto.objects.update_or_create(
            table=table,
            digest=picture.digest,
            defaults={
                "data": picture.data,
                "width": picture.width,
                "height": picture.height,
                "by_ref": by_ref,
                "erased_at": None,
            },
        )
        event = SheetPhotoKept(table=table.number, digest=picture.digest)
        record(round_.stream_id, event, actor=by_ref)
    return taken


def erase_photo(table: Table, digest: str, *, actor: Actor) -> None:
    """Take the picture away for good; that it was there stays in the stream. Erased already: nothing changes.

    Raises NotAllowed, TournamentError `photo/unknown`.
    """
    championship = table.round.championship
    with transaction.atomic():
        locks.require_official(championship, actor, "correct")
        ref = require(actor, "correct", championship)
        locks.round_(table.round_id)
        taken = SheetPhoto.objects.filter(table=table, digest=digest).first()
        if taken is None:
            raise TournamentError("photo/unknown", _("There is no such photo at this table."))
        if taken.erased_at is None:
            _erase(taken, table, ref)


def erase_where_seated(entries: Sequence[Entry]) -> None:
    """Somebody's names are erased: so is what was photographed at the tables where he sat."""
    theirs = SheetPhoto.objects.filter(table__seatings__entry__in=entries, erased_at=None)
    for taken in theirs.select_related("table__round").distinct():
        _erase(taken, taken.table, "server")


def photo_bytes(table: Table, digest: str) -> bytes | None:
    """The JPEG; None where there is none, or not the one whose hash was recorded."""
    taken = SheetPhoto.objects.filter(table=table, digest=digest, erased_at=None).first()
    if taken is None:
        return None
    data = bytes(taken.data)
    return data if hashlib.sha256(data).hexdigest() == digest else None


def _erase(taken: SheetPhoto, table: Table, ref: str) -> None:
    taken.data, taken.erased_at = b"", timezone.now()
    taken.save(update_fields=["data", "erased_at"])
    record(table.round.stream_id, SheetPhotoErased(table=table.number, digest=taken.digest), actor=ref)
