"""Reading of archive files: sizes are limited, only known file names are accepted, and every byte is checked
against the manifest.
"""

import hashlib
import re
import zipfile
import zlib
from collections.abc import Iterator
from typing import IO, Any, Final

import msgspec
from django.utils.translation import gettext_lazy as _

from games.sealing.keys import is_signed
from tournaments.archive.errors import ArchiveError
from tournaments.archive.writing import FORMAT, MANIFEST, SIGNATURE, Manifest, signed_message

MAX_FILES: Final = 50_000
MAX_FILE_BYTES: Final = 64 * 1024 * 1024
MAX_BYTES: Final = 2 * 1024 * 1024 * 1024
MAX_TIMES: Final = 200
"""Largest compression ratio; real archives reach about ten."""

_NAME: Final = re.compile(
    r"streams/[0-9a-f]{32}\.jsonl|(championship|names)\.json|(checkpoints|receipts)\.jsonl|manifest\.(json|sig)"
)
_UNPACKING: Final = (KeyError, OSError, EOFError, ValueError, RuntimeError, zipfile.BadZipFile, zlib.error)
_decode_manifest = msgspec.json.Decoder(Manifest).decode
_decode = msgspec.json.Decoder().decode


class Archive:
    """An opened archive file. Data that does not match the manifest raises ArchiveError."""

    def __init__(self, file: IO[bytes]) -> None:
        try:
            self._zip = zipfile.ZipFile(file)
        except (zipfile.BadZipFile, OSError, ValueError, RuntimeError):
            raise unreadable_error("the file") from None
        self._infos = self._check_infos(self._zip.infolist())
        self.raw_manifest = self._unpack(MANIFEST)
        try:
            self.manifest = _decode_manifest(self.raw_manifest)
        except msgspec.MsgspecError:
            raise unreadable_error(MANIFEST) from None
        if self.manifest.format != FORMAT:
            raise unreadable_error(MANIFEST)
        self._check_names()
        self._check_signature()

    def read_lines(self, name: str) -> Iterator[Any]:
        """Yield the decoded JSON of each line of a file in the archive."""
        for line in self._read_verified(name).splitlines():
            try:
                yield _decode(line)
            except msgspec.MsgspecError:
                raise unreadable_error(name) from None

    def read_single(self, name: str) -> Any:
        """Return the first line of a file, decoded; None if it is empty, or personal and removed."""
        entry = self.manifest.files.get(name)
        if entry is not None and entry.personal and name not in self._infos:
            return None
        return next(self.read_lines(name), None)

    def list_streams(self) -> list[str]:
        """List the names of the stream files."""
        return sorted(name for name in self.manifest.files if name.startswith("streams/"))

    @staticmethod
    def _check_infos(infos: list[zipfile.ZipInfo]) -> dict[str, zipfile.ZipInfo]:
        found: dict[str, zipfile.ZipInfo] = {}
        if len(infos) > MAX_FILES or sum(info.file_size for info in infos) > MAX_BYTES:
            raise too_large_error()
        for info in infos:
            if not _NAME.fullmatch(info.filename) or info.filename in found:
                raise ArchiveError(
                    "archive/unknown_file",
                    _("“%(name)s” does not belong in this file."),
                    name=info.filename[:80],
                )
            if info.file_size > MAX_FILE_BYTES or info.file_size > MAX_TIMES * max(info.compress_size, 100):
                raise too_large_error()
            found[info.filename] = info
        return found

    def _unpack(self, name: str) -> bytes:
        try:
            with self._zip.open(self._infos[name]) as file:
                data = file.read(MAX_FILE_BYTES + 1)
        except _UNPACKING:
            raise unreadable_error(name) from None
        if len(data) > MAX_FILE_BYTES:
            raise too_large_error()
        return data

    def _read_verified(self, name: str) -> bytes:
        entry = self.manifest.files.get(name)
        if entry is None:
            raise unreadable_error(name)
        data = self._unpack(name)
        if (len(data), hashlib.sha256(data).hexdigest()) != (entry.size, entry.sha256):
            raise ArchiveError("archive/digest", _("“%(name)s” differs from the file's list."), name=name)
        return data

    def _check_names(self) -> None:
        listed = self.manifest.files
        there = self._infos.keys() - {MANIFEST, SIGNATURE}
        if unlisted := there - listed.keys():
            raise ArchiveError(
                "archive/unknown_file", _("“%(name)s” does not belong in this file."), name=min(unlisted)
            )
        if missing := {name for name, entry in listed.items() if not entry.personal} - there:
            raise ArchiveError("archive/digest", _("“%(name)s” is missing."), name=min(missing))

    def _check_signature(self) -> None:
        try:
            signature = bytes.fromhex(self._unpack(SIGNATURE).decode("ascii").strip())
            key = bytes.fromhex(self.manifest.key)
        except ValueError:
            signature, key = b"", b"?"
        signed = is_signed(key, signed_message(self.raw_manifest), signature) if key else not signature
        if not signed:
            raise ArchiveError("archive/signature", _("The signature of the file is wrong."))


def unreadable_error(name: str) -> ArchiveError:
    """Return the error for an invalid file. `name`: the file in the archive."""
    return ArchiveError("archive/unreadable", _("This is not a championship: %(name)s."), name=name)


def too_large_error() -> ArchiveError:
    """Return the error for a file that exceeds the limits when unpacked."""
    return ArchiveError("archive/too_large", _("The file is too large when it is unpacked."))
