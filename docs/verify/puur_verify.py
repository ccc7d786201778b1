#!/usr/bin/env python3
"""Verify an exported championship of Puur without Puur: one file, the standard library, Python 3.9 or newer.

    python3 puur_verify.py EXPORT.zip
    python3 puur_verify.py EXPORT.zip --checkpoint "lusab babad gutih ..."     the twelve words on your sheet
    python3 puur_verify.py EXPORT.zip --checkpoint "https://.../#lusab-babad-..."     its QR code
    python3 puur_verify.py EXPORT.zip --checkpoint saved.json     a checkpoint saved from the platform
    python3 puur_verify.py EXPORT.zip --checkpoint ranking.pdf     the ranking as PDF, which holds one
    python3 puur_verify.py SERIES.zip EXPORT.zip ...     a series, with the files of its evenings
    python3 puur_verify.py EXPORT.zip --key 64-HEX-CHARACTERS     the public key you were given

Exit code 0: nothing differs. 1: something differs, and the report names it. 2: the file or the words cannot
be used. README.md beside this file describes the checks and their meaning. The developers' pages
log-format.md, sealing.md, export-format.md, dealing.md and seats.md describe the formats.
"""

# This file is generated: docs/verify/build.py joins the modules of docs/verify/source/. Change those modules.
# Each section below is one of them.

from __future__ import annotations

import argparse
import collections
import datetime
import fractions
import functools
import hashlib
import hmac
import io
import itertools
import json
import math
import os
import re
import stat
import sys
import zipfile
import zlib

# --- source/report.py
# The report of a verification, and the exception for input that cannot be used.


class Unusable(Exception):
    """An input (file, words or key) that cannot be read."""


UNREADABLE = (KeyError, IndexError, TypeError, AttributeError, ValueError, OverflowError, RecursionError)
"""Exceptions that malformed data raises."""
FAILING = (*UNREADABLE, Unusable)
"""Exceptions after which a figure cannot be derived."""


class Report:
    """The result of a verification: checks, differences, notes, and facts that no file can prove."""

    def __init__(self):
        self.checked = []
        self.differences = []
        self.notes = []
        self.unproven = []

    def add_difference(self, where, what):
        """Add a difference: a place, and its fault."""
        self.differences.append("%s: %s" % (where, what))


# --- source/canonical.py
# Canonical bytes: length-prefixed fields, hashes, hex and JSON.


def encode_fields(*values):
    """Join fields, each behind its length in 8 bytes."""
    return b"".join(len(field).to_bytes(8, "big") + field for field in values)


def sha256(data):
    """Return the SHA-256 hash of bytes."""
    return hashlib.sha256(data).digest()


def parse_hex(text, size=None):
    """Decode lowercase hex. Raise Unusable for other text or another size."""
    if not isinstance(text, str) or not re.fullmatch(r"([0-9a-f]{2})*", text):
        raise Unusable("not lowercase hex: %.40r" % (text,))
    data = bytes.fromhex(text)
    if size is not None and len(data) != size:
        raise Unusable("%d bytes instead of %d" % (len(data), size))
    return data


def parse_json(data):
    """Decode JSON. Raise Unusable for duplicate keys and for numbers that JSON does not have."""

    def no_doubles(pairs):
        found = dict(pairs)
        if len(found) != len(pairs):
            raise Unusable("a key is repeated")
        return found

    def no_number(text):
        raise Unusable("%s is no number of JSON" % text)

    try:
        return json.loads(data, object_pairs_hook=no_doubles, parse_constant=no_number)
    except (ValueError, RecursionError):
        raise Unusable("not JSON: %.40r" % (data,)) from None


def serialize_json(value):
    """Serialize a value as canonical JSON: sorted keys, no spaces, UTF-8."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def require_fields(value, allowed, needed=None):
    """Return a JSON object with the allowed keys. Raise Unusable for other or missing keys."""
    if not isinstance(value, dict) or not value.keys() <= set(allowed):
        raise Unusable("an object has other fields than it may: %.60r" % (value,))
    if missing := set(allowed if needed is None else needed) - value.keys():
        raise Unusable("an object lacks %s" % ", ".join(sorted(missing)))
    return value


# --- source/ed25519.py
# Ed25519 signatures (RFC 8032), verification only.

PRIME = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
CURVE_D = -121665 * pow(121666, PRIME - 2, PRIME) % PRIME
ROOT_OF_MINUS_ONE = pow(2, (PRIME - 1) // 4, PRIME)


def _recover_x(y, sign):
    """Return the x coordinate of a point, or None if there is none."""
    if y >= PRIME:
        return None
    x2 = (y * y - 1) * pow(CURVE_D * y * y + 1, PRIME - 2, PRIME) % PRIME
    if x2 == 0:
        return None if sign else 0
    x = pow(x2, (PRIME + 3) // 8, PRIME)
    if (x * x - x2) % PRIME:
        x = x * ROOT_OF_MINUS_ONE % PRIME
    if (x * x - x2) % PRIME:
        return None
    return PRIME - x if x & 1 != sign else x


def _decode_point(encoded):
    """Decode a point in extended coordinates, or return None."""
    y = int.from_bytes(encoded, "little")
    sign, y = y >> 255, y & ((1 << 255) - 1)
    x = _recover_x(y, sign)
    return None if x is None else (x, y, 1, x * y % PRIME)


def _add_points(p, q):
    """Add two points in extended coordinates."""
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % PRIME, (p[1] + p[0]) * (q[1] + q[0]) % PRIME
    c, d = 2 * p[3] * q[3] * CURVE_D % PRIME, 2 * p[2] * q[2] % PRIME
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % PRIME, g * h % PRIME, f * g % PRIME, e * h % PRIME)


def _multiply_point(scalar, point):
    """Multiply a point by a scalar."""
    result = (0, 1, 1, 0)
    while scalar:
        if scalar & 1:
            result = _add_points(result, point)
        point = _add_points(point, point)
        scalar >>= 1
    return result


def _is_same_point(p, q):
    """Whether two points in extended coordinates are equal."""
    return (p[0] * q[2] - q[0] * p[2]) % PRIME == 0 and (p[1] * q[2] - q[1] * p[2]) % PRIME == 0


_BASE_Y = 4 * pow(5, PRIME - 2, PRIME) % PRIME
_BASE_X = _recover_x(_BASE_Y, 0)
BASE_POINT = (_BASE_X, _BASE_Y, 1, _BASE_X * _BASE_Y % PRIME)


def is_signed(public, message, signature):
    """Whether a signature (64 bytes) of the message is valid for the public key (32 bytes)."""
    if len(public) != 32 or len(signature) != 64:
        return False
    key, r = _decode_point(public), _decode_point(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if key is None or r is None or s >= ORDER:
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + public + message).digest(), "little") % ORDER
    return _is_same_point(_multiply_point(s, BASE_POINT), _add_points(r, _multiply_point(k, key)))


RFC_8032_VECTORS = (  # section 7.1, tests 1 to 3: public key, message, signature
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


def check_vectors():
    """Check the vectors of RFC 8032, and each with one bit changed. Raise AssertionError."""
    for public, message, signature in RFC_8032_VECTORS:
        key, text, signed = (bytes.fromhex(field) for field in (public, message, signature))
        wrong = bytes([signed[0] ^ 1]) + signed[1:]
        if (
            not is_signed(key, text, signed)
            or is_signed(key, text + b"x", signed)
            or is_signed(key, text, wrong)
        ):
            raise AssertionError("this Python computes Ed25519 wrongly")


# --- source/words.py
# The twelve words of a checkpoint.

CONSONANTS, VOWELS = "bdfghjklmnprstvz", "aiou"
WORD_PATTERN = re.compile("[%s][%s][%s][%s][%s]" % (CONSONANTS, VOWELS, CONSONANTS, VOWELS, CONSONANTS))


def encode_words(digest):
    """Return the twelve words of a checkpoint's hash."""
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


def parse_words(text):
    """Read the twelve words from a sheet or from the address in its QR code.

    Raise Unusable if one is mistyped.
    """
    words = re.findall("[a-z]+", text.rpartition("#")[2].lower())
    if len(words) != 12:
        raise Unusable("a checkpoint has 12 words; here are %d" % len(words))
    bits = 0
    for place, word in enumerate(words, 1):
        if not WORD_PATTERN.fullmatch(word):
            raise Unusable("word %d, %r, is none of a checkpoint's: look again" % (place, word))
        for letter in word:
            letters = CONSONANTS if letter in CONSONANTS else VOWELS
            bits = bits * len(letters) + letters.index(letter)
    if encode_words(bits.to_bytes(24, "big")) != words:
        raise Unusable("one of the words is mistyped: they do not fit together")
    return words


# --- source/export_file.py
# The exported zip: its limits, its signed list of files, and the tables beside the log.

EXPORT_FORMAT = "puur/export/1"
MAX_FILE_BYTES = 64 * 1024 * 1024
MAX_UNPACKED_BYTES = 2 * 1024 * 1024 * 1024
EXPORTED_NAME = re.compile(
    r"streams/[0-9a-f]{32}\.jsonl|(championship|names)\.json|(checkpoints|receipts)\.jsonl|manifest\.(json|sig)"
)


def open_zip(file):
    """Open a zip, a path or an open file. Raise Unusable if a path names no regular file of bounded size."""
    if isinstance(file, (str, os.PathLike)) and not os.path.isdir(file):
        about = os.stat(file)
        if not stat.S_ISREG(about.st_mode):
            raise Unusable("%s is no regular file" % file)
        if about.st_size > MAX_UNPACKED_BYTES:
            raise Unusable("%s is too large" % file)
    return zipfile.ZipFile(file)


class Export:
    """An exported zip of bounded size, with its manifest."""

    format = EXPORT_FORMAT
    names = EXPORTED_NAME
    owner = "championship"  # the field of the manifest that names its stream, and the kind of that stream
    manifest_fields = ("format", "level", "championship", "slug", "exported_at", "key", "files")
    stream_kinds = ("game", "round", "championship")
    tables_file = "championship.json"

    def __init__(self, file, report):
        self.report = report
        try:
            self.zip = open_zip(file)
            self.infos = {info.filename: info for info in self.zip.infolist()}
            doubles = len(self.zip.infolist()) - len(self.infos)
        except FileNotFoundError:
            raise Unusable("there is no file %s" % file) from None
        except (zipfile.BadZipFile, ValueError, RuntimeError):
            raise Unusable("this is no zip file") from None
        except OSError as error:
            raise Unusable("the file cannot be read: %s" % (error.strerror or error)) from None
        if sum(info.file_size for info in self.infos.values()) > MAX_UNPACKED_BYTES:
            raise Unusable("the file is too large when it is unpacked")
        strange = [name for name in self.infos if not self.names.fullmatch(name)]
        if strange or doubles:
            raise Unusable("there are files that no export has: %.80r" % (strange,))
        self.raw_manifest = self.read_file("manifest.json")
        self.manifest = parse_json(self.raw_manifest)
        if not isinstance(self.manifest, dict) or self.manifest.get("format") != self.format:
            raise Unusable("this is not the export of a %s (%s)" % (self.owner, self.format))
        require_fields(self.manifest, self.manifest_fields)
        self.listed = self.manifest["files"]
        self.championship = self.manifest[self.owner]
        parse_hex(self.championship, 16)

    def read_file(self, name):
        """Return the bytes of a file in the zip. Raise Unusable if it is missing, damaged or too large."""
        if name not in self.infos:
            raise Unusable("%s is missing" % name)
        try:
            with self.zip.open(self.infos[name]) as file:
                data = file.read(MAX_FILE_BYTES + 1)
        except (zipfile.BadZipFile, OSError, EOFError, ValueError, RuntimeError, zlib.error):
            raise Unusable("%s cannot be unpacked" % name) from None
        if len(data) > MAX_FILE_BYTES:
            raise Unusable("%s is too large" % name)
        return data

    def check_manifest(self, keys):
        """Compare every file with the manifest, and check the manifest's signature."""
        for name in sorted(self.listed.keys() | self.infos.keys() - {"manifest.json", "manifest.sig"}):
            entry = self.listed.get(name)
            if entry is None:
                self.report.add_difference(name, "is not in the list of the export")
            elif name in self.infos:
                require_fields(entry, {"size", "sha256", "personal"})
                data = self.read_file(name)
                if (len(data), sha256(data).hex()) != (entry["size"], entry["sha256"]):
                    self.report.add_difference(name, "is not what was exported")
            elif entry.get("personal") is True:
                self.report.notes.append("%s was taken away: names can be erased" % name)
            else:
                self.report.add_difference(name, "is missing")
        if "level" in self.manifest_fields and self.manifest["level"] not in ("public", "backup"):
            self.report.add_difference(
                "manifest.json", "there is no such level: %r" % (self.manifest["level"],)
            )
        key = parse_hex(self.manifest["key"])
        signature = self.read_file("manifest.sig").decode("ascii", "replace").strip()
        if not key and not signature:
            self.report.notes.append("the export is not signed: the platform had no key")
        elif not is_signed(key, encode_fields(self.format.encode(), self.raw_manifest), parse_hex(signature)):
            self.report.add_difference("manifest.json", "its signature is not right")
        if keys and self.manifest["key"] not in keys:
            self.report.add_difference(
                "manifest.json", "was signed with another key: %s" % self.manifest["key"]
            )
        self.report.checked.append("%d files are what the signed list says" % len(self.listed))

    def check_manifest_key(self, last):
        """Check that the manifest has the key of the last checkpoint (None without one)."""
        if last is not None and self.manifest["key"] != last:
            told = "it is signed with %s, the last checkpoint with another key: %s"
            self.report.add_difference("manifest.json", told % (self.manifest["key"] or "no key", last))

    @functools.cached_property
    def tables(self):
        """The tables beside the log: rows by table."""
        found = self.read_lines(self.tables_file)
        if len(found) != 1 or not isinstance(found[0], dict):
            raise Unusable("%s holds no tables" % self.tables_file)
        return found[0]

    def rows(self, table):
        """Return the rows of a table beside the log."""
        found = self.tables.get(table, [])
        if not isinstance(found, list) or not all(isinstance(row, dict) for row in found):
            raise Unusable("the table %s cannot be read" % table)
        return found

    def read_lines(self, name):
        """Return the JSON values of a file, one a line. A file that is missing has none."""
        *lines, rest = self.read_file(name).split(b"\n") if name in self.infos else [b""]
        if rest:
            raise Unusable("%s is cut off" % name)
        return [parse_json(line) for line in lines]


# --- source/event_chain.py
# The streams of events: envelopes, hash chain, and opened secret parts.


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


# --- source/event_schemas.py
# The known events and their fields.

EVENT_SCHEMAS = """
game
  game_started variant seats options mode sides rules_version won_before? written_scores?
    hand_in? confirmation? counting? sweeps?
  deal_started deal dealer place?
  hand_dealt seat size cards! face_down?
  hand_taken_up seat cards!
  talon_dealt open size closed!
  extra_dealt seat size cards!
  table_dealt seat open size closed!
  trump_turned card seat?
  pushed seat
  contract_set contract seat? slot?
  bid_made seat points
  bid_deferred seat
  bid_passed seat
  auction_won seat points
  auction_failed
  talon_taken seat cards!
  cards_discarded seat size cards!
  deal_conceded seat points
  deal_accepted seat
  discards_counted seat points
  prediction_made seat points! sealed?
  predictions_revealed points
  extra_exchanged seat size given! taken!
  extra_kept seat
  turned_taken seat six card
  melds_declared seat declared melds! counts? apart?
  melds_shown seat melds
  card_played seat card
  stoeck_declared seat points counts? apart?
  melds_scored side points shown
  trick_taken seat points
  table_card_turned seat card
  infraction_found seat trick code at_seq proof_seq?
  out_claimed seat right
  deal_stopped seat
  deal_scored deal card_points scores totals ties?
  game_ended winners totals payments?
  ruling_made ruling kind reason scores totals scores_before? totals_before? deal? trick? against? replaces?
    article? points? choice? suit? to? ties? winners? stands? rescored? after? first?
    first_deal?
  deal_annulled deal
  suit_barred seat suit
  game_closed reason
  game_resumed reason
  result_entered seat side deal card_points scores totals contract? slot? chooser? bid? predictions?
    took_trick? dealer? sweep? stoeck? stoeck_points? melds? ties? by_hand? reason? deals? sweeps? stoecks?
    conceded? first? first_deal?
  result_corrected seat side deal card_points scores totals contract? slot? chooser? bid? predictions?
    took_trick? dealer? sweep? stoeck? stoeck_points? melds? ties? by_hand? reason? deals? sweeps? stoecks?
    conceded? first? first_deal?
    replaces rescored? winners? payments?
  result_confirmed seat side deal by? scores?
  taken_back to
championship
  regulations_set version regulations
  regulations_frozen version
  rounds_planned rounds
  entry_added player number start_of?
  entry_withdrawn player from_round
  entry_returned player
  absences_excused player rounds
  entrant_formed entrant number players
  entrant_joined entrant player
  entrant_parted entrant
  entries_merged player other reason?
  entries_parted player other
  team_formed team number
  team_joined team players reason?
  team_left players reason?
  team_dissolved team
  separator_recorded kind values
  standings_published after_round version digest reason counting_version? teams_digest?
  table_codes_made tables
  personal_links_made players
  championship_finished
  championship_archived
  championship_unarchived
  championship_deleted
round
  seed_committed algorithm single? seed!
  entropy_added entropy
  forehand_drawn game number cards dealer exchanged?
  seed_revealed seed nonce
  seats_drawn draw seed algorithm players problem tables sit_out cost
  draw_undone draw reason
  tables_drawn draw first seed algorithm players problem tables cost
  table_taken_back table
  seats_exchanged tables seats players reason?
  chair_taken table seat player instead sits_out
  substitute_named table seat player instead deal
  sheet_photo_kept table digest
  sheet_photo_erased table digest
  round_opened games modes
  table_opened table game mode
  round_closed unfinished? reason?
  round_reopened reason
  round_delayed minutes
  sitting_out_counted points
  referee_called dispute table deal? trick? incident? at_seq?
  dispute_settled dispute outcome ruling? chosen_by?
  ruling_appealed dispute ruling reason
  appeal_decided dispute outcome ruling reason chosen_by?
  codes_issued tables games
  code_renewed game table role seat
  seat_given game table seat player account office
  seat_given_back game table seat player
  hidden_cards_opened game table deal seq reason
  hands_printed draw deals
series
  series_started seed
  rules_set version rules reason?
  event_added event championship weight state reason?
  event_removed event reason?
  event_played_as event championship reason?
  event_state_changed event state reason?
  event_weight_changed event weight reason?
  events_ordered events reason?
  holders_named persons
  wild_card_given person reason
  wild_card_taken_back person
  ticket_declined person
  declining_undone person
  ticket_accepted person
  accepting_undone person
  persons_matched event persons reason?
  teams_matched event teams reason?
  categories_stated event categories reason?
  table_published version digest rankings reason?
  team_table_published version digest
  qualification_published version digest
  series_deleted
"""


def _parse_event_schemas():
    """Return for each kind of stream the types of events, with their required, allowed and secret fields."""
    known, kind = {}, None
    for line in re.sub(r"\n {4}", " ", EVENT_SCHEMAS).strip().split("\n"):
        words = line.split()
        if not line.startswith(" "):
            kind = known[line] = {}
            continue
        needed = {word for word in words[1:] if word[-1] not in "?!"}
        possible = {word[:-1] for word in words[1:] if word[-1] == "?"}
        kind[words[0]] = needed, needed | possible, {word[:-1] for word in words[1:] if word[-1] == "!"}
    return known


KNOWN_EVENTS = _parse_event_schemas()
"""Kind of stream → type of event → required, allowed and secret fields."""
SCORING_EVENTS = ("deal_scored", "result_entered", "result_corrected", "ruling_made", "game_ended")
"""Events that change the result of a game."""


def check_events(streams, report):
    """Check that every event is known and has its fields. An unknown event could change the result."""
    for stream in streams.values():
        for event in stream.events:
            where = "%s %s, event %d" % (stream.kind, stream.id, event["seq"])
            if event["type"] not in KNOWN_EVENTS[stream.kind]:
                report.add_difference(where, "no such event is known: %s" % event["type"])
                continue
            needed, possible, secret = KNOWN_EVENTS[stream.kind][event["type"]]
            if (
                not needed <= event["body"].keys() <= possible
                or not event.get("commitments", {}).keys() <= secret
            ):
                report.add_difference(where, "%s has other fields than it may" % event["type"])


# --- source/checkpoints.py
# Signed checkpoints, and the order of events that follows from them.


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


# --- source/witnesses.py
# Witnesses: words from paper, saved checkpoints, printed rankings.


def _read_championship(body):
    """Return the championship that the body of a checkpoint names, or None."""
    says = parse_json(body)
    return says.get("championship") if isinstance(says, dict) else None


def check_witness(report, witness, found, championship):
    """Compare words from paper, or a saved file, with the checkpoints of the export."""
    if os.path.isfile(witness):
        with open(witness, "rb") as file:
            data = file.read(MAX_FILE_BYTES)
        saved = read_attachments(data, witness) if data.startswith(b"%PDF-") else parse_json(data)
        saved = saved.get("checkpoints", [saved]) if isinstance(saved, dict) else saved
        bodies = [one.get("body") if isinstance(one, dict) else None for one in saved]
        if not bodies or not all(isinstance(body, str) for body in bodies):
            raise Unusable("%s holds no checkpoint: it is a witness of nothing" % witness)
        ours = [body for body in bodies if _read_championship(body) == championship]
        if not ours:
            raise Unusable(
                "%s holds no checkpoint of this championship: it is a witness of nothing" % witness
            )
        for body in ours:
            if sha256(encode_checkpoint(body.encode())) not in found:
                report.add_difference(witness, "this checkpoint is not among those of the export: %s" % body)
        report.checked.append("%d saved checkpoints compared" % len(ours))
        if len(ours) < len(bodies):
            report.notes.append("%d saved checkpoints are of other championships" % (len(bodies) - len(ours)))
        return
    words = parse_words(witness)
    for digest, says in found.items():
        if encode_words(digest) == words:
            report.checked.append(
                "your words are those of checkpoint %d, %s" % (says["number"], says["made_at"])
            )
            return
    report.add_difference(
        "your words", "no checkpoint of this export has them: it is not the record of the sheet"
    )


MAX_ATTACHMENTS = 100
MAX_ATTACHMENT_BYTES = 1024 * 1024
MAX_DICTIONARY_BYTES = 4096


def read_attachments(pdf, name):
    """Return the checkpoints in a printed ranking: the JSON files that are attached to the PDF.

    Only streams of embedded files are read. They stand uncompressed or deflated, each behind its
    dictionary.
    """
    found = []
    for at in itertools.islice(re.finditer(rb"/Type\s*/EmbeddedFile\b", pdf), MAX_ATTACHMENTS):
        begin = pdf.rfind(b" obj", max(0, at.start() - MAX_DICTIONARY_BYTES), at.start())
        end = pdf.find(b"stream", at.end(), at.end() + MAX_DICTIONARY_BYTES)
        if begin < 0 or end < 0:
            continue
        dictionary, body = pdf[begin:end], end + len(b"stream")
        body += 2 if pdf[body : body + 2] == b"\r\n" else 1
        length = re.search(rb"/Length\s+(\d{1,9})(?!\d)(?!\s+\d+\s+R)", dictionary)
        close = body + int(length.group(1)) if length else pdf.find(b"endstream", body)
        raw = pdf[body : min(max(close, body), body + MAX_ATTACHMENT_BYTES)]
        try:
            if b"/FlateDecode" in dictionary:
                inflating = zlib.decompressobj()
                raw = inflating.decompress(raw, MAX_ATTACHMENT_BYTES)
                if inflating.unconsumed_tail:
                    continue
            one = parse_json(raw)
        except (zlib.error, Unusable):
            continue
        found += one if isinstance(one, list) else [one]
    if not found:
        raise Unusable("%s has no checkpoint attached: take the PDF as the platform made it" % name)
    return found


# --- source/clocks.py
# Dates of events and checkpoints.


def check_dates(streams, found, report):
    """Note strange dates. Clocks may be wrong, so none is a difference."""
    for stream in streams.values():
        dated = [event["recorded_at"] for event in stream.events]
        back = next((seq for seq in range(1, len(dated)) if dated[seq] < dated[seq - 1]), None)
        if back is not None:
            told = (
                "%s %s, event %d is dated before the one before it: a clock was set back, or a date made up"
            )
            report.notes.append(told % (stream.kind, stream.id, back))
    made_at, before = "", {}
    for says in found.values():
        if says["made_at"] < made_at:
            report.notes.append("checkpoint %d is dated before the one before it" % says["number"])
        for name, seq in says["heads"].items():
            events = streams[name].events[before.get(name, -1) + 1 : seq + 1]
            dated = sorted(event["recorded_at"] for event in events)
            if dated and (
                (before and dated[0] < _subtract_tolerance(made_at))
                or _subtract_tolerance(dated[-1]) > says["made_at"]
            ):
                told = "checkpoint %d is the first to know of events of %s %s whose dates do not fit"
                report.notes.append(told % (says["number"], streams[name].kind, name))
                break
        made_at, before = says["made_at"], says["heads"]


def _subtract_tolerance(moment, minutes=10):
    """Return the date so many minutes before a moment."""
    at = datetime.datetime.strptime(moment, "%Y-%m-%dT%H:%M:%S.%fZ") - datetime.timedelta(minutes=minutes)
    return at.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


# --- source/cards.py
# Cards, contracts, and the points of cards and melds.

DECK = [suit + rank for suit in "DHSC" for rank in ("6", "7", "8", "9", "10", "J", "Q", "K", "A")]
SUITS = ("diamonds", "hearts", "spades", "clubs")
DIRECTIONS = ("obenabe", "undenufe")
CONTRACTS = (*SUITS, *DIRECTIONS, *(kind + "-" + way for kind in ("slalom", "guschti") for way in DIRECTIONS))
TRUMP_ORDER = (0, 1, 2, 7, 3, 8, 4, 5, 6)
RANK_POINTS = (0, 0, 0, 0, 10, 2, 3, 4, 11)  # of 6 7 8 9 10 J Q K A
STOECK_POINTS = 20
DEAL_POINTS = 157
PUUR_POINTS = 20


def compute_card_points(card, contract):
    """Return the points of a card in a contract."""
    suit, rank = DECK.index(card) // 9, DECK.index(card) % 9
    if contract in SUITS:
        return (
            {5: 20, 3: 14}.get(rank, RANK_POINTS[rank])
            if suit == SUITS.index(contract)
            else RANK_POINTS[rank]
        )
    down = contract.endswith("undenufe")
    return {2: 8, 0: 11 if down else 0, 8: 0 if down else 11}.get(rank, RANK_POINTS[rank])


def compute_meld_points(cards):
    """Return the points of a meld, or None if its cards form no meld."""
    at = sorted(DECK.index(card) for card in cards)
    if len(at) == 4 and len({card % 9 for card in at}) == 1:
        return {3: 150, 5: 200}.get(at[0] % 9, 100)
    row = len(at) >= 3 and at == list(range(at[0], at[0] + len(at))) and at[0] // 9 == at[-1] // 9
    return {3: 20, 4: 50}.get(len(at), 50 * (len(at) - 3)) if row else None


# --- source/variants.py
# The rules of each game that a log does not contain.

MELD_EVENTS = "melds_declared melds_shown melds_scored stoeck_declared"
VARIANTS = {
    "schieber": {
        "lots": "first_forehand",
        "lots_ever": True,
        "partners": True,
        "events": "pushed contract_set hand_taken_up out_claimed %s" % MELD_EVENTS,
        "counted": True,
        "score": "sum",
        "factors": "contract",
        "target": "both",
        "deals": "option",
        "all_counted": True,
    },
    "bieter": {
        "sides": 2,
        "events": """talon_dealt trump_turned bid_made bid_deferred bid_passed auction_won auction_failed
            talon_taken cards_discarded discards_counted contract_set deal_conceded deal_accepted %s"""
        % MELD_EVENTS,
        "counted": True,
        "turned": "last_or_talon",
        "score": "sum",
        "target": "bid",
    },
    "differenzler": {
        "events": "trump_turned contract_set prediction_made predictions_revealed stoeck_declared",
        "counted": True,
        "turned": "last_or_cut",
        "score": "predicted",
        "fewest": True,
        "deals": "option",
        "all_counted": True,
    },
    "coiffeur": {
        "partners": True,
        "events": "pushed contract_set %s" % MELD_EVENTS,
        "counted": True,
        "score": "chooser",
        "factors": "slot",
        "deals": "slots",
        "all_counted": True,
    },
    "la-pomme": {
        "lots": "always",
        "share": 12,
        "events": "extra_dealt trump_turned contract_set extra_exchanged extra_kept turned_taken",
        "turned": "next",
        "piles": (("hand", 0, 9), ("extra", 9, 12)),
        "score": "apples",
        "ends": "apples",
        "deal_points": "puur",
    },
    "plus-minus": {
        "lots": "always",
        "late_trumps": True,
        "events": "contract_set",
        "counted": True,
        "score": "sticks",
        "ends": "sticks",
        "all_counted": True,
    },
    "lake-constance": {
        "again_without_bid": True,
        "events": """table_dealt table_card_turned bid_made bid_passed auction_won auction_failed contract_set
            deal_stopped""",
        "piles": (("closed", 0, 6), ("open", 6, 12), ("hand", 12, 18)),
        "score": "bid",
        "ends": "tallies",
    },
}
"""The rules of each variant that its logs do not contain.

lots: forehand of the first deal is drawn from the seed, always or by an option; lots_ever: also before
FOREHAND_RULES_SINCE. sides: the number of sides; partners: two sides of four seats; otherwise each seat is a
side. events: types that occur only in some variants, where cards are recorded. share: cards of each seat,
otherwise all are dealt. piles: where the cards of a share lie. turned: which card is turned up.
again_without_bid: the same seat deals again. late_trumps: a card decides trumps. counted: a trick counts the
points of its cards. score: how a deal is scored (`DealScores.score_deal`); factors: the factors of a score;
fewest: the fewest points lead; target, deals, ends: the conditions that end a game; all_counted: the card
points of a deal add up to deal_points (157, or by the value of the Puur). For other variants only cards and
chance are verified, and the report says so.
"""


def find_variant(started):
    """Return the rules of a game's variant, or None if this program does not know it."""
    variant = started.get("variant")
    return VARIANTS.get(variant) if isinstance(variant, str) else None


FOREHAND_RULES_SINCE = "2026-11-24"
"""The date of the present forehand rules (dealing.md).

For seeds that were committed to before, the last seat dealt first in some games, and two players could change
chairs. The date of the commitment decides, because it is sealed before any card is known.
"""


def is_forehand_drawn(started):
    """Whether the forehand of the first deal is drawn from the seed."""
    lots = find_variant(started).get("lots")
    return lots == "always" or (lots is not None and started["options"][lots] == "drawn")


# --- source/regulations.py
# The regulations of a championship, applied to a game.


def read_regulations_at(own, moment):
    """Return the regulations at a moment, or the first ones if dates go backwards."""
    told = [event for event in own if event["type"] == "regulations_set"]
    return ([e for e in told if e["at"] <= moment] or told[:1])[-1]["body"]["regulations"]


def plays_same_cards(own):
    """Whether all tables of a round play the same decks, by the last regulations."""
    told = [event["body"]["regulations"] for event in own if event["type"] == "regulations_set"]
    return bool(told) and told[-1].get("same_cards") is True


def count_deals_at_three(started, regulations):
    """Return the number of deals of a game: at a table of three each player deals as often as at four."""
    deals = regulations["deals"]
    return deals * 3 // 4 if is_table_of_three(started, regulations) else deals


def is_table_of_three(started, regulations):
    """Whether a game is a table of three beside tables of four."""
    return (started.get("seats"), regulations["play"]["seats"]) == (3, 4)


def is_by_regulations(started, row, regulations):
    """Whether a game started as the regulations say. The meaning of a preset is the platform's."""
    play, options = regulations["play"], started.get("options", {})
    wanted = dict(play["options"])
    if "deals" in options and regulations["deals"]:
        wanted["deals"] = count_deals_at_three(started, regulations)
    return (
        (started.get("variant"), row["preset"]) == (play["variant"], play["preset"] or "")
        and (started.get("seats") == play["seats"] or is_table_of_three(started, regulations))
        and started.get("won_before") is None
        and not started.get("written_scores")
        and (started.get("mode") != "sheet" or is_sheet_by_regulations(started, regulations))
        and all(options.get(name, ...) == value for name, value in wanted.items())
    )


def is_sheet_by_regulations(started, regulations):
    """Whether a sheet is entered and confirmed as the regulations say.

    A sheet that started before the regulations mentioned it is entered by deals.
    """
    taken, confirmed = started.get("hand_in") or "deals", started.get("confirmation", "paper")
    return (taken, confirmed) == (
        regulations.get("hand_in", "deals"),
        regulations.get("confirmation", "paper"),
    )


def get_pairing(regulations):
    """Return the pairing system of regulations, and its options."""
    chosen = regulations.get("pairing", {})
    return chosen.get("system", "drawn"), chosen.get("options", {})


# --- source/dealing.py
# Dealing: random numbers of a round, decks, hands and forehand.


class RoundRandomness:
    """The random numbers of a round, from its seed and the entropy added from outside."""

    def __init__(self, seed, entropy):
        self.seed = seed
        self.mixed = sha256(encode_fields(*(text.encode() for text in entropy)))

    def draw_bytes(self, purpose, number, deal):
        """Yield the random bytes of one purpose, table and deal."""
        context = encode_fields(
            b"puur/draw/1", purpose.encode(), self.mixed, number.to_bytes(8, "big"), deal.to_bytes(8, "big")
        )
        block = 0
        while True:
            yield from hmac.new(
                self.seed, context + encode_fields(block.to_bytes(8, "big")), "sha256"
            ).digest()
            block += 1

    def shuffle_packs(self, purpose, number, deal=0):
        """Yield shuffled packs."""
        stream = self.draw_bytes(purpose, number, deal)
        while True:
            pack = list(DECK)
            for i in range(35, 0, -1):
                limit = 256 - 256 % (i + 1)
                j = next(byte for byte in stream if byte < limit) % (i + 1)
                pack[i], pack[j] = pack[j], pack[i]
            yield pack

    def shuffle_pack(self, purpose, number, deal):
        """Return the first shuffled pack."""
        return next(self.shuffle_packs(purpose, number, deal))

    def draw_forehand(self, number, seats, partners):
        """Return the drawn cards by seat, the forehand, and whether its opponents change chairs."""
        drawing, rounds, packs = list(range(seats)), [], self.shuffle_packs("forehand", number)
        while len(drawing) > 1:
            ranks = self.draw_cards(drawing, seats, rounds, packs)
            drawing = [seat for seat in drawing if ranks[seat] == min(ranks.values())]
        [forehand] = drawing
        if not partners or seats != 4:
            return rounds, forehand, None
        opponents = [(forehand - 1) % seats, (forehand + 1) % seats]
        shared = [row for row in rounds if all(row[seat] is not None for seat in opponents)]
        before, after = (DECK.index(shared[-1][seat]) % 9 for seat in opponents)
        while before == after:
            ranks = self.draw_cards(opponents, seats, rounds, packs)
            before, after = (ranks[seat] for seat in opponents)
        return rounds, forehand, after > before

    def draw_cards(self, drawing, seats, rounds, packs):
        """Add one round of drawn cards to the rounds. Return the ranks by seat."""
        cards = dict(zip(drawing, next(packs)))
        rounds.append([cards.get(seat) for seat in range(seats)])
        return {seat: DECK.index(card) % 9 for seat, card in cards.items()}


def is_forehand_from_seed(body, seats, seed):
    """Whether the cards drawn for forehand, and their result, follow from the seed."""
    cards = [list(row) for row in body["cards"]]
    partners = body["exchanged"] is not None
    rounds, forehand, exchanged = RoundRandomness(seed, body["entropy"]).draw_forehand(
        body["number"], seats, partners
    )
    return (cards, body["dealer"], body["exchanged"]) == (rounds, (forehand - 1) % seats, exchanged)


LAYOUT_EVENTS = ("table_dealt", "extra_dealt", "talon_dealt", "trump_turned")
"""Events that lay out cards after the hands."""


def read_deals(stream, opened, report):
    """Yield each deal of a dealt game: cards by seat, the talon, the turned card.

    Report events that stand in the wrong place.
    """
    where, started = "game %s" % stream.id, start_body(stream)
    seats, events, before = started["seats"], stream.events, None
    annulled, rulings, auction = set(), {}, False
    for at, event in enumerate(events):
        kind, body = event["type"], event["body"]
        auction = auction or kind == "auction_won"
        if kind == "deal_annulled":
            annulled.add(body["deal"])
        elif kind == "ruling_made":
            rulings.pop(body.get("replaces"), None)
            rulings[body["ruling"]] = body
        elif kind in ("hand_dealt", *LAYOUT_EVENTS) and (before is None or at >= before["end"]):
            report.add_difference(where, "event %d: cards were dealt during play" % event["seq"])
        elif kind == "deal_started":
            deal = _read_deal(stream, at, seats)
            if isinstance(deal, str):
                report.add_difference(where, deal)
                return
            number = body["deal"]
            if before is None:
                due = [find_first_dealer(deal, started, opened)]
                if find_variant(started) is None and opened.forehand is None:
                    due = [body["dealer"]]
            else:
                deal["first"], due = (body["dealer"] + 1) % seats, [(before["dealer"] + 1) % seats]
                ruled = [one for one in rulings.values() if one.get("deal") == before["deal"]]
                game = find_variant(started)
                if before["deal"] in annulled or (
                    game is not None and game.get("again_without_bid") and not auction
                ):
                    due = [before["dealer"]]
                elif game is None:
                    due.append(before["dealer"])
                elif any("annul" in (one["kind"][:5], one.get("choice")) for one in ruled):
                    due.append(before["dealer"])  # the engine decides whether it is still in force
            if number != (1 if before is None else before["deal"] + 1) or "place" in body:
                report.add_difference(where, "deal %r does not come next" % number)
            if body["dealer"] not in due:
                told = "deal %d: seat %d dealt instead of seat %d"
                report.add_difference(where, told % (number, body["dealer"], due[0]))
            before, auction = deal, False
            yield deal


def find_first_dealer(deal, started, opened):
    """Return the seat that deals first. Set the seat that gets the first cards.

    That is seat 0 if a card decides the forehand.
    """
    seats, marker = started["seats"], started["options"].get("first_forehand")
    deal["first"] = (deal["dealer"] + 1) % seats
    if marker not in DECK:
        return opened.forehand["dealer"] if opened.forehand else seats - 1
    deal["first"] = 0
    holders = [seat for seat, share in enumerate(deal["shares"]) if marker in share["hand"]]
    return (holders[0] - 1) % seats if holders else deal["dealer"]


def _read_deal(stream, at, seats):
    """Return the deal that starts at an event, or its fault. Closed cards are left out."""
    events, body = stream.events, stream.events[at]["body"]
    shares = [{"hand": [], "extra": [], "open": [], "closed": []} for _ in range(seats)]
    deal = dict(body, shares=shares, talon=None, turned=None, closed=False)
    deal["at"], deal["dated"] = events[at]["at"], events[at]["recorded_at"]
    hands = events[at + 1 : at + 1 + seats]
    order = [(body["dealer"] + turn) % seats for turn in range(1, seats + 1)]
    if [(event["type"], event["body"].get("seat")) for event in hands] != [
        ("hand_dealt", seat) for seat in order
    ]:
        return "deal %d: not every seat was dealt one hand" % body["deal"]
    end = at + 1 + seats
    while end < len(events) and (
        events[end]["type"] in LAYOUT_EVENTS
        or (events[end]["type"] == "contract_set" and events[end - 1]["type"] == "trump_turned")
    ):
        end += 1
    for event in events[at + 1 : end]:
        kind, told, parts = event["type"], event["body"], event["parts"]
        secret = {
            "hand_dealt": "cards",
            "extra_dealt": "cards",
            "table_dealt": "closed",
            "talon_dealt": "closed",
        }
        name = secret.get(kind)
        if name is not None and name not in event.get("commitments", {}):
            return "deal %d: cards were dealt without a commitment" % body["deal"]
        deal["closed"] = deal["closed"] or (name is not None and name not in parts)
        cards = parts.get(name) or []
        if name in parts and len(cards) != told["size"]:
            return "deal %d: a hand has another size than its event says" % body["deal"]
        if kind == "hand_dealt":
            shares[told["seat"]]["hand"] += cards
        elif kind == "extra_dealt":
            shares[told["seat"]]["extra"] += cards
        elif kind == "table_dealt":
            shares[told["seat"]]["closed"] += cards
            shares[told["seat"]]["open"] += told["open"]
        elif kind == "talon_dealt":
            deal["talon"] = [*told["open"], *cards]
        elif kind == "trump_turned":
            deal["turned"] = told
    deal["end"] = end
    return deal


def is_dealt_from_seed(deal, started, chance, number):
    """Whether the deck of the seed, dealt three cards at a time, gives these hands."""
    deck, seats, options = (
        chance.shuffle_pack("deck", number, deal["deal"]),
        started["seats"],
        started["options"],
    )
    game, turned, talon = find_variant(started), deal["turned"], deal["talon"]
    if game is None:
        return is_unknown_dealt_from_deck(
            deal, deck, seats, chance.shuffle_pack("cut", number, deal["deal"])[0]
        )
    turns, size = game.get("turned"), game.get("share", 36 // seats)
    if turns == "last_or_talon" and talon is not None:
        size = options["first_hand"]
    shares, rest = deal_in_threes(deck, seats, size, deal["first"])
    piles = game.get("piles", (("hand", 0, 36),))
    for share, told in zip(shares, deal["shares"]):
        lying = {name: sorted(share[a:b]) for name, a, b in piles}
        if any(sorted(told[name]) != lying.get(name, []) for name in told):
            return False
    if talon is not None and (turns != "last_or_talon" or talon != rest[:6]):
        return False
    last = {"seat": deal["dealer"], "card": shares[deal["dealer"]][-1]}
    should = None
    if turns == "next":
        should = {"card": rest[0]}
    elif turns == "last_or_cut" and options["trump"] == "cut":
        should = {"card": chance.shuffle_pack("cut", number, deal["deal"])[0]}
    elif turns == "last_or_cut" or (turns == "last_or_talon" and talon is None):
        should = last
    return turned == should


def is_unknown_dealt_from_deck(deal, deck, seats, cut):
    """Whether a deck gives the hands of an unknown variant.

    Each seat has all cards of its share, in any piles. The talon and the turned card are left over.
    """
    told = [sorted(card for pile in share.values() for card in pile) for share in deal["shares"]]
    size = len(told[0])
    if not 0 < size * seats <= 36:
        return False
    for first in sorted({deal["first"], 0, (deal["dealer"] + 1) % seats}):
        shares, rest = deal_in_threes(deck, seats, size, first)
        shown = deal["turned"] or {"card": cut}
        if (
            [sorted(share) for share in shares] == told
            and set(deal["talon"] or ()) <= set(rest)
            and shown.get("card") in (cut, *rest, *(share[-1] for share in shares))
        ):
            return True
    return False


def deal_in_threes(deck, seats, size, first):
    """Deal three cards at a time. Return the shares by seat, and the cards left over."""
    shares, at = [[] for _ in range(seats)], 0
    while at < seats * size:
        for turn in range(seats):
            share = shares[(first + turn) % seats]
            packet = min(3, size - len(share))
            share += deck[at : at + packet]
            at += packet
    return shares, deck[at:]


# --- source/rounds.py
# Rounds: seeds, seats, substitutes and games, followed event by event.

NUMBERS_PER_DRAW = 10000


class SeedPeriod:
    """The events between two seed commitments: the seed, once it is revealed, and the added entropy."""

    def __init__(self, committed):
        self.committed = committed.get("commitments", {}).get("seed")
        self.committed_at = committed["recorded_at"]
        self.seed = None
        self.revealed_at = None
        self.entropy = []
        self.begun = False

    @property
    def randomness(self):
        """The random numbers of this seed."""
        return RoundRandomness(self.seed, self.entropy)


class RoundGame:
    """A game of a round: its table, mode, deck number, seed period and players."""

    def __init__(self, place, number, period):
        self.place, self.number, self.seed_period = place, number, period
        self.mode = self.forehand = None
        self.seated = []


class Round:
    """The state of a round, followed from its events."""

    def __init__(self, stream, where, report, streams, same_cards=False):
        self.stream, self.where, self.report, self.streams = stream, where, report, streams
        self.same_cards = same_cards  # all tables play the decks of table 1
        self.forehands = 0  # drawn since the draw in force
        self.status, self.draw_count = "planned", 0
        self.seed_periods = []
        self.draw = None  # the draw in force
        self.seated = []  # tables of players, after all changes
        self.byes = []  # players with a bye, after all changes
        self.substitutes = {}  # chair → deal → the player from that deal on
        self.late_players = []  # players seated after a draw, and substitutes
        self.opened_games = {}  # game → RoundGame, of every draw
        self.games = []  # games of the draw in force, by table
        self.drawn_seats = []  # draws with their seed periods and entropy
        self.queue_draws = []  # draws from a queue with seed period, entropy and moment
        self.acts = []  # acts of officials, as texts
        self.looked_at_deals = []  # deals of this draw whose hands an official saw
        self.seats_since = []  # (moment, tables, byes) after each change; tables None without a draw
        for event in stream.events:
            follow = getattr(self, "_" + event["type"], None)
            if follow is None:
                continue
            try:
                follow(event, event["body"])
            except (Unusable, KeyError, IndexError, TypeError, ValueError, OverflowError) as error:
                self.add_difference(
                    "event %d cannot be followed: %s" % (event["seq"], error or type(error).__name__)
                )
            seats = [list(table) for table in self.seated] if self.draw is not None else None
            if not self.seats_since or self.seats_since[-1][1:] != (seats, self.byes):
                self.seats_since.append((event["at"], seats, list(self.byes)))

    def list_seats_at(self, moment):
        """Return the tables and byes at a moment, before changes that came later; None without a draw."""
        there = [seats for at, *seats in self.seats_since if at <= moment]
        return there[-1] if there and there[-1][0] is not None else None

    def add_difference(self, what):
        """Add a difference in this round to the report."""
        self.report.add_difference(self.where, what)

    def _get_seed_period(self):
        """Return the present seed period. Raise Unusable before the first."""
        if not self.seed_periods:
            raise Unusable("an event precedes the commitment to the seed")
        return self.seed_periods[-1]

    def _seed_committed(self, event, body):
        if self.seed_periods and self.seed_periods[-1].seed is None:
            self.add_difference("there is a new seed although the one before was never revealed")
        if body["algorithm"] != "puur/draw/1" or body.get("single"):
            self.add_difference("its seed is of another kind than that of a round")
        self.seed_periods.append(SeedPeriod(event))

    def _entropy_added(self, event, body):
        now = self._get_seed_period()
        now.entropy.append(body["entropy"])
        if now.begun or now.seed is not None:
            self.add_difference("chance was added after cards had been dealt")

    def _seed_revealed(self, event, body):
        now, seed = self._get_seed_period(), parse_hex(body["seed"], 32)
        if now.seed is not None:
            self.add_difference("a seed was revealed twice")
        if sha256(parse_hex(body["nonce"], 32) + serialize_json(body["seed"])).hex() != now.committed:
            self.add_difference("the revealed seed does not match its commitment")
        now.seed, now.revealed_at = seed, event["at"]

    def _seats_drawn(self, event, body):
        self.draw_count += 1
        if self.status != "planned" or body["draw"] != self.draw_count:
            self.add_difference("draw %r was made while another one was valid" % (body["draw"],))
        if self._get_seed_period().seed is not None and body["seed"]:
            self.add_difference("a seed was used after it was public")
        if (not body["seed"]) != (body["algorithm"] == "by hand"):
            self.add_difference("draw %r has no seed" % (body["draw"],))
        seated = [player for table in body["tables"] for player in table] + body["sit_out"]
        everybody = set(body["players"])
        if "/" in body["algorithm"]:  # players of a pairing system include those who have left or lost
            everybody &= set(seated)
        if sorted(seated) != sorted(everybody):
            self.add_difference("draw %r does not seat each player once" % (body["draw"],))
        self.status, self.draw, self.games = "drawn", body, []
        self.seated, self.byes = [list(table) for table in body["tables"]], list(body["sit_out"])
        self.substitutes, self.forehands = {}, 0
        self.drawn_seats.append((body, self.seed_periods[-1], list(self.seed_periods[-1].entropy)))

    def _tables_drawn(self, event, body):
        """Add tables from the queue of an open session."""
        now, seated = self._get_seed_period(), [player for table in self.seated for player in table]
        more = [player for table in body["tables"] for player in table]
        if self.status != "open" or body["draw"] != len(self.queue_draws) + 1:
            self.add_difference("draw %r from the queue was made out of turn" % (body["draw"],))
        if body["first"] != len(self.seated) + 1 or len({*seated, *more}) < len(seated) + len(more):
            self.add_difference("draw %r from the queue seats somebody twice" % (body["draw"],))
        if now.seed is not None:
            self.add_difference("a seed was used after it was public")
        self.seated += [list(table) for table in body["tables"]]
        self.queue_draws.append((body, now, list(now.entropy), event["at"]))

    def _table_taken_back(self, event, body):
        """Take the last table of an open session back."""
        place = body["table"]
        if self.status != "open" or place != len(self.seated) or place != len(self.games):
            raise Unusable("a table was taken back that was not the last one")
        if self.is_dealt_table(place) or self.has_scores(place, event):
            self.add_difference("table %d was taken back after it had begun" % place)
        opened = self.opened_games[self.games[-1]]
        opened.seated = opened.seated or self.seated[-1]
        self.seated, self.games = self.seated[:-1], self.games[:-1]
        self.add_act("table %d was taken back" % place)

    def _draw_undone(self, event, body):
        if self.status not in ("drawn", "open") or body["draw"] != self.draw_count:
            self.add_difference("a draw was undone that did not exist")
        for opened in self.opened_games.values():
            opened.seated = opened.seated or self.seated[opened.place - 1]
        looks = ", after an official had looked at hands" if self.looked_at_deals else ""
        self.add_act("draw %r was undone%s: %s" % (body["draw"], looks, body["reason"] or "no reason"))
        self.status, self.draw, self.seated, self.games = "planned", None, [], []
        self.byes, self.substitutes, self.looked_at_deals = [], {}, []

    def _get_deck_number(self, place):
        """Return the deck number of a table in the present draw."""
        return (self.draw_count - 1) * NUMBERS_PER_DRAW + (1 if self.same_cards else place)

    def _forehand_drawn(self, event, body):
        now, place = self._get_seed_period(), (body["number"] - 1) % NUMBERS_PER_DRAW + 1
        self.forehands += 1
        if self.same_cards:  # tables are opened in their order, a late one after all others
            place = len(self.games) + 1 if self.status == "open" else self.forehands
        now.begun = True
        if now.seed is not None:
            self.add_difference("a seed was used after it was public")
        late = self.status == "open" and place == len(self.games) + 1 <= len(self.seated)
        if not (self.status == "drawn" or late) or body["number"] != self._get_deck_number(place):
            self.add_difference("table %d was dealt the cards of another one" % place)
        if body["game"] in self.opened_games:
            self.add_difference("forehand of table %d was drawn twice" % place)
        opened = self.opened_games[body["game"]] = RoundGame(place, body["number"], now)
        opened.forehand = dict({"exchanged": None}, **body, entropy=list(now.entropy))
        if body.get("exchanged"):
            table, seat = self.seated[place - 1], body["dealer"]
            second = (seat + 2) % len(table)
            table[seat], table[second] = table[second], table[seat]

    def _seats_exchanged(self, event, body):
        if self.status not in ("drawn", "open"):
            self.add_difference("chairs were swapped before anybody sat")
            return
        (one, other), (seat, second) = (self.seated[number - 1] for number in body["tables"]), body["seats"]
        one[seat], other[second] = other[second], one[seat]
        if [one[seat], other[second]] != body["players"]:
            self.add_difference("a swap of chairs names a person who did not sit there")
        played = ""
        for place in body["tables"]:
            if self.is_dealt_table(place):
                self.add_difference("chairs were exchanged at table %d, where cards are dealt" % place)
            elif self.has_scores(place, event):
                played = ", after results were written: %s" % (body.get("reason") or "no reason")
        self.add_act("chairs were exchanged at tables %d and %d%s" % (*body["tables"], played))

    def _chair_taken(self, event, body):
        player, instead, at = body["player"], body["instead"], body["seat"]
        more = not instead and at == 0 and body["table"] == len(self.seated) + 1
        if more:  # latecomers form a table with players who had a bye
            self.seated.append([])
        table = self.seated[body["table"] - 1] if 0 < body["table"] <= len(self.seated) else []
        there = table[at] if 0 <= at < len(table) else ""
        begun = self.status == "open" and (
            self.is_dealt_table(body["table"]) or self.has_entries(body["table"], event)
        )
        if self.status not in ("drawn", "open") or begun or there != instead or not 0 <= at <= len(table):
            self.add_difference("a chair was taken that was not free")
            return
        if not (table or more) or any(player in seated for seated in self.seated):
            self.add_difference("a person sits on two chairs")
            return
        if self.status == "open" and not instead and 0 < body["table"] <= len(self.games):
            before = self.opened_games[self.games[body["table"] - 1]]  # its game starts again
            before.seated = before.seated or list(table)
        table[at : at + 1] = [player]
        if instead:
            self.add_act("a person took another person's chair at table %d" % body["table"])
        self.byes = [other for other in self.byes if other != player]
        self.byes += [instead] if body["sits_out"] and instead else []
        self.substitutes.pop((body["table"], at), None)
        self.late_players.append(player)

    def get_game_at(self, place):
        """Return the stream of the game at a table of an open or closed round, or None."""
        games = self.games if self.status in ("open", "closed") else []
        return self.streams.get(games[place - 1]) if 0 < place <= len(games) else None

    def is_dealt_table(self, place):
        """Whether the game at an open table deals cards."""
        return start_body(self.get_game_at(place)).get("mode") == "dealt"

    def has_entries(self, place, event):
        """Whether a game had more than its start before an event of this round."""
        stream = self.get_game_at(place)
        return stream is not None and any(e["at"] < event["at"] for e in stream.events[1:])

    def has_scores(self, place, event):
        """Whether a game had a result before an event of this round."""
        stream = self.get_game_at(place)
        return stream is not None and any(
            e["at"] < event["at"] for e in stream.events if e["type"] in SCORING_EVENTS
        )

    def add_act(self, what):
        """Add an act of an official to the notes of this round."""
        self.acts.append(what)

    def _hands_printed(self, event, body):
        if self.status != "open" or body["draw"] != self.draw_count or not self.same_cards:
            self.add_difference("hands were printed of a round that was not open")
        self.add_act("an official printed the hands of %d deals" % body["deals"])

    def _hidden_cards_opened(self, event, body):
        self.looked_at_deals.append(body["deal"])
        told = "an official looked at the hands of deal %d at table %d while it was played: %s"
        self.add_act(told % (body["deal"], body["table"], body["reason"]))

    def _substitute_named(self, event, body):
        chair, player = (body["table"], body["seat"]), body["player"]
        instead, deal = body["instead"], body["deal"]
        if self.status not in ("drawn", "open") or not 0 < chair[0] <= len(self.seated) or deal < 1:
            self.add_difference("a substitute was named before anybody sat")
            return
        others = [told[max(told)] for at, told in self.substitutes.items() if told and at != chair]
        others += [other for table in self.seated for other in table if other != instead]
        if self.seated[chair[0] - 1][chair[1]] != instead or player in others:
            self.add_difference("a substitute replaces a person who did not sit there, or sits twice")
        told = {n: who for n, who in self.substitutes.get(chair, {}).items() if n < deal}
        if told or player != instead:
            told[deal] = player
        self.substitutes[chair] = told
        self.late_players.append(player)
        if player != instead:
            told = "a substitute played at table %d from deal %d on"
            self.add_act(told % (body["table"], body["deal"]))

    def _round_opened(self, event, body):
        now, games, modes = self._get_seed_period(), body["games"], body["modes"]
        now.begun = True
        if self.status != "drawn" or not len(games) == len(modes) == len(self.seated) == len(set(games)):
            self.add_difference("it was opened with other tables than were drawn")
        for place, game in enumerate(games, 1):
            number = self._get_deck_number(place)
            opened = self.opened_games.setdefault(game, RoundGame(place, number, now))
            if (opened.number, opened.mode) != (number, None):
                self.add_difference("table %d was dealt the cards of another one" % place)
            started = start_body(self.streams.get(game))
            opened.mode = started.get("mode")
            if opened.mode != (modes[place - 1] if place <= len(modes) else None):
                self.add_difference("table %d was not played as the round says" % place)
            if opened.mode == "dealt" and now.seed is not None:
                self.add_difference("a seed was used after it was public")
        self.status, self.games = "open", list(games)

    def _table_opened(self, event, body):
        """Open a table late: a new one, or a new start at a table without entries."""
        now, place, game = self._get_seed_period(), body["table"], body["game"]
        if self.status != "open" or not 0 < place <= min(len(self.seated), len(self.games) + 1):
            raise Unusable("a table was opened without players")
        started = start_body(self.streams.get(game))
        opened = self.opened_games.setdefault(game, RoundGame(place, self._get_deck_number(place), now))
        if (opened.number, opened.mode) != (self._get_deck_number(place), None):
            self.add_difference("table %d was dealt the cards of another one" % place)
        opened.mode = started.get("mode")
        if opened.mode != body["mode"]:
            self.add_difference("table %d was not played as the round says" % place)
        if now.seed is not None:
            self.add_difference("a table was opened late although the seed was public")
        if place <= len(self.games):
            before = self.streams.get(self.games[place - 1])
            ends = [e["type"] for e in before.events[1:]] if before is not None else []
            if start_body(before).get("mode") == "dealt" or ends != ["game_closed"]:
                self.add_difference("a game with entries was started again at table %d" % place)
        self.games[place - 1 : place] = [game]
        if any(body["first"] <= place < body["first"] + len(body["tables"]) for body, *_ in self.queue_draws):
            return  # seated from the queue
        self.add_act("people who came late sat down at table %d after the round was opened" % place)

    def _round_closed(self, event, body):
        if self.status != "open":
            self.add_difference("it was closed without being open")
        if self._get_seed_period().seed is None:
            self.add_difference("it was closed without revealing its seed")
        self.status = "closed"
        if body.get("unfinished"):
            tables = ", ".join(str(place) for place in body["unfinished"])
            told = "it was closed while tables were playing: %s: %s"
            self.add_act(told % (tables, body.get("reason") or "no reason"))
        for place, game in enumerate(self.games, 1):
            ends = (
                {event["type"] for event in self.streams[game].events} if game in self.streams else {"gone"}
            )
            if not ends & {"game_ended", "game_closed", "gone"}:
                self.add_difference("it was closed, but table %d was neither finished nor broken off" % place)

    def _round_reopened(self, event, body):
        if self.status != "closed":
            self.add_difference("it was opened again without being closed")
        self.status = "open"
        self.add_act("it was opened again: %s" % (body["reason"] or "no reason"))

    def is_touched_by_officials(self):
        """Whether a draw was undone, a hand looked at, or the round reopened."""
        kinds = ("draw_undone", "hidden_cards_opened", "round_reopened")
        return any(event["type"] in kinds for event in self.stream.events)

    def get_players_at(self, game):
        """Return the players of a game of this round, by seat."""
        opened = self.opened_games[game]
        return opened.seated or (self.seated[opened.place - 1] if opened.place <= len(self.seated) else [])


def read_rounds(export, streams):
    """Read all rounds in the order of their numbers."""
    report, rows = export.report, sorted(export.rows("round"), key=lambda row: row["number"])
    listed = [row["stream"] for row in rows]
    unlisted = [stream for stream in streams.values() if stream.kind == "round" and stream.id not in listed]
    told = [row["number"] for row in rows]
    if (
        told != list(range(1, len(rows) + 1))
        or len(set(listed)) != len(listed)
        or not set(listed) <= streams.keys()
    ):
        report.add_difference("championship.json", "it does not list the rounds that exist")
    for stream in unlisted:  # planned, and dropped before it was drawn
        if {event["type"] for event in stream.events} - {"seed_committed", "entropy_added"}:
            report.add_difference("championship.json", "it does not list the rounds that exist")
    made = [
        streams[name].events[0]["recorded_at"] for name in listed if name in streams and streams[name].events
    ]
    if made != sorted(made):
        report.add_difference("championship.json", "its rounds are in another order than their seeds")
    own = streams.get(export.championship)
    same_cards = own is not None and plays_same_cards(own.events)
    rounds = [
        Round(streams[row["stream"]], "round %d" % row["number"], report, streams, same_cards)
        for row in rows
        if row["stream"] in streams and streams[row["stream"]].kind == "round"
    ]
    seeds = [
        event["commitments"].get("seed")
        for stream in streams.values()
        if stream.kind == "round"
        for event in stream.events
        if event["type"] == "seed_committed" and "commitments" in event
    ]
    if len(set(seeds)) != len(seeds):
        report.add_difference("rounds", "two of them have one seed")
    open_ = [period.seed for one in rounds for period in one.seed_periods if period.seed is not None]
    if len(set(open_)) != len(open_):
        report.add_difference("rounds", "two of them have one seed")
    return rounds


def check_rounds(export, streams, rounds):
    """Check the draws and deals of every round whose seed is revealed."""
    report, counts = export.report, {"rounds": 0, "deals": 0, "draws": 0}
    for one in rounds:
        own = dict.fromkeys(counts, 0) if one.is_touched_by_officials() else counts
        own["rounds"] += bool(one.seed_periods) and one.seed_periods[-1].seed is not None
        try:
            check_round(one, streams, report, own)
        except (Unusable, KeyError, IndexError, TypeError, ValueError, OverflowError) as error:
            report.add_difference(one.where, "its draw cannot be followed: %r" % (error,))
        if own is not counts and own["rounds"]:
            told = (
                "%s: officials touched its draw or its cards, which follow from its seeds: %d deals, %d draws"
            )
            report.notes.append(told % (one.where, own["deals"], own["draws"]))
    report.checked.append(
        "%(rounds)d rounds are revealed: %(deals)d deals dealt again, %(draws)d draws used their seed"
        % counts
    )


def check_round(one, streams, report, counts):
    """Check the draws and deals of one round. Add them to the counts."""
    for draw, period, entropy in one.drawn_seats:
        if period.seed is None:
            continue
        counts["draws"] += 1
        stream = RoundRandomness(period.seed, entropy).draw_bytes("pairing", draw["draw"], 0)
        if draw["seed"] and draw["seed"] != bytes(next(stream) for _ in range(32)).hex():
            one.add_difference("draw %d did not use the seed of the round" % draw["draw"])
    for draw, period, entropy, _moment in one.queue_draws:
        if period.seed is None:
            continue
        counts["draws"] += 1
        stream = RoundRandomness(period.seed, entropy).draw_bytes("queue", draw["draw"], 0)
        if draw["seed"] != bytes(next(stream) for _ in range(32)).hex():
            one.add_difference("draw %d from the queue did not use the seed of the round" % draw["draw"])
    for game, opened in sorted(one.opened_games.items()):
        stream, where = streams.get(game), "game %s" % game
        if stream is None:
            one.add_difference("the game %s is missing" % game)
            continue
        started = start_body(stream)
        dealt = started.get("mode") == "dealt"
        early, game_of = opened.seed_period.committed_at < FOREHAND_RULES_SINCE, find_variant(started)
        if (
            game_of is not None
            and not (early and not game_of.get("lots_ever"))
            and (opened.forehand is not None) != (dealt and is_forehand_drawn(started))
        ):
            one.add_difference("whether forehand of table %d is drawn contradicts the game" % opened.place)
        if opened.forehand is not None and not early and opened.forehand["exchanged"] is not None:
            one.add_difference("players swapped chairs at table %d when it was opened" % opened.place)
        deals = list(read_deals(stream, opened, report)) if dealt else []
        if opened.seed_period.seed is None:
            continue
        if dealt and any(
            event.get("commitments", {}).keys() != event["parts"].keys() for event in stream.events
        ):
            report.add_difference(where, "secrets are closed though the seed is revealed")
            continue
        chance = opened.seed_period.randomness
        if opened.forehand is not None:
            counts["draws"] += 1
            if not is_forehand_from_seed(opened.forehand, started["seats"], opened.seed_period.seed):
                one.add_difference("forehand of table %d was not drawn from the seed" % opened.place)
        for deal in deals:
            counts["deals"] += 1
            if not is_dealt_from_seed(deal, started, chance, opened.number):
                report.add_difference(where, "deal %d was not dealt from the seed" % deal["deal"])
            if (
                deal["at"] > opened.seed_period.revealed_at
                or deal["dated"] > opened.seed_period.revealed_at[1]
            ):
                report.add_difference(where, "deal %d was dealt from a seed that was public" % deal["deal"])


# --- source/entries.py
# Pairs and merged entries.


def list_pairs_at(own, moment):
    """Return the pairs at a moment, with number and players, in the order of their forming."""
    found = {}
    for event in own:
        body = event["body"]
        if event["at"] > moment:
            continue
        if event["type"] == "entrant_formed":
            found[body["entrant"]] = body["number"], list(body["players"])
        elif event["type"] == "entrant_joined" and body["entrant"] in found:
            found[body["entrant"]][1].append(body["player"])
        elif event["type"] == "entrant_parted":
            found.pop(body["entrant"], None)
    return list(found.values())


def list_merged_at(own, moment):
    """Return the merged entries at a moment: second reference → the one that counts."""
    found = {}
    for event in own:
        if event["at"] > moment:
            continue
        if event["type"] == "entries_merged":
            found[event["body"]["other"]] = event["body"]["player"]
        elif event["type"] == "entries_parted":
            found.pop(event["body"]["other"], None)
    return found


def check_merged_entries(export, rounds, own, players_by_pk):
    """Check merged entries: both were entered, never sat in the same round, and match the rows."""
    differs, entered, one_of = functools.partial(export.report.add_difference, "championship"), set(), {}
    for event in own:
        kind, body = event["type"], event["body"]
        if kind == "entry_added":
            entered.add(body["player"])
        elif kind == "entries_merged":
            both = {body["player"], body["other"]}
            if len(both) < 2 or not both <= entered or both & {*one_of, *one_of.values()}:
                differs("two entries were merged that must not be merged")
            one_of[body["other"]] = body["player"]
            for one in rounds:
                sat = list_seated_at(one, event["at"])
                if both <= sat:
                    differs("two entries were merged that both played in %s" % one.where)
        elif kind == "entries_parted" and one_of.pop(body["other"], None) != body["player"]:
            differs("two entries were separated that were not merged")
    told = {}
    for row in export.rows("entry"):
        if row.get("merged_into") is not None:
            told[row["player_ref"]] = players_by_pk.get(row["merged_into"])
    if told != one_of:
        export.report.add_difference("championship.json", "the merged entries are not those of the log")


def list_pair_starts_at(own, moment):
    """Return the starts of pairs: number → players, and number → that of the first start of the same two."""
    persons, members, key_of = list_persons_at(own, moment), {}, {}
    for number, players in sorted(list_pairs_at(own, moment)):
        members[number] = players
        key_of[number] = frozenset(persons[player] for player in players)
    first = {}
    for number in sorted(members):
        first.setdefault(key_of[number], number)
    return members, {number: first[people] for number, people in key_of.items()}


def list_persons_at(own, moment):
    """Return the person of each start at a moment: the first entry, or the one that counts for it."""
    above = {}
    for event in own:
        if event["type"] == "entry_added":
            above[event["body"]["player"]] = event["body"].get("start_of")
    above.update(list_merged_at(own, moment))
    found = {}
    for player in above:
        person = player
        for _ in above:
            if above.get(person) is None:
                break
            person = above[person]
        found[player] = person
    return found


def check_starts(export, own, players_by_pk):
    """Check further starts: of a first entry that was there before, and equal to the rows."""
    first, told = set(), {}
    for event in own:
        if event["type"] == "entry_added":
            player, start_of = event["body"]["player"], event["body"].get("start_of")
            if start_of is None:
                first.add(player)
                continue
            told[player] = start_of
            if start_of not in first:
                export.report.add_difference("championship", "a start is of somebody who was not entered")
    rows = {
        row["player_ref"]: players_by_pk.get(row["start_of"])
        for row in export.rows("entry")
        if row.get("start_of") is not None
    }
    if rows != told:
        export.report.add_difference("championship.json", "the starts of people are not those of the log")


def list_tables_at(one, moment, before=False):
    """Return table → players by seat, of a round at a moment; `before`: without what happened at it."""
    seats = {}
    for event in one.stream.events:
        kind, body = event["type"], event["body"]
        if event["at"] > moment or (before and event["at"] == moment):
            continue
        if kind == "seats_drawn":
            seats = {(t, s): p for t, table in enumerate(body["tables"], 1) for s, p in enumerate(table)}
        elif kind == "tables_drawn":
            for t, table in enumerate(body["tables"], body["first"]):
                seats.update({(t, s): p for s, p in enumerate(table)})
        elif kind == "table_taken_back":
            seats = {chair: p for chair, p in seats.items() if chair[0] != body["table"]}
        elif kind == "draw_undone":
            seats = {}
        elif kind == "chair_taken":
            seats[body["table"], body["seat"]] = body["player"]
        elif kind == "seats_exchanged":
            seats.update(zip(zip(body["tables"], body["seats"]), body["players"]))
    tables = {}
    for table, seat in sorted(seats):
        tables.setdefault(table, []).append(seats[table, seat])
    return tables


def list_seated_at(one, moment):
    """Return the players that had a seat in a round at a moment."""
    return {player for seated in list_tables_at(one, moment).values() for player in seated}


def check_pairs(export, rounds, own, players_by_pk):
    """Check pairs: of free entries, parted only before they played, and equal to the rows."""
    differs = functools.partial(export.report.add_difference, "championship")
    numbers, gone, pairs, rows = {}, set(), {}, {}
    for event in own:
        kind, body = event["type"], event["body"]
        taken = {player for members in pairs.values() for player in members}
        if kind == "entry_added":
            numbers[body["player"]] = body["number"]
        elif kind == "entry_withdrawn":
            gone.add(body["player"])
        elif kind == "entry_returned":
            gone.discard(body["player"])
            members = next((found for found in pairs.values() if body["player"] in found), [])
            if len(set(members) - gone) > 2:
                differs("a person joined a pair that had no free place")
        elif kind == "entrant_formed":
            members = list(body["players"])
            free = numbers.keys() - taken - gone
            if (
                body["entrant"] in pairs
                or len(set(members) & free) < max(2, len(members))
                or numbers[members[0]] != body["number"]
            ):
                differs("a pair was formed of people who were not free")
            pairs[body["entrant"]] = members
        elif kind == "entrant_joined":
            members, free = pairs.get(body["entrant"], []), numbers.keys() - taken - gone
            left = set(members) - gone
            if body["player"] not in free or len(left) != 1:
                differs("a person joined a pair that had no free place")
            elif any(_has_played(one, members, event["at"]) for one in rounds):
                told = "championship: number %r joined the pair %r, which had played"
                export.report.notes.append(told % (numbers[body["player"]], numbers[members[0]]))
                if not any(_has_played(one, left, event["at"]) for one in rounds):
                    differs("a pair continued although no member has played for it")
            members.append(body["player"])
        elif kind == "entrant_parted":
            members = pairs.pop(body["entrant"], None)
            if members is None or any(_has_played(one, members, event["at"]) for one in rounds):
                differs("a pair that had played was separated")
    for row in export.rows("entry"):
        if row.get("entrant") is not None:
            rows.setdefault(row["entrant"], []).append(players_by_pk[row["pk"]])
    told = [(row["ref"], row["number"], sorted(rows.pop(row["pk"], []))) for row in export.rows("entrant")]
    formed = {e["body"]["entrant"]: e["body"]["number"] for e in own if e["type"] == "entrant_formed"}
    if rows or sorted(told) != sorted((ref, formed[ref], sorted(pairs[ref])) for ref in pairs):
        export.report.add_difference("championship.json", "the pairs are not those of the log")


def check_excuses(export, rounds, own):
    """Check that absences were excused before their rounds were drawn."""
    differs, known = functools.partial(export.report.add_difference, "championship"), {}
    for event in own:
        if event["type"] != "absences_excused":
            continue
        told = set(event["body"]["rounds"])
        changed = told ^ known.get(event["body"]["player"], set())
        known[event["body"]["player"]] = told
        for one in (rounds[number - 1] for number in changed if 0 < number <= len(rounds)):
            turns = [
                e["type"]
                for e in one.stream.events
                if e["type"] in ("seats_drawn", "draw_undone") and e["at"] <= event["at"]
            ]
            if turns[-1:] == ["seats_drawn"]:
                differs("an absence was excused after its round was drawn")


def _has_played(one, members, moment):
    """Whether a member had a seat or a bye in a round that was opened before a moment."""
    seated, opened = set(), False
    for event in one.stream.events:
        if event["at"] > moment:
            continue
        if event["type"] == "seats_drawn":
            seated, opened = set(event["body"]["players"]), False
        elif event["type"] in ("round_opened", "draw_undone"):
            opened = event["type"] == "round_opened"
        elif event["type"] in ("tables_drawn", "table_taken_back"):
            seated = list_seated_at(one, event["at"])
    return opened and bool(seated & set(members))


# --- source/table_rows.py
# The rows beside the log: championship, entries, rounds, tables, seats, games, names, receipts.

STATUS_EVENTS = ("seats_drawn", "draw_undone", "round_opened", "round_closed", "round_reopened")
REQUIRED_TABLES = (
    "championship",
    "regulations",
    "entry",
    "round",
    "game",
    "seat",
    "table",
    "seating",
    "sitout",
    "standingssnapshot",
)


def check_tables(export, streams, rounds, own):
    """Compare the rows beside the log with the log."""
    differs = functools.partial(export.report.add_difference, "championship.json")
    missing = [table for table in REQUIRED_TABLES if table not in export.tables]
    if missing:
        differs("it lacks %s" % ", ".join(missing))
    by_pk = {table: {row["pk"]: row for row in export.rows(table)} for table in REQUIRED_TABLES}
    if any(len(by_pk[table]) != len(export.rows(table)) for table in REQUIRED_TABLES):
        differs("it contains a row twice")
    told = {
        type_: [event["body"] for event in own if event["type"] == type_]
        for type_ in KNOWN_EVENTS["championship"]
    }

    # the championship and its regulations
    sets, frozen = told["regulations_set"], [body["version"] for body in told["regulations_frozen"]]
    versions = [body["version"] for body in sets]
    if versions != list(range(1, len(sets) + 1)) or len(frozen) > 1 or frozen not in ([], versions[-1:]):
        export.report.add_difference(
            "championship", "its regulations changed after they were frozen, or their versions are wrong"
        )
    planned = [body["rounds"] for body in told["rounds_planned"]] or [sets[-1]["regulations"]["rounds"]]
    if len(by_pk["round"]) != planned[-1]:
        differs("it has %d rounds instead of %r" % (len(by_pk["round"]), planned[-1]))
    status = "finished" if told["championship_finished"] else "running" if frozen else "draft"
    rows = [
        (row["stream"], row["slug"], row["regulations_version"], row["status"])
        for row in by_pk["championship"].values()
    ]
    if rows != [(export.championship, export.manifest["slug"], versions[-1] if versions else None, status)]:
        differs("the championship is not the one of the log")
    rows = {
        row["version"]: (row["data"], row["frozen_at"] is not None) for row in by_pk["regulations"].values()
    }
    if rows != {body["version"]: (body["regulations"], body["version"] in frozen) for body in sets}:
        differs("the regulations are not those of the log")

    # The first checkpoint that covers an event decides, because clocks may be wrong.
    frozen_at = [event["at"][0] for event in own if event["type"] == "regulations_frozen"]
    opened_at = [e["at"][0] for one in rounds for e in one.stream.events if e["type"] == "round_opened"]
    if opened_at and (not frozen_at or frozen_at[0] > min(opened_at)):
        export.report.add_difference("championship", "its regulations were changed after a round was opened")
    finished_at = [event["at"][0] for event in own if event["type"] == "championship_finished"]
    for one in rounds if finished_at else ():
        turns = [e for e in one.stream.events if e["type"] in STATUS_EVENTS and e["at"][0] <= finished_at[0]]
        last = [e for e in turns if e["at"][0] == finished_at[0]] or turns[-1:]
        if all(event["type"] != "round_closed" for event in last):
            export.report.add_difference(
                "championship", "it was finished though %s was not closed" % one.where
            )

    # entries
    players = {pk: row["player_ref"] for pk, row in by_pk["entry"].items()}
    added = [(body["number"], body["player"]) for body in told["entry_added"]]
    if sorted((row["number"], row["player_ref"]) for row in by_pk["entry"].values()) != sorted(added):
        differs("the entries are not those of the log")
    if len({number for number, _ in added}) < len(added) or len({player for _, player in added}) < len(added):
        export.report.add_difference("championship", "a number or a player was entered twice")
    entered = {player for _, player in added}
    for one in rounds:
        for draw, _period, _entropy in one.drawn_seats:
            if not set(draw["players"]) <= entered:
                one.add_difference("draw %d seats a person who was never entered" % draw["draw"])
        if not set(one.late_players) <= entered:
            one.add_difference("a person who was never entered sat down")

    check_pairs(export, rounds, own, players)
    check_merged_entries(export, rounds, own, players)
    check_starts(export, own, players)
    check_excuses(export, rounds, own)

    # rounds, tables and seats
    numbers = {one.stream.id: one for one in rounds}
    of_round = {pk: numbers.get(row["stream"]) for pk, row in by_pk["round"].items()}
    for pk, row in by_pk["round"].items():
        one = of_round[pk]
        if one is None:
            continue
        if (row["status"], row["draws"]) != (one.status, one.draw_count):
            one.add_difference("it is %s after draw %r, not as the log says" % (row["status"], row["draws"]))
        tables = {
            r["pk"]: r
            for r in by_pk["table"].values()
            if r["round"] == pk and r.get("undone") is None  # kept because of a referee's decision
        }
        there = sorted((r["number"], r["game"], r["mode"]) for r in tables.values() if r["game"] is not None)
        if sorted(r["number"] for r in tables.values()) != list(range(1, len(one.seated) + 1)):
            one.add_difference("its tables are not those that were drawn")
        wanted = [(n, game, one.opened_games[game].mode) for n, game in enumerate(one.games, 1)]
        if one.status in ("open", "closed") and there != wanted:
            one.add_difference("its tables have other games than the log says")
        sat = sorted(
            (tables[r["table"]]["number"] if r["table"] in tables else 0, r["seat"], players.get(r["entry"]))
            for r in by_pk["seating"].values()
            if r["round"] == pk
        )
        if sat != [(n, s, player) for n, table in enumerate(one.seated, 1) for s, player in enumerate(table)]:
            one.add_difference("the seats are not those of the draw")
        out = sorted(players.get(r["entry"], "") for r in by_pk["sitout"].values() if r["round"] == pk)
        if out != sorted(one.byes):
            one.add_difference("the byes are not those of the draw")
        plays = {
            (tables[r["table"]]["number"], r["seat"], r["deal"], players.get(r["entry"]))
            for r in (export.rows("substitute") if "substitute" in export.tables else [])
            if r["table"] in tables
        }
        if plays != {(*at, n, who) for at, told in one.substitutes.items() for n, who in told.items()}:
            one.add_difference("the substitutes are not those of the log")
    for table in ("table", "seating", "sitout"):
        if any(row["round"] not in of_round for row in by_pk[table].values()):
            differs("the table %s refers to a round that does not exist" % table)

    for one in rounds:
        sheets = [start_body(streams.get(game)) for game in one.games]
        ways = {started.get("counting") for started in sheets if started.get("mode") == "sheet"}
        if len(ways) > 1:
            one.add_difference("its sheets are counted in several ways")

    # games
    if by_pk["game"].keys() != {stream.id for stream in streams.values() if stream.kind == "game"}:
        differs("its games are not those of the log")
    belongs = [game for one in rounds for game in one.opened_games]
    if len(set(belongs)) != len(belongs):
        export.report.add_difference("rounds", "two of them have one game")
    seats = {}
    for row in by_pk["seat"].values():
        seats.setdefault(row["game"], {})[row["number"]] = row["player_ref"]
    regulations = next((body["regulations"] for body in sets[::-1]), None)
    options = {}
    for game, row in by_pk["game"].items():
        where, started, one = (
            "game %s" % game,
            start_body(streams.get(game)),
            numbers.get(row["round_stream"]),
        )
        said = [started.get(name) for name in ("variant", "mode", "seats", "options")]
        if said != [row[name] for name in ("variant", "mode", "seat_count", "options")]:
            export.report.add_difference(where, "it is another game than the log says")
        if one is None or game not in one.opened_games:
            if one is None or any(
                event["type"] in SCORING_EVENTS for event in streams[game].events if game in streams
            ):
                export.report.add_difference(where, "it belongs to no round")
            else:
                export.report.notes.append("%s was begun and is not counted: its draw was undone" % where)
        else:
            if row["number"] != one.opened_games[game].number:
                export.report.add_difference(where, "it plays the cards of another table")
            if seats.get(game) != dict(enumerate(one.get_players_at(game))):
                export.report.add_difference(where, "its players are not those of the draw")
        if regulations is not None and not is_by_regulations(started, row, regulations):
            export.report.add_difference(where, "it was not played by the regulations")
        if started.get("options") != options.setdefault(started.get("seats"), started.get("options")):
            export.report.add_difference(where, "it was played by other rules than the first game")
    if seats.keys() - by_pk["game"].keys():
        differs("a seat refers to a game that does not exist")
    export.report.checked.append(
        "entries, regulations, tables and seats are those of the log: %d entries, %d tables"
        % (len(added), len(by_pk["table"]))
    )
    house = sum(row["house"] is not False for row in by_pk["entry"].values())
    if house:
        export.report.unproven.append(
            "%d entries are players of the house, who are not ranked; that is not sealed" % house
        )
    bots = sum(row["bot"] != "" for row in by_pk["seat"].values())
    if bots:
        export.report.unproven.append("%d seats were played by programs; that is not sealed" % bots)


def check_names(export):
    """Check that names belong to entries, and report data that are not sealed."""
    if "names.json" in export.infos:
        names = next(iter(export.read_lines("names.json")), {})
        known = {str(row["pk"]) for row in export.rows("entry")}
        if not set(names.get("entry", {})) <= known:
            export.report.add_difference("names.json", "it names a person who was never entered")
    export.report.unproven.append(
        "not sealed, only what the platform says now: names and clubs, who plays for the house, the title, "
        "place and time of the championship. Who has which number stands on the sheets of the hall"
    )
    export.report.unproven.append(
        "not checked here: whether the rules of Jass were applied rightly. python -m engine audit does that"
    )


def check_receipts(export, streams):
    """Compare the receipts of a backup with the envelopes: the events of each command."""
    if "receipts.jsonl" not in export.listed:
        return
    told = [
        (one["stream"], one["command_id"], one["first_seq"], one["count"])
        for one in export.read_lines("receipts.jsonl")
    ]
    found = []
    for name in sorted(streams):
        for event in streams[name].events:
            if found and found[-1][:2] == (name, event["command_id"]):
                found[-1] = (*found[-1][:3], found[-1][3] + 1)
            else:
                found.append((name, event["command_id"], event["seq"], 1))
    if sorted(told) != sorted(found):
        export.report.add_difference("receipts.jsonl", "it does not list the events of each command")


# --- source/tricks.py
# Play of cards: hands, turns, tricks, melds, and the order of events in a deal.

TAKEN_CARDS = {"talon_taken": "cards", "extra_exchanged": "taken"}
"""Events by which a seat takes cards: the secret part that has them."""
GIVEN_CARDS = {"cards_discarded": "cards", "extra_exchanged": "given"}
"""Events by which a seat gives cards away: the secret part that has them."""
HAND_CHANGES = (*TAKEN_CARDS, *GIVEN_CARDS, "turned_taken")
ONCE_A_DEAL = (
    "contract_set",
    "auction_won",
    "auction_failed",
    "talon_taken",
    "cards_discarded",
    "deal_conceded",
)
"""Events that occur at most once in a deal."""
ONCE_A_SEAT = (
    *ONCE_A_DEAL,
    "prediction_made",
    "extra_exchanged",
    "extra_kept",
    "turned_taken",
    "deal_accepted",
)
"""Events that occur at most once in a deal, or once for each seat."""
BEFORE_FIRST_CARD = (*ONCE_A_SEAT, "bid_made", "bid_deferred", "bid_passed", "pushed")
"""Events that come before the first card."""
EARLY_ENDS = ("deal_conceded", "deal_stopped", "ruling_made", "out_claimed")
"""Events that end a deal before its last trick. Other checks decide whether they are allowed."""


def check_play(stream, started):
    """Check the cards of a dealt game. Return the number of deals. Raise Unusable."""
    seats, hands, played, trick, lead, number = started["seats"], {}, set(), [], None, 0
    extra, excused, said = {}, False, set()
    exchanged, contract, tricks, whole, deals = False, None, 0, 0, 0
    game = find_variant(started)
    for at, event in enumerate(stream.events):
        kind, body, parts = event["type"], event["body"], event["parts"]
        where = "deal %d, event %d: " % (number, event["seq"])
        if game is not None and kind in BEFORE_FIRST_CARD:
            once = kind, None if kind in ONCE_A_DEAL else body.get("seat")
            if kind in ONCE_A_SEAT and once in said:
                raise Unusable(where + "%s came twice" % kind)
            said.add(once)
            if played and not (kind == "contract_set" and game.get("late_trumps")):
                raise Unusable(where + "%s came after the first card" % kind)
        if kind == "deal_started":
            number, hands, played, trick, lead, tricks = body["deal"], {}, set(), [], None, 0
            extra, excused, said = {}, False, set()
            exchanged, contract, whole, deals = False, None, 0, deals + 1
        elif kind in ("hand_dealt", "table_dealt", "hand_taken_up"):
            names = [name for name in ("cards", "closed") if name in event.get("commitments", {})]
            if any(name not in parts for name in names):
                exchanged = True  # still closed: the hand is unknown
            cards = [card for name in names for card in parts.get(name, [])] + body.get("open", [])
            if (
                kind == "hand_taken_up"
                and not exchanged
                and sorted(cards) != sorted(hands.get(body["seat"], []))
            ):
                raise Unusable(where + "another hand was taken up than was dealt")
            if kind != "hand_taken_up":
                if body["seat"] == 0:
                    whole += body["size"] * (2 if kind == "table_dealt" else 1)
                hands.setdefault(body["seat"], []).extend(cards)
        elif kind in HAND_CHANGES:
            known = event.get("commitments", {}).keys() <= parts.keys()
            exchanged = exchanged or not known  # still closed, as above
            if not exchanged:
                change_hand(where, hands, extra, event)
        elif kind == "melds_scored" and game is not None:
            for meld in body["shown"]:
                held = exchanged or set(meld["cards"]) <= set(hands.get(meld["seat"], []))
                if not held or meld["points"] != compute_meld_points(meld["cards"]):
                    raise Unusable(where + "seat %d showed a meld that it did not have" % meld["seat"])
            if body["points"] not in (None, sum(meld["points"] for meld in body["shown"])):
                raise Unusable(where + "melds count other points than were shown")
        elif kind == "stoeck_declared":
            pair = {"DHSC"[SUITS.index(contract)] + rank for rank in "KQ"} if contract in SUITS else set()
            if game is not None and (
                not pair or (not exchanged and not pair <= set(hands.get(body["seat"], [])))
            ):
                raise Unusable(where + "seat %d declared a Stöck that it did not have" % body["seat"])
        elif kind == "extra_dealt":
            extra[body["seat"]] = list(parts.get("cards", []))
        elif kind == "talon_dealt":
            extra["talon"] = [*body["open"], *parts.get("closed", [])]
        elif kind == "trump_turned":
            extra["turned"] = [body["card"]]
        elif kind == "contract_set":
            contract = body["contract"]
            if game is None and (played or contract not in CONTRACTS):
                contract = None  # its effect on tricks is unknown
        elif kind == "card_played":
            seat, card = body["seat"], body["card"]
            if card not in DECK or card in played or (not exchanged and card not in hands.get(seat, [])):
                raise Unusable(where + "seat %d played %s, which it did not have" % (seat, card))
            due = lead if not trick else (trick[-1][0] + 1) % seats
            if len(trick) == seats or (due is not None and seat != due):
                raise Unusable(where + "seat %d played out of turn" % seat)
            played.add(card)
            trick.append((seat, card))
        elif kind == "trick_taken":
            tricks += 1
            if len(trick) != seats:
                raise Unusable(where + "a trick was taken that was not full")
            check_trick(where, game or {}, contract, trick, body, tricks == whole, tricks, whole)
            trick, lead = [], body["seat"]
        elif kind in EARLY_ENDS:
            excused = True
        elif kind == "deal_scored":
            if len(trick) == seats and not is_won_by_bonus(stream.events, at):
                raise Unusable(where + "a trick was not taken")
            if game is not None and tricks < whole and not (excused or is_won_by_target(started, stream, at)):
                raise Unusable(where + "it was scored after %d tricks of %d" % (tricks, whole))
    return deals


def is_won_by_target(started, stream, at):
    """Whether the deal scored here ends a game that is played to a target."""
    target = find_variant(started).get("target")
    follows_end = any(event["type"] == "game_ended" for event in stream.events[at + 1 : at + 2])
    return follows_end and (target == "bid" or (target == "both" and bool(started["options"]["target"])))


def change_hand(where, hands, extra, event):
    """Exchange cards of a seat. Raise Unusable if it lacks a given card, or if a taken card does not lie
    there."""
    kind, body, parts = event["type"], event["body"], event["parts"]
    seat, hand = body["seat"], hands.setdefault(body["seat"], [])
    given = [body["six"]] if kind == "turned_taken" else parts.get(GIVEN_CARDS.get(kind), [])
    taken = [body["card"]] if kind == "turned_taken" else parts.get(TAKEN_CARDS.get(kind), [])
    there = extra.get({"talon_taken": "talon", "turned_taken": "turned"}.get(kind, seat), [])
    held = [card for own in hands.values() for card in own]
    if len(set(given)) < len(given) or not set(given) <= set(hand):
        raise Unusable(where + "seat %d gave cards away that it did not have" % seat)
    if not set(taken) <= set(there) or set(taken) & set(held) or len(set(taken)) < len(taken):
        raise Unusable(where + "seat %d took cards that were not there" % seat)
    hand[:] = [card for card in hand if card not in given] + list(taken)


def check_written_tricks(stream, started):
    """Check takers and points of tricks that were recorded card by card. Raise Unusable.

    Tricks with unknown cards or an unknown contract are not checked.
    """
    game, seats = find_variant(started), started["seats"]
    number, trick, contract, tricks, whole = 0, [], None, 0, 0
    for event in effective_events(stream):
        kind, body = event["type"], event["body"]
        where = "deal %d, event %d: " % (number, event["seq"])
        if kind == "deal_started":
            number, trick, contract, tricks, whole = body["deal"], [], None, 0, 0
        elif kind in ("hand_dealt", "table_dealt") and body["seat"] == 0:
            whole += body["size"] * (2 if kind == "table_dealt" else 1)
        elif kind == "contract_set":
            contract = body["contract"] if game is not None or body["contract"] in CONTRACTS else None
        elif kind == "card_played":
            trick.append((body["seat"], body["card"]))
        elif kind == "trick_taken":
            tricks += 1
            cards = [card for _, card in trick]
            if len(trick) == seats and set(cards) <= set(DECK) and None not in (body["seat"], body["points"]):
                check_trick(where, game or {}, contract, trick, body, tricks == whole, tricks, whole)
            trick = []


def is_won_by_bonus(events, at):
    """Whether melds or Stöck end the game, before the present trick is taken."""
    around = [event["type"] for event in events[at - 1 : at + 2]]
    return around[0] in ("melds_scored", "stoeck_declared") and around[2:] == ["game_ended"]


def check_trick(where, game, contract, trick, body, last, number, whole):
    """Check the taker and the points of a trick, if the contract is known. Raise Unusable."""
    named = contract is not None
    if game.get("late_trumps"):
        contract = contract or "obenabe"
    if contract is None:
        return
    plain = [(DECK.index(card) // 9, DECK.index(card) % 9) for _, card in trick]
    led = plain[0][0]
    if contract in SUITS:
        trump, up = SUITS.index(contract), True
    else:
        trump, up = None, contract.endswith("obenabe")
        half = (whole + 1) // 2
        if (contract.startswith("slalom") and number % 2 == 0) or (
            contract.startswith("guschti") and number > half
        ):
            up = not up

    def strength(card):
        suit, rank = card
        if suit == trump:
            return 100 + TRUMP_ORDER[rank]
        return (rank if up else 8 - rank) if suit == led else -1

    best = max(range(len(trick)), key=lambda at: strength(plain[at]))
    if body["seat"] != trick[best][0]:
        raise Unusable(where + "seat %r took a trick of seat %d" % (body["seat"], trick[best][0]))
    if not game.get("counted"):
        return
    points = (5 if last else 0) + sum(compute_card_points(card, contract) for _, card in trick)
    if body["points"] != (points if named else None):
        raise Unusable(where + "a trick of %d points counts %r" % (points, body["points"]))


SHEET_EVENTS = ("result_entered", "result_corrected", "result_confirmed")
COMMON_EVENTS = ("game_started", "game_ended", "ruling_made", "deal_annulled", "game_closed", "game_resumed")
CARD_EVENTS = ("deal_started", "hand_dealt", "card_played", "trick_taken", "deal_scored", "infraction_found")


def check_event_types(stream, started):
    """Check that the events belong to the mode and variant of the game. Raise Unusable.

    Only events recorded card by card can be taken back.
    """
    mode, game, last = started["mode"], find_variant(started), 0
    sides = game.get("sides") or (2 if game.get("partners") and started["seats"] == 4 else started["seats"])
    if started["sides"] != sides:
        raise Unusable("it has %r sides instead of %d" % (started["sides"], sides))
    allowed = {
        *COMMON_EVENTS,
        *(SHEET_EVENTS if mode == "sheet" else (*CARD_EVENTS, "suit_barred", *game["events"].split())),
    }
    if mode == "transcribed":
        allowed.add("taken_back")
    for event in stream.events:
        where = "event %d: " % event["seq"]
        if event["type"] not in allowed and event["type"] in KNOWN_EVENTS["game"]:
            raise Unusable(where + "%s does not come in this game" % event["type"])
        if event["type"] in ("deal_started", "ruling_made", "deal_annulled", "game_closed", "game_resumed"):
            last = event["seq"] + (event["type"] != "deal_started")
        elif event["type"] == "taken_back" and not last <= event["body"]["to"] < event["seq"]:
            raise Unusable(where + "an event was taken back that cannot be taken back")


# --- source/deal_scores.py
# Scores of deals, and totals.

FIXING_RULINGS = ("annul_deal", "short_hand", "score_change")
"""Rulings that fix the score of a deal."""
MOVING_RULINGS = ("award_from_trick", "card_powerless")
"""Rulings that move points of a deal. This program does not derive how many."""
SLOT_FACTORS = dict(
    zip(
        (
            "diamonds",
            "hearts",
            "spades",
            "clubs",
            "obenabe",
            "undenufe",
            "joker7",
            "joker8",
            "slalom",
            "guschti",
        ),
        range(1, 11),
    )
)
SACK_POINTS = APPLE_POINTS = 20
APPLES_TO_LOSE = 3
SCORING_FACTS = ("contract", "slot", "chooser", "dealer", "declarer", "bid", "predictions", "conceded")
"""Facts that decide the score of a deal, beside its points."""


class Deal:
    """One deal: its tricks, and the points beside its cards."""

    def __init__(self, number, seats, sides):
        self.number = number
        self.contract = self.slot = self.chooser = self.dealer = self.conceded = None
        self.declarer = self.bid = None
        self.bids = False  # whether its line of the sheet has a bid
        self.tricks = []  # (seat, points)
        self.table_cards, self.trick_cards = [], []  # cards on the table, cards of each trick
        self.point_events = []  # (side, points) in the order of counting
        self.size = 0
        self.stoeck, self.melds, self.discards = [], (None, 0), None
        self.predictions = [None] * seats
        self.pushes, self.bids_made, self.own_predictions = 0, [], {}
        self.discarded_cards = None  # those of the declarer
        self.stopped_by = None  # the seat that stopped the deal
        self.cards, self.bonuses = [0] * sides, [0] * sides
        self.trick_sides = set()
        self.sweep, self.sweeps = None, [0] * sides
        self.bonus = 0  # of the sweep, included in the bonuses
        self.ties = ()  # ties before the deal
        self.is_known = True  # whether all its scoring facts are known
        self.seq = None  # the event that recorded it


class DealScores:
    """The scores of the deals of a game, and its totals.

    faults: statements of the log that do not follow; unproven: figures that this program cannot derive.
    The scores of an unknown variant are taken from the log.
    """

    def __init__(self, started):
        self.started, self.game = started, find_variant(started)
        self.rules = self.game or {}
        self.options, self.mode = started["options"], started["mode"]
        self.seats, self.sides = started["seats"], started["sides"]
        self.totals, self.winners = [0] * self.sides, []
        self.deals = {}  # number → Deal
        self.scores_written = {}  # number → scores, None if they follow from the rulings
        self.scores_ruled = {}  # number → the rulings and the scores that they state
        self.scores_recorded = {}  # number → the scores in the event that closed the deal
        self.rulings, self.replaced_rulings = {}, set()
        self.current_deal = None  # the deal in play
        self.declarer = self.bid = None
        self.over = False
        self.ruled_cards = {}  # deal → its card points with the rulings of these numbers
        self.running_totals = []  # the totals in the course of the last deal
        self.claim = None
        self.faults, self.unproven, self.touched = [], [], []

    def get_side(self, seat):
        """Return the side of a seat."""
        if self.sides == self.seats:
            return seat
        if self.seats == 3:
            return int(seat != self.declarer)
        return seat % 2

    def get_factor(self, deal):
        """Return the factor of the points of a deal."""
        kind = self.rules.get("factors")
        if kind == "contract":
            return self.options["multipliers"].get(deal.contract, 1)
        return SLOT_FACTORS.get(deal.slot or deal.contract, 1) if kind == "slot" else 1

    def list_targets(self):
        """Return the points that end the game, by side; an empty list without a target."""
        kind = self.rules.get("target")
        if kind == "bid":
            return [self.bid or 10**9, self.options["opponents_target"]]
        return [self.options["target"]] * 2 if kind == "both" and self.options["target"] else []

    def get_deal_limit(self):
        """Return the number of deals after which the game is over, or None."""
        if self.started.get("hand_in") == "totals":
            return 1
        count = self.rules.get("deals")
        return 10 * self.sides if count == "slots" else self.options["deals"] if count == "option" else None

    def list_leaders(self, totals):
        """Return the leading sides."""
        better = -1 if self.rules.get("fewest") else 1
        best = max(better * total for total in totals)
        return [side for side, total in enumerate(totals) if better * total == best]

    def score_deal(self, deal, ties):
        """Return the scores of a deal and the ties after it. Raise Unusable if a fact is unknown."""
        kind, cards = self.game["score"], deal.cards
        if deal.conceded is not None:
            return [0, deal.conceded], ()
        factor = self.get_factor(deal)
        points = [factor * (own + more) for own, more in zip(cards, deal.bonuses)]
        if kind == "sum":
            return points, ()
        if kind == "chooser":
            if deal.chooser is None:
                raise Unusable("nobody chose")
            return [n if side == self.get_side(deal.chooser) else 0 for side, n in enumerate(points)], ()
        if kind == "predicted":
            return self.score_predicted(deal, points), ()
        if kind == "apples":
            one, other = cards
            apples = [own <= APPLE_POINTS for own in cards]
            return [(one > other) - apples[0], (other > one) - apples[1]], ()
        if kind == "bid":
            won = cards[deal.declarer] >= deal.bid
            winner = deal.declarer if won else 1 - deal.declarer
            sack = cards[1 - winner] + DEAL_POINTS - sum(cards) <= SACK_POINTS
            return [1 if side == winner else -int(sack) for side in (0, 1)], ()
        return score_sticks(cards, ties)

    def score_predicted(self, deal, points):
        """Return how far each seat is off its prediction."""
        if None in deal.predictions:
            raise Unusable("a prediction is not known")
        scores = []
        for seat, (said, taken) in enumerate(zip(deal.predictions, points)):
            off = abs(said - taken)
            if off == 0 and (said or seat in deal.trick_sides):
                off -= self.options["exact_bonus"]
            if self.options["dealer_incentive"] and seat == deal.dealer:
                off -= abs(DEAL_POINTS - sum(deal.predictions)) // self.options["dealer_incentive"]
            scores.append(off)
        return scores

    def count_cards(self, deal):
        """Count the card points and bonuses of a deal that was played card by card."""
        tricks = deal.tricks
        if self.rules.get("late_trumps"):  # tricks before the choice of trumps also count by them
            contract, last = deal.contract or "obenabe", deal.size - 1
            tricks = [
                (
                    seat,
                    sum(compute_card_points(card, contract) for card in deal.trick_cards[at])
                    + 5 * (at == last),
                )
                for at, (seat, _) in enumerate(deal.tricks)
            ]
        for seat, points in tricks:
            if seat is None or points is None:
                raise Unusable("a trick is not known")
            deal.cards[self.get_side(seat)] += points
            deal.trick_sides.add(self.get_side(seat))
        if deal.discards is not None:
            if deal.discards[1] is None:
                raise Unusable("the discards are not known")
            deal.cards[self.get_side(deal.discards[0])] += deal.discards[1]
        for seat, points in deal.stoeck:
            deal.bonuses[self.get_side(seat)] += points
        if deal.melds[0] is not None:
            deal.bonuses[deal.melds[0]] += deal.melds[1] or 0
        if len(deal.trick_sides) == 1:
            [deal.sweep] = deal.trick_sides
            deal.bonus = self.options.get("sweep_bonus", 0) if len(deal.tricks) == deal.size else 0
            deal.bonuses[deal.sweep] += deal.bonus

    def score_as_played(self, deal):
        """Return the scores of a deal that a ruling ended, as far as it was played, or None."""
        try:
            self.score_deals()
            deal.ties = self.ties
            self.count_cards(deal)
            if deal.is_known and self.game is not None:
                return self.score_deal(deal, deal.ties)[0]
        except FAILING:
            pass
        deal.is_known = False
        return None

    def score_by_ruling(self, deal, ruling):
        """Return the scores of a deal by a ruling that fixes them."""
        if ruling["kind"] == "score_change":
            return list(ruling["scores"])
        if ruling["kind"] == "annul_deal" or ruling.get("choice") == "annul":
            return [0] * self.sides
        return self.score_deal(self.redistribute_points(deal, ruling), deal.ties)[0]

    def redistribute_points(self, deal, ruling):
        """Return a deal with its points given to the others, because a seat had wrong cards."""
        against, side = ruling["against"], self.get_side(ruling["against"])
        after = [self.get_side((against + turn) % self.seats) for turn in range(1, self.seats)]
        to = [one for one in dict.fromkeys(after) if one != side]
        to = to if ruling.get("to") is None else [ruling["to"]]
        whole = self.rules.get("deal_points", DEAL_POINTS)
        whole = DEAL_POINTS - PUUR_POINTS + self.options["puur_value"] if whole == "puur" else whole
        each, more = divmod(whole, len(to))
        found = Deal(deal.number, self.seats, self.sides)
        for name in SCORING_FACTS:
            setattr(found, name, getattr(deal, name))
        for place, one in enumerate(to):
            found.cards[one] = each + (place < more)
            found.trick_sides.add(one)
        return found

    def list_rulings_on(self, number):
        """Return the rulings in force that concern the points of a deal."""
        return [
            r
            for r in self.rulings.values()
            if r.get("deal") == number and r["kind"] in FIXING_RULINGS + MOVING_RULINGS
        ]

    def score_deals(self):
        """Return the present scores of each deal; None if this program cannot derive them."""
        found, ties = {}, ()
        sticks = self.game is not None and self.game["score"] == "sticks"
        for number in sorted(self.scores_written):
            deal, scores = self.deals[number], self.scores_written[number]
            rulings, after = self.list_rulings_on(number), ()
            if scores is None and not rulings:
                scores = self.read_ruled_scores(number, rulings)
            cards = self.compute_ruled_cards(number) if sticks else None
            if sticks and (cards is None or ties is None):
                scores, after = scores if ties is not None and ties == deal.ties else None, None
            elif sticks:
                again, after = score_sticks(cards, ties)
                scores = scores if ties == deal.ties or scores is None else again
            if rulings and rulings[-1]["kind"] in FIXING_RULINGS:
                try:
                    scores = self.score_by_ruling(deal, rulings[-1])
                except FAILING:
                    scores = self.read_ruled_scores(number, rulings)
                if is_annulling(rulings[-1]):
                    after = ties
            elif rulings:
                scores = self.read_ruled_scores(number, rulings)
            found[number], ties = scores, after
        self.ties = ties
        return found

    def read_ruled_scores(self, number, rulings):
        """Return the scores that the rulings state, or None."""
        numbers, scores = self.scores_ruled.get(number, (None, None))
        return scores if numbers == [ruling["ruling"] for ruling in rulings] else None

    def sum_penalties(self):
        """Return the points of all penalties, by side."""
        found, better = [0] * self.sides, -1 if self.game is not None and self.rules.get("fewest") else 1
        for ruling in self.rulings.values():
            if ruling["kind"] == "penalty":
                found[self.get_side(ruling["against"])] -= better * ruling["points"]
        return found

    def compute_totals(self, told, where):
        """Return the totals of deals and penalties. One unknown deal gets the remaining points."""
        counted, totals = self.score_deals(), self.sum_penalties()
        unknown = [number for number, scores in counted.items() if scores is None]
        for scores in counted.values():
            totals = [a + (b or 0) for a, b in zip(totals, scores or ())] if scores else totals
        if len(unknown) == 1:
            [number] = unknown
            left = [a - b for a, b in zip(told, totals)]
            self.scores_ruled[number] = [r["ruling"] for r in self.list_rulings_on(number)], left
            self.unproven.append(where + "what deal %d counts again since a ruling was replaced" % number)
            return list(told)
        if unknown:
            self.unproven.append(where + "the totals, after rulings that were replaced")
            return list(told)
        return totals

    def add_fault(self, where, what):
        """Add a fault."""
        self.faults.append(where + what)

    def check_totals(self, told, wanted, where):
        """Compare the totals of an event with the derived ones, and continue with the stated ones."""
        if told != wanted:
            self.add_fault(where, "the totals are %r and should be %r" % (told, wanted))
        self.totals = list(told)

    def is_annulled(self, number):
        """Whether the last fixing ruling annuls a deal, unless a later ruling replaces it."""
        for ruling in reversed(self.list_rulings_on(number)):
            if ruling["kind"] in FIXING_RULINGS:
                return is_annulling(ruling)
            if not ruling.get("after"):
                return False
        return False

    def list_counting_deals(self):
        """Return the deals that are not annulled."""
        return [n for n in sorted(self.scores_written) if not self.is_annulled(n)]

    def compute_ruled_cards(self, number):
        """Return the card points of a deal with its rulings, or None."""
        deal, rulings = self.deals[number], self.list_rulings_on(number)
        if not rulings:
            return deal.cards if deal.is_known else None
        if rulings[-1]["kind"] == "short_hand" and rulings[-1].get("choice") != "annul":
            return self.redistribute_points(deal, rulings[-1]).cards
        if rulings[-1]["kind"] in FIXING_RULINGS:
            return deal.cards if deal.is_known else None
        numbers, cards = self.ruled_cards.get(number, (None, None))
        return cards if numbers == [ruling["ruling"] for ruling in rulings] else None


def list_contracts(slot):
    """Return the contracts that can be played in a slot."""
    if slot in ("joker7", "joker8"):
        return CONTRACTS
    return tuple(slot + "-" + way for way in DIRECTIONS) if slot in ("slalom", "guschti") else (slot,)


def fill_unknown(points):
    """Return points by side, with 0 for unknown ones."""
    return [one or 0 for one in points]


def is_annulling(ruling):
    """Whether a ruling annuls its deal."""
    return ruling["kind"] == "annul_deal" or (
        ruling["kind"] == "short_hand" and ruling.get("choice") == "annul"
    )


def score_sticks(points, ties):
    """Return the sticks of a deal, and the pairs of sides that tied for a place."""
    seats = range(len(points))
    scores, left, new = [0] * len(points), [], []
    odd = [s for s in seats if len({points[o] for o in seats if o != s}) == 1 and points[s - 1] != points[s]]
    if odd:
        scores[odd[0]] = 2
    else:
        for place in [min(points)] if max(points) >= 100 else [max(points), min(points)]:
            there = tuple(seat for seat in seats if points[seat] == place)
            if len(there) == 1:
                scores[there[0]] += 1
            elif len(there) == 2:
                new.append(there)
    paid = list(scores)
    for tie in ties:
        scoring = [seat for seat in tie if scores[seat]]
        if len(scoring) == 1:
            paid[scoring[0]] += 1
        else:
            left.append(tie)
    return paid, (*left, *new)


# --- source/winners.py
# Winners and payments.


class Winners(DealScores):
    """The winners of a game, by the totals and the deals that count."""

    def list_sides_at_target(self):
        """Return the sides that have reached their target."""
        return [side for side, goal in enumerate(self.list_targets()) if self.totals[side] >= goal]

    def find_winners_by_deals(self):
        """Return the winners by the deals that count, or None while the game goes on.

        On a sheet that counts in order, the first deal after which a side is at its target decides.
        """
        if self.mode == "sheet" and self.started.get("counting"):
            totals, counted = [0] * self.sides, self.score_deals()
            for number in self.list_counting_deals():
                if counted.get(number) is None:
                    break
                totals = [one + points for one, points in zip(totals, counted[number])]
                won = self.find_winners_with(totals)
                if won:
                    return won
        limit = self.get_deal_limit()
        ended = limit is not None and len(self.list_counting_deals()) >= limit
        return self.find_winners_with(self.totals) or (self.list_leaders(self.totals) if ended else None)

    def find_winners_with(self, totals):
        """Return the sides that have won with these totals, whatever the number of deals, or None."""
        kind = self.rules.get("ends")
        most = [side for side in range(self.sides) if totals[side] == max(totals)]
        if kind == "apples":
            if self.options["goal"] == "points":
                won = [side for side, total in enumerate(totals) if total >= 7]
            else:
                won = self.find_winners_by_apples()
            if won:
                return won
        if kind == "sticks" and len(most) == 1 and max(totals) >= 7:
            return most
        return most if kind == "tallies" and max(totals) >= 5 else None

    def find_winners_by_apples(self):
        """Return the sides that have not lost by three apples, once a side has three."""
        deals = [self.compute_ruled_cards(number) for number in self.list_counting_deals()]
        if None in deals:
            return [None]
        apples = [sum(cards[side] <= APPLE_POINTS for cards in deals) for side in (0, 1)]
        losers = [side for side in (0, 1) if apples[side] >= APPLES_TO_LOSE]
        if len(losers) < 2:
            return [1 - side for side in losers]
        return [side for side in (0, 1) if deals[-1][side] == max(deals[-1])]

    def list_sheet_winners(self):
        """Return the possible winners now: sides at their target, by deals, or leading."""
        there = self.list_sides_at_target()
        most = max((self.totals[side] for side in there), default=0)
        first = [side for side in there if self.totals[side] == most]
        return [won for won in (first, self.find_winners_by_deals(), self.list_leaders(self.totals)) if won]

    def list_end_winners(self):
        """Return the possible winners as the game ends.

        [None] means that several sides are at their target and the log does not say which was first.
        """
        if self.claim is not None:
            return [self.claim]
        by_deals, there = self.find_winners_by_deals(), self.list_sides_at_target()
        if by_deals == [None]:
            return by_deals
        if self.mode == "sheet":
            return self.list_sheet_winners()[:1] if there or by_deals else []
        if there and self.options.get("claim_out", "automatic") == "automatic":
            goals, course = self.list_targets(), self.running_totals
            if len(there) == 1:
                return [there]
            if self.mode == "transcribed":  # the log records points later than they counted
                return [None]
            for totals in course:
                first = [side for side, goal in enumerate(goals) if totals[side] >= goal]
                if first:
                    return [first] if len(first) == 1 and not self.rulings else [None]
            return [None]
        return [by_deals] if by_deals else []

    def check_payments(self, body, where):
        """Check the payments of a game."""
        stake, told = self.options.get("stake") or 0, body.get("payments")
        wanted = [stake * (self.sides * total - sum(self.totals)) for total in self.totals] if stake else None
        if self.game is not None and (told or None) != wanted:
            self.add_fault(where, "the payments do not follow from the totals")


# --- source/sheets.py
# Results of sheets, and their confirmations.


class SheetResults(Winners):
    """The results of a game whose cards were not recorded."""

    def _result_entered(self, event, body, where):
        if body["deal"] != len(self.scores_written) + 1 or self.over:
            self.add_fault(where, "deal %r does not come next on the sheet" % body["deal"])
        self.write_result(event, body, where)
        self.check_totals(body["totals"], self.compute_totals(body["totals"], where), where)

    def _result_corrected(self, event, body, where):
        before = self.deals.get(body["deal"])
        if before is None or body["replaces"] != before.seq:
            self.add_fault(where, "it replaces what was not written for deal %r" % body["deal"])
        self.write_result(event, body, where)
        if self.game is None or self.game["score"] != "sticks":
            if body.get("rescored"):
                self.add_fault(where, "a correction changes deals that do not depend on it")
        else:
            self.rescore_later_deals(body, where)
        self.check_totals(body["totals"], self.compute_totals(body["totals"], where), where)
        if body.get("reason") is not None:
            self.touched.append(event)
        if self.over and body.get("winners") is not None:
            self.winners = body["winners"]
            if self.game is not None and body["winners"] not in self.list_sheet_winners():
                self.add_fault(
                    where,
                    "sides %r have won by these totals instead of %r"
                    % (self.list_sheet_winners()[0], body["winners"]),
                )
            self.check_payments(body, where)

    def rescore_later_deals(self, body, where):
        """Score later deals again, if other ties stand before them."""
        told = {one["deal"]: one["scores"] for one in body.get("rescored") or ()}
        for number in [n for n in sorted(self.scores_written) if n > body["deal"]]:
            deal = self.deals[number]
            deal.ties = self.compute_ties_before(number)
            self.scores_written[number] = self.scores_recorded[number] = self.score_deal(deal, deal.ties)[0]
            if told.get(number, self.scores_written[number]) != self.scores_written[number]:
                self.add_fault(
                    where, "deal %d counts %r after the correction" % (number, self.scores_written[number])
                )

    def write_result(self, event, body, where):
        """Read a result of a sheet, and check its scores."""
        deal = Deal(body["deal"], self.seats, self.sides)
        deal.cards, deal.seq = list(body["card_points"]), event["seq"]
        for name in ("contract", "slot", "chooser", "dealer"):
            setattr(deal, name, body.get(name))
        later = [self.deals[n] for n in self.scores_written if n > body["deal"]]
        if body.get("bid") is not None and not any(one.bids for one in later):
            self.declarer, self.bid = body["chooser"], body["bid"]
        deal.bids = body.get("bid") is not None
        deal.declarer = body["chooser"] if deal.bids else self.declarer
        deal.bid = body["bid"] if deal.bids else self.bid
        deal.predictions = list(body.get("predictions") or deal.predictions)
        self.check_missing_points(body, deal, where)
        deal.trick_sides = {side for side, own in enumerate(deal.cards) if own} | set(
            body.get("took_trick") or ()
        )
        deal.sweep, deal.sweeps = body.get("sweep"), list(body.get("sweeps") or deal.sweeps)
        if body.get("stoeck") is not None:
            deal.bonuses[body["stoeck"]] += body.get("stoeck_points") or STOECK_POINTS
        for values, worth in (
            (body.get("melds"), 1),
            (body.get("sweeps"), self.options.get("sweep_bonus", 0)),
            (body.get("stoecks"), STOECK_POINTS),
        ):
            for side, count in enumerate(values or ()):
                deal.bonuses[side] += count * worth
        if deal.sweep is not None:
            deal.bonus = self.options.get("sweep_bonus", 0)
            deal.bonuses[deal.sweep] += deal.bonus
        if self.game is not None:
            self.check_sheet(body, deal, where)
        self.score_deals()
        before = [n for n in sorted(self.scores_written) if n < deal.number]
        deal.ties = self.compute_ties_before(deal.number) if before else ()
        try:
            if self.game is not None:
                wanted = body["scores"] if self.is_total_unchecked() else self.score_deal(deal, deal.ties)[0]
                if body.get("by_hand") or body["scores"] != wanted:
                    told = "deal %d counts %r instead of %r: its card points with its own bonuses"
                    self.add_fault(where, told % (deal.number, wanted, body["scores"]))
        except FAILING as error:
            self.unproven.append(where + "what deal %d counts (%s)" % (deal.number, error))
            deal.is_known = False
        self.deals[deal.number], self.scores_written[deal.number] = deal, list(body["scores"])
        self.scores_recorded[deal.number] = list(body["scores"])

    def check_missing_points(self, body, deal, where):
        """Check card points that a sheet leaves out: those of sides that did not choose."""
        unsaid = {side for side, own in enumerate(deal.cards) if own is None}
        if not unsaid:
            return
        chooser = None if deal.chooser is None else self.get_side(deal.chooser)
        if self.game is not None and (self.game["score"] != "chooser" or self.sides < 3 or chooser in unsaid):
            self.add_fault(where, "the card points of deal %d are missing" % deal.number)
        deal.cards = [own or 0 for own in deal.cards]

    def is_total_unchecked(self):
        """Whether a line of totals cannot be checked, because each side has points of its own."""
        return self.started.get("hand_in") == "totals" and self.game["score"] == "predicted"

    def compute_ties_before(self, number):
        """Return the ties before a deal."""
        if self.game is None or self.game["score"] != "sticks":
            return ()
        kept = {n: self.scores_written.pop(n) for n in list(self.scores_written) if n >= number}
        self.score_deals()
        self.scores_written.update(kept)
        return self.ties

    def check_sheet(self, body, deal, where):
        """Check that the figures of a result are possible together."""
        whole, deals = self.rules.get("deal_points", DEAL_POINTS), 1
        if whole == "puur":
            whole = DEAL_POINTS - PUUR_POINTS + self.options["puur_value"]
        if self.started.get("hand_in") == "totals":
            deals = self.options["deals"]
            where += "the totals "
            if body.get("deals") != deals or body["deal"] != 1:
                self.add_fault(where, "are not of the whole round")
            if max(sum(deal.sweeps), sum(body.get("stoecks") or ())) > deals:
                self.add_fault(where, "hold more sweeps or Stöck than there were deals")
            if self.is_total_unchecked():
                least, most = (
                    -self.options["exact_bonus"],
                    DEAL_POINTS + STOECK_POINTS * bool(self.options["stoeck"]),
                )
                if any(body["card_points"]) or self.options["dealer_incentive"]:
                    self.add_fault(where, "hold card points that no total tells")
                if any(not least * deals <= points <= most * deals for points in body["scores"]):
                    self.add_fault(where, "are more or less than so many deals can give")
                return
            if sum(body["card_points"]) != whole * deals:
                self.add_fault(where, "do not add up to the points of the cards")
            if sum(body["scores"]) != whole * deals + sum(deal.bonuses):
                self.add_fault(where, "do not add up with their sweeps and Stöck")
            if any(own < count * whole for own, count in zip(deal.cards, deal.sweeps)):
                self.add_fault(where, "hold a sweep without its card points")
            return
        total = sum(own or 0 for own in body["card_points"])
        if None in body["card_points"]:
            if total > whole or deal.sweep is not None:
                self.add_fault(where, "the card points of who chose in deal %d are %d" % (deal.number, total))
        elif (total != whole) if self.rules.get("all_counted") else total > whole:
            self.add_fault(where, "the card points of deal %d are %d together" % (deal.number, total))
        if deal.sweep is not None and None not in body["card_points"] and deal.cards[deal.sweep] != total:
            self.add_fault(where, "a sweep without all card points")
        if any(body.get(name) is not None for name in ("deals", "sweeps", "stoecks")):
            self.add_fault(where, "totals on a sheet of deals")
        worth = body.get("stoeck_points")
        if worth is not None and (abs(worth) != STOECK_POINTS or self.game["score"] != "predicted"):
            self.add_fault(where, "a Stöck of %r points" % worth)
        slot, of_slots = deal.slot or deal.contract, self.rules.get("deals") == "slots"
        if (
            of_slots
            and deal.chooser is not None
            and slot in self.list_played_slots(self.get_side(deal.chooser), deal.number)
        ):
            self.add_fault(where, "the slot %r was played twice" % slot)
        for name in ("melds", "stoeck"):
            if body.get(name) is not None and not self.options.get(name):
                self.add_fault(where, "%s do not count in this game" % name)

    def list_played_slots(self, side, besides=None):
        """Return the slots that a side has played in deals that count."""
        counting = [self.deals[number] for number in sorted(self.scores_written) if number != besides]
        return [
            deal.slot or deal.contract
            for deal in counting
            if deal.chooser is not None
            and self.get_side(deal.chooser) == side
            and not self.is_annulled(deal.number)
        ]


PLAY_EVENTS = ("deal_started", "card_played", "result_entered", "result_confirmed")
"""Events that a game has only while it is played."""


def check_breaks(stream):
    """Check that a closed game continues only after it is resumed. Raise Unusable.

    The correction of a finished game has a reason and its winners.
    """
    ended, broken = False, False
    for event in effective_events(stream):
        kind, body, where = event["type"], event["body"], "event %d: " % event["seq"]
        if kind == "game_resumed" and not broken:
            raise Unusable(where + "a game was resumed that was not broken off")
        if (ended or broken) and kind in ("game_closed", *PLAY_EVENTS):
            raise Unusable(where + "the game continued after its end")
        if kind == "result_corrected":
            if (ended or broken) and body.get("reason") is None:
                raise Unusable(where + "a finished game was corrected without a reason")
            if ended != (body.get("winners") is not None):
                raise Unusable(where + "a correction does not state the new winners")
        broken = kind == "game_closed" or (broken and kind != "game_resumed")
        ended = ended or kind == "game_ended"


SETTLING_RULINGS = ("annul_deal", "short_hand", "score_change")
"""Rulings that fix a deal of a sheet without a signature."""


def check_confirmations(stream, agreed):
    """Check that another side confirmed each deal of a finished sheet. Raise Unusable.

    The agreed substitute (a second typing of the same figures, paper, silence), or an official with a
    reason, also confirms.
    """
    waiting, ruled = {}, {}
    for event in effective_events(stream):
        kind, body = event["type"], event["body"]
        if kind == "ruling_made":
            ruled.pop(body.get("replaces"), None)
            if body.get("stands") and body["kind"] in SETTLING_RULINGS:
                ruled[body["ruling"]] = body["deal"]
        if kind in ("result_entered", "result_corrected"):
            by_office = body.get("reason") is not None
            if not by_office or (kind == "result_corrected" and body["deal"] in waiting):
                waiting[body["deal"]] = (body["side"], body["scores"])
        elif kind == "result_confirmed":
            side, scores = waiting.pop(body["deal"], (body["side"], None))
            where = "event %d: deal %d was " % (event["seq"], body["deal"])
            if body["side"] is not None and (side == body["side"] or body.get("by") is not None):
                raise Unusable(where + "signed by the side that wrote it")
            if body["side"] is None and (body.get("by") != agreed or scores is None):
                raise Unusable(where + "not confirmed in the agreed way")
            again = body.get("by") == "second_typing"
            if body.get("scores") != (scores if again else None):
                raise Unusable(where + "typed a second time with other figures")
        elif kind == "game_ended" and set(waiting) - set(ruled.values()):
            missing = min(set(waiting) - set(ruled.values()))
            raise Unusable("event %d: deal %d was never signed" % (event["seq"], missing))


# --- source/rulings.py
# Rulings of referees.


class Rulings(SheetResults):
    """The rulings of referees, and the totals and winners that follow from them."""

    def _ruling_made(self, event, body, where):
        number, replaced = body["ruling"], body.get("replaces")
        counted, before = self.score_deals(), body.get("scores_before")
        if number != len(self.rulings) + len(self.replaced_rulings) + 1:
            self.add_fault(where, "ruling %r does not come next" % number)
        if body.get("totals_before") not in (None, self.totals):
            self.add_fault(where, "a ruling starts from other totals than there were")
        deal = body.get("deal")
        if before is not None and counted.get(deal) is not None and (fill_unknown(before) != counted[deal]):
            self.add_fault(where, "a ruling starts from another score than deal %r had" % deal)
        if replaced is not None:
            if self.rulings.pop(replaced, None) is None:
                self.add_fault(where, "it replaces a ruling that was not in force")
            self.replaced_rulings.add(replaced)
        self.rulings[number] = body
        self.touched.append(event)
        if body["kind"] == "penalty" and not body.get("points", 0) > 0:
            self.add_fault(where, "a penalty takes off a positive number of points")
        if is_annulling(body) and deal not in self.scores_written:
            running = (
                self.current_deal
                if self.current_deal is not None and self.current_deal.number == deal
                else None
            )
            self.deals[deal] = running or Deal(deal, self.seats, self.sides)
            self.scores_written[deal] = self.score_as_played(self.deals[deal])
            self.scores_recorded[deal] = [0] * self.sides
        told = body["scores"]
        if told is not None and deal in self.scores_written:
            rulings = self.list_rulings_on(deal)
            if rulings and rulings[-1]["kind"] in MOVING_RULINGS:
                self.scores_ruled[deal] = [r["ruling"] for r in rulings], fill_unknown(told)
                self.unproven.append(
                    where
                    + "what deal %d counts by ruling %d: %r instead of %r" % (deal, number, told, before)
                )
            now = self.score_deals().get(deal)
            if now is not None and fill_unknown(told) != now:
                self.add_fault(where, "deal %d counts %r by this ruling instead of %r" % (deal, now, told))
        totals = list(self.totals)
        self.check_totals(body["totals"], self.compute_totals(body["totals"], where), where)
        self.check_ruled_winners(body, totals, where)

    def check_ruled_winners(self, body, totals, where):
        """Check the winners of a finished game after a ruling."""
        told = body.get("winners")
        if self.over and body["totals"] != totals:
            possible = [self.list_leaders(self.totals)] if self.game is None else self.list_sheet_winners()
            if told is None and self.game is not None and self.winners not in possible:
                self.add_fault(where, "a ruling does not state the new winners")
            elif told is not None and self.game is not None and told not in possible:
                self.add_fault(where, "sides %r have won by these totals instead of %r" % (possible[0], told))
        elif told is not None:
            self.add_fault(where, "a ruling states the winners of a game that it does not change")
        self.winners = told if told is not None else self.winners

    def _deal_annulled(self, event, body, where):
        if body["deal"] not in self.scores_written or not any(
            is_annulling(r) for r in self.list_rulings_on(body["deal"])
        ):
            self.add_fault(where, "deal %r was annulled without a ruling" % body["deal"])


# --- source/sweeps.py
# Sweeps: deals in which one side took every trick.


class Sweeps(Rulings):
    """The sweeps (deals in which one side took all tricks) that count."""

    def find_sweeps(self):
        """Return the sides of all sweeps that count, and whether some are unknown."""
        found, open_ = [], False
        for number, scores in self.score_deals().items():
            deal, rulings = self.deals[number], self.list_rulings_on(number)
            found += [side for side, count in enumerate(deal.sweeps) for _ in range(count)]
            if rulings and is_annulling(rulings[-1]):
                continue
            if any(ruling["kind"] == "card_powerless" for ruling in rulings):
                open_ = True  # this program does not derive the takers then
            elif scores == self.scores_recorded[number]:
                found += [deal.sweep] if deal.sweep is not None else []
            elif scores is None or self.game is None:
                open_ = True
            else:
                found += self.find_ruled_sweep(deal, scores)
        return found, open_

    def find_ruled_sweep(self, deal, scores):
        """Return the side of a sweep by a ruling that leads to these scores."""
        bonus = self.options.get("sweep_bonus", 0)
        if not bonus or self.started.get("hand_in") == "totals":
            return []
        beside = list(deal.bonuses)
        if deal.sweep is not None:
            beside[deal.sweep] -= deal.bonus
        for side in range(self.sides):
            for more in (beside, [0] * self.sides):
                swept = Deal(deal.number, self.seats, self.sides)
                for name in SCORING_FACTS:
                    setattr(swept, name, getattr(deal, name))
                swept.cards[side], swept.trick_sides = DEAL_POINTS, {side}
                swept.bonuses = [points + bonus * (one == side) for one, points in enumerate(more)]
                try:
                    if self.score_deal(swept, deal.ties)[0] == scores:
                        return [side]
                except FAILING:
                    return []
        return []


# --- source/score_book.py
# A whole game, recounted from its events.


class ScoreBook(Sweeps):
    """A game, recounted from its events: scores of deals, rulings, totals, winners, sweeps."""

    def follow(self, events):
        """Follow the events of a game after its first."""
        for event in events:
            act = getattr(self, "_" + event["type"], None)
            if act is not None:
                try:
                    act(event, event["body"], "event %d: " % event["seq"])
                except Unusable as error:
                    self.faults.append("event %d: %s" % (event["seq"], error))
        return self

    def _deal_started(self, event, body, where):
        self.current_deal = Deal(body["deal"], self.seats, self.sides)
        self.current_deal.dealer, self.current_deal.declarer, self.current_deal.bid = (
            body["dealer"],
            self.declarer,
            self.bid,
        )

    def _hand_dealt(self, event, body, where):
        if self.current_deal is not None and body["seat"] == 0:
            self.current_deal.size = body["size"] if not self.current_deal.size else self.current_deal.size

    def _table_dealt(self, event, body, where):
        if self.current_deal is not None and body["seat"] == 0:
            self.current_deal.size += 2 * body["size"]

    def _bid_made(self, event, body, where):
        if self.current_deal is not None:
            self.current_deal.bids_made.append((body["seat"], body["points"]))

    def _auction_won(self, event, body, where):
        if self.game is not None and self.current_deal.bids_made[-1:] != [(body["seat"], body["points"])]:
            self.add_fault(where, "an auction was won by another bid than the last")
        self.declarer, self.bid = body["seat"], body["points"]
        if self.current_deal is not None:
            self.current_deal.declarer, self.current_deal.bid = body["seat"], body["points"]

    def _pushed(self, event, body, where):
        if self.current_deal is not None:
            self.current_deal.pushes += 1

    def _contract_set(self, event, body, where):
        if self.current_deal is None:
            return
        if self.rules.get("deals") == "slots":
            self.check_slot(body, where)
        if self.mode == "transcribed" and (self.current_deal.tricks or self.current_deal.point_events):
            self.current_deal.is_known = False  # earlier tricks also count by it
        self.current_deal.contract, self.current_deal.chooser = body["contract"], body.get("seat")
        self.current_deal.slot = body.get("slot")

    def check_slot(self, body, where):
        """Check that a contract fits its slot, and that the right side chose an unused slot."""
        contract, slot, seat = body["contract"], body.get("slot") or body["contract"], body.get("seat")
        if slot not in SLOT_FACTORS or (contract is not None and contract not in list_contracts(slot)):
            self.add_fault(where, "%r is not played in the slot %r" % (contract, slot))
        if self.mode != "dealt":
            return
        first = (self.current_deal.dealer + 1) % self.seats
        turns = [(first + turn) % self.seats for turn in range(self.seats)]
        turns = [one for one in turns if len(self.list_played_slots(self.get_side(one))) < len(SLOT_FACTORS)]
        if not turns or seat != turns[self.current_deal.pushes % len(turns)]:
            self.add_fault(where, "seat %r chose out of turn" % (seat,))
        elif slot in self.list_played_slots(self.get_side(seat)):
            self.add_fault(where, "the slot %r was played twice" % slot)

    def _prediction_made(self, event, body, where):
        points = event["parts"].get("points", body.get("points"))
        self.current_deal.predictions[body["seat"]] = points
        if points is not None:
            self.current_deal.own_predictions[body["seat"]] = points

    def _predictions_revealed(self, event, body, where):
        if any(body["points"][seat] != points for seat, points in self.current_deal.own_predictions.items()):
            self.add_fault(where, "other predictions are revealed than were made")
        self.current_deal.predictions = list(body["points"])

    def _cards_discarded(self, event, body, where):
        self.current_deal.discarded_cards = event["parts"].get("cards", body.get("cards"))

    def _deal_stopped(self, event, body, where):
        self.current_deal.stopped_by = body["seat"]

    def _deal_conceded(self, event, body, where):
        self.current_deal.conceded = body["points"]
        if body["points"] not in (DEAL_POINTS, DEAL_POINTS + STOECK_POINTS):
            self.add_fault(where, "a deal of %d points was given away" % body["points"])

    def _discards_counted(self, event, body, where):
        self.current_deal.discards = body["seat"], body["points"]
        self.current_deal.point_events.append((self.get_side(body["seat"]), body["points"]))

    def _stoeck_declared(self, event, body, where):
        if not body.get("counts", True):
            return
        signed = self.game is not None and self.game["score"] == "predicted"
        if (
            body["points"] not in ((STOECK_POINTS, -STOECK_POINTS) if signed else (STOECK_POINTS,))
            or self.current_deal.stoeck
        ):
            self.add_fault(where, "a Stöck of %r points" % body["points"])
        if self.game is not None and not self.options.get("stoeck"):
            self.add_fault(where, "Stöck does not count in this game")
        self.current_deal.stoeck.append((body["seat"], body["points"]))
        self.current_deal.point_events.append((self.get_side(body["seat"]), body["points"]))

    def _melds_scored(self, event, body, where):
        if self.game is not None and not self.options.get("melds"):
            self.add_fault(where, "melds do not count in this game")
        if body["points"] is None:
            self.current_deal.is_known = False
        self.current_deal.melds = body["side"], body["points"]
        self.current_deal.point_events.append((body["side"], body["points"]))

    def _card_played(self, event, body, where):
        self.current_deal.table_cards.append(body["card"])

    def _trick_taken(self, event, body, where):
        self.current_deal.tricks.append((body["seat"], body["points"]))
        self.current_deal.trick_cards.append(self.current_deal.table_cards)
        self.current_deal.table_cards = []
        if body["seat"] is None or body["points"] is None:
            self.current_deal.is_known = self.game is not None and self.rules.get("late_trumps", False)
            return
        side = self.get_side(body["seat"])
        points = body["points"]
        takers = {None if seat is None else self.get_side(seat) for seat, _ in self.current_deal.tricks}
        if len(self.current_deal.tricks) == self.current_deal.size and len(takers) == 1:
            points += self.options.get("sweep_bonus", 0)
        self.current_deal.point_events.append((side, points))

    def _out_claimed(self, event, body, where):
        side = self.get_side(body["seat"])
        if self.game is not None and not (
            self.list_targets() and self.options.get("claim_out") == "required"
        ):
            self.add_fault(where, "the end was claimed in a game that ends automatically")
        goals = [] if self.game is None else self.list_targets()
        if (
            goals
            and self.current_deal is not None
            and self.current_deal.is_known
            and not self.list_rulings_on(self.current_deal.number)
        ):
            right = self.compute_running_totals()[-1][side] >= goals[side]
            if right != body["right"]:
                self.add_fault(where, "a claim was %s" % ("right" if right else "wrong"))
        self.claim = [side] if body["right"] else [one for one in range(self.sides) if one != side]

    def compute_running_totals(self):
        """Return the totals after each event that counted in the present deal."""
        totals = list(self.totals)
        if self.current_deal is None or self.current_deal.number in self.scores_written:
            return [totals]
        factor, found = self.get_factor(self.current_deal), [list(totals)]
        if self.current_deal.conceded is not None:
            return [found[0], [totals[0], totals[1] + self.current_deal.conceded]]
        for side, points in self.current_deal.point_events:
            if side is not None:
                totals[side] += factor * (points or 0)
            found.append(list(totals))
        return found

    def _deal_scored(self, event, body, where):
        deal, scores = self.current_deal, body["scores"]
        if deal is None or deal.number != body["deal"] or deal.number in self.scores_written:
            self.add_fault(where, "deal %r was scored without being played" % body["deal"])
            deal = self.current_deal = Deal(body["deal"], self.seats, self.sides)
            deal.is_known = False
        self.score_deals()
        deal.ties, deal.seq, before = self.ties, event["seq"], self.compute_running_totals()
        deal.is_known = deal.is_known and None not in scores
        rulings = self.list_rulings_on(deal.number)
        self.deals[deal.number], self.scores_written[deal.number] = (
            deal,
            None if rulings else fill_unknown(scores),
        )
        self.scores_recorded[deal.number] = fill_unknown(scores)
        try:
            if self.game is None:
                raise Unusable("its scoring is not known")
            self.count_cards(deal)
            self.check_ends(deal, where)
            if not deal.is_known:
                raise Unusable("not all of it is known")
            cards = [0, DEAL_POINTS] if deal.conceded is not None else deal.cards
            if deal.ties is None:
                raise Unusable("ties after a ruling are not known")
            wanted, ties = self.score_deal(deal, deal.ties)
            if rulings:
                self.scores_written[deal.number], cards = wanted, None
                self.ruled_cards[deal.number] = (
                    [r["ruling"] for r in rulings],
                    fill_unknown(body["card_points"]),
                )
            if rulings and rulings[-1]["kind"] in FIXING_RULINGS:
                wanted = self.score_by_ruling(deal, rulings[-1])
            elif rulings:
                raise Unusable("a ruling moves its points")
            if cards is not None and body["card_points"] != cards:
                self.add_fault(
                    where,
                    "deal %d has %r card points instead of %r" % (deal.number, cards, body["card_points"]),
                )
            if scores != wanted:
                self.add_fault(where, "deal %d counts %r instead of %r" % (deal.number, wanted, scores))
            told = body.get("ties")
            if cards is not None and told is not None and [tuple(tie) for tie in told] != list(ties):
                self.add_fault(where, "other ties are remembered than there were")
        except FAILING as error:
            deal.is_known = deal.is_known and bool(rulings)
            if self.game is not None:
                self.unproven.append(where + "what deal %d counts (%s)" % (deal.number, error))
        if rulings:
            self.scores_ruled[deal.number] = [r["ruling"] for r in rulings], fill_unknown(scores)
        self.running_totals = before
        self.check_totals(body["totals"], self.compute_totals(body["totals"], where), where)

    def check_ends(self, deal, where):
        """Check the points of discarded cards, and that the side that stopped a deal was sure of it."""
        if (
            deal.discards is not None
            and deal.discarded_cards
            and None not in deal.discarded_cards
            and deal.contract
        ):
            worth = sum(compute_card_points(card, deal.contract) for card in deal.discarded_cards)
            if deal.discards != (deal.declarer, worth):
                self.add_fault(where, "the discards count %d instead of %r" % (worth, deal.discards[1]))
        if deal.stopped_by is not None and deal.is_known and deal.bid is not None:
            taken = deal.cards[deal.declarer]
            left = taken + DEAL_POINTS - sum(deal.cards)
            if not (taken >= deal.bid if deal.stopped_by == deal.declarer else left < deal.bid):
                self.add_fault(where, "deal %d was stopped before the bid was decided" % deal.number)

    def _game_ended(self, event, body, where):
        self.check_totals(body["totals"], list(self.totals), where)
        if self.over:
            self.add_fault(where, "it ended twice")
        self.over, self.winners = True, body["winners"]
        if self.game is None:
            return
        possible = self.list_end_winners()
        if not possible and self.current_deal is not None and self.list_rulings_on(self.current_deal.number):
            possible = [None]
        if not possible:
            self.add_fault(where, "it ended although no rule ends it there")
        elif possible == [None]:
            self.unproven.append(where + "which side had won first")
            if self.list_sides_at_target() and not set(body["winners"]) <= set(self.list_sides_at_target()):
                self.add_fault(where, "a side has won that has not reached its points")
        elif body["winners"] not in possible:
            self.add_fault(
                where, "sides %r have won by the totals instead of %r" % (possible[0], body["winners"])
            )
        self.check_payments(body, where)


def read_score_book(stream, moment=END_OF_RECORD):
    """Return the score book of a game with its events up to a moment."""
    events = effective_events(stream, moment)
    kept = stream.score_books.get(len(events))
    if kept is None:
        kept = stream.score_books[len(events)] = ScoreBook(start_body(stream)).follow(events[1:])
    return kept


def check_scores(stream, report):
    """Report faults and underivable figures of a game."""
    book, where = read_score_book(stream), "game %s" % stream.id
    for fault in book.faults:
        report.add_difference(where, fault)
    for figure in book.unproven:
        report.unproven.append(
            "%s, %s is not derived here; python -m engine audit does that" % (where, figure)
        )
    if book.game is not None and book.find_sweeps()[1]:
        report.unproven.append(
            "%s: who took every trick of a deal since a ruling is not derived here" % where
        )


# --- source/games.py
# Every game: cards, scores, sheets.


def check_games(streams, report):
    """Check every game: its cards, scores, confirmations and event types."""
    deals, unknown = 0, set()
    for stream in streams.values():
        started = start_body(stream)
        if stream.kind != "game":
            continue
        checks = [
            lambda stream=stream: check_scores(stream, report),
            lambda stream=stream: check_breaks(stream),
        ]
        if started.get("mode") == "sheet":
            agreed = started.get("confirmation", "paper")
            checks.append(lambda stream=stream, agreed=agreed: check_confirmations(stream, agreed))
        try:
            if not started or any(event["type"] == "game_started" for event in stream.events[1:]):
                checks = []
                raise Unusable("it does not begin once, with game_started")
            if find_variant(started) is None:
                unknown.add(str(started["variant"]))
            else:
                checks.append(lambda stream=stream, started=started: check_event_types(stream, started))
            if started["mode"] == "dealt":
                deals += check_play(stream, started)
            elif started["mode"] == "transcribed":
                checks.append(lambda stream=stream, started=started: check_written_tricks(stream, started))
        except Unusable as error:
            report.add_difference("game %s" % stream.id, error)
        except UNREADABLE as error:
            report.add_difference("game %s" % stream.id, "it cannot be followed: %r" % (error,))
        for check in checks:
            try:
                check()
            except Unusable as error:
                report.add_difference("game %s" % stream.id, error)
            except UNREADABLE as error:
                report.add_difference("game %s" % stream.id, "it cannot be followed: %r" % (error,))
    report.checked.append("%d deals were played with the cards that were dealt" % deals)
    for variant in sorted(unknown):
        told = "cards and chance were verified; the scoring of the game %r is not known to this verifier"
        report.unproven.append(told % variant)


# --- source/draw_problem.py
# The problem of a draw, and its random numbers (docs/developers/seats.md).

SEARCH_VERSIONS = ("1", "2", "3")  # versions of the search; each draw names its own
MAX_MOVES = 480000
SMALL_WORK, LARGE_WORK = 320, 1200
PARTNER_WEIGHT, MEETING_WEIGHT, OPPONENT_WEIGHT, FORBIDDEN_WEIGHT = 20000, 3, 4, 10**9


class SeededNumbers:
    """Random numbers of 32 bits from the seed of a draw, for one purpose."""

    def __init__(self, seed, use):
        self.seed, self.prefix, self.block, self.waiting = seed, use.encode() + b"\0", 0, []

    def draw_words(self):
        """Return the next 256 numbers."""
        blocks = range(self.block, self.block + 32)
        self.block += 32
        data = b"".join(hmac.digest(self.seed, self.prefix + i.to_bytes(8, "big"), "sha256") for i in blocks)
        return [int.from_bytes(data[at : at + 4], "big") for at in range(0, 1024, 4)]

    def draw_below(self, bound):
        """Return a number below a bound."""
        while True:
            self.waiting = self.waiting or self.draw_words()[::-1]
            word = self.waiting.pop()
            if word < 2**32 - 2**32 % bound:
                return word % bound

    def shuffle(self, items):
        """Shuffle a list in place."""
        for i in range(len(items) - 1, 0, -1):
            j = self.draw_below(i + 1)
            items[i], items[j] = items[j], items[i]


class DrawProblem:
    """The input of a draw, from the log. Raise Unusable if it is invalid."""

    def __init__(self, told, seed, version="2"):
        self.seed, self.size, self.format = seed, told["table_size"], told["format"]
        self.players, self.rounds = told["players"], told["rounds"]
        if self.size not in (2, 3, 4) or self.format not in ("pairs", "solo"):
            raise Unusable("no such tables are drawn")
        if not ((3 if told.get("threes") else self.size) <= self.players <= 5000 and 1 <= self.rounds <= 100):
            raise Unusable("nobody draws so many players or rounds")
        self.past = told["past"]
        self.fixed_pairs = [tuple(pair) for pair in told["fixed_pairs"]]
        self.never_partner = [tuple(pair) for pair in told["never_partner"]]
        self.never_meet = [tuple(pair) for pair in told["never_meet"]]
        self.first_out, self.last_out = told["sit_out_first"], set(told.get("sit_out_last", []))
        self.avoid_partner, self.avoid_meet = self.read_avoided(told)
        if version != "3" and (told.get("avoid_partner") or told.get("avoid_meet")):
            raise Unusable("the first two searches avoided no pairs")
        self.threes, self.version = told.get("threes", 0), version
        if self.threes and (self.size != 4 or self.fixed_pairs or not 0 < 3 * self.threes <= self.players):
            raise Unusable("no such tables of three are drawn")
        if version == "1" and (self.threes or self.last_out):
            raise Unusable("the first search knew no tables of three")
        self.in_pairs = self.format == "pairs" and self.size == 4
        self.sizes = [self.size] * ((self.players - 3 * self.threes) // self.size) + [3] * self.threes
        self.seated = sum(self.sizes)
        self.bye_count = self.players - self.seated
        self.fixed = {a: b for pair in self.fixed_pairs for a, b in (pair, pair[::-1])}
        if not self.in_pairs:
            self.avoid_partner = []
        self.avoids = bool(self.avoid_partner or self.avoid_meet)
        bound = self.fixed_pairs or self.never_partner or self.never_meet
        self.free = not (self.past or self.bye_count or self.threes or bound)

    def read_avoided(self, told):
        """Return the pairs to be avoided as partners and at one table, without those that a rule binds."""
        fixed, never_partner, never_meet, partner, meet = (
            {(min(pair), max(pair)) for pair in pairs}
            for pairs in (
                self.fixed_pairs,
                self.never_partner,
                self.never_meet,
                told.get("avoid_partner", []),
                told.get("avoid_meet", []),
            )
        )
        if not all(0 <= a < b < self.players for a, b in partner | meet):
            raise Unusable("it avoids pairs of players that there are not")
        meet -= fixed | never_meet
        return sorted(partner - fixed - never_meet - never_partner - meet), sorted(meet)


def split_into_tables(positions, problem):
    """Split players, ordered by position, into tables."""
    ends = list(itertools.accumulate(problem.sizes))
    return [tuple(positions[end - size : end]) for size, end in zip(problem.sizes, ends)]


# --- source/byes.py
# Byes and tables of three of a draw.


def draw_byes(problem):
    """Return the players with a bye, for each round."""
    if not problem.bye_count:
        return [[] for _ in range(problem.rounds)]
    numbers, chosen = SeededNumbers(problem.seed, "byes"), []
    times = [0] * problem.players
    if problem.version == "1":  # version 1 counted only byes of entered players
        for player in (player for one in problem.past for player in one["byes"] if player >= 0):
            times[player] += 1
    else:
        times = [len(problem.past)] * problem.players
        for player in (p for one in problem.past for table in one["tables"] for p in table if p >= 0):
            times[player] -= 1
    rank = {player: at for at, player in enumerate(problem.first_out)}
    units = problem.fixed_pairs + [(p,) for p in range(problem.players) if p not in problem.fixed]
    for _ in range(problem.rounds):
        numbers.shuffle(units)
        units.sort(
            key=lambda unit: (
                not problem.last_out.isdisjoint(unit),
                max(times[p] for p in unit),
                min(rank.get(p, len(rank)) for p in unit),
            )
        )
        out = sorted(choose_units(units, problem.bye_count) or [])
        for player in out:
            times[player] += 1
        chosen.append(out)
    return chosen


def draw_threes(problem, byes):
    """Return the players at tables of three, for each round: no player twice before all others once."""
    if not problem.threes:
        return [[] for _ in byes]
    numbers, players, chosen = SeededNumbers(problem.seed, "threes"), list(range(problem.players)), []
    times = [0] * problem.players
    for player in (p for one in problem.past for t in one["tables"] if len(t) == 3 for p in t if p >= 0):
        times[player] += 1
    for out in byes:
        numbers.shuffle(players)
        players.sort(key=lambda p: (p in out, times[p]))
        chosen.append(sorted(players[: 3 * problem.threes]))
        for player in chosen[-1]:
            times[player] += 1
    return chosen


def choose_units(units, count, since=0):
    """Return the first units, in their order, that have exactly `count` players together, or None."""
    if count == 0:
        return []
    for at in range(since, len(units)):
        if len(units[at]) <= count:
            rest = choose_units(units, count - len(units[at]), at + 1)
            if rest is not None:
                return [*units[at], *rest]
    return None


# --- source/schedules.py
# Schedules by construction: rounds of tables of four, partners on chairs 0 and 2.


def build_schedule_without_repeats(players, rounds):
    """Return a schedule in which no two players meet twice, or None if no construction has it."""
    if players % 4:
        return None
    tables, points = players // 4, (players - 1) // 3
    if 3 * (rounds - 1) < tables:
        return [
            [[c * tables + (i + c * r) % tables for c in range(4)] for i in range(tables)]
            for r in range(rounds)
        ]
    if 4 <= tables <= 64 and rounds <= tables and factor_prime_power(tables):
        plus, times = build_finite_field(tables)
        return [
            [[c * tables + plus[i][times[c][r]] for c in range(4)] for i in range(tables)]
            for r in range(rounds)
        ]
    if players % 12 == 4 and rounds <= points <= 64 and factor_prime_power(points):
        plus, times = build_finite_field(points)
        first = build_bose_round(points, plus, times)
        return [
            [
                [p if p == players - 1 else p // points * points + plus[p % points][r] for p in t]
                for t in first
            ]
            for r in range(rounds)
        ]
    return None


def build_bose_round(q, plus, times):
    """Return the first round of R. C. Bose's resolvable design (1939)."""
    x = next(
        found for found in (list_powers(times, element) for element in range(1, q)) if len(found) == q - 1
    )
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


def list_powers(times, element):
    """Return the powers of an element of a finite field, from 1 on."""
    found = [1]
    while (following := times[found[-1]][element]) != 1:
        found.append(following)
    return found


def factor_prime_power(order):
    """Return (p, k) if the order is p to the power of k and p is a prime, else None."""
    p = next((d for d in range(2, order) if order % d == 0), order)
    k = 0
    while order % p == 0 and order > 1:
        order, k = order // p, k + 1
    return (p, k) if order == 1 and k else None


@functools.lru_cache(maxsize=8)
def build_finite_field(order):
    """Return the tables of sums and products of a finite field.

    The modulus is the first without zero divisors.
    """
    p, k = factor_prime_power(order)
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


def build_schedule_from_planes(problem):
    """Return the first schedule of planes over GF(2) with the fewest repeats, or None.

    Players are vectors, and each round is a plane.
    """
    players, rounds = problem.players, problem.rounds
    if players not in (8, 16, 32, 64) or rounds >= players:
        return None
    numbers = SeededNumbers(problem.seed, "planes")
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


def shuffle_names(problem, schedule, numbers):
    """Give the players of a schedule random numbers, and its rounds a random order."""
    names = list(range(problem.players))
    numbers.shuffle(names)
    rounds = [[names[player] for table in one for player in table] for one in schedule]
    numbers.shuffle(rounds)
    return rounds


# --- source/table_search.py
# The search for tables with few repeated meetings.


class CostTable(dict):
    """Costs by player, 0 by default."""

    def __missing__(self, player):
        return 0


def compute_floor(problem, players):
    """Return a cost that no seats can fall below.

    It is the exact minimum of one round of at most four tables of four, and of two rounds of a free problem,
    where every first round is as good as another. Else it is the cost without a repeat.
    """
    past = Search(problem, [list(players)] if problem.free and problem.rounds == 2 else [])
    if problem.rounds - len(past.rounds) != 1 or set(problem.sizes) != {4} or len(players) > 16:
        return past.floor

    return past.cost + seat_cheapest(past, players)[0]


def seat_cheapest(past, players):
    """Return the least cost of one round of tables of four after `past`, and its first seats in the order of
    the players.
    """
    fixed = past.problem.fixed

    def cost_partners(p, q):
        if p in fixed or q in fixed:
            return (0 if fixed.get(p) == q else FORBIDDEN_WEIGHT * past.scale) - past.as_opponent[p][q]
        return past.as_partner[p][q] - past.as_opponent[p][q]

    def list_ways(table):
        a, b, c, d = table
        ways = ((a, b), (c, d)), ((a, c), (b, d)), ((a, d), (b, c))
        return [(sum(cost_partners(*pair) for pair in pairs), pairs) for pairs in ways]

    def list_tables(rest):
        for three in itertools.combinations(rest[1:], 3):
            yield (rest[0], *three), tuple(p for p in rest[1:] if p not in three)

    @functools.lru_cache(maxsize=None)
    def cost_table(table):
        meetings = sum(past.as_opponent[p][q] for p, q in itertools.combinations(table, 2))
        return meetings + min(cost for cost, _ in list_ways(table))

    @functools.lru_cache(maxsize=None)
    def cost_tables(rest):
        if not rest:
            return 0
        return min(cost_table(table) + cost_tables(left) for table, left in list_tables(rest))

    seats, rest = [], players
    while rest:
        for table, left in list_tables(rest):
            if cost_table(table) + cost_tables(left) == cost_tables(rest):
                break
        (a, b), (c, d) = min(list_ways(table), key=lambda way: way[0])[1]
        seats += a, c, b, d
        rest = left
    return cost_tables(players), seats


class Search:
    """A search by threshold accepting, in integers: players change seats while costs rise by little.

    avoids: whether meetings of pairs to be avoided count 1 each. All else is then multiplied by `scale`, more
    than all of these.
    """

    def __init__(self, problem, start, avoids=False):
        self.problem, nobody, self.avoids = problem, problem.players, avoids
        avoided = len(problem.avoid_partner) + len(problem.avoid_meet)
        self.scale = scale = avoided * problem.rounds + 1 if avoids else 1
        self.rounds = [[*one, nobody] for one in start]
        self.partner, self.first, self.second, self.table, self.size = [], [], [], [], []
        for number, size in enumerate(problem.sizes):
            base = len(self.size)
            for seat in range(size):
                others = [base + (seat + step) % size for step in range(1, size)]
                self.partner.append(others.pop(1) if size == 4 else nobody)
                self.first.append(others[0])
                self.second.append(others[1] if len(others) > 1 else nobody)
            self.table += [number] * size
            self.size += [size] * size
        self.meeting_step = scale * MEETING_WEIGHT
        self.partner_step = scale * (MEETING_WEIGHT + (PARTNER_WEIGHT if problem.in_pairs else 0))
        self.opponent_step = scale * (MEETING_WEIGHT + (OPPONENT_WEIGHT if problem.in_pairs else 0))
        self.beside = [
            min(size - 1, 2) * self.opponent_step + (size == 4) * self.partner_step for size in range(5)
        ]
        self.as_partner = [CostTable() for _ in range(nobody + 1)]
        self.as_opponent = [CostTable() for _ in range(nobody + 1)]
        self.cost = 0
        for rows, pairs, cost in (
            (self.as_partner, problem.avoid_partner + problem.avoid_meet if avoids else [], 1),
            (self.as_opponent, problem.avoid_meet if avoids else [], 1),
            (self.as_partner, problem.never_partner + problem.never_meet, FORBIDDEN_WEIGHT * scale),
            (self.as_opponent, problem.never_meet, FORBIDDEN_WEIGHT * scale),
        ):
            for a, b in pairs:
                rows[a][b] = rows[b][a] = cost
        for table in (table for one in problem.past for table in one["tables"]):
            for i, a in enumerate(table):
                for j, b in enumerate(table[:i]):
                    if a >= 0 and b >= 0:
                        self.add_meeting(a, b, problem.in_pairs and len(table) == 4 and i - j == 2)
        self.floor = self.cost
        for one in self.rounds:
            for at in range(problem.seated):
                beside = ((self.partner, True), (self.first, False), (self.second, False))
                for others, partners in beside:
                    if others[at] < at:
                        self.add_meeting(one[at], one[others[at]], partners)

    def add_meeting(self, a, b, partners):
        """Add the cost of one meeting, and count it."""
        if self.problem.fixed.get(a) != b:
            self.cost += (self.as_partner if partners else self.as_opponent)[a][b]
            self.shift_costs(a, b, partners, 1)

    def shift_costs(self, a, b, partners, sign):
        """Raise (sign 1) or lower (sign -1) the cost of a further meeting of two players."""
        p = sign * (self.partner_step if partners else self.meeting_step)
        o = sign * (self.meeting_step if partners else self.opponent_step)
        for x, y in ((a, b), (b, a)):
            self.as_partner[x][y] += p
            self.as_opponent[x][y] += o

    def repair_seats(self, moves, numbers):
        """Move only players whose seats have a cost, as far as that improves them."""
        seated = self.problem.seated
        while moves > 0:
            troubled = [
                (one, at)
                for one in self.rounds
                for at in range(seated)
                if self.compute_seat_cost(one, at) > 0
            ]
            if not troubled:
                return
            for one, at in troubled:
                for _ in range(min(24, moves)):
                    if self.compute_seat_cost(one, at) <= 0:
                        break
                    self.try_move(one, at, numbers.draw_below(seated), -1)
                    moves -= 1

    def compute_seat_cost(self, one, at):
        """Return the cost of a player's seat."""
        player, beside = one[at], one[self.partner[at]]
        opponents = self.as_opponent[player]
        cost = opponents[one[self.first[at]]] + opponents[one[self.second[at]]] - self.beside[self.size[at]]
        if self.problem.fixed.get(player) == beside:
            return cost + self.partner_step
        return cost + self.as_partner[player][beside]

    def search_seats(self, moves, start, numbers, find_floor=None):
        """Try moves while the threshold falls from `start` to 0. Keep the best seats.

        Stop when the seats cannot be better, or no pair to be avoided meets. After 1,000 moves it pays to
        compute how good they can be.
        """
        best, best_rounds, words = self.cost, [list(one) for one in self.rounds], []
        seated, floor = self.problem.seated, self.floor
        for i in range(moves):
            if i == 1000 and find_floor:
                floor = find_floor()
            if best <= floor:
                break
            if len(words) < 3:
                words = numbers.draw_words()
            threshold = start * (moves - i) // moves
            one = self.rounds[words.pop() * len(self.rounds) >> 32]
            at, drawn = words.pop() * seated >> 32, words.pop()
            other = drawn * seated >> 32
            if self.problem.in_pairs and drawn & 7 == 0:
                self.try_pair_swap(one, at, other, threshold)
            else:
                self.try_move(one, at, other, threshold)
            if self.cost < best:
                best, best_rounds = self.cost, [list(row) for row in self.rounds]
                if self.avoids and not self.count_avoided():
                    break
        self.cost, self.rounds = best, best_rounds

    def try_move(self, one, x, y, threshold):
        """Try the move that two positions allow."""
        fixed = self.problem.fixed
        if self.table[x] == self.table[y]:
            partners = self.problem.in_pairs and self.size[x] == 4
            if partners and (x - y) & 1 and one[x] not in fixed and one[y] not in fixed:
                self.try_partner_change(one, x, y, threshold)
        elif self.size[x] != self.size[y]:
            return
        elif one[x] in fixed or one[y] in fixed:
            self.try_pair_swap(one, x, y, threshold)
        else:
            self.try_swap(one, x, y, threshold)

    def try_swap(self, one, x, y, threshold):
        """Exchange two players of two tables, if the cost rises by the threshold at most."""
        a, b = one[x], one[y]
        ax, fx, sx = one[self.partner[x]], one[self.first[x]], one[self.second[x]]
        by, fy, sy = one[self.partner[y]], one[self.first[y]], one[self.second[y]]
        pa, oa, pb, ob = self.as_partner[a], self.as_opponent[a], self.as_partner[b], self.as_opponent[b]
        come = pa[by] + oa[fy] + oa[sy] + pb[ax] + ob[fx] + ob[sx]
        go = pa[ax] + oa[fx] + oa[sx] + pb[by] + ob[fy] + ob[sy]
        size = self.size[x]
        rise = 2 * self.beside[size] + come - go
        if rise > threshold:
            return
        one[x], one[y] = b, a
        self.cost += rise
        beside = [(ax, by, True)] * (size == 4) + [(fx, fy, False)] + [(sx, sy, False)] * (size > 2)
        for of_a, of_b, partners in beside:
            for p, q, sign in ((a, of_a, -1), (b, of_b, -1), (a, of_b, 1), (b, of_a, 1)):
                self.shift_costs(p, q, partners, sign)

    def try_partner_change(self, one, x, y, threshold):
        """Exchange partners within a table, if the cost rises by the threshold at most."""
        a, b, c, d = one[x], one[y], one[self.partner[x]], one[self.partner[y]]
        if c in self.problem.fixed or d in self.problem.fixed:
            return
        partner, opponent = self.as_partner, self.as_opponent
        come = partner[a][d] + partner[b][c] + opponent[a][c] + opponent[b][d]
        go = partner[a][c] + partner[b][d] + opponent[a][d] + opponent[b][c]
        rise = 2 * (self.partner_step + self.opponent_step) - 4 * self.meeting_step + come - go
        if rise > threshold:
            return
        one[x], one[y] = b, a
        self.cost += rise
        for p, q, sign in ((a, c, -1), (b, d, -1), (a, d, 1), (b, c, 1)):
            self.shift_costs(p, q, True, sign)
            self.shift_costs(p, q, False, -sign)

    def try_pair_swap(self, one, x, y, threshold):
        """Exchange two pairs of two tables, if the cost rises by the threshold at most."""
        if self.table[x] == self.table[y] or self.size[x] + self.size[y] != 8:
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
                    self.shift_costs(p, old, False, -1)
                    self.shift_costs(p, new, False, 1)

    def count_avoided(self):
        """Return the number of meetings of pairs to be avoided."""
        return (self.cost - self.floor) % self.scale

    def count_repeats(self):
        """Return the criteria that decide between searches: broken wishes, then repeats by importance."""
        problem = self.problem
        pairs = [{frozenset(pair) for pair in of} for of in (problem.fixed_pairs, problem.never_partner)]
        (fixed, never_partner), never_meet = pairs, {frozenset(pair) for pair in problem.never_meet}
        partners, meetings, opponents, seats, tables = {}, {}, {}, {}, {}
        drawn = [split_into_tables(one, problem) for one in self.rounds]
        broken = 0
        for number, one in enumerate([*(one["tables"] for one in problem.past), *drawn]):
            split = set(fixed)
            for place, table in enumerate(one):
                met = {frozenset((a, b)) for i, a in enumerate(table) for b in table[:i] if a >= 0 and b >= 0}
                sides = [table[0::2], table[1::2]] if problem.in_pairs and len(table) == 4 else []
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


def draw_random_round(problem, out, threes, numbers):
    """Return a random round that keeps fixed pairs together."""
    pairs = [pair for pair in problem.fixed_pairs if pair[0] not in out]
    gone = {*out, *threes, *problem.fixed}
    singles, last = [p for p in range(problem.players) if p not in gone], list(threes)
    numbers.shuffle(singles)
    numbers.shuffle(last)
    if not problem.in_pairs:
        return [*singles, *last, *out]
    pairs += zip(singles[0::2], singles[1::2])
    numbers.shuffle(pairs)
    tables = zip(pairs[0::2], pairs[1::2])
    return [player for (a, b), (c, d) in tables for player in (a, c, b, d)] + last + out


def draw_start(problem, byes, threes, run):
    """Return the rounds with which a search starts: partners in turn if possible, else random.

    Every second search starts with a construction for the first rounds.
    """
    numbers = SeededNumbers(problem.seed, "start %d" % run)
    if not (problem.free and problem.size == 4 and problem.rounds < problem.players):
        return [draw_random_round(problem, out, three, numbers) for out, three in zip(byes, threes)]
    ring, turns, known = problem.players - 1, [], []
    for r in range(problem.rounds):
        pairs = [(ring, r % ring)] + [
            ((r + i) % ring, (r - i) % ring) for i in range(1, problem.players // 2)
        ]
        turns.append([[a, c, b, d] for (a, b), (c, d) in zip(pairs[0::2], pairs[1::2])])
    if run % 2 and problem.rounds <= problem.players // 2:
        for rounds in range(2, problem.rounds):
            longer = build_schedule_without_repeats(problem.players, rounds)
            if longer is None:
                break
            known = longer
    return shuffle_names(problem, known + turns[len(known) :], numbers)


def avoid_pairs(problem, rounds):
    """Change the rounds so that fewer pairs to be avoided meet, while nothing else costs more.

    One round of at most four tables of four is computed. In a free draw players first exchange their numbers.
    """
    names = SeededNumbers(problem.seed, "avoid names")
    if problem.rounds == 1 and set(problem.sizes) == {4} and problem.seated <= 16:
        [one] = rounds
        players = one[: problem.seated]
        names.shuffle(players)
        found = seat_cheapest(Search(problem, [], True), tuple(players))[1] + one[problem.seated :]
        return [min(one, found, key=lambda seats: Search(problem, [seats], True).cost)]
    if problem.free:
        rounds = exchange_names(problem, rounds, names)
    work = problem.players * problem.rounds
    runs = 8 if work <= SMALL_WORK else 3 if work <= LARGE_WORK else 1
    best = Search(problem, rounds, True)
    for run in range(runs):
        if not best.count_avoided():
            break
        start = [one[:-1] for one in best.rounds]
        if run % 2:
            again, fours = (
                SeededNumbers(problem.seed, "avoid start %d" % run),
                problem.seated - 3 * problem.threes,
            )
            start = [
                draw_random_round(problem, one[problem.seated :], one[fours : problem.seated], again)
                for one in start
            ]
        search, numbers = Search(problem, start, True), SeededNumbers(problem.seed, "avoid %d" % run)
        if work > LARGE_WORK:
            search.repair_seats(MAX_MOVES // 4, numbers)
            search.search_seats(MAX_MOVES // 2, 0, numbers)
        else:
            search.search_seats(MAX_MOVES // runs, 4 * search.scale if run else 0, numbers)
        if search.cost < best.cost:
            best = search
    return [one[:-1] for one in best.rounds]


def exchange_names(problem, rounds, numbers):
    """Exchange players in all rounds while fewer pairs to be avoided meet."""
    avoided = [(pair, False) for pair in problem.avoid_partner] + [
        (pair, True) for pair in problem.avoid_meet
    ]
    places = [{player: at for at, player in enumerate(one)} for one in rounds]

    def count_meetings(*players):
        return sum(
            at[a] // problem.size == at[b] // problem.size and (meet or (at[a] - at[b]) % 2 == 0)
            for (a, b), meet in avoided
            if a in players or b in players
            for at in places
        )

    def exchange(a, b):
        for at in places:
            at[a], at[b] = at[b], at[a]

    everybody, improved = list(range(problem.players)), True
    while improved:
        improved = False
        for a in sorted({player for pair, _ in avoided for player in pair}):
            if not count_meetings(a):
                continue
            numbers.shuffle(everybody)
            for b in everybody:
                before = count_meetings(a, b)
                exchange(a, b)
                if count_meetings(a, b) < before:
                    improved = True
                    break
                exchange(a, b)
    return [sorted(at, key=at.get) for at in places]


def draw_tables(problem, byes):
    """Return the players of each round, table by table, then those with a bye."""
    rounds = search_tables(problem, byes)
    return avoid_pairs(problem, rounds) if problem.avoids else rounds


def search_tables(problem, byes):
    """Return rounds with few repeated meetings."""
    if problem.free and problem.size == 4:
        known = build_schedule_without_repeats(problem.players, problem.rounds) or build_schedule_from_planes(
            problem
        )
        if known:
            return shuffle_names(problem, known, SeededNumbers(problem.seed, "names"))
    work, best = problem.players * problem.rounds, None
    threes = draw_threes(problem, byes)
    runs = 8 if work <= SMALL_WORK else 3 if work <= LARGE_WORK else 1

    @functools.lru_cache(maxsize=None)
    def floor():
        return compute_floor(problem, tuple(p for p in range(problem.players) if p not in byes[0]))

    for run in range(runs):
        search = Search(problem, draw_start(problem, byes, threes, run))
        numbers = SeededNumbers(problem.seed, "search %d" % run)
        if work > LARGE_WORK:
            search.repair_seats(MAX_MOVES // 4, numbers)
            search.search_seats(MAX_MOVES // 2, 0, numbers)
        else:
            search.search_seats(MAX_MOVES // runs, 4, numbers, floor)
        if best is None or search.count_repeats() < best.count_repeats():
            best = search
        if best.cost <= best.floor:
            break
    return [one[:-1] for one in best.rounds]


# --- source/chairs.py
# Numbers of tables and chairs of players.


def assign_chairs(problem, rounds):
    """Number the tables and assign chairs: at random, then improved without loss for any player."""
    numbers = SeededNumbers(problem.seed, "seating")
    orders = {size: list(itertools.permutations(range(size))) for size in problem.sizes}
    if problem.in_pairs and 4 in orders:
        orders[4] = [order for order in orders[4] if abs(order[0] - order[2]) == 2]
    at_table = [{} for _ in range(problem.players)]
    on_chair = [[0] * problem.size for _ in range(problem.players)]

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
        turned = [(table, orders[len(table)]) for table in one]
        tables = [tuple(table[i] for i in of[numbers.draw_below(len(of))]) for table, of in turned]
        numbers.shuffle(tables)
        placed.append(tables)
    for one in [*(one["tables"] for one in problem.past), *placed]:
        for number, table in enumerate(one):
            put_number(table, number, 1)
            put_chairs(table, 1)
    for _ in range(6000):
        one = placed[numbers.draw_below(len(placed))]
        number = numbers.draw_below(len(one))
        turns = orders[len(one[number])]
        order = turns[numbers.draw_below(len(turns))]
        old, new = one[number], tuple(one[number][who] for who in order)
        put_chairs(old, -1)
        one[number] = new if at_chairs(new) <= at_chairs(old) else old
        put_chairs(one[number], 1)
        a, b = numbers.draw_below(len(one)), numbers.draw_below(len(one))
        first, second = one[a], one[b]
        stay = at_number(first, a) + at_number(second, b) - len(first) - len(second)
        if a != b and at_number(first, b) + at_number(second, a) <= stay:
            for table, before, after in ((first, a, b), (second, b, a)):
                put_number(table, before, -1)
                put_number(table, after, 1)
            one[a], one[b] = second, first
    return placed


def redraw_seats(problem):
    """Return the tables of the first drawn round, by number and chair, and its byes."""
    byes = draw_byes(problem)
    rounds = draw_tables(problem, byes)
    return assign_chairs(problem, [split_into_tables(one, problem) for one in rounds])[0], byes[0]


# --- source/official_acts.py
# Acts of officials, and results after a seed was public.


def describe_acts(stream):
    """Yield a text for each act of an official on a game."""
    for event in effective_events(stream):
        kind, body = event["type"], event["body"]
        if kind in ("game_closed", "game_resumed"):
            told = "broken off" if kind == "game_closed" else "resumed"
            yield "it was %s: %s" % (told, body["reason"] or "no reason")
        elif kind == "ruling_made":
            deal = "" if body.get("deal") is None else " on deal %d" % body["deal"]
            totals = " : ".join(str(points) for points in body["totals"])
            yield "ruling %d (%s)%s, totals %s: %s" % (
                body["ruling"],
                body["kind"],
                deal,
                totals,
                body["reason"] or "no reason",
            )
        elif kind in ("result_entered", "result_corrected") and body.get("reason") is not None:
            told = "corrected" if kind == "result_corrected" else "written"
            scores = " : ".join(str(points) for points in body["scores"])
            yield "deal %d was %s by an official, %s: %s" % (
                body["deal"],
                told,
                scores,
                body["reason"] or "no reason",
            )


def note_acts(export, streams, rounds, own):
    """Add a note for each act of an official on rounds, results and entries, with its reason."""
    notes, separated = export.report.notes, {}
    numbers = {row["player_ref"]: row["number"] for row in export.rows("entry")}
    for event in own:
        kind, body = event["type"], event["body"]
        if kind == "rounds_planned":
            notes.append("championship: %d rounds were to be played from then on" % body["rounds"])
        elif kind == "separator_recorded":
            again = [player for player in body["values"] if (body["kind"], player) in separated]
            if any(body["values"][player] != separated[body["kind"], player] for player in again):
                told = "championship: the %s of numbers that had one was recorded again: %s"
                notes.append(told % (body["kind"], ", ".join(str(numbers.get(player)) for player in again)))
            separated.update({(body["kind"], player): value for player, value in body["values"].items()})
        elif kind in ("entries_merged", "entries_parted"):
            told = "merged" if kind == "entries_merged" else "separated again"
            both = numbers.get(body["player"]), numbers.get(body["other"])
            reason = body.get("reason") or "no reason"
            notes.append("championship: numbers %r and %r were %s: %s" % (*both, told, reason))
    for one in rounds:
        notes.extend("%s: %s" % (one.where, what) for what in one.acts)
        for place, game in enumerate(one.games, 1):
            for what in describe_acts(streams[game]) if game in streams else ():
                notes.append("%s, table %d: %s" % (one.where, place, what))


NEW_RESULTS = ("deal_scored", "result_entered", "deal_started", "card_played")


def check_reveals(report, streams, rounds, own):
    """Check that no result is new after the seed of its round is public.

    It is a difference in the round whose seed draws the sealed number, otherwise a note.
    """
    sets = [event["body"]["regulations"] for event in own if event["type"] == "regulations_set"]
    sealed = sets[-1]["rounds"] if sets and sets[-1]["counting"]["what"] == "nearest" else None
    for number, one in enumerate(rounds, 1):
        for place, game in enumerate(one.games, 1):
            shown = one.opened_games[game].seed_period.revealed_at
            stream = streams.get(game)
            if shown is None or stream is None:
                continue
            late = [e for e in stream.events if e["at"] > shown and e["type"] in NEW_RESULTS]
            if late and number == sealed:
                told = "table %d: event %d: a result is new though the sealed number was public"
                one.add_difference(told % (place, late[0]["seq"]))
            elif late:
                told = "%s, table %d: event %d: results were entered after the seed of the round was public"
                report.notes.append(told % (one.where, place, late[0]["seq"]))


# --- source/match_points.py
# A table's result where matches count: victory points by a scale, or 2-1-0.

MATCH_COUNTINGS = ("victory_points", "matches")
"""Ways of counting by which side won a table, not by its points."""


def counts_matches(counting):
    """Whether the difference of a table counts."""
    return counting["what"] in MATCH_COUNTINGS


def convert_lead(counting, lead):
    """Return the points of a side that is ahead by `lead`, behind where that is negative."""
    if counting["what"] == "matches":
        return (lead > 0) + (lead >= 0)
    steps = [step for step in counting["scale"] if step[0] <= abs(lead)]
    if not steps:
        raise Unusable("its scale has no points for a difference of %d" % abs(lead))
    return steps[-1][1] if lead > 0 else steps[-1][2]


# --- source/results.py
# Results of tables, and points of byes.


class TableResult:
    """The result of a table at a moment: totals, winners and sweeps."""

    def __init__(self, stream, moment, regulations):
        started = start_body(stream)
        scales = regulations["byes"].get("three") == "scaled"
        self.scaled = scales and is_table_of_three(started, regulations)
        book = read_score_book(stream, moment)
        self.sides = [book.get_side(seat) for seat in range(started["seats"])]
        self.totals, self.winners = book.totals, book.winners
        self.swept, self.ruled = book.find_sweeps()
        self.against_field = []
        written, rulings = {}, {}  # points by deal; ruling → deal and its points after it
        deals, closed, ended = {}, False, False  # deals: number -> whether all its scores are known
        for event in effective_events(stream, moment):
            kind, body = event["type"], event["body"]
            closed = kind == "game_closed" or (closed and kind != "game_resumed")
            ended = ended or kind == "game_ended"
            if kind == "deal_annulled":
                deals.pop(body["deal"], None)
            if kind in ("deal_scored", "result_entered", "result_corrected"):
                written[body["deal"]] = body["scores"]
            if kind == "ruling_made":
                rulings.pop(body.get("replaces"), None)
                if body.get("scores") is not None and body.get("deal") is not None:
                    rulings[body["ruling"]] = body["deal"], body["scores"]
            ruled = kind == "ruling_made" and body.get("deal") in deals and body["kind"] != "annul_deal"
            if ruled or kind in ("deal_scored", "result_entered", "result_corrected"):
                deals[body["deal"]] = None not in body["scores"]
        planned = 1 if started.get("hand_in") == "totals" else started["options"].get("deals")
        ruled = dict(rulings.values())
        counted = {deal: ruled.get(deal, written.get(deal)) for deal in deals}
        last = count_deals_at_three(started, regulations)
        self.by_deal = [counted.get(deal) for deal in range(1, last + 1)]
        self.outside = [
            total - sum(points[side] or 0 for points in counted.values() if points)
            for side, total in enumerate(self.totals)
        ]
        self.closed = closed
        self.complete = (ended and not closed) or bool(planned and planned <= len(deals))
        self.has_result = self.complete or any(deals.values()) or any(self.totals)
        self.is_replaced = "broken_off" in regulations and closed and not self.complete

    def credit(self, side, kind, version):
        """Return the points of a seat: those of its side, or one for each beaten opponent.

        None means no result, or no winner yet where wins count (0 in version 1).
        """
        if version > 1 and not (self.has_result and (kind != "wins" or self.winners)):
            return None
        if kind == "field":
            return self.against_field[side] if side < len(self.against_field) else None
        if kind != "wins":
            total = self.totals[side]
            return (8 * total + 3) // 6 if self.scaled else total
        beaten = sum(other not in self.winners for other in self.sides) if side in self.winners else 0
        return (6 * beaten + 2) // 4 if self.scaled else beaten

    def give(self, side, regulations, version):
        """Return what counts of this table for a side; None without a result. Raise Unusable."""
        counting = regulations["counting"]
        if not counts_matches(counting):
            return self.credit(side, regulations["play"]["credit"], version)
        if not self.has_result or len(self.totals) != 2:
            return None
        fewest = (find_variant(regulations["play"]) or {}).get("fewest")
        lead = self.totals[side] - self.totals[1 - side]
        return convert_lead(counting, -lead if fewest else lead)

    def leads(self, side, regulations):
        """Whether a side has better points than every other."""
        sign = -1 if (find_variant(regulations["play"]) or {}).get("fewest") else 1
        rest = [total for at, total in enumerate(self.totals) if at != side]
        return self.has_result and all(sign * (self.totals[side] - total) > 0 for total in rest)


def read_results(streams, games, moment, regulations):
    """Return the results of the tables of a round at a moment, compared with each other if that counts."""
    results = [TableResult(streams[game], moment, regulations) for game in games]
    if regulations["play"]["credit"] == "field":
        for size in {len(one.sides) for one in results}:
            compare_tables([one for one in results if len(one.sides) == size])
    return results


def compare_tables(tables):
    """Count each side of these tables against the same side of the others, deal by deal.

    A table that misses a deal counts the mean of its other deals there.
    """
    held = set()
    for table in tables:
        held.update(number for number, points in enumerate(table.by_deal) if points and any_known(points))
    for table in tables:
        table.against_field = []
        for side, beside in enumerate(table.outside):
            found = []
            for number, points in enumerate(table.by_deal):
                others = [
                    other.by_deal[number][side]
                    for other in tables
                    if other is not table and number < len(other.by_deal) and other.by_deal[number]
                ]
                others = [value for value in others if value is not None]
                if points and points[side] is not None and others:
                    found.append(points[side] - fractions.Fraction(sum(others), len(others)))
            mean = sum(found) / len(found) if found else None
            table.against_field.append(None if mean is None else mean * len(held) + beside)


def any_known(points):
    """Whether any side of a deal has points."""
    return any(value is not None for value in points)


def has_unknown_sides(stream):
    """Whether it is unknown which seats of a game form a side."""
    started = start_body(stream)
    two_of_four = (started["seats"], started["sides"]) == (4, 2)
    bid = any(event["type"] == "auction_won" for event in stream.events)
    return find_variant(started) is None and two_of_four and bid


RoundScore = collections.namedtuple(
    "Scored", "round points sweeps played table won unfinished at absent broken_off", defaults=(False, False)
)
"""One round of one entry.

points: None without a result; sweeps: None if they cannot be counted; unfinished: why a result is not final;
at: the number of the table, 0 for a bye; absent: the round was missed; broken_off: the table was, and a
credit counts in its place.
"""


def score_round(result, number, side, regulations, version, at):
    """Return the score of a seat at a table in a round."""
    points, won = result.give(side, regulations, version), result.winners == [side]
    sweeps, table, unfinished = None if result.ruled else result.swept.count(side), result.totals[side], None
    if version > 1:
        if not result.complete:
            there = ("so_far", "broken_off") if result.has_result else ("none_yet", "none")
            unfinished = there[result.closed]
        if points is None and result.has_result:
            unfinished = "none" if result.complete or result.closed else "none_yet"
        if not result.has_result:
            sweeps, table = 0, None
    return RoundScore(number, points, sweeps, True, table, won, unfinished, at, False, result.is_replaced)


def compute_bye_points(regulations, results, version):
    """Return the points of a bye in a round with these results, or None if no table has one."""
    found = compute_unplayed_points(regulations["byes"], regulations, results, version)
    return 0 if found is None and version == 1 else found


def compute_unplayed_points(rules, regulations, results, version, direction=1):
    """Return what a round with these results gives to who did not play it, or None if no table has one.

    Where the average of own rounds counts, this is that of people without any final result.
    """
    worth = rules["points"]
    if worth == "fixed":
        return rules["fixed"]
    if worth == "win" and regulations["counting"]["what"] == "matches":
        return 2
    credits = [
        (one.complete, one.leads(side, regulations), one.give(side, regulations, version))
        for one in results
        if not one.is_replaced
        for side in one.sides
    ]
    credits = [one for one in credits if one[2] is not None]
    there = [one for one in credits if one[0] or version == 1] or credits
    if worth == "win":
        there = [one for one in there if one[1]] or there
    given = [points for _, _, points in there]
    if not given:
        return None
    if worth == "worst":
        return min(given) if direction > 0 else max(given)
    return compute_average(given, regulations)


def compute_average(points, regulations):
    """Return the average of points: exact, or in earlier regulations a whole number, a half rounded up."""
    total, count = sum(points), len(points)
    if regulations.get("averages") == "exact":
        return fractions.Fraction(total) / count
    return (2 * total + count) // (2 * count)


def average_own(given, regulations):
    """Return the average of the final results of an entrant, or None without any."""
    own = [one.points for one in given if one.played and one.points is not None and not one.unfinished]
    return compute_average(own, regulations) if own else None


def count_own_mean(given, regulations):
    """Return the rounds of an entrant with the average of its final results for each bye, if it has any."""
    mean = average_own(given, regulations)
    return given if mean is None else [one if one.played else one._replace(points=mean) for one in given]


def count_absences(given, worth, regulations, stays, excused):
    """Return the rounds of an entrant with those that it missed.

    worth: what closed rounds give, in order; excused: the rounds missed with notice. Rounds before the first
    one and, of who has left, after the last one give nothing.
    """
    if not any(one.played for one in given):
        return given
    rules, there, mean = regulations["absences"], {one.round for one in given}, None
    if rules["points"] == "own":
        mean = average_own(given, regulations)
    missed = [
        (number, points)
        for number, points in worth
        if number > min(there) and number not in there and (stays or number < max(there))
        if number in excused or not rules.get("excused")
    ]
    more = [
        RoundScore(number, points if mean is None else mean, 0, False, 0, False, None, 0, True)
        for number, points in missed[: rules["most"]]
    ]
    return sorted([*given, *more], key=lambda one: one.round)


def count_broken_off(given, worth, regulations):
    """Return the rounds of an entrant with the credits of tables that were broken off, of the first ones.

    worth: what closed rounds give. Nothing else of such a table counts.
    """
    rules, worth, mean = regulations["broken_off"], dict(worth), None
    if rules["points"] == "own":
        mean = average_own(given, regulations)
    left = sorted(one.round for one in given if one.broken_off and one.round in worth)[: rules["most"]]
    found = []
    for one in given:
        if one.broken_off and one.round in worth:
            points = worth[one.round] if mean is None else mean
            one = RoundScore(
                one.round,
                points if one.round in left else None,
                0,
                False,
                0,
                False,
                None,
                one.at,
                False,
                True,
            )
        found.append(one)
    return found


def list_excused_at(own, moment):
    """Return the rounds that each player misses with notice, as noted at a moment."""
    found = {}
    for event in own:
        if event["type"] == "absences_excused" and event["at"] <= moment:
            found[event["body"]["player"]] = set(event["body"]["rounds"])
    return found


def count_unplayed(scored, regulations, values, stays, excused):
    """Return the rounds of all entrants, by key, with what they did not play to its end.

    values: for `absences` and `broken_off`, what closed rounds give; by key, stays: whether the entrant has
    not withdrawn, excused: the rounds missed with notice.
    """
    if "absences" in regulations:
        scored = {
            key: count_absences(one, values["absences"], regulations, stays[key], excused.get(key, ()))
            for key, one in scored.items()
        }
    if "broken_off" in regulations:
        worth = values["broken_off"]
        scored = {key: count_broken_off(one, worth, regulations) for key, one in scored.items()}
    return scored


def value_rounds(regulations, results_of, version, direction):
    """Return what closed rounds give, for `absences` and `broken_off`. results_of: (number, results)."""
    values = {}
    for kind in ("absences", "broken_off"):
        if kind in regulations:
            rules = regulations[kind]
            found = [
                (number, compute_unplayed_points(rules, regulations, results, version, direction))
                for number, results in results_of
            ]
            values[kind] = [one for one in found if one[1] is not None]
    return values


def find_counting_moment(one, streams, closed_at, moment):
    """Return the moment at which byes of a round were counted for a ranking.

    That is the closing of the round, or the last correction or ruling after it.
    """
    counted = [event for event in one.stream.events if event["type"] == "sitting_out_counted"]
    for game in one.games:
        for event in streams[game].events:
            by_office = event["type"].startswith("result_") and event["body"].get("reason") is not None
            if by_office or event["type"] in ("ruling_made", "deal_annulled"):
                counted.append(event)
    return max([closed_at, *(event["at"] for event in counted if event["at"] <= moment)])


def _merge_members(of_members):
    """Return the rounds of a pair: from a table if there is one, else from a bye."""
    rounds = {}
    for given in (given for one in of_members for given in one):
        before = rounds.get(given.round)
        if before is None or _precedence(given) > _precedence(before):
            rounds[given.round] = given
    return [rounds[number] for number in sorted(rounds)]


def _precedence(given):
    """Return the rank of a score among those of a pair: a table before a bye before none."""
    return 0 if given.points is None else 1 + given.played


# --- source/buchholz.py
# Buchholz: the strength of the opponents that an entry has met, from their totals.


def list_opponents(tables):
    """Return, by number, the numbers of the opponents at each table. Tables are numbers by side."""
    met = {}
    for sides in tables:
        for side, mine in enumerate(sides):
            for key in set(mine):
                others = {k for at, keys in enumerate(sides) if at != side for k in keys} - {key}
                met.setdefault(key, []).append(others)
    return met


def sum_strengths(totals, as_opponent, met, byes):
    """Return the sum of the opponents' totals by number, of their mean at tables with several.

    A bye counts like an opponent with the own total.
    """
    found = {}
    for key, total in totals.items():
        found[key] = byes[key] * total
        for others in met.get(key, []):
            there = [as_opponent[other] for other in others if other in as_opponent]
            if there:
                found[key] += fractions.Fraction(sum(there)) / len(there)
    return found


# --- source/ranking_order.py
# The order of a ranking: sums, places, tie-breaks.


class CountingRules:
    """How a championship counts. Directions are 1 if more is better, -1 if less is."""

    def __init__(self, regulations, version, fewest=False):
        play, self.counting, self.version = regulations["play"], regulations["counting"], version
        self.table_direction = -1 if fewest or (find_variant(play) or {}).get("fewest") else 1
        most = play["credit"] == "wins" or counts_matches(self.counting)
        self.total_direction = 1 if most else self.table_direction
        if version == 1:
            self.table_direction, self.total_direction = 1, -1 if self.counting.get("lowest_wins") else 1

    def count_kept_rounds(self, held):
        """Return the number of rounds of an entry that count after `held` rounds."""
        number = self.counting["number"]
        kept = {"best": min(number, held), "drop_worst": max(1, held - number) if held else 0}
        return kept.get(self.counting["what"], held)

    def may_count(self, one, strict):
        """Whether the points of a round may be added up. If strict, only final results may."""
        points, unfinished = one
        return points is not None and not (self.version > 1 and strict and unfinished)


def list_separators(own, keys, moment):
    """Return the recorded lots and cards, by number."""
    found = {"cut": {}, "lot": {}}
    for event in own:
        if event["type"] == "separator_recorded" and event["at"] <= moment:
            for player, value in event["body"]["values"].items():
                found[event["body"]["kind"]][keys[player]] = value
    return found


def sum_rounds(rounds, rules, held, strict):
    """Return the numbers of the rounds that count, and their total.

    Rounds are (number, points, unfinished).
    """
    may = [one for one in rounds if rules.may_count(one[1:], strict)]
    may.sort(key=lambda one: (-rules.total_direction * one[1], one[0]))
    counts = {one[0] for one in may[: rules.count_kept_rounds(held)]}
    if rules.counting["what"] == "last_round":
        counts &= {max((one[0] for one in rounds), default=0)}
    total = sum(one[1] for one in may if one[0] in counts)
    if rules.counting["what"] == "average" and counts:
        total = fractions.Fraction(total, len(counts))
    return counts, total


def count_strengths(told, scored, met, rules, held, totals):
    """Return Buchholz by number: what opponents did not play counts as the regulations say."""
    worth, as_opponent = rules.counting.get("buchholz_unplayed"), dict(totals)
    for key in told if worth is not None else ():
        played = [(r.round, r.points, r.unfinished) for r in scored.get(key, []) if r.played]
        missed = set(range(1, held + 1)) - {one[0] for one in played}
        given = [*played, *((number, worth, None) for number in missed)]
        as_opponent[key] = sum_rounds(given, rules, held, rules.total_direction < 0)[1]
    byes = {key: sum(not (r.played or r.absent or r.broken_off) for r in scored.get(key, [])) for key in told}
    return sum_strengths(totals, as_opponent, met, byes)


def weigh_last_round(given, counts, points):
    """Return the order by the last round of an entry: the round, the table, the points there."""
    if not given:
        return (0,)
    last = max(given, key=lambda one: (one.round, one.played))
    return last.round, -(last.at if last.played else 1 << 20), len(counts), points


def rank_entries(told, scored, meetings, met, rules, held, recorded, places=None):
    """Return the numbers in groups of equal rank, the best first. Raise Unusable if a sum is wrong."""
    worth, best, totals, what = {}, {}, {}, rules.counting["what"]
    for key, row in told.items():
        strict = rules.total_direction < 0 or row["off"] is not None
        rounds = [(r["round"], r["points"], r.get("unfinished")) for r in row["rounds"]]
        counts, total = sum_rounds(rounds, rules, held, strict)
        if any(r["counts"] != (r["round"] in counts) for r in row["rounds"]):
            raise Unusable("number %d: the wrong rounds count" % key)
        if (row["total"], row["sweeps"]) != (total, sum(r["sweeps"] for r in row["rounds"])):
            raise Unusable("number %d has %s points in total instead of %s" % (key, total, row["total"]))
        totals[key] = total
        worth[key] = (rules.version > 1 and bool(counts), total)
        if strict:
            worth[key] = (len(counts), -(total if row["off"] is None else row["off"]))
        if what == "average":
            there = bool(counts) + (len(counts) >= rules.counting["number"])
            worth[key] = (there, rules.total_direction * total)
        if what == "last_round":
            worth[key] = weigh_last_round(scored.get(key, []), counts, rules.total_direction * total)
        if places is not None:
            worth[key] = (-places.get(key, max(places.values(), default=0) + 1),)
        may = [one[1] for one in rounds if rules.may_count(one[1:], strict)]
        best[key] = sorted((rules.total_direction * points for points in may), reverse=True)
    strengths = {}
    if "buchholz" in rules.counting["tie_breaks"]:
        strengths = count_strengths(told, scored, met, rules, held, totals)
        strengths = {key: rules.total_direction * value for key, value in strengths.items()}
    groups = _group_by_value(list(told), worth)
    for name in rules.counting["tie_breaks"]:
        groups = [
            part
            for group in groups
            for part in _apply_tie_break(
                group, name, told, scored, meetings, recorded, rules, best, strengths
            )
        ]
    return groups


def _group_by_value(group, values):
    """Group numbers by value, the highest first."""
    parts = {}
    for key in group:
        parts.setdefault(values[key], []).append(key)
    return [parts[value] for value in sorted(parts, reverse=True)]


def _apply_tie_break(group, name, told, scored, meetings, recorded, rules, best, strengths):
    """Split a group by one tie-break."""
    if len(group) == 1:
        return [group]
    if name == "direct_encounter":
        won, met = dict.fromkeys(group, 0), set()
        for (one, other), (mine, theirs) in meetings:
            lead = rules.table_direction * (mine - theirs)
            for side, by, against in ((one, lead, other), (other, -lead, one)):
                for a in set(group).intersection(side):
                    for b in set(group).intersection(against):
                        met.add((a, b))
                        won[a] += (by > 0) + (by >= 0)
        return _group_by_value(group, won) if len(met) == len(group) * (len(group) - 1) else [group]
    if name in ("cut", "lot"):
        values = recorded[name]
        sign = 1 if name == "cut" else -1
        return (
            _group_by_value(group, {key: sign * values[key] for key in group})
            if set(group) <= values.keys()
            else [group]
        )
    if name == "buchholz":
        return _group_by_value(group, strengths)
    if name == "sweeps":
        return _group_by_value(group, {key: told[key]["sweeps"] for key in group})
    if name == "wins":
        return _group_by_value(group, {key: sum(r.won for r in scored.get(key, [])) for key in group})
    if name == "table_points":
        return _group_by_value(
            group, {key: _sum_table_points(scored.get(key, []), rules.table_direction) for key in group}
        )
    part = slice(0, 1) if name == "highest_round" else slice(1, None)
    return _group_by_value(group, {key: tuple(best[key][part]) for key in group})


def _sum_table_points(given, direction):
    """Return the table points of an entry, comparable in the direction of the game."""
    if direction > 0:
        return (sum(r.table or 0 for r in given),)
    final = [r.table for r in given if r.table is not None and r.played and not r.unfinished]
    return len(final), -sum(final)


def read_row(row):
    """Return a row of a ranking with its fractions as numbers. Raise Unusable for another text."""
    rounds = [dict(one, points=read_figure(one["points"])) for one in row["rounds"]]
    return dict(row, total=read_figure(row["total"]), off=read_figure(row["off"]), rounds=rounds)


def read_figure(value):
    """Return points; a fraction that is not whole is written "n/d" in lowest terms."""
    if not isinstance(value, str):
        return value
    above, _, below = value.partition("/")
    try:
        found = fractions.Fraction(int(above), int(below))
    except (ValueError, ZeroDivisionError):
        raise Unusable("%r is no number" % value) from None
    if found.denominator == 1 or value != str(found):
        raise Unusable("%r is no fraction in lowest terms" % value)
    return found


def write_exact_number(value):
    """Write an exact number as files have it."""
    return value.numerator if value.denominator == 1 else "%d/%d" % (value.numerator, value.denominator)


# --- source/teams.py
# Teams: who belongs to which, and the ranking of teams.

APART = ("never_partner", "never_meet", "avoid_partner", "avoid_meet")
"""How regulations keep the members of a team apart: always, or as far as possible."""
MOST_OF_DRAWN_TEAM = 60
"""The most people of a team that is drawn, with its reserve."""


def list_teams_at(own, moment):
    """Return the number of the team by player at a moment."""
    numbers, team_of = {}, {}
    for event in own:
        body = event["body"]
        if event["at"] > moment:
            continue
        if event["type"] == "team_formed":
            numbers[body["team"]] = body["number"]
        elif event["type"] == "team_joined":
            team_of.update(dict.fromkeys(body["players"], numbers.get(body["team"])))
        elif event["type"] == "team_left":
            for player in body["players"]:
                team_of.pop(player, None)
    return team_of


def list_team_mates(own, moment, regulations):
    """Return the pairs of players of one team that a draw keeps apart, by the kind of wish."""
    apart, members = regulations.get("teams", {}).get("apart"), {}
    merged, pair_of = list_merged_at(own, moment), {}
    for event in own if regulations["play"]["format"] == "fixed_pairs" else ():
        body = event["body"]
        if event["at"] <= moment and event["type"] == "entrant_formed":
            pair_of.update(dict.fromkeys(body["players"], body["entrant"]))
        elif event["at"] <= moment and event["type"] == "entrant_joined":
            pair_of[body["player"]] = body["entrant"]
    for player, team in list_teams_at(own, moment).items():
        if player not in merged:
            members.setdefault(team, []).append(player)
    found = {
        frozenset((one, other))
        for players in members.values()
        for at, one in enumerate(players)
        for other in players[:at]
        if pair_of.get(one) is None or pair_of.get(one) != pair_of.get(other)
    }
    return {kind: found if apart == kind else set() for kind in APART}


def check_teams(export, rounds, own):
    """Check that teams are those of the log, not too large, and changed after playing only with a reason."""
    differs = functools.partial(export.report.add_difference, "championship")
    numbers, team_of, gone, entered, published = {}, {}, set(), {}, False
    for event in own:
        kind, body = event["type"], event["body"]
        if kind == "entry_added":
            entered[body["player"]] = body["number"]
        elif kind == "entry_withdrawn":
            gone.add(body["player"])
        elif kind == "entry_returned":
            gone.discard(body["player"])
        elif kind == "standings_published":
            published = True
        elif kind == "team_formed":
            if body["team"] in numbers or body["number"] in numbers.values():
                differs("a team was formed twice")
            numbers[body["team"]] = body["number"]
        elif kind == "team_dissolved":
            if published or body["team"] in team_of.values() or numbers.pop(body["team"], None) is None:
                differs("a team with members, or with a place, was dissolved")
        elif kind in ("team_joined", "team_left"):
            players, team = body["players"], body.get("team")
            if not set(players) <= entered.keys() or (kind == "team_joined" and team not in numbers):
                differs("a person who was never entered joined a team, or a team that there is not")
                continue
            regulations = read_regulations_at(own, event["at"])
            drawn = regulations.get("entrants") == "teams"
            check_move(export.report, rounds, event, entered, team_of if drawn else {})
            for player in players:
                team_of[player] = team
            out = gone | list_merged_at(own, event["at"]).keys()
            there = [one for one, belongs in team_of.items() if belongs == team and one not in out]
            size = MOST_OF_DRAWN_TEAM if drawn else regulations.get("teams", {}).get("size", 0)
            if regulations["play"]["format"] == "fixed_pairs":
                size *= 2
            if team is not None and len(there) > size:
                differs("team %d has %d people instead of at most %d" % (numbers[team], len(there), size))
    refs = {row["pk"]: row["ref"] for row in export.rows("team")}
    told = {
        row["player_ref"]: refs.get(row["team"])
        for row in export.rows("entry")
        if row.get("team") is not None
    }
    rows = {row["ref"]: row["number"] for row in export.rows("team")}
    if rows != numbers or told != {player: team for player, team in team_of.items() if team is not None}:
        export.report.add_difference("championship.json", "the teams are not those of the log")


def check_move(report, rounds, event, entered, bound):
    """Note who changed teams after playing; without a reason it differs.

    bound: the team of those who may not leave it after playing, since its results are theirs.
    """
    played = [
        player
        for player in event["body"]["players"]
        if any(player in list_seated_at(one, event["at"]) and _is_opened(one, event["at"]) for one in rounds)
    ]
    if not played:
        return
    if any(bound.get(player) is not None for player in played):
        report.add_difference("championship", "somebody changed teams after playing for one")
        return
    told = "number %s changed teams after playing: %s"
    who, why = ", ".join(str(entered[player]) for player in played), event["body"].get("reason")
    if not why:
        report.add_difference("championship", told % (who, "no reason"))
    else:
        report.notes.append("championship: " + told % (who, why))


def _is_opened(one, moment):
    """Whether a round was open or closed at a moment."""
    turns = [
        event["type"]
        for event in one.stream.events
        if event["at"] <= moment and event["type"] in ("round_opened", "draw_undone")
    ]
    return turns[-1:] == ["round_opened"]


def check_team_ranking(own, regulations, snapshot, event, told, scored, meetings, rules, written):
    """Check the ranking of teams that was published beside a single one. Raise Unusable.

    told: the single ranking by number, checked before; written: number by player.
    """
    teams, digest = snapshot.get("teams"), event["body"].get("teams_digest")
    wanted = read_regulations_at(own, event["at"]).get("teams")
    if (teams is None) != (wanted is None) or (teams is None) != (digest is None):
        raise Unusable("the ranking of teams is missing, or the regulations know none")
    if teams is None:
        return
    if sha256(serialize_json(teams)).hex() != digest:
        raise Unusable("the ranking of teams is not the one in the log")
    team_of = {written[player]: team for player, team in list_teams_at(own, event["at"]).items()}
    found = rank_teams(list(told.values()), scored, meetings, team_of, wanted, rules)
    said = [_read_team(row) for row in teams]
    for mine, theirs in zip(found, said):
        if mine != theirs:
            raise Unusable(
                "team %r: its place, its total or its members are not those of the log" % theirs[0]
            )
    if len(found) != len(said):
        raise Unusable("the ranking of teams does not contain each team once")


def rank_teams(rows, scored, meetings, team_of, wanted, rules):
    """Return the rows of the ranking of teams: number, place, whether it is shared, total, off, members."""
    lines = {}
    for row in rows:
        if row["key"] in team_of:
            lines.setdefault(team_of[row["key"]], []).append(row)
    counted = {
        team: [row for row in own[: wanted["best"]] if any(r["counts"] for r in row["rounds"])]
        for team, own in lines.items()
    }
    short = {team for team, own in lines.items() if len(own) < wanted["best"]}
    placed = sorted(lines.keys() - (short if wanted["short"] == "unranked" else set()))
    totals = {team: sum(row["total"] for row in counted[team]) for team in lines}
    offs, worth, best, of_team, swept = {}, {}, {}, {}, {}
    for team in placed:
        own = counted[team]
        known = [row["off"] for row in own if row["off"] is not None]
        offs[team] = sum(known) if known else None
        strict = rules.total_direction < 0 or bool(known)
        of_team[team] = [one for row in own for one in scored[row["key"]]]
        swept[team] = {"sweeps": sum(row["sweeps"] for row in own)}
        may = [one.points for one in of_team[team] if rules.may_count((one.points, one.unfinished), strict)]
        best[team] = sorted((rules.total_direction * points for points in may), reverse=True)
        worth[team] = bool(own), rules.total_direction * totals[team]
        if strict:
            kept = sum(r["counts"] for row in own for r in row["rounds"])
            worth[team] = kept, -(totals[team] if offs[team] is None else offs[team])
    counts_for = {row["key"]: team for team, own in counted.items() for row in own}
    between = []
    for sides, points in meetings:
        one, other = ({counts_for[key] for key in side if key in counts_for} for side in sides)
        between.append(((one - other, other - one), points))
    no_lots, no_strength = {"cut": {}, "lot": {}}, dict.fromkeys(placed, 0)
    groups = _group_by_value(placed, worth)
    for name in rules.counting["tie_breaks"]:
        groups = [
            part
            for group in groups
            for part in _apply_tie_break(
                group, name, swept, of_team, between, no_lots, rules, best, no_strength
            )
        ]
    found = []
    for group in groups:
        place = len(found) + 1
        found += [
            [team, place, len(group) > 1, totals[team], offs[team], _list_members(lines[team], wanted)]
            for team in sorted(group)
        ]
    found += [
        [team, None, False, totals[team], None, _list_members(lines[team], wanted)]
        for team in sorted(lines.keys() - set(placed))
    ]
    return found


def _read_team(row):
    """Return a row of the ranking of teams as `rank_teams` does, with its fractions as numbers."""
    members = [dict(one, total=read_figure(one["total"])) for one in row["members"]]
    total, off = read_figure(row["total"]), read_figure(row["off"])
    return [row["key"], row["place"], row["shared"], total, off, members]


def _list_members(lines, wanted):
    """Return the members of a team as its row tells them."""
    return [
        {
            "key": row["key"],
            "total": row["total"],
            "counts": at < wanted["best"] and any(r["counts"] for r in row["rounds"]),
        }
        for at, row in enumerate(lines)
    ]


# --- source/encounters.py
# Teams that play against each other at tables side by side.


def plays_in_teams(regulations):
    """Whether teams are drawn and ranked, and not their members."""
    return regulations.get("entrants") == "teams"


def list_team_players(own, moment):
    """Return the players of each team at a moment by its number, without merged entries."""
    merged, members = list_merged_at(own, moment), {}
    for player, team in list_teams_at(own, moment).items():
        if player not in merged and team is not None:
            members.setdefault(team, []).append(player)
    return members


class EncounterResult(TableResult):
    """The results of the tables of two teams as one: sums of sides. Sides are 0 and 1, seat by seat."""

    def __init__(self, tables, regulations):
        """tables: (result, whether its second side is the first team)."""
        results = [result for result, _ in tables]
        self.scaled, self.against_field, self.by_deal, self.outside = False, [], [], []
        self.sides = [side ^ turned for result, turned in tables for side in result.sides]
        self.totals = [
            sum(result.totals[side ^ turned] for result, turned in tables if len(result.totals) == 2)
            for side in (0, 1)
        ]
        self.swept = [side ^ turned for result, turned in tables for side in result.swept]
        self.ruled = any(result.ruled for result in results)
        self.complete = all(result.complete for result in results)
        self.closed = all(result.closed for result in results if not result.complete)
        self.has_result = any(result.has_result for result in results)
        self.is_replaced = "broken_off" in regulations and self.closed and not self.complete
        sign = -1 if (find_variant(regulations["play"]) or {}).get("fewest") else 1
        best = max(sign * total for total in self.totals)
        self.winners = [side for side in (0, 1) if self.complete and sign * self.totals[side] == best]


def merge_encounters(results, seated, team_of, regulations):
    """Return (place, result, people) of each encounter, or of each table where no teams are drawn.

    seated: people by seat of each table; team_of: number of their team. Raise Unusable where people of two
    teams sit on one side, or people of one team against each other.
    """
    if not plays_in_teams(regulations):
        return [(at, *one) for at, one in enumerate(zip(results, seated), 1)]
    found, opponents = [], {}
    for at, (result, people) in enumerate(zip(results, seated), 1):
        sides = [{team_of[p] for p in people[side::2] if p in team_of} for side in (0, 1)]
        if len(sides[0]) > 1 or len(sides[1]) > 1 or sides[0] & sides[1]:
            raise Unusable("at table %d people of one team do not play for it" % at)
        one, other = (next(iter(side), None) for side in sides)
        if one is not None and other is not None:
            opponents[one], opponents[other] = other, one
        found.append((at, result, people, one, other))
    encounters, alone = {}, []
    for at, result, people, one, other in found:
        one = opponents.get(other) if one is None else one
        other = opponents.get(one) if other is None else other
        if one is None or other is None or sorted(set(result.sides)) != [0, 1]:
            alone.append((at, result, people))
        else:
            encounters.setdefault((min(one, other), max(one, other)), []).append(
                (at, result, people, one > other)
            )
    merged = [
        (
            tables[0][0],
            EncounterResult([(result, turned) for _, result, _, turned in tables], regulations),
            [person for _, _, people, _ in tables for person in people],
        )
        for tables in encounters.values()
    ]
    return sorted([*alone, *merged], key=lambda one: one[0])


# --- source/brackets.py
# The bracket of a knock-out: who meets whom and who goes on, from start ranks, lots and results.

MOST_SEPARATIONS = 100000
HARD_APART = 1 << 20
OUTSIDE = (1 << 30, 0, 0)


class Match:
    """A match, or a table of which several go on. slots: entrants, None for nobody.

    place: the best place that is played for; wins: the winner of each game; order: first to last once it is
    decided; settled: the round in which it was.
    """

    def __init__(self, place, slots):
        self.place, self.slots, self.wins = place, list(slots), []
        self.order, self.winners, self.is_decided, self.is_played, self.settled = [], [], False, False, None

    @property
    def entrants(self):
        """The entrants, without empty slots."""
        return [ref for ref in self.slots if ref is not None]

    def decide(self, order, able, going, settled, is_played=False):
        """End the match: the first ones of those able to go on do."""
        self.order, self.winners = order, [ref for ref in order if ref in able][:going]
        self.is_decided, self.is_played, self.settled = True, is_played, settled


class Bracket:
    """A bracket that follows the rounds.

    ranks: start rank, or None, of each entrant of the first round; apart: weight by pair of those who should
    not meet there; is_expected: whether an entrant is there in a round, by entrant and round. Entrants are
    refs, `n0007`.
    """

    def __init__(self, options, heads, ranks, apart, direction, seed, is_expected):
        self.heads, self.options, self.direction, self.seed = heads, options, direction, seed
        self.advance = 1 if heads == 2 else options.get("advance") or heads // 2
        self.group, self.is_expected, self.gained = heads // self.advance, is_expected, {}
        is_seeded = options.get("seeded", True)
        keys = {}
        for ref, rank in ranks.items():
            rank = rank if is_seeded else None
            keys[ref] = rank is None, rank or 0, self.draw_lot("seed", ref), ref
        order = sorted(keys, key=keys.get)
        self.separate(order, sum(not keys[ref][0] for ref in order), apart)
        slots = self.place_entrants(order)
        self.size = len(slots)
        self.phases = [[(1, [Match(1, own) for own in slots])]]
        self.members, self.over = set(ranks), False

    def draw_lot(self, purpose, ref):
        """Return the lot of an entrant."""
        label = "knock_out/%s/%s\0" % (purpose, ref)
        return hmac.digest(self.seed.encode(), label.encode() + bytes(8), "sha256")[:4]

    # the first phase

    def place_entrants(self, order):
        """Return the slots of the matches of the first phase, in bracket order."""
        count = 1
        while count * self.heads < len(order):
            count *= self.group
        surplus = max(len(order) - self.advance * count, 0)
        full, more = divmod(surplus, self.heads - self.advance)
        byes = count - full - (more > 0)
        last = 2 * byes if self.advance == 1 or count < 4 or byes >= 4 else 4 + byes
        tables = {rank: [] for rank in range(1, count + 1)}
        for rank in range(1, byes + 1):
            seeds = [rank, last + 1 - rank][: self.advance]
            tables[rank] = [order[at - 1] for at in seeds if at <= len(order)]
        seated = {ref for own in tables.values() for ref in own}
        left = [ref for ref in order if ref not in seated]
        room = dict.fromkeys(range(byes + 1, count + 1), self.heads)
        if more:
            room[byes + 1] = self.advance + more
        ranks = sorted(room)
        while left and ranks:
            for rank in ranks:
                if left and len(tables[rank]) < room[rank]:
                    tables[rank].append(left.pop(0))
            ranks.reverse()
        found = [1]
        while len(found) < count:
            k = len(found)
            found = [one for r in found for one in (r, 2 * k + 1 - r, 2 * k + r, 4 * k + 1 - r)[: self.group]]
        return [tables[rank] + [None] * (self.heads - len(tables[rank])) for rank in found]

    def separate(self, order, drawn, apart):
        """Exchange those placed by lot while fewer meet who should not."""
        tables = [
            [at for at in own if at is not None] for own in self.place_entrants(list(range(len(order))))
        ]
        home = {at: own for own in tables for at in own}

        def count_cost(at):
            return sum(apart.get(frozenset((order[at], order[o])), 0) for o in home[at] if o != at)

        is_better, tried = bool(apart), 0
        while is_better and tried < MOST_SEPARATIONS:
            is_better = False
            for one in range(drawn, len(order)):
                for other in range(drawn, len(order)) if count_cost(one) else ():
                    if home[one] is home[other] or tried >= MOST_SEPARATIONS:
                        continue
                    tried += 1
                    before = count_cost(one) + count_cost(other)
                    order[one], order[other] = order[other], order[one]
                    if count_cost(one) + count_cost(other) < before:
                        is_better = True
                        break
                    order[one], order[other] = order[other], order[one]

    # rounds

    @property
    def matches(self):
        """The matches of the current phase."""
        return [match for _, found in self.phases[-1] for match in found]

    @property
    def going(self):
        """How many go on from a match, the winner in the last phase."""
        return 1 if self.size == 1 else self.advance

    def list_present(self, match, number, points=()):
        """Return the entrants of a match who are expected in a round, or have played in it."""
        return [ref for ref in match.entrants if ref in points or self.is_expected(ref, number)]

    def open_round(self, number, tables=None):
        """Decide what needs no game, and go to the next phase while all is decided. tables: as drawn."""
        points = score_entrants(tables or ())
        while not self.over:
            is_open = any(
                not match.is_decided
                and min(len(match.entrants), len(self.list_present(match, number, points))) > self.going
                for match in self.matches
            )
            if tables is not None and is_open:
                self.follow_hand_draw(tables)
            for match in self.matches:
                own, present = match.entrants, self.list_present(match, number, points)
                if not match.is_decided and len(own) <= self.going:
                    match.decide(own, own, self.going, number)
                elif not match.is_decided and len(present) <= self.going:
                    gone = [ref for ref in own if ref not in present]
                    match.decide(present + gone, present, self.going, number)
            if not all(match.is_decided for match in self.matches):
                return
            if self.size == 1:
                self.over = True
                return
            self.phases.append(self.make_next())
            self.size //= self.group

    def make_next(self):
        """Return the next phase: its parts, each the best place of it and its matches."""
        following = []
        for place, found in self.phases[-1]:
            going = [match.winners + [None] * (self.advance - len(match.winners)) for match in found]
            following.append(self.join(place, going))
            if self.heads == 2 and (
                self.options.get("places") or (self.options.get("third") and len(found) == 2)
            ):
                losing = [[ref for ref in match.order if ref not in match.winners] for match in found]
                losing = [own if len(own) == 1 else [None] for own in losing]
                following.append(self.join(place + len(found), losing))
        return following

    def join(self, place, feeding):
        """Return a part that neighbouring matches lead to."""
        slots = [feeding[at : at + self.group] for at in range(0, len(feeding), self.group)]
        return place, [Match(place, itertools.chain.from_iterable(own)) for own in slots]

    def follow_hand_draw(self, tables):
        """Move entrants between matches without games where the tables were drawn otherwise."""
        for _, found in self.phases[-1]:
            free = [match for match in found if not match.is_decided and not match.wins]
            home = {ref: match for match in free for ref in match.entrants}
            for points in tables:
                met = [ref for ref in points if ref in home]
                target = home[met[0]] if met else None
                for ref in met:
                    if home[ref] is target:
                        continue
                    other = next((one for one in target.entrants if one not in met), None)
                    if other is None and None not in target.slots:
                        continue
                    origin = home[ref]
                    origin.slots[origin.slots.index(ref)] = other
                    target.slots[target.slots.index(other)] = ref
                    home[ref] = target
                    if other is not None:
                        home[other] = origin

    def play(self, number, tables, byes):
        """Follow a closed round. Tables are points by entrant, None without a result."""
        self.open_round(number, tables)
        points = score_entrants(tables)
        for ref, own in points.items():
            total, games = self.gained.get(ref, (fractions.Fraction(0), 0))
            self.gained[ref] = total + own, games + 1
        seated = {ref for one in tables for ref in one}
        for match in self.matches if not self.over else ():
            if match.is_decided:
                continue
            own, gone = match.entrants, []
            through = [ref for ref in own if ref in byes]
            if through and not seated & set(own) and len(through) <= self.going:
                gone = [ref for ref in own if ref not in through]
            rest = [ref for ref in own if ref not in gone]
            if any(ref in points for ref in rest):
                gone += [ref for ref in rest if ref not in points]
                rest = [ref for ref in rest if ref in points]
            if gone and len(rest) <= self.going:
                rest.sort(key=lambda ref: self.order_level(number, ref))
                match.decide(rest + gone, rest, self.going, number)
            elif all(ref in points for ref in rest):
                rest.sort(key=lambda ref: (-self.direction * points[ref], self.order_level(number, ref)))
                match.wins.append(rest[0])
                if 2 * match.wins.count(rest[0]) > self.options.get("best_of", 1):
                    match.decide(rest + gone, rest, self.going, number, is_played=True)

    def order_level(self, number, ref):
        """Return the order of level entrants: the mean of their points so far, then a lot."""
        total, games = self.gained.get(ref, (fractions.Fraction(0), 1))
        return -self.direction * total / games, self.draw_lot("level/%d" % number, ref), ref

    # places

    def list_places(self):
        """Return the place of each entrant."""
        reached = {}
        for parts in self.phases:
            is_last = all(len(found) == 1 for _, found in parts)
            for place, found in parts:
                through = place + (1 if is_last else len(found) * self.advance)
                for match in found:
                    for at, ref in enumerate(match.order if match.is_decided else match.entrants):
                        if not match.is_decided:
                            reached[ref] = place, 1, 0
                        elif ref in match.winners:
                            reached[ref] = place, 0, 0
                        else:
                            reached[ref] = through, 2, at if self.heads > 2 and match.is_played else 0
        standing = sorted(reached.get(ref, OUTSIDE) for ref in self.members)
        return {ref: standing.index(reached.get(ref, OUTSIDE)) + 1 for ref in self.members}


def score_entrants(tables):
    """Return the points of a round by entrant, without who has a table without a result."""
    found, missing = {}, set()
    for points in tables:
        for ref, own in points.items():
            if own is None:
                missing.add(ref)
            else:
                found[ref] = found.get(ref, 0) + own
    return {ref: own for ref, own in found.items() if ref not in missing}


def build_bracket(told, heads, played, direction, seed, away):
    """Return the bracket after rounds of (tables, byes), opened for the next one.

    told: the document of a draw; away: the entrants who are not there now.
    """
    last, ranks = {}, {one["ref"]: one["start_rank"] for one in told["entrants"]}
    for number, (tables, byes) in enumerate(played, 1):
        last.update(dict.fromkeys(itertools.chain(byes, *tables), number))
    first = set(itertools.chain(played[0][1], *played[0][0])) if played else set()
    if not played:
        first = {one["ref"] for one in told["entrants"]} - away
    apart, ref_of = {}, {}
    for one in told["entrants"]:
        ref_of.update(dict.fromkeys([one["ref"], *one["members"]], one["ref"]))
    for one, other, how in told["apart"]:
        pair = frozenset(ref_of.get(ref, ref) for ref in (one, other))
        weight = HARD_APART if how == "hard" else 1
        apart[pair] = max(apart.get(pair, 0), weight)
    bracket = Bracket(
        told["options"],
        heads,
        {ref: ranks.get(ref) for ref in first},
        apart,
        direction,
        seed,
        lambda ref, number: ref not in away or number <= last.get(ref, 0),
    )
    for number, (tables, byes) in enumerate(played, 1):
        bracket.play(number, tables, byes)
    bracket.open_round(len(played) + 1)
    return bracket


# --- source/system_rounds.py
# Rounds by a pairing system: what each of them has to keep, checked without drawing it again.


class SystemRound:
    """A drawn round with the document that it was drawn from. Entrants are named by ref, people by person.

    follows_plan: whether all rounds before were drawn by the same system and nobody changed chairs in them.
    helpers: players of the house, who may sit in empty chairs. seed: of the draw.
    """

    def __init__(self, told, tables, byes, names=None, follows_plan=True, helpers=(), seed=""):
        self.told, self.options, self.size = told, told["options"], told["size"]
        self.names, self.follows_plan, self.unproven = names or {}, follows_plan, []
        self.helpers, self.lasting_seed = set(helpers), told.get("plan_seed") or seed
        self.persons = {one["ref"]: one["members"] or [one["ref"]] for one in told["entrants"]}
        self.ref_of = {person: ref for ref, persons in self.persons.items() for person in persons}
        self.ref_of.update({p: one["ref"] for one in told["entrants"] for p in one.get("reserves", [])})
        self.in_teams = any(len(persons) > 2 for persons in self.persons.values())
        self.present = {one["ref"] for one in told["entrants"] if one["until_round"] is None}
        self.seats, self.bye_persons = tables, byes
        self.tables = self.list_matches(tables)
        self.byes = list(dict.fromkeys(self.ref_of[person] for person in byes))
        self.past_tables = [self.list_matches([t["seats"] for t in one["tables"]]) for one in told["past"]]
        self.met, self.partnered = collections.Counter(), collections.Counter()
        for one in told["past"]:
            seats = [table["seats"] for table in one["tables"]]
            self.met.update(self.list_meetings(seats, as_partners=False))
            self.partnered.update(self.list_meetings(seats, as_partners=True))
        self.bye_counts = collections.Counter(ref for one in told["past"] for ref in one["byes"])
        self.apart = {frozenset((a, b)) for a, b, how in told["apart"] if how == "hard"}
        self.avoided = {frozenset((a, b)) for a, b, _ in told["apart"]} - self.apart

    def list_entrants(self, seats):
        """Return the entrants at a table, each once, without players of the house."""
        return list(dict.fromkeys(self.ref_of[person] for person in seats if person in self.ref_of))

    def list_matches(self, tables):
        """Return the entrants of each table; of teams, those of each encounter once."""
        found = [self.list_entrants(seats) for seats in tables]
        if self.in_teams:
            found = list({frozenset(refs): refs for refs in found}.values())
        return found

    def list_meetings(self, tables, as_partners):
        """Return the pairs of entrants that are partners at these tables, or opponents, each once."""
        found = set()
        for seats in tables:
            for at, other in itertools.combinations(range(len(seats)), 2):
                together = self.told["partners"] and len(seats) == 4 and other - at == 2
                pair = frozenset(self.ref_of.get(seats[seat]) for seat in (at, other))
                if len(pair) == 2 and None not in pair and bool(together) == as_partners:
                    found.add(pair)
        return found

    def name(self, ref):
        """Return the name of an entrant in the report."""
        return self.names.get(ref, ref)

    def is_full(self):
        """Whether the same entrants took part in every round up to this one, in rounds of this system."""
        took_part = [
            {ref for table in tables for ref in table} | set(one["byes"])
            for tables, one in zip(self.past_tables, self.told["past"])
        ]
        return self.follows_plan and all(refs == self.present for refs in took_part)

    def list_points(self, at):
        """Return the points of each entrant by table of a past round, of teams by encounter: None without a
        result.
        """
        found = []
        for table in self.told["past"][at]["tables"]:
            own = {ref: [] for ref in self.list_entrants(table["seats"])}
            for person, points in zip(table["seats"], table["points"]):
                if person in self.ref_of:
                    own[self.ref_of[person]].append(points)
            found.append(
                {
                    ref: None if None in given else fractions.Fraction(sum(given), len(given))
                    for ref, given in own.items()
                }
            )
        return self.add_up_encounters(found) if self.in_teams else found

    def add_up_encounters(self, tables):
        """Return the sums of the tables of each encounter, None while one of them has no result."""
        found = {}
        for points in tables:
            sums = found.setdefault(frozenset(points), dict.fromkeys(points, 0))
            for ref, own in points.items():
                sums[ref] = None if None in (own, sums[ref]) else sums[ref] + own
        return list(found.values())


def find_faults(drawn):
    """Return what a round breaks. Add to its `unproven` what cannot be told from the document."""
    faults = list(check_people(drawn))
    check = SYSTEM_CHECKS.get(drawn.told["system"])
    if check is None or faults:
        return faults
    return list(dict.fromkeys(check(drawn)))


def check_people(drawn):
    """Check that everybody present has one table or bye, and that pairs sit together."""
    out = [person for ref in drawn.byes for person in drawn.persons[ref]]
    seated = [person for seats in drawn.seats for person in seats]
    if sorted(out) != sorted(drawn.bye_persons):
        yield "one of a pair has a bye without the other"
    wanted = {person for ref in drawn.present for person in drawn.persons[ref]}
    if len({*seated, *out}) < len(seated) + len(out):
        yield "somebody sits twice"
    if not wanted.issuperset({*seated, *out} - drawn.helpers):
        yield "somebody sits who was not there"
    if drawn.told["system"] not in ("knock_out", "open") and wanted - {*seated, *out}:
        yield "somebody who was there has neither a table nor a bye"
    if drawn.in_teams:
        yield from check_encounters(drawn)
    for seats in drawn.seats:
        refs = drawn.list_entrants(seats)
        if not 2 <= len(seats) <= drawn.size:
            yield "a table has %d seats" % len(seats)
        if any(len(drawn.persons[ref]) == 2 for ref in refs):
            sides = sorted(map(sorted, (seats[0::2], seats[1::2])))
            if len(seats) != 4 or sides != sorted(sorted(drawn.persons[ref]) for ref in refs):
                yield "a pair does not sit together"


def check_encounters(drawn):
    """Check that two of a team play against two of another one, and all of both at tables side by side."""
    places = {}
    for at, seats in enumerate(drawn.seats):
        sides = [{drawn.ref_of.get(person) for person in seats[side::2]} for side in (0, 1)]
        if len(sides[0]) != 1 or len(sides[1]) != 1 or sides[0] == sides[1]:
            yield "table %d is not one team against another one" % (at + 1)
            return
        places.setdefault(frozenset.union(*map(frozenset, sides)), []).append(at)
    met = [ref for refs in places for ref in refs]
    if len(set(met)) < len(met):
        yield "a team plays in two encounters"
    for refs, tables in places.items():
        if tables != list(range(tables[0], tables[0] + len(tables))):
            names = tuple(sorted(map(drawn.name, refs)))
            yield "the tables of %s and %s are not side by side" % names
        seated = sorted(person for at in tables for person in drawn.seats[at])
        if seated != sorted(person for ref in refs for person in drawn.persons[ref]):
            yield "a team does not play as it lines up"


# meetings


MATCHED_WHOLE = 200
"""Entrants up to which a repair of fixed pairs matches all of them anew, and so keeps apart whom it can."""


def list_better_exchanges(drawn, compute_cost, compute_bye_cost):
    """Return what an exchange between two tables, or of a bye, would make better. Costs are tuples.

    compute_cost: of a table; compute_bye_cost: of a table and the bye together.
    """
    for (a, b), (c, d) in list_table_pairs(drawn, compute_cost):
        before = add_costs(compute_cost(a, b), compute_cost(c, d))
        for one, other in (((a, c), (b, d)), ((a, d), (b, c))):
            if add_costs(compute_cost(*one), compute_cost(*other)) < before:
                names = tuple(drawn.name(ref) for ref in (*one, *other))
                yield "%s against %s and %s against %s would have been better" % names
    for out in drawn.byes if len(drawn.byes) == 1 else ():
        for a, b in drawn.tables:
            before = compute_bye_cost(a, b, out)
            for free, stays in ((a, b), (b, a)):
                if compute_bye_cost(out, stays, free) < before:
                    names = drawn.name(out), drawn.name(free)
                    yield "%s has the bye, which was due to %s" % names


def add_costs(one, other):
    """Add costs criterion by criterion."""
    return tuple(a + b for a, b in zip(one, other))


def list_table_pairs(drawn, compute_cost):
    """Return the pairs of tables of which one costs something."""
    dear = [any(compute_cost(*table)) for table in drawn.tables]
    for (at, one), (place, other) in itertools.combinations(enumerate(drawn.tables), 2):
        if dear[at] or dear[place]:
            yield one, other


def check_matches(drawn):
    """Check that tables have two entrants, and that no two with a bye could have met."""
    if any(len(refs) != 2 for refs in drawn.tables):
        yield "a table has not two entrants"
    for pair in map(frozenset, itertools.combinations(drawn.byes, 2)):
        allowed = drawn.told["system"] != "round_robin" or drawn.met[pair] < count_cycles(drawn)
        if allowed and pair not in drawn.apart:
            yield "%s and %s have a bye though they could have met" % tuple(sorted(map(drawn.name, pair)))


def check_fixed_pairs(drawn):
    """Check that nobody meets an opponent again, and nobody has another bye, where that could be avoided."""
    faults = list(check_matches(drawn))
    if faults:
        return faults

    exact = len(drawn.present) <= MATCHED_WHOLE
    avoided = drawn.avoided if exact else set()

    def compute_cost(a, b):
        pair = frozenset((a, b))
        return pair in drawn.apart, drawn.met[pair] ** 2, pair in avoided

    def compute_bye_cost(a, b, out):
        *costs, soft = compute_cost(a, b)
        return (*costs, drawn.bye_counts[out], soft)

    faults += list_better_exchanges(drawn, compute_cost, compute_bye_cost)
    together = sum(frozenset(refs) in drawn.avoided for refs in drawn.tables)
    if together and not faults:
        drawn.unproven.append("that %d who meet could not be kept apart" % together)
    again = [refs for refs in drawn.tables if drawn.met[frozenset(refs)]]
    if again and not faults and has_round_without_repeats(drawn):
        faults.append("%s and %s meet again though nobody had to" % tuple(map(drawn.name, again[0])))
    elif again and not faults:
        drawn.unproven.append("that %d meetings again could not be avoided" % len(again))
    return faults


def has_round_without_repeats(drawn):
    """Whether each of an even number has new opponents enough for a round without a repeat (Dirac, 1952)."""
    refs = sorted(drawn.present)
    new = collections.Counter()
    for pair in itertools.combinations(refs, 2):
        if not drawn.met[frozenset(pair)] and frozenset(pair) not in drawn.apart:
            new.update(pair)
    return len(refs) % 2 == 0 and all(2 * new[ref] >= len(refs) for ref in refs)


def count_cycles(drawn):
    """Return how often everybody meets everybody in a round robin."""
    return 2 if drawn.options.get("twice") else 1


def check_round_robin(drawn):
    """Check that nobody meets more often than planned; in a full field nobody has a second bye before all."""
    yield from check_matches(drawn)
    for refs in drawn.tables:
        if len(refs) == 2 and drawn.met[frozenset(refs)] >= count_cycles(drawn):
            yield "%s and %s meet again" % tuple(map(drawn.name, refs))
    yield from check_bye_order(drawn)


def check_bye_order(drawn):
    """Check that in a full field only those with the fewest byes have one."""
    if not drawn.is_full():
        if drawn.byes:
            drawn.unproven.append("that the byes were due, since not everybody was there in every round")
        return
    least = min((drawn.bye_counts[ref] for ref in drawn.present), default=0)
    for ref in drawn.byes:
        if drawn.bye_counts[ref] > least:
            yield "%s has another bye before everybody had one" % drawn.name(ref)


def check_whist(drawn):
    """Check that in a full field nobody has a partner twice, or an opponent three times."""
    if any(len(seats) != 4 for seats in drawn.seats) or not drawn.is_full():
        drawn.unproven.append("who should have been partners, since not everybody was there in every round")
        return
    for pair in sorted(map(sorted, drawn.list_meetings(drawn.seats, as_partners=True))):
        if drawn.partnered[frozenset(pair)]:
            yield "%s and %s are partners again" % tuple(map(drawn.name, pair))
    for pair in sorted(map(sorted, drawn.list_meetings(drawn.seats, as_partners=False))):
        if drawn.met[frozenset(pair)] > 1:
            yield "%s and %s are opponents for the third time" % tuple(map(drawn.name, pair))
    yield from check_bye_order(drawn)


# results


def check_king(drawn):
    """Check that winners moved up, losers down, and that the byes went to the lowest who had the fewest."""
    where_seated = {ref: at for at, refs in enumerate(drawn.tables) for ref in refs}
    least = min((drawn.bye_counts[ref] for ref in where_seated), default=0)
    for ref in drawn.byes:
        if drawn.bye_counts[ref] > least:
            yield "%s has another bye before others" % drawn.name(ref)
    ladder = order_ladder(drawn) if drawn.told["past"] else None
    if ladder is None:
        drawn.unproven.append("who begins where: by start rank, lot or tie-break")
        return
    highest, below = -1, -1  # tables of those who stand strictly above
    rank_before = None
    for ref in sorted((ref for ref in ladder if ref in where_seated), key=ladder.get):
        if ladder[ref] != rank_before:
            highest, rank_before = max(highest, below), ladder[ref]
        if where_seated[ref] < highest:
            yield "%s does not sit where the results of the round before say" % drawn.name(ref)
        below = max(below, where_seated[ref])
    for ref in drawn.byes:
        lower = [r for r in where_seated if ladder.get(r, -1) > ladder.get(ref, len(ladder))]
        if any(drawn.bye_counts[r] == drawn.bye_counts[ref] for r in lower):
            yield "%s has a bye though others stand below" % drawn.name(ref)


def order_ladder(drawn):
    """Return the rank of who played the last round, level ones alike, or None where results leave it open."""
    tables, direction = [], drawn.told["direction"]
    for points in drawn.list_points(-1):
        if None in points.values():
            return None
        if points:
            tables.append(sorted(points.items(), key=lambda one: -direction * one[1]))
    last, count = len(tables) - 1, drawn.options.get("up", 1)
    ups = [min(count, len(table)) if at else 0 for at, table in enumerate(tables)]
    downs = [min(count, len(t) - ups[at]) if at < last else 0 for at, t in enumerate(tables)]
    movers = [0, *(min(down, up) for down, up in zip(downs, ups[1:])), 0]  # between a table and the one above
    parts = []
    for at, table in enumerate(tables):
        rising, staying = movers[at], len(table) - movers[at + 1]
        for line in (rising, staying):
            if 0 < line < len(table) and table[line - 1][1] == table[line][1]:
                return None
        if at:
            parts.append(tables[at - 1][len(tables[at - 1]) - rising :])
        parts.append(table[rising:staying])
        if at < last:
            parts.append(tables[at + 1][: movers[at + 1]])
    ranks = {}
    for part in parts:
        for _, level in itertools.groupby(part, key=lambda one: one[1]):
            ranks.update(dict.fromkeys([ref for ref, _ in level], len(ranks)))
    return ranks


def check_knock_out(drawn):
    """Check that who meets, and who goes on without a game, are those of the bracket."""
    told, number = drawn.told, len(drawn.told["past"]) + 1
    heads = 2 if any(len(persons) > 1 for persons in drawn.persons.values()) else drawn.size
    played = [(drawn.list_points(at), set(one["byes"])) for at, one in enumerate(told["past"])]
    away = drawn.persons.keys() - drawn.present
    bracket = build_bracket(told, heads, played, told["direction"], drawn.lasting_seed, away)
    matches = [match for match in bracket.matches if not match.is_decided]
    wanted = [{ref for ref in match.entrants if ref in drawn.present} for match in matches]
    through = {
        ref
        for match in bracket.matches
        if match.settled == number
        for ref in match.winners
        if ref in drawn.present
    }
    waiting = {ref for match in bracket.matches if match.is_decided for ref in match.winners}
    due = set().union(*wanted)
    for refs in [*drawn.tables, *([ref] for ref in drawn.byes)]:
        for ref in refs:
            if ref not in bracket.members:
                yield "%s goes on without having been in the first round" % drawn.name(ref)
            elif ref not in due | waiting:
                yield "%s has lost and goes on" % drawn.name(ref)
    there = {ref for refs in drawn.tables for ref in refs} | set(drawn.byes)
    for ref in sorted((due | through) - there):
        yield (
            "%s has won and does not go on" % drawn.name(ref) if played else "%s is missing" % drawn.name(ref)
        )
    if set(drawn.byes) != through:
        yield "%d have a bye, and not %d" % (len(drawn.byes), len(through))
    for refs in drawn.tables:
        if set(refs) not in wanted:
            yield "%s do not meet in the bracket" % " and ".join(sorted(map(drawn.name, refs)))


def check_swiss(drawn):
    """Check that no exchange would avoid a meeting or bye, or bring neighbours nearer."""
    if drawn.size > 2 and all(len(persons) == 1 for persons in drawn.persons.values()):
        drawn.unproven.append("who sits together at tables of more than two entrants")
        return
    yield from check_matches(drawn)
    if len(drawn.byes) != len(drawn.present) % 2:
        yield "it has %d byes" % len(drawn.byes)
        return
    ranks = rank_by_totals(drawn)
    unknown = drawn.present - ranks.keys()
    if unknown:
        told = "the ranks of %d entrants: level in points, or counted otherwise"
        drawn.unproven.append(told % len(unknown))

    least = 0  # once everybody has met everybody, only those who have met more often meet again
    if any(drawn.met[frozenset(refs)] for refs in drawn.tables):
        least = min(drawn.met[frozenset(pair)] for pair in itertools.combinations(drawn.present, 2))

    def compute_cost(a, b):
        pair = frozenset((a, b))
        again = not drawn.options.get("repeats") and drawn.met[pair] > least
        return pair in drawn.apart, again, pair in drawn.avoided

    def measure(a, b):
        return (ranks[a] - ranks[b]) ** 2

    def compute_bye_cost(a, b, out):
        return (*compute_cost(a, b)[:2], drawn.bye_counts[out])

    def compute_whole_cost(a, b, out):
        return (*compute_bye_cost(a, b, out), -ranks[out], frozenset((a, b)) in drawn.avoided, measure(a, b))

    faults = list(list_better_exchanges(drawn, compute_cost, compute_bye_cost))
    yield from faults
    known = sorted(
        (sorted(table, key=ranks.get) for table in drawn.tables if ranks.keys() >= set(table)),
        key=lambda table: ranks[table[0]],
    )
    for at, (a, b) in enumerate(known):
        for c, d in known[at + 1 :] if not faults else ():
            if ranks[c] > ranks[b]:  # an exchange with tables further down brings nobody nearer
                break
            before = (*add_costs(compute_cost(a, b), compute_cost(c, d)), measure(a, b) + measure(c, d))
            for one, other in (((a, c), (b, d)), ((a, d), (b, c))):
                costs = add_costs(compute_cost(*one), compute_cost(*other))
                if (*costs, measure(*one) + measure(*other)) < before:
                    names = tuple(drawn.name(ref) for ref in (*one, *other))
                    yield "%s against %s and %s against %s would have been nearer" % names
    for out in drawn.byes if not faults else ():
        for a, b in known if out in ranks else ():
            before = compute_whole_cost(a, b, out)
            for free, stays in ((a, b), (b, a)):
                if compute_whole_cost(out, stays, free) < before:
                    yield "%s has the bye, which was due to %s" % (drawn.name(out), drawn.name(free))


def rank_by_totals(drawn):
    """Return twice the rank of each entrant whose total tells it; level ones share it without tie-breaks."""
    counting, direction = drawn.told["counting"], drawn.told["direction"]
    matched = counts_matches(counting)
    scored, tables = {ref: [] for ref in drawn.persons}, []
    for at, one in enumerate(drawn.told["past"]):
        for points in drawn.list_points(at):
            if matched:
                points = convert_table(counting, direction, points)
            tables.append([[ref] for ref in points])
            for ref, own in points.items():
                scored[ref].append(own)
        for ref in one["byes"]:
            scored[ref].append(read_figure(one["given"].get(ref)))
    direction = 1 if matched else direction
    held = len(drawn.told["past"])
    number = counting["number"]
    kept = {"sum": held, "best": min(number, held), "drop_worst": max(1, held - number)}
    kept.update(dict.fromkeys(("average", *MATCH_COUNTINGS), held))
    lacking = any(None in own or len(own) != held for own in scored.values())
    if not held or lacking or counting["what"] not in kept or counting.get("credit") == "field":
        return {}
    totals = {
        ref: sum(sorted((direction * points for points in own), reverse=True)[: kept[counting["what"]]])
        for ref, own in scored.items()
    }
    chain = counting["tie_breaks"] or ()
    if chain[:1] == ["buchholz"] and counting["buchholz_unplayed"] is None:
        strengths = sum_strengths(totals, totals, list_opponents(tables), drawn.bye_counts)
        totals, chain = {ref: (total, strengths[ref]) for ref, total in totals.items()}, chain[1:]
    level = collections.Counter(totals.values())
    ranks, before = {}, 0
    for total in sorted(level, reverse=True):
        ranks[total] = 2 * before + level[total] + 1
        before += level[total]
    return {ref: ranks[total] for ref, total in totals.items() if level[total] == 1 or not chain}


def convert_table(counting, direction, points):
    """Return what each of two entrants gets of a match, None without a result."""
    if len(points) != 2 or None in points.values():
        return dict.fromkeys(points)
    (one, mine), (other, theirs) = points.items()
    lead = direction * (mine - theirs)
    return {one: convert_lead(counting, lead), other: convert_lead(counting, -lead)}


SYSTEM_CHECKS = {
    "fixed_pairs": check_fixed_pairs,
    "round_robin": check_round_robin,
    "whist": check_whist,
    "king": check_king,
    "knock_out": check_knock_out,
    "swiss": check_swiss,
}


# --- source/system_documents.py
# The document of a draw by a pairing system, compared with the log.

ALWAYS = 10**6  # a round after all others
KNOWN_SYSTEM_VERSIONS = tuple(key + "/1" for key in SYSTEM_CHECKS)
"""Algorithms of which the criteria are checked."""
NO_CREDITS = {
    "absent_rounds": {},
    "bye": {"points": "mean_of_round", "most": None},
    "absence": None,
    "walkover": {"points": "win", "most": None},
}
"""Parts of a document that no championship changes."""
PLAIN_COUNTING = {
    "sealed": None,
    "least_rounds": 0,
    "scale": [],
    "members": 0,
    "credit": "points",
    "by": "entrant",
    "buchholz_unplayed": None,
}


def is_by_system(drawn):
    """Whether a draw names a pairing system: "key/version"."""
    return "/" in drawn["algorithm"]


def check_system_draw(export, where, drawn, number, rounds, own, moment):
    """Check a draw by a pairing system: its document, and what its round has to keep."""
    differs = functools.partial(export.report.add_difference, where)
    told, players = drawn["problem"], drawn["players"]
    regulations, earlier = read_regulations_at(own, moment), rounds[: number - 1]
    entered = {e["body"]["player"]: e["body"]["number"] for e in own if e["type"] == "entry_added"}
    house = {row["player_ref"] for row in export.rows("entry") if row["house"]}
    guests = [player for player in players if player not in house]
    order = [entered[player] for player in guests]
    if order != sorted(set(order)) or players[: len(guests)] != guests:
        differs("its players are not in the order of their numbers")
    for fault in check_frame(told, drawn["algorithm"], regulations):
        differs(fault)
    seeds = [one.draw["seed"] for one in earlier if one.draw and one.draw["seed"]]
    if told.get("plan_seed") != (seeds[0] if seeds else ""):
        differs("its plan is not from the seed of the first draw")
    index = {player: "%04d" % at for at, player in enumerate(players)}
    merged = list_merged_at(own, moment)
    sat = [one.list_seats_at(moment) or ([], []) for one in earlier]
    played = {merged.get(p, p) for tables, byes in sat for p in [*byes, *(p for t in tables for p in t)]}
    if played - house - index.keys():
        differs("somebody who has played is missing")
    apart = {frozenset((a, b)): how for a, b, how in told["apart"]}
    by_team = list_team_mates(own, moment, regulations)
    for kind, allowed in (("never_meet", ("hard",)), ("avoid_meet", ("hard", "soft"))):
        refs_of = (find_refs(told, [index[p] for p in mates if p in index]) for mates in by_team[kind])
        if any(len(refs) == 2 and apart.get(refs) not in allowed for refs in refs_of):
            differs("it did not keep the members of a team apart")
    gone = find_withdrawn(own, moment, number)
    groups = list_pairs_at(own, moment)
    if plays_in_teams(regulations):
        groups = list(list_team_players(own, moment).items())
    members = list_members(guests, index, entered, regulations, groups)
    faults = list(check_entrants(told, members, number, {index[p] for p in gone if p in index}, regulations))
    for fault in faults:
        differs(fault)
    if faults:
        return
    people, ref_of = name_people(told, {player: index[player] for player in guests}, members, merged)
    team_of = {player: team for team, players in groups for player in players}
    team_of.update({other: team_of[kept] for other, kept in merged.items() if kept in team_of})
    past, is_known = rebuild_past(earlier, regulations, moment, people, ref_of, team_of)
    left = find_withdrawn(own, moment, ALWAYS)
    played_by = {ref: {p for p in ref_of if ref_of[p] == ref} for ref in members}
    for other, kept in merged.items():
        if kept in ref_of:
            played_by[ref_of[kept]].add(other)
    stays = {
        ref: bool({p for p in players if ref_of.get(p) == ref} - left) for ref, players in played_by.items()
    }
    missed = list_excused_at(own, moment)
    excused = {ref: set().union(*(missed.get(p, ()) for p in players)) for ref, players in played_by.items()}
    add_unplayed(past, earlier, regulations, moment, played_by, (stays, excused), team_of)
    if get_pairing(regulations)[0] != "knock_out":  # there they wait, or are out
        add_absences(past, told, excused)
    if not any(one["absent"] or one["no_show"] for one in told["past"]):
        past = [dict(one, absent=[], no_show=[]) for one in past]  # as before 0.3; no draw depends on them
    if strip_points(told["past"]) != strip_points(past):
        differs("it did not start from the rounds before it")
        return
    if is_known and told["past"] != past:
        differs("it did not start from the points of the rounds before it")
        return
    names = {ref: "number %d" % order[int(sorted(persons)[0])] for ref, persons in members.items()}
    if plays_in_teams(regulations):
        names = {ref: "team %d" % int(ref[1:]) for ref in members}
    follows_plan = all(
        one.draw and one.draw["algorithm"] == drawn["algorithm"] and one.draw["tables"] == one.seated
        for one in earlier
    )
    tables = [[index[player] for player in table] for table in drawn["tables"]]
    out, helpers = [index[p] for p in drawn["sit_out"]], [index[p] for p in players[len(guests) :]]
    found = SystemRound(told, tables, out, names, follows_plan, helpers, drawn["seed"])
    faults = find_faults(found)
    for fault in faults:
        differs(fault)
    unproven = list(found.unproven)
    if not is_known:
        unproven.append("the points that it started from")
    if drawn["algorithm"] not in KNOWN_SYSTEM_VERSIONS:
        unproven.append("what %s has to keep" % drawn["algorithm"])
    for what in unproven:
        export.report.unproven.append("%s: %s" % (where, what))
    if faults:
        return
    said = "%s: everybody has one place, and %s keeps what it has to (%d players there, %d wishes)"
    there = sum(map(len, drawn["tables"])) + len(drawn["sit_out"])
    said %= (where, drawn["algorithm"], there, len(told["apart"]))
    (export.report.checked if drawn["draw"] == 1 else export.report.notes).append(said)


def check_frame(told, algorithm, regulations):
    """Check what follows from the regulations alone: system, options, tables, rounds and counting."""
    system, options = get_pairing(regulations)
    if (told["system"], told["options"], algorithm.partition("/")[0]) != (system, options, system):
        yield "its pairing system or options are not those of the regulations"
    play, counting = regulations["play"], regulations["counting"]
    rules = CountingRules(regulations, 2)
    what = "sum" if counting["what"] == "nearest" else counting["what"]
    averaged = what == "average"
    direction = rules.table_direction if counts_matches(counting) else rules.total_direction
    frame = {
        "size": play["seats"],
        "rounds": regulations["rounds"],
        "partners": play["format"] != "solo",
        "direction": direction if find_variant(play) else told["direction"],
        "counting": dict(
            PLAIN_COUNTING,
            what=what,
            number=0 if averaged else counting["number"],
            least_rounds=counting["number"] if averaged else 0,
            scale=counting.get("scale", []),
            tie_breaks=counting["tie_breaks"],
            buchholz_unplayed=counting.get("buchholz_unplayed"),
            credit="field" if play["credit"] == "field" else "points",
        ),
        "broken_off": describe_broken_off(regulations),
        **NO_CREDITS,
    }
    other = sorted(name for name, value in frame.items() if told.get(name) != value)
    if other:
        yield "it was drawn by something else than the regulations: %s" % ", ".join(other)


def describe_broken_off(regulations):
    """Return the credit of tables broken off; the past of the document has those of the rounds before."""
    rules = regulations.get("broken_off")
    if rules is None:
        return None
    fixed = rules["points"] == "fixed"
    return {"points": rules["fixed"] if fixed else "mean_of_round", "most": rules["most"]}


def find_withdrawn(own, moment, number):
    """Return the players that had withdrawn from a round at a moment."""
    gone = {}
    for event in own:
        if event["at"] <= moment and event["type"] == "entry_withdrawn":
            gone[event["body"]["player"]] = event["body"]["from_round"]
        elif event["at"] <= moment and event["type"] == "entry_returned":
            gone.pop(event["body"]["player"], None)
    return {player for player, from_round in gone.items() if from_round <= number}


def count_members(regulations):
    """Return the number of people who are drawn as one."""
    if plays_in_teams(regulations):
        return regulations["team_size"]
    return 2 if regulations["play"]["format"] == "fixed_pairs" else 1


def list_members(guests, index, entered, regulations, groups):
    """Return the persons that the log knows for each entrant, by ref. A pair keeps who has left it.

    groups: the pairs or teams, with number and players.
    """
    size = count_members(regulations)
    if size == 1:
        return {"n%04d" % entered[player]: {index[player]} for player in guests}
    known = {"n%04d" % number: {index[p] for p in players if p in index} for number, players in groups}
    return {ref: members for ref, members in known.items() if len(members) >= size}


def check_entrants(told, members, number, gone, regulations):
    """Check the entrants of a document: those of the log, with the rounds in which they played."""
    entrants = told["entrants"]
    listed = {one["ref"]: one["members"] or [one["ref"]] for one in entrants}
    size = count_members(regulations)
    for one in entrants:
        own, reserves = listed[one["ref"]], one.get("reserves", [])
        if plays_in_teams(regulations) and members.get(one["ref"]) != {*own, *reserves}:
            yield "a team is not the one of the log"
        if plays_in_teams(regulations) and (own != sorted(own) or set(own) & set(reserves)):
            yield "a team does not line up in the order of its numbers"
        if reserves and not plays_in_teams(regulations):
            yield "an entrant has a reserve, which the regulations do not know"
    if len(listed) < len(entrants) or listed.keys() != members.keys():
        yield "its entrants are not those of the log"
        return
    if any(len(set(own)) != size or not set(own) <= members[ref] for ref, own in listed.items()):
        yield "its entrants are not those of the log"
    for one in entrants:
        lineup = set(listed[one["ref"]])
        persons = lineup | set(one.get("reserves", []))
        took_part = [
            before["round"]
            for before in told["past"]
            if one["ref"] in before["byes"] or any(persons & set(t["seats"]) for t in before["tables"])
        ]
        first, last = min(took_part, default=number), max(took_part, default=number - 1)
        if one["from_round"] != first or one["until_round"] not in (None, last) or one["team"]:
            yield "an entrant begins or ends elsewhere than the rounds say"
        if one["until_round"] is None and lineup & gone:
            yield "it draws somebody who had withdrawn"


def name_people(told, index, members, merged):
    """Return the person by player, as whom the past counts them, and the entrant of each player with byes."""
    person, ref_of = dict(index), {}
    players = {at: player for player, at in index.items()}
    for one in told["entrants"]:
        for own in members[one["ref"]]:
            ref_of[players[own]] = one["ref"]
            if own not in (one["members"] or [own]) and not one.get(
                "reserves"
            ):  # whoever left a pair counts as the one who joined it
                person[players[own]] = one["members"][1]
    person.update({other: person[kept] for other, kept in merged.items() if kept in person})
    return person, ref_of


def is_closed_at(one, moment):
    """Whether a round was closed at a moment."""
    turns = ("round_closed", "round_reopened", "draw_undone")
    ends = [e["type"] for e in one.stream.events if e["at"] <= moment and e["type"] in turns]
    return ends[-1:] == ["round_closed"]


def rebuild_past(earlier, regulations, moment, people, ref_of, team_of):
    """Return the rounds before a draw as its document tells them, and whether all points are known.

    team_of: the team of each player, where teams are drawn.
    """
    past, helpers, is_known = [], {}, True
    for number, one in enumerate(earlier, 1):
        is_closed, tables = is_closed_at(one, moment), []
        sat, byes = one.list_seats_at(moment) or ([], [])
        for place, seated in enumerate(sat, 1):
            stream = one.get_game_at(place)
            points, deals, broken_off = [None] * len(seated), [], False
            if stream is not None and is_closed:
                is_known = is_known and not has_unknown_sides(stream)
                result = TableResult(stream, moment, regulations)
                kind = regulations["play"]["credit"]
                if kind == "field":  # its document states deals, and the points as they were made
                    kind, deals = "points", result.by_deal
                points = [result.credit(side, kind, 2) for side in result.sides]
                broken_off = result.is_replaced
            seats = [
                people.get(player) or helpers.setdefault(player, "x%d" % (len(helpers) + 1))
                for player in seated
            ]
            tables.append(
                {"seats": seats, "points": points, "deals": deals, "broken_off": broken_off, "walkover": []}
            )
        refs = sorted({ref_of[player] for player in byes if player in ref_of})
        closed = [e for e in one.stream.events if e["type"] == "round_closed" and e["at"] <= moment]
        worth = None
        if closed and refs:
            end = find_counting_moment(one, one.streams, closed[-1]["at"], moment)
            results = read_results(one.streams, one.games, end, regulations)
            seated = [one.get_players_at(game) for game in one.games]
            results = [result for _, result, _ in merge_encounters(results, seated, team_of, regulations)]
            worth = compute_bye_points(regulations, results, 2)
        given = {} if worth is None else dict.fromkeys(refs, write_exact_number(worth))
        past.append(
            {"round": number, "tables": tables, "byes": refs, "absent": [], "no_show": [], "given": given}
        )
    return past, is_known


def add_absences(past, told, excused):
    """Add the entrants who missed each drawn round, with notice or without it."""
    for one in past:
        if not one["tables"]:
            continue
        there = {*one["byes"], *(person for table in one["tables"] for person in table["seats"])}
        missed = [
            entrant["ref"]
            for entrant in told["entrants"]
            if entrant["from_round"] <= one["round"] <= (entrant["until_round"] or one["round"])
            and there.isdisjoint([entrant["ref"], *entrant["members"], *entrant.get("reserves", [])])
        ]
        one["absent"] = sorted(ref for ref in missed if one["round"] in excused.get(ref, ()))
        one["no_show"] = sorted(set(missed) - set(one["absent"]))


def add_unplayed(past, earlier, regulations, moment, players_of, desk, team_of):
    """Add the points of who did not play a closed round to its end, where the regulations credit that.

    players_of: by ref of the entrant, those merged into its members too; desk: whether each has not
    withdrawn, and the rounds missed with notice.
    """
    if not regulations.keys() & {"absences", "broken_off"}:
        return
    scored, results_of = {}, []
    direction = CountingRules(regulations, 2).total_direction
    for number, (one, told) in enumerate(zip(earlier, past), 1):
        if not is_closed_at(one, moment):
            continue
        results = read_results(one.streams, one.games, moment, regulations)
        seated = [one.get_players_at(game) for game in one.games]
        merged = merge_encounters(results, seated, team_of, regulations)
        results_of.append((number, [result for _, result, _ in merged]))
        for at, result, who in merged:
            for seat, player in enumerate(who):
                given = score_round(result, number, result.sides[seat], regulations, 2, at)
                scored.setdefault(player, []).append(given)
        _, byes = one.list_seats_at(moment) or ([], [])
        for player in byes:
            worth = next((told["given"][ref] for ref in told["given"] if player in players_of[ref]), None)
            if worth is not None:
                bye = RoundScore(number, read_figure(worth), 0, False, 0, False, None, 0)
                scored.setdefault(player, []).append(bye)
    rounds = {
        ref: _merge_members([scored.get(player, []) for player in sorted(players)])
        for ref, players in players_of.items()
    }
    values = value_rounds(regulations, results_of, 2, direction)
    for ref, found in count_unplayed(rounds, regulations, values, *desk).items():
        for one in found:
            if one.points is not None and (one.absent or (one.broken_off and not one.played)):
                past[one.round - 1]["given"][ref] = write_exact_number(one.points)


def find_refs(told, persons):
    """Return the refs of the entrants of these persons, as far as they play."""
    ref_of = {person: one["ref"] for one in told["entrants"] for person in one["members"] or [one["ref"]]}
    return frozenset(ref_of[person] for person in persons if person in ref_of)


def strip_points(past):
    """Return past rounds without their points."""
    return [
        dict(one, given={}, tables=[dict(table, points=[], deals=[]) for table in one["tables"]])
        for one in past
    ]


# --- source/system_queue.py
# Tables drawn from the queue of an open session: the document, and what they have to keep.

KNOWN_QUEUE_VERSION = "open/1"
LONG_QUEUE = 40
"""Starts up to which the search of the platform is never cut short."""


def check_queue_draw(export, where, drawn, number, rounds, own, moment):
    """Check one draw from a queue: who can have waited, at which tables they had sat, and the new tables."""
    differs = functools.partial(export.report.add_difference, where)
    told, players = drawn["problem"], drawn["players"]
    regulations = read_regulations_at(own, moment)
    size, partners = regulations["play"]["seats"], regulations["play"]["format"] != "solo"
    system, options = get_pairing(regulations)
    frame = {
        "system": system,
        "size": size,
        "partners": partners,
        "rounds": None,
        "direction": 1,
        "plan_seed": "",
        "counting": dict(PLAIN_COUNTING, what="sum", number=0, tie_breaks=None),
        "broken_off": None,
        **NO_CREDITS,
    }
    other = sorted(name for name, value in frame.items() if told.get(name) != value)
    if other or told.keys() != {*frame, "options", "entrants", "past", "apart"}:
        differs("it was drawn by something else than the regulations: %s" % (", ".join(other) or "more"))
    mix = told["options"].get("mix")
    if drawn["algorithm"].partition("/")[0] != system or set(told["options"]) != {"mix"} or mix < 0:
        differs("its pairing system or options are not those of the regulations")
    elif mix != options.get("mix", 0):
        export.report.notes.append("%s: tables waited for %d more than they seat" % (where, mix))
    entered = {e["body"]["player"]: e["body"]["number"] for e in own if e["type"] == "entry_added"}
    person_of, merged = list_persons_at(own, moment), list_merged_at(own, moment)
    order = [entered[player] for player in players]
    persons = [person_of[player] for player in players]
    if order != sorted(set(order)) or len(set(persons)) < len(persons):
        differs("its starts are not one a person, in the order of their numbers")
    units = {key: [player] for key, player in zip(order, players)}
    if regulations["play"]["format"] == "fixed_pairs":
        units = {key: members for key, members in list_pairs_at(own, moment) if set(members) & set(players)}
        if sorted(player for members in units.values() for player in members) != sorted(players):
            differs("its pairs are not those of the log")
            return
    entrants = [
        {
            "ref": "n%04d" % key,
            "members": ["%04d" % at for at, player in enumerate(players) if player in members],
            "team": None,
            "from_round": 1,
            "until_round": None,
        }
        for key, members in sorted(units.items())
    ]
    said = [dict(one, start_rank=None) for one in told["entrants"]]
    if (
        any(one.pop("reserves", None) for one in said)
        or said != [dict(one, start_rank=None) for one in entrants]
        or sorted(one["start_rank"] for one in told["entrants"]) != list(range(1, len(units) + 1))
    ):
        differs("its entrants are not those of the log")
        return
    sat = [list_tables_at(one, moment, before=True) for one in rounds]
    busy = {
        person_of[player]
        for one, tables in zip(rounds, sat)
        for place, seated in tables.items()
        if not has_ended(one, place, moment)
        for player in seated
    }
    if busy & set(persons):
        differs("it seats somebody who still played at a table")
    if {player for tables in sat for seated in tables.values() for player in seated} & set(players):
        differs("it seats a start that had a seat already")
    if set(players) & (find_withdrawn(own, moment, number) | set(merged)):
        differs("it seats a start that was taken back")
    index = {person: "%04d" % at for at, person in enumerate(persons)}
    if told["past"] != rebuild_tables(sat, person_of, index):
        differs("it did not start from the tables before it")
        return
    for fault in check_queue_tables(export, where, drawn, size, mix):
        differs(fault)


def has_ended(one, place, moment):
    """Whether the game at a table of a round was over before a moment."""
    games = [
        e["body"]["game"]
        for e in one.stream.events
        if e["type"] == "table_opened" and e["body"]["table"] == place and e["at"] < moment
    ]
    stream = one.streams.get(games[-1]) if games else None
    ends = [
        e["type"]
        for e in (stream.events if stream is not None else [])
        if e["at"] < moment and e["type"] in ("game_ended", "game_closed", "game_resumed")
    ]
    return bool(ends) and ends[-1] != "game_resumed"


def rebuild_tables(sat, person_of, index):
    """Return the tables so far at which somebody has sat who waits, as a document tells them."""
    past, others = [], {}
    for number, tables in enumerate(sat, 1):
        found = []
        for place in sorted(tables):
            people = [person_of[player] for player in tables[place]]
            if not set(people) & index.keys():
                continue
            names = [index.get(p) or others.setdefault(p, "x%d" % (len(others) + 1)) for p in people]
            found.append({"seats": names, "points": [], "deals": [], "broken_off": False, "walkover": []})
        if found:
            past.append(
                {"round": number, "tables": found, "byes": [], "absent": [], "no_show": [], "given": {}}
            )
    return past


def check_queue_tables(export, where, drawn, size, mix):
    """Check that everybody at the tables waited, once, and that no exchange of two would be better."""
    told = drawn["problem"]
    index = {player: at for at, player in enumerate(drawn["players"])}
    seated = [player for table in drawn["tables"] for player in table]
    if len(set(seated)) < len(seated) or not set(seated) <= index.keys():
        yield "it seats somebody twice, or who did not wait"
        return
    if not drawn["tables"] or any(len(table) != size for table in drawn["tables"]):
        yield "a table has not %d seats" % size
        return
    units = [[int(person) for person in one["members"]] for one in told["entrants"]]
    heads = size // max(map(len, units))
    sides = {frozenset(unit) for unit in units if len(unit) > 1}
    for table in drawn["tables"]:
        if sides and not {frozenset(index[player] for player in table[at::2]) for at in (0, 1)} <= sides:
            yield "it separates a pair"
            return
    full = max(len(units) - mix, 0) // heads
    if len(drawn["tables"]) > full or (len(drawn["tables"]) < full and not list_apart(told, "hard")):
        yield "it seats %d tables, and the queue fills %d" % (len(drawn["tables"]), full)
    if drawn["algorithm"] != KNOWN_QUEUE_VERSION:
        export.report.unproven.append("%s: what %s has to keep" % (where, drawn["algorithm"]))
        return
    known = {int(s) for one in told["past"] for t in one["tables"] for s in t["seats"] if s.isdecimal()}
    if not known <= set(index.values()):
        yield "its past names somebody who did not wait"
        return
    if len(drawn["tables"]) < full:
        export.report.unproven.append("%s: who sits with whom, since people are kept apart" % where)
        return
    unit_of = {person: at for at, unit in enumerate(units) for person in unit}
    tables = [sorted({unit_of[index[player]] for player in table}) for table in drawn["tables"]]
    better = find_better_exchange(told, units, tables)
    if better is None:
        return
    if len(index) <= LONG_QUEUE:
        yield better
    else:
        told = (
            "%s: whether its long queue has nothing better (%s): give the problem and the seed of its event"
        )
        told += " to python -m tournaments.pairing next, which draws it again"
        export.report.unproven.append(told % (where, better))


def list_apart(told, strength):
    """Return the pairs of starts, by their numbers, whose people are kept apart so."""
    number_of = {one["ref"]: at for at, one in enumerate(told["entrants"])}
    return {
        frozenset((number_of[a], number_of[b]))
        for a, b, how in told["apart"]
        if how == strength and a in number_of and b in number_of
    }


def find_better_exchange(told, units, tables):
    """Return what exchange of two starts would make better, or None.

    Compared are the same people again, the first of the queue left waiting, and meetings. units: the persons
    of each start; tables: their numbers.
    """
    met, whole = collections.Counter(), set()
    for one in told["past"]:
        for table in one["tables"]:
            whole.add(frozenset(table["seats"]))
            met.update(frozenset(pair) for pair in itertools.combinations(table["seats"], 2))
    apart = list_apart(told, "hard")
    ranks = [one["start_rank"] for one in told["entrants"]]
    first = ranks.index(min(ranks))
    names = [["%04d" % person for person in unit] for unit in units]
    for one, other in list_apart(told, "soft") - apart:  # as if they had met once more
        met.update(frozenset((a, b)) for a in names[one] for b in names[other])

    def compute_cost(table):
        pairs = list(itertools.combinations(table, 2))
        return (
            sum(frozenset(pair) in apart for pair in pairs),
            frozenset(name for at in table for name in names[at]) in whole,
            -(first in table),
            sum(met[frozenset((a, b))] for one, other in pairs for a in names[one] for b in names[other]),
        )

    costs = [compute_cost(table) for table in tables]
    waiting = sorted(set(range(len(units))) - {unit for table in tables for unit in table})
    for at, table in enumerate(tables):
        others = [(None, person) for person in waiting]
        others += [(n, person) for n in range(at + 1, len(tables)) for person in tables[n]]
        for (n, other), person in itertools.product(others, table):
            before, after = costs[at], compute_cost([other if p == person else p for p in table])
            if n is not None:
                before = tuple(map(sum, zip(before, costs[n])))
                there = compute_cost([person if p == other else p for p in tables[n]])
                after = tuple(map(sum, zip(after, there)))
            if after < before:
                refs = [int(one["ref"][1:]) for one in told["entrants"]]
                return "number %d in place of number %d would have been better" % (refs[other], refs[person])
    return None


def check_queue_draws(export, rounds, own):
    """Check all draws from queues, and count them for the report. Return their number."""
    count = 0
    for number, one in enumerate(rounds, 1):
        faults = len(export.report.differences)
        for drawn, _period, _entropy, moment in one.queue_draws:
            where = "%s, draw %d from its queue" % (one.where, drawn["draw"])
            try:
                check_queue_draw(export, where, drawn, number, rounds, own, moment)
            except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
                export.report.add_difference(where, "it cannot be followed: %r" % (error,))
        count += len(one.queue_draws)
        if one.queue_draws and len(export.report.differences) == faults:
            told = "%s: %d draws from its queue keep what they have to" % (one.where, len(one.queue_draws))
            export.report.checked.append(told)
    return count


# --- source/hand_draws.py
# What a draw by hand says of itself: its repeats, and the comparison with the draw by the regulations.


def check_hand_draw(export, where, drawn, played, own, moment):
    """Count the repeats of a draw by hand again. played: (tables, byes) of the rounds before.

    What the draw by the regulations would have been is in no event: it is bounded, and named as unproven.
    """
    report, cost = export.report, drawn["cost"]
    report.notes.append("%s: made by hand in the hall, nothing to draw again" % where)
    if not cost:
        return  # before 0.3, or it could not be compared
    house = {row["player_ref"] for row in export.rows("entry") if row["house"]}
    seated = {player for table in drawn["tables"] for player in table}
    if house & set(drawn["players"]) - seated:
        report.unproven.append("%s: what it repeats, since players of the house had no seat" % where)
        return
    regulations = read_regulations_at(own, moment)
    groups = []
    if plays_in_teams(regulations):
        groups = [players for _, players in list_team_players(own, moment).items()]
    elif regulations["play"]["format"] == "fixed_pairs":
        groups = [players for _, players in list_pairs_at(own, moment)]
    field = set(drawn["players"])
    name = {other: kept for other, kept in list_merged_at(own, moment).items() if kept in field}
    name.update(zip(field, field))
    in_pairs = regulations["play"]["format"] != "solo"
    if get_pairing(regulations)[0] == "drawn":
        past = [
            ([[name.get(p) for p in t] for t in tables], [name.get(p) for p in byes])
            for tables, byes in played
        ]
        here = drawn["tables"], [player for player in drawn["players"] if player not in seated]
        fixed = {frozenset(field.intersection(players)) for players in groups}
        counted = count_cost([*past, here], field, in_pairs, fixed)
        least = count_cost(past, field, in_pairs, fixed)["meeting_repeats"]
    else:
        name.update((player, players[0]) for players in groups for player in players)
        before = [[name.get(player) for player in table] for tables, _ in played for table in tables]
        now = [[name[player] for player in table] for table in drawn["tables"]]
        counted, least = count_again(before, now, in_pairs), 0
    other = sorted(what for what, number in counted.items() if cost.get(what) != number)
    if other:
        report.add_difference(where, "it does not repeat what it says: %s" % ", ".join(other))
    for note in cost.get("notes", []):
        alike, tables, repeats = note["alike"], note["tables"], note["own"]
        if (tables, note["here"]) != (len(drawn["tables"]), counted["meeting_repeats"]):
            report.add_difference(
                where, "its comparison with the draw by the regulations is not of its tables"
            )
        elif not 0 <= alike <= tables or repeats < least or (alike == tables and repeats != note["here"]):
            report.add_difference(where, "its comparison with the draw by the regulations cannot be right")
        told = "%s: that the draw by the regulations had %s of its %s tables, and %s repeated meetings"
        report.unproven.append(told % (where, alike, tables, repeats))


def list_meetings(table, in_pairs):
    """Return the pairs of partners at a table, and of opponents, without people who are not there now."""
    seats = [(table[0], table[2]), (table[1], table[3])] if in_pairs and len(table) == 4 else []
    partners = {frozenset(pair) for pair in seats if None not in pair and pair[0] != pair[1]}
    met = {frozenset(p) for p in itertools.combinations(table, 2) if None not in p and p[0] != p[1]}
    return partners, met - partners


def count_cost(rounds, field, in_pairs, fixed):
    """Return what repeats over all rounds of (tables, byes), as a draw by lot records it."""
    names = ("partner_repeats", "opponent_repeats", "meeting_repeats", "seat_repeats", "table_repeats")
    counts = {name: collections.Counter() for name in names}
    rested = collections.Counter(dict.fromkeys(field, 0))
    for tables, byes in rounds:
        rested.update(player for player in byes if player in field)
        for number, table in enumerate(tables):
            partners, opponents = list_meetings(table, in_pairs)
            counts["partner_repeats"].update(partners - fixed)
            counts["opponent_repeats"].update(opponents - fixed)
            counts["meeting_repeats"].update((partners | opponents) - fixed)
            counts["seat_repeats"].update((p, at) for at, p in enumerate(table) if p is not None)
            counts["table_repeats"].update((p, number) for p in table if p is not None)
    found = {name: sum(n - 1 for n in of.values()) for name, of in counts.items()}
    return dict(found, bye_spread=max(rested.values()) - min(rested.values()))


def count_again(before, now, in_pairs):
    """Return how many partners and opponents of these tables were that before, as a system records it."""
    known, here = [set(), set()], [set(), set()]
    for found, tables in ((known, before), (here, now)):
        for table in tables:
            for kind, pairs in zip(found, list_meetings(table, in_pairs)):
                kind.update(pairs)
    partner, opponent = (len(mine & theirs) for mine, theirs in zip(here, known))
    return {
        "partner_repeats": partner,
        "opponent_repeats": opponent,
        "meeting_repeats": partner + opponent,
    }


# --- source/draws.py
# Draws of seats, repeated from their seeds.


def count_wishes(drawn):
    """Return the number of the director's wishes in a draw."""
    kinds = (*APART, *(["fixed_pairs"] if drawn["algorithm"] == "1" else []))
    return sum(len(drawn["problem"].get(kind, [])) for kind in kinds)


def check_draw(report, where, drawn, played, revealed, one_of):
    """Repeat one draw from its seed and the rounds before. Report how far it could be repeated."""
    if drawn["algorithm"] not in SEARCH_VERSIONS:
        told = "%s: only the seed was checked; manage.py verify-deals draws seats of search %s again"
        report.notes.append(told % (where, drawn["algorithm"]))
        return
    players, told = drawn["players"], drawn["problem"]
    at = {player: place for place, player in enumerate(players)}
    known = {**{other: at[kept] for other, kept in one_of.items() if kept in at}, **at}
    past = [
        {
            "tables": [[known.get(player, -1) for player in table] for table in before["tables"]],
            "byes": sorted(known.get(player, -1) for player in before["sit_out"]),
        }
        for before in played
    ]
    if told["past"] != past or told["players"] != len(at) or len(at) != len(players):
        report.add_difference(where, "it did not start from the rounds before it")
        return
    tables, out = redraw_seats(DrawProblem(told, parse_hex(drawn["seed"], 32), drawn["algorithm"]))
    again = [[players[p] for p in table] for table in tables], [players[p] for p in out]
    if again != (drawn["tables"], drawn["sit_out"]):
        report.add_difference(where, "the seats do not follow from its seed")
        return
    later = "" if revealed else "; that its seed is the round's shows when that is revealed"
    told = "%s: the seats were drawn again (%d players, %d wishes of the director)%s"
    told %= (where, len(players), count_wishes(drawn), later)
    if drawn["draw"] > 1:
        report.notes.append(told + "; %d draws were undone before it" % (drawn["draw"] - 1))
    else:
        report.checked.append(told)


LOOK_AHEAD_LIMIT = 320
"""The number of players times rounds up to which a draw looks ahead over all later rounds."""


def check_start(export, where, drawn, number, own, moment):
    """Check the input of a draw, beside its seed and the rounds before: it could decide the seats."""
    told, players = drawn["problem"], drawn["players"]
    differs = functools.partial(export.report.add_difference, where)
    regulations = read_regulations_at(own, moment)
    play, left = regulations["play"], regulations["rounds"] - number + 1
    if get_pairing(regulations)[0] != "drawn":
        differs("its pairing system or options are not those of the regulations")
    numbers = {e["body"]["player"]: e["body"]["number"] for e in own if e["type"] == "entry_added"}
    order = [numbers[player] for player in players]
    if order != sorted(order):
        differs("its players are not in the order of their numbers")
    if told["rounds"] != (max(1, left) if len(players) * left <= LOOK_AHEAD_LIMIT else 1):
        differs("it looked ahead over another number of rounds than planned")
    kind = "solo" if play["format"] == "solo" else "pairs"
    threes = {0, -len(players) % 4} if play["seats"] == 4 and play["format"] != "fixed_pairs" else {0}
    if (told["format"], told["table_size"]) != (kind, play["seats"]) or told.get("threes", 0) not in threes:
        differs("its tables are not those of the regulations")
    if drawn["algorithm"] == "1":  # pairs were wishes then; latecomers had the first bye
        told = "%s: by the first search: its pairs, and the order of the first byes, are in no event"
        export.report.unproven.append(told % where)
        return
    if told["sit_out_first"]:
        differs("it preferred some players for a bye")
    for kind, mates in list_team_mates(own, moment, regulations).items():
        kept = {frozenset(players[place] for place in pair) for pair in told.get(kind, [])}
        if {pair for pair in mates if pair <= set(players)} - kept:
            differs("it did not keep the members of a team apart")
    at = {player: place for place, player in enumerate(players)}
    pairs = []
    if play["format"] == "fixed_pairs":
        there = (sorted(at[p] for p in members if p in at) for _, members in list_pairs_at(own, moment))
        pairs = sorted(pair for pair in there if len(pair) == 2)
    if told["fixed_pairs"] != pairs:
        differs("its fixed pairs are not those of the log")


def check_leaders(export, where, drawn, number, own, moment):
    """Check that a draw keeps from a bye exactly the leaders before the last round."""
    kept = {drawn["players"][place] for place in drawn["problem"].get("sit_out_last", [])}
    if drawn["algorithm"] == "1" and not kept:
        return
    regulations = read_regulations_at(own, moment)
    numbers = {row["player_ref"]: row["number"] for row in export.rows("entry")}
    here = {numbers.get(player) for player in drawn["players"]}
    led = {}
    for one in export.rows("standingssnapshot"):
        if one["after_round"] == number - 1:
            led[one["version"]] = {row["key"] for row in one["rows"] if row["place"] == 1} & here
    last = number == regulations["rounds"] > 1
    if kept:
        if not last or {numbers.get(player) for player in kept} not in led.values():
            export.report.add_difference(where, "it refused a bye to a player who was not leading")
        return
    told = [e for e in own if e["type"] == "standings_published" and e["at"] <= moment]
    latest = led.get(told[-1]["body"]["version"]) if told else None
    if last and latest and regulations["play"]["format"] != "fixed_pairs":
        export.report.add_difference(where, "it did not refuse a bye to the leaders")


def check_draws(export, rounds, own):
    """Repeat every draw of seats, also of rounds whose seed is still secret."""
    report, known, wishes = export.report, 0, 0
    by_system, system_wishes = 0, 0
    if report.differences:
        report.notes.append("seats are drawn again only where nothing else differs")
        return
    for number, one in enumerate(rounds, 1):
        for draw, period, _entropy in one.drawn_seats:
            where = "%s, draw %d" % (one.where, draw["draw"])
            try:
                told = [e for e in one.stream.events if e["type"] == "seats_drawn"]
                [moment] = [e["at"] for e in told if e["body"]["draw"] == draw["draw"]]
                if is_by_system(draw) and not draw["players"] and not draw["tables"]:
                    continue  # the opening of a session, which has tables from its queue only
                if is_by_system(draw):
                    by_system += 1
                    system_wishes += len(draw["problem"]["apart"])
                    check_system_draw(export, where, draw, number, rounds, own, moment)
                    continue
                if draw["algorithm"] in SEARCH_VERSIONS:
                    known, wishes = known + 1, wishes + count_wishes(draw)
                    check_start(export, where, draw, number, own, moment)
                    check_leaders(export, where, draw, number, own, moment)
                before = [seats for past in rounds[: number - 1] if (seats := past.list_seats_at(moment))]
                if draw["algorithm"] == "by hand":
                    check_hand_draw(export, where, draw, before, own, moment)
                    continue
                played = [{"tables": tables, "sit_out": byes} for tables, byes in before]
                check_draw(report, where, draw, played, period.seed is not None, list_merged_at(own, moment))
            except (Unusable, KeyError, IndexError, TypeError, ValueError, StopIteration) as error:
                report.add_difference(where, "it cannot be followed: %r" % (error,))
    from_queue = check_queue_draws(export, rounds, own)
    if from_queue:
        told = (
            "who waited for a table, in which order, and whom the director keeps apart, in draws from queues"
        )
        told += " (%d), is the word of desk and director; which of the allowed tables their seeds give is not"
        told += " derived here: manage.py verify-deals or python -m tournaments.pairing next draws them again"
        report.unproven.append(told % from_queue)
    if known:
        told = "who had arrived for a draw (drawn again: %d), what was done with those left over, and"
        told += " wishes of the director (%d) are in no event"
        report.unproven.append(told % (known, wishes))
    if by_system:
        told = (
            "who had arrived, start ranks and wishes of the director (%d), in draws by a pairing system (%d),"
        )
        told += " stand in no event; which of the allowed rounds their seeds give is not derived here:"
        told += " manage.py verify-deals or python -m tournaments.pairing next draws them again"
        report.unproven.append(told % (system_wishes, by_system))


# --- source/rankings.py
# Published rankings.

MOST_LEFT = 64  # people of a bracket who may have gone home after a round, tried one by one


def draw_sealed_number(regulations, rounds):
    """Return the sealed number, or None if there is none or its seed is secret."""
    counting = regulations["counting"] if regulations else {"what": None}
    if counting["what"] != "nearest" or len(rounds) < regulations["rounds"]:
        return None
    periods = rounds[regulations["rounds"] - 1].seed_periods
    if not periods or periods[-1].seed is None:
        return None
    stream = periods[-1].randomness.draw_bytes("sealed", 1, 0)
    span = counting["most"] - counting["least"] + 1
    pairs = (256 * high + low for high, low in zip(stream, stream))
    return counting["least"] + next(pair for pair in pairs if pair < 65536 - 65536 % span) % span


def read_counting_version(event, before, regulations):
    """Return the counting version of a ranking. Raise Unusable if it is impossible."""
    version = event["body"].get("counting_version", 1)
    if version not in (1, 2):
        raise Unusable("it was counted by a version that this program does not know: %r" % (version,))
    if regulations.get("averages") not in (None, "exact"):
        raise Unusable("its averages are of a kind that this program does not know")
    if version < before or (version == 1 and "lowest_wins" not in regulations["counting"]):
        raise Unusable("it was counted by version 1, which was over by then")
    return version


def plays_in_groups(regulations):
    """Whether pairs or teams are drawn and ranked, and not single players."""
    return regulations["play"]["format"] == "fixed_pairs" or plays_in_teams(regulations)


def list_bracket_rounds(regulations, phases, pair_of, house):
    """Return the closed rounds of a knock-out: tables as points by entrant, and byes."""
    played, in_pairs = [], plays_in_groups(regulations)
    for tables, byes in phases:
        found = []
        for points in tables:
            seats = {}
            for number, own in points.items():
                if number not in house and (number in pair_of or not in_pairs):
                    seats.setdefault("n%04d" % pair_of.get(number, number), []).append(own)
            found.append(
                {
                    ref: None if None in own else fractions.Fraction(sum(own), len(own))
                    for ref, own in seats.items()
                }
            )
        resting = {number for number in byes if number in pair_of or not in_pairs}
        played.append((found, {"n%04d" % pair_of.get(number, number) for number in resting}))
    return played


def find_bracket_document(rounds, closed):
    """Return the document of the last draw of a closed round that was not made by hand; None without one."""
    drawn = [one.draw["problem"] for one in rounds[:closed] if one.draw]
    return next((told for told in reversed(drawn) if "entrants" in told), None)


def list_bracket_places(regulations, rounds, played, direction, gone):
    """Yield the places of a bracket by number, and whether all is decided.

    First if everybody is there but those who are gone; then if others are not there either: those without a
    part in the last round, and with them one of those still in.
    """
    document = find_bracket_document(rounds, len(played))
    play, seeds = regulations["play"], [one.draw["seed"] for one in rounds[: len(played)] if one.draw]
    heads = 2 if plays_in_groups(regulations) else play["seats"]
    build = functools.partial(
        build_bracket, document, heads, played, direction, next(filter(None, seeds), "")
    )
    absent = {ref for tables, byes in played for one in (byes, *tables) for ref in one}
    absent -= {ref for one in (played[-1][1], *played[-1][0]) for ref in one}
    bracket = build(gone)
    still_in = {ref for match in bracket.matches if not match.is_decided for ref in match.entrants}
    away = [gone | absent, *(gone | absent | {ref} for ref in sorted(still_in)[:MOST_LEFT])]
    for one in (bracket, *map(build, away)):
        yield {int(ref[1:]): place for ref, place in one.list_places().items()}, bracket.over


def is_by_start(regulations):
    """Whether regulations count the starts of a person in an open heat."""
    return get_pairing(regulations)[0] == "open"


def number_starts(key, scored, person_of):
    """Return the results of a person or a pair, numbered from 1 in the order of their starts."""
    own = sorted(number for number in scored if person_of.get(number, number) == key)
    given = {}
    for one in (one for number in own for one in scored[number]):
        given.setdefault((one.round, one.at), one)  # a table of a pair counts once
    return [one._replace(round=at) for at, one in enumerate(given.values(), 1)]


def check_ranking(export, streams, rounds, own, regulations, snapshot, event, last, rules, now=None):
    """Check points, sums and places of a ranking. Raise Unusable.

    They follow from the tables at the moment of its publication, or at a later moment `now`.
    """
    moment, published, version = now or event["at"], event["at"], rules.version
    closed = []
    for number, one in enumerate(rounds, 1):
        told = [e for e in one.stream.events if e["at"] <= moment]
        ends = [e for e in told if e["type"] in ("round_closed", "round_reopened", "draw_undone")]
        if ends and ends[-1]["type"] == "round_closed":
            closed.append((number, one, find_counting_moment(one, streams, ends[-1]["at"], moment)))
        if not last and "round_reopened" in [e["type"] for e in one.stream.events]:
            return  # changed since: only the last ranking can be checked
    if snapshot["after_round"] != max([number for number, _, _ in closed], default=0):
        raise Unusable("it is not of the rounds that were closed then")
    entries = export.rows("entry")
    keys = {row["player_ref"]: row["number"] for row in entries}
    house = {row["number"] for row in entries if row["house"]}
    written = dict(keys)
    by_start = is_by_start(regulations)
    persons = list_persons_at(own, published)
    if not by_start:
        keys.update({other: written[kept] for other, kept in list_merged_at(own, published).items()})
    scored, meetings, missing, sat, phases, there = {}, [], set(), [], [], []
    teams = list_team_players(own, published) if plays_in_teams(regulations) else {}
    team_of = {keys[player]: team for team, players in teams.items() for player in players}
    for number, one, end in closed:
        phases.append(([], {keys[player] for player in one.byes}))
        # results at the closing, which give the points of a bye
        then = read_results(streams, one.games, end, regulations)
        results = read_results(streams, one.games, moment, regulations)
        seated = [[keys[player] for player in one.get_players_at(game)] for game in one.games]
        then = [result for _, result, _ in merge_encounters(then, seated, team_of, regulations)]
        merged = merge_encounters(results, seated, team_of, regulations)
        there.append((number, [result for _, result, _ in merged]))
        for at, result, who in merged:
            credit = regulations["play"]["credit"]
            points = [result.credit(side, credit, version) for side in result.sides]
            phases[-1][0].append(dict(zip(who, points)))
            for seat, key in enumerate(who):
                given = score_round(result, number, result.sides[seat], regulations, version, at)
                scored.setdefault(key, []).append(given)
            if not result.has_result:
                missing.add(number)
            elif not result.is_replaced:
                by_side = {}
                for seat, key in enumerate(who):
                    by_side.setdefault(result.sides[seat], []).append(key)
                sat.append(list(by_side.values()))
            if len(result.totals) == 2 and (version == 1 or result.has_result):
                sides = [[k for seat, k in enumerate(who) if result.sides[seat] == side] for side in (0, 1)]
                meetings.append((sides, result.totals))
        given = compute_bye_points(regulations, then, version)
        for said in one.stream.events:
            if said["type"] != "sitting_out_counted" or said["at"] != end:
                continue
            if regulations["byes"]["points"] == "fixed" or read_figure(said["body"]["points"]) != given:
                raise Unusable("sitting out in round %d was counted as %r" % (number, said["body"]["points"]))
        for player in one.byes if given is not None else ():
            scored.setdefault(keys[player], []).append(RoundScore(number, given, 0, False, 0, False, None, 0))
    rows, pair_of, members = [read_row(row) for row in snapshot["rows"]], {}, {}
    in_pairs = regulations["play"]["format"] == "fixed_pairs"
    if by_start and in_pairs:
        starts, key_of = list_pair_starts_at(own, published)
        for number, players in starts.items():
            pair_of.update({written[player]: key_of[number] for player in players})
            members[key_of[number]] = sorted({written[persons[player]] for player in players})
    elif in_pairs:
        for number, players in list_pairs_at(own, published):
            members[number] = sorted(keys[player] for player in players)
            pair_of.update(dict.fromkeys(members[number], number))
    elif by_start:
        pair_of = {written[player]: written[person] for player, person in persons.items()}
    for number, players in teams.items():
        members[number] = sorted(keys[player] for player in players)
        pair_of.update(dict.fromkeys(members[number], number))
    ranked_ones = {pair_of.get(number, number) for number in set(keys.values()) - house}
    if teams:
        ranked_ones = set(teams)  # a person without a team has no line
    if by_start:
        scored = {key: number_starts(key, scored, pair_of) for key in ranked_ones}
    else:
        scored = {
            key: _merge_members([scored.get(n, []) for n in members.get(key, [key])]) for key in ranked_ones
        }
    if regulations["byes"]["points"] == "own" and not by_start:
        scored = {key: count_own_mean(given, regulations) for key, given in scored.items()}
    left = {written[player] for player in find_withdrawn(own, published, ALWAYS)}
    stays = {key: bool(set(members.get(key, [key])) - left) for key in scored}
    values = value_rounds(regulations, there, version, rules.total_direction)
    excused = {}
    for player, missed in list_excused_at(own, published).items():
        key = keys[player]
        excused.setdefault(pair_of.get(key, key), set()).update(missed)
    scored = count_unplayed(scored, regulations, values, stays, excused)
    meetings = [
        ([list(dict.fromkeys(pair_of.get(n, n) for n in side)) for side in sides], totals)
        for sides, totals in meetings
    ]
    told = {row["key"]: row for row in rows}
    played = {key for key, given in scored.items() if given}
    if len(told) < len(rows) or not played <= told.keys() <= (played if by_start else ranked_ones):
        raise Unusable("it does not contain each player once")
    for key, row in told.items():
        if row.get("members") != members.get(key):
            raise Unusable("number %d: others are ranked with it than the log says" % key)
        mine = scored[key]
        told_rounds = [
            (r["round"], r["played"], r.get("absent", False), r.get("broken_off", False))
            for r in row["rounds"]
        ]
        if told_rounds != [(r.round, r.played, r.absent, r.broken_off and not r.played) for r in mine]:
            raise Unusable("number %d did not play the rounds it says" % key)
        for one, given in zip(row["rounds"], mine):
            if (one["points"], one.get("unfinished")) != (given.points, given.unfinished):
                said = key, given.points, given.round, one["points"], given.unfinished or "final"
                raise Unusable("number %d has %s points in round %d instead of %s (%s)" % said)
            if given.sweeps is not None and one["sweeps"] != given.sweeps:
                said = key, given.sweeps, given.round, one["sweeps"]
                raise Unusable("number %d has %d sweeps in round %d instead of %d" % said)
    met = list_opponents([[[pair_of.get(n, n) for n in side] for side in sides] for sides in sat])
    recorded = list_separators(own, written, published)
    alternatives = iter([(None, True)])
    if get_pairing(regulations)[0] == "knock_out" and closed:
        if find_bracket_document(rounds, len(closed)) is None:
            said = "ranking %r: the places of its bracket, of which every round was drawn by hand"
            export.report.unproven.append(said % snapshot["version"])
            return
        gone = {keys[player] for player in find_withdrawn(own, published, len(closed) + 1)}
        left = {pair_of.get(number, number) for number in gone}
        if teams:
            size = regulations["team_size"]
            left = {team for team in teams if len(set(members[team]) - gone) < size}
        gone = {"n%04d" % number for number in left}
        direction = rules.total_direction
        played = list_bracket_rounds(regulations, phases, pair_of, house)
        alternatives = list_bracket_places(regulations, rounds, played, direction, gone)
    held = regulations["counting"]["number"] if by_start else len(closed)
    wrong = None
    for at, (places, is_over) in enumerate(alternatives):
        level = rank_entries(told, scored, meetings, met, rules, held, recorded, places)
        found = find_wrong_place(rows, level)
        if found is None and (at or (last and not is_over)):
            said = "ranking %r: who was no longer there after the last round is the word of the desk"
            export.report.unproven.append(said % snapshot["version"])
        wrong = found if at == 0 or found is None else wrong
        if wrong is None:
            break
    if wrong is not None:
        raise Unusable("number %d has a wrong place" % wrong)
    check_team_ranking(own, regulations, snapshot, event, told, scored, meetings, rules, written)
    if version == 1 and now is None:
        note_version_1(export.report, snapshot, regulations, sorted(missing))


def find_wrong_place(rows, level):
    """Return the first key of a ranking that has another place than its group of level ones; None without."""
    at = 0
    for group in level:
        for place, key in enumerate(sorted(group), at):
            row = rows[place]
            if (row["key"], row["place"], row["shared"]) != (key, at + 1, len(group) > 1):
                return key
        at += len(group)
    return None


def note_version_1(report, snapshot, regulations, missing):
    """Note where version 1 of the counting was wrong, though the ranking is honest."""
    where = "ranking %r was counted by version 1: " % (snapshot["version"],)
    if CountingRules(regulations, 1).total_direction != CountingRules(regulations, 2).total_direction:
        report.notes.append(where + "its regulations stated another direction than the game has")
    if missing:
        told = "tables without a result counted 0 points (round %s)"
        report.notes.append(where + told % ", ".join(str(number) for number in missing))


def check_last_ranking(*arguments):
    """Compare the last ranking with the results at the end of the record. Raise Unusable."""
    try:
        check_ranking(*arguments, now=END_OF_RECORD)
    except Unusable as error:
        told = "results changed after the last ranking, which was not published again: %s"
        raise Unusable(told % error) from None


def closed_differently(rounds, moment):
    """Whether a round that was closed at a moment is not closed at the end of the record."""
    for one in rounds:
        if one.status != "closed" and any(
            event["type"] == "round_closed" and event["at"] <= moment for event in one.stream.events
        ):
            return True
    return False


def is_result_touched(one, streams):
    """Whether an official changed a result of a round, or the entry for which it counts."""
    return (
        any(event["type"] == "round_reopened" for event in one.stream.events)
        or any(list(describe_acts(streams[game])) for game in one.games if game in streams)
        or any("after results" in what for what in one.acts)
    )


def check_rankings(export, streams, rounds, own):
    """Check each published ranking: its hash in the log, and its points and places."""
    report, snapshots = export.report, export.rows("standingssnapshot")
    published = [event for event in own if event["type"] == "standings_published"]
    by_version = {event["body"]["version"]: event for event in published}
    regulations = [event["body"] for event in own if event["type"] == "regulations_set"]
    regulations = regulations[-1]["regulations"] if regulations else None
    sealed = draw_sealed_number(regulations, rounds)
    if [event["body"]["version"] for event in published] != list(range(1, len(published) + 1)):
        report.add_difference("championship", "the rankings it published are not numbered one by one")
    for version in sorted(by_version.keys() - {snapshot["version"] for snapshot in snapshots}):
        report.add_difference("ranking %r" % (version,), "is missing")
    if len({snapshot["version"] for snapshot in snapshots}) < len(snapshots):
        report.add_difference("championship.json", "it contains a ranking twice")
    for snapshot in snapshots:
        event, where = by_version.get(snapshot["version"]), "ranking %r" % (snapshot["version"],)
        told = sha256(serialize_json(snapshot["rows"])).hex(), snapshot["after_round"], snapshot["reason"]
        if event is None or told != tuple(
            event["body"][name] for name in ("digest", "after_round", "reason")
        ):
            report.add_difference(where, "is not the one in the log")
            continue
        known = sealed is not None and snapshot["after_round"] == regulations["rounds"]
        try:
            rows = [read_row(row) for row in snapshot["rows"]]
        except Unusable as error:
            report.add_difference(where, error)
            continue
        if any(row["off"] != (abs(row["total"] - sealed) if known else None) for row in rows):
            report.add_difference(where, "the sealed number it counts from is not the one of the seed")
            continue
        if any(has_unknown_sides(streams[game]) for one in rounds for game in one.games):
            told = "of games of which it is not known who plays with whom: its points were not verified"
            report.unproven.append("ranking %r is %s" % (snapshot["version"], told))
            continue
        earlier = published[: published.index(event)]
        before = max([e["body"].get("counting_version", 1) for e in earlier], default=1)
        this = export, streams, rounds, own, regulations, snapshot, event, event is published[-1]
        try:
            version = read_counting_version(event, before, regulations)
            alternatives = [CountingRules(regulations, version)]
            if find_variant(regulations["play"]) is None and version > 1:
                # an unknown variant: the most or the fewest points may win
                alternatives.append(CountingRules(regulations, version, fewest=True))
            for at, rules in enumerate(alternatives, 1):
                try:
                    check_ranking(*this, rules)
                    if this[-1] and not closed_differently(rounds, event["at"]):
                        check_last_ranking(*this, rules)
                    break
                except Unusable:
                    if at == len(alternatives):
                        raise
        except Unusable as error:
            report.add_difference(where, error)
    touched = [one.where for one in rounds if one.status == "closed" and is_result_touched(one, streams)]
    if touched and snapshots:
        told = "the %d published rankings follow from results of which officials changed some: %s"
        report.notes.append(told % (len(snapshots), ", ".join(touched)))
    else:
        report.checked.append("%d published rankings are those of the log" % len(snapshots))
    if sealed is not None:
        report.checked.append("the sealed number was drawn again: %d" % sealed)


# --- source/season_tables.py
# The table of a series, computed again from the rankings of its events (docs/developers/series.md).

Exact = fractions.Fraction
RULE_DEFAULTS = {
    "table": {},
    "best": None,
    "always": [],
    "weights": {},
    "least": None,
    "average_below": 0,
    "cancelled": "keep",
    "total": "sum",
    "ties": [],
    "teams": None,
    "qualify": None,
}
TEAM_DEFAULTS = {"size": None, "best": None}
TABLE_DEFAULTS = {"kind": "points", "points": [], "rest": 0, "shared": "mean", "direction": None}


class RankedEvent:
    """An event that counts. rows: place, person, exact total, and a line that partners share."""

    def __init__(self, key, direction, weight, rows):
        self.key, self.direction, self.weight, self.rows = key, direction, weight, rows


def fill_rules(given, defaults):
    """Return rules with the defaults of what they leave out. Raise Unusable for an unknown rule."""
    if not isinstance(given, dict):
        raise Unusable("its rules cannot be read")
    strange = [name for name in given if name not in defaults and given[name]]
    if strange:
        raise Unusable("a rule is not known to this program: %s" % ", ".join(sorted(strange)))
    return dict(defaults, **given)


def parse_exact_number(value):
    """Return a number of a file exactly: whole, a decimal, or "n/d"."""
    return Exact(str(value))


def value_of_places(rows, table):
    """Return the points of each place; partners share one without dividing it."""
    points, rest = [parse_exact_number(one) for one in table["points"]], parse_exact_number(table["rest"])
    lines, values = {}, {}
    for place, _person, _total, line in rows:
        lines.setdefault(place, set()).add(line)
    for place, sharing in lines.items():
        worth = [points[at - 1] if at <= len(points) else rest for at in range(place, place + len(sharing))]
        values[place] = worth[0] if table["shared"] == "better" else sum(worth) / len(worth)
    return values


def value_event(event, table):
    """Return the unweighted value of an event for each person."""
    if table["kind"] == "places":
        values = value_of_places(event.rows, table)
        return {person: values[place] for place, person, _total, _line in event.rows}
    totals = {person: total for _place, person, total, _line in event.rows}
    if table["kind"] == "points":
        return totals
    if table["kind"] != "percent":
        raise Unusable("its table is of a kind that this program does not know: %r" % (table["kind"],))
    if not any(totals.values()):
        return dict.fromkeys(totals, Exact(100))
    mean = sum(totals.values()) / len(totals)
    return {person: total * 100 / mean for person, total in totals.items()}


class Season:
    """What the events of a person or a team come to.

    values: by event, weighted, without those that do not count; compared: by event, those too; held, wins:
    numbers of own events and of first places; members: of a team, those who count.
    """

    def __init__(self, name, total, ranked, values, compared, held, wins, members=None):
        self.name, self.total, self.ranked, self.values, self.compared = name, total, ranked, values, compared
        self.held, self.wins, self.members = held, wins, members

    def write(self, place):
        """Return the row as it is published."""
        row = {"place": place, "ref": self.name, "total": write_exact_number(self.total)}
        return row if self.members is None else dict(row, members=self.members)


def compute_season(rules, events, order, cancelled):
    """Return the rows of a table as a series publishes them.

    events: those that count; order: the keys of all events; cancelled: how many are cancelled.
    """
    rules = fill_rules(rules, RULE_DEFAULTS)
    seasons, direction = _count_persons(rules, events, cancelled)
    return _place_seasons(seasons, rules["ties"], direction, order)


def compute_team_season(rules, events, order, cancelled, team_of):
    """Return the rows of the table of teams as a series publishes them. team_of: team by person."""
    rules = fill_rules(rules, RULE_DEFAULTS)
    limits = fill_rules(rules["teams"], TEAM_DEFAULTS)
    seasons, direction = _count_persons(rules, events, cancelled)
    members = {}
    for season in seasons:
        if season.name in team_of:
            members.setdefault(team_of[season.name], []).append(season)
    teams, complete = [], limits["best"] or limits["size"]
    for team, found in sorted(members.items()):
        if len(found) > limits["size"]:
            raise Unusable("team %s has %d members instead of %d" % (team, len(found), limits["size"]))
        found = sorted(
            (one for one in found if one.ranked), key=lambda one: (-direction * one.total, one.name)
        )
        counted, values = found[: limits["best"]], {}
        for one in counted:
            for key, value in one.values.items():
                values[key] = values.get(key, 0) + value
        ranked = len(counted) == complete or (direction > 0 and bool(counted))
        total, wins = sum((one.total for one in counted), Exact(0)), sum(one.wins for one in counted)
        names = [one.name for one in counted]
        teams.append(Season(team, total, ranked, values, values, len(values), wins, names))
    return _place_seasons(teams, rules["ties"], direction, order)


def _count_persons(rules, events, cancelled):
    """Return the seasons of all persons by reference, and the direction of the table."""
    table = fill_rules(rules["table"], TABLE_DEFAULTS)
    direction = 1 if table["kind"] == "places" else next((event.direction for event in events), 1)
    if table["kind"] != "places" and any(event.direction != direction for event in events):
        raise Unusable("in some events the most points win and in others the fewest")
    own = {event.key: value_event(event, table) for event in events}
    weight = {event.key: event.weight for event in events}
    best = rules["best"]
    if best is not None and rules["cancelled"] == "reduce":
        best = max(1, best - cancelled)
    always = [key for key in own if key in rules["always"]]
    others = len(own) - len(always)
    needed = 1
    if direction < 0 and rules["total"] == "sum":
        needed = len(always) + min(others if best is None else best, others)
    wins = collections.Counter(row[1] for event in events for row in event.rows if row[0] == 1)
    seasons = []
    for person in sorted({person for values in own.values() for person in values}):
        mine = {key: values[person] for key, values in own.items() if person in values}
        held, missed = len(mine), len(own) - len(mine)
        if 0 < missed < rules["average_below"]:
            mean = sum(mine.values()) / held
            mine.update({key: mean for key in own if key not in mine})
        worth = {key: value * weight[key] for key, value in mine.items()}
        counted = sorted(
            (key for key in worth if key not in always), key=lambda k: (-direction * worth[k], k)
        )
        counted = counted[:best] + [key for key in always if key in worth]
        total = sum((worth[key] for key in counted), Exact(0))
        if rules["total"] == "average":
            divisor = sum(weight[key] for key in counted)
            total = total / divisor if divisor else Exact(0)
        ranked = len(counted) >= needed if rules["least"] is None else held >= rules["least"]
        kept = {key: worth[key] for key in counted}
        seasons.append(Season(person, total, ranked, kept, worth, held, wins[person]))
    return seasons, direction


def _compare_tie(name, season, direction, order):
    """Return what a tie rule compares: the higher one is better."""
    worth = season.compared
    if name == "most_events":
        return [season.held]
    if name == "wins":
        return [season.wins]
    if name == "best_event":
        return sorted((direction * value for value in worth.values()), reverse=True)
    if name == "last_event":
        return [(1, direction * worth[key]) if key in worth else (0, 0) for key in reversed(order)]
    raise Unusable("a tie rule is not known to this program: %r" % (name,))


def _place_seasons(seasons, ties, direction, order):
    """Return the rows by place, then those without one."""
    standing = {
        season.name: (
            direction * season.total,
            [_compare_tie(name, season, direction, order) for name in ties],
        )
        for season in seasons
    }
    ranked = sorted((one for one in seasons if one.ranked), key=lambda one: one.name)
    ranked.sort(key=lambda one: standing[one.name], reverse=True)
    rows, place = [], 0
    for at, one in enumerate(ranked):
        if at == 0 or standing[one.name] != standing[ranked[at - 1].name]:
            place = at + 1
        rows.append(one.write(place))
    return rows + [one.write(None) for one in seasons if not one.ranked]


# --- source/qualifications.py
# Who has qualified by the steps of a series, found again from the rankings (docs/developers/series.md).

QUALIFY_DEFAULTS = {"from": None, "to": None, "steps": [], "level": "all"}
STEP_DEFAULTS = {
    "kind": None,
    "count": None,
    "of": "each",
    "percent": None,
    "round": "up",
    "points": None,
    "fill_to": None,
    "category": None,
    "lapse": False,
}


class RankedResult:
    """The result of a person in an event, or in the table of the series (None); the higher worth is better.

    line: what partners share.
    """

    def __init__(self, person, event, place, worth, line):
        self.person, self.event, self.place, self.worth, self.line = person, event, place, worth, line

    def is_level_with(self, other):
        """Whether a step cannot separate the two."""
        return self.worth == other.worth or (self.event, self.place) == (other.event, other.place)


def group_by_line(results):
    """Return lists of the results of one line, in the order in which the lines begin."""
    found = {}
    for one in results:
        found.setdefault((one.event, one.line), []).append(one)
    return list(found.values())


class TicketFinder:
    """The steps applied in turn. `tickets`: person → event, place, step; `waiting`: persons in order.

    rules: those of the series; order: the keys of all events; cancelled: those of cancelled ones; categories:
    words by person, by event.
    """

    def __init__(self, rules, events, order, cancelled, said, seed, categories):
        self.rules = fill_rules(rules["qualify"], QUALIFY_DEFAULTS)
        self.said, self.seed, self.categories = said, seed, {}
        sources = self.rules["from"]
        if sources is None:
            sources = [key for key in order if key != self.rules["to"]]
        by_key = {event.key: event for event in events}
        self.events = [by_key[key] for key in dict.fromkeys(sources) if key in by_key]
        for event in self.events:
            for person, words in categories.get(event.key, {}).items():
                self.categories.setdefault(person, set()).update(words)
        self.alike = len({event.direction for event in self.events}) <= 1
        self.tickets, self.wanted, self.lots = {}, {}, {}
        self.results = {}
        self.partners, self.line_of = {}, {}  # persons by event and line, line by event and person
        for event in self.events:
            found = [
                RankedResult(person, event.key, place, event.direction * total, line)
                for place, person, total, line in event.rows
            ]
            self.register(found)
            self.results[event.key] = sorted(found, key=lambda one: (one.place, self.draw_lot(one)))
        self.overall = self.order_persons([one for found in self.results.values() for one in found])
        self.season = None
        if any(step.get("kind") == "table" for step in self.rules["steps"]):
            missed = len(set(sources) & set(cancelled))
            self.season = self.order_season(compute_season(rules, self.events, order, missed))
        self.find()

    def register(self, results):
        """Note who is of which line."""
        for one in results:
            self.partners.setdefault((one.event, one.line), []).append(one.person)
            self.line_of[one.event, one.person] = one.line

    def draw_lot(self, one):
        """Return the best lot of the partners, and the own one: the lowest goes first."""
        partners = self.partners[one.event, one.line]
        return min(map(self.draw_own_lot, partners)), self.draw_own_lot(one.person)

    def draw_own_lot(self, person):
        """Return the lot of a person."""
        if person not in self.lots:
            numbers = SeededNumbers(self.seed.encode(), "series/lot/" + person)
            self.lots[person] = numbers.draw_below(2**32), person
        return self.lots[person]

    def count_places(self):
        """Return the places in use: partners with tickets by one line need one."""
        lines = {
            (event, self.line_of[event, person])
            for person, (event, place, _why) in self.tickets.items()
            if place is not None
        }
        return len(lines) + sum(place is None for _event, place, _why in self.tickets.values())

    def compare(self, one):
        """Return the key that orders results of several events: the lower one is better."""
        worth = -one.worth if self.alike else 0
        return (worth,) if self.rules["level"] == "lot" else (worth, one.place)

    def order_persons(self, results):
        """Return the best result of each person, best first."""
        best = {}
        for one in results:
            known = best.get(one.person)
            if known is None or (*self.compare(one), one.place) < (*self.compare(known), known.place):
                best[one.person] = one
        return sorted(best.values(), key=lambda one: (self.compare(one), self.draw_lot(one)))

    def order_season(self, rows):
        """Return the persons with a place in the table, best first. Partners had one line in each event."""
        found, lines = [], {}
        for event in self.events:
            for _place, person, _total, line in event.rows:
                lines[person] = (*lines.get(person, ()), (event.key, line))
        for row in rows:
            if row["place"] is None:
                continue
            level = found and parse_exact_number(row["total"]) == parse_exact_number(
                rows[len(found) - 1]["total"]
            )
            worth = found[-1].worth if level else -len(found)
            found.append(RankedResult(row["ref"], None, row["place"], worth, lines[row["ref"]]))
        self.register(found)
        if self.rules["level"] == "lot":
            return sorted(found, key=lambda one: (-one.worth, self.draw_lot(one)))
        return sorted(found, key=lambda one: (-one.worth, one.place, self.draw_lot(one)))

    def find(self):
        """Apply the steps, then what was said of the tickets."""
        for step in self.rules["steps"]:
            self.apply(fill_rules(step, STEP_DEFAULTS))
        declined = self.said["declined"]
        order = self.overall if self.season is None else self.season
        self.waiting = [one for one in order if one.person not in self.tickets and one.person not in declined]
        for person in [person for person in self.tickets if person in declined]:
            del self.tickets[person]
            wanted = self.wanted.get(person)
            fitting = [one for one in self.waiting if wanted in self.categories.get(one.person, ())]
            for one in (fitting or self.waiting)[:1]:
                self.waiting.remove(one)
                self.give(one, "replacement")
        for person in self.said["accepted"]:
            if person not in declined:
                self.tickets.setdefault(person, (None, None, "accepted"))
        self.waiting = [one.person for one in self.waiting if one.person not in self.tickets]

    def give(self, one, why):
        """Give a ticket to who has none."""
        self.tickets.setdefault(one.person, (one.event, one.place, why))

    def apply(self, step):
        """Apply one step."""
        kind = step["kind"]
        if kind in ("holder", "wild_card"):
            for person in self.said["holders" if kind == "holder" else "wild_cards"]:
                self.tickets.setdefault(person, (None, None, kind))
        elif kind == "threshold":
            least = parse_exact_number(step["points"])
            direction = {event.key: event.direction for event in self.events}
            reached = [
                one
                for found in self.results.values()
                for one in found
                if one.worth >= direction[one.event] * least
            ]
            for one in self.order_persons(reached):
                self.give(one, kind)
        elif kind == "share":
            for found in self.results.values():
                exact = parse_exact_number(step["percent"]) * len(group_by_line(found)) / 100
                self.take(found, (math.ceil if step["round"] == "up" else math.floor)(exact), step)
        elif kind == "first" and step["of"] == "each":
            for found in self.results.values():
                self.take(found, step["count"], step)
        elif kind == "table":
            self.take(self.season, step["count"], step)
        elif kind in ("first", "best_rest", "category"):
            self.take_overall(step)
        else:
            raise Unusable("a step is not known to this program: %r" % (kind,))

    def take_overall(self, step):
        """Take from the best results of all persons."""
        if not self.alike:
            raise Unusable("a step compares totals of events of both directions")
        if step["kind"] == "first":
            self.take(self.overall, step["count"], step)
        elif step["kind"] == "best_rest":
            self.take(self.overall, step["fill_to"] - self.count_places(), step)
        else:
            before, category = set(self.tickets), step["category"]
            fitting = [one for one in self.overall if category in self.categories.get(one.person, ())]
            self.take(fitting, 1 if step["count"] is None else step["count"], step)
            self.wanted.update(dict.fromkeys(set(self.tickets) - before, category))

    def take(self, found, count, step):
        """Give tickets to the first lines, and decide between those level at the last place."""
        lapses = step["lapse"] and step["kind"] in ("first", "share", "table")
        left = group_by_line(one for one in found if lapses or one.person not in self.tickets)
        if count <= 0:
            return
        chosen = left[:count]
        if count < len(left) and left[count - 1][0].is_level_with(left[count][0]):
            start, end = count - 1, count + 1
            while start > 0 and left[start - 1][0].is_level_with(left[start][0]):
                start -= 1
            while end < len(left) and left[end - 1][0].is_level_with(left[end][0]):
                end += 1
            if self.rules["level"] == "all":
                chosen = left[:end]
            elif self.rules["level"] == "lot":
                lots = sorted(left[start:end], key=lambda line: self.draw_lot(line[0]))[: count - start]
                chosen = left[:start] + [one for one in left[start:end] if one in lots]
        for line in chosen:
            for one in line:
                self.give(one, step["kind"])

    def write(self):
        """Return the qualification as a series publishes it."""
        return {
            "qualified": [
                {"ref": person, "from": event, "place": place, "why": why}
                for person, (event, place, why) in self.tickets.items()
            ],
            "waiting": self.waiting,
        }


# --- source/series_log.py
# The stream of a series: what it tells at each published table, and changes without a reason.

WITHDRAWN = ("cancelled", "void")
MATCHINGS = {
    "persons_matched": ("persons", "results of %s were given to other persons"),
    "teams_matched": ("teams", "people of %s were moved to other teams"),
    "categories_stated": ("categories", "people of %s were given other categories"),
}
"""Event type → field of its body with a value for each ranked entry, and the fault if one changes later."""


class SeriesLog:
    """The state of a series, event by event of its stream."""

    def __init__(self, report):
        self.report = report
        self.seed = self.rules = None
        self.rules_version = self.published = 0
        self.events = {}  # key → championship, weight, state
        self.said = {"holders": [], "wild_cards": [], "declined": [], "accepted": []}
        self.persons = {}  # event → entry → person
        self.teams, self.categories = {}, {}  # event → entry → team, category; empty without one
        self.rankings = {}
        self.reasons = 0

    def apply(self, event):
        """Apply one event. Raise Unusable for one that cannot follow from those before it."""
        body, where = event["body"], "series, event %d" % event["seq"]
        if (self.seed is None) != (event["type"] == "series_started"):
            raise Unusable("a series starts once, with the seed of its lots")
        self.check_reason(event, where)
        if event["type"] == "series_started":
            self.seed = body["seed"]
        elif event["type"] == "rules_set":
            if body["version"] != self.rules_version + 1:
                raise Unusable("the versions of the rules are not numbered one by one")
            self.rules, self.rules_version = body["rules"], body["version"]
        elif event["type"].startswith("event"):
            self.apply_to_event(event["type"], body)
        elif event["type"] in MATCHINGS:
            name = MATCHINGS[event["type"]][0]
            getattr(self, name)[body["event"]] = body[name]
        elif event["type"] == "table_published":
            if body["version"] != self.published + 1:
                raise Unusable("the tables are not numbered one by one")
            self.rankings, self.published = body["rankings"], body["version"]
        elif event["type"] not in ("team_table_published", "qualification_published", "series_deleted"):
            self.apply_to_ticket(event["type"], body, where)

    def apply_to_event(self, kind, body):
        """Apply a change of the events of the series."""
        if kind == "events_ordered":
            if sorted(body["events"]) != sorted(self.events):
                raise Unusable("other events were put in order than there are")
            self.events = {key: self.events[key] for key in body["events"]}
            return
        key = body["event"]
        if (key in self.events) == (kind == "event_added"):
            raise Unusable("the event %s was added twice, or was never there" % key)
        if kind == "event_added":
            self.events[key] = {name: body[name] for name in ("championship", "weight", "state")}
        elif kind == "event_removed":
            del self.events[key]
        else:
            name = {"event_played_as": "championship", "event_state_changed": "state"}.get(kind, "weight")
            self.events[key][name] = body[name]

    def apply_to_ticket(self, kind, body, where):
        """Apply what was said of a ticket."""
        if kind == "holders_named":
            self.said["holders"] = body["persons"]
            return
        if kind == "wild_card_given" and not str(body["reason"]).strip():
            self.report.add_difference(where, "a wild card was given without a reason")
        name = {
            "wild_card_given": "wild_cards",
            "wild_card_taken_back": "wild_cards",
            "ticket_declined": "declined",
            "declining_undone": "declined",
        }.get(kind, "accepted")
        undone = kind in ("wild_card_taken_back", "declining_undone", "accepting_undone")
        if (body["person"] in self.said[name]) != undone:
            raise Unusable("it was said twice of %s, or taken back without being said" % body["person"])
        kept = [person for person in self.said[name] if person != body["person"]]
        self.said[name] = kept if undone else [*kept, body["person"]]

    def check_reason(self, event, where):
        """Report a change of what a published table was made from that has no reason."""
        what = self.describe_change(event["type"], event["body"])
        if what is None:
            return
        reason = str(event["body"].get("reason", "")).strip()
        if reason:
            self.report.notes.append("%s: %s after a table was published: %s" % (where, what, reason))
        else:
            self.report.add_difference(where, "%s after a table was published, without a reason" % what)

    def describe_change(self, kind, body):
        """Return what an event changes of a published table; None if it needs no reason."""
        key = body.get("event")
        if not self.rankings:
            return None
        if kind == "rules_set":
            return "the rules were changed"
        if kind == "event_added" and body.get("reason"):
            return "the event %s was added" % key
        if kind == "event_weight_changed":
            return "the weight of %s was changed to %s" % (key, body["weight"])
        if kind == "events_ordered":
            order = [one for one in body["events"] if one in self.rankings]
            if order != [one for one in self.events if one in self.rankings]:
                return "the order of the events was changed"
        if kind in MATCHINGS:
            name, told = MATCHINGS[kind]
            before = getattr(self, name).get(key, {})
            if any(body[name].get(entry, value) != value for entry, value in before.items()):
                return told % key
        if key in self.rankings and (
            kind in ("event_removed", "event_played_as")
            or (kind == "event_state_changed" and body["state"] in WITHDRAWN)
        ):
            return "the event %s was withdrawn" % key
        return None


# --- source/series_checks.py
# The file of a series: its stream, its published tables, and the files of its events.

SERIES_FORMAT = "puur/series/1"


class SeriesFile(Export):
    """The exported zip of a series."""

    format = SERIES_FORMAT
    names = re.compile(
        r"streams/[0-9a-f]{32}\.jsonl|events/[A-Za-z0-9_-]{1,32}\.zip|(series|names)\.json|checkpoints\.jsonl"
        r"|manifest\.(json|sig)"
    )
    owner = "series"
    manifest_fields = ("format", "series", "slug", "exported_at", "key", "files")
    stream_kinds = ("series",)
    tables_file = "series.json"


class VerifiedEvent:
    """The verified file of a championship: its stream, and its published rankings by version."""

    def __init__(self, export, own):
        self.own = own
        self.published = [event for event in own if event["type"] == "standings_published"]
        self.snapshots = {row["version"]: row for row in export.rows("standingssnapshot")}
        self.entries = {row["number"]: row for row in export.rows("entry")}
        self.keys = {}  # of each checkpoint, by its hash
        for line in export.read_lines("checkpoints.jsonl"):
            body = str(line["body"]).encode()
            self.keys[sha256(encode_checkpoint(body)).hex()] = parse_json(body).get("key")
        self.names = {}
        if "names.json" in export.infos:
            lines = export.read_lines("names.json")
            by_key = lines[0].get("entry", {}) if lines else {}
            for row in self.entries.values():
                name = by_key.get(str(row["pk"]), {}).get("name")
                if name:
                    self.names[row["player_ref"]] = name

    def rank(self, key, version, weight, persons):
        """Return the ranking of a version as an event that counts. Raise Unusable if it does not fit."""
        event = next((one for one in self.published if one["body"]["version"] == version), None)
        snapshot = self.snapshots.get(version)
        if event is None or snapshot is None:
            raise Unusable("the ranking %r of %s is not in its file" % (version, key))
        regulations = [one["body"] for one in self.own if one["type"] == "regulations_set"][-1]["regulations"]
        counting = CountingRules(regulations, event["body"].get("counting_version", 1))
        rows, ranked = [], {}
        for row in snapshot["rows"]:
            numbers = row.get("members") or [row["key"]]
            for number in numbers if any(one["counts"] for one in row["rounds"]) else ():
                entry = self.entries[number]["player_ref"]
                if entry in ranked:
                    continue  # in another pair of an open heat: the best row of a person counts
                if entry not in persons:
                    raise Unusable("number %d of %s belongs to nobody" % (number, key))
                person = persons[entry]
                if person in ranked.values():
                    raise Unusable("%s is ranked twice in %s" % (person, key))
                ranked[entry] = person
                line = ("line", row["key"]) if len(numbers) > 1 else ("person", person)
                rows.append((row["place"], person, parse_exact_number(row["total"]), line))
        if ranked.keys() != persons.keys():
            raise Unusable("results of %s are given to entries that it does not rank" % key)
        return RankedEvent(key, counting.total_direction, weight, rows)

    def list_teams_before(self, moment):
        """Return the team of each entry as it was recorded before a moment."""
        found = {}
        for event in self.own:
            if event["recorded_at"] >= moment:
                continue
            if event["type"] == "team_joined":
                found.update(dict.fromkeys(event["body"]["players"], event["body"]["team"]))
            elif event["type"] == "team_left":
                for player in event["body"]["players"]:
                    found.pop(player, None)
        return found

    def find_version_before(self, moment):
        """Return the version published last before a moment, None before the championship was over."""
        early = [one for one in self.published if one["recorded_at"] < moment]
        return early[-1]["body"]["version"] if early else None

    def is_over_before(self, moment):
        """Whether the championship was over before a moment."""
        return any(one["type"] == "championship_finished" and one["recorded_at"] < moment for one in self.own)


def verify_series(file, event_files, verify_event, witness=None, keys=()):
    """Verify the file of a series, and the files of its events, in it and beside it.

    verify_event: verifies the file of a championship, and returns the report, the export and its stream.
    """
    report = Report()
    export = SeriesFile(file, report)
    export.check_manifest(keys)
    streams = read_streams(export)
    found = check_checkpoints(export, streams, keys)
    if witness is not None:
        check_witness(report, witness, found, export.championship)
    own = streams.get(export.championship)
    if own is None or len(streams) > 1:
        raise Unusable("the stream of the series is not in it, or another one is")
    check_events(streams, report)
    order_events(streams, found)
    inside = sorted(name for name in export.infos if name.startswith("events/"))
    files = [(name, io.BytesIO(export.read_file(name))) for name in inside]
    files += [(str(getattr(one, "name", one)), one) for one in event_files]
    events = {}
    for name, one in files:
        told, event_export, stream = verify_event(one, None, keys)
        events[event_export.championship] = VerifiedEvent(event_export, stream.events)
        report.differences += ["%s, %s" % (name, line) for line in told.differences]
        report.notes += ["%s, %s" % (name, line) for line in told.notes]
        report.unproven += ["%s, %s" % (name, line) for line in told.unproven]
        report.checked.append("%s is the file of a championship: %d checks" % (name, len(told.checked)))
    check_series_log(export, own.events, events)
    return report


def check_series_log(export, own, events):
    """Follow the stream, and compute each published table and qualification again."""
    report, log = export.report, SeriesLog(export.report)
    snapshots = {row["version"]: row for row in export.rows("snapshots")}
    if len(snapshots) < len(export.rows("snapshots")):
        report.add_difference("series.json", "it contains a table twice")
    tables = []
    for event in own:
        where = "series, event %d" % event["seq"]
        try:
            log.apply(event)
            if event["type"] == "table_published":
                tables.append(event["body"]["version"])
                where = "table %r" % (event["body"]["version"],)
                check_season(export, log, event, snapshots, events)
            elif event["type"] == "team_table_published":
                where = "table %r of teams" % (event["body"]["version"],)
                check_team_season(export, log, event, snapshots, events)
            elif event["type"] == "qualification_published":
                where = "qualification %r" % (event["body"]["version"],)
                check_tickets(export, log, event, snapshots, events)
        except FAILING as error:
            told = error if isinstance(error, Unusable) else "it cannot be followed: %r" % (error,)
            report.add_difference(where, told)
    if sorted(snapshots) != sorted(tables):
        report.add_difference("series.json", "its tables are not those of the stream")
    check_parts(report, own, snapshots)
    note_names(report, log, events)
    report.checked.append("%d published tables follow from the rankings of the events" % len(tables))
    report.unproven.append(
        "who is the same person in several events is the word of the club's roll; the report names what was "
        "matched anew, and people of one name who count as several"
    )


def rank_events(log, events):
    """Return the events that count by the last table. Raise Unusable if one does not fit."""
    counted = []
    for key, said in sorted(log.rankings.items()):
        state, version = log.events.get(key), said["version"]
        if state is None or state["state"] in WITHDRAWN:
            raise Unusable("%s counts, and is withdrawn or no event of the series" % key)
        if state["championship"] != said["championship"]:
            raise Unusable("%s counts with the ranking of another championship" % key)
        event = events.get(said["championship"])
        if event is None:
            other = ", which another installation has" if "seal" in said else ""
            raise Unusable(
                "the file of %s is missing: championship %s%s" % (key, said["championship"], other)
            )
        if "seal" in said and event.keys.get(said["seal"], "") != said.get("key"):
            raise Unusable("the file of %s has another history, or key, than the one that counted" % key)
        published = next((one for one in event.published if one["body"]["version"] == version), None)
        if published is None or published["body"]["digest"] != said["digest"]:
            raise Unusable("the ranking of %s is not the one that its championship published" % key)
        weight = parse_exact_number(state["weight"])
        counted.append(event.rank(key, version, weight, log.persons.get(key, {})))
    return counted


def list_cancelled(log):
    """Return the keys of the cancelled events."""
    return [key for key, state in log.events.items() if state["state"] == "cancelled"]


def check_season(export, log, event, snapshots, events):
    """Compute a published table again. Raise Unusable if it differs."""
    snapshot = snapshots.get(log.published)
    if snapshot is None:
        raise Unusable("is missing in series.json")
    if sha256(serialize_json(snapshot["table"])).hex() != event["body"]["digest"]:
        raise Unusable("is not the one in the stream")
    if (log.rules or {}).get("teams") is not None and snapshot.get("teams") is None:
        if log.teams:
            raise Unusable("its table of teams is missing")
        export.report.unproven.append("table %d: its table of teams was not published" % log.published)
    check_left_out(export.report, log, event, events)
    counted = rank_events(log, events)
    rows = compute_season(log.rules, counted, list(log.events), len(list_cancelled(log)))
    if rows != snapshot["table"]:
        raise Unusable("does not follow from its rankings: %s" % describe_rows(snapshot["table"], rows))


def check_parts(report, own, snapshots):
    """Check that a version has a table of teams, and a qualification, if the stream says so and only then."""
    kinds = {"team_table_published": "teams", "qualification_published": "qualification"}
    for kind, part in kinds.items():
        told = {event["body"]["version"] for event in own if event["type"] == kind}
        for version, snapshot in snapshots.items():
            if (snapshot.get(part) is not None) != (version in told):
                report.add_difference("series.json", "the %s of version %d are not in both" % (part, version))


def check_team_season(export, log, event, snapshots, events):
    """Compute a published table of teams again. Raise Unusable if it differs."""
    snapshot = snapshots.get(event["body"]["version"])
    if snapshot is None or event["body"]["version"] != log.published:
        raise Unusable("has no table of persons")
    if sha256(serialize_json(snapshot["teams"])).hex() != event["body"]["digest"]:
        raise Unusable("is not the one in the stream")
    counted, team_of = rank_events(log, events), {}
    for key in log.events:
        if key not in log.rankings:
            continue
        check_members(log, key, events[log.rankings[key]["championship"]], event["recorded_at"])
        for entry, team in log.teams[key].items():
            if team:
                team_of[log.persons[key][entry]] = team
    rows = compute_team_season(log.rules, counted, list(log.events), len(list_cancelled(log)), team_of)
    if rows != snapshot["teams"]:
        raise Unusable("does not follow from its rankings: %s" % describe_rows(snapshot["teams"], rows))
    told = (
        "table %d: which teams of several evenings are one is the word of the club, which goes by their names"
    )
    if log.published == max(snapshots):
        export.report.unproven.append(told % log.published)


def check_members(log, key, found, moment):
    """Check that people of an event count for the team of its file. Raise Unusable.

    A team of several events has one reference; no two teams of an event have the same one.
    """
    told = log.teams.get(key)
    if told is None or told.keys() != log.persons.get(key, {}).keys():
        raise Unusable("the teams of %s are not stated for each of its people" % key)
    states = found.list_teams_before(_subtract_tolerance(moment, 1)), found.list_teams_before(moment)
    for entry, team in sorted(told.items()):
        if not any(bool(team) == (entry in state) for state in states):
            person = log.persons[key][entry]
            raise Unusable("%s counts for another team than in the file of %s" % (person, key))
    for state in states:
        pairs = {(state[entry], team) for entry, team in told.items() if team and entry in state}
        if len(pairs) == len({one for one, _ in pairs}) == len({other for _, other in pairs}):
            return
    raise Unusable("people of one team of %s count for several, or those of several for one" % key)


def list_categories(export, log):
    """Return the categories of each person by event; one that is not in the stream is noted as unproven."""
    if log.rankings.keys() <= log.categories.keys():
        found = {}
        for key in log.rankings:
            stated, persons = log.categories[key], log.persons.get(key, {})
            if stated.keys() != persons.keys():
                raise Unusable("the categories of %s are not stated for each of its people" % key)
            found[key] = {persons[entry]: {said} for entry, said in stated.items() if said}
        told = "the category of a person is the word of the organiser; the report names each that was changed"
        if told not in export.report.unproven:
            export.report.unproven.append(told)
        return found
    if log.categories:
        raise Unusable("the categories of an event are not stated")
    told = "qualification %d: the categories of people are not sealed"
    export.report.unproven.append(told % log.published)
    unsealed = export.tables.get("categories", {})
    return {key: {person: set(said) for person, said in unsealed.items()} for key in log.rankings}


def describe_rows(told, found):
    """Return the first difference between two tables."""
    for one, other in zip(told, found):
        if one != other:
            strange = [ref for ref in one.get("members", ()) if ref not in other.get("members", ())]
            if strange and one.get("ref") == other["ref"]:
                return "%s counts %s among its members" % (one["ref"], strange[0])
            said = one.get("ref"), one.get("place"), one.get("total")
            return "it has %s at place %s with %s instead of %s at place %s with %s" % (
                *said,
                *(other[name] for name in ("ref", "place", "total")),
            )
    return "it has %d rows instead of %d" % (len(told), len(found))


def check_left_out(report, log, event, events):
    """Report an event that was over and does not count, or counts by an older ranking."""
    where, moment = "table %d" % log.published, _subtract_tolerance(event["recorded_at"], 1)
    for key, state in log.events.items():
        found = events.get(state["championship"])
        if state["state"] in WITHDRAWN or state["championship"] is None:
            continue
        if found is None:
            if key not in log.rankings:
                told = "the file of %s is missing, so that it is not known whether it was left out"
                report.unproven.append(where + ": " + told % key)
            continue
        version = found.find_version_before(moment)
        if key not in log.rankings:
            if version is not None and (state["state"] == "held" or found.is_over_before(moment)):
                report.add_difference(where, "%s was over, and was left out" % key)
        elif version is not None and log.rankings[key]["version"] < version:
            told = "%s counts by an older ranking than its last one" % key
            if "seal" in log.rankings[key]:  # nobody here had the newer file yet, perhaps
                report.notes.append("%s: %s: it was played on another installation" % (where, told))
            else:
                report.add_difference(where, told)


def check_tickets(export, log, event, snapshots, events):
    """Find the qualification again that was published with a table. Raise Unusable if it differs."""
    snapshot = snapshots.get(event["body"]["version"])
    if snapshot is None or event["body"]["version"] != log.published:
        raise Unusable("has no table")
    told = snapshot["qualification"]
    if sha256(serialize_json(told)).hex() != event["body"]["digest"]:
        raise Unusable("is not the one in the stream")
    rules = log.rules or {}
    if rules.get("qualify") is None:
        raise Unusable("nobody qualifies by the rules of that moment")
    asked = any(step.get("kind") == "category" for step in rules["qualify"].get("steps", ()))
    categories = list_categories(export, log) if asked else {}
    counted, cancelled = rank_events(log, events), list_cancelled(log)
    found = TicketFinder(rules, counted, list(log.events), cancelled, log.said, log.seed, categories)
    rights = found.write()
    if told != rights:
        raise Unusable("does not follow from its rankings: %s" % describe_tickets(told, rights))


def describe_tickets(told, found):
    """Return who has a ticket without a right to it, or the other way round."""
    mine, right = [[one["ref"] for one in both["qualified"]] for both in (told, found)]
    if strange := [person for person in mine if person not in right]:
        return "%s has a ticket and has not qualified" % strange[0]
    if missing := [person for person in right if person not in mine]:
        return "%s has qualified and has no ticket" % missing[0]
    return "its tickets have other reasons or another order"


def note_names(report, log, events):
    """Note people of one name who count as several persons: a person may have been split."""
    persons = {}
    for key, matched in log.persons.items():
        event = events.get((log.events.get(key) or {}).get("championship"))
        for entry, person in matched.items() if event is not None else ():
            if entry in event.names:
                persons.setdefault(event.names[entry], set()).add(person)
    for name, found in sorted(persons.items()):
        if len(found) > 1:
            told = "%s counts as %d persons: %s. Are they several people of one name?"
            report.notes.append(told % (name, len(found), ", ".join(sorted(found))))


# --- source/command_line.py
# The verification as a whole, and the command line.

UNWRITTEN = 2
INTERRUPTED = 130
"""The exit code of a shell for a program that Ctrl-C has ended."""


def verify(file, witness=None, keys=(), events=()):
    """Verify an export (a path or an open file). Raise Unusable if the file is no export.

    events: further files, of the championships of a series.
    """
    if read_format(file) != SERIES_FORMAT:
        if events:
            raise Unusable("several files are verified together only with the file of their series first")
        return verify_championship(file, witness, keys)[0]
    try:
        return verify_series(file, events, verify_championship, witness, keys)
    except UNREADABLE as error:
        raise Unusable("the file cannot be read: %r" % (error,)) from error


def read_format(file):
    """Return the format that a file names, None if it names none."""
    try:
        with open_zip(file) as archive, archive.open("manifest.json") as manifest:
            found = parse_json(manifest.read(MAX_FILE_BYTES))
            return found.get("format") if isinstance(found, dict) else None
    except (zipfile.BadZipFile, zlib.error, OSError, EOFError, NotImplementedError, *FAILING, RuntimeError):
        return None


def verify_championship(file, witness=None, keys=()):
    """Verify the export of a championship. Return the report, the export and the championship's stream."""
    report = Report()
    try:
        export = Export(file, report)
        export.check_manifest(keys)
        streams = read_streams(export)
        found = check_checkpoints(export, streams, keys)
        if witness is not None:
            check_witness(report, witness, found, export.championship)
        own = streams.get(export.championship)
        if (
            own is None
            or own.kind != "championship"
            or any(stream.kind == "championship" and stream is not own for stream in streams.values())
        ):
            raise Unusable("the championship's own stream is not in it, or another one's is")
        check_events(streams, report)
        order_events(streams, found)
        rounds = read_rounds(export, streams)
        for check in (
            lambda: check_rounds(export, streams, rounds),
            lambda: check_tables(export, streams, rounds, own.events),
            lambda: check_teams(export, rounds, own.events),
            lambda: check_games(streams, report),
            lambda: note_acts(export, streams, rounds, own.events),
            lambda: check_reveals(report, streams, rounds, own.events),
            lambda: check_rankings(export, streams, rounds, own.events),
            lambda: check_receipts(export, streams),
            lambda: check_dates(streams, found, report),
            lambda: check_names(export),
            lambda: check_draws(export, rounds, own.events),
        ):
            try:
                check()
            except UNREADABLE as error:
                report.add_difference("the record", "it cannot be followed: %r" % (error,))
    except UNREADABLE as error:
        raise Unusable("the file cannot be read: %r" % (error,)) from error
    return report, export, own


def parse_key(given):
    """Return a public key, from hex or from a file with it or with the platform's seal-key.json."""
    text = given
    if os.path.isfile(given):
        with open(given, "rb") as file:
            text = file.read(4096).decode("utf-8", "replace")
        if text.lstrip().startswith("{"):
            text = parse_json(text).get("key")
    try:
        return parse_hex(text.strip().lower(), 32).hex()
    except (Unusable, AttributeError):
        raise Unusable("%s holds no public key of 64 hex characters" % (given or "what was given",)) from None


def main(arguments=None):
    """Run the command line. Return the exit code, also if the output cannot be written or Ctrl-C ends it."""
    try:
        code = run(arguments)
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        code = INTERRUPTED
    except BrokenPipeError:
        code = UNWRITTEN
    except OSError as error:
        print("the result cannot be written: %s" % error.strerror, file=sys.stderr)
        code = UNWRITTEN
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left would fail at the exit
    return code


def run(arguments):
    """Verify as the command line says, and print the result. Return the exit code."""
    parser = argparse.ArgumentParser(description="Verify an exported championship of Puur.")
    parser.add_argument(
        "export", nargs="*", help="the .zip that was downloaded; of a series, also those of its evenings"
    )
    parser.add_argument(
        "--checkpoint", metavar="WORDS|FILE|QR-TEXT", help="what you have on paper or have saved"
    )
    parser.add_argument("--key", action="append", default=[], help="the platform's public key: hex or file")
    parser.add_argument("--self-test", action="store_true", help="only try the signatures of RFC 8032")
    given = parser.parse_args(arguments)
    check_vectors()
    if given.self_test:
        print("the vectors of RFC 8032 come out right")
        return 0
    if not given.export:
        parser.error("which file?")
    try:
        keys = [parse_key(key) for key in given.key]
        first, *others = sorted(given.export, key=lambda path: read_format(path) != SERIES_FORMAT)
        report = verify(first, given.checkpoint, keys, others)
    except Unusable as error:
        print("unusable: %s" % error, file=sys.stderr)
        return 2
    for line in report.checked:
        print("checked  %s" % line)
    for line in report.notes:
        print("note     %s" % line)
    for line in report.unproven:
        print("unproven %s" % line)
    for line in report.differences:
        print("DIFFERS  %s" % line)
    if report.differences:
        print("result   %d differences: this is not the record that was sealed" % len(report.differences))
        return 1
    if report.notes:
        print("         read the notes (%d): they say what officials did" % len(report.notes))
    if given.checkpoint is None:
        print("result   nothing differs. Compare the words with those on a sheet from the hall.")
    else:
        print("result   nothing differs, and this is the record of your sheet.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
