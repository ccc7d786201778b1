"""Hundreds of sockets that only count: frames have one known length and need no parsing."""

import asyncio
import os
import time
from functools import partial
from typing import Final

from tests.bench._live_wire import LENGTH

FRAME: Final = LENGTH + 4
"""Length with the header of a frame of 126 to 65,535 bytes."""
STAMP: Final = slice(9, 29)
"""Position of the time's digits in a frame."""


class Counter(asyncio.Protocol):
    """One socket. `begin` discards everything it has read."""

    def __init__(self, host: str, path: str) -> None:
        self._request = (
            f"GET {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        )
        self.counting = False
        self.stamping = False
        self.received = 0
        self.last = 0
        self.delays: list[int] = []
        self._left = b""
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.WriteTransport)
        self.transport = transport
        transport.write(self._request.encode())

    def data_received(self, data: bytes) -> None:
        if not self.counting:
            if not self.opened.done() and b" 101 " in data:
                self.opened.set_result(None)
            return
        self.last = time.monotonic_ns()
        self.received += len(data)
        if self.stamping:
            data = self._left + data
            whole = len(data) // FRAME * FRAME
            for at in range(0, whole, FRAME):
                self.delays.append(self.last - int(data[at + STAMP.start : at + STAMP.stop]))
            self._left = data[whole:]

    def say(self, text: bytes) -> None:
        """Send one text frame, masked with zeros, which is a mask too."""
        self.transport.write(b"\x81\xfe" + len(text).to_bytes(2, "big") + bytes(4) + text)

    def begin(self, stamping: bool) -> None:
        self.counting, self.stamping = True, stamping
        self.received, self.last, self.delays, self._left = 0, 0, [], b""

    @property
    def frames(self) -> int:
        return self.received // FRAME


async def opened(port: int, path: str, count: int) -> list[Counter]:
    """Open this many sockets."""
    loop = asyncio.get_running_loop()
    counters: list[Counter] = []
    for _ in range(count):
        _, counter = await loop.create_connection(
            partial(Counter, f"127.0.0.1:{port}", path), "127.0.0.1", port
        )
        await asyncio.wait_for(counter.opened, 20)
        counters.append(counter)
    await asyncio.sleep(1.5)  # first frames and subscriptions come before the count
    return counters


async def get(port: int, path: str) -> str:
    """The body of a plain GET."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
    body = (await reader.read()).split(b"\r\n\r\n", 1)[1].decode()
    writer.close()
    return body


async def used(port: int) -> tuple[int, float]:
    """Resident KiB and processor seconds of the server so far."""
    kib, seconds = (await get(port, "/used")).split()
    return int(kib), float(seconds)


async def counted(port: int, counters: list[Counter], events: int, rate: float, patience: float) -> None:
    """Count `events` frames on every socket; frames missing after `patience` seconds are left out."""
    for counter in counters:
        counter.begin(stamping=rate > 0)
    await get(port, f"/drive?events={events}&rate={rate}")
    waited = time.monotonic()
    while any(c.frames < events for c in counters) and time.monotonic() - waited < patience:
        await asyncio.sleep(0.02)


def on_core(number: int) -> None:
    """Keep this process on one core, so that the two sides of the wire do not share one."""
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {cores[number % len(cores)]})
