"""A platform that lies: each forgery of the list is made, and found by the Python program.

The browser finds those of them that touch the chain, the seals or the cards.
"""

import io
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from deploy.environment import BASE_DIR
from frontend.presenters.verification.verify_words import VERIFY
from games import sealing
from games.sealing import SealKey
from tests.verify.cheats.catalogue import CHEATS, Cheat
from tests.verify.evening import Evening
from tests.verify.mutations import listed_again, unzipped, zipped
from tests.verify.record import Record
from tests.verify.test_browser_verifier import verified

TOGETHER = [one for one in CHEATS if one.found in ("note", "unproven") and one.id != "N6"]
"""What is no difference is forged in one file: each such file has its seats drawn again."""
APART = [one for one in CHEATS if one not in TOGETHER]


def forged(cheat: Cheat, data: bytes, key: SealKey, stranger: SealKey) -> bytes:
    record = Record(data)
    cheat.bend(record)
    if cheat.hand == "outsider":
        return record.sealed(None, listed=False)
    if cheat.hand == "stranger":
        sealed = Record(record.sealed(key))
        sealed.manifest["key"] = stranger.public.hex()
        files = {**sealed.files, "manifest.json": json.dumps(sealed.manifest).encode()}
        return zipped(listed_again(files, stranger))
    if cheat.hand == "unsigned":
        files = unzipped(Record(data).sealed(key))
        manifest = {**json.loads(files["manifest.json"]), "key": ""}
        return zipped({**files, "manifest.json": json.dumps(manifest).encode(), "manifest.sig": b""})
    if cheat.hand == "unsealed":
        name = f"streams/{record.manifest['championship']}.jsonl"
        line = record.own[-1].copy().line(len(record.own))
        files = unzipped(record.sealed(key))
        files[name] += json.dumps(line).encode() + b"\n"
        return zipped(listed_again(files, key))
    return record.sealed(key)


@pytest.fixture
def keys(key_file: Path, tmp_path: Path) -> tuple[SealKey, SealKey]:
    return sealing.load_key(key_file), sealing.make_seal_key(tmp_path / "stranger")


def said(puur_verify: ModuleType, data: bytes, words: str | None) -> dict[str, list[str]]:
    """What the Python verifier says, by how bad it is."""
    try:
        report = puur_verify.verify(io.BytesIO(data), words)
    except puur_verify.Unusable as error:
        return {"unusable": [str(error)], "differs": [], "note": [], "unproven": []}
    return {
        "unusable": [],
        "differs": report.differences,
        "paper": report.differences,
        "note": report.notes,
        "unproven": report.unproven,
    }


@pytest.mark.parametrize("cheat", APART, ids=lambda cheat: cheat.id)
def test_the_python_verifier_names_it(
    puur_verify: ModuleType, evening: Evening, keys: tuple[SealKey, SealKey], cheat: Cheat
) -> None:
    data = forged(cheat, evening.public, *keys)
    words = evening.words[-1] if cheat.found == "paper" else None
    told = said(puur_verify, data, words)
    assert any(cheat.told in line for line in told[cheat.found]), told


@pytest.mark.slow
def test_the_browser_names_what_touches_chain_seals_or_cards(
    evening: Evening, keys: tuple[SealKey, SealKey], tmp_path: Path
) -> None:
    """All in two runs of Node: forgeries that only paper reveals with the words, the others without."""
    missed = []
    for words in ("", evening.words[-1]):
        folder = tmp_path / ("with" if words else "without")
        folder.mkdir()
        cheats = {c.id: c for c in APART if c.browser and (c.found == "paper") == bool(words)}
        for cheat in cheats.values():
            (folder / f"{cheat.id}.zip").write_bytes(forged(cheat, evening.public, *keys))
        for name, told in verified(folder, words).items():
            cheat = cheats[name.removesuffix(".zip")]
            if cheat.browser not in found_by(told, cheat.found):
                missed.append((cheat.id, cheat.browser, told))
    assert missed == []


def found_by(told: dict[str, Any], found: str) -> list[str]:
    if found == "unusable":
        return [told.get("unusable", "")]
    name = {"differs": "differences", "paper": "differences", "note": "notes"}.get(found, found)
    return [one["what"] for one in told.get(name, [])]


def test_the_report_names_what_no_file_can_prove(
    puur_verify: ModuleType, evening: Evening, keys: tuple[SealKey, SealKey]
) -> None:
    record = Record(evening.public)
    for cheat in TOGETHER:
        cheat.bend(record)
    data = record.sealed(keys[0])
    told = said(puur_verify, data, None)
    assert told["differs"] == told["unusable"] == []
    for cheat in TOGETHER:
        assert any(cheat.told in line for line in told[cheat.found]), (cheat.id, told)


def test_the_printed_list_has_each_forgery_once() -> None:
    assert len({cheat.id for cheat in CHEATS}) == len(CHEATS)
    assert {cheat.browser for cheat in CHEATS if cheat.browser} <= VERIFY.keys()
    listing = [sys.executable, "-m", "tests.verify.cheats"]
    printed = subprocess.run(listing, cwd=BASE_DIR, capture_output=True, text=True, check=True).stdout
    _head, _line, *rows = printed.splitlines()
    for cheat, row in zip(CHEATS, rows, strict=True):
        id_, forgery, report, browser = (cell.strip() for cell in row.strip("|").split(" | "))
        assert (id_, forgery, bool(browser)) == (cheat.id, cheat.forgery, bool(cheat.browser))
        assert cheat.told in report, row
