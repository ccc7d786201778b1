"""Writing a championship into one file: a zip of JSON Lines with a signed manifest."""

import hashlib
import logging
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import IO, Any, Final, NamedTuple

import msgspec
from django.db import IntegrityError, OperationalError, connections, router, transaction
from django.utils import timezone

from games import sealing, store
from games.observed import export
from games.sealing import Checkpoint, SealKey, SealKeyError
from tournaments.archive import contents
from tournaments.archive.rows import encode_personal, encode_row
from tournaments.models import Championship
from tournaments.names.readers import reading_for
from tournaments.services.championship_seals import list_streams, seal_if_possible
from tournaments.services.people.name_visibility import outsider

FORMAT: Final = "puur/export/1"
PUBLIC: Final = "public"
BACKUP: Final = "backup"
MANIFEST, SIGNATURE = "manifest.json", "manifest.sig"
ROWS, NAMES, CHECKPOINTS, RECEIPTS = "championship.json", "names.json", "checkpoints.jsonl", "receipts.jsonl"
STREAMS_A_STEP: Final = 100
ROWS_AT_ONCE: Final = 500
_STAMP: Final = (1980, 1, 1, 0, 0, 0)
_ATTEMPTS: Final = 5
_PIECE: Final = 256 * 1024
_IN_MEMORY: Final = 4 * 1024 * 1024

encode = msgspec.json.Encoder().encode
log = logging.getLogger(__name__)


class FileEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file in the manifest. `size` in bytes; `personal`: the file may be missing, because names can be
    erased.
    """

    size: int
    sha256: str
    personal: bool = False


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The manifest of an export.

    `format`: name and version of the format; `level`: `public` or `backup`; `championship`: id of its stream;
    `exported_at`: UTC in ISO 8601; `key`: public key that signed it, in hex (empty if the platform has none);
    `files`: by path in the zip.
    """

    format: str
    level: str
    championship: str
    slug: str
    exported_at: str
    key: str
    files: dict[str, FileEntry]


def signed_message(manifest: bytes, format_: str = FORMAT) -> bytes:
    """Return the bytes that are signed for a manifest."""
    return b"".join(len(field).to_bytes(8, "big") + field for field in (format_.encode(), manifest))


def export_championship(
    championship: Championship,
    out: IO[bytes],
    *,
    level: str = PUBLIC,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Manifest:
    """Seal the championship and write it to `out`; return the manifest.

    `level`: `public` writes only data that is public by now, `backup` all that an import needs. If no seal
    is possible, streams end at the last checkpoint; without any, they are whole, and verifiers report that
    nothing is sealed. The database rows are read at the moment of a new seal, so that the streams confirm
    them. `progress` gets the numbers of streams written and of all.
    """
    with tempfile.SpooledTemporaryFile(_IN_MEMORY) as rows:
        checkpoint, heads, names = _read_sealed(championship, rows, public=level == PUBLIC)
        kinds = {head.stream: head.kind for head in sealing.heads_of(heads)}
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            writer = ArchiveWriter(archive)
            for done, (stream, seq) in enumerate(sorted(heads.items())):
                if done % STREAMS_A_STEP == 0:
                    progress(done, len(heads))
                lines = stream_lines(stream, kinds[stream], seq, whole=level == BACKUP)
                writer.lines(f"streams/{stream}.jsonl", lines)
            writer.lines(CHECKPOINTS, map(checkpoint_line, _checkpoints_upto(championship, checkpoint)))
            if level == BACKUP:
                writer.lines(RECEIPTS, _receipt_lines(heads))
            writer.pieces(ROWS, iter(lambda: rows.read(_PIECE), b""))
            writer.lines(NAMES, [names], personal=True)
            return writer.finish(championship, level, checkpoint)


class _SealedState(NamedTuple):
    """The last checkpoint, the number of the last event by stream at that checkpoint, and the personal data
    of the tables (`names`).
    """

    checkpoint: Checkpoint | None
    heads: dict[str, int]
    names: dict[str, Any]


def _read_sealed(championship: Championship, rows: IO[bytes], *, public: bool) -> _SealedState:
    """Seal, and write the rows as of this seal into `rows`, despite concurrent writes.

    If another process seals at the same time, one of the two processes tries again.
    """
    connection = connections[router.db_for_write(Championship)]
    alone = not connection.in_atomic_block
    attempt = 0
    while True:
        attempt += 1
        rows.seek(0)
        rows.truncate()
        names: dict[str, Any] = {}
        try:
            with transaction.atomic(using=connection.alias):
                if alone and connection.vendor == "postgresql":
                    with connection.cursor() as cursor:
                        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
                seal_if_possible(championship)
                checkpoint = sealing.find_latest_checkpoint(championship.stream_id)
                heads = checkpoint.seqs if checkpoint is not None else _current_heads(championship)
                with reading_for(outsider() if public else None):
                    rows.writelines(_table_rows(championship, names, public=public))
        except (OperationalError, IntegrityError):
            if not alone or attempt == _ATTEMPTS:
                raise
        else:
            rows.seek(0)
            return _SealedState(checkpoint, heads, names)


class ArchiveWriter:
    """Writer of a zip file that collects the entries of the manifest."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self.files: dict[str, FileEntry] = {}

    def lines(self, name: str, lines: Iterable[Any], *, personal: bool = False) -> None:
        self.pieces(name, (encode(line) + b"\n" for line in lines), personal=personal)

    def pieces(self, name: str, pieces: Iterable[bytes], *, personal: bool = False) -> None:
        digest, size = hashlib.sha256(), 0
        with self._archive.open(_zip_info(name), "w") as file:
            for data in pieces:
                file.write(data)
                digest.update(data)
                size += len(data)
        self.files[name] = FileEntry(size, digest.hexdigest(), personal)

    def finish(self, championship: Championship, level: str, last: Checkpoint | None) -> Manifest:
        """Write the manifest and its signature. `last`: the last exported checkpoint."""
        key = find_key(last)
        manifest = Manifest(
            format=FORMAT,
            level=level,
            championship=championship.stream_id,
            slug=championship.slug,
            exported_at=timezone.now().isoformat(timespec="seconds").replace("+00:00", "Z"),
            key=key.public.hex() if key is not None else "",
            files=self.files,
        )
        self.sign(encode(manifest), FORMAT, key)
        return manifest

    def sign(self, manifest: bytes, format_: str, key: SealKey | None) -> None:
        """Write the manifest and, if there is a key, its signature."""
        signature = key.sign(signed_message(manifest, format_)).hex() if key is not None else ""
        for name, text in ((MANIFEST, manifest), (SIGNATURE, signature.encode())):
            with self._archive.open(_zip_info(name), "w") as file:
                file.write(text)


def _zip_info(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, _STAMP)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = 0o644 << 16
    return info


def find_key(last: Checkpoint | None) -> SealKey | None:
    """Return the key that signs an export; None if this platform has none.

    Log a warning if the last exported checkpoint has another key, which verifiers report as a difference.
    """
    try:
        key = sealing.load_key_in_use()
    except SealKeyError:
        key = None
    own = key.public.hex() if key is not None else "no key"
    if last is not None and last.says.key != own:
        log.warning(
            "verifiers will report a difference: this export is signed with %s, its last checkpoint with the "
            "key %s (sealing/other_key)",
            own,
            last.says.key,
        )
    return key


def _current_heads(championship: Championship) -> dict[str, int]:
    return {head.stream: head.seq for head in sealing.heads_of(list_streams(championship))}


def stream_lines(stream: str, kind: str, upto: int, *, whole: bool) -> Iterator[dict[str, Any]]:
    """Yield the stream's header, then a line for each event up to `upto`: its envelope verbatim, and its
    secret parts. Unless `whole` is set, parts that may not be public yet are left out.
    """
    yield {"stream": stream, "kind": kind}
    open_before = upto + 1 if whole else export.open_before(stream, kind)
    for seq, event in enumerate(store.read_raw_events(stream, upto)):
        line: dict[str, Any] = {"envelope": event.envelope.decode()}
        if seq < open_before and event.parts:
            line["parts"] = {
                part.name: {"nonce": part.nonce.hex(), "body": part.body.decode()} for part in event.parts
            }
        yield line


def _checkpoints_upto(championship: Championship, last: Checkpoint | None) -> Iterator[Checkpoint]:
    """Iterate over the checkpoints up to the exported one.

    A list would be large.
    """
    number = last.says.number if last is not None else 0
    return islice(sealing.each(championship.stream_id), number)


def checkpoint_line(checkpoint: Checkpoint) -> dict[str, Any]:
    return {
        "body": checkpoint.body.decode(),
        "signature": checkpoint.signature.hex(),
        "heads": checkpoint.seqs,
    }


def _receipt_lines(heads: dict[str, int]) -> Iterator[dict[str, Any]]:
    for stream, seq in sorted(heads.items()):
        for receipt in store.read_raw_receipts(stream, seq):
            yield {"stream": stream, **msgspec.structs.asdict(receipt)}


def _table_rows(championship: Championship, names: dict[str, Any], *, public: bool) -> Iterator[bytes]:
    """Yield the JSON object of all tables, row by row. Personal data goes into `names`, by table and row."""
    begin = b"{"
    for model in contents.export_paths():
        if public and model not in contents.PUBLIC_COLUMNS:
            continue
        label = contents.table_label(model)
        yield begin + encode(label) + b":["
        begin, between = b"],", b""
        for one in contents.archived_rows(model, championship, public=public).iterator(
            chunk_size=ROWS_AT_ONCE
        ):
            yield between + encode(encode_row(one, public=public))
            between = b","
            if row := encode_personal(one, public=public):
                names.setdefault(label, {})[str(one.pk)] = row
    yield b"]}\n"
