"""Answers, before Django begins, what a page asks for again and again: that there is nothing new, or a part
that somebody else has just been given. Nobody gets here what he may not see: only what Django has answered to
the very same question is told again, as long as the edition is the one it was answered for.
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

from frontend.loop_executor import Aside
from games.monitoring import counting
from tournaments.services import cache_version as editions
from tournaments.services.cache_version import Edition

Message = MutableMapping[str, Any]
Application = Callable[..., Awaitable[Any]]
Headers = list[tuple[bytes, bytes]]
SHARED: Final = b"x-puur-shared"
WITH_304: Final = frozenset({b"cache-control", b"content-location", b"etag", b"expires", b"vary"})
"""What goes with 304 (RFC 9110, 15.4.5); whoever has the part has the rest with it."""
NO_SINGLE_ONE: Final = "-"
"""Instead of the number of a championship."""
LANE: Final = "early"
"""As these answers are counted, beside the lanes of those that Django gives."""
ASKED_BY: Final = (b"host", b"x-forwarded-proto")
MAX_ENTRIES: Final = 4000
"""Answers a process keeps in mind."""
MAX_BYTES: Final = 32 * 1024 * 1024
"""Of all answers together."""
LARGEST: Final = 256 * 1024
MAX_KEY_LENGTH: Final = 1024
"""Nobody who asks for what there is needs a longer address."""
ANSWER_TIMEOUT_SECONDS: Final = 1.0
"""Seconds for the question which edition is the newest; then Django answers, who knows what to say."""
MAX_ASKED: Final = 50
"""Championships asked for at the same time."""
ENTRY_LIFETIME_SECONDS: Final = 30
"""For so long somebody signed in is told that there is nothing new without being asked who he is again."""
MOMENT: Final = editions.CACHE_SECONDS
"""For so long what everybody sees of no one championship is told again: no longer than an edition is."""


class _Answer(NamedTuple):
    """`championship`: None for what is of no single one, and has no edition. `body`: only of what everybody
    sees; others are told no more than that they have the newest, with the `brief` headers. `at`: when it was
    asked for."""

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


class Early:
    """The ASGI application around Django's."""

    def __init__(self, application: Application) -> None:
        self._application = application
        self._answers: OrderedDict[tuple[object, ...], _Answer] = OrderedDict()
        self._bytes = 0
        self._asking: dict[int, tuple[float, asyncio.Task[Edition | None]]] = {}
        self._aside = Aside("editions", threads=1)

    async def __call__(self, scope: Message, receive: Any, send: Any) -> None:
        headers: Headers = scope.get("headers", [])
        if scope["type"] != "http" or scope["method"] != "GET" or (b"hx-request", b"true") not in headers:
            await self._application(scope, receive, _without_word(send))
            return
        begun = perf_counter()
        session, key = _key(scope, headers)
        if len(repr(key)) > MAX_KEY_LENGTH:
            await self._application(scope, receive, _without_word(send))
            return
        answer = self._answers.get(key)
        known = _values(headers, b"if-none-match")
        public = await self._holds(answer, session) if answer is not None else None
        if answer is not None and public is not None:
            if key in self._answers:
                self._answers.move_to_end(key)
            if any(answer.etag in value.split(b", ") for value in known):
                counting.requests.add(perf_counter() - begun, LANE, "3xx")
                await _say(send, 304, answer.brief)
                return
            if answer.body is not None and public:
                length = (b"content-length", str(len(answer.body)).encode())
                counting.requests.add(perf_counter() - begun, LANE, "2xx")
                await _say(send, 200, [*answer.headers, length], answer.body)
                return
        await self._application(scope, receive, self._remembering(key, session, send))

    async def _holds(self, answer: _Answer, session: str) -> bool | None:
        """Whether it is public, if it is still the answer; None: it may be another one by now."""
        age = monotonic() - answer.at
        if answer.championship is None:
            return True if age < MOMENT else None
        if session and age > ENTRY_LIFETIME_SECONDS:
            return None
        edition = await self._edition_of(answer.championship)
        return edition.public if edition is not None and edition.marks(*answer.of) == answer.mark else None

    async def _edition_of(self, championship: int) -> Edition | None:
        """The newest there is."""
        there, edition = editions.peek_edition(championship)
        return edition if there else await self._asked(championship)

    async def _asked(self, championship: int) -> Edition | None:
        """Asked once, however many wait for it. None also where the database gives no answer."""
        loop = asyncio.get_running_loop()
        if championship not in self._asking:
            if len(self._asking) >= MAX_ASKED:
                return None
            task = loop.create_task(self._aside.run(editions.load_edition, championship))
            self._asking[championship] = loop.time(), task
            task.add_done_callback(lambda task: self._has_asked(championship, task))
        began, task = self._asking[championship]
        try:
            async with asyncio.timeout_at(began + ANSWER_TIMEOUT_SECONDS):
                return await asyncio.shield(task)
        except Exception:
            return None

    def _has_asked(self, championship: int, task: asyncio.Task[Edition | None]) -> None:
        self._asking.pop(championship, None)
        if not task.cancelled():
            task.exception()  # taken, also where nobody waited so long

    def _remembering(self, key: tuple[object, ...], session: str, send: Any) -> Any:
        """Passes on what Django answers, and keeps what it says is shared."""
        kept: list[tuple[Headers, bytes]] = []
        asked_at = monotonic()
        pieces: list[bytes] | None = None

        async def passing(message: Message) -> None:
            nonlocal pieces
            if message["type"] == "http.response.start":
                headers: Headers = list(message["headers"])
                said = _values(headers, SHARED)
                rest = [(name, value) for name, value in headers if name.lower() != SHARED]
                if said and message["status"] in (200, 304) and not _values(headers, b"set-cookie"):
                    kept.append((rest, said[0]))
                    pieces = [] if message["status"] == 200 else None
                message = {**message, "headers": rest}
            elif kept:
                if pieces is not None:
                    pieces.append(message.get("body", b""))
                    if sum(map(len, pieces)) > LARGEST:
                        pieces = None
                if not message.get("more_body"):
                    body = None if pieces is None else b"".join(pieces)
                    self._keep(key, session, asked_at, *kept[0], body)
            await send(message)

        return passing

    def _keep(
        self,
        key: tuple[object, ...],
        session: str,
        asked_at: float,
        headers: Headers,
        said: bytes,
        body: bytes | None,
    ) -> None:
        championship, whose, mark, *of = said.decode().split()
        etag = _values(headers, b"etag")
        if not etag:
            return
        everybody = whose == "all" and not session
        known = self._answers.get(key)
        if body is None and known is not None and known.mark == mark and known.body is not None:
            self._answers[key] = known._replace(at=asked_at)
            return
        rest = [(name, value) for name, value in headers if name.lower() != b"content-length"]
        self._drop(key)
        self._answers[key] = _Answer(
            None if championship == NO_SINGLE_ONE else int(championship),
            tuple(of),
            mark,
            etag[0],
            rest,
            [(name, value) for name, value in rest if name.lower() in WITH_304],
            body if everybody else None,
            asked_at,
        )
        self._bytes += self._answers[key].size
        while len(self._answers) > MAX_ENTRIES or self._bytes > MAX_BYTES:
            self._drop(next(iter(self._answers)))

    def _drop(self, key: tuple[object, ...]) -> None:
        answer = self._answers.pop(key, None)
        if answer is not None:
            self._bytes -= answer.size


def _key(scope: Message, headers: Headers) -> tuple[str, tuple[object, ...]]:
    """The session, and everything that an answer can depend on, read as Django reads it."""
    cookies, languages = tuple(_values(headers, b"cookie")), tuple(_values(headers, b"accept-language"))
    session, language = _read(cookies, languages)
    by = [tuple(_values(headers, name)) for name in ASKED_BY]
    return session, (scope["scheme"], scope["path"], scope["query_string"], session, language, *by)


def _read(cookies: tuple[bytes, ...], languages: tuple[bytes, ...]) -> tuple[str, str]:
    """The session, and the language of the answer."""
    small = sum(map(len, (*cookies, *languages))) <= MAX_KEY_LENGTH
    return (_read_before if small else _read_before.__wrapped__)(cookies, languages)


@lru_cache(maxsize=MAX_ENTRIES)
def _read_before(cookies: tuple[bytes, ...], languages: tuple[bytes, ...]) -> tuple[str, str]:
    """The same phones say the same again and again, and Django's reading is half the work of an answer."""
    request = HttpRequest()
    request.COOKIES = parse_cookie("; ".join(line.decode("latin-1") for line in cookies))
    request.META["HTTP_ACCEPT_LANGUAGE"] = ",".join(line.decode("latin-1") for line in languages)
    session = request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")
    return session, get_language_from_request(request)


def _values(headers: Headers, name: bytes) -> list[bytes]:
    return [value for key, value in headers if key.lower() == name]


def _without_word(send: Any) -> Any:
    """What is for this module alone leaves with no answer."""

    async def passing(message: Message) -> None:
        if message["type"] == "http.response.start":
            rest = [(name, value) for name, value in message["headers"] if name.lower() != SHARED]
            message = {**message, "headers": rest}
        await send(message)

    return passing


async def _say(send: Any, status: int, headers: Headers, body: bytes = b"") -> None:
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
