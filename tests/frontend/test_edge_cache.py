"""Responses before Django: only Django's own responses to the same request while nothing has changed;
signed-in people get only 304.
"""

import asyncio
import threading
from typing import Any

import pytest
from django.db import DatabaseError

from frontend import edge_cache
from frontend.edge_cache import SHARED, EdgeCache
from tournaments.services import cache_versions
from tournaments.services.cache_versions import CacheVersion

NOW = CacheVersion(7, True, "frame", "people", "tables", "results")
LATER = NOW._replace(tables="others")
ETAG = b'W/"one"'


class Django:
    """Counts what gets to it."""

    def __init__(self, whose: str = "all", **more: bytes) -> None:
        self.asked = 0
        word = f"7 {whose} {NOW.marks('frame', 'tables')} frame tables".encode()
        self.headers = [(b"ETag", ETAG), (b"X-Puur-Shared", word)]
        self.body = b"tiles"
        self.headers += [(name.replace("_", "-").encode(), value) for name, value in more.items()]

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.asked += 1
        await send({"type": "http.response.start", "status": 200, "headers": self.headers})
        pieces = [self.body[at : at + 2**16] for at in range(0, len(self.body), 2**16)]
        for number, piece in enumerate(pieces, 1):
            await send({"type": "http.response.body", "body": piece, "more_body": number < len(pieces)})


@pytest.fixture(autouse=True)
def there(monkeypatch: pytest.MonkeyPatch) -> list[CacheVersion | None]:
    """What there is to see: the last of these."""
    versions: list[CacheVersion | None] = [NOW]
    monkeypatch.setattr(cache_versions, "peek_cache_version", lambda championship: (True, versions[-1]))
    return versions


def asked(
    app: EdgeCache, *headers: tuple[bytes, bytes], path: str = "/c/a/", query: bytes = b""
) -> tuple[int, dict[bytes, bytes], bytes]:
    said: list[Any] = []

    async def send(message: Any) -> None:
        said.append(message)

    given = [(b"host", b"puur"), (b"hx-request", b"true"), *headers]
    scope = {
        "type": "http", "method": "GET", "scheme": "http", "path": path, "query_string": query,
        "headers": given,
    }  # fmt: skip
    asyncio.run(app(scope, None, send))
    return said[0]["status"], dict(said[0]["headers"]), b"".join(m["body"] for m in said[1:])


def signed_in(name: str) -> tuple[bytes, bytes]:
    return b"cookie", f"csrftoken=x; sessionid={name}".encode()


NONE_MATCH = (b"if-none-match", ETAG)


def test_the_next_one_is_answered_without_django() -> None:
    django = Django()
    app = EdgeCache(django)

    first, second, third = asked(app), asked(app), asked(app, NONE_MATCH)

    assert (first[0], first[2]) == (second[0], second[2]) == (200, b"tiles")
    assert (third[0], third[2]) == (304, b"")
    assert django.asked == 1
    assert not any(name.lower() == SHARED for said in (first, second, third) for name in said[1])


class Clock:
    """What `early` takes for the time."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 100.0
        monkeypatch.setattr(edge_cache, "monotonic", lambda: self.now)


class Tonight(Django):
    """What is on, of no single championship."""

    def __init__(self, whose: str = "all") -> None:
        super().__init__()
        self.headers = [
            (b"ETag", ETAG),
            (b"content-type", b"text/html"),
            (b"X-Puur-Shared", f"- {whose} one".encode()),
        ]
        self.not_modified = False

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if not self.not_modified:
            await super().__call__(scope, receive, send)
            return
        self.asked += 1
        rest = [(name, value) for name, value in self.headers if name != b"content-type"]
        await send({"type": "http.response.start", "status": 304, "headers": rest})
        await send({"type": "http.response.body", "body": b""})


def test_what_is_of_no_single_championship_is_told_again_for_a_moment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock, django = Clock(monkeypatch), Tonight()
    app = EdgeCache(django)
    asked(app)
    clock.now += 0.9 * edge_cache.PUBLIC_LIFETIME_SECONDS

    again, quiet = asked(app), asked(app, NONE_MATCH)
    clock.now += 0.2 * edge_cache.PUBLIC_LIFETIME_SECONDS
    asked(app, NONE_MATCH)

    assert (again[0], again[2]) == (200, b"tiles")
    assert (quiet[0], quiet[2]) == (304, b"")
    assert django.asked == 2
    assert not any(name.lower() == SHARED for said in (again, quiet) for name in said[1])


def test_a_moment_begins_when_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)

    class Slow(Tonight):
        async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
            clock.now += edge_cache.PUBLIC_LIFETIME_SECONDS
            await super().__call__(scope, receive, send)

    django = Slow()
    app = EdgeCache(django)
    asked(app)
    asked(app)

    assert django.asked == 2


def test_whoever_has_it_renews_it_for_those_who_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, django = Clock(monkeypatch), Tonight()
    app = EdgeCache(django)
    asked(app)
    clock.now += 1.1 * edge_cache.PUBLIC_LIFETIME_SECONDS
    django.not_modified = True
    asked(app, NONE_MATCH)
    clock.now += 0.9 * edge_cache.PUBLIC_LIFETIME_SECONDS

    status, headers, body = asked(app)

    assert (status, headers[b"content-type"], body) == (200, b"text/html", b"tiles")
    assert django.asked == 2


def test_a_session_is_told_at_most_that_nothing_is_new_tonight(monkeypatch: pytest.MonkeyPatch) -> None:
    Clock(monkeypatch)
    django = Tonight()
    app = EdgeCache(django)
    asked(app, signed_in("anna"))

    assert asked(app, signed_in("anna"), NONE_MATCH)[0] == 304
    assert django.asked == 1
    asked(app, signed_in("anna"))
    asked(app)
    assert django.asked == 3


def test_whatever_changes_goes_to_django(there: list[CacheVersion | None]) -> None:
    django = Django()
    app = EdgeCache(django)
    asked(app)

    there.append(LATER)
    asked(app, NONE_MATCH)
    there.append(None)
    asked(app, NONE_MATCH)

    assert django.asked == 3


def test_what_an_answer_does_not_depend_on_changes_nothing(there: list[CacheVersion | None]) -> None:
    django = Django()
    app = EdgeCache(django)
    asked(app)
    there.append(NOW._replace(people="others", results="others"))

    asked(app)

    assert django.asked == 1


@pytest.mark.parametrize("whose", ["all", "one"])
def test_what_somebody_signed_in_saw_is_told_to_nobody_else(whose: str) -> None:
    django = Django(whose)
    app = EdgeCache(django)
    asked(app, signed_in("anna"))

    assert asked(app, signed_in("anna"), NONE_MATCH)[0] == 304
    assert django.asked == 1
    for others in ((), (signed_in("beat"),), (signed_in("anna"),)):
        before = django.asked
        asked(app, *others)
        assert django.asked == before + 1, others
        if others == ():
            app = EdgeCache(django)
            asked(app, signed_in("anna"))


def test_somebody_signed_in_is_asked_again_who_he_is(monkeypatch: pytest.MonkeyPatch) -> None:
    django = Django("one")
    app = EdgeCache(django)
    asked(app, signed_in("anna"))
    monkeypatch.setattr("frontend.edge_cache.ENTRY_LIFETIME_SECONDS", -1)

    asked(app, signed_in("anna"), NONE_MATCH)

    assert django.asked == 2


@pytest.mark.parametrize(
    "other",
    [
        (b"accept-language", b"de"),
        (b"cookie", b"django_language=de"),
        (b"x-forwarded-proto", b"https"),
        signed_in("anna"),
    ],
)
def test_another_question_is_another_answer(other: tuple[bytes, bytes]) -> None:
    django = Django()
    app = EdgeCache(django)
    asked(app)

    asked(app, other)
    asked(app, path="/c/b/")

    assert django.asked == 3


def test_an_answer_that_sets_a_cookie_is_nobody_elses() -> None:
    django = Django(set_cookie=b"a=b")
    app = EdgeCache(django)

    asked(app)
    asked(app)

    assert django.asked == 2


def test_a_page_goes_to_django() -> None:
    django = Django()
    app = EdgeCache(django)
    asked(app)
    said: list[Any] = []

    async def send(message: Any) -> None:
        said.append(message)

    scope = {
        "type": "http", "method": "GET", "scheme": "http", "path": "/c/a/", "query_string": b"",
        "headers": [(b"host", b"puur")],
    }  # fmt: skip
    asyncio.run(app(scope, None, send))

    assert django.asked == 2
    assert not any(name.lower() == SHARED for name, _ in said[0]["headers"])


def test_where_the_database_fails_django_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    def away(championship: int) -> CacheVersion:
        raise DatabaseError("away")

    django = Django()
    app = EdgeCache(django)
    asked(app)
    monkeypatch.setattr(cache_versions, "peek_cache_version", lambda championship: (False, None))
    monkeypatch.setattr(cache_versions, "load_cache_version", away)

    assert asked(app)[0] == 200
    assert asked(app, NONE_MATCH)[0] == 200
    assert django.asked == 3


def test_where_the_database_hangs_django_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    goes_on, waited = threading.Event(), []

    def hangs(championship: int) -> CacheVersion:
        waited.append(goes_on.wait(20))
        return NOW

    class Asked(Django):
        async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
            await super().__call__(scope, receive, send)
            if self.asked > 1:
                assert not waited, "the database was waited for"
                goes_on.set()

    django = Asked()
    app = EdgeCache(django)
    asked(app)
    monkeypatch.setattr(cache_versions, "peek_cache_version", lambda championship: (False, None))
    monkeypatch.setattr(cache_versions, "load_cache_version", hangs)
    monkeypatch.setattr(edge_cache, "LOAD_TIMEOUT_SECONDS", 0.01)

    try:
        assert asked(app)[0] == 200
    finally:
        goes_on.set()
    assert django.asked == 2


@pytest.mark.parametrize("before", [b"path=1", b"foo", b"a b=1"])
def test_cookies_are_read_as_django_reads_them(before: bytes) -> None:
    django = Django()
    app = EdgeCache(django)
    asked(app, (b"cookie", before + b"; django_language=de"))
    asked(app, (b"cookie", before + b"; sessionid=anna"))

    asked(app)
    assert django.asked == 3


@pytest.mark.parametrize("size", [2**16 + 1, 3 * 2**16])
def test_a_body_in_pieces_is_told_again_whole(size: int) -> None:
    django = Django()
    django.body = bytes(size)
    app = EdgeCache(django)

    assert asked(app)[2] == asked(app)[2] == bytes(size)
    assert django.asked == 1


def test_one_that_is_too_large_is_not_kept_but_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edge_cache, "LARGEST", 2**16)
    django = Django()
    django.body = bytes(2**17)
    app = EdgeCache(django)
    asked(app)

    assert asked(app, NONE_MATCH)[0] == 304
    assert len(asked(app)[2]) == 2**17
    assert django.asked == 2


def test_whoever_asks_for_much_takes_nothing_from_those_who_look(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edge_cache, "MAX_BYTES", 10_000)
    django = Django()
    django.body = bytes(1000)
    app = EdgeCache(django)
    asked(app)
    for number in range(50):
        asked(app, query=b"x=%d" % number)
        asked(app)

    assert django.asked == 51
    assert sum(len(answer.body or b"") for answer in app._responses.values()) <= 10_000
    assert app._bytes == sum(answer.size for answer in app._responses.values())


def test_an_endless_address_is_not_kept() -> None:
    django = Django()
    app = EdgeCache(django)
    answers = [asked(app, query=b"x" * 2000) for _ in range(2)]

    assert django.asked == 2
    assert not any(name.lower() == SHARED for said in answers for name in said[1])


def test_what_is_not_public_is_told_to_nobody(there: list[CacheVersion | None]) -> None:
    django = Django()
    app = EdgeCache(django)
    asked(app)
    there.append(NOW._replace(public=False))

    asked(app)

    assert django.asked == 2
