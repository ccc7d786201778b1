"""Requests and responses of a browser on the wire, because caches show 304 as 200."""

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit


@dataclass
class Exchange:
    head: str
    """Request headers, in lower case."""
    status: int = 0

    @property
    def is_of_a_part(self) -> bool:
        return "hx-request: true" in self.head

    @property
    def knows(self) -> bool:
        """Whether the request has the ETag of a cached response."""
        return "if-none-match:" in self.head


class Overheard:
    """A proxy; `url` is its address. One request at a time per connection, as browsers do."""

    def __init__(self, url: str) -> None:
        there = urlsplit(url)
        assert there.port is not None
        self._server = (there.hostname, there.port)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        self.exchanges: list[Exchange] = []
        self._sockets = [self._listening]
        self._threads: list[threading.Thread] = []
        self._begin(self._accept)

    @property
    def of_parts(self) -> list[Exchange]:
        return [exchange for exchange in self.exchanges if exchange.is_of_a_part]

    def close(self) -> None:
        """Waits for no idle socket, and leaves none open."""
        hang_up(self._listening)
        self._threads[0].join()
        for each in self._sockets:
            hang_up(each)
        for thread in self._threads:
            thread.join()
        for each in self._sockets:
            each.close()

    def _begin(self, act: Callable[..., None], *args: object) -> None:
        self._threads.append(threading.Thread(target=act, args=args, daemon=True))
        self._threads[-1].start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                server = socket.create_connection(self._server)
                self._sockets += [client, server]
                asked: list[Exchange] = []
                self._begin(self._carry, client, server, asked, True)
                self._begin(self._carry, server, client, asked, False)

    def _carry(self, heard: socket.socket, other: socket.socket, asked: list[Exchange], asks: bool) -> None:
        with contextlib.suppress(OSError):
            while data := heard.recv(65536):
                if asks and data.startswith(b"GET "):
                    asked.append(Exchange(data.split(b"\r\n\r\n")[0].decode("latin-1").lower()))
                    self.exchanges.append(asked[-1])
                elif not asks and asked and data.startswith(b"HTTP/1.1 "):
                    asked[-1].status = int(data.split()[1])
                other.sendall(data)
        hang_up(other)


def hang_up(line: socket.socket) -> None:
    with contextlib.suppress(OSError):
        line.shutdown(socket.SHUT_RDWR)


@contextlib.contextmanager
def overheard(url: str) -> Iterator[Overheard]:
    between = Overheard(url)
    try:
        yield between
    finally:
        between.close()
