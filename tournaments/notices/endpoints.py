"""Push endpoints of browsers: web addresses that clients send, and to which the platform writes.

They are validated on arrival without any lookup; `addresses` checks the resolved addresses when sending.
"""

import base64
import binascii
import ipaddress
import re
from typing import Final
from urllib.parse import SplitResult, urlsplit

import msgspec
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from tournaments.errors import TournamentError
from tournaments.notices.keys import CURVE

MAX_ENDPOINT_LENGTH: Final = 1024
ANY: Final = "any"
"""Value of PUUR_PUSH_HOSTS that allows any host of the Internet."""
POINT_BYTES, AUTH_BYTES = 65, 16
LABEL: Final = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)", re.ASCII)
LAST_LABEL: Final = re.compile(r"[a-z][a-z0-9-]*", re.ASCII)
"""Form of the last label of a host name. A number as last label makes an address: 127.1, 0x7f000001,
2130706433."""
NEVER_PUBLIC: Final = (
    *("localhost", "local", "localdomain", "internal", "intranet", "lan", "home", "corp", "private"),
    *("home.arpa", "invalid", "test", "example", "onion", "alt"),
)
"""Domains valid only within a network, or nowhere (RFC 6761, 6762, 8375)."""


class Endpoint(msgspec.Struct, frozen=True):
    """A browser's push endpoint: its address, public point and secret, as the browser sent them."""

    url: str
    p256dh: str
    auth: str

    @property
    def point(self) -> bytes:
        return _decode_base64url(self.p256dh)

    @property
    def secret(self) -> bytes:
        return _decode_base64url(self.auth)

    @property
    def host(self) -> str:
        return host_of(urlsplit(self.url))

    @property
    def origin(self) -> str:
        return f"https://{self.host}"

    @property
    def path(self) -> str:
        parts = urlsplit(self.url)
        return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def parse_endpoint(url: str, p256dh: str, auth: str) -> Endpoint:
    """Validate an endpoint sent by a browser.

    Raises TournamentError `notices/endpoint`, `notices/endpoint_inside`, `notices/endpoint_not_allowed`,
    `notices/endpoint_keys`.
    """
    _require_public(_split_url(url))
    try:
        point = _decode_base64url(p256dh)
        if len(point) != POINT_BYTES or len(_decode_base64url(auth)) != AUTH_BYTES:
            raise ValueError
        ec.EllipticCurvePublicKey.from_encoded_point(CURVE, point)
    except ValueError:
        raise TournamentError(
            "notices/endpoint_keys", _("The keys that this browser sent cannot be used.")
        ) from None
    return Endpoint(url, p256dh, auth)


def host_of(parts: SplitResult) -> str:
    return (parts.hostname or "").removesuffix(".")


def _split_url(url: str) -> SplitResult:
    refusal = TournamentError(
        "notices/endpoint", _("The address that this browser sent is not that of a push service.")
    )
    if (
        len(url) > MAX_ENDPOINT_LENGTH
        or not re.fullmatch(r"https://[\x21-\x7e]+", url)
        or re.search(r"[\\#@]", url)
    ):
        raise refusal
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise refusal from None
    if port not in (None, 443) or not parts.hostname:
        raise refusal
    return parts


def _require_public(parts: SplitResult) -> None:
    """Require that the host name is public, and that the operator allows it."""
    host = host_of(parts)
    labels = host.split(".")
    inside = len(labels) < 2 or any(host == name or host.endswith(f".{name}") for name in NEVER_PUBLIC)
    if inside or _is_address(host) or not LAST_LABEL.fullmatch(labels[-1]):
        raise TournamentError(
            "notices/endpoint_inside", _("The address that this browser sent is not on the Internet.")
        )
    if len(host) > 253 or not all(LABEL.fullmatch(label) for label in labels):
        raise TournamentError(
            "notices/endpoint", _("The address that this browser sent is not that of a push service.")
        )
    allowed: list[str] = settings.PUSH_HOSTS
    if allowed not in ([], [ANY]) and not any(host == name or host.endswith(f".{name}") for name in allowed):
        raise TournamentError(
            "notices/endpoint_not_allowed",
            _("This platform does not use the push service of this browser."),
        )


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _decode_base64url(text: str) -> bytes:
    """Decode base64url, with or without padding. Raises ValueError."""
    if len(text) > 200 or not re.fullmatch(r"[\w-]*={0,2}", text, re.ASCII):
        raise ValueError("no base64url")
    bare = text.rstrip("=")
    try:
        return base64.urlsafe_b64decode(bare + "=" * (-len(bare) % 4))
    except binascii.Error as error:
        raise ValueError(str(error)) from None
