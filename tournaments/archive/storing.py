"""Public files kept in the database: made once by a worker, handed out by every node to all who want one."""

import hashlib
import tempfile
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import IO, Final

from django.db import transaction
from django.utils import timezone

from games import sealing
from tournaments.archive.writing import PUBLIC, encode, export_championship
from tournaments.models import Championship, PublicFile, PublicFilePiece
from tournaments.services.audit.sealing import seal_if_possible

PIECE: Final = 256 * 1024
STILL_GOOD: Final = timedelta(minutes=2)
"""While a championship is played there is a new checkpoint every minute: so long after it was made a file is
handed out though a newer checkpoint is there."""
BEING_READ: Final = timedelta(minutes=10)
"""So long somebody may still be at an older file."""

Progress = Callable[[int, int], None]
Kind = PublicFile.Kind
Write = Callable[[Championship, PublicFile, IO[bytes], Progress], None]


def newest(championship: Championship, kind: Kind = Kind.FILE) -> PublicFile | None:
    """The file that was made last."""
    return championship.public_files.filter(kind=kind, whole=True).order_by("-pk").first()


def current(championship: Championship, kind: Kind = Kind.FILE) -> PublicFile | None:
    """The file, if nothing has changed since it was made."""
    found = newest(championship, kind)
    return found if found is not None and _marks(found) == _marks_now(championship) else None


def good_enough(championship: Championship) -> PublicFile | None:
    """The file, if it is current or was made a moment ago."""
    found = newest(championship)
    if found is None or found.made_at > timezone.now() - STILL_GOOD:
        return found
    return current(championship)


def pieces_of(file: PublicFile) -> Iterator[bytes]:
    """Its bytes, a piece at a time. Raises DoesNotExist where it goes meanwhile: a name is erased."""
    for number in range(-(-file.size // PIECE)):
        yield piece(file, number)


def piece(file: PublicFile, number: int) -> bytes:
    return bytes(PublicFilePiece.objects.get(file=file, number=number).data)


def make_file(
    championship: Championship, still_wanted: Callable[[], bool], progress: Progress
) -> PublicFile | None:
    """Write the file; None where there is no checkpoint, or where `still_wanted`, asked with the championship
    held, says that it is not to be kept.

    What has moved is sealed first: the tables beside the log say nothing that the log does not.
    """
    if sealing.latest_checkpoint(championship.stream_id) is not None:
        seal_if_possible(championship)
    found = current(championship)
    if found is not None:
        return found
    last = sealing.latest_checkpoint(championship.stream_id)
    if last is None:
        return None
    marks = last.says.number, _names_digest(championship)

    def write(written: IO[bytes]) -> None:
        export_championship(championship, written, level=PUBLIC, progress=progress)

    return _made(championship, Kind.FILE, marks, write, still_wanted)


def keep_copy(
    championship: Championship,
    sealed: PublicFile,
    write: Write,
    still_wanted: Callable[[], bool],
    progress: Progress,
) -> PublicFile | None:
    """Write the copy around its file anew, which is current; None as for that."""

    def write_around(written: IO[bytes]) -> None:
        write(championship, sealed, written, progress)

    return _made(championship, Kind.COPY, _marks(sealed), write_around, still_wanted)


def _made(
    championship: Championship,
    kind: Kind,
    marks: tuple[int, str],
    write: Callable[[IO[bytes]], None],
    still_wanted: Callable[[], bool],
) -> PublicFile | None:
    """`marks`: read before, so that what changes while it is written makes it old."""
    checkpoint, names = marks
    made = PublicFile(championship=championship, kind=kind, checkpoint=checkpoint, names=names)
    with tempfile.TemporaryFile() as written:
        write(written)
        made.save()
        made.size = _keep(made, written)
    with transaction.atomic():
        Championship.objects.select_for_update(no_key=True).get(pk=championship.pk)
        if not still_wanted():
            made.delete()
            return None
        made.whole = True
        made.save(update_fields=["size", "whole"])
    earlier = championship.public_files.filter(kind=kind).exclude(pk=made.pk)
    earlier.filter(made_at__lt=timezone.now() - BEING_READ).delete()
    return made


def _keep(made: PublicFile, written: IO[bytes]) -> int:
    written.seek(0)
    size = 0
    while data := written.read(PIECE):
        PublicFilePiece.objects.create(file=made, number=size // PIECE, data=data)
        size += len(data)
    return size


def forget(championship: Championship) -> None:
    """Take away what is kept of a championship, for every node at once: a name in it is being erased."""
    championship.public_files.all().delete()


def _marks(file: PublicFile) -> tuple[int, str]:
    return file.checkpoint, file.names


def _marks_now(championship: Championship) -> tuple[int, str]:
    last = sealing.latest_checkpoint(championship.stream_id)
    return last.says.number if last is not None else 0, _names_digest(championship)


def _names_digest(championship: Championship) -> str:
    """Of what the file tells and no checkpoint covers: names."""
    columns = ("slug", "name", "place", "public", "public_names")
    own = Championship.objects.filter(pk=championship.pk).values_list(*columns)
    people = championship.entries.order_by("number").values_list("number", "name", "club")
    digest = hashlib.sha256(encode(list(own)))
    for row in people.iterator():
        digest.update(encode(row))
    return digest.hexdigest()
