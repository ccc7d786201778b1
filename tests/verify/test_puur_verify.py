"""The verifier that players download, against exports of the real platform."""

import ast
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from games import sealing
from games.store import layout
from tests.verify.conftest import SCRIPT
from tests.verify.evening import Evening
from tests.verify.mutations import listed_again, mutations, sealed_again, unzipped, zipped

MUTATIONS = int(os.environ.get("PUUR_MUTATIONS", "100"))


def test_an_untouched_export_has_no_difference(puur_verify: ModuleType, evening: Evening) -> None:
    for data in (evening.public, evening.backup):
        report = puur_verify.verify(io.BytesIO(data), evening.words[-1], [evening.key])
        assert report.differences == []
        assert [line for line in report.notes if "draw 1 was undone: Beat was in the bar" in line]
        assert next(line.partition(":")[0] for line in report.unproven).startswith("not sealed")
    told = "\n".join(report.checked)
    assert "1 rounds are revealed: 2 deals dealt again, 3 draws used their seed" in told
    assert "1 published rankings are those of the log" in told
    assert f"your words are those of checkpoint {len(evening.words)}" in told


def test_the_words_of_every_sheet_are_found(puur_verify: ModuleType, evening: Evening) -> None:
    for words in evening.words:
        for said in (
            words,
            words.upper(),
            f"https://jass.example/c/x/checkpoints/#{words.replace(' ', '-')}",
        ):
            assert puur_verify.verify(io.BytesIO(evening.public), said).differences == []


def test_the_record_of_another_evening_is_not_that_of_the_sheet(
    puur_verify: ModuleType, evening: Evening
) -> None:
    other = " ".join(sealing.in_words(bytes(32)))
    [difference] = puur_verify.verify(io.BytesIO(evening.public), other).differences
    assert "it is not the record of the sheet" in difference


@pytest.mark.parametrize("change", ["swap two", "one letter", "no word", "eleven"])
def test_a_mistyped_word_is_no_difference_but_told(
    puur_verify: ModuleType, evening: Evening, change: str
) -> None:
    words = evening.words[-1].split()
    if change == "swap two":
        words[0], words[1] = words[1], words[0]
    elif change == "one letter":
        words[3] = ("b" if words[3][0] != "b" else "d") + words[3][1:]
    elif change == "no word":
        words[3] = "hello"
    else:
        words.pop()
    with pytest.raises(puur_verify.Unusable):
        puur_verify.verify(io.BytesIO(evening.public), " ".join(words))


def test_a_saved_checkpoint_is_a_witness_too(
    puur_verify: ModuleType, evening: Evening, tmp_path: Path
) -> None:
    saved = tmp_path / "saved.json"
    mine = evening.checkpoints[0]
    saved.write_text(json.dumps({"body": mine.body.decode(), "signature": mine.signature.hex()}))
    assert puur_verify.verify(io.BytesIO(evening.public), str(saved)).differences == []
    saved.write_text(
        json.dumps({"checkpoints": [{"body": mine.body.decode().replace('"number":1', '"number":2')}]})
    )
    [difference] = puur_verify.verify(io.BytesIO(evening.public), str(saved)).differences
    assert "not among those of the export" in difference
    saved.write_text("[{}]")
    with pytest.raises(puur_verify.Unusable):
        puur_verify.verify(io.BytesIO(evening.public), str(saved))


def test_names_may_be_taken_away(puur_verify: ModuleType, evening: Evening) -> None:
    files = unzipped(evening.public)
    del files["names.json"]
    report = puur_verify.verify(io.BytesIO(zipped(files)), evening.words[-1])
    assert report.differences == []
    assert any("names can be erased" in line for line in report.notes)


def test_another_key_is_told(puur_verify: ModuleType, evening: Evening) -> None:
    differences = puur_verify.verify(io.BytesIO(evening.public), None, ["ab" * 32]).differences
    assert len(differences) == 2
    assert all("another key" in one for one in differences)


@pytest.mark.parametrize("place", ["manifest.json", "checkpoint 1"])
def test_a_signature_that_is_not_right_is_told(
    puur_verify: ModuleType, evening: Evening, key_file: Path, place: str
) -> None:
    """Whoever has no key can make all the rest fit."""
    files = unzipped(evening.public)
    if place == "manifest.json":
        data = zipped({**files, "manifest.sig": files["manifest.sig"][2:] + files["manifest.sig"][:2]})
    else:
        [first, *rest] = files["checkpoints.jsonl"].splitlines(keepends=True)
        line = json.loads(first)
        line["signature"] = line["signature"][2:] + line["signature"][:2]
        bent = b"".join([json.dumps(line).encode() + b"\n", *rest])
        data = zipped(listed_again({**files, "checkpoints.jsonl": bent}, sealing.load_key(key_file)))
    told = puur_verify.verify(io.BytesIO(data)).differences
    assert any(one.startswith(place) and "its signature is not right" in one for one in told), told


def test_a_record_that_nobody_has_sealed_is_told(
    puur_verify: ModuleType, evening: Evening, key_file: Path
) -> None:
    files = {**unzipped(evening.public), "checkpoints.jsonl": b""}
    data = zipped(listed_again(files, sealing.load_key(key_file)))
    assert "nobody has sealed" in puur_verify.verify(io.BytesIO(data)).differences[0]


def test_whoever_has_the_key_changes_cards_and_is_given_away_by_the_paper_and_the_seed(
    puur_verify: ModuleType, evening: Evening, key_file: Path
) -> None:
    """Two cards exchanged between two hands, new nonces, new commitments, all sealed again."""
    key, files = sealing.load_key(key_file), unzipped(evening.public)
    name = next(n for n, d in files.items() if b'"parts":{"cards"' in d and b'"kind":"game"' in d[:90])
    lines = [json.loads(line) for line in files[name].splitlines()]
    hands = [line for line in lines[1:] if '"type":"hand_dealt"' in line["envelope"]][:2]
    cards = [json.loads(line["parts"]["cards"]["body"]) for line in hands]
    cards[0][0], cards[1][0] = cards[1][0], cards[0][0]
    for line, held in zip(hands, cards, strict=True):
        part = layout.secret_part("cards", held)
        envelope = json.loads(line["envelope"])
        envelope["commitments"]["cards"] = layout.commitment(part)
        line["envelope"] = json.dumps(envelope, separators=(",", ":"))
        line["parts"]["cards"] = {"nonce": part.nonce.hex(), "body": part.body.decode()}
    files[name] = b"".join(json.dumps(line, separators=(",", ":")).encode() + b"\n" for line in lines)
    data = zipped(listed_again(sealed_again(files, key), key))
    unseen = puur_verify.verify(io.BytesIO(data), None, [evening.key]).differences
    assert "deal 1 was not dealt from the seed" in unseen[0]
    assert all("which it did not have" in one for one in unseen[1:]), "and what was played of it"
    told = puur_verify.verify(io.BytesIO(data), evening.words[-1], [evening.key]).differences
    assert any("it is not the record of the sheet" in one for one in told)


@pytest.mark.slow
def test_every_random_mutation_is_found(puur_verify: ModuleType, evening: Evening, key_file: Path) -> None:
    """PUUR_MUTATIONS=10000 for more; whoever has the key is given away by the words on paper alone."""
    key = sealing.load_key(key_file)
    missed = []
    for mutation in mutations(evening.public, key, seed=1, count=MUTATIONS):
        try:
            report = puur_verify.verify(io.BytesIO(mutation.data), evening.words[-1])
        except puur_verify.Unusable:
            continue
        if not report.differences:
            missed.append(mutation.name)
    assert missed == []


def run(*arguments: str, python: str = sys.executable) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [python, "-I", str(SCRIPT), *arguments], capture_output=True, text=True, timeout=120
    )


def test_the_command_says_by_its_exit_code_how_it_went(evening: Evening, tmp_path: Path) -> None:
    path = tmp_path / "cup.zip"
    path.write_bytes(evening.public)
    fine = run(str(path), "--checkpoint", evening.words[-1], "--key", evening.key)
    assert (fine.returncode, fine.stderr) == (0, "")
    assert fine.stdout.splitlines()[-1] == "result   nothing differs, and this is the record of your sheet."
    files = unzipped(evening.public)
    name = max((n for n in files if n.startswith("streams/")), key=lambda n: len(files[n]))
    path.write_bytes(zipped({**files, name: files[name].replace(b'\\"seat\\":1', b'\\"seat\\":0', 1)}))
    changed = run(str(path))
    assert changed.returncode == 1
    assert f"DIFFERS  {name}: is not what was exported" in changed.stdout
    path.write_bytes(b"no zip")
    for arguments in ([str(path)], [str(tmp_path / "none.zip")], [str(path), "--key", "xyz"]):
        unusable = run(*arguments)
        assert (unusable.returncode, unusable.stdout) == (2, "")
        assert unusable.stderr.startswith("unusable: ")
    assert run("--self-test").returncode == 0
    assert run().returncode == 2


def test_a_file_without_an_end_or_too_large_is_unusable(tmp_path: Path) -> None:
    large = tmp_path / "large.zip"
    with large.open("wb") as file:
        file.truncate(1 << 40)
    for path, why in (("/dev/zero", "is no regular file"), (str(large), "is too large")):
        done = subprocess.run([sys.executable, str(SCRIPT), path], capture_output=True, text=True, timeout=60)
        assert (done.returncode, done.stdout, done.stderr) == (2, "", f"unusable: {path} {why}\n")


def test_the_script_imports_the_standard_library_only() -> None:
    tree = ast.parse(SCRIPT.read_text())
    found = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    found |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert found <= sys.stdlib_module_names
    ast.parse(SCRIPT.read_text(), feature_version=(3, 9))


def test_the_shared_vectors_come_out(puur_verify: ModuleType) -> None:
    """The tests of the browser's verifier read the same file; its deck stands in the documents."""
    vectors = json.loads((SCRIPT.parents[2] / "tests" / "verify" / "vectors.json").read_text())
    for one in vectors["ed25519"]:
        key, message, signature = (bytes.fromhex(one[name]) for name in ("key", "message", "signature"))
        assert puur_verify.is_signed(key, message, signature)
        for at in range(64):
            changed = signature[:at] + bytes([signature[at] ^ 4]) + signature[at + 1 :]
            assert not puur_verify.is_signed(key, message, changed)
    for one in vectors["words"]:
        assert puur_verify.encode_words(bytes.fromhex(one["hash"])) == one["words"].split()
    leaves = [bytes.fromhex(leaf) for leaf in vectors["root"]["leaves"]]
    assert puur_verify.merkle_root(leaves).hex() == vectors["root"]["root"]
    dealing = vectors["dealing"]
    chance = puur_verify.RoundRandomness(bytes.fromhex(dealing["seed"]), dealing["entropy"])
    deck = dealing["deck"]
    assert chance.shuffle_pack("deck", deck["number"], deck["deal"]) == deck["cards"].split()
    for drawn in dealing["forehand"]:
        again = chance.draw_forehand(drawn["number"], drawn["seats"], drawn["partners"])
        assert again == (drawn["cards"], drawn["forehand"], drawn["exchanged"])
