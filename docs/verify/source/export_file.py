"""The exported zip: its limits, its signed list of files, and the tables beside the log."""

from __future__ import annotations

import functools
import os
import re
import stat
import zipfile
import zlib

from .canonical import encode_fields, parse_hex, parse_json, require_fields, sha256
from .ed25519 import is_signed
from .report import Unusable

EXPORT_FORMAT = "puur/export/1"
MAX_FILE_BYTES = 64 * 1024 * 1024
MAX_UNPACKED_BYTES = 2 * 1024 * 1024 * 1024
EXPORTED_NAME = re.compile(
    r"streams/[0-9a-f]{32}\.jsonl|(championship|names)\.json|(checkpoints|receipts)\.jsonl|manifest\.(json|sig)"
)


def open_zip(file):
    """Open a zip, a path or an open file. Raise Unusable if a path names no regular file of bounded size."""
    if isinstance(file, (str, os.PathLike)) and not os.path.isdir(file):
        about = os.stat(file)
        if not stat.S_ISREG(about.st_mode):
            raise Unusable("%s is no regular file" % file)
        if about.st_size > MAX_UNPACKED_BYTES:
            raise Unusable("%s is too large" % file)
    return zipfile.ZipFile(file)


class Export:
    """An exported zip of bounded size, with its manifest."""

    format = EXPORT_FORMAT
    names = EXPORTED_NAME
    owner = "championship"  # the field of the manifest that names its stream, and the kind of that stream
    manifest_fields = ("format", "level", "championship", "slug", "exported_at", "key", "files")
    stream_kinds = ("game", "round", "championship")
    tables_file = "championship.json"

    def __init__(self, file, report):
        self.report = report
        try:
            self.zip = open_zip(file)
            self.infos = {info.filename: info for info in self.zip.infolist()}
            doubles = len(self.zip.infolist()) - len(self.infos)
        except FileNotFoundError:
            raise Unusable("there is no file %s" % file) from None
        except (zipfile.BadZipFile, ValueError, RuntimeError):
            raise Unusable("this is no zip file") from None
        except OSError as error:
            raise Unusable("the file cannot be read: %s" % (error.strerror or error)) from None
        if sum(info.file_size for info in self.infos.values()) > MAX_UNPACKED_BYTES:
            raise Unusable("the file is too large when it is unpacked")
        strange = [name for name in self.infos if not self.names.fullmatch(name)]
        if strange or doubles:
            raise Unusable("there are files that no export has: %.80r" % (strange,))
        self.raw_manifest = self.read_file("manifest.json")
        self.manifest = parse_json(self.raw_manifest)
        if not isinstance(self.manifest, dict) or self.manifest.get("format") != self.format:
            raise Unusable("this is not the export of a %s (%s)" % (self.owner, self.format))
        require_fields(self.manifest, self.manifest_fields)
        self.listed = self.manifest["files"]
        self.championship = self.manifest[self.owner]
        parse_hex(self.championship, 16)

    def read_file(self, name):
        """Return the bytes of a file in the zip. Raise Unusable if it is missing, damaged or too large."""
        if name not in self.infos:
            raise Unusable("%s is missing" % name)
        try:
            with self.zip.open(self.infos[name]) as file:
                data = file.read(MAX_FILE_BYTES + 1)
        except (zipfile.BadZipFile, OSError, EOFError, ValueError, RuntimeError, zlib.error):
            raise Unusable("%s cannot be unpacked" % name) from None
        if len(data) > MAX_FILE_BYTES:
            raise Unusable("%s is too large" % name)
        return data

    def check_manifest(self, keys):
        """Compare every file with the manifest, and check the manifest's signature."""
        for name in sorted(self.listed.keys() | self.infos.keys() - {"manifest.json", "manifest.sig"}):
            entry = self.listed.get(name)
            if entry is None:
                self.report.add_difference(name, "is not in the list of the export")
            elif name in self.infos:
                require_fields(entry, {"size", "sha256", "personal"})
                data = self.read_file(name)
                if (len(data), sha256(data).hex()) != (entry["size"], entry["sha256"]):
                    self.report.add_difference(name, "is not what was exported")
            elif entry.get("personal") is True:
                self.report.notes.append("%s was taken away: names can be erased" % name)
            else:
                self.report.add_difference(name, "is missing")
        if "level" in self.manifest_fields and self.manifest["level"] not in ("public", "backup"):
            self.report.add_difference(
                "manifest.json", "there is no such level: %r" % (self.manifest["level"],)
            )
        key = parse_hex(self.manifest["key"])
        signature = self.read_file("manifest.sig").decode("ascii", "replace").strip()
        if not key and not signature:
            self.report.notes.append("the export is not signed: the platform had no key")
        elif not is_signed(key, encode_fields(self.format.encode(), self.raw_manifest), parse_hex(signature)):
            self.report.add_difference("manifest.json", "its signature is not right")
        if keys and self.manifest["key"] not in keys:
            self.report.add_difference(
                "manifest.json", "was signed with another key: %s" % self.manifest["key"]
            )
        self.report.checked.append("%d files are what the signed list says" % len(self.listed))

    def check_manifest_key(self, last):
        """Check that the manifest has the key of the last checkpoint (None without one)."""
        if last is not None and self.manifest["key"] != last:
            told = "it is signed with %s, the last checkpoint with another key: %s"
            self.report.add_difference("manifest.json", told % (self.manifest["key"] or "no key", last))

    @functools.cached_property
    def tables(self):
        """The tables beside the log: rows by table."""
        found = self.read_lines(self.tables_file)
        if len(found) != 1 or not isinstance(found[0], dict):
            raise Unusable("%s holds no tables" % self.tables_file)
        return found[0]

    def rows(self, table):
        """Return the rows of a table beside the log."""
        found = self.tables.get(table, [])
        if not isinstance(found, list) or not all(isinstance(row, dict) for row in found):
            raise Unusable("the table %s cannot be read" % table)
        return found

    def read_lines(self, name):
        """Return the JSON values of a file, one a line. A file that is missing has none."""
        *lines, rest = self.read_file(name).split(b"\n") if name in self.infos else [b""]
        if rest:
            raise Unusable("%s is cut off" % name)
        return [parse_json(line) for line in lines]
