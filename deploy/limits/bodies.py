"""Limits on request bodies: a maximum per body, and a maximum for all bodies together."""

import asyncio
import tempfile
import threading
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from typing import IO, Any, Final

from django.core.exceptions import RequestAborted

from deploy.limits import overload_responses

Scope = MutableMapping[str, Any]
MEGABYTE: Final = 1024 * 1024
LARGEST_BODY: Final = 1 * MEGABYTE
LARGEST_UPLOAD: Final = 6 * MEGABYTE
LARGEST_PHOTO: Final = 21 * MEGABYTE
LARGEST_CHAMPIONSHIP: Final = 33 * MEGABYTE
UPLOADS: Final = {
    "/entries/import/": LARGEST_UPLOAD,
    "/images/": LARGEST_UPLOAD,
    "/photos/": LARGEST_PHOTO,
    "/elsewhere/": LARGEST_CHAMPIONSHIP,
}
"""Path suffixes of uploads; entries or a logo may have 5 MiB, a photo 20, a championship 32."""
ALL_BODIES: Final = 256 * MEGABYTE
"""The limit of all received bodies of unanswered requests in one process."""
SMALL: Final = 16 * 1024
"""The uncounted part of each body: large bodies that exhaust the limit leave room for players' small ones,
which are bounded by the number of connections.
"""
BODY_SECONDS: Final = 60
"""The time limit of a body; ten times the need of a phone with a weak connection."""
IN_MEMORY: Final = 64 * 1024


class BodyRefused(Exception):
    """A body is too large or too slow; `code` says which."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


async def receive(body: "RequestBody", scope: Scope, receive: Any, *, known: bool) -> None:
    """Receive a body; only a request with a session (`known`) may upload files. Raises RequestAborted,
    BodyRefused.
    """
    uploads = (most for end, most in UPLOADS.items() if known and scope["path"].endswith(end))
    most = next(uploads, LARGEST_BODY)
    told = dict(scope["headers"]).get(b"content-length", b"")
    if told.isdigit() and (len(told) > 15 or int(told) > most):
        raise BodyRefused(overload_responses.TOO_LARGE)
    try:
        async with asyncio.timeout(BODY_SECONDS):
            await _receive_into(body, receive, most)
    except TimeoutError:
        raise BodyRefused(overload_responses.TOO_SLOW) from None


async def _receive_into(body: "RequestBody", receive: Any, most: int) -> None:
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise RequestAborted
        piece = message.get("body", b"")
        if body.length + len(piece) > most:
            raise BodyRefused(overload_responses.TOO_LARGE)
        body.add(piece)
        more = message.get("more_body", False)


class Bodies:
    """The number of counted body bytes in this process."""

    def __init__(self) -> None:
        self._length = 0
        self._counting = threading.Lock()

    def add(self, length: int) -> None:
        """Add a number of bytes, possibly negative. Raises BodyRefused beyond the limit."""
        with self._counting:
            if length > 0 and self._length + length > ALL_BODIES:
                raise BodyRefused(overload_responses.TRY_AGAIN)
            self._length += length


class RequestBody:
    """The received body of a request. The thread that takes it closes it; a body that no thread takes is
    closed by its reader.
    """

    def __init__(self, all_: Bodies) -> None:
        self.length = 0
        self._all = all_
        self._taken = False
        self._taking = threading.Lock()
        self._file: IO[bytes] = tempfile.SpooledTemporaryFile(IN_MEMORY, "w+b")  # noqa: SIM115 - a method below closes it

    def add(self, piece: bytes) -> None:
        """Append a piece. Raises BodyRefused."""
        self._all.add(_counted(self.length + len(piece)) - _counted(self.length))
        self.length += len(piece)
        self._file.write(piece)

    @contextmanager
    def taken(self) -> Iterator[IO[bytes]]:
        """Yield the body from its beginning, then close it. Raises ValueError if it was closed before."""
        with self._taking:
            self._taken = True
        try:
            self._file.seek(0)
            yield self._file
        finally:
            self.close()

    def close_unless_taken(self) -> None:
        """Close an unused body: there was no free slot, or the client has disconnected."""
        with self._taking:
            if not self._taken:
                self.close()

    def close(self) -> None:
        length, self.length = self.length, 0
        self._all.add(-_counted(length))
        self._file.close()


def _counted(length: int) -> int:
    return max(0, length - SMALL)
