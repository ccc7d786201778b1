"""Witnesses: words from paper, saved checkpoints, printed rankings."""

from __future__ import annotations

import itertools
import os
import re
import zlib

from .canonical import parse_json, sha256
from .checkpoints import encode_checkpoint
from .export_file import MAX_FILE_BYTES
from .report import Unusable
from .words import encode_words, parse_words


def _read_championship(body):
    """Return the championship that the body of a checkpoint names, or None."""
    says = parse_json(body)
    return says.get("championship") if isinstance(says, dict) else None


def check_witness(report, witness, found, championship):
    """Compare words from paper, or a saved file, with the checkpoints of the export."""
    if os.path.isfile(witness):
        with open(witness, "rb") as file:
            data = file.read(MAX_FILE_BYTES)
        saved = read_attachments(data, witness) if data.startswith(b"%PDF-") else parse_json(data)
        saved = saved.get("checkpoints", [saved]) if isinstance(saved, dict) else saved
        bodies = [one.get("body") if isinstance(one, dict) else None for one in saved]
        if not bodies or not all(isinstance(body, str) for body in bodies):
            raise Unusable("%s holds no checkpoint: it is a witness of nothing" % witness)
        ours = [body for body in bodies if _read_championship(body) == championship]
        if not ours:
            raise Unusable(
                "%s holds no checkpoint of this championship: it is a witness of nothing" % witness
            )
        for body in ours:
            if sha256(encode_checkpoint(body.encode())) not in found:
                report.add_difference(witness, "this checkpoint is not among those of the export: %s" % body)
        report.checked.append("%d saved checkpoints compared" % len(ours))
        if len(ours) < len(bodies):
            report.notes.append("%d saved checkpoints are of other championships" % (len(bodies) - len(ours)))
        return
    words = parse_words(witness)
    for digest, says in found.items():
        if encode_words(digest) == words:
            report.checked.append(
                "your words are those of checkpoint %d, %s" % (says["number"], says["made_at"])
            )
            return
    report.add_difference(
        "your words", "no checkpoint of this export has them: it is not the record of the sheet"
    )


MAX_ATTACHMENTS = 100
MAX_ATTACHMENT_BYTES = 1024 * 1024
MAX_DICTIONARY_BYTES = 4096


def read_attachments(pdf, name):
    """Return the checkpoints in a printed ranking: the JSON files that are attached to the PDF.

    Only streams of embedded files are read. They stand uncompressed or deflated, each behind its
    dictionary.
    """
    found = []
    for at in itertools.islice(re.finditer(rb"/Type\s*/EmbeddedFile\b", pdf), MAX_ATTACHMENTS):
        begin = pdf.rfind(b" obj", max(0, at.start() - MAX_DICTIONARY_BYTES), at.start())
        end = pdf.find(b"stream", at.end(), at.end() + MAX_DICTIONARY_BYTES)
        if begin < 0 or end < 0:
            continue
        dictionary, body = pdf[begin:end], end + len(b"stream")
        body += 2 if pdf[body : body + 2] == b"\r\n" else 1
        length = re.search(rb"/Length\s+(\d{1,9})(?!\d)(?!\s+\d+\s+R)", dictionary)
        close = body + int(length.group(1)) if length else pdf.find(b"endstream", body)
        raw = pdf[body : min(max(close, body), body + MAX_ATTACHMENT_BYTES)]
        try:
            if b"/FlateDecode" in dictionary:
                inflating = zlib.decompressobj()
                raw = inflating.decompress(raw, MAX_ATTACHMENT_BYTES)
                if inflating.unconsumed_tail:
                    continue
            one = parse_json(raw)
        except (zlib.error, Unusable):
            continue
        found += one if isinstance(one, list) else [one]
    if not found:
        raise Unusable("%s has no checkpoint attached: take the PDF as the platform made it" % name)
    return found
