"""Verification of the public file of a championship by the verifier of its format.

This module runs in `process`. A verifier is one file without code of the platform; it recomputes chain,
signatures, draws and rankings. After it has found no difference, the facts that the platform needs are read.
"""

import importlib.util
import io
import json
import re
import sys
import zipfile
from pathlib import Path
from types import ModuleType
from typing import Any, Final

VERIFIERS: Final = {"puur/export/1": "puur_verify.py"}
"""File name of the verifier by format. The verifiers of older formats stay here."""
FOLDER: Final = Path(__file__).resolve().parents[2] / "docs" / "verify"
MAX_FILES: Final = 50_000
MAX_INFLATED: Final = 512 * 1024 * 1024
MAX_MANIFEST: Final = 64 * 1024 * 1024
MAX_TIMES: Final = 200
"""Largest compression ratio of parts above 20 kB; real files reach about ten."""
MAX_LINES: Final = 40
"""Largest number of notes, and of unproven facts, that are passed on."""
MAX_LINE: Final = 300
SEALS: Final = ("manifest.json", "checkpoint", "championship.json is ", "names.json", "streams/")
"""Beginnings of the verifier's differences which mean that the file was changed after sealing."""
_FORMAT: Final = re.compile(r"puur/export/([0-9]{1,6})")
_UNKNOWN: Final = re.compile(r"no such event is known: (\S+)|(?:: (\w+) )?has other fields than it may")
"""Differences of events that this verifier does not know, with the type of the event."""


class FileRefused(Exception):
    """The file is refused. `code`: of the refusal; parameters: `reason`, a key of
    `outside_files.REASONS`, or `what` is unknown; `found`: the verifier's English line, which is stored only.
    """

    def __init__(self, code: str, **params: Any) -> None:
        super().__init__(code)
        self.code = code
        self.params = params


def read_championship(data: bytes) -> tuple[dict[str, Any], bytes]:
    """Verify a file. Return head (facts) and body (empty) for `process`. Raises FileRefused `series/…`."""
    _require_reasonable(data)
    verifier = _load_verifier(_read_format(data))
    try:
        manifest = verifier.Export(io.BytesIO(data), verifier.Report()).manifest
    except (verifier.Unusable, *verifier.UNREADABLE) as error:
        raise FileRefused("series/no_file", reason="incomplete", found=_shorten(error)) from None
    if manifest["level"] != "public":
        raise FileRefused("series/secret_file")
    try:
        report = verifier.verify(io.BytesIO(data))
    except verifier.Unusable as error:
        raise FileRefused("series/file_changed", reason="incomplete", found=_shorten(error)) from None
    _require_same(report.differences)
    export = verifier.Export(io.BytesIO(data), verifier.Report())
    return _Facts(verifier, export).read() | {
        "notes": [_shorten(line) for line in report.notes[:MAX_LINES]],
        "unproven": [_shorten(line) for line in report.unproven[:MAX_LINES]],
    }, b""


def _require_reasonable(data: bytes) -> None:
    """Refuse files that would inflate too much, before anything is unpacked. Raises FileRefused."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            infos = packed.infolist()
    except Exception:  # of any invalid file
        raise FileRefused("series/no_file", reason="no_zip") from None
    inflated = (one.file_size > MAX_TIMES * max(one.compress_size, 100) for one in infos)
    if len(infos) > MAX_FILES or sum(one.file_size for one in infos) > MAX_INFLATED or any(inflated):
        raise FileRefused("series/file_too_heavy")


def _read_format(data: bytes) -> str:
    """Return the format that the manifest states.

    Raises FileRefused `series/newer_file` if it is newer than all known ones, else `series/no_file` if it is
    unknown.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed, packed.open("manifest.json") as file:
            stated = str(json.loads(file.read(MAX_MANIFEST))["format"])
    except MemoryError:
        raise
    except Exception:  # of any invalid file
        raise FileRefused("series/no_file", reason="incomplete") from None
    if stated in VERIFIERS:
        return stated
    match = _FORMAT.fullmatch(stated)
    if match is not None and int(match[1]) > max(int(name.rpartition("/")[2]) for name in VERIFIERS):
        raise FileRefused("series/newer_file", what=stated)
    raise FileRefused("series/no_file", reason="other_format", found=_shorten(stated))


def _load_verifier(file_format: str) -> ModuleType:
    sys.dont_write_bytecode = True
    found = importlib.util.spec_from_file_location("puur_verify", FOLDER / VERIFIERS[file_format])
    if found is None or found.loader is None:
        raise ImportError("the verifier is missing")
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def _require_same(differences: list[str]) -> None:
    """Raise FileRefused if the verifier has found differences.

    A file that agrees with its seals, and has events unknown to this verifier, comes from a newer version.
    """
    if not differences:
        return
    sealed = not any(line.startswith(SEALS) for line in differences)
    unknown = [line for line in differences if _UNKNOWN.search(line)]
    if sealed and unknown:
        named = _UNKNOWN.search(unknown[0])
        what = (named and (named[1] or named[2])) or unknown[0].partition(":")[0]
        raise FileRefused("series/newer_file", what=_shorten(what), found=_shorten(unknown[0]))
    raise FileRefused(
        "series/file_changed", reason="derived" if sealed else "contents", found=_shorten(differences[0])
    )


class _Facts:
    """Reader of the facts that the platform needs of a verified file."""

    def __init__(self, verifier: ModuleType, export: Any) -> None:
        self._verifier = verifier
        self._export = export
        self._names = self._read_names()

    def read(self) -> dict[str, Any]:
        """Return the facts. Raises FileRefused `series/not_finished`, `series/no_ranking`."""
        [championship] = self._export.rows("championship")
        if championship["status"] != "finished":
            raise FileRefused("series/not_finished")
        snapshots = self._export.rows("standingssnapshot")
        if not snapshots:
            raise FileRefused("series/no_ranking")
        newest = max(snapshots, key=lambda row: row["version"])
        version = championship["regulations_version"]
        [regulations] = [row["data"] for row in self._export.rows("regulations") if row["version"] == version]
        checkpoints = self._export.read_lines("checkpoints.jsonl")
        digests = [
            self._verifier.sha256(self._verifier.encode_checkpoint(line["body"].encode()))
            for line in checkpoints
        ]
        return {
            "format": self._export.manifest["format"],
            "stream": self._export.championship,
            "slug": self._export.manifest["slug"],
            "exported_at": self._export.manifest["exported_at"],
            "key": self._export.manifest["key"],
            "checkpoints": [digest.hex() for digest in digests],
            "words": " ".join(self._verifier.encode_words(digests[-1])),
            "name": championship["name"],
            "place": championship["place"],
            "starts_at": championship["starts_at"],
            "public": championship["public"],
            "regulations": regulations,
            "ranking": newest["rows"],
            "ranking_version": newest["version"],
            "ranking_digest": self._verifier.sha256(self._verifier.serialize_json(newest["rows"])).hex(),
            "entries": [self._read_entry(row) for row in self._export.rows("entry")],
        }

    def _read_names(self) -> dict[str, Any]:
        found = self._export.read_lines("names.json")
        entries = found[0].get("entry") if found and isinstance(found[0], dict) else None
        return entries if isinstance(entries, dict) else {}

    def _read_entry(self, row: dict[str, Any]) -> dict[str, Any]:
        named = self._names.get(str(row["pk"]))
        named = named if isinstance(named, dict) else {}
        year = named.get("birth_year")
        return {
            "number": row["number"],
            "ref": row["player_ref"],
            "house": bool(row.get("house")),
            "name": str(named.get("name") or ""),
            "club": str(named.get("club") or ""),
            "licence": str(named.get("licence") or ""),
            "birth_year": year if isinstance(year, int) else None,
        }


def _shorten(text: object) -> str:
    return str(text)[:MAX_LINE]
