"""Clients of a table's socket with minimal cost, so that thousands of them fit beside the server."""

import asyncio
import os
import resource
from collections.abc import Callable, Mapping, Sequence

PING, PONG, CLOSE = 0x9, 0xA, 0x8
OPENING_SECONDS = 60.0


class Socket(asyncio.Protocol):
    """One socket. `heard` gets each text frame's bytes on arrival; `ended` the closing code, once."""

    def __init__(
        self,
        port: int,
        path: str,
        source: tuple[str, int] | None,
        headers: Mapping[str, str],
        heard: Callable[[bytes], None],
        ended: Callable[[int], None] = lambda code: None,
    ) -> None:
        host = f"127.0.0.1:{port}"
        more = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        self._request = (
            f"GET {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n{more}"
            "Upgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        )
        self._source = source
        self._port = port
        self._heard = heard
        self._ended = ended
        self._held = b""
        self._begun = False
        self._code = 1006
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.WriteTransport)
        self.transport = transport
        transport.write(self._request.encode())

    def connection_lost(self, error: Exception | None) -> None:
        if not self.opened.done():
            self.opened.set_exception(ConnectionError(f"not opened: {self._held[:60]!r} {error}"))
            return
        self._ended(self._code)

    async def open(self) -> None:
        """Open the socket; returns when it is open."""
        loop = asyncio.get_running_loop()
        await loop.create_connection(lambda: self, "127.0.0.1", self._port, local_addr=self._source)
        await asyncio.wait_for(self.opened, OPENING_SECONDS)

    def say(self, text: bytes) -> None:
        """Send one text frame, masked with zeros, which is a mask too."""
        self._write(0x1, text)

    def data_received(self, data: bytes) -> None:
        data = self._held + data
        if not self._begun:
            head, found, data = data.partition(b"\r\n\r\n")
            if not found or b" 101 " not in head:
                self._held = head
                return
            self._begun = True
            self.opened.set_result(None)
        self._held = self._read(data)

    def _read(self, data: bytes) -> bytes:
        """Take whole frames from the front; returns the rest."""
        at, size = 0, len(data)
        while size - at >= 2:
            length, begin = data[at + 1], at + 2
            if length > 125:
                wide = 2 if length == 126 else 8
                if size < begin + wide:
                    break
                length = int.from_bytes(data[begin : begin + wide], "big")
                begin += wide
            if size < begin + length:
                break
            self._frame(data[at] & 0xF, data[begin : begin + length])
            at = begin + length
        return data[at:]

    def _frame(self, kind: int, text: bytes) -> None:
        if kind == PING:
            self._write(PONG, text)
        elif kind == CLOSE:
            self._code = int.from_bytes(text[:2], "big")
            self.transport.close()
        else:
            self._heard(text)

    def _write(self, kind: int, text: bytes) -> None:
        length = len(text)
        head = bytes([0x80 | kind, 0x80 | length]) if length < 126 else b""
        if not head:
            head = bytes([0x80 | kind, 0xFE]) + length.to_bytes(2, "big")
        self.transport.write(head + bytes(4) + text)


async def opened(sockets: Sequence[Socket], at_once: int = 50) -> None:
    """Connect all of them, `at_once` at a time; raises the first failure."""
    turn = asyncio.Semaphore(at_once)

    async def one(socket: Socket) -> None:
        async with turn:
            await socket.open()

    async with asyncio.TaskGroup() as group:
        for socket in sockets:
            group.create_task(one(socket))


def with_room() -> None:
    """Raise the limit of open files to the system's maximum for this process."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def address(number: int) -> tuple[str, int]:
    """The address of a client: each has its own, as in a hall with mobile phones."""
    return f"127.{(number >> 16 & 127) + 1}.{number >> 8 & 255}.{number & 255}", 0


def percentiles(values: Sequence[float], *parts: float) -> list[float]:
    """Percentiles of the values; 0 where there are none."""
    found = sorted(values) or [0.0]
    return [found[min(len(found) - 1, int(len(found) * part / 100))] for part in parts]


def processor() -> float:
    """Processor seconds of this process."""
    used = os.times()
    return used.user + used.system
