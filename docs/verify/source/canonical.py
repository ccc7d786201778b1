"""Canonical bytes: length-prefixed fields, hashes, hex and JSON."""

from __future__ import annotations

import hashlib
import json
import re

from .report import Unusable


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
