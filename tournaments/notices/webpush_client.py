"""Letters to push services: first all lines are opened, then whoever has claimed the letters has them
written.

Between the two lies the claim, so that a worker that ends before has lost nothing and one that ends after it
has written nothing twice.
"""

import asyncio
import contextlib
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

import httptools

from tournaments.notices.addresses import Inside, Network, Unreachable

SECONDS: Final = 5.0
"""For writing a letter and reading what is answered."""
MOST_BYTES: Final = 2**14
"""Of an answer: we want its first line and one header."""
LONGEST_WAIT: Final = 3600


class Letter(NamedTuple):
    """One request. `key`: of the notice."""

    key: int
    host: str
    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def request(self) -> bytes:
        """Nothing in it is of anybody's making but host and path, which `endpoints` has let through."""
        head = [f"POST {self.path} HTTP/1.1", f"Host: {self.host}", f"Content-Length: {len(self.body)}"]
        head += [f"{name}: {value}" for name, value in self.headers.items()]
        return "\r\n".join([*head, "Connection: close", "", ""]).encode("ascii") + self.body


class Line(NamedTuple):
    """An open connection to where the letter goes."""

    letter: Letter
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter


class Reply(NamedTuple):
    """`status` 0: there was none, and nobody knows what became of the letter. `wait`: seconds asked for."""

    status: int
    wait: int = 0


Opened = Line | Unreachable | Inside


async def open_lines(network: Network, letters: Iterable[Letter]) -> dict[int, Opened]:
    """Key of a letter → its line, or why there is none."""
    letters = list(letters)
    found = await asyncio.gather(*(_open(network, letter) for letter in letters))
    return {letter.key: opened for letter, opened in zip(letters, found, strict=True)}


async def _open(network: Network, letter: Letter) -> Opened:
    try:
        reader, writer = await network.connect(letter.host)
    except (Unreachable, Inside) as error:
        return error
    return Line(letter, reader, writer)


async def write_letters(lines: Iterable[Line], *, seconds: float = SECONDS) -> dict[int, Reply]:
    """Key of a letter → what was answered."""
    lines = list(lines)
    found = await asyncio.gather(*(_write(line, seconds) for line in lines))
    return {line.letter.key: reply for line, reply in zip(lines, found, strict=True)}


async def hang_up(lines: Iterable[Line]) -> None:
    """Lines on which nothing is written."""
    for line in lines:
        line.writer.transport.abort()


async def _write(line: Line, seconds: float) -> Reply:
    try:
        async with asyncio.timeout(seconds):
            line.writer.write(line.letter.request)
            await line.writer.drain()
            return await _read_reply(line.reader)
    except (OSError, TimeoutError, httptools.HttpParserError):
        return Reply(0)
    finally:
        with contextlib.suppress(OSError):
            line.writer.transport.abort()


class _Head:
    """What the parser tells of an answer."""

    def __init__(self) -> None:
        self.wait, self.complete = 0, False

    def on_header(self, name: bytes, value: bytes) -> None:
        if name.lower() == b"retry-after" and value.isdigit():
            self.wait = min(int(value[:9]), LONGEST_WAIT)

    def on_headers_complete(self) -> None:
        self.complete = True


async def _read_reply(reader: asyncio.StreamReader) -> Reply:
    """The head of the answer; of its body nothing is read. Nothing is followed anywhere."""
    head, taken = _Head(), 0
    parser = httptools.HttpResponseParser(head)
    while taken < MOST_BYTES:
        data = await reader.read(2048)
        if not data:
            break
        taken += len(data)
        parser.feed_data(data)
        if head.complete and parser.get_status_code() >= 200:
            return Reply(parser.get_status_code(), head.wait)
    return Reply(0)
