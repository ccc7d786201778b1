"""Ed25519 signatures (RFC 8032), verification only."""

from __future__ import annotations

import hashlib

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
