"""One request through our own handler: read as far as it may be long, answered from a line, given up where
nobody listens any more. What it is for, with real processes, stands in tests/attack.
"""

import asyncio
from typing import Any

import pytest

from deploy import answering
from deploy.answering import Handler
from deploy.lanes import Full, Lane, Lanes

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
    asked = await Asked("/healthz").of(Handler())
    assert (asked.status, asked.body) == (200, b"ok\n")
    assert [message.get("more_body", False) for message in asked.came[1:]][-1] is False


async def test_a_file_comes_in_pieces_and_whole() -> None:
    asked = await Asked("/static/puur/base.js").of(Handler())
    told = dict(asked.came[0]["headers"])
    assert asked.status == 200
    assert len(asked.body) == int(told[b"Content-Length"]) > 0


async def test_a_body_that_says_it_is_too_long_is_not_read() -> None:
    asked = Asked("/sign-in/", b"a" * 10, method="POST", length=answering.LARGEST_BODY + 1)
    assert (await asked.of(Handler())).status == 413
    assert dict(asked.came[0]["headers"])[b"Connection"] == b"close"


async def test_a_body_is_read_no_further_than_it_may_be_long() -> None:
    asked = Asked("/sign-in/", *[b"a" * answering.MEGABYTE] * 4, method="POST")
    assert (await asked.of(Handler())).status == 413
    assert len(asked._said) >= 2, "the rest was left where it was"


async def test_who_is_turned_away_may_ask_in_any_bytes() -> None:
    asked = Asked("/sign-in/", b"a", method="POST", length=answering.LARGEST_BODY + 1)
    asked.scope["query_string"] = b"next=\xff\xfe"
    assert (await asked.of(Handler())).status == 413


async def test_a_body_that_does_not_come_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answering, "BODY_SECONDS", 0.01)
    asked = Asked("/sign-in/", b"a", b"b", method="POST")
    asked._said.pop()
    assert (await asked.of(Handler())).status == 408


async def test_who_leaves_in_the_middle_of_his_body_gets_no_answer() -> None:
    asked = Asked("/sign-in/", b"a", b"b", method="POST")
    asked._said.pop()
    asked.stays = False
    assert (await asked.of(Handler())).came == []


async def test_who_finds_the_line_full_is_told_when_to_come_again() -> None:
    class Taken(Lane):
        async def run(self, *_: Any, **__: Any) -> Any:
            raise Full

    class AllTaken(Lanes):
        def of(self, *_: Any, **__: Any) -> Lane:
            return Taken("test", threads=1, waiting=0, seconds=1)

    handler = Handler()
    handler._lanes = AllTaken()
    asked = await Asked("/api/v1/games/").of(handler)
    assert asked.status == 503
    assert int(dict(asked.came[0]["headers"])[b"Retry-After"]) > 0
    assert b"http/try_again" in asked.body


async def test_a_stranger_may_send_no_file() -> None:
    piece = b"a" * (answering.MEGABYTE + 1)
    for cookie, status in (("", 413), ("sessionid=x", 403)):  # 403: without a token against forgery
        asked = Asked("/c/x/entries/import/", piece, method="POST", cookie=cookie)
        assert (await asked.of(Handler())).status == status


async def test_all_bodies_together_are_bounded_and_make_room_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answering, "ALL_BODIES", 100)
    handler = Handler()
    first = Asked("/sign-in/", b"a" * 60, b"a", method="POST")
    first._said.pop()
    held = asyncio.create_task(first.of(handler))
    while first._said:
        await asyncio.sleep(0)
    second = await Asked("/sign-in/", b"a" * 60, method="POST").of(handler)
    assert second.status == 503
    held.cancel()
    with pytest.raises(asyncio.CancelledError):
        await held
    for _ in range(3):
        assert (await Asked("/sign-in/", b"a" * 60, method="POST").of(handler)).status == 403
