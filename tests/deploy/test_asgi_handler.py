"""One request through our own handler: read as far as it may be long, answered from a line, given up where
nobody listens any more. What it is for, with real processes, stands in tests/attack.
"""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from django.http import StreamingHttpResponse

from deploy.asgi_handler import Handler
from deploy.limits import bodies
from deploy.limits.lanes import Lane, LaneFull, Lanes

Message = dict[str, Any]


class Asked:
    """One request, as a server brings it to an application, and all that comes back."""

    def __init__(
        self, path: str, *bodies: bytes, method: str = "GET", length: int | None = None, cookie: str = ""
    ) -> None:
        headers = [(b"host", b"127.0.0.1"), (b"cookie", cookie.encode())]
        if length is not None:
            headers.append((b"content-length", str(length).encode()))
        self.scope: Message = {
            "type": "http",
            "method": method,
            "path": path,
            "raw_path": path.encode(),
            "root_path": "",
            "query_string": b"",
            "headers": headers,
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 80),
            "scheme": "http",
            "http_version": "1.1",
        }
        pieces = bodies or (b"",)
        self._said: list[Message] = [
            {"type": "http.request", "body": piece, "more_body": at < len(pieces)}
            for at, piece in enumerate(pieces, 1)
        ]
        self.came: list[Message] = []
        self.stays = True

    async def receive(self) -> Message:
        if self._said:
            return self._said.pop(0)
        if self.stays:
            await asyncio.Event().wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        self.came.append(message)

    async def of(self, handler: Handler) -> "Asked":
        await asyncio.wait_for(handler(self.scope, self.receive, self.send), 60)
        return self

    @property
    def status(self) -> int:
        return int(self.came[0]["status"])

    @property
    def body(self) -> bytes:
        return b"".join(message.get("body", b"") for message in self.came[1:])


async def test_a_page_comes_whole_and_once() -> None:
    asked = await Asked("/sign-in/").of(Handler())
    assert asked.status == 200
    assert asked.body.rstrip().endswith(b"</html>")
    assert [message.get("more_body", False) for message in asked.came[1:]][-1] is False


@pytest.mark.parametrize(("method", "status"), [("GET", 200), ("HEAD", 200), ("POST", 405)])
async def test_a_process_whose_lines_are_all_full_says_that_it_lives(
    full: Handler, method: str, status: int
) -> None:
    asked = await Asked("/healthz", method=method).of(full)
    assert (asked.status, asked.body) == (status, b"ok\n" if status == 200 else b"")


async def test_an_answer_in_pieces_is_sent_as_they_come_and_closed_whatever_happens(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    closed: list[int] = []

    async def pieces() -> AsyncIterator[bytes]:
        yield b"one"
        await asyncio.sleep(0)
        yield b"two"

    def streamed(_: Any) -> StreamingHttpResponse:
        answer = StreamingHttpResponse(pieces())
        monkeypatch.setattr(answer, "close", lambda: closed.append(1))
        return answer

    handler = Handler()
    monkeypatch.setattr(handler, "get_response", streamed)
    asked = await Asked("/c/x/checkpoints/file/").of(handler)
    assert [message.get("body", b"") for message in asked.came[1:]] == [b"one", b"two", b""]
    assert closed == [1]

    async def gone(message: Message) -> None:
        raise OSError("the client has hung up")

    asked = Asked("/c/x/checkpoints/file/")
    monkeypatch.setattr(asked, "send", gone)
    with pytest.raises(OSError, match="hung up"):
        await asked.of(handler)
    assert closed == [1, 1]


async def test_a_file_comes_whole() -> None:
    asked = await Asked("/static/puur/base.js").of(Handler())
    told = dict(asked.came[0]["headers"])
    assert asked.status == 200
    assert len(asked.body) == int(told[b"Content-Length"]) > 0


async def test_a_body_that_says_it_is_too_long_is_not_read() -> None:
    asked = Asked("/sign-in/", b"a" * 10, method="POST", length=bodies.LARGEST_BODY + 1)
    assert (await asked.of(Handler())).status == 413
    assert dict(asked.came[0]["headers"])[b"Connection"] == b"close"


async def test_a_body_is_read_no_further_than_it_may_be_long() -> None:
    asked = Asked("/sign-in/", *[b"a" * bodies.MEGABYTE] * 4, method="POST")
    assert (await asked.of(Handler())).status == 413
    assert len(asked._said) >= 2, "the rest was left where it was"


async def test_who_is_turned_away_may_ask_in_any_bytes() -> None:
    asked = Asked("/sign-in/", b"a", method="POST", length=bodies.LARGEST_BODY + 1)
    asked.scope["query_string"] = b"next=\xff\xfe"
    assert (await asked.of(Handler())).status == 413


async def test_a_body_that_does_not_come_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "BODY_SECONDS", 0.01)
    asked = Asked("/sign-in/", b"a", b"b", method="POST")
    asked._said.pop()
    assert (await asked.of(Handler())).status == 408


async def test_who_leaves_in_the_middle_of_his_body_gets_no_answer() -> None:
    asked = Asked("/sign-in/", b"a", b"b", method="POST")
    asked._said.pop()
    asked.stays = False
    assert (await asked.of(Handler())).came == []


@pytest.fixture
def full() -> Handler:
    """No lane takes anything any more."""

    class Taken(Lane):
        async def run_for(self, *_: Any, **__: Any) -> Any:
            raise LaneFull

    class AllTaken(Lanes):
        def select_lane(self, *_: Any, **__: Any) -> Lane:
            return Taken("test", threads=1, waiting=0, seconds=1)

    handler = Handler()
    handler._lanes = AllTaken()
    return handler


async def test_who_finds_the_line_full_is_told_when_to_come_again(full: Handler) -> None:
    asked = await Asked("/api/v1/games/").of(full)
    assert asked.status == 503
    assert int(dict(asked.came[0]["headers"])[b"Retry-After"]) > 0
    assert b"http/try_again" in asked.body


async def test_the_lane_is_that_of_strangers_without_a_session(monkeypatch: pytest.MonkeyPatch) -> None:
    handler = Handler()
    handler._lanes = lanes = Lanes()
    found: list[str] = []
    select_lane = lanes.select_lane

    def noted(method: str, path: str, *, known: bool) -> Lane:
        found.append(select_lane(method, path, known=known).name)
        return select_lane(method, path, known=known)

    monkeypatch.setattr(lanes, "select_lane", noted)
    for cookie in ("", "sessionid=x"):
        await Asked(f"/g/{'0' * 32}/referee/", b"", method="POST", cookie=cookie).of(handler)
    assert found == ["viewers", "players"]


async def test_paper_is_made_by_turns_of_those_who_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    handler = Handler()
    handler._lanes = lanes = Lanes()
    who: list[str] = []

    async def run_for(name: str, *_: Any) -> Any:
        who.append(name)
        raise LaneFull

    monkeypatch.setattr(lanes.prints, "run_for", run_for)
    for cookie in ("sessionid=x; puur_device=1", "puur_device=2; sessionid=x", "sessionid=y", ""):
        await Asked("/c/x/prints/wall.png", cookie=cookie).of(handler)
    assert (who[0], who[0] == who[1], len(set(who[1:]))) == ("x", True, 3), "by session, else by address"


async def test_a_stranger_may_send_no_file() -> None:
    piece = b"a" * (bodies.MEGABYTE + 1)
    for cookie, status in (("", 413), ("sessionid=x", 403)):  # 403: without a token against forgery
        asked = Asked("/c/x/entries/import/", piece, method="POST", cookie=cookie)
        assert (await asked.of(Handler())).status == status


async def held(handler: Handler, *pieces: bytes) -> "asyncio.Task[Asked]":
    """One whose body has come, but for its end."""
    asked = Asked("/sign-in/", *pieces, b"a", method="POST")
    asked._said.pop()
    task = asyncio.create_task(asked.of(handler))
    while asked._said:
        await asyncio.sleep(0)
    return task


async def given_up(task: "asyncio.Task[Asked]") -> None:
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_all_bodies_together_are_bounded_and_make_room_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "ALL_BODIES", 100)
    monkeypatch.setattr(bodies, "SMALL", 10)
    handler = Handler()
    first = await held(handler, b"a" * 5, b"a" * 65)
    second = await Asked("/sign-in/", b"a" * 60, method="POST").of(handler)
    assert second.status == 503
    await given_up(first)
    for _ in range(3):
        assert (await Asked("/sign-in/", b"a" * 60, method="POST").of(handler)).status == 403
    assert handler._bodies._length == 0


async def test_small_bodies_find_room_where_large_ones_have_taken_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bodies, "ALL_BODIES", 100_000)
    handler = Handler()
    large = await held(handler, b"a" * (100_000 + bodies.SMALL))
    assert (await Asked("/sign-in/", b"a" * (bodies.SMALL + 1), method="POST").of(handler)).status == 503
    pieces = [b"a" * (bodies.SMALL // 4)] * 4
    assert (await Asked("/sign-in/", *pieces, method="POST").of(handler)).status == 403, "as far as the view"
    await given_up(large)
