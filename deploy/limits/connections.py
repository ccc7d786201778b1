"""Limits on plain HTTP connections of a web process: their number, their number for each address, time and
size of a request's head, and the speed at which a client must read.

uvicorn has none of these limits: 1,100 half-open requests blocked all clients.
"""

import asyncio
import resource
from collections import Counter
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from games.messaging.rate_limit import network_of

HEAD_SECONDS: Final = 10
"""Seconds from the connection, or from the first byte of a further request, to the end of the head."""
LARGEST_HEAD: Final = 16 * 1024
"""Largest number of bytes outside of bodies: heads, trailers of chunked bodies, empty lines."""
MAX_FIELDS: Final = 100
STATUS_LINES: Final = {400: b"400 Bad Request", 431: b"431 Request Header Fields Too Large"}
SENDING_SECONDS: Final = 30
MIN_SENT: Final = 32 * 1024
"""Number of bytes that a client must read within SENDING_SECONDS, unless fewer are left; otherwise its
connection is closed.
"""
KEEP_SECONDS: Final = 15
"""Seconds for which an idle connection stays open. Most polling pages send requests more often."""
MAX_CONNECTIONS: Final = 8000
RESERVED_FILES: Final = 256
"""Number of open files that are reserved for the database, Redis and static files."""


def raise_limit() -> None:
    """Raise the soft limit of open files, often 1,024, to the hard limit."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def compute_max_connections() -> int:
    """Return the largest number of connections: half of the files that the process may open beyond
    RESERVED_FILES, at least 64 and at most MAX_CONNECTIONS.

    The other half is for the sockets of live tables.
    """
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return (
        MAX_CONNECTIONS
        if soft == resource.RLIM_INFINITY
        else max(64, min(MAX_CONNECTIONS, (soft - RESERVED_FILES) // 2))
    )


class _WrongHead(Exception):
    """The head of a request is invalid. The request does not reach the application."""


class Connections:
    """The open connections of this process. One address may have up to a quarter of
    `most`, because a whole hall may share it.
    """

    def __init__(self) -> None:
        self.total = 0
        self.by_address: Counter[str] = Counter()
        self.most = compute_max_connections()

    def enter(self, address: str) -> bool:
        if self.total >= self.most or (address and self.by_address[address] >= self.most // 4):
            return False
        self.total += 1
        self.by_address[address] += 1
        return True

    def leave(self, address: str) -> None:
        self.total -= 1
        self.by_address[address] -= 1
        if not self.by_address[address]:
            del self.by_address[address]


class BoundedHttp(HttpToolsProtocol):
    """An HTTP connection with limits. It is closed if there are too many connections, if no request arrives
    in time, or if the client does not read the response.
    """

    current: "Connections | None" = None
    _address: str | None = None
    _head_timer: asyncio.TimerHandle | None = None
    _sending_timer: asyncio.TimerHandle | None = None
    _bytes_outside_body = 0
    """Number of bytes since the last complete head, piece of a body, or request; the parser buffers these."""
    _field_count = _head_length = _host_count = 0
    """Numbers of fields, bytes and Host headers in the current head."""
    _error_status = 400
    """The status of the response to an invalid head."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        here = BoundedHttp.current = BoundedHttp.current or Connections()
        # A proxy at a Unix socket has its own limits.
        address = network_of(self.client[0]) if self.client else ""
        if here.enter(address):
            self._address = address
            self._await_head()
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._release()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        """Hand the connection over to the WebSocket protocol, which has limits of its own."""
        self._release()
        super().handle_websocket_upgrade()

    def data_received(self, data: bytes) -> None:
        idle = self.cycle is None or self.cycle.response_complete
        if idle:
            self._await_head()
        self._bytes_outside_body += len(data)
        super().data_received(data)
        if self._bytes_outside_body > LARGEST_HEAD and not self.transport.is_closing():
            self._error_status = 431
            self.send_400_response("")

    def on_message_begin(self) -> None:
        """Start the limits for a new request. The previous request may still be running."""
        self._await_head()
        self._field_count = self._head_length = self._host_count = 0
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        self._count_in_head(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        self._field_count += 1
        self._host_count += name.lower() == b"host"
        self._count_in_head(len(name) + len(value) + 4)
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        if self._host_count > 1 or (self._host_count == 0 and self.parser.get_http_version() != "1.0"):
            raise _WrongHead  # RFC 9112, 3.2
        self._bytes_outside_body = 0
        self._head_arrived()
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._bytes_outside_body = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._bytes_outside_body = 0
        super().on_message_complete()

    def _count_in_head(self, length: int) -> None:
        self._head_length += length
        if self._head_length > LARGEST_HEAD or self._field_count > MAX_FIELDS:
            self._error_status = 431
            raise _WrongHead

    def send_400_response(self, msg: str) -> None:
        """Answer an invalid head and close the connection. During the previous response, only close it."""
        if self.cycle is not None and not self.cycle.response_complete:
            self.transport.abort()
            return
        head = (
            b"HTTP/1.1 "
            + STATUS_LINES[self._error_status]
            + b"\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
        )
        self.transport.write(head)
        self.transport.close()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._watch_sending()

    def on_response_complete(self) -> None:
        self._watch_sending()
        super().on_response_complete()

    def _await_head(self) -> None:
        if self._head_timer is None:
            self._head_timer = self.loop.call_later(HEAD_SECONDS, self._head_late)

    def _head_arrived(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _head_late(self) -> None:
        self._head_timer = None
        if self.flow.read_paused:  # Reading is paused while previous requests run.
            self._await_head()
        else:
            self.transport.abort()

    def _watch_sending(self) -> None:
        left = self.transport.get_write_buffer_size()
        if left and self._sending_timer is None:
            self._sending_timer = self.loop.call_later(SENDING_SECONDS, self._check_sending, left)

    def _check_sending(self, before: int) -> None:
        self._sending_timer = None
        if self.transport.get_write_buffer_size() > max(0, before - MIN_SENT):
            self.transport.abort()
        else:
            self._watch_sending()

    def _release(self) -> None:
        self._head_arrived()
        if self._sending_timer is not None:
            self._sending_timer.cancel()
            self._sending_timer = None
        if self._address is not None and BoundedHttp.current is not None:
            BoundedHttp.current.leave(self._address)
            self._address = None
