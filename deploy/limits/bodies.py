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
"""Path suffix of an upload → largest body in bytes. Its file may have 1 MiB less: 5 MiB for entries or a
logo, 20 for a photo, 32 for a championship.
"""
ALL_BODIES: Final = 256 * MEGABYTE
"""Largest size of the bodies of all unanswered requests in one process together, in bytes."""
SMALL: Final = 16 * 1024
"""Number of bytes of each body that do not count towards ALL_BODIES. If large bodies use ALL_BODIES up, the
small bodies of players still find room; only the number of connections limits small bodies.
"""
BODY_SECONDS: Final = 60
"""Seconds within which a body must arrive, ten times what a phone with a weak connection needs."""
IN_MEMORY: Final = 64 * 1024


class BodyRefused(Exception):
    """A body is too large, too slow, or finds no room beside other bodies; `code` says which."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


async def receive(body: "RequestBody", scope: Scope, receive: Any, *, known: bool) -> None:
    """Receive a body. `known`: the request has a session; without one the larger limits of UPLOADS do not
    apply. Raises RequestAborted if the client disconnects, and BodyRefused.
    """
    uploads = (max_bytes for end, max_bytes in UPLOADS.items() if known and scope["path"].endswith(end))
    max_bytes = next(uploads, LARGEST_BODY)
    content_length = dict(scope["headers"]).get(b"content-length", b"")
    if content_length.isdigit() and (len(content_length) > 15 or int(content_length) > max_bytes):
        raise BodyRefused(overload_responses.TOO_LARGE)
    try:
        async with asyncio.timeout(BODY_SECONDS):
            await _receive_into(body, receive, max_bytes)
    except TimeoutError:
        raise BodyRefused(overload_responses.TOO_SLOW) from None


async def _receive_into(body: "RequestBody", receive: Any, max_bytes: int) -> None:
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise RequestAborted
        piece = message.get("body", b"")
        if body.length + len(piece) > max_bytes:
            raise BodyRefused(overload_responses.TOO_LARGE)
        body.add(piece)
        more = message.get("more_body", False)


class Bodies:
    """The count of bytes of all bodies in this process."""

    def __init__(self) -> None:
        self._length = 0
        self._lock = threading.Lock()

    def add(self, length: int) -> None:
        """Add a number of bytes, which may be negative. Raises BodyRefused if the sum would exceed
        ALL_BODIES.
        """
        with self._lock:
            if length > 0 and self._length + length > ALL_BODIES:
                raise BodyRefused(overload_responses.TRY_AGAIN)
            self._length += length


class RequestBody:
    """The received body of a request. The thread that takes the body closes it; if no thread takes it, the
    coroutine that received it closes it.
    """

    def __init__(self, all_: Bodies) -> None:
        self.length = 0
        self._all = all_
        self._taken = False
        self._taking = threading.Lock()
        self._file: IO[bytes] = tempfile.SpooledTemporaryFile(IN_MEMORY, "w+b")  # noqa: SIM115 - a method below closes it

    def add(self, piece: bytes) -> None:
        """Append a piece. Raises BodyRefused if all bodies together become too large."""
        self._all.add(_count_bytes(self.length + len(piece)) - _count_bytes(self.length))
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
        """Close the body if no thread has taken it, because there was no free slot or the client has
        disconnected.
        """
        with self._taking:
            if not self._taken:
                self.close()

    def close(self) -> None:
        length, self.length = self.length, 0
        self._all.add(-_count_bytes(length))
        self._file.close()


def _count_bytes(length: int) -> int:
    return max(0, length - SMALL)
