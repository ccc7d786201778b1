"""A witness that says nothing and a key that is none are refused; JSON that says two things is no JSON."""

import io
import json
from pathlib import Path
from types import ModuleType

import pytest

from games import sealing
from tests.verify.evening import Evening
from tests.verify.mutations import listed_again, unzipped, zipped
from tests.verify.test_browser_verifier import verified
from tests.verify.test_puur_verify import run


def of_another_cup(evening: Evening) -> str:
    body = json.loads(evening.checkpoints[0].body)
    return json.dumps([{"body": json.dumps({**body, "championship": "ab" * 16})}])


@pytest.mark.parametrize("text", ["", "[]", "{}", "null", "5", '{"checkpoints": []}', "[{}]", "another cup"])
def test_a_witness_file_that_says_nothing_is_refused(evening: Evening, tmp_path: Path, text: str) -> None:
    saved, export = tmp_path / "saved.json", tmp_path / "cup.zip"
    saved.write_text(of_another_cup(evening) if text == "another cup" else text)
    export.write_bytes(evening.public)
    told = run(str(export), "--checkpoint", str(saved))
    assert (told.returncode, told.stdout) == (2, "")
    assert told.stderr.startswith("unusable: ")


def test_a_witness_beside_others_is_told_of(
    puur_verify: ModuleType, evening: Evening, tmp_path: Path
) -> None:
    saved = tmp_path / "saved.json"
    mine = {"body": evening.checkpoints[0].body.decode()}
    saved.write_text(json.dumps([mine, *json.loads(of_another_cup(evening))]))
    report = puur_verify.verify(io.BytesIO(evening.public), str(saved))
    assert report.differences == []
    assert "1 saved checkpoints are of other championships" in report.notes


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"key": ""}', "ab", "zz" * 32])
def test_a_key_file_that_says_nothing_is_refused(evening: Evening, tmp_path: Path, text: str) -> None:
    key, export = tmp_path / "seal-key.json", tmp_path / "cup.zip"
    key.write_text(text)
    export.write_bytes(evening.public)
    told = run(str(export), "--key", str(key))
    assert (told.returncode, told.stdout) == (2, "")
    assert "holds no public key" in told.stderr
    assert run(str(export), "--key", "").returncode == 2


def test_a_key_file_is_read(puur_verify: ModuleType, evening: Evening, tmp_path: Path) -> None:
    path = tmp_path / "seal-key.json"
    for text in (evening.key, json.dumps({"key": evening.key})):
        path.write_text(text)
        assert puur_verify.parse_key(str(path)) == evening.key


@pytest.mark.parametrize("words", ["[]", "{}", "https://jass.example/c/x/checkpoints/#"])
def test_words_that_are_none_are_refused_in_the_browser(evening: Evening, tmp_path: Path, words: str) -> None:
    (tmp_path / "public.zip").write_bytes(evening.public)
    [told] = verified(tmp_path, words).values()
    assert told["unusable"] == "verify.words_count"


@pytest.mark.parametrize("place", ["manifest", "rows", "line", "envelope", "escaped"])
def test_a_key_that_stands_twice_is_refused(
    puur_verify: ModuleType, evening: Evening, key_file: Path, tmp_path: Path, place: str
) -> None:
    files, key = unzipped(evening.public), sealing.load_key(key_file)
    name = max((n for n in files if n.startswith("streams/")), key=lambda n: len(files[n]))
    pk = b'{"pk":%d,' % json.loads(files["championship.json"])["round"][0]["pk"]
    bent = {
        "manifest": ("manifest.json", b'{"format":', b'{"level":"backup","format":'),
        "rows": ("championship.json", pk, pk + pk[1:]),
        "line": (name, b'{"envelope":', b'{"parts":{},"parts":{},"envelope":'),
        "envelope": (name, b'{\\"seq\\":1,', b'{\\"seq\\":9,\\"seq\\":1,'),
        "escaped": ("championship.json", pk, b'{"p\\u006b":2,' + pk[1:]),
    }
    file, old, new = bent[place]
    assert old in files[file]
    files[file] = files[file].replace(old, new, 1)
    data = zipped(files if place == "manifest" else listed_again(files, key))
    try:
        told = "\n".join(puur_verify.verify(io.BytesIO(data)).differences)
    except puur_verify.Unusable as error:
        told = str(error)
    assert "a key is repeated" in told
    if file == "championship.json":
        return  # whose rows the browser leaves to the program
    (tmp_path / "bent.zip").write_bytes(data)
    [browser] = verified(tmp_path, "").values()
    found = [browser.get("unusable"), *(one["what"] for one in browser.get("differences", []))]
    assert "verify.doubles" in found
