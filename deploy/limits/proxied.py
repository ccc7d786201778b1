"""Client addresses behind a proxy. Only addresses that a trusted proxy itself has seen are used.

A trusted proxy is a peer at the Unix socket, which only the proxy can open; a peer on this machine, if the
site has an https address; or a peer in one of the networks of PUUR_TRUSTED_PROXIES. Each proxy appends the
address of its peer to X-Forwarded-For. The client is the last address in the list that is not in these
networks. A client can forge the addresses before it.
"""

import ipaddress
import time
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from ipaddress import IPv4Network, IPv6Network
from typing import Any, Final, NamedTuple

from django.http import HttpRequest

Scope = MutableMapping[str, Any]
Application = Callable[..., Awaitable[None]]
LOOPBACK: Final = {"127.0.0.1", "::1"}
FORWARDED: Final = b"x-forwarded-"
PROXY_HEADERS: Final = {b"forwarded", b"via", b"x-real-ip"}
LOCAL_HOSTS: Final = {b"localhost", b"127.0.0.1", b"[::1]"}
DIRECT: Final = "puur.direct"
"""Key in the ASGI scope: whether the client is a program on this machine that does not go through a proxy."""


class Forwarded(NamedTuple):
    """The forwarded headers of a request. peer: address of the sender, or `unix`; proto: X-Forwarded-Proto;
    hops: number of addresses in X-Forwarded-For; hour: hours since 1970.
    """

    peer: str
    proto: str
    hops: int
    hour: int


last_forwarded: dict[bool, Forwarded] = {}
"""The last headers that arrived in this process, from a trusted peer (True) and from another peer (False).
deploy.doctor shows them.
"""


class Proxied:
    """An ASGI application that puts the client's address, the scheme and DIRECT into the scope. `behind_tls`:
    a proxy on this machine is trusted too; `trusted`: networks of further proxies.
    """

    def __init__(
        self,
        application: Application,
        *,
        behind_tls: bool,
        trusted: Sequence[IPv4Network | IPv6Network] = (),
    ) -> None:
        self._application = application
        self._behind_tls = behind_tls
        self._trusted = trusted

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        if scope["type"] in {"http", "websocket"}:
            scope[DIRECT] = _is_direct(scope)
            self._set_client(scope)
        await self._application(scope, receive, send)

    def _set_client(self, scope: Scope) -> None:
        client = scope.get("client")
        if client is None or (self._behind_tls and client[0] in LOOPBACK) or self._is_trusted(client[0]):
            headers = dict(scope["headers"])  # The last of several fields wins.
            _record_forwarded(client, headers, trusted=True)
            address = self._last_untrusted(headers.get(b"x-forwarded-for", b"").decode("latin-1"))
            if address:
                scope["client"] = (address, 0)
            if headers.get(b"x-forwarded-proto", b"").rpartition(b",")[2].strip() == b"https":
                scope["scheme"] = "wss" if scope["type"] == "websocket" else "https"
        else:
            kept = [(name, value) for name, value in scope["headers"] if name[:12] != FORWARDED]
            if len(kept) < len(scope["headers"]):
                _record_forwarded(client, dict(scope["headers"]), trusted=False)
                scope["headers"] = kept

    def _last_untrusted(self, forwarded: str) -> str:
        """Return the last address that is not in the trusted networks, or the first address if all are; empty
        if one of those read on the way is not an address.
        """
        while forwarded:
            forwarded, _, last = forwarded.rpartition(",")
            address = last.strip()
            if not _is_address(address):
                return ""
            if not (forwarded and self._is_trusted(address)):
                return address
        return ""

    def _is_trusted(self, address: str) -> bool:
        try:
            found = ipaddress.ip_address(address)
        except ValueError:
            return False
        return any(found in network for network in self._trusted)


def _record_forwarded(client: tuple[str, int] | None, headers: dict[bytes, bytes], *, trusted: bool) -> None:
    """Record what the headers state. Requests without these headers are ignored, because programs beside the
    proxy send such requests.
    """
    addresses, proto = headers.get(b"x-forwarded-for", b""), headers.get(b"x-forwarded-proto", b"")
    if addresses or proto:
        last_forwarded[trusted] = Forwarded(
            client[0] if client else "unix",
            proto.rpartition(b",")[2].strip().decode("latin-1")[:10],
            len(addresses.split(b",")) if addresses else 0,
            int(time.time() // 3600),
        )


def is_local_request(request: HttpRequest) -> bool:
    """Return whether a program on this machine sent the request without a proxy."""
    return bool(getattr(request, "scope", {}).get(DIRECT))


def _is_direct(scope: Scope) -> bool:
    client = scope.get("client")
    if client is not None and client[0] not in LOOPBACK:
        return False
    if any(name[:12] == FORWARDED or name in PROXY_HEADERS for name, _ in scope["headers"]):
        return False
    host = next((value for name, value in scope["headers"] if name == b"host"), b"")
    return host in LOCAL_HOSTS or host.rpartition(b":")[0] in LOCAL_HOSTS


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
