"""Photos of score sheets. The picture is stored in a row, its hash in the round's stream.

Players and writers of the table, and officials, see and send photos. Officials erase them. The stream keeps
the fact that a photo existed, and the official who erased it.
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
from tournaments.models import Championship, Entry, Round, SheetPhoto, Table
from tournaments.permissions import Actor, require
from tournaments.pictures import Picture
from tournaments.services import locks

MAX_PHOTOS: Final = 4
"""Largest number of photos of a table: front and back of the sheet, each twice."""


def list_photos(table: Table) -> list[SheetPhoto]:
    """List all photos of a table, newest first, including erased ones. Their bytes are not loaded."""
    return list(SheetPhoto.objects.filter(table=table).defer("data").order_by("-taken_at", "-pk"))


def count_photos(table: Table) -> int:
    """Count the photos that are not erased."""
    return SheetPhoto.objects.filter(table=table, erased_at=None).count()


def store_photo(table: Table, picture: Picture, *, by_ref: str) -> SheetPhoto:
    """Store a photo of the table's sheet. Idempotent by its digest. `by_ref`: the sender, checked by the
    caller.

    Raises TournamentError `photo/no_sheet`, `photo/too_early`, `photo/enough`.
    """
    with transaction.atomic():
        locks.lock_writable(table.round.championship_id)
        round_ = locks.lock_round(table.round_id)
        table.refresh_from_db(fields=["mode"])
        if table.mode != Game.Mode.SHEET:
            raise TournamentError("photo/no_sheet", _("At this table the cards themselves are recorded."))
        if round_.status not in (Round.Status.OPEN, Round.Status.CLOSED):
            raise TournamentError("photo/too_early", _("The round is not open yet."))
        known = SheetPhoto.objects.filter(table=table, digest=picture.digest).first()
        if known is not None and known.erased_at is None:
            return known
        if count_photos(table) >= MAX_PHOTOS:
            sentence = _("Table %(table)s already has %(most)s photos. Erase one that is not needed.")
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
    """Erase the picture with this digest. The stream keeps the fact that it existed. Idempotent.

    Raises NotAllowed, TournamentError `photo/unknown`.
    """
    championship = table.round.championship
    with locks.locked_for(championship, actor, "correct"):
        ref = require(actor, "correct", championship)
        locks.lock_round(table.round_id)
        taken = SheetPhoto.objects.filter(table=table, digest=digest).first()
        if taken is None:
            raise TournamentError("photo/unknown", _("There is no such photo at this table."))
        if taken.erased_at is None:
            _erase(taken, table, ref)


def erase_where_seated(entries: Sequence[Entry]) -> None:
    """Erase the photos of all tables at which these entries have sat. Called when their names are erased."""
    theirs = SheetPhoto.objects.filter(table__seatings__entry__in=entries, erased_at=None)
    for taken in theirs.select_related("table__round").distinct():
        _erase(taken, taken.table, "server")


def erase_of_championship(championship: Championship) -> None:
    """Erase all photos of a championship. Called when the time for which it keeps them is over."""
    kept = SheetPhoto.objects.filter(table__round__championship=championship, erased_at=None)
    for taken in kept.select_related("table__round"):
        _erase(taken, taken.table, "server")


def load_photo(table: Table, digest: str) -> bytes | None:
    """Return the picture as JPEG. None if there is none, or if it does not match the recorded hash."""
    taken = SheetPhoto.objects.filter(table=table, digest=digest, erased_at=None).first()
    if taken is None:
        return None
    data = bytes(taken.data)
    return data if hashlib.sha256(data).hexdigest() == digest else None


def _erase(taken: SheetPhoto, table: Table, ref: str) -> None:
    taken.data, taken.erased_at = b"", timezone.now()
    taken.save(update_fields=["data", "erased_at"])
    record(table.round.stream_id, SheetPhotoErased(table=table.number, digest=taken.digest), actor=ref)
