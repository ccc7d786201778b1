"""Django behind a waiting line: one hop into a thread for a request, and the database given back before the
answer goes out, because who reads slowly may take as long as he likes for that.

Django's own handler takes a thread for each request, as many as there are, and goes in and out of it several
times.
"""

import asyncio
import tempfile
import threading
from collections.abc import AsyncIterator, Iterator, MutableMapping
from contextlib import contextmanager
from time import perf_counter
from typing import IO, Any, Final, cast

from django.conf import settings
from django.core import signals
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.http import FileResponse, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.urls import set_script_prefix

from deploy import turning_away
from deploy.lanes import Full, Lane, Lanes
from games import counting

Scope = MutableMapping[str, Any]
MEGABYTE: Final = 1024 * 1024
LARGEST_BODY: Final = 1 * MEGABYTE
LARGEST_UPLOAD: Final = 6 * MEGABYTE
UPLOADS: Final = ("/entries/import/",)
"""Ends of the paths that take files; a file of entries may have 5 MiB."""
ALL_BODIES: Final = 128 * MEGABYTE
"""Of those that one process has read, or reads, and has not answered: each is small, and so are all."""
BODY_SECONDS: Final = 60
"""How long a body may take to arrive; ten times what a phone at the edge of the network needs."""
IN_MEMORY: Final = 64 * 1024
PIECE: Final = 256 * 1024


class BodyRefused(Exception):
    """A body that is too large or comes too slowly; `code` says which."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Handler(ASGIHandler):
    """Django's application for HTTP."""

    def __init__(self) -> None:
        super().__init__()
        self._lanes: Lanes | None = None  # made in the loop
        self._bodies = Bodies()

    def load_middleware(self, is_async: bool = False) -> None:
        """All of it runs in the thread of the request."""
        super().load_middleware(is_async=False)

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        self._lanes = self._lanes or Lanes()
        lane = self._lanes.of(scope["method"], scope["path"])
        body = Body(self._bodies)
        try:
            await _read(body, scope, receive)
        except RequestAborted:
            body.close()
            return
        except asyncio.CancelledError:
            body.close()
            raise
        except BodyRefused as refused:
            body.close()
            answer = turning_away.to(scope, refused.code)
            answer["Connection"] = "close"  # else the rest of it would be read
            counting.turned_away.add(lane.name, refused.code)
            await self.send_response(answer, send)
            return
        begun = perf_counter()
        work = asyncio.ensure_future(lane.run(self._respond, scope, body))
        gone = asyncio.ensure_future(receive())  # nothing comes any more but that he has gone
        try:
            await asyncio.wait({work, gone}, return_when=asyncio.FIRST_COMPLETED)
            if work.done():
                response = _of(work, scope)
                _count(lane, response, perf_counter() - begun)
                await self._send(response, send)
        finally:
            for task in (work, gone):
                task.cancel()
            await asyncio.wait({work, gone})
            body.close_unless_taken()

    def _respond(self, scope: Scope, brought: "Body") -> HttpResponseBase:
        """In the thread: from the request to the answer. Only one that is sent in pieces stays open."""
        with brought.taken() as body:
            set_script_prefix(get_script_prefix(scope))
            signals.request_started.send(sender=self.__class__, scope=scope)
            request, refusal = self.create_request(scope, body)
            response: HttpResponseBase = (
                self.get_response(request) if request else cast(HttpResponse, refusal)
            )
            response._handler_class = self.__class__  # type: ignore[attr-defined] # as Django's own does
            if response.streaming:
                signals.request_finished.send(sender=self.__class__)
            else:
                response.close()
            return response

    async def _send(self, response: HttpResponseBase, send: Any) -> None:
        if not isinstance(response, StreamingHttpResponse):
            await self.send_response(response, send)
            return
        try:
            if isinstance(response, FileResponse):
                response.block_size = PIECE
            if not response.is_async:
                response.streaming_content = _in_thread(iter(response))
            await self.send_response(response, send)
        finally:
            await asyncio.to_thread(response.close)


def _of(work: "asyncio.Future[HttpResponseBase]", scope: Scope) -> HttpResponseBase:
    try:
        return work.result()
    except Full:
        return turning_away.to(scope, turning_away.TRY_AGAIN)


def _count(lane: Lane, response: HttpResponseBase, seconds: float) -> None:
    counting.requests.add(seconds, lane.name, f"{response.status_code // 100}xx")
    if isinstance(response, turning_away.TurnedAway):
        counting.turned_away.add(lane.name, response.code)


async def _in_thread(pieces: Iterator[bytes]) -> AsyncIterator[bytes]:
    while (piece := await asyncio.to_thread(next, pieces, None)) is not None:
        yield piece


async def _read(body: "Body", scope: Scope, receive: Any) -> None:
    """Fill it. Raises RequestAborted, BodyRefused."""
    headers = dict(scope["headers"])
    known = f"{settings.SESSION_COOKIE_NAME}=".encode() in headers.get(b"cookie", b"")
    most = LARGEST_UPLOAD if known and scope["path"].endswith(UPLOADS) else LARGEST_BODY
    told = headers.get(b"content-length", b"")
    if told.isdigit() and (len(told) > 15 or int(told) > most):
        raise BodyRefused(turning_away.TOO_LARGE)
    try:
        async with asyncio.timeout(BODY_SECONDS):
            await _receive_into(body, receive, most)
    except TimeoutError:
        raise BodyRefused(turning_away.TOO_SLOW) from None


async def _receive_into(body: "Body", receive: Any, most: int) -> None:
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise RequestAborted
        piece = message.get("body", b"")
        if body.length + len(piece) > most:
            raise BodyRefused(turning_away.TOO_LARGE)
        body.add(piece)
        more = message.get("more_body", False)


class Bodies:
    """How many bytes of bodies lie in this process."""

    def __init__(self) -> None:
        self._length = 0
        self._counting = threading.Lock()

    def add(self, length: int) -> None:
        """So many more, or fewer. Raises BodyRefused where they are too many."""
        with self._counting:
            if length > 0 and self._length + length > ALL_BODIES:
                raise BodyRefused(turning_away.TRY_AGAIN)
            self._length += length


class Body:
    """What a request brings along. It is closed by the thread that has taken it, else by whoever read it."""

    def __init__(self, all_: Bodies) -> None:
        self.length = 0
        self._all = all_
        self._taken = False
        self._taking = threading.Lock()
        self._file: IO[bytes] = tempfile.SpooledTemporaryFile(IN_MEMORY, "w+b")  # noqa: SIM115 - closed below

    def add(self, piece: bytes) -> None:
        """Raises BodyRefused."""
        self._all.add(len(piece))
        self.length += len(piece)
        self._file.write(piece)

    @contextmanager
    def taken(self) -> Iterator[IO[bytes]]:
        """Read from its beginning, then closed. Raises ValueError where it was closed before."""
        with self._taking:
            self._taken = True
        try:
            self._file.seek(0)
            yield self._file
        finally:
            self.close()

    def close_unless_taken(self) -> None:
        """Nobody will read it any more: there was no place, or whoever asked has left."""
        with self._taking:
            if not self._taken:
                self.close()

    def close(self) -> None:
        length, self.length = self.length, 0
        self._all.add(-length)
        self._file.close()
