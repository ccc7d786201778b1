import hashlib
import json
import re
from pathlib import Path

from games.store import layout

DOCUMENT = Path(__file__).parents[2] / "docs" / "developers" / "log-format.md"


def vector() -> dict[str, str]:
    found = re.search(r"```json\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)
    assert found is not None
    vector: dict[str, str] = json.loads(found.group(1))
    return vector


def prefixed(*fields: bytes) -> bytes:
    return b"".join(len(field).to_bytes(8, "big") + field for field in fields)


def test_the_published_vector_follows_from_the_description_alone() -> None:
    v = vector()
    stream, envelope = bytes.fromhex(v["stream"]), v["envelope"].encode()
    opened = hashlib.sha256(bytes.fromhex(v["nonce"]) + v["part_body"].encode()).hexdigest()
    before = hashlib.sha256(prefixed(b"puur/stream/1", stream, v["kind"].encode())).digest()
    first = hashlib.sha256(prefixed(b"puur/log/1", stream, bytes(8), before, envelope)).hexdigest()
    assert (opened, before.hex(), first) == (v["commitment"], v["hash_before"], v["hash_0"])
    assert json.loads(envelope)["commitments"] == {"cards": opened}


def test_the_store_computes_the_published_vector() -> None:
    v = vector()
    part = layout.Part("cards", bytes.fromhex(v["nonce"]), v["part_body"].encode())
    envelope = layout.write_envelope(
        0,
        "hand_dealt",
        {"seat": 2, "size": 2},
        [part],
        actor="server",
        command_id="deal-1",
        recorded_at="2026-11-20T18:00:00.000000Z",
    )
    assert envelope.decode() == v["envelope"]
    before = layout.genesis(v["stream"], v["kind"])
    assert before.hex() == v["hash_before"]
    assert layout.chain(v["stream"], 0, before, envelope).hex() == v["hash_0"]


def test_each_part_gets_a_fresh_nonce_of_256_bits() -> None:
    parts = [layout.secret_part("cards", ["D6"]) for _ in range(20)]
    assert len({part.nonce for part in parts}) == 20
    assert {len(part.nonce) for part in parts} == {32}
    assert len({layout.commitment(part) for part in parts}) == 20
