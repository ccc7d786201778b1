"""Connections to push services, restricted to public Internet addresses.

A host name is resolved once, every address is checked, and the connection goes to a checked address, so that
the owner of the name cannot change it in between (DNS rebinding). There is no other lookup and no proxy.
"""

import asyncio
import contextlib
import ipaddress
import socket
import ssl
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from functools import cached_property
from typing import Final

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
NAT64: Final = ipaddress.IPv6Network("64:ff9b::/96")
GLOBAL: Final = ipaddress.IPv6Network("2000::/3")
"""The part of IPv6 that is routed on the Internet. Addresses outside it, such as SIIT (::ffff:0:0:0/96), are
refused."""
ISATAP: Final = 0x5EFE
"""The 32 bits before the IPv4 address in an ISATAP interface identifier (RFC 5214), without the bit for a
unique address."""
UNIQUE: Final = 0x0200_0000
REFUSED_NETWORKS: Final = tuple(
    map(
        ipaddress.ip_network,
        (
            *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"),
            *("192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15"),
            *("198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/3"),
            *("::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16"),
            *("3fff::/20", "5f00::/16", "fc00::/7", "fe80::/9", "ff00::/8"),
        ),
    )
)
"""Networks refused in addition to Python's `is_global`, so that the result does not depend on Python's
version.

They are local networks, the machine (cloud metadata included), provider networks, and transition addresses,
which embed another address."""


class Unreachable(Exception):
    """A connection failed: no network, unknown name, time-out, or invalid certificate. Nothing was
    written.
    """


class InsideAddress(Exception):
    """A host name resolves to an address outside the public Internet."""


def is_public(address: str) -> bool:
    """Return whether this is an IP address of the public Internet."""
    try:
        found: Address = ipaddress.ip_address(address)
    except ValueError:  # "fe80::1%eth0", among others
        return False
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is not None:
            return is_public(str(found.ipv4_mapped))
        if found in NAT64:
            return is_public(str(ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)))
        if found not in GLOBAL or (int(found) >> 32) & 0xFFFFFFFF & ~UNIQUE == ISATAP:
            return False
    refused = any(found.version == net.version and found in net for net in REFUSED_NETWORKS)
    return found.is_global and not found.is_multicast and not refused


class Network:
    """Access to push services.

    Tests pass their own instance as an argument. No setting replaces it, so that no operator can make the
    platform connect to itself.
    """

    port = 443
    seconds = 4.0
    """Time limit for lookup, connection and certificate together, in seconds."""

    def context(self) -> ssl.SSLContext:
        return ssl.create_default_context()

    @cached_property
    def _context(self) -> ssl.SSLContext:
        """The TLS context, cached per process, since loading the machine's certificates is slow."""
        return self.context()

    def may(self, address: str) -> bool:
        return is_public(address)

    def looked_up(self, host: str) -> Sequence[str]:
        """Return the addresses of a host name, IPv4 first. Raises OSError, UnicodeError."""
        found = socket.getaddrinfo(host, self.port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
        rows = sorted(found, key=lambda row: row[0] != socket.AF_INET)
        return list(dict.fromkeys(str(row[4][0]) for row in rows))

    async def connect(self, host: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Open a TLS connection to the host. Raises Unreachable, InsideAddress."""
        try:
            async with asyncio.timeout(self.seconds):
                found = await self._resolve(host)
                return await self._connect_first(host, found)
        except TimeoutError:
            raise Unreachable("time-out") from None
        except (OSError, ssl.SSLError, UnicodeError) as error:
            raise Unreachable(type(error).__name__) from None

    async def _connect_first(
        self, host: str, addresses: Sequence[str]
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if not all(self.may(address) for address in addresses):
            raise InsideAddress(host)
        last: Exception = OSError("no address")
        for address in addresses[:2]:
            try:
                async with asyncio.timeout(self.seconds / 2):
                    return await asyncio.open_connection(
                        address, self.port, ssl=self._context, server_hostname=host, limit=2**14
                    )
            except OSError as error:
                last = error
        raise last

    async def _resolve(self, host: str) -> Sequence[str]:
        """Look the host up in a daemon thread, because an unresponsive resolver blocks for half a minute."""
        found: Future[Sequence[str]] = Future()

        def look_up() -> None:
            result: Sequence[str] | None = None
            try:
                result = self.looked_up(host)
            except Exception as error:
                with contextlib.suppress(Exception):
                    found.set_exception(error)
            else:
                with contextlib.suppress(Exception):
                    found.set_result(result)

        threading.Thread(target=look_up, name="look-up", daemon=True).start()
        return await asyncio.wrap_future(found)


INTERNET: Final = Network()
