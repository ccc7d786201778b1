"""Exports with one thing changed at random, the same for a seed: what both verifiers have to find.

`PUUR_MUTATIONS=10000 pytest tests/verify -k mutation` has both verifiers look at forgeries of the tests' own
evening, `python -m tests.verify.forge EXPORT.zip --words "…" --count 10000` at those of any other export.

Three hands change something: `outsider` changes a file; `careful` also puts the right digests into the list;
`owner` has the platform's key as well, makes every checkpoint anew and signs everything: only the words on
paper are out of reach.
"""

import hashlib
import io
import json
import random
import zipfile
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from games.sealing import SealKey, checkpoints, merkle
from games.sealing.merkle import SealedHead
from games.store import layout
from tournaments.archive.series_file import SERIES_FORMAT
from tournaments.archive.writing import FORMAT, signed_message

Files = dict[str, bytes]
HANDS = ("outsider", "careful", "owner")


class Mutation(NamedTuple):
    """A changed export. `name`: who changed it, in which way and where."""

    name: str
    data: bytes


class Nothing(Exception):
    """This place cannot be changed in this way."""


def unzipped(data: bytes) -> Files:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def zipped(files: Files) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def mutations(export: bytes, key: SealKey, seed: int, count: int) -> Iterator[Mutation]:
    """So many exports, each with one change."""
    files, chance = unzipped(export), random.Random(seed)
    made = 0
    while made < count:
        hand, kind = chance.choice(HANDS), chance.choice(sorted(KINDS))
        try:
            name, changed = KINDS[kind](files, chance, hand == "owner")
        except Nothing:
            continue
        if changed == files:
            continue
        if hand == "owner":
            changed = sealed_again(changed, key)
        if hand != "outsider":
            changed = listed_again(changed, key if hand == "owner" else None)
        if changed == files:
            continue
        made += 1
        yield Mutation(f"{hand} {kind} {name}", zipped(changed))


# --- what can be done to an export


def _pick(files: Files, chance: random.Random, log_only: bool) -> tuple[str, list[bytes]]:
    """A file, larger ones more often, and its lines."""
    names = [n for n in files if n.startswith("streams/") or not (log_only or n.startswith("manifest."))]
    name = chance.choices(names, [len(files[n]) ** 0.5 for n in names])[0]
    return name, files[name].splitlines(keepends=True)


def _with(files: Files, name: str, lines: list[bytes]) -> Files:
    return {**files, name: b"".join(lines)}


def change_field(files: Files, chance: random.Random, log_only: bool) -> tuple[str, Files]:
    """One field of one record, at whatever depth; an envelope is opened and closed again."""
    name, lines = _pick(files, chance, log_only)
    at = chance.randrange(len(lines))
    record = json.loads(lines[at])
    if at and name.startswith("streams/") and chance.random() < 0.7:
        envelope = json.loads(record["envelope"])
        where = _change(envelope, chance)
        record["envelope"] = json.dumps(envelope, separators=(",", ":"), ensure_ascii=False)
    else:
        where = _change(record, chance)
        if record.get("parts") == {} and '"seed_committed"' in str(record.get("envelope")):
            raise Nothing  # a secret left out takes nothing away where the log reveals it later
    lines[at] = json.dumps(record, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
    return f"{name}:{at}{where}", _with(files, name, lines)


def _change(value: Any, chance: random.Random) -> str:
    """Change something inside an object or a list; the path to it."""
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    if not keys:
        raise Nothing
    key = chance.choice(keys)
    inner = value[key]
    if isinstance(inner, dict | list) and inner and chance.random() < 0.8:
        return f".{key}{_change(inner, chance)}"
    if isinstance(value, dict) and chance.random() < 0.1:
        value[f"{key}x"] = value.pop(key)
        return f".{key} renamed"
    value[key] = _other(inner, chance)
    return f".{key}"


def _other(value: Any, chance: random.Random) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + chance.choice((-1, 1, 10))
    if isinstance(value, str) and value:
        at = chance.randrange(len(value))
        letter = chance.choice([c for c in "0123456789abcdefDHSC" if c != value[at]])
        return value[:at] + letter + value[at + 1 :]
    others: tuple[object, ...] = (0, 1, "x", None, [], {})
    return chance.choice([other for other in others if other != value])


def flip_byte(files: Files, chance: random.Random, log_only: bool) -> tuple[str, Files]:
    if log_only:
        raise Nothing  # the platform writes what it signs as JSON
    name = chance.choice(sorted(files))
    data = bytearray(files[name])
    at = chance.randrange(len(data))
    data[at] ^= 1 << chance.randrange(8)
    return f"{name} byte {at}", {**files, name: bytes(data)}


def drop_line(files: Files, chance: random.Random, log_only: bool) -> tuple[str, Files]:
    name, lines = _pick(files, chance, log_only)
    at = chance.randrange(len(lines))
    return f"{name}:{at}", _with(files, name, [*lines[:at], *_numbered(name, lines[at + 1 :], at, chance)])


def swap_lines(files: Files, chance: random.Random, log_only: bool) -> tuple[str, Files]:
    name, lines = _pick(files, chance, log_only)
    if len(lines) < 3:
        raise Nothing
    one, other = sorted(chance.sample(range(1, len(lines)), 2))
    lines[one], lines[other] = lines[other], lines[one]
    if chance.random() < 0.5:
        lines[1:] = _numbered(name, lines[1:], 1, chance, always=True)
    return f"{name}:{one},{other}", _with(files, name, lines)


def insert_line(files: Files, chance: random.Random, log_only: bool) -> tuple[str, Files]:
    """A line of this or another stream, once more."""
    name, lines = _pick(files, chance, log_only)
    _, others = _pick(files, chance, log_only)
    at = chance.randrange(1, len(lines) + 1)
    inserted = [chance.choice(others if len(others) > 1 else lines), *lines[at:]]
    return f"{name}:{at}", _with(files, name, [*lines[:at], *_numbered(name, inserted, at, chance)])


def truncate(files: Files, chance: random.Random, log_only: bool) -> tuple[str, Files]:
    name, lines = _pick(files, chance, log_only)
    left = chance.randrange(len(lines))
    return f"{name}:{left}", _with(files, name, lines[:left])


def fork(files: Files, chance: random.Random, log_only: bool) -> tuple[str, Files]:
    """From some event on a stream goes on like another one, with numbers that fit."""
    streams = [n for n in sorted(files) if n.startswith("streams/") and files[n].count(b"\n") > 3]
    name, other = chance.sample(streams, 2)
    lines, others = files[name].splitlines(keepends=True), files[other].splitlines(keepends=True)
    at = chance.randrange(1, min(len(lines), len(others)))
    return f"{name}:{at} as {other}", _with(files, name, [*lines[:at], *others[at:]])


def lose_file(files: Files, chance: random.Random, log_only: bool) -> tuple[str, Files]:
    # Names may be taken away: that is no change of the record.
    names = [n for n in sorted(files) if n.startswith("streams/") or not (log_only or n == "names.json")]
    name = chance.choice(names)
    return name, {n: data for n, data in files.items() if n != name}


def exchange_files(files: Files, chance: random.Random, log_only: bool) -> tuple[str, Files]:
    one, other = chance.sample([n for n in sorted(files) if n.startswith("streams/")], 2)
    return f"{one} {other}", {**files, one: files[other], other: files[one]}


def add_stream(files: Files, chance: random.Random, log_only: bool) -> tuple[str, Files]:
    """One more stream, a copy of another under a name of its own."""
    old = chance.choice([n for n in sorted(files) if n.startswith("streams/")])
    stream = f"{chance.getrandbits(128):032x}"
    first, rest = files[old].split(b"\n", 1)
    head = {**json.loads(first), "stream": stream}
    name = f"streams/{stream}.jsonl"
    return name, {**files, name: json.dumps(head, separators=(",", ":")).encode() + b"\n" + rest}


KINDS: dict[str, Callable[[Files, random.Random, bool], tuple[str, Files]]] = {
    "change": change_field,
    "change more": change_field,
    "flip": flip_byte,
    "drop": drop_line,
    "swap": swap_lines,
    "insert": insert_line,
    "truncate": truncate,
    "fork": fork,
    "lose": lose_file,
    "exchange": exchange_files,
    "add": add_stream,
}


def _numbered(
    name: str, lines: list[bytes], first: int, chance: random.Random, *, always: bool = False
) -> list[bytes]:
    """Events numbered so that none seems to be missing; now and then they are left as they are."""
    if not name.startswith("streams/") or first == 0 or (not always and chance.random() < 0.3):
        return lines
    found = []
    for seq, line in enumerate(lines, first - 1):
        record = json.loads(line)
        if "envelope" in record:
            envelope = {**json.loads(record["envelope"]), "seq": seq}
            record["envelope"] = json.dumps(envelope, separators=(",", ":"), ensure_ascii=False)
        found.append(json.dumps(record, separators=(",", ":"), ensure_ascii=False).encode() + b"\n")
    return found


# --- what somebody does to hide it


def listed_again(files: Files, key: SealKey | None) -> Files:
    """The list of the export made to fit, and signed where the key is at hand."""
    if "manifest.json" not in files:
        return files
    try:
        manifest = json.loads(files["manifest.json"])
        manifest["files"] = {
            name: {"size": len(d), "sha256": hashlib.sha256(d).hexdigest(), "personal": name == "names.json"}
            for name, d in files.items()
            if not name.startswith("manifest.")
        }
    except (ValueError, TypeError):
        return files
    data = json.dumps(manifest, separators=(",", ":")).encode()
    format_ = SERIES_FORMAT if manifest.get("format") == SERIES_FORMAT else FORMAT
    signed = (
        {"manifest.sig": key.sign(signed_message(data, format_)).hex().encode()} if key is not None else {}
    )
    return {**files, "manifest.json": data, **signed}


def sealed_again(files: Files, key: SealKey) -> Files:
    """Every checkpoint made anew over the streams as they are now, as far as they can be read."""
    chains: dict[str, tuple[str, list[bytes]]] = {}
    for name, data in files.items():
        if name.startswith("streams/"):
            try:
                lines = [json.loads(line) for line in data.splitlines()]
                stream, kind = lines[0]["stream"], lines[0]["kind"]
                hashes = [layout.genesis(stream, kind)]
                for seq, line in enumerate(lines[1:]):
                    hashes.append(layout.chain(stream, seq, hashes[-1], line["envelope"].encode()))
                chains[stream] = (kind, hashes)
            except (ValueError, TypeError, KeyError, IndexError, AttributeError):
                continue
    previous, made = checkpoints.NO_CHECKPOINT, []
    rows = files.get("checkpoints.jsonl", b"").splitlines()
    for row in rows:
        line = json.loads(row)
        heads = {s: min(seq, len(chains[s][1]) - 2) for s, seq in line["heads"].items() if s in chains}
        if row is rows[-1]:
            heads = {s: len(hashes) - 2 for s, (_, hashes) in sorted(chains.items())}
        sealed = [SealedHead(s, chains[s][0], seq, chains[s][1][seq + 1]) for s, seq in heads.items()]
        says = {
            **json.loads(line["body"]),
            "previous": previous.hex(),
            "root": merkle.root(sealed).hex(),
            "streams": len(sealed),
            "events": sum(head.seq + 1 for head in sealed),
        }
        body = json.dumps(says, separators=(",", ":")).encode()
        signature = key.sign(checkpoints.message(body)).hex()
        made.append({"body": body.decode(), "signature": signature, "heads": heads})
        previous = hashlib.sha256(checkpoints.message(body)).digest()
    data = b"".join(json.dumps(line, separators=(",", ":")).encode() + b"\n" for line in made)
    return {**files, "checkpoints.jsonl": data}
