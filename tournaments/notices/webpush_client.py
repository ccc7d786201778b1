"""HTTP client for push services. All connections are opened first, then the claimed messages are written.

Notices are claimed between these two steps (`delivery`).
"""

import asyncio
import contextlib
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

import httptools

from tournaments.notices.addresses import InsideAddress, Network, Unreachable

TIMEOUT_SECONDS: Final = 5.0
"""Time limit for writing a message and reading the answer, in seconds."""
MAX_BYTES: Final = 2**14
"""Largest part of an answer that is read, in bytes; only the status and one header are needed."""
MAX_WAIT_SECONDS: Final = 3600


class Letter(NamedTuple):
    """One request to a push service. `key`: primary key of its notice."""

    key: int
    host: str
    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def request(self) -> bytes:
        """The bytes of the HTTP request. Only host and path come from the browser, and `endpoints` has
        validated them.
        """
        head = [f"POST {self.path} HTTP/1.1", f"Host: {self.host}", f"Content-Length: {len(self.body)}"]
        head += [f"{name}: {value}" for name, value in self.headers.items()]
        return "\r\n".join([*head, "Connection: close", "", ""]).encode("ascii") + self.body


class Line(NamedTuple):
    """An open connection for a message."""

    letter: Letter
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter


class Reply(NamedTuple):
    """A push service's response. `status` 0: no response, so it is unknown whether the service has the
    message. `wait`: seconds that the service asks to wait.
    """

    status: int
    wait: int = 0


Opened = Line | Unreachable | InsideAddress


async def open_lines(network: Network, letters: Iterable[Letter]) -> dict[int, Opened]:
    """Open all connections. Returns, by key of a letter, its connection or the error that prevented it."""
    letters = list(letters)
    found = await asyncio.gather(*(_open(network, letter) for letter in letters))
    return {letter.key: opened for letter, opened in zip(letters, found, strict=True)}


async def _open(network: Network, letter: Letter) -> Opened:
    try:
        reader, writer = await network.connect(letter.host)
    except (Unreachable, InsideAddress) as error:
        return error
    return Line(letter, reader, writer)


async def write_letters(lines: Iterable[Line]) -> dict[int, Reply]:
    """Write the messages. Returns the push services' responses by key of a letter."""
    lines = list(lines)
    found = await asyncio.gather(*(_write(line) for line in lines))
    return {line.letter.key: reply for line, reply in zip(lines, found, strict=True)}


async def close_lines(lines: Iterable[Line]) -> None:
    """Abort connections. Data that is not written yet is dropped."""
    for line in lines:
        line.writer.transport.abort()


async def _write(line: Line) -> Reply:
    try:
        async with asyncio.timeout(TIMEOUT_SECONDS):
            line.writer.write(line.letter.request)
            await line.writer.drain()
            return await _read_reply(line.reader)
    except (OSError, TimeoutError, httptools.HttpParserError):
        return Reply(0)
    finally:
        with contextlib.suppress(OSError):
            line.writer.transport.abort()


class _Head:
    """Receiver of the response headers that the parser reports."""

    def __init__(self) -> None:
        self.wait, self.complete = 0, False

    def on_header(self, name: bytes, value: bytes) -> None:
        if name.lower() == b"retry-after" and value.isdigit():
            self.wait = min(int(value[:9]), MAX_WAIT_SECONDS)

    def on_headers_complete(self) -> None:
        self.complete = True


async def _read_reply(reader: asyncio.StreamReader) -> Reply:
    """Read status and headers of a response. The body is ignored, and redirects are not followed."""
    head, taken = _Head(), 0
    parser = httptools.HttpResponseParser(head)
    while taken < MAX_BYTES:
        data = await reader.read(2048)
        if not data:
            break
        taken += len(data)
        parser.feed_data(data)
        if head.complete and parser.get_status_code() >= 200:
            return Reply(parser.get_status_code(), head.wait)
    return Reply(0)
