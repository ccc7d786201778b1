"""Phones that request pages repeatedly, as one process: `python -m tests.bench._load_phones < line`.

The line: {"port", "phones", "period", "warm"?, "seconds", "asked": [[path, as a part?], …], "tags": whether
they hold an ETag as a browser does}. Each phone keeps one connection, has an address of its own and begins at
a random time within the first period; a line tells when that is over, or `warm` seconds. Then the requests of
`seconds` are counted and answered: {"status": {code: n}, "ms": [p50, p95, p99], "polls", "kib"}.
"""

import asyncio
import json
import random
import sys
import time
from collections import Counter
from typing import Any

from tests.bench import _sockets

PATIENCE = 30.0


class Phone:
    """One browser."""

    def __init__(self, number: int, asked: dict[str, Any], found: "Found") -> None:
        self.number, self.asked, self.found = number, asked, found
        self.path, self.part = asked["asked"][number % len(asked["asked"])]
        self.tag = ""
        self.line: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def poll(self, end: float) -> None:
        """Request once a period until `end`; a late answer does not cause several requests at once."""
        period = self.asked["period"]
        first = random.Random(self.number).uniform(0, period)
        await asyncio.sleep(min(first, max(0.0, end - time.monotonic())))
        while (begun := time.monotonic()) < end:
            try:
                status = str(await asyncio.wait_for(self._ask(), PATIENCE))
            except (OSError, EOFError, TimeoutError) as error:
                self._hang_up()
                status = type(error).__name__
            self.found.status[status] += 1
            self.found.seconds.append(time.monotonic() - begun)
            await asyncio.sleep(max(0.0, min(begun + period, end) - time.monotonic()))
        self._hang_up()

    async def _ask(self) -> int:
        if self.line is None:
            self.line = await asyncio.open_connection(
                "127.0.0.1", self.asked["port"], limit=1 << 21, local_addr=_sockets.address(self.number)
            )
        reader, writer = self.line
        more = {"HX-Request": "true"} if self.part else {}
        more |= {"If-None-Match": self.tag} if self.tag else {}
        lines = "".join(f"{name}: {value}\r\n" for name, value in more.items())
        writer.write(
            f"GET {self.path} HTTP/1.1\r\nHost: 127.0.0.1:{self.asked['port']}\r\n"
            f"Accept-Encoding: gzip\r\nAccept-Language: de\r\n{lines}\r\n".encode()
        )
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        status = int(head[0].split()[1])
        told = {line.partition(":")[0].lower(): line.partition(":")[2].strip() for line in head[1:]}
        self.found.bytes += len("\r\n".join(head)) + await self._body(reader, status, told)
        if self.asked["tags"] and status == 200:
            self.tag = told.get("etag", "")
        if told.get("connection", "").lower() == "close":
            self._hang_up()
        return status

    async def _body(self, reader: asyncio.StreamReader, status: int, told: dict[str, str]) -> int:
        if status in (204, 304):
            return 0
        if told.get("transfer-encoding") != "chunked":
            return len(await reader.readexactly(int(told.get("content-length", 0))))
        size = 0
        while count := int(await reader.readline(), 16):
            await reader.readexactly(count + 2)
            size += count
        await reader.readline()
        return size

    def _hang_up(self) -> None:
        if self.line is not None:
            self.line[1].close()
            self.line = None


class Found:
    """The results of all phones."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Begin to count."""
        self.status: Counter[str] = Counter()
        self.seconds: list[float] = []
        self.bytes = 0


async def main(asked: dict[str, Any]) -> None:
    _sockets.with_room()
    found = Found()
    warming = asked.get("warm", asked["period"])
    warm = time.monotonic() + warming
    phones = [Phone(number, asked, found) for number in range(asked["phones"])]
    polling = asyncio.gather(*(phone.poll(warm + asked["seconds"]) for phone in phones))
    await asyncio.sleep(warming)
    print("begun", flush=True)
    found.forget()
    await polling
    told = {
        "status": dict(found.status),
        "ms": _sockets.percentiles([1000 * each for each in found.seconds], 50, 95, 99),
        "polls": len(found.seconds),
        "kib": found.bytes / 1024,
    }
    print(json.dumps(told))


if __name__ == "__main__":
    asyncio.run(main(json.load(sys.stdin)))
