"""Writing a championship into one file: a zip of JSON Lines with a signed manifest."""

import hashlib
import zipfile
from collections.abc import Iterable, Iterator
from typing import IO, Any, Final

import msgspec
from django.utils import timezone

from games import opening, sealing, store
from games.sealing import Checkpoint, SealKey, SealKeyError
from tournaments.archive import contents
from tournaments.archive.rows import personal_of, row_of
from tournaments.models import Championship
from tournaments.services.sealing import seal_if_possible, streams_of

FORMAT: Final = "puur/export/1"
PUBLIC: Final = "public"
BACKUP: Final = "backup"
MANIFEST, SIGNATURE = "manifest.json", "manifest.sig"
ROWS, NAMES, CHECKPOINTS, RECEIPTS = "championship.json", "names.json", "checkpoints.jsonl", "receipts.jsonl"
_STAMP: Final = (1980, 1, 1, 0, 0, 0)

encode = msgspec.json.Encoder().encode


class FileEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the manifest says of a file. `personal`: it may be missing, because names can be erased."""

    size: int
    sha256: str
    personal: bool = False


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`key`: the public key that has signed the manifest, in hex; empty where the platform has none."""

    format: str
    level: str
    championship: str
    slug: str
    exported_at: str
    key: str
    files: dict[str, FileEntry]


def message(manifest: bytes) -> bytes:
    """The bytes of a manifest that are signed."""
    return b"".join(len(field).to_bytes(8, "big") + field for field in (FORMAT.encode(), manifest))


def export_championship(
    championship: Championship, out: IO[bytes], *, level: str = PUBLIC, fresh: bool = True
) -> Manifest:
    """Write the championship as it was sealed last, which with `fresh` is now.

    `public`: only what is open to everybody by now; `backup`: everything, from which it can be imported.
    Where there is no checkpoint it is written as it stands, and the verifiers say that nobody has sealed it.
    """
    if fresh:
        seal_if_possible(championship)
    checkpoint = sealing.latest(championship.stream_id)
    heads = checkpoint.seqs if checkpoint is not None else _now(championship)
    kinds = {head.stream: head.kind for head in sealing.heads_of(heads)}
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        writer = _Writer(archive)
        for stream, seq in sorted(heads.items()):
            lines = _stream(stream, kinds[stream], seq, whole=level == BACKUP)
            writer.lines(f"streams/{stream}.jsonl", lines)
        writer.lines(CHECKPOINTS, map(_checkpoint, _upto(championship, checkpoint)))
        if level == BACKUP:
            writer.lines(RECEIPTS, _receipts(heads))
        rows, names = _tables(championship, public=level == PUBLIC)
        writer.lines(ROWS, [rows])
        writer.lines(NAMES, [names], personal=True)
        return writer.finish(championship, level)


class _Writer:
    """Writes files into a zip and keeps what the manifest says of them."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._files: dict[str, FileEntry] = {}

    def lines(self, name: str, lines: Iterable[Any], *, personal: bool = False) -> None:
        digest, size = hashlib.sha256(), 0
        with self._archive.open(_info(name), "w") as file:
            for line in lines:
                data = encode(line) + b"\n"
                file.write(data)
                digest.update(data)
                size += len(data)
        self._files[name] = FileEntry(size, digest.hexdigest(), personal)

    def finish(self, championship: Championship, level: str) -> Manifest:
        key = _key()
        manifest = Manifest(
            format=FORMAT,
            level=level,
            championship=championship.stream_id,
            slug=championship.slug,
            exported_at=timezone.now().isoformat(timespec="seconds").replace("+00:00", "Z"),
            key=key.public.hex() if key is not None else "",
            files=self._files,
        )
        data = encode(manifest)
        signature = key.sign(message(data)).hex() if key is not None else ""
        for name, text in ((MANIFEST, data), (SIGNATURE, signature.encode())):
            with self._archive.open(_info(name), "w") as file:
                file.write(text)
        return manifest


def _info(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, _STAMP)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = 0o644 << 16
    return info


def _key() -> SealKey | None:
    try:
        return sealing.key_in_use()
    except SealKeyError:
        return None


def _now(championship: Championship) -> dict[str, int]:
    return {head.stream: head.seq for head in sealing.heads_of(streams_of(championship))}


def _stream(stream: str, kind: str, upto: int, *, whole: bool) -> Iterator[dict[str, Any]]:
    """The first line says which stream it is; then an event a line, its envelope as the text it is."""
    yield {"stream": stream, "kind": kind}
    with_parts = whole or opening.is_open_to_all(stream, kind)
    for event in store.raw_events(stream, upto):
        line: dict[str, Any] = {"envelope": event.envelope.decode()}
        if with_parts and event.parts:
            line["parts"] = {
                part.name: {"nonce": part.nonce.hex(), "body": part.body.decode()} for part in event.parts
            }
        yield line


def _upto(championship: Championship, last: Checkpoint | None) -> list[Checkpoint]:
    return [] if last is None else sealing.listed(championship.stream_id, limit=last.says.number)


def _checkpoint(checkpoint: Checkpoint) -> dict[str, Any]:
    return {
        "body": checkpoint.body.decode(),
        "signature": checkpoint.signature.hex(),
        "heads": checkpoint.seqs,
    }


def _receipts(heads: dict[str, int]) -> Iterator[dict[str, Any]]:
    for stream, seq in sorted(heads.items()):
        for receipt in store.raw_receipts(stream, seq):
            yield {"stream": stream, **msgspec.structs.asdict(receipt)}


def _tables(championship: Championship, *, public: bool) -> tuple[dict[str, Any], dict[str, Any]]:
    """Rows by table, and what of them is personal by table and row."""
    rows: dict[str, Any] = {}
    names: dict[str, Any] = {}
    for model in contents.ways():
        if public and model not in contents.PUBLIC_COLUMNS:
            continue
        label = contents.label_of(model)
        found = list(contents.rows_of(model, championship))
        rows[label] = [row_of(instance, public=public) for instance in found]
        personal = {str(one.pk): row for one in found if (row := personal_of(one, public=public))}
        if personal:
            names[label] = personal
    return rows, names
