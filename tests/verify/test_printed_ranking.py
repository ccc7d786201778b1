"""The ranking as PDF is a witness: the verifier reads the checkpoint attached to it, and nothing else."""

import io
import json
import zlib
from pathlib import Path
from types import ModuleType

import pytest
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st

from frontend.prints.typesetting import typeset
from tests.verify.evening import Evening
from tests.verify.test_puur_verify import run


def checkpoint_of(evening: Evening, **changed: object) -> str:
    body = json.loads(evening.checkpoints[-1].body)
    told = body if not changed else {**body, **changed}
    text = evening.checkpoints[-1].body.decode() if not changed else json.dumps(told, separators=(",", ":"))
    return json.dumps({"number": told["number"], "body": text})


def printed(checkpoint: str) -> bytes:
    """A ranking with this file attached."""
    seal = {
        "title": "Seal",
        "words": "lusab babad",
        "says": "Seal 1",
        "address": "",
        "qr": None,
        "qr-says": "",
        "file": "puur-checkpoint-1.json",
        "checkpoint": checkpoint,
    }
    line = {
        "place": "1",
        "number": "1",
        "names": ["Anna"],
        "club": "",
        "cells": ["900"],
        "sweeps": "0",
        "total": "900",
        "reason": "",
    }
    heads = {
        "place": "Place",
        "number": "No.",
        "name": "Name",
        "rounds": ["R1"],
        "sweeps": "",
        "total": "Total",
        "reason": "",
    }
    part = {
        "kind": "ranking",
        "paper": "a4",
        "over": "Cup",
        "title": "Ranking",
        "said": "",
        "heads": heads,
        "lines": [line],
        "legend": "",
        "seal": seal,
    }
    return typeset("Cup", "en", [part], timezone.now())


def stream(body: bytes, more: bytes = b"", length: bytes | None = None) -> bytes:
    """A PDF as far as the verifier looks at one."""
    size = str(len(body)).encode() if length is None else length
    return b"%%PDF-1.7\n1 0 obj\n<</Length %b/Type/EmbeddedFile%b>>\nstream\n%b\nendstream\nendobj\n" % (
        size,
        more,
        body,
    )


def test_the_pdf_is_taken_as_a_witness(puur_verify: ModuleType, evening: Evening, tmp_path: Path) -> None:
    sheet = tmp_path / "ranking.pdf"
    sheet.write_bytes(printed(checkpoint_of(evening)))

    report = puur_verify.verify(io.BytesIO(evening.public), str(sheet))

    assert report.differences == []
    assert "1 saved checkpoints compared" in report.checked


def test_the_command_line_says_so(evening: Evening, tmp_path: Path) -> None:
    sheet, export = tmp_path / "ranking.pdf", tmp_path / "cup.zip"
    sheet.write_bytes(printed(checkpoint_of(evening)))
    export.write_bytes(evening.public)

    told = run(str(export), "--checkpoint", str(sheet))

    assert told.returncode == 0
    assert "this is the record of your sheet" in told.stdout


def test_a_record_that_was_changed_since_differs_from_the_pdf(
    puur_verify: ModuleType, evening: Evening, tmp_path: Path
) -> None:
    sheet = tmp_path / "ranking.pdf"
    sheet.write_bytes(printed(checkpoint_of(evening, root="ab" * 32)))

    report = puur_verify.verify(io.BytesIO(evening.public), str(sheet))

    assert any("this checkpoint is not among those" in line for line in report.differences)


def test_a_deflated_attachment_is_read(puur_verify: ModuleType, evening: Evening, tmp_path: Path) -> None:
    sheet = tmp_path / "ranking.pdf"
    sheet.write_bytes(stream(zlib.compress(checkpoint_of(evening).encode()), b"/Filter/FlateDecode"))

    assert puur_verify.verify(io.BytesIO(evening.public), str(sheet)).differences == []


@pytest.mark.parametrize(
    "pdf",
    [
        b"%PDF-1.7\n",
        b"%PDF-1.7\n/Type/EmbeddedFile",
        b"%PDF-1.7\n1 0 obj /Type/EmbeddedFile stream",
        stream(b"{}"),
        stream(b"no json"),
        stream(b"{}", length=b"999999999"),
        stream(b"{}", length=b"7 0 R"),
        stream(b"\x00\x01", b"/Filter/FlateDecode"),
        stream(zlib.compress(bytes(200 * 1024 * 1024), 9), b"/Filter/FlateDecode"),
        b"%PDF-1.7\n" + b"/Type/EmbeddedFile " * 100_000,
    ],
    ids=[
        "empty",
        "no object",
        "no end",
        "no body",
        "no json",
        "too long",
        "refers",
        "rotten",
        "bomb",
        "many",
    ],
)
def test_a_pdf_without_a_checkpoint_is_refused(evening: Evening, tmp_path: Path, pdf: bytes) -> None:
    sheet, export = tmp_path / "ranking.pdf", tmp_path / "cup.zip"
    sheet.write_bytes(pdf)
    export.write_bytes(evening.public)

    told = run(str(export), "--checkpoint", str(sheet))

    assert (told.returncode, told.stdout) == (2, "")
    assert told.stderr.startswith("unusable: ")


PIECES = (*stream(b"{}").split(b"/"), b"obj", b"stream", b"\n", b"<<")


@settings(max_examples=200, deadline=None)
@given(junk=st.lists(st.sampled_from(PIECES), max_size=30))
def test_whatever_a_pdf_holds_is_refused_or_read(puur_verify: ModuleType, junk: list[bytes]) -> None:
    try:
        found = puur_verify.read_attachments(b"%PDF-" + b"/".join(junk), "x")
    except puur_verify.Unusable:
        return
    assert found
