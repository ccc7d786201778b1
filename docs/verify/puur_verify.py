#!/usr/bin/env python3
"""Verify an exported championship of Puur without Puur: one file, the standard library, Python 3.9 or newer.

    python3 puur_verify.py EXPORT.zip
    python3 puur_verify.py EXPORT.zip --checkpoint "lusab babad gutih ..."     the twelve words on your sheet
    python3 puur_verify.py EXPORT.zip --checkpoint "https://.../#lusab-babad-..."     what its QR code says
    python3 puur_verify.py EXPORT.zip --checkpoint saved.json     a checkpoint saved from the platform
    python3 puur_verify.py EXPORT.zip --key 64-HEX-CHARACTERS     the public key you were given

Exit code 0: nothing differs. 1: something differs, and the report names it. 2: the file or the words cannot
be used. What is checked, and what follows from it, stands in README.md beside this file; the formats are
described in the developers' pages log-format.md, sealing.md, export-format.md, dealing.md and seats.md.
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import hmac
import itertools
import json
import os
import re
import sys
import zipfile
import zlib

FORMAT = "puur/export/1"
LONGEST_FILE = 64 * 1024 * 1024
MOST_BYTES = 2 * 1024 * 1024 * 1024
NAME = re.compile(
    r"streams/[0-9a-f]{32}\.jsonl|(championship|names)\.json|(checkpoints|receipts)\.jsonl|manifest\.(json|sig)"
)
KINDS = ("game", "round", "championship")
DRAW_STEP = 10000


class Unusable(Exception):
    """The file, the words or the key cannot be read as what they should be."""


class Report:
    """What was checked, what differs, and what else is worth knowing."""

    def __init__(self):
        self.checked = []
        self.differences = []
        self.notes = []

    def differs(self, where, what):
        self.differences.append("%s: %s" % (where, what))


# --- bytes and numbers


def prefixed(*fields):
    """Every field with its length before it, as 8 bytes."""
    return b"".join(len(field).to_bytes(8, "big") + field for field in fields)


def sha256(data):
    return hashlib.sha256(data).digest()


def unhex(text, size=None):
    if not isinstance(text, str) or not re.fullmatch(r"([0-9a-f]{2})*", text):
        raise Unusable("not lowercase hex: %.40r" % (text,))
    data = bytes.fromhex(text)
    if size is not None and len(data) != size:
        raise Unusable("%d bytes instead of %d" % (len(data), size))
    return data


def unjson(data):
    """JSON in which no key stands twice."""

    def no_doubles(pairs):
        found = dict(pairs)
        if len(found) != len(pairs):
            raise Unusable("a key stands twice")
        return found

    try:
        return json.loads(data, object_pairs_hook=no_doubles)
    except (ValueError, RecursionError):
        raise Unusable("not JSON: %.40r" % (data,)) from None


def compact(value):
    """JSON with sorted keys and no spaces."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


# --- Ed25519 (RFC 8032), verification only

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT_OF_MINUS_ONE = pow(2, (P - 1) // 4, P)


def _recover_x(y, sign):
    if y >= P:
        return None
    x2 = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    if x2 == 0:
        return None if sign else 0
    x = pow(x2, (P + 3) // 8, P)
    if (x * x - x2) % P:
        x = x * ROOT_OF_MINUS_ONE % P
    if (x * x - x2) % P:
        return None
    return P - x if x & 1 != sign else x


def _point(encoded):
    y = int.from_bytes(encoded, "little")
    sign, y = y >> 255, y & ((1 << 255) - 1)
    x = _recover_x(y, sign)
    return None if x is None else (x, y, 1, x * y % P)


def _add(p, q):
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % P, (p[1] + p[0]) * (q[1] + q[0]) % P
    c, d = 2 * p[3] * q[3] * D % P, 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def _times(scalar, point):
    result = (0, 1, 1, 0)
    while scalar:
        if scalar & 1:
            result = _add(result, point)
        point = _add(point, point)
        scalar >>= 1
    return result


def _same(p, q):
    return (p[0] * q[2] - q[0] * p[2]) % P == 0 and (p[1] * q[2] - q[1] * p[2]) % P == 0


_BASE_Y = 4 * pow(5, P - 2, P) % P
_BASE_X = _recover_x(_BASE_Y, 0)
BASE = (_BASE_X, _BASE_Y, 1, _BASE_X * _BASE_Y % P)


def is_signed(public, message, signature):
    """Whether the holder of the public key (32 bytes) has signed the message (signature: 64 bytes)."""
    if len(public) != 32 or len(signature) != 64:
        return False
    key, r = _point(public), _point(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if key is None or r is None or s >= L:
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + public + message).digest(), "little") % L
    return _same(_times(s, BASE), _add(r, _times(k, key)))


RFC_8032 = (  # section 7.1, tests 1 to 3: public key, message, signature
    (
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b"
        "d25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c"
        "387b2eaeb4302aeeb00d291612bb0c00",
    ),
    (
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc659"
        "4a7c15e9716ed28dc027beceea1ec40a",
    ),
)


def self_test():
    """The vectors of the RFC, and each of them with one bit changed. Raises AssertionError."""
    for public, message, signature in RFC_8032:
        key, text, signed = (bytes.fromhex(field) for field in (public, message, signature))
        wrong = bytes([signed[0] ^ 1]) + signed[1:]
        if (
            not is_signed(key, text, signed)
            or is_signed(key, text + b"x", signed)
            or is_signed(key, text, wrong)
        ):
            raise AssertionError("this Python computes Ed25519 wrongly")


# --- words

CONSONANTS, VOWELS = "bdfghjklmnprstvz", "aiou"
WORD = re.compile("[%s][%s][%s][%s][%s]" % (CONSONANTS, VOWELS, CONSONANTS, VOWELS, CONSONANTS))


def in_words(digest):
    """The twelve words of a checkpoint's hash."""
    kept = digest[:22]
    whole = kept + sha256(b"puur/words/1" + kept)[:2]
    words = []
    for at in range(0, 24, 2):
        bits = int.from_bytes(whole[at : at + 2], "big")
        letters = (
            (CONSONANTS, 12, 15),
            (VOWELS, 10, 3),
            (CONSONANTS, 6, 15),
            (VOWELS, 4, 3),
            (CONSONANTS, 0, 15),
        )
        words.append("".join(table[bits >> shift & mask] for table, shift, mask in letters))
    return words


def from_words(text):
    """The twelve words of a sheet or of the address in its QR code. Raises Unusable where one is mistyped."""
    words = re.findall("[a-z]+", text.rpartition("#")[2].lower())
    if len(words) != 12:
        raise Unusable("a checkpoint has 12 words; here are %d" % len(words))
    bits = 0
    for place, word in enumerate(words, 1):
        if not WORD.fullmatch(word):
            raise Unusable("word %d, %r, is none of a checkpoint's: look again" % (place, word))
        for letter in word:
            letters = CONSONANTS if letter in CONSONANTS else VOWELS
            bits = bits * len(letters) + letters.index(letter)
    if in_words(bits.to_bytes(24, "big")) != words:
        raise Unusable("one of the words is mistyped: they do not fit together")
    return words


# --- the file


class Export:
    """The zip: bounded, and every file what the manifest says."""

    def __init__(self, file, report):
        self.report = report
        try:
            self.zip = zipfile.ZipFile(file)
            self.infos = {info.filename: info for info in self.zip.infolist()}
            doubles = len(self.zip.infolist()) - len(self.infos)
        except (zipfile.BadZipFile, OSError, ValueError, RuntimeError):
            raise Unusable("this is no zip file") from None
        if sum(info.file_size for info in self.infos.values()) > MOST_BYTES:
            raise Unusable("the file is too large when it is unpacked")
        strange = [name for name in self.infos if not NAME.fullmatch(name)]
        if strange or doubles:
            raise Unusable("there are files that no export has: %.80r" % (strange,))
        self.raw_manifest = self.unpacked("manifest.json")
        self.manifest = fields(
            unjson(self.raw_manifest),
            {"format", "level", "championship", "slug", "exported_at", "key", "files"},
        )
        if self.manifest["format"] != FORMAT:
            raise Unusable("this is not the export of a championship (%s)" % FORMAT)
        self.listed = self.manifest["files"]
        self.championship = self.manifest["championship"]
        unhex(self.championship, 16)

    def unpacked(self, name):
        if name not in self.infos:
            raise Unusable("%s is missing" % name)
        try:
            with self.zip.open(self.infos[name]) as file:
                data = file.read(LONGEST_FILE + 1)
        except (zipfile.BadZipFile, OSError, EOFError, ValueError, RuntimeError, zlib.error):
            raise Unusable("%s cannot be unpacked" % name) from None
        if len(data) > LONGEST_FILE:
            raise Unusable("%s is too large" % name)
        return data

    def check_manifest(self, keys):
        for name in sorted(self.listed.keys() | self.infos.keys() - {"manifest.json", "manifest.sig"}):
            entry = self.listed.get(name)
            if entry is None:
                self.report.differs(name, "is not in the list of the export")
            elif name in self.infos:
                fields(entry, {"size", "sha256", "personal"})
                data = self.unpacked(name)
                if (len(data), sha256(data).hex()) != (entry["size"], entry["sha256"]):
                    self.report.differs(name, "is not what was exported")
            elif entry.get("personal") is True:
                self.report.notes.append("%s was taken away: names can be erased" % name)
            else:
                self.report.differs(name, "is missing")
        key = unhex(self.manifest["key"])
        signature = self.unpacked("manifest.sig").decode("ascii", "replace").strip()
        if not key and not signature:
            self.report.notes.append("the export is not signed: the platform had no key")
        elif not is_signed(key, prefixed(FORMAT.encode(), self.raw_manifest), unhex(signature)):
            self.report.differs("manifest.json", "its signature is not right")
        if keys and self.manifest["key"] not in keys:
            self.report.differs("manifest.json", "was signed with another key: %s" % self.manifest["key"])
        self.report.checked.append("%d files are what the signed list says" % len(self.listed))

    def rows(self, table):
        """The rows of a table beside the log."""
        found = next(iter(self.lines("championship.json")), None)
        return found.get(table, []) if isinstance(found, dict) else []

    def lines(self, name):
        *lines, rest = self.unpacked(name).split(b"\n") if name in self.infos else [b""]
        if rest:
            raise Unusable("%s is cut off" % name)
        return [unjson(line) for line in lines]


def fields(value, allowed, needed=None):
    """The object, if it has just these keys. Raises Unusable."""
    if not isinstance(value, dict) or not value.keys() <= set(allowed):
        raise Unusable("an object has other fields than it may: %.60r" % (value,))
    if missing := set(allowed if needed is None else needed) - value.keys():
        raise Unusable("an object lacks %s" % ", ".join(sorted(missing)))
    return value


# --- streams


class Stream:
    """One stream: its hashes by seq (-1: before the first event), and its events with their opened parts."""

    def __init__(self, name, kind):
        self.id = name
        self.kind = kind
        self.hashes = [sha256(prefixed(b"puur/stream/1", bytes.fromhex(name), kind.encode()))]
        self.events = []

    @property
    def end(self):
        return len(self.hashes) - 2

    def hash_at(self, seq):
        return self.hashes[seq + 1]


ENVELOPE = {"seq", "type", "body", "actor", "command_id", "recorded_at", "commitments"}


def read_streams(export):
    report, streams, opened, closed = export.report, {}, 0, 0
    for path in sorted(name for name in export.listed if name.startswith("streams/")):
        try:
            lines = export.lines(path)
            head = fields(lines[0] if lines else None, {"stream", "kind"})
            if path != "streams/%s.jsonl" % head["stream"] or head["kind"] not in KINDS:
                raise Unusable("its first line does not name it")
            stream = Stream(head["stream"], head["kind"])
        except Unusable as error:
            report.differs(path, error)
            continue
        streams[stream.id] = stream
        for seq, line in enumerate(lines[1:]):
            where = "%s %s, event %d" % (stream.kind, stream.id, seq)
            try:
                event, more, less = read_event(stream, seq, line)
            except Unusable as error:
                report.differs(where, error)
                break
            stream.events.append(event)
            opened, closed = opened + more, closed + less
    events = sum(len(stream.events) for stream in streams.values())
    report.checked.append("%d streams with %d events can be read to their end" % (len(streams), events))
    report.checked.append("%d opened secrets are what was committed to, %d are closed" % (opened, closed))
    return streams


def read_event(stream, seq, line):
    fields(line, {"envelope", "parts"}, {"envelope"})
    try:
        raw = line["envelope"].encode()
    except (AttributeError, UnicodeError):
        raise Unusable("its envelope is no text") from None
    event = fields(unjson(raw), ENVELOPE, ENVELOPE - {"commitments"})
    if event["seq"] != seq or isinstance(event["seq"], bool):
        raise Unusable("it says that it is event %r: one is missing, or they were moved" % (event["seq"],))
    if not isinstance(event["body"], dict) or not isinstance(event["type"], str):
        raise Unusable("its envelope is none")
    stream.hashes.append(
        sha256(
            prefixed(b"puur/log/1", bytes.fromhex(stream.id), seq.to_bytes(8, "big"), stream.hashes[-1], raw)
        )
    )
    commitments, values = event.get("commitments", {}), {}
    parts = line.get("parts", {})
    if not isinstance(parts, dict) or not isinstance(commitments, dict):
        raise Unusable("its secrets cannot be read")
    for name, part in parts.items():
        fields(part, {"nonce", "body"})
        nonce, body = unhex(part["nonce"], 32), str(part["body"]).encode()
        if sha256(nonce + body).hex() != commitments.get(name):
            raise Unusable("the secret %s is not what was committed to" % name)
        values[name] = unjson(body)
    event["parts"] = values
    return event, len(values), len(commitments) - len(values)


# --- checkpoints


def merkle_root(leaves):
    """The tree of RFC 6962, section 2.1."""
    if len(leaves) == 1:
        return leaves[0]
    left = 1 << ((len(leaves) - 1).bit_length() - 1)
    return sha256(b"\x01" + merkle_root(leaves[:left]) + merkle_root(leaves[left:]))


def root_of(streams, heads):
    leaves = []
    for name in sorted(heads):
        stream, seq = streams.get(name), heads[name]
        if stream is None:
            raise Unusable("the stream %s was sealed and is not there" % name)
        if isinstance(seq, bool) or not isinstance(seq, int) or not -1 <= seq <= stream.end:
            raise Unusable(
                "the %s %s was sealed at event %r and ends at %d" % (stream.kind, name, seq, stream.end)
            )
        leaf = prefixed(
            bytes.fromhex(name),
            stream.kind.encode(),
            seq.to_bytes(8, "big", signed=True),
            stream.hash_at(seq),
        )
        leaves.append(sha256(b"\x00" + leaf))
    return merkle_root(leaves) if leaves else sha256(b"")


CHECKPOINT = {"championship", "number", "made_at", "previous", "root", "streams", "events", "key"}


def message_of(body):
    return prefixed(b"puur/checkpoint/1", body)


def check_checkpoints(export, streams, keys):
    """The checkpoints by their hash."""
    report, found, previous, before, key = export.report, {}, bytes(32), {}, None
    lines = export.lines("checkpoints.jsonl")
    for number, line in enumerate(lines, 1):
        where = "checkpoint %d" % number
        try:
            fields(line, {"body", "signature", "heads"})
            body, heads = str(line["body"]).encode(), line["heads"]
            says = fields(unjson(body), CHECKPOINT)
            if not isinstance(heads, dict):
                raise Unusable("its heads cannot be read")
            if not is_signed(unhex(says["key"], 32), message_of(body), unhex(line["signature"], 64)):
                raise Unusable("its signature is not right")
            if keys and says["key"] not in keys:
                raise Unusable("it was signed with another key: %s" % says["key"])
            if (says["championship"], says["number"]) != (export.championship, number):
                raise Unusable("it is checkpoint %r of %r" % (says["number"], says["championship"]))
            if says["previous"] != previous.hex():
                raise Unusable("it does not stand on the one before")
            if root_of(streams, heads).hex() != says["root"]:
                raise Unusable("what was sealed then is not what stands here now")
            if (says["streams"], says["events"]) != (len(heads), sum(seq + 1 for seq in heads.values())):
                raise Unusable("it counts other streams or events")
            if any(heads.get(name, -2) < seq for name, seq in before.items()):
                raise Unusable("a stream has become shorter since the one before")
        except Unusable as error:
            report.differs(where, error)
            return found
        if key is not None and says["key"] != key:
            report.notes.append("from checkpoint %d on another key has signed: %s" % (number, says["key"]))
        previous, before, key = sha256(message_of(body)), heads, says["key"]
        found[previous] = says
    if not lines:
        report.differs("checkpoints.jsonl", "there is no checkpoint: nobody has sealed this record")
        return found
    for name in sorted(streams.keys() | before.keys()):
        if name not in streams or before.get(name) != streams[name].end:
            report.differs("checkpoint %d" % len(lines), "it does not cover the stream %s to its end" % name)
    report.checked.append(
        "%d checkpoints hang together; the last is of %s, key %s" % (len(lines), says["made_at"], key)
    )
    report.checked.append("its words: %s" % " ".join(in_words(previous)))
    return found


def check_witness(report, witness, found):
    """What somebody has on paper or has saved is among the checkpoints of the file."""
    if os.path.isfile(witness):
        with open(witness, "rb") as file:
            saved = unjson(file.read(LONGEST_FILE))
        saved = saved.get("checkpoints", [saved]) if isinstance(saved, dict) else saved
        for one in saved:
            body = one.get("body") if isinstance(one, dict) else None
            if not isinstance(body, str):
                raise Unusable("%s holds no checkpoint" % witness)
            if sha256(message_of(body.encode())) not in found:
                report.differs(witness, "this checkpoint is not among those of the export: %s" % body)
        report.checked.append("%d saved checkpoints compared" % len(saved))
        return
    words = from_words(witness)
    for digest, says in found.items():
        if in_words(digest) == words:
            report.checked.append(
                "your words are those of checkpoint %d, %s" % (says["number"], says["made_at"])
            )
            return
    report.differs("your words", "no checkpoint of this export has them: it is not the record of the sheet")


# --- cards

DECK = [suit + rank for suit in "DHSC" for rank in ("6", "7", "8", "9", "10", "J", "Q", "K", "A")]


class Chance:
    """The numbers of one round: seed, and the chance added from outside."""

    def __init__(self, seed, entropy):
        self.seed = seed
        self.mixed = sha256(prefixed(*(text.encode() for text in entropy)))

    def bytes(self, purpose, number, deal):
        context = prefixed(
            b"puur/draw/1", purpose.encode(), self.mixed, number.to_bytes(8, "big"), deal.to_bytes(8, "big")
        )
        block = 0
        while True:
            yield from hmac.new(self.seed, context + prefixed(block.to_bytes(8, "big")), "sha256").digest()
            block += 1

    def packs(self, purpose, number, deal=0):
        """Shuffled packs, one after the other."""
        stream = self.bytes(purpose, number, deal)
        while True:
            pack = list(DECK)
            for i in range(35, 0, -1):
                limit = 256 - 256 % (i + 1)
                j = next(byte for byte in stream if byte < limit) % (i + 1)
                pack[i], pack[j] = pack[j], pack[i]
            yield pack

    def pack(self, purpose, number, deal):
        return next(self.packs(purpose, number, deal))

    def forehand(self, number, seats, partners):
        """Rounds of drawn cards by seat; who is forehand; whether his opponents change chairs."""
        drawing, rounds, packs = list(range(seats)), [], self.packs("forehand", number)
        while len(drawing) > 1:
            ranks = self.drawn(drawing, seats, rounds, packs)
            drawing = [seat for seat in drawing if ranks[seat] == min(ranks.values())]
        [forehand] = drawing
        if not partners or seats != 4:
            return rounds, forehand, None
        opponents = [(forehand - 1) % seats, (forehand + 1) % seats]
        shared = [row for row in rounds if all(row[seat] is not None for seat in opponents)]
        before, after = (DECK.index(shared[-1][seat]) % 9 for seat in opponents)
        while before == after:
            ranks = self.drawn(opponents, seats, rounds, packs)
            before, after = (ranks[seat] for seat in opponents)
        return rounds, forehand, after > before

    def drawn(self, drawing, seats, rounds, packs):
        """One round of drawing, added to the rounds: the ranks by seat."""
        cards = dict(zip(drawing, next(packs)))
        rounds.append([cards.get(seat) for seat in range(seats)])
        return {seat: DECK.index(card) % 9 for seat, card in cards.items()}


def check_rounds(export, streams):
    """Every round whose seed is revealed: commitment, draws, and every deck."""
    report = export.report
    counts = {"rounds": 0, "deals": 0, "draws": 0}
    for stream in streams.values():
        if stream.kind == "round" and any(event["type"] == "seed_revealed" for event in stream.events):
            try:
                check_round(stream, streams, report, counts)
            except (Unusable, KeyError, IndexError, TypeError, ValueError, OverflowError) as error:
                report.differs("round %s" % stream.id, "its draw cannot be followed: %r" % (error,))
    report.checked.append(
        "%(rounds)d rounds are revealed: %(deals)d deals dealt again, %(draws)d draws used their seed"
        % counts
    )


def check_round(stream, streams, report, counts):
    where = "round %s" % stream.id
    counts["rounds"] += 1
    committed = [event for event in stream.events if event["type"] == "seed_committed"]
    [revealed] = [event["body"] for event in stream.events if event["type"] == "seed_revealed"]
    opened = sha256(unhex(revealed["nonce"], 32) + compact(revealed["seed"])).hex()
    if len(committed) != 1 or committed[0]["commitments"].get("seed") != opened:
        report.differs(where, "the revealed seed is not the one that was committed to")
        return
    seed, entropy = unhex(revealed["seed"], 32), []
    tables, games, begun, draw = {}, set(), False, 0
    for event in stream.events:
        kind, body = event["type"], event["body"]
        if event["seq"] < committed[0]["seq"]:
            report.differs(where, "something happened before the seed was committed to")
        if kind == "entropy_added":
            entropy.append(body["entropy"])
            if begun:
                report.differs(where, "chance was added after cards had been dealt")
        elif kind == "seats_drawn":
            draw = body["draw"]
            counts["draws"] += 1
            stream_of_bytes = Chance(seed, entropy).bytes("pairing", draw, 0)
            if body["seed"] and body["seed"] != bytes(next(stream_of_bytes) for _ in range(32)).hex():
                report.differs(where, "draw %d did not use the seed of the round" % draw)
        elif kind == "forehand_drawn":
            begun = True
            counts["draws"] += 1
            cards = [list(row) for row in body["cards"]]
            seats = len(cards[0])
            partners = body["exchanged"] is not None
            rounds, forehand, exchanged = Chance(seed, entropy).forehand(body["number"], seats, partners)
            told = cards, body["dealer"], body["exchanged"]
            if told != (rounds, (forehand - 1) % seats, exchanged):
                report.differs(where, "forehand of table %d was not drawn from the seed" % body["number"])
            tables[body["game"]] = body["number"]
        elif kind == "round_opened":
            begun = True
            games.update(body["games"])
            for place, (game, mode) in enumerate(zip(body["games"], body["modes"]), 1):
                number = max(draw - 1, 0) * DRAW_STEP + place
                if mode == "dealt" and tables.setdefault(game, number) != number:
                    report.differs(where, "table %d was dealt the cards of another one" % place)
    for game in sorted(games | tables.keys()):
        if game not in streams:
            report.differs(where, "the game %s is missing" % game)
        elif any(
            event.get("commitments", {}).keys() != event["parts"].keys() for event in streams[game].events
        ):
            report.differs("game %s" % game, "secrets are closed though the seed is revealed")
    chance = Chance(seed, entropy)
    for game, number in sorted(tables.items()):
        if game not in streams:
            continue
        for deal in deals_of(streams[game]):
            counts["deals"] += 1
            if not follows(deal, chance, number):
                report.differs("game %s" % game, "deal %d was not dealt from the seed" % deal["deal"])


LAID_OUT = ("hand_dealt", "table_dealt", "extra_dealt", "talon_dealt", "trump_turned", "contract_set")


def deals_of(stream):
    """What was laid out in each deal: cards by seat, what was left over, what was turned."""
    deal, seats = None, 0
    for event in stream.events:
        kind, body, parts = event["type"], event["body"], event["parts"]
        if kind == "game_started":
            seats = body["seats"]
        elif kind == "deal_started":
            if deal is not None:
                yield deal
            deal = dict(body, seats=seats, shares=[[] for _ in range(seats)], left=[], turned=None, open=True)
        elif deal is not None and kind in LAID_OUT and not deal.get("over"):
            if any(name not in parts for name in event.get("commitments", {})):
                raise Unusable(
                    "deal %d of game %s is closed though the seed is revealed" % (deal["deal"], stream.id)
                )
            if kind == "talon_dealt":
                deal["left"] += [*body["open"], *(parts["closed"] or [])]
            elif kind == "trump_turned":
                deal["turned"] = body
            elif kind != "contract_set":
                hidden = (
                    parts.get("cards", body.get("cards")) or parts.get("closed", body.get("closed")) or []
                )
                deal["shares"][body["seat"]] += [*body.get("open", []), *hidden]
        elif deal is not None:
            deal["over"] = True
    if deal is not None:
        yield deal


def follows(deal, chance, number):
    """Whether these cards lay in the deck of the seed where each seat got its own: three at a time, forehand
    first; in a first deal, where a card decides who is forehand, the first seat first."""
    deck = chance.pack("deck", number, deal["deal"])
    forehand = (deal["dealer"] + 1) % deal["seats"]
    return any(
        _dealt(deck, deal, first, chance, number) for first in {forehand, *([0] if deal["deal"] == 1 else [])}
    )


def _dealt(deck, deal, first, chance, number):
    seats, size = deal["seats"], max(len(share) for share in deal["shares"])
    shares, at = [[] for _ in range(seats)], 0
    while at < seats * size:
        for turn in range(seats):
            share = shares[(first + turn) % seats]
            packet = min(3, size - len(share))
            share += deck[at : at + packet]
            at += packet
    rest, turned = deck[at:], deal["turned"]
    if [sorted(share) for share in shares] != [sorted(share) for share in deal["shares"]]:
        return False
    if sorted(deal["left"]) != sorted(rest[: len(deal["left"])]):
        return False
    if turned is None:
        return True
    if turned.get("seat") is not None:
        return turned["card"] in shares[turned["seat"]]
    return turned["card"] == (rest[0] if rest else chance.pack("cut", number, deal["deal"])[0])


# --- seats (docs/developers/seats.md)

SEARCH = "1"  # the version of what follows; draws name theirs
MOVES = 480000
SMALL, LARGE = 320, 1200
PARTNER, MEETING, OPPONENT, FORBIDDEN = 20000, 3, 4, 10**9


class Numbers:
    """Numbers of 32 bits from the seed of a draw, for one use of it."""

    def __init__(self, seed, use):
        self.seed, self.prefix, self.block, self.waiting = seed, use.encode() + b"\0", 0, []

    def words(self):
        """The next 256, in order."""
        blocks = range(self.block, self.block + 32)
        self.block += 32
        data = b"".join(hmac.digest(self.seed, self.prefix + i.to_bytes(8, "big"), "sha256") for i in blocks)
        return [int.from_bytes(data[at : at + 4], "big") for at in range(0, 1024, 4)]

    def below(self, bound):
        while True:
            self.waiting = self.waiting or self.words()[::-1]
            word = self.waiting.pop()
            if word < 2**32 - 2**32 % bound:
                return word % bound

    def shuffle(self, items):
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]


class Problem:
    """What a draw started from, as the log has it. Raises Unusable where it is none."""

    def __init__(self, told, seed):
        self.seed, self.size, self.format = seed, told["table_size"], told["format"]
        self.players, self.rounds = told["players"], told["rounds"]
        if self.size not in (2, 3, 4) or self.format not in ("pairs", "solo"):
            raise Unusable("no such tables are drawn")
        if not (self.size <= self.players <= 5000 and 1 <= self.rounds <= 100):
            raise Unusable("nobody draws so many players or rounds")
        self.past = told["past"]
        self.fixed_pairs = [tuple(pair) for pair in told["fixed_pairs"]]
        self.never_partner = [tuple(pair) for pair in told["never_partner"]]
        self.never_meet = [tuple(pair) for pair in told["never_meet"]]
        self.first_out = told["sit_out_first"]
        self.in_pairs = self.format == "pairs" and self.size == 4
        self.tables, self.out = divmod(self.players, self.size)
        self.seated = self.tables * self.size
        self.fixed = {a: b for pair in self.fixed_pairs for a, b in (pair, pair[::-1])}
        bound = self.fixed_pairs or self.never_partner or self.never_meet
        self.free = not (self.past or self.out or bound)


def seats_again(problem):
    """The tables of the first round that is drawn, by number and by chair, and who sits out."""
    byes = who_sits_out(problem)
    rounds = who_meets(problem, byes)
    size, seated = problem.size, problem.seated
    tables = [[tuple(one[at : at + size]) for at in range(0, seated, size)] for one in rounds]
    return on_chairs(problem, tables)[0], byes[0]


def who_sits_out(problem):
    if not problem.out:
        return [[] for _ in range(problem.rounds)]
    numbers, chosen = Numbers(problem.seed, "byes"), []
    times = [0] * problem.players
    for player in (player for one in problem.past for player in one["byes"] if player >= 0):
        times[player] += 1
    rank = {player: at for at, player in enumerate(problem.first_out)}
    units = problem.fixed_pairs + [(p,) for p in range(problem.players) if p not in problem.fixed]
    for _ in range(problem.rounds):
        numbers.shuffle(units)
        units.sort(key=lambda unit: (max(times[p] for p in unit), min(rank.get(p, len(rank)) for p in unit)))
        out = sorted(fill(units, problem.out) or [])
        for player in out:
            times[player] += 1
        chosen.append(out)
    return chosen


def fill(units, count, since=0):
    """The first units, in their order, that come to just so many players."""
    if count == 0:
        return []
    for at in range(since, len(units)):
        if len(units[at]) <= count:
            rest = fill(units, count - len(units[at]), at + 1)
            if rest is not None:
                return [*units[at], *rest]
    return None


def who_meets(problem, byes):
    """For each round the players, table by table, then who sits out."""
    if problem.free and problem.size == 4:
        known = without_meeting_twice(problem.players, problem.rounds) or by_planes(problem)
        if known:
            return renamed(problem, known, Numbers(problem.seed, "names"))
    work, best = problem.players * problem.rounds, None
    runs = 8 if work <= SMALL else 3 if work <= LARGE else 1
    for run in range(runs):
        search = Search(problem, start_of(problem, byes, run))
        numbers = Numbers(problem.seed, "search %d" % run)
        if work > LARGE:
            search.repair(MOVES // 4, numbers)
            search.run(MOVES // 2, 0, numbers)
        else:
            search.run(MOVES // runs, 4, numbers)
        if best is None or search.repeats() < best.repeats():
            best = search
        if best.cost <= best.floor:
            break
    return [one[:-1] for one in best.rounds]


def start_of(problem, byes, run):
    """Where a search begins: partners in turn, every second time behind a construction; else drawn."""
    numbers = Numbers(problem.seed, "start %d" % run)
    if not (problem.free and problem.size == 4 and problem.rounds < problem.players):
        return [at_random(problem, out, numbers) for out in byes]
    ring, turns, known = problem.players - 1, [], []
    for r in range(problem.rounds):
        pairs = [(ring, r % ring)] + [
            ((r + i) % ring, (r - i) % ring) for i in range(1, problem.players // 2)
        ]
        turns.append([[a, c, b, d] for (a, b), (c, d) in zip(pairs[0::2], pairs[1::2])])
    if run % 2 and problem.rounds <= problem.players // 2:
        for rounds in range(2, problem.rounds):
            longer = without_meeting_twice(problem.players, rounds)
            if longer is None:
                break
            known = longer
    return renamed(problem, known + turns[len(known) :], numbers)


def renamed(problem, schedule, numbers):
    names = list(range(problem.players))
    numbers.shuffle(names)
    rounds = [[names[player] for table in one for player in table] for one in schedule]
    numbers.shuffle(rounds)
    return rounds


def at_random(problem, out, numbers):
    pairs = [pair for pair in problem.fixed_pairs if pair[0] not in out]
    singles = [p for p in range(problem.players) if p not in out and p not in problem.fixed]
    numbers.shuffle(singles)
    if not problem.in_pairs:
        return [*singles, *out]
    pairs += zip(singles[0::2], singles[1::2])
    numbers.shuffle(pairs)
    tables = zip(pairs[0::2], pairs[1::2])
    return [player for (a, b), (c, d) in tables for player in (a, c, b, d)] + out


# schedules that are known: rounds of tables of four, 0 and 2 partners


def without_meeting_twice(players, rounds):
    """A schedule in which no two players meet twice, where a construction has it."""
    if players % 4:
        return None
    tables, points = players // 4, (players - 1) // 3
    if 3 * (rounds - 1) < tables:
        return [
            [[c * tables + (i + c * r) % tables for c in range(4)] for i in range(tables)]
            for r in range(rounds)
        ]
    if 4 <= tables <= 64 and rounds <= tables and prime_power(tables):
        plus, times = field(tables)
        return [
            [[c * tables + plus[i][times[c][r]] for c in range(4)] for i in range(tables)]
            for r in range(rounds)
        ]
    if players % 12 == 4 and rounds <= points <= 64 and prime_power(points):
        plus, times = field(points)
        first = bose(points, plus, times)
        return [
            [
                [p if p == players - 1 else p // points * points + plus[p % points][r] for p in t]
                for t in first
            ]
            for r in range(rounds)
        ]
    return None


def bose(q, plus, times):
    """The tables of the first round of R. C. Bose's resolvable design (1939)."""
    x = next(found for found in (powers(times, element) for element in range(1, q)) if len(found) == q - 1)
    log = {value: i for i, value in enumerate(x)}
    minus_one, t = plus[1].index(0), (q - 1) // 4
    for shift in range(1, q - 1, 2):
        above, below = plus[x[shift]][1], plus[x[shift]][minus_one]
        if above and below and (log[above] - log[below]) % 2:
            break
    tables = [[0, q, 2 * q, 3 * q]]
    for layer in range(3):
        near, far = layer * q, (layer + 1) % 3 * q
        for i in range(t):
            a, b = 2 * i, 2 * i + 2 * t
            tables.append(
                [near + x[a], far + x[(shift + a) % (q - 1)], near + x[b], far + x[(shift + b) % (q - 1)]]
            )
    return tables


def powers(times, element):
    found = [1]
    while (following := times[found[-1]][element]) != 1:
        found.append(following)
    return found


def prime_power(order):
    """(p, k) where order is p to the k and p a prime, else None."""
    p = next((d for d in range(2, order) if order % d == 0), order)
    k = 0
    while order % p == 0 and order > 1:
        order, k = order // p, k + 1
    return (p, k) if order == 1 and k else None


@functools.lru_cache(maxsize=8)
def field(order):
    """The finite field as its tables of sums and products, for the first modulus without zero divisors."""
    p, k = prime_power(order)
    digits = [[n // p**i % p for i in range(k)] for n in range(order)]

    def number(found):
        return sum(digit % p * p**i for i, digit in enumerate(found))

    def product(a, b, low):
        raw = [0] * (2 * k)
        for i, x in enumerate(a):
            for j, y in enumerate(b):
                raw[i + j] += x * y
        for i in range(2 * k - 1, k - 1, -1):
            for j in range(k):
                raw[i - k + j] += raw[i] * low[j]
        return number(raw[:k])

    plus = [[number([x + y for x, y in zip(a, b)]) for b in digits] for a in digits]
    for low in digits:
        times = [[product(a, b, low) for b in digits] for a in digits]
        if all(times[a][b] for a in range(1, order) for b in range(a, order)):
            return plus, times
    raise Unusable("there is no field of %d elements" % order)


def by_planes(problem):
    """Players as vectors over GF(2), a round as a plane: the first choice that repeats least of all."""
    players, rounds = problem.players, problem.rounds
    if players not in (8, 16, 32, 64) or rounds >= players:
        return None
    numbers = Numbers(problem.seed, "planes")
    planes = [(p, a, a ^ p) for p in range(1, players) for a in range(1, players) if p != a < a ^ p]
    bound = [max(0, 3 * rounds - players + 1), max(0, 2 * rounds - players + 1)]
    for _ in range(max(1, 400000 // (len(planes) * rounds))):
        numbers.shuffle(planes)
        met, opposed, partnered, chosen = [0] * players, [0] * players, set(), []
        for _ in range(rounds):
            weights = [
                (3 * rounds + 1, 0) if p in partnered else (met[p] + met[a] + met[b], opposed[a] + opposed[b])
                for p, a, b in planes
            ]
            p, a, b = planes[weights.index(min(weights))]
            chosen.append((p, a, b))
            partnered.add(p)
            for vector in (p, a, b):
                met[vector] += 1
            opposed[a] += 1
            opposed[b] += 1
        if [sum(max(0, n - 1) for n in counted) for counted in (met, opposed)] == bound:
            return [
                [[x, x ^ a, x ^ p, x ^ b] for x in range(players) if x == min(x, x ^ a, x ^ p, x ^ b)]
                for p, a, b in chosen
            ]
    return None


class Costs(dict):
    """By player; 0 where nothing is known."""

    def __missing__(self, player):
        return 0


class Search:
    """Players change places while that costs less, or a little more: threshold accepting, in integers."""

    def __init__(self, problem, start):
        self.problem, self.size = problem, problem.size
        size, nobody = problem.size, problem.players
        self.rounds = [[*one, nobody] for one in start]
        self.partner, self.first, self.second = [], [], []
        for at in range(problem.seated):
            others = [at - at % size + (at % size + step) % size for step in range(1, size)]
            self.partner.append(others.pop(1) if size == 4 else nobody)
            self.first.append(others[0])
            self.second.append(others[1] if len(others) > 1 else nobody)
        self.partner_step = MEETING + (PARTNER if problem.in_pairs else 0)
        self.opponent_step = MEETING + (OPPONENT if problem.in_pairs else 0)
        self.leaving = 2 * (min(size - 1, 2) * self.opponent_step + (size == 4) * self.partner_step)
        self.as_partner = [Costs() for _ in range(nobody + 1)]
        self.as_opponent = [Costs() for _ in range(nobody + 1)]
        self.cost = 0
        for rows, pairs in (
            (self.as_partner, problem.never_partner + problem.never_meet),
            (self.as_opponent, problem.never_meet),
        ):
            for a, b in pairs:
                rows[a][b] = rows[b][a] = FORBIDDEN
        for table in (table for one in problem.past for table in one["tables"]):
            for i, a in enumerate(table):
                for j, b in enumerate(table[:i]):
                    if a >= 0 and b >= 0:
                        self.meet(a, b, problem.in_pairs and i - j == 2)
        self.floor = self.cost
        for one in self.rounds:
            for at in range(problem.seated):
                beside = ((self.partner, True), (self.first, False), (self.second, False))
                for others, partners in beside:
                    if others[at] < at:
                        self.meet(one[at], one[others[at]], partners)

    def meet(self, a, b, partners):
        if self.problem.fixed.get(a) != b:
            self.cost += (self.as_partner if partners else self.as_opponent)[a][b]
            self.shift(a, b, partners, 1)

    def shift(self, a, b, partners, sign):
        """Once more, or once less, together: what one time more would cost."""
        p = sign * (self.partner_step if partners else MEETING)
        o = sign * (MEETING if partners else self.opponent_step)
        for x, y in ((a, b), (b, a)):
            self.as_partner[x][y] += p
            self.as_opponent[x][y] += o

    def repair(self, moves, numbers):
        seated = self.problem.seated
        while moves > 0:
            troubled = [(one, at) for one in self.rounds for at in range(seated) if self.trouble(one, at) > 0]
            if not troubled:
                return
            for one, at in troubled:
                for _ in range(min(24, moves)):
                    if self.trouble(one, at) <= 0:
                        break
                    self.move(one, at, numbers.below(seated), -1)
                    moves -= 1

    def trouble(self, one, at):
        player, beside = one[at], one[self.partner[at]]
        opponents = self.as_opponent[player]
        cost = opponents[one[self.first[at]]] + opponents[one[self.second[at]]] - self.leaving // 2
        if self.problem.fixed.get(player) == beside:
            return cost + self.partner_step
        return cost + self.as_partner[player][beside]

    def run(self, moves, start, numbers):
        """Try so many moves; the threshold falls from `start` to 0. The best that was seen stays."""
        best, best_rounds, words = self.cost, [list(one) for one in self.rounds], []
        seated = self.problem.seated
        for i in range(moves):
            if self.cost <= self.floor:
                break
            if len(words) < 3:
                words = numbers.words()
            threshold = start * (moves - i) // moves
            one = self.rounds[words.pop() * len(self.rounds) >> 32]
            at, drawn = words.pop() * seated >> 32, words.pop()
            other = drawn * seated >> 32
            if self.problem.in_pairs and drawn & 7 == 0:
                self.swap_pairs(one, at, other, threshold)
            else:
                self.move(one, at, other, threshold)
            if self.cost < best:
                best, best_rounds = self.cost, [list(row) for row in self.rounds]
        self.cost, self.rounds = best, best_rounds

    def move(self, one, x, y, threshold):
        fixed = self.problem.fixed
        if x // self.size == y // self.size:
            if self.problem.in_pairs and (x - y) & 1 and one[x] not in fixed and one[y] not in fixed:
                self.change_partners(one, x, y, threshold)
        elif one[x] in fixed or one[y] in fixed:
            self.swap_pairs(one, x, y, threshold)
        else:
            self.swap(one, x, y, threshold)

    def swap(self, one, x, y, threshold):
        a, b = one[x], one[y]
        ax, fx, sx = one[self.partner[x]], one[self.first[x]], one[self.second[x]]
        by, fy, sy = one[self.partner[y]], one[self.first[y]], one[self.second[y]]
        pa, oa, pb, ob = self.as_partner[a], self.as_opponent[a], self.as_partner[b], self.as_opponent[b]
        come = pa[by] + oa[fy] + oa[sy] + pb[ax] + ob[fx] + ob[sx]
        go = pa[ax] + oa[fx] + oa[sx] + pb[by] + ob[fy] + ob[sy]
        rise = self.leaving + come - go
        if rise > threshold:
            return
        one[x], one[y] = b, a
        self.cost += rise
        beside = [(ax, by, True)] * (self.size == 4) + [(fx, fy, False)] + [(sx, sy, False)] * (self.size > 2)
        for of_a, of_b, partners in beside:
            for p, q, sign in ((a, of_a, -1), (b, of_b, -1), (a, of_b, 1), (b, of_a, 1)):
                self.shift(p, q, partners, sign)

    def change_partners(self, one, x, y, threshold):
        a, b, c, d = one[x], one[y], one[self.partner[x]], one[self.partner[y]]
        if c in self.problem.fixed or d in self.problem.fixed:
            return
        partner, opponent = self.as_partner, self.as_opponent
        come = partner[a][d] + partner[b][c] + opponent[a][c] + opponent[b][d]
        go = partner[a][c] + partner[b][d] + opponent[a][d] + opponent[b][c]
        rise = 2 * (self.partner_step + self.opponent_step) - 4 * MEETING + come - go
        if rise > threshold:
            return
        one[x], one[y] = b, a
        self.cost += rise
        for p, q, sign in ((a, c, -1), (b, d, -1), (a, d, 1), (b, c, 1)):
            self.shift(p, q, True, sign)
            self.shift(p, q, False, -sign)

    def swap_pairs(self, one, x, y, threshold):
        if x // 4 == y // 4:
            return
        pairs = [(one[at], one[self.partner[at]]) for at in (x, y)]
        against = [(one[self.first[at]], one[self.second[at]]) for at in (x, y)]
        rise = 8 * self.opponent_step
        for i in (0, 1):
            for row in (self.as_opponent[p] for p in pairs[i]):
                rise += sum(row[q] for q in against[1 - i]) - sum(row[q] for q in against[i])
        if rise > threshold:
            return
        for u, v in ((x, y), (self.partner[x], self.partner[y])):
            one[u], one[v] = one[v], one[u]
        self.cost += rise
        for i in (0, 1):
            for p in pairs[i]:
                for old, new in zip(against[i], against[1 - i]):
                    self.shift(p, old, False, -1)
                    self.shift(p, new, False, 1)

    def repeats(self):
        """What decides between searches: broken wishes, then how often who sat so before, in this order."""
        problem, size = self.problem, self.size
        pairs = [{frozenset(pair) for pair in of} for of in (problem.fixed_pairs, problem.never_partner)]
        (fixed, never_partner), never_meet = pairs, {frozenset(pair) for pair in problem.never_meet}
        partners, meetings, opponents, seats, tables = {}, {}, {}, {}, {}
        drawn = [[one[at : at + size] for at in range(0, problem.seated, size)] for one in self.rounds]
        broken = 0
        for number, one in enumerate([*(one["tables"] for one in problem.past), *drawn]):
            split = set(fixed)
            for place, table in enumerate(one):
                met = {frozenset((a, b)) for i, a in enumerate(table) for b in table[:i] if a >= 0 and b >= 0}
                sides = [table[0::2], table[1::2]] if problem.in_pairs else []
                together = {frozenset(side) for side in sides if min(side) >= 0}
                split -= together
                if number >= len(problem.past):
                    broken += len(together & never_partner) + len(met & never_meet)
                for counts, keys in (
                    (partners, together - fixed),
                    (meetings, met - fixed),
                    (opponents, met - fixed - together),
                    (seats, [(p, seat) for seat, p in enumerate(table) if p >= 0]),
                    (tables, [(p, place) for p in table if p >= 0]),
                ):
                    for key in keys:
                        counts[key] = counts.get(key, 0) + 1
            if number >= len(problem.past):
                broken += len(split)
        return [broken] + [
            sum(n - 1 for n in counts.values()) for counts in (partners, meetings, opponents, seats, tables)
        ]


def on_chairs(problem, rounds):
    """Which table has which number, who sits on which chair: drawn, then bettered without anybody's loss."""
    numbers, size = Numbers(problem.seed, "seating"), problem.size
    orders = list(itertools.permutations(range(size)))
    if problem.in_pairs:
        orders = [order for order in orders if abs(order[0] - order[2]) == 2]
    at_table = [{} for _ in range(problem.players)]
    on_chair = [[0] * size for _ in range(problem.players)]

    def put_number(table, number, times):
        for p in table:
            if p >= 0:
                at_table[p][number] = at_table[p].get(number, 0) + times

    def put_chairs(table, times):
        for chair, p in enumerate(table):
            if p >= 0:
                on_chair[p][chair] += times

    def at_number(table, number):
        return sum(at_table[p].get(number, 0) for p in table)

    def at_chairs(table):
        return sum(on_chair[p][chair] for chair, p in enumerate(table))

    placed = []
    for one in rounds:
        tables = [tuple(table[i] for i in orders[numbers.below(len(orders))]) for table in one]
        numbers.shuffle(tables)
        placed.append(tables)
    for one in [*(one["tables"] for one in problem.past), *placed]:
        for number, table in enumerate(one):
            put_number(table, number, 1)
            put_chairs(table, 1)
    for _ in range(6000):
        one = placed[numbers.below(len(placed))]
        number, order = numbers.below(len(one)), orders[numbers.below(len(orders))]
        old, new = one[number], tuple(one[number][who] for who in order)
        put_chairs(old, -1)
        one[number] = new if at_chairs(new) <= at_chairs(old) else old
        put_chairs(one[number], 1)
        a, b = numbers.below(len(one)), numbers.below(len(one))
        first, second = one[a], one[b]
        stay = at_number(first, a) + at_number(second, b) - 2 * size
        if a != b and at_number(first, b) + at_number(second, a) <= stay:
            for table, before, after in ((first, a, b), (second, b, a)):
                put_number(table, before, -1)
                put_number(table, after, 1)
            one[a], one[b] = second, first
    return placed


def check_draws(export, streams):
    """Every draw of seats, also of rounds still secret: its seed and what it started from are in the open."""
    report = export.report
    if report.differences:
        report.notes.append("seats are drawn again only where nothing else differs")
        return
    played, listed = [], [row["stream"] for row in export.rows("round")]
    if sorted(listed) != sorted(stream.id for stream in streams.values() if stream.kind == "round"):
        report.differs("championship.json", "it does not list the rounds there are")
        return
    for row in sorted(export.rows("round"), key=lambda row: row["number"]):
        stream, standing = streams[row["stream"]], None
        revealed = any(event["type"] == "seed_revealed" for event in stream.events)
        for event in stream.events:
            if event["type"] == "draw_undone":
                standing = None
                continue
            body, where = event["body"], "round %d" % row["number"]
            try:
                if event["type"] == "seats_drawn":
                    standing = dict(body, tables=[list(table) for table in body["tables"]])
                    where += ", draw %d" % standing["draw"]
                    check_draw(report, where, standing, played, revealed)
                elif standing is not None and not chairs_fit(standing["tables"], event["type"], body):
                    report.differs(where, "somebody changed chairs who did not sit there")
            except (Unusable, KeyError, IndexError, TypeError, ValueError, StopIteration) as error:
                report.differs(where, "its draw cannot be followed: %r" % (error,))
        if standing is not None:
            played.append(standing)


def chairs_fit(tables, kind, body):
    """Let those change chairs who did after the draw: the opponents of forehand, so that the one who drew
    higher deals, or two who sat otherwise in the hall. Whether they end where the event says."""
    if kind == "forehand_drawn" and body["exchanged"]:
        table, seat = tables[(body["number"] - 1) % DRAW_STEP], body["dealer"]
        second = (seat + 2) % len(table)
        table[seat], table[second] = table[second], table[seat]
    elif kind == "seats_exchanged":
        (one, other), (seat, second) = (tables[number - 1] for number in body["tables"]), body["seats"]
        one[seat], other[second] = other[second], one[seat]
        return [one[seat], other[second]] == body["players"]
    return True


def check_draw(report, where, drawn, played, revealed):
    """One draw: from the rounds before it and its seed to its seats. Says what could be drawn again."""
    if drawn["algorithm"] == "by hand":
        report.notes.append("%s: made by hand in the hall, nothing to draw again" % where)
        return
    if drawn["algorithm"] != SEARCH:
        told = "%s: only the seed was checked; manage.py verify-deals draws seats of search %s again"
        report.notes.append(told % (where, drawn["algorithm"]))
        return
    players, told = drawn["players"], drawn["problem"]
    at = {player: place for place, player in enumerate(players)}
    past = [
        {
            "tables": [[at.get(player, -1) for player in table] for table in before["tables"]],
            "byes": sorted(at.get(player, -1) for player in before["sit_out"]),
        }
        for before in played
    ]
    if told["past"] != past or told["players"] != len(at) or len(at) != len(players):
        report.differs(where, "it did not start from the rounds before it")
        return
    tables, out = seats_again(Problem(told, unhex(drawn["seed"], 32)))
    again = [[players[p] for p in table] for table in tables], [players[p] for p in out]
    if again != (drawn["tables"], drawn["sit_out"]):
        report.differs(where, "the seats do not follow from its seed")
        return
    wishes = sum(len(told[kind]) for kind in ("fixed_pairs", "never_partner", "never_meet"))
    later = "" if revealed else "; that its seed is the round's shows when that is revealed"
    report.checked.append(
        "%s: the seats were drawn again (%d players, %d wishes of the director)%s"
        % (where, len(players), wishes, later)
    )


# --- rankings


def check_rankings(export, streams):
    """Each published ranking is the one whose hash stands in the log, and counts from the sealed number."""
    own = streams.get(export.championship)
    events = [] if own is None else [(event["type"], event["body"]) for event in own.events]
    published = {
        body.get("version"): body.get("digest") for type_, body in events if type_ == "standings_published"
    }
    rounds, sealed = sealed_number(export, streams, events)
    snapshots = export.rows("standingssnapshot")
    for version in sorted(published.keys() - {snapshot.get("version") for snapshot in snapshots}):
        export.report.differs("ranking %r" % (version,), "is missing")
    for snapshot in snapshots:
        where = "ranking %r" % (snapshot.get("version"),)
        if published.get(snapshot.get("version")) != sha256(compact(snapshot.get("rows"))).hex():
            export.report.differs(where, "is not the one in the log")
            continue
        known = sealed is not None and snapshot.get("after_round") == rounds
        if any(row["off"] != (abs(row["total"] - sealed) if known else None) for row in snapshot["rows"]):
            export.report.differs(where, "the sealed number it counts from is not the one of the seed")
    export.report.checked.append("%d published rankings are those of the log" % len(snapshots))
    if sealed is not None:
        export.report.checked.append("the sealed number was drawn again: %d" % sealed)


def sealed_number(export, streams, events):
    """How many rounds there are, and the number to come near to, where there is one and it is revealed."""
    frozen = {body["version"] for type_, body in events if type_ == "regulations_frozen"}
    set_ = [
        body["regulations"]
        for type_, body in events
        if type_ == "regulations_set" and body["version"] in frozen
    ]
    if not set_ or set_[-1]["counting"]["what"] != "nearest":
        return None, None
    rounds, counting = set_[-1]["rounds"], set_[-1]["counting"]
    ends = [row["stream"] for row in export.rows("round") if row["number"] == rounds]
    last = [streams[name] for name in ends if name in streams]
    told = [(event["type"], event["body"]) for stream in last for event in stream.events]
    seeds = [body["seed"] for type_, body in told if type_ == "seed_revealed"]
    if not seeds:
        return rounds, None
    entropy = [body["entropy"] for type_, body in told if type_ == "entropy_added"]
    stream = Chance(unhex(seeds[0], 32), entropy).bytes("sealed", 1, 0)
    span = counting["most"] - counting["least"] + 1
    pairs = (256 * high + low for high, low in zip(stream, stream))
    return rounds, counting["least"] + next(pair for pair in pairs if pair < 65536 - 65536 % span) % span


# --- all of it


def verify(file, witness=None, keys=()):
    """Verify an export (a path or an open file). Raises Unusable where there is nothing to verify."""
    report = Report()
    try:
        export = Export(file, report)
        export.check_manifest(keys)
        streams = read_streams(export)
        found = check_checkpoints(export, streams, keys)
        if witness is not None:
            check_witness(report, witness, found)
        check_rounds(export, streams)
        check_rankings(export, streams)
        check_draws(export, streams)
    except (
        KeyError,
        IndexError,
        TypeError,
        AttributeError,
        ValueError,
        OverflowError,
        RecursionError,
    ) as error:
        raise Unusable("the file cannot be read: %r" % (error,)) from error
    return report


def main(arguments=None):
    parser = argparse.ArgumentParser(description="Verify an exported championship of Puur.")
    parser.add_argument("export", nargs="?", help="the .zip that was downloaded")
    parser.add_argument(
        "--checkpoint", metavar="WORDS|FILE|QR-TEXT", help="what you have on paper or have saved"
    )
    parser.add_argument("--key", action="append", default=[], help="the platform's public key, in hex")
    parser.add_argument("--self-test", action="store_true", help="only try the signatures of RFC 8032")
    given = parser.parse_args(arguments)
    self_test()
    if given.self_test:
        print("the vectors of RFC 8032 come out right")
        return 0
    if given.export is None:
        parser.error("which file?")
    try:
        keys = [unhex(key.strip().lower(), 32).hex() for key in given.key]
        report = verify(given.export, given.checkpoint, keys)
    except Unusable as error:
        print("unusable: %s" % error, file=sys.stderr)
        return 2
    for line in report.checked:
        print("checked  %s" % line)
    for line in report.notes:
        print("note     %s" % line)
    for line in report.differences:
        print("DIFFERS  %s" % line)
    if report.differences:
        print("result   %d differences: this is not the record that was sealed" % len(report.differences))
        return 1
    if given.checkpoint is None:
        print("result   nothing differs. Compare the words with those on a sheet from the hall.")
    else:
        print("result   nothing differs, and this is the record of your sheet.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
