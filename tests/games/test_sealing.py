"""Checkpoints: their contents, their chain, and the key that signs them."""

import hashlib
import stat
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from random import Random

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from games import sealing, store
from games.sealing import SealKey, SealKeyError, checkpoints, keys, merkle, words
from games.sealing.merkle import SealedHead
from games.store import Record

pytestmark = pytest.mark.both

KEY = SealKey(Ed25519PrivateKey.from_private_bytes(bytes(range(32))))


def head(number: int, seq: int = 0) -> SealedHead:
    return SealedHead(f"{number:032x}", "game", seq, hashlib.sha256(bytes([number % 256])).digest())


def add(stream: str, events: int = 1) -> None:
    at = store.read_head(stream)
    store.append(
        stream,
        at,
        [Record("pushed", {"seat": 0})] * events,
        actor="anna",
        command_id=f"c{at.seq}",
        body_hash=bytes(32),
    )


@pytest.fixture
def championship(db: None) -> str:
    stream = store.create_stream("championship").id
    add(stream)
    return stream


@pytest.fixture
def games(championship: str) -> list[str]:
    made = [store.create_stream("game").id for _ in range(3)]
    for stream in made:
        add(stream, 2)
    return made


def test_the_root_is_the_tree_of_rfc_6962() -> None:
    """Five leaves: ((0 1) (2 3)) 4, each under its own sign."""

    def leaf(of: SealedHead) -> bytes:
        fields = [bytes.fromhex(of.stream), b"game", of.seq.to_bytes(8, "big"), of.hash]
        packed = b"".join(len(field).to_bytes(8, "big") + field for field in fields)
        return hashlib.sha256(b"\x00" + packed).digest()

    def node(left: bytes, right: bytes) -> bytes:
        return hashlib.sha256(b"\x01" + left + right).digest()

    a, b, c, d, e = (leaf(head(number)) for number in range(5))
    assert merkle.root(head(number) for number in range(5)) == node(node(node(a, b), node(c, d)), e)
    assert merkle.root([head(0)]) == a
    assert merkle.root([]) == hashlib.sha256(b"").digest()


@given(st.lists(st.integers(0, 50), unique=True, min_size=1), st.randoms())
def test_the_root_knows_no_order_and_misses_no_change(numbers: list[int], random: Random) -> None:
    heads = [head(number) for number in numbers]
    shuffled = list(heads)
    random.shuffle(shuffled)
    root = merkle.root(heads)
    assert merkle.root(shuffled) == root
    assert merkle.root([*heads, head(51)]) != root
    assert merkle.root(heads[1:]) != root
    assert merkle.root([heads[0]._replace(seq=1), *heads[1:]]) != root
    assert merkle.root([heads[0]._replace(kind="round"), *heads[1:]]) != root


def test_an_empty_stream_has_a_place_too() -> None:
    assert merkle.root([head(0, -1)]) != merkle.root([head(0, 0)]) != merkle.root([])


@given(st.binary(min_size=32, max_size=32))
def test_twelve_words_give_back_the_hash(digest: bytes) -> None:
    spoken = words.in_words(digest)
    assert len(spoken) == 12
    bits = 0
    for letter in "".join(spoken):
        consonant = letter in words.CONSONANTS
        bits = bits << (4 if consonant else 2) | (words.CONSONANTS if consonant else words.VOWELS).index(
            letter
        )
    said = bits.to_bytes(24, "big")
    assert said[:22] == digest[:22]
    assert said[22:] == hashlib.sha256(b"puur/words/1" + digest[:22]).digest()[:2]


def test_the_words_are_proquints() -> None:
    """The example of their proposal: 127.0.0.1 is lusab-babad."""
    assert words.in_words(bytes([127, 0, 0, 1]) + bytes(28))[:2] == ("lusab", "babad")


def test_a_checkpoint_covers_every_stream_and_is_signed(championship: str, games: list[str]) -> None:
    made = sealing.seal(championship, games, KEY)
    assert made is not None
    says = made.says
    assert (says.championship, says.number, says.previous) == (championship, 1, "00" * 32)
    assert (says.streams, says.events) == (4, 7)
    assert says.root == merkle.root(sealing.heads_of([championship, *games])).hex()
    assert made.seqs == {championship: 0, **dict.fromkeys(games, 1)}
    assert keys.is_signed(bytes.fromhex(says.key), checkpoints.message(made.body), made.signature)
    assert not keys.is_signed(bytes.fromhex(says.key), checkpoints.message(made.body + b" "), made.signature)
    assert not keys.is_signed(b"short", checkpoints.message(made.body), made.signature)


def test_a_checkpoint_is_dated_before_its_heads_are_read(
    championship: str, games: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """So it covers all that was stored until its date."""
    heads_of, read = checkpoints.heads_of, []

    def late(streams: Iterable[str]) -> list[SealedHead]:
        read.append(timezone.now())
        return heads_of(streams)

    monkeypatch.setattr(checkpoints, "heads_of", late)
    made = sealing.seal(championship, games, KEY)
    assert made is not None
    assert datetime.fromisoformat(made.says.made_at) <= read[0]


def test_nothing_is_sealed_twice_and_each_stands_on_the_last(championship: str, games: list[str]) -> None:
    first = sealing.seal(championship, games, KEY)
    assert sealing.seal(championship, games, KEY) is None
    add(games[0])
    second = sealing.seal(championship, games, KEY)
    assert first is not None
    assert second is not None
    assert (second.says.number, second.says.previous) == (2, first.hash.hex())
    assert sealing.listed(championship) == [first, second]
    assert sealing.listed(championship, since=1) == [second]
    assert sealing.find_latest_checkpoint(championship) == second


def test_a_stream_that_was_sealed_stays_under_the_seal(championship: str, games: list[str]) -> None:
    """Also where the championship does not count it among its own any more."""
    sealing.seal(championship, games, KEY)
    add(championship)
    later = sealing.seal(championship, games[:1], KEY)
    assert later is not None
    assert set(later.seqs) == {championship, *games}


def test_the_database_refuses_a_second_checkpoint_of_a_number(championship: str) -> None:
    made = sealing.seal(championship, [], KEY)
    assert made is not None
    with pytest.raises(IntegrityError), transaction.atomic():
        checkpoints.keep_checkpoint(made, timezone.now())


def test_the_first_checkpoint_after_a_moment_is_found(championship: str) -> None:
    before = timezone.now()
    made = sealing.seal(championship, [], KEY)
    assert sealing.after(championship, before) == made
    assert sealing.after(championship, timezone.now()) is None


def test_a_key_lies_in_a_file_of_its_own_for_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "var" / "seal_key"
    made = keys.make_seal_key(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert keys.load_key(path).public == made.public
    with pytest.raises(SealKeyError) as refused:
        keys.make_seal_key(path)
    assert refused.value.code == "sealing/key_exists"


def test_a_key_that_its_group_can_read_is_taken_as_containers_bring_it(tmp_path: Path) -> None:
    path = tmp_path / "seal_key"
    made = keys.make_seal_key(path)
    path.chmod(0o440)
    assert keys.load_key(path).public == made.public


@pytest.mark.parametrize("mode", [0o620, 0o604, 0o644, 0o660])
def test_a_key_that_others_can_read_is_refused(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "seal_key"
    keys.make_seal_key(path)
    path.chmod(mode)
    with pytest.raises(SealKeyError) as refused:
        keys.load_key(path)
    assert refused.value.code == "sealing/key_readable"


@pytest.mark.parametrize("text", ["", "no hex at all", "00" * 31, "é"])
def test_what_is_no_key_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "seal_key"
    path.touch(0o600)
    path.write_text(text)
    with pytest.raises(SealKeyError) as refused:
        keys.load_key(path)
    assert refused.value.code == "sealing/key_malformed"


def test_the_command_makes_the_key_once(
    tmp_path: Path, settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.SEAL_KEY = tmp_path / "seal_key"
    with pytest.raises(SealKeyError) as refused:
        sealing.load_key_in_use()
    assert refused.value.code == "sealing/no_key"
    call_command("make_seal_key")
    assert sealing.load_key_in_use().public.hex() in capsys.readouterr().out
    with pytest.raises(CommandError, match="already"):
        call_command("make_seal_key")
