"""The streams of events: envelopes, hash chain, and opened secret parts."""

from __future__ import annotations

from .canonical import encode_fields, parse_hex, parse_json, require_fields, sha256
from .report import Unusable


class Stream:
    """One stream: its hashes by sequence number (-1: before the first event), and its events."""

    def __init__(self, name, kind):
        self.id = name
        self.kind = kind
        self.hashes = [sha256(encode_fields(b"puur/stream/1", bytes.fromhex(name), kind.encode()))]
        self.events = []
        self.score_books = {}  # number of effective events → ScoreBook, of a game

    @property
    def last_seq(self):
        """The sequence number of the last event, -1 if there is none."""
        return len(self.hashes) - 2

    def hash_at(self, seq):
        """Return the hash of the chain after an event."""
        return self.hashes[seq + 1]


ENVELOPE_FIELDS = {"seq", "type", "body", "actor", "command_id", "recorded_at", "commitments"}


def read_streams(export):
    """Read all streams, and check their hash chains and opened secret parts."""
    report, streams, opened, closed = export.report, {}, 0, 0
    for path in sorted(name for name in export.listed if name.startswith("streams/")):
        try:
            lines = export.read_lines(path)
            head = require_fields(lines[0] if lines else None, {"stream", "kind"})
            if path != "streams/%s.jsonl" % head["stream"] or head["kind"] not in export.stream_kinds:
                raise Unusable("its first line does not name it")
            stream = Stream(head["stream"], head["kind"])
        except Unusable as error:
            report.add_difference(path, error)
            continue
        streams[stream.id] = stream
        for seq, line in enumerate(lines[1:]):
            where = "%s %s, event %d" % (stream.kind, stream.id, seq)
            try:
                event, more, less = read_event(stream, seq, line)
            except Unusable as error:
                report.add_difference(where, error)
                break
            stream.events.append(event)
            opened, closed = opened + more, closed + less
    events = sum(len(stream.events) for stream in streams.values())
    report.checked.append("%d streams with %d events can be read to their end" % (len(streams), events))
    report.checked.append("%d open secret parts match their commitments, %d are closed" % (opened, closed))
    return streams


def read_event(stream, seq, line):
    """Read one event and add its hash to the chain. Return it with its opened and closed parts counted."""
    require_fields(line, {"envelope", "parts"}, {"envelope"})
    try:
        raw = line["envelope"].encode()
    except (AttributeError, UnicodeError):
        raise Unusable("its envelope is no text") from None
    event = require_fields(parse_json(raw), ENVELOPE_FIELDS, ENVELOPE_FIELDS - {"commitments"})
    if event["seq"] != seq or isinstance(event["seq"], bool):
        raise Unusable("it says that it is event %r: one is missing, or they were moved" % (event["seq"],))
    if not isinstance(event["body"], dict) or not isinstance(event["type"], str):
        raise Unusable("its envelope is none")
    stream.hashes.append(
        sha256(
            encode_fields(
                b"puur/log/1", bytes.fromhex(stream.id), seq.to_bytes(8, "big"), stream.hashes[-1], raw
            )
        )
    )
    commitments, values = event.get("commitments", {}), {}
    parts = line.get("parts", {})
    if not isinstance(parts, dict) or not isinstance(commitments, dict):
        raise Unusable("its secrets cannot be read")
    for name, part in parts.items():
        require_fields(part, {"nonce", "body"})
        nonce, body = parse_hex(part["nonce"], 32), str(part["body"]).encode()
        if sha256(nonce + body).hex() != commitments.get(name):
            raise Unusable("the secret part %r does not match its commitment" % name)
        values[name] = parse_json(body)
    event["parts"] = values
    return event, len(values), len(commitments) - len(values)


END_OF_RECORD = (float("inf"), "")
"""A moment after every event."""


def effective_events(stream, moment=END_OF_RECORD):
    """Return the events up to a moment, without those that were taken back."""
    left = []
    for event in stream.events:
        if event["at"] > moment:
            continue
        if event["type"] == "taken_back":
            while left and left[-1]["seq"] >= event["body"]["to"]:
                left.pop()
        else:
            left.append(event)
    return left


def start_body(stream):
    """Return the body of a game's first event, or an empty object if it has none."""
    if stream is None or not stream.events or stream.events[0]["type"] != "game_started":
        return {}
    return stream.events[0]["body"]
