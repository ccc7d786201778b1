"""An ASGI cache in front of Django for polled parts. It responds with 304, or repeats a part that is the same
for everybody. It repeats only what Django itself has returned for the same request, and only while the cache
version of that response is current; a response without a cache version is repeated for
PUBLIC_LIFETIME_SECONDS.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, MutableMapping
from functools import lru_cache
from time import monotonic, perf_counter
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.http import HttpRequest, parse_cookie
from django.utils.translation import get_language_from_request

from frontend.loop_executor import LoopExecutor
from games.monitoring import counters
from tournaments.services import cache_versions
from tournaments.services.cache_versions import CacheVersion

Message = MutableMapping[str, Any]
Application = Callable[..., Awaitable[Any]]
Headers = list[tuple[bytes, bytes]]
SHARED: Final = b"x-puur-shared"
WITH_304: Final = frozenset({b"cache-control", b"content-location", b"etag", b"expires", b"vary"})
"""Headers that a 304 response contains (RFC 9110, 15.4.5)."""
NO_SINGLE_ONE: Final = "-"
"""Mark of a response that belongs to no single championship."""
LANE: Final = "early"
"""Name of this cache's responses in metrics, beside the names of Django's lanes."""
ASKED_BY: Final = (b"host", b"x-forwarded-proto")
MAX_ENTRIES: Final = 4000
"""Largest number of cached responses in a process."""
MAX_BYTES: Final = 32 * 1024 * 1024
"""Largest size of all cached responses together, in bytes."""
LARGEST: Final = 256 * 1024
MAX_KEY_LENGTH: Final = 1024
"""Largest length of a key in characters, and of headers whose parsing is cached in bytes."""
LOAD_TIMEOUT_SECONDS: Final = 1.0
"""Seconds to wait for the newest cache version; afterwards Django answers the request."""
MAX_CONCURRENT_LOADS: Final = 50
"""Largest number of concurrent reads of cache versions."""
ENTRY_LIFETIME_SECONDS: Final = 30
"""Seconds for which a session gets 304 before Django authorises it again."""
PUBLIC_LIFETIME_SECONDS: Final = cache_versions.CACHE_SECONDS
"""Seconds for which public responses that belong to no single championship are cached: as long as a cache
version.
"""


class _CachedResponse(NamedTuple):
    """A cached response. `championship`: None for a response that belongs to no single championship and
    therefore has no cache version. `of`, `mark`: the parts of the cache version on which it depends, and
    their mark. `brief`: the headers of a 304. `body`: of public responses. `at`: time of the request.
    """

    championship: int | None
    of: tuple[str, ...]
    mark: str
    etag: bytes
    headers: Headers
    brief: Headers
    body: bytes | None
    at: float

    @property
    def size(self) -> int:
        return len(self.body or b"") + sum(len(name) + len(value) for name, value in self.headers)


class EdgeCache:
    """The ASGI application that wraps Django's."""

    def __init__(self, application: Application) -> None:
        self._application = application
        self._responses: OrderedDict[tuple[object, ...], _CachedResponse] = OrderedDict()
        self._bytes = 0
        self._loads: dict[int, tuple[float, asyncio.Task[CacheVersion | None]]] = {}
        self._executor = LoopExecutor("cache versions", threads=1)

    async def __call__(self, scope: Message, receive: Any, send: Any) -> None:
        headers: Headers = scope.get("headers", [])
        if scope["type"] != "http" or scope["method"] != "GET" or (b"hx-request", b"true") not in headers:
            await self._application(scope, receive, _strip_cache_header(send))
            return
        begun = perf_counter()
        session, key = _cache_key(scope, headers)
        if len(repr(key)) > MAX_KEY_LENGTH:
            await self._application(scope, receive, _strip_cache_header(send))
            return
        answer = self._responses.get(key)
        known = _header_values(headers, b"if-none-match")
        public = await self._check_fresh(answer, session) if answer is not None else None
        if answer is not None and public is not None:
            if key in self._responses:
                self._responses.move_to_end(key)
            if any(answer.etag in value.split(b", ") for value in known):
                counters.requests.add(perf_counter() - begun, LANE, "3xx")
                await _send_response(send, 304, answer.brief)
                return
            if answer.body is not None and public:
                length = (b"content-length", str(len(answer.body)).encode())
                counters.requests.add(perf_counter() - begun, LANE, "2xx")
                await _send_response(send, 200, [*answer.headers, length], answer.body)
                return
        await self._application(scope, receive, self._storing_send(key, session, send))

    async def _check_fresh(self, answer: _CachedResponse, session: str) -> bool | None:
        """Return whether a cached response is public; None if it may be stale."""
        age = monotonic() - answer.at
        if answer.championship is None:
            return True if age < PUBLIC_LIFETIME_SECONDS else None
        if session and age > ENTRY_LIFETIME_SECONDS:
            return None
        cache_version = await self._newest_cache_version(answer.championship)
        return (
            cache_version.public
            if cache_version is not None and cache_version.marks(*answer.of) == answer.mark
            else None
        )

    async def _newest_cache_version(self, championship: int) -> CacheVersion | None:
        """Return the newest cache version of a championship; None if it cannot be read."""
        there, cache_version = cache_versions.peek_cache_version(championship)
        return cache_version if there else await self._load_cache_version(championship)

    async def _load_cache_version(self, championship: int) -> CacheVersion | None:
        """Read the cache version once for all requests that wait for it; None if the database does not
        answer.
        """
        loop = asyncio.get_running_loop()
        if championship not in self._loads:
            if len(self._loads) >= MAX_CONCURRENT_LOADS:
                return None
            task = loop.create_task(self._executor.run(cache_versions.load_cache_version, championship))
            self._loads[championship] = loop.time(), task
            task.add_done_callback(lambda task: self._forget_load(championship, task))
        began, task = self._loads[championship]
        try:
            async with asyncio.timeout_at(began + LOAD_TIMEOUT_SECONDS):
                return await asyncio.shield(task)
        except Exception:
            return None

    def _forget_load(self, championship: int, task: asyncio.Task[CacheVersion | None]) -> None:
        self._loads.pop(championship, None)
        if not task.cancelled():
            task.exception()  # Retrieve the exception, because all waiting requests may have timed out.

    def _storing_send(self, key: tuple[object, ...], session: str, send: Any) -> Any:
        """Wrap `send` so that responses which Django marks as cacheable are stored."""
        head: list[tuple[Headers, bytes]] = []
        asked_at = monotonic()
        pieces: list[bytes] | None = None

        async def passing(message: Message) -> None:
            nonlocal pieces
            if message["type"] == "http.response.start":
                headers: Headers = list(message["headers"])
                directives = _header_values(headers, SHARED)
                rest = [(name, value) for name, value in headers if name.lower() != SHARED]
                if (
                    directives
                    and message["status"] in (200, 304)
                    and not _header_values(headers, b"set-cookie")
                ):
                    head.append((rest, directives[0]))
                    pieces = [] if message["status"] == 200 else None
                message = {**message, "headers": rest}
            elif head:
                if pieces is not None:
                    pieces.append(message.get("body", b""))
                    if sum(map(len, pieces)) > LARGEST:
                        pieces = None
                if not message.get("more_body"):
                    body = None if pieces is None else b"".join(pieces)
                    self._store(key, session, asked_at, *head[0], body)
            await send(message)

        return passing

    def _store(
        self,
        key: tuple[object, ...],
        session: str,
        asked_at: float,
        headers: Headers,
        directive: bytes,
        body: bytes | None,
    ) -> None:
        championship, whose, mark, *of = directive.decode().split()
        etag = _header_values(headers, b"etag")
        if not etag:
            return
        everybody = whose == "all" and not session
        known = self._responses.get(key)
        if body is None and known is not None and known.mark == mark and known.body is not None:
            self._responses[key] = known._replace(at=asked_at)
            return
        rest = [(name, value) for name, value in headers if name.lower() != b"content-length"]
        self._evict(key)
        self._responses[key] = _CachedResponse(
            None if championship == NO_SINGLE_ONE else int(championship),
            tuple(of),
            mark,
            etag[0],
            rest,
            [(name, value) for name, value in rest if name.lower() in WITH_304],
            body if everybody else None,
            asked_at,
        )
        self._bytes += self._responses[key].size
        while len(self._responses) > MAX_ENTRIES or self._bytes > MAX_BYTES:
            self._evict(next(iter(self._responses)))

    def _evict(self, key: tuple[object, ...]) -> None:
        answer = self._responses.pop(key, None)
        if answer is not None:
            self._bytes -= answer.size


def _cache_key(scope: Message, headers: Headers) -> tuple[str, tuple[object, ...]]:
    """Return the session, and the key of everything else on which a response depends, parsed as Django
    does.
    """
    cookies, languages = (
        tuple(_header_values(headers, b"cookie")),
        tuple(_header_values(headers, b"accept-language")),
    )
    session, language = _parse_session_and_language(cookies, languages)
    by = [tuple(_header_values(headers, name)) for name in ASKED_BY]
    return session, (scope["scheme"], scope["path"], scope["query_string"], session, language, *by)


def _parse_session_and_language(cookies: tuple[bytes, ...], languages: tuple[bytes, ...]) -> tuple[str, str]:
    """Return the session key, and the language of the response."""
    small = sum(map(len, (*cookies, *languages))) <= MAX_KEY_LENGTH
    return (_parse_cached if small else _parse_cached.__wrapped__)(cookies, languages)


@lru_cache(maxsize=MAX_ENTRIES)
def _parse_cached(cookies: tuple[bytes, ...], languages: tuple[bytes, ...]) -> tuple[str, str]:
    """Return the session key and the language, from a cache of parsed headers. The same phones send the same
    headers, and Django's parsing takes half the time of a response.
    """
    request = HttpRequest()
    request.COOKIES = parse_cookie("; ".join(line.decode("latin-1") for line in cookies))
    request.META["HTTP_ACCEPT_LANGUAGE"] = ",".join(line.decode("latin-1") for line in languages)
    session = request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")
    return session, get_language_from_request(request)


def _header_values(headers: Headers, name: bytes) -> list[bytes]:
    return [value for key, value in headers if key.lower() == name]


def _strip_cache_header(send: Any) -> Any:
    """Wrap `send` so that the internal header is removed."""

    async def passing(message: Message) -> None:
        if message["type"] == "http.response.start":
            rest = [(name, value) for name, value in message["headers"] if name.lower() != SHARED]
            message = {**message, "headers": rest}
        await send(message)

    return passing


async def _send_response(send: Any, status: int, headers: Headers, body: bytes = b"") -> None:
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
