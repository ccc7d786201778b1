"""The head of a request: with one Host, at most 16 KB and 100 lines."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState

from deploy.limits import connections
from deploy.limits.connections import BoundedHttp, Connections
from deploy.web import WholeFrames

HOST = b"Host: localhost\r\n"


@asynccontextmanager
async def server(seen: list[str]) -> AsyncIterator[int]:
    """The port of an application that reads a body and says ok."""

    async def application(scope: Any, receive: Any, send: Any) -> None:
        seen.append(scope["type"])
        message = await receive()
        while message.get("more_body"):
            message = await receive()
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"ok"})

    config = uvicorn.Config(application, ws=WholeFrames, lifespan="off", log_config=None)
    config.load()
    state = ServerState()
    listening = await asyncio.get_running_loop().create_server(
        lambda: BoundedHttp(config=config, server_state=state, app_state={}), "127.0.0.1", 0
    )
    async with listening:
        yield listening.sockets[0].getsockname()[1]


async def answered(port: int, sent: bytes) -> bytes:
    """What comes back until the connection ends."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(sent)
        return await asyncio.wait_for(reader.read(), 30)
    except ConnectionResetError:
        return b"reset"
    finally:
        writer.close()


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BoundedHttp, "current", Connections())


CLOSE = b"Connection: close\r\n"
UPGRADE = b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " + (
    b"dGhlIHNhbXBsZSBub25jZQ==\r\n"
)
WRONG = {
    "no host": (b"GET / HTTP/1.1\r\n" + CLOSE + b"\r\n", 400),
    "no host for a socket": (b"GET / HTTP/1.1\r\n" + UPGRADE + b"\r\n", 400),
    "two hosts": (b"GET / HTTP/1.1\r\n" + HOST + HOST + b"\r\n", 400),
    "two hosts as ever": (b"GET / HTTP/1.0\r\n" + HOST + HOST + b"\r\n", 400),
    "a hundred lines more": (b"GET / HTTP/1.1\r\n" + HOST + b"X: y\r\n" * 100 + b"\r\n", 431),
    "a thousand lines for a socket": (
        b"GET / HTTP/1.1\r\n" + HOST + b"X: y\r\n" * 1000 + UPGRADE + b"\r\n",
        431,
    ),
    "a long line": (b"GET / HTTP/1.1\r\n" + HOST + b"X: " + b"y" * 17_000 + b"\r\n\r\n", 431),
    "a line without end": (b"GET / HTTP/1.1\r\n" + HOST + b"X: " + b"y" * 40_000, 431),
    "long lines": (b"GET / HTTP/1.1\r\n" + HOST + (b"X: " + b"y" * 1000 + b"\r\n") * 90 + b"\r\n", 431),
    "a long address": (b"GET /?" + b"y" * 17_000 + b" HTTP/1.1\r\n" + HOST + b"\r\n", 431),
    "a long name": (b"GET / HTTP/1.1\r\n" + HOST + b"X" * 17_000 + b": y\r\n\r\n", 431),
}


@pytest.mark.parametrize("name", WRONG)
async def test_a_head_that_is_wrong_is_refused_and_the_connection_ends(name: str) -> None:
    sent, status = WRONG[name]
    seen: list[str] = []
    async with server(seen) as port:
        found = await answered(port, sent + b"GET /again HTTP/1.1\r\n" + HOST + b"\r\n")
    assert found.startswith(b"HTTP/1.1 %d " % status)
    assert found.count(b"HTTP/1.1") == 1
    assert seen == [], "the application has not seen it, nor what followed"


@pytest.mark.parametrize(
    "sent",
    [
        b"GET / HTTP/1.1\r\n" + HOST + b"X: y\r\n" * 98 + CLOSE + b"\r\n",
        b"GET / HTTP/1.1\r\n" + HOST + b"Cookie: " + b"y" * 15_000 + b"\r\n" + CLOSE + b"\r\n",
        b"GET / HTTP/1.0\r\n\r\n",
        b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: 200000\r\n" + CLOSE + b"\r\n" + b"z" * 200_000,
    ],
    ids=["a hundred lines", "15 KB", "of 1.0 without host", "a large body"],
)
async def test_heads_within_the_bounds_are_answered(sent: bytes) -> None:
    seen: list[str] = []
    async with server(seen) as port:
        assert (await answered(port, sent)).endswith(b"ok")
    assert seen == ["http"]


async def test_each_of_many_requests_of_one_connection_has_the_whole_bound() -> None:
    one = b"GET / HTTP/1.1\r\n" + HOST + b"X: " + b"y" * 9000 + b"\r\n"
    seen: list[str] = []
    async with server(seen) as port:
        found = await answered(port, (one + b"\r\n") * 4 + one + CLOSE + b"\r\n")
    assert found.count(b"200 OK") == 5
    assert connections.LARGEST_HEAD == 16 * 1024
