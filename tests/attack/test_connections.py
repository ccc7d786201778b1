"""Half-open requests, endless heads, forged addresses and foreign pages."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from pytest_django import Settings
from websockets.exceptions import InvalidStatus

from deploy.limits import connections
from deploy.limits.connections import LARGEST_HEAD, BoundedHttp, Connections
from deploy.limits.origins import SameOrigin, is_same_origin
from deploy.limits.proxied import Proxied
from tests.games import databases
from tests.games.live_server import WebProcess, web_process


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory, django_db_blocker: Any) -> Iterator[WebProcess]:
    folder = tmp_path_factory.mktemp("web")
    with (
        django_db_blocker.unblock(),
        databases.clone(databases.template("sqlite"), folder),
        web_process(folder) as process,
    ):
        yield process


@pytest.mark.slow
def test_a_head_that_does_not_end_in_time_ends_its_connection(web: WebProcess) -> None:
    beginnings = [b"", b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ", b"\r\n\r\n\r\n"]
    further = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET / HTTP/1.1\r\nHos"
    half_open = [socket.create_connection(("127.0.0.1", web.port), timeout=60) for _ in range(40)]
    for number, opened in enumerate(half_open):
        opened.sendall([*beginnings, further][number % 4])
    assert httpx.get(f"http://127.0.0.1:{web.port}/healthz", timeout=30).status_code == 200
    for opened in half_open:
        with opened:
            try:
                while opened.recv(65536):
                    pass
            except ConnectionResetError:
                continue


def kernel_buffers() -> int:
    """The most bytes that the kernel keeps for one connection on its own, by its settings."""
    names = ("tcp_rmem", "tcp_wmem")
    return sum(int((Path("/proc/sys/net/ipv4") / name).read_text().split()[2]) for name in names)


def test_a_head_without_end_is_not_kept_in_memory(web: WebProcess) -> None:
    most = kernel_buffers() + 100 * LARGEST_HEAD
    with socket.create_connection(("127.0.0.1", web.port), timeout=60) as opened:
        opened.sendall(b"GET / HTTP/1.1\r\n")
        sent = 0
        with contextlib.suppress(ConnectionResetError, BrokenPipeError):
            while sent < most:
                opened.sendall(b"X-More: " + b"x" * 4000 + b"\r\n")
                sent += 4000
        assert sent < most


@contextlib.asynccontextmanager
async def served(application: Any) -> AsyncIterator[int]:
    """The port where a server with our connections asks this application."""
    config = uvicorn.Config(application, http=BoundedHttp, lifespan="off", log_config=None)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = uvicorn.Server(config)
        server.config.load()
        server.lifespan = config.lifespan_class(config)
        await server.startup(sockets=[listening])
        yield listening.getsockname()[1]
        server.force_exit = True
        await server.shutdown(sockets=[listening])


PIPELINED = b"GET /second HTTP/1.1\r\nHost: x\r\n"
TRAILING = b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n"


@pytest.mark.parametrize("beginning", [b"GET / HTTP/1.1\r\nHost: x\r\n\r\n" + PIPELINED, TRAILING])
async def test_a_head_behind_a_request_at_work_is_not_kept_in_memory(beginning: bytes) -> None:
    at_work, sent, gate = asyncio.Event(), 0, asyncio.Event()

    async def application(scope: Any, receive: Any, send: Any) -> None:
        at_work.set()
        listening = asyncio.ensure_future(receive())  # as ours does, and uvicorn then reads on
        await gate.wait()
        listening.cancel()

    async with served(application) as port:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(beginning)
        await at_work.wait()
        with contextlib.suppress(ConnectionResetError, BrokenPipeError):
            while sent < 100 * LARGEST_HEAD:
                writer.write(b"X-More: " + b"x" * 4000 + b"\r\n")
                await asyncio.wait_for(writer.drain(), 30)
                sent += 4000
        gate.set()
        writer.close()
    assert sent < 100 * LARGEST_HEAD


@pytest.mark.parametrize("pieces", [1, 100])
async def test_who_does_not_read_what_he_asked_for_is_let_go(
    pieces: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "SENDING_SECONDS", 0.05, raising=False)
    length = 50_000_000

    async def application(scope: Any, receive: Any, send: Any) -> None:
        told = [(b"content-length", str(length).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": told})
        for number in range(pieces):
            piece = b"x" * (length // pieces)
            await send({"type": "http.response.body", "body": piece, "more_body": number < pieces - 1})

    here = Connections()
    left = asyncio.Event()
    monkeypatch.setattr(BoundedHttp, "current", here)
    monkeypatch.setattr(here, "leave", lambda address: left.set())
    async with served(application) as port:
        with socket.create_connection(("127.0.0.1", port)) as silent:
            silent.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            await asyncio.wait_for(left.wait(), 20)


def test_one_address_never_has_all_connections() -> None:
    here = Connections()
    here.most = 8
    assert [here.enter("192.0.2.1") for _ in range(3)] == [True, True, False]
    assert [here.enter(f"192.0.2.{number}") for number in range(2, 9)] == [True] * 6 + [False]
    here.leave("192.0.2.1")
    assert here.enter("192.0.2.9")
    assert here.by_address["192.0.2.1"] == 1


@pytest.mark.parametrize("beginning", [b"", b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: "])
async def test_a_head_has_so_much_time_and_no_more(beginning: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.05)

    async def application(scope: Any, receive: Any, send: Any) -> None:
        pytest.fail("there is no request")

    async with served(application) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(beginning)
        assert await asyncio.wait_for(_until_the_end(reader), 20) == b""
        writer.close()


async def test_a_head_that_we_do_not_read_on_is_not_late(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.05)
    gate, looked = asyncio.Event(), asyncio.Event()
    late = BoundedHttp._head_late

    def looking(self: BoundedHttp) -> None:
        monkeypatch.setattr(connections, "HEAD_SECONDS", 60)
        late(self)
        looked.set()

    async def application(scope: Any, receive: Any, send: Any) -> None:
        await gate.wait()
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})

    monkeypatch.setattr(BoundedHttp, "_head_late", looking)
    async with served(application) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        whole = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
        writer.write(whole + whole + whole[:-2])
        await asyncio.wait_for(looked.wait(), 20)
        gate.set()
        writer.write(whole[-2:])
        for _ in range(3):
            assert b"204 No Content" in await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 20)
        writer.close()


async def _until_the_end(reader: asyncio.StreamReader) -> bytes:
    with contextlib.suppress(ConnectionResetError):
        return await reader.read()
    return b""


async def test_a_socket_from_a_foreign_page_is_closed_before_it_opens(settings: Settings) -> None:
    settings.TLS, settings.ORIGIN, settings.ALLOWED_HOSTS = False, "", ["localhost"]
    opened: list[Any] = []

    async def application(scope: Any, receive: Any, send: Any) -> None:
        opened.append(scope)

    async def receive() -> Any:
        return {"type": "websocket.connect"}

    said: list[Any] = []

    async def send(message: Any) -> None:
        said.append(message)

    for origin, host in ((b"http://evil.example", b"localhost"), (b"http://localhost", b"localhost")):
        scope = {"type": "websocket", "headers": [(b"origin", origin), (b"host", host)]}
        await SameOrigin(application)(scope, receive, send)
    assert (said, len(opened)) == ([{"type": "websocket.close"}], 1)


async def address_seen(client: Any, *forwarded: bytes, behind_tls: bool = True) -> tuple[Any, list[bytes]]:
    seen: dict[str, Any] = {}

    async def application(scope: Any, receive: Any, send: Any) -> None:
        seen.update(scope)

    headers = [(b"x-forwarded-for", value) for value in forwarded]
    scope = {"type": "http", "client": client, "headers": headers, "scheme": "http"}
    await Proxied(application, behind_tls=behind_tls)(scope, None, None)
    return seen["client"], [name for name, _ in seen["headers"]]


async def test_only_the_proxys_own_word_is_believed() -> None:
    assert (await address_seen(None, b"203.0.113.9"))[0] == ("203.0.113.9", 0)
    assert (await address_seen(None, b"198.51.100.1, 203.0.113.9"))[0] == ("203.0.113.9", 0)
    assert (await address_seen(None, b"198.51.100.1", b"203.0.113.9"))[0] == ("203.0.113.9", 0)
    assert (await address_seen(None, b"nonsense"))[0] is None
    assert (await address_seen(("127.0.0.1", 9), b"203.0.113.9"))[0] == ("203.0.113.9", 0)


async def test_a_forged_address_is_not_believed_and_not_handed_on() -> None:
    stranger = ("192.0.2.4", 9)
    assert await address_seen(stranger, b"203.0.113.9") == (stranger, [])
    here = ("127.0.0.1", 9)
    assert await address_seen(here, b"203.0.113.9", behind_tls=False) == (here, [])


@pytest.mark.parametrize(
    ("origin", "ours"),
    [
        ("https://jass.example.org", True),
        ("http://jass.example.org", False),
        ("https://jass.example.org:8443", False),
        ("https://other.example.org", False),
        ("", False),
        ("null", False),
    ],
)
def test_behind_tls_only_the_pages_own_origin_may_open_sockets(
    origin: str, ours: bool, settings: Settings
) -> None:
    settings.TLS, settings.ORIGIN = True, "https://jass.example.org"
    settings.ALLOWED_HOSTS = ["jass.example.org"]
    assert is_same_origin(origin, "jass.example.org") is ours


def test_without_tls_a_page_of_another_port_gets_no_socket(web: WebProcess) -> None:
    for origin in (f"http://127.0.0.1:{web.port + 1}", f"https://127.0.0.1:{web.port}", "http://127.0.0.1"):
        with pytest.raises(InvalidStatus) as refused, web.connect("0" * 32, origin=origin):
            pass
        assert refused.value.response.status_code == 403
    with web.connect("0" * 32) as line:
        assert line.frame("error")["code"] == "games/unknown_game"


def test_a_host_that_is_not_ours_opens_no_socket(settings: Settings) -> None:
    settings.TLS, settings.ORIGIN, settings.ALLOWED_HOSTS = False, "", ["localhost", "[::1]"]
    assert is_same_origin("http://localhost:8000", "localhost:8000")
    assert is_same_origin("http://[::1]:8000", "[::1]:8000")
    assert not is_same_origin("http://evil.example", "evil.example")
