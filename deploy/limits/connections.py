"""Plain HTTP connections of a web process: how many, how many from one address, how long and large a head,
how slowly somebody may read.

uvicorn bounds none of these: 1,100 half-open requests shut everybody out.
"""

import asyncio
import resource
from collections import Counter
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from games.messaging.rate_limit import network_of

HEAD_SECONDS: Final = 10
"""From the connection, or the first byte of a further request, to the end of its head."""
LARGEST_HEAD: Final = 16 * 1024
"""Bytes of anything that is not a body: heads, what follows a body in chunks, empty lines."""
MOST_FIELDS: Final = 100
"""Lines of a head."""
WRONG: Final = {400: b"400 Bad Request", 431: b"431 Request Header Fields Too Large"}
SENDING_SECONDS: Final = 30
LEAST_SENT: Final = 32 * 1024
"""In so many seconds so much has to be read of what we send, or the connection ends."""
KEEP_SECONDS: Final = 15
"""How long a connection may stay without a request; most pages that poll ask more often."""
MOST: Final = 8000
SPARE: Final = 256
"""Open files that are left for the database, Redis and static files."""


def raise_limit() -> None:
    """Let this process open as many files as the system lets it: the soft limit is often 1,024."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def most() -> int:
    """How many connections there may be; sockets of live tables need files too, as many again."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST if soft == resource.RLIM_INFINITY else max(64, min(MOST, (soft - SPARE) // 2))


class _WrongHead(Exception):
    """A head that is not answered by the application."""


class Connections:
    """Those that are open in this process. One address may have a quarter of them: a hall sits behind one."""

    def __init__(self) -> None:
        self.all = 0
        self.of: Counter[str] = Counter()
        self.most = most()

    def enter(self, address: str) -> bool:
        if self.all >= self.most or (address and self.of[address] >= self.most // 4):
            return False
        self.all += 1
        self.of[address] += 1
        return True

    def leave(self, address: str) -> None:
        self.all -= 1
        self.of[address] -= 1
        if not self.of[address]:
            del self.of[address]


class BoundedHttp(HttpToolsProtocol):
    """A connection that is closed where there are too many, where no request comes out of it in time, or
    where nobody reads what it asked for.
    """

    here: "Connections | None" = None
    _address: str | None = None
    _head_timer: asyncio.TimerHandle | None = None
    _sending_timer: asyncio.TimerHandle | None = None
    _not_a_body = 0
    """Bytes since a head, a piece of a body or a request was complete: the parser keeps them."""
    _fields = _head_length = _hosts = 0
    """Of the head that comes in now."""
    _wrong = 400
    """The status for a head that cannot be taken."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        here = BoundedHttp.here = BoundedHttp.here or Connections()
        address = network_of(self.client[0]) if self.client else ""  # a proxy at a Unix socket counts its own
        if here.enter(address):
            self._address = address
            self._await_head()
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._leave()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        """From here on it is a socket, with limits of its own."""
        self._leave()
        super().handle_websocket_upgrade()

    def data_received(self, data: bytes) -> None:
        idle = self.cycle is None or self.cycle.response_complete
        if idle:
            self._await_head()
        self._not_a_body += len(data)
        super().data_received(data)
        if self._not_a_body > LARGEST_HEAD and not self.transport.is_closing():
            self._wrong = 431
            self.send_400_response("")

    def on_message_begin(self) -> None:
        """A further request may begin while the one before it is still at work."""
        self._await_head()
        self._fields = self._head_length = self._hosts = 0
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        self._count_in_head(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        self._fields += 1
        self._hosts += name.lower() == b"host"
        self._count_in_head(len(name) + len(value) + 4)
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        if self._hosts > 1 or (self._hosts == 0 and self.parser.get_http_version() != "1.0"):
            raise _WrongHead  # RFC 9112, 3.2
        self._not_a_body = 0
        self._head_arrived()
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._not_a_body = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._not_a_body = 0
        super().on_message_complete()

    def _count_in_head(self, length: int) -> None:
        self._head_length += length
        if self._head_length > LARGEST_HEAD or self._fields > MOST_FIELDS:
            self._wrong = 431
            raise _WrongHead

    def send_400_response(self, msg: str) -> None:
        """End a connection whose head cannot be taken. Nothing is written into an answer before it."""
        if self.cycle is not None and not self.cycle.response_complete:
            self.transport.abort()
            return
        head = b"HTTP/1.1 " + WRONG[self._wrong] + b"\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
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
        if self.flow.read_paused:  # we do not read on as long as requests before it are at work
            self._await_head()
        else:
            self.transport.abort()

    def _watch_sending(self) -> None:
        left = self.transport.get_write_buffer_size()
        if left and self._sending_timer is None:
            self._sending_timer = self.loop.call_later(SENDING_SECONDS, self._look_at_sending, left)

    def _look_at_sending(self, before: int) -> None:
        self._sending_timer = None
        if self.transport.get_write_buffer_size() > max(0, before - LEAST_SENT):
            self.transport.abort()
        else:
            self._watch_sending()

    def _leave(self) -> None:
        self._head_arrived()
        if self._sending_timer is not None:
            self._sending_timer.cancel()
            self._sending_timer = None
        if self._address is not None and BoundedHttp.here is not None:
            BoundedHttp.here.leave(self._address)
            self._address = None
