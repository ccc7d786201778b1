"""Public files in the database: made once by a worker, served by every node."""

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
from tournaments.services.championship_seals import seal_if_possible

PIECE: Final = 256 * 1024
STILL_GOOD: Final = timedelta(minutes=2)
"""Age up to which a file is served despite a newer checkpoint.

While a championship is played there is a new checkpoint every minute.
"""
BEING_READ: Final = timedelta(minutes=10)
"""Time for which older files are kept for running downloads."""

Progress = Callable[[int, int], None]
Kind = PublicFile.Kind
Write = Callable[[Championship, PublicFile, IO[bytes], Progress], None]


def latest_file(championship: Championship, kind: Kind = Kind.FILE) -> PublicFile | None:
    """Return the latest stored file of this kind; None if there is none."""
    return championship.public_files.filter(kind=kind, whole=True).order_by("-pk").first()


def current_file(championship: Championship, kind: Kind = Kind.FILE) -> PublicFile | None:
    """Return the latest file if it matches the last checkpoint and the present names, else None."""
    found = latest_file(championship, kind)
    return found if found is not None and _marks_of_file(found) == _current_marks(championship) else None


def recent_file(championship: Championship) -> PublicFile | None:
    """Return the latest file if it is younger than STILL_GOOD, or if nothing has changed since; else None."""
    found = latest_file(championship)
    if found is None or found.made_at > timezone.now() - STILL_GOOD:
        return found
    return current_file(championship)


def read_pieces(file: PublicFile) -> Iterator[bytes]:
    """Yield the bytes of a file in pieces.

    Raises PublicFilePiece.DoesNotExist if the file is deleted meanwhile.
    """
    for number in range(-(-file.size // PIECE)):
        yield read_piece(file, number)


def read_piece(file: PublicFile, number: int) -> bytes:
    return bytes(PublicFilePiece.objects.get(file=file, number=number).data)


def make_file(
    championship: Championship, still_wanted: Callable[[], bool], progress: Progress
) -> PublicFile | None:
    """Seal the championship and return its public file. The file is written anew unless the latest is
    current.

    A championship without a checkpoint is not sealed; the result is None. After writing, `still_wanted` is
    called under the championship's lock. The result is None if it returns False. A new file replaces those
    older than BEING_READ.
    """
    if sealing.find_latest_checkpoint(championship.stream_id) is not None:
        seal_if_possible(championship)
    found = current_file(championship)
    if found is not None:
        return found
    last = sealing.find_latest_checkpoint(championship.stream_id)
    if last is None:
        return None
    marks = last.says.number, _names_digest(championship)

    def write(written: IO[bytes]) -> None:
        export_championship(championship, written, level=PUBLIC, progress=progress)

    return _make(championship, Kind.FILE, marks, write, still_wanted)


def store_copy(
    championship: Championship,
    sealed: PublicFile,
    write: Write,
    still_wanted: Callable[[], bool],
    progress: Progress,
) -> PublicFile | None:
    """Write the static copy, which contains the public file `sealed`, and return the stored file.

    After writing, `still_wanted` is called under the championship's lock. Returns None if it returns False.
    """

    def write_around(written: IO[bytes]) -> None:
        write(championship, sealed, written, progress)

    return _make(championship, Kind.COPY, _marks_of_file(sealed), write_around, still_wanted)


def _make(
    championship: Championship,
    kind: Kind,
    marks: tuple[int, str],
    write: Callable[[IO[bytes]], None],
    still_wanted: Callable[[], bool],
) -> PublicFile | None:
    """Write and store a file. After writing, `still_wanted` is called under the championship's lock. Returns
    None if it returns False.

    `marks`: number of the checkpoint and digest of the names, both read before writing, so that a concurrent
    change outdates the file.
    """
    checkpoint, names = marks
    public_file = PublicFile(championship=championship, kind=kind, checkpoint=checkpoint, names=names)
    with tempfile.TemporaryFile() as written:
        write(written)
        public_file.save()
        public_file.size = _store_pieces(public_file, written)
    with transaction.atomic():
        Championship.objects.select_for_update(no_key=True).get(pk=championship.pk)
        if not still_wanted():
            public_file.delete()
            return None
        public_file.whole = True
        public_file.save(update_fields=["size", "whole"])
    earlier = championship.public_files.filter(kind=kind).exclude(pk=public_file.pk)
    earlier.filter(made_at__lt=timezone.now() - BEING_READ).delete()
    return public_file


def _store_pieces(public_file: PublicFile, written: IO[bytes]) -> int:
    written.seek(0)
    size = 0
    while data := written.read(PIECE):
        PublicFilePiece.objects.create(file=public_file, number=size // PIECE, data=data)
        size += len(data)
    return size


def forget_files(championship: Championship) -> None:
    """Delete all stored files of a championship. Call it when a name is erased."""
    championship.public_files.all().delete()


def _marks_of_file(file: PublicFile) -> tuple[int, str]:
    return file.checkpoint, file.names


def _current_marks(championship: Championship) -> tuple[int, str]:
    last = sealing.find_latest_checkpoint(championship.stream_id)
    return last.says.number if last is not None else 0, _names_digest(championship)


def _names_digest(championship: Championship) -> str:
    """Return a digest of the names, which the file contains and no checkpoint covers."""
    columns = ("slug", "name", "place", "public", "public_names", "someone_unnamed")
    own = Championship.objects.filter(pk=championship.pk).values_list(*columns)
    people = championship.entries.order_by("number").values_list("number", "name", "club", "unnamed_since")
    digest = hashlib.sha256(encode(list(own)))
    for row in people.iterator():
        digest.update(encode(row))
    return digest.hexdigest()
