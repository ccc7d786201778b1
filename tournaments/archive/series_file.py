"""The file of a series: its stream, checkpoints, published tables and names, and on request the public files
of its championships.
"""

import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from typing import IO, Any, Final

import msgspec
from django.db import transaction
from django.utils import timezone

from games import sealing, store
from tournaments.archive.writing import (
    CHECKPOINTS,
    NAMES,
    ArchiveWriter,
    FileEntry,
    checkpoint_line,
    encode,
    export_championship,
    find_key,
    stream_lines,
)
from tournaments.models import Championship, ClubSeries
from tournaments.services.series.loading import LoadedSeries
from tournaments.services.series.stream import begin_stream

SERIES_FORMAT: Final = "puur/series/1"
TABLES: Final = "series.json"
_PIECE: Final = 256 * 1024


class SeriesManifest(msgspec.Struct, frozen=True):
    """The manifest of a series file.

    `format`: name and version of the format; `series`: id of the stream; `exported_at`: UTC in ISO 8601;
    `key`: public key that signed it, in hex (empty if the platform has none); `files`: by path in the zip.
    """

    format: str
    series: str
    slug: str
    exported_at: str
    key: str
    files: dict[str, FileEntry]


def export_series(
    loaded: LoadedSeries,
    out: IO[bytes],
    *,
    names: Mapping[str, str],
    with_events: bool = False,
) -> SeriesManifest:
    """Write the file of a series, with its stream up to the last checkpoint; without one, the whole stream. A
    series without a stream gets one.

    `names`: the names that the reader may see, by reference. `with_events`: also include the public file of
    each championship, sealed now; a verifier needs these files.
    """
    series = loaded.series
    with transaction.atomic():
        if series.stream_id is None:
            series.stream_id = begin_stream(series, actor=None).stream_id
        stream = str(series.stream_id)
        checkpoints = sealing.listed(stream)
        upto = checkpoints[-1].seqs[stream] if checkpoints else store.read_head(stream).seq
        tables = _write_tables(series, loaded)
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        writer = ArchiveWriter(archive)
        writer.lines(f"streams/{stream}.jsonl", stream_lines(stream, "series", upto, whole=False))
        writer.lines(CHECKPOINTS, map(checkpoint_line, checkpoints))
        writer.lines(TABLES, [tables])
        writer.lines(NAMES, [dict(names)], personal=True)
        for event in loaded.events if with_events else ():
            if event.championship is not None:
                writer.pieces(f"events/{event.key}.zip", _export_event(event.championship))
        key = find_key(checkpoints[-1] if checkpoints else None)
        manifest = SeriesManifest(
            format=SERIES_FORMAT,
            series=stream,
            slug=series.slug,
            exported_at=timezone.now().isoformat(timespec="seconds").replace("+00:00", "Z"),
            key=key.public.hex() if key is not None else "",
            files=writer.files,
        )
        writer.sign(encode(manifest), SERIES_FORMAT, key)
    return manifest


def _write_tables(series: ClubSeries, loaded: LoadedSeries) -> dict[str, Any]:
    """Return the published tables as JSON data, and the categories if a qualification step needs them."""
    found: dict[str, Any] = {
        "snapshots": [
            {
                "version": one.version,
                "table": one.table,
                "qualification": one.qualification,
                **({} if one.teams is None else {"teams": one.teams}),
            }
            for one in series.snapshots.order_by("version").iterator()
        ]
    }
    rules = loaded.document.rules.qualify
    if rules is not None and any(step.kind == "category" for step in rules.steps):
        categories: dict[str, set[str]] = {}
        for event in loaded.document.held:
            for row in event.ranking:
                if row.categories:
                    categories.setdefault(row.ref, set()).update(row.categories)
        found["categories"] = {ref: sorted(said) for ref, said in categories.items()}
    return found


def _export_event(championship: Championship) -> Iterator[bytes]:
    with tempfile.TemporaryFile() as written:
        export_championship(championship, written)
        written.seek(0)
        yield from iter(lambda: written.read(_PIECE), b"")
