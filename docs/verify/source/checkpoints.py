"""Signed checkpoints, and the order of events that follows from them."""

from __future__ import annotations

from .canonical import encode_fields, parse_hex, parse_json, require_fields, sha256
from .ed25519 import is_signed
from .report import Unusable
from .words import encode_words


def merkle_root(leaves):
    """Return the root of the Merkle tree of RFC 6962, section 2.1."""
    if len(leaves) == 1:
        return leaves[0]
    left = 1 << ((len(leaves) - 1).bit_length() - 1)
    return sha256(b"\x01" + merkle_root(leaves[:left]) + merkle_root(leaves[left:]))


def compute_root(streams, heads):
    """Return the root of a checkpoint, from the heads of its streams."""
    leaves = []
    for name in sorted(heads):
        stream, seq = streams.get(name), heads[name]
        if stream is None:
            raise Unusable("the stream %s was sealed and is missing" % name)
        if isinstance(seq, bool) or not isinstance(seq, int) or not -1 <= seq <= stream.last_seq:
            raise Unusable(
                "the %s %s was sealed at event %r and ends at %d" % (stream.kind, name, seq, stream.last_seq)
            )
        leaf = encode_fields(
            bytes.fromhex(name),
            stream.kind.encode(),
            seq.to_bytes(8, "big", signed=True),
            stream.hash_at(seq),
        )
        leaves.append(sha256(b"\x00" + leaf))
    return merkle_root(leaves) if leaves else sha256(b"")


CHECKPOINT_FIELDS = {"championship", "number", "made_at", "previous", "root", "streams", "events", "key"}


def encode_checkpoint(body):
    """Return the bytes that are hashed and signed for a checkpoint."""
    return encode_fields(b"puur/checkpoint/1", body)


def check_checkpoints(export, streams, keys):
    """Check every checkpoint. Return the valid ones by their hash."""
    report, found, previous, before, key = export.report, {}, bytes(32), {}, None
    lines = export.read_lines("checkpoints.jsonl")
    for number, line in enumerate(lines, 1):
        where = "checkpoint %d" % number
        try:
            require_fields(line, {"body", "signature", "heads"})
            body, heads = str(line["body"]).encode(), line["heads"]
            says = require_fields(parse_json(body), CHECKPOINT_FIELDS)
            if not isinstance(heads, dict):
                raise Unusable("its heads cannot be read")
            if not is_signed(
                parse_hex(says["key"], 32), encode_checkpoint(body), parse_hex(line["signature"], 64)
            ):
                raise Unusable("its signature is not right")
            if keys and says["key"] not in keys:
                raise Unusable("it was signed with another key: %s" % says["key"])
            if (says["championship"], says["number"]) != (export.championship, number):
                raise Unusable("it is checkpoint %r of %r" % (says["number"], says["championship"]))
            if says["previous"] != previous.hex():
                raise Unusable("it does not name the checkpoint before it")
            if compute_root(streams, heads).hex() != says["root"]:
                raise Unusable("the events that it sealed are not those of this export")
            if (says["streams"], says["events"]) != (len(heads), sum(seq + 1 for seq in heads.values())):
                raise Unusable("it counts other streams or events")
            if any(heads.get(name, -2) < seq for name, seq in before.items()):
                raise Unusable("a stream has become shorter since the one before")
        except Unusable as error:
            report.add_difference(where, error)
            return found
        if key is not None and says["key"] != key:
            report.notes.append("from checkpoint %d on another key has signed: %s" % (number, says["key"]))
        previous, before, key = sha256(encode_checkpoint(body)), heads, says["key"]
        found[previous] = dict(says, heads=heads)
    export.check_manifest_key(key)
    if not lines:
        report.add_difference("checkpoints.jsonl", "there is no checkpoint: nobody has sealed this record")
        return found
    for name in sorted(streams.keys() | before.keys()):
        if name not in streams or before.get(name) != streams[name].last_seq:
            report.add_difference(
                "checkpoint %d" % len(lines), "it does not cover the stream %s to its end" % name
            )
    report.checked.append(
        "%d checkpoints hang together; the last is of %s, key %s" % (len(lines), says["made_at"], key)
    )
    report.checked.append("its words: %s" % " ".join(encode_words(previous)))
    return found


def order_events(streams, found):
    """Set `at` of each event: the number of the first checkpoint that covers it, then its date.

    If a checkpoint covers only one of two events, that one came first, whatever the dates are. Dates
    order only the events between two checkpoints.
    """
    heads = [says["heads"] for says in found.values()]
    for stream in streams.values():
        covered = [one.get(stream.id, -1) for one in heads]
        for event in stream.events:
            while covered and covered[0] < event["seq"]:
                covered.pop(0)
            event["at"] = (len(heads) - len(covered), event["recorded_at"])
