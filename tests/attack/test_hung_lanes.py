"""A lane whose every thread is at the same request for more than a minute is named, and its process ends."""

import asyncio
import json
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from pytest_django import Settings
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from deploy import web
from deploy.asgi_handler import Handler
from deploy.environment import BASE_DIR
from deploy.limits import lanes as lanes_module
from deploy.limits.lanes import HUNG_SECONDS, Lane, Lanes
from deploy.limits.proxied import DIRECT


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(lanes_module, "monotonic", clock)
    return clock


class Work:
    """Requests that last until they are told to end."""

    def __init__(self, lane: Lane) -> None:
        self.lane = lane
        self.gates: list[threading.Event] = []
        self.tasks: list[asyncio.Task[bool]] = []

    async def begin(self) -> None:
        gate, begun, loop = threading.Event(), asyncio.Event(), asyncio.get_running_loop()

        def work() -> bool:
            loop.call_soon_threadsafe(begun.set)
            return gate.wait(30)

        self.gates.append(gate)
        self.tasks.append(asyncio.create_task(self.lane.run(work)))
        await begun.wait()

    async def end(self, number: int) -> None:
        self.gates[number].set()
        await self.tasks[number]


@contextmanager
def ended_at_last(work: Work) -> Iterator[None]:
    try:
        yield
    finally:
        for gate in work.gates:
            gate.set()


async def test_it_hangs_when_every_thread_is_at_one_request_for_more_than_a_minute(clock: Clock) -> None:
    lane = Lane("test", threads=2, waiting=5, seconds=30)
    work = Work(lane)
    with ended_at_last(work):
        await work.begin()
        clock.now += HUNG_SECONDS + 1
        assert not lane.is_hung(), "one thread is free"
        await work.begin()
        assert not lane.is_hung(), "one has just begun"
        clock.now += HUNG_SECONDS
        assert not lane.is_hung()
        clock.now += 1
        assert lane.is_hung()
        await work.end(0)
        assert not lane.is_hung()


async def test_load_alone_never_makes_it_hang(clock: Clock) -> None:
    """Each of many requests takes long, the line is full, and a thread is always at another one."""
    lane = Lane("test", threads=2, waiting=50, seconds=30)
    work = Work(lane)
    with ended_at_last(work):
        for number in range(20):
            await work.begin()
            if number:
                clock.now += HUNG_SECONDS - 1
                assert not lane.is_hung()
                await work.end(number - 1)


async def answer_of(handler: Handler, *, direct: bool, token: str = "") -> tuple[int, Any]:
    sent: list[dict[str, Any]] = []

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    headers = [(b"host", b"localhost"), (b"authorization", f"Bearer {token}".encode())]
    scope = {"type": "http", "method": "GET", "path": "/readyz", "headers": headers, DIRECT: direct}
    await handler(scope, receive, send)
    return sent[0]["status"], json.loads(b"".join(one.get("body", b"") for one in sent[1:]))


async def test_readyz_names_the_lane_even_where_its_own_hangs(
    clock: Clock, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.METRICS_TOKEN = "figures-for-the-hall"
    monkeypatch.setattr(Lanes, "current", None)
    handler = Handler()
    handler._lanes = lanes = Lanes()
    hung = {lane.name: Work(lane) for lane in lanes.all() if lane.name in {"asked", "viewers"}}
    with ended_at_last(hung["asked"]), ended_at_last(hung["viewers"]):
        await hung["asked"].begin()
        await hung["viewers"].begin()
        await hung["viewers"].begin()
        clock.now += HUNG_SECONDS + 1
        named = (503, {"ready": False, "lanes": "hung: asked, viewers"})
        assert await answer_of(handler, direct=True) == named
        assert await answer_of(handler, direct=False, token="figures-for-the-hall") == named
        assert await answer_of(handler, direct=False, token="guessed") == (503, {"ready": False})


SERVER = """
import asyncio, socket, sys, threading, uvicorn
from deploy import web
from deploy.limits.lanes import Lanes

web.HUNG_FOR_SECONDS = 0.0
lanes = None

async def application(scope, receive, send):
    global lanes
    lanes = lanes or Lanes()
    for lane in lanes.all():
        lane._hung_after = 0.5
    await receive()
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
        await receive()
    else:
        await lanes.all()[0].run(threading.Event().wait)

listening = socket.socket(fileno=int(sys.argv[1]))
config = uvicorn.Config(application, ws=web.WholeFrames, lifespan="off", log_config=None,
                        timeout_graceful_shutdown=1)
web.Server(config).run(sockets=[listening])
"""


def test_a_process_whose_lane_hangs_ends_after_its_sockets_were_told_to_come_back() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        command = [sys.executable, "-c", SERVER, str(listening.fileno())]
        process = subprocess.Popen(command, cwd=BASE_DIR, pass_fds=(listening.fileno(),))
        host, port = listening.getsockname()[:2]
        try:
            with (
                connect(f"ws://{host}:{port}/", open_timeout=60) as table,
                socket.create_connection((host, port)) as stuck,
            ):
                stuck.sendall(b"GET /hang HTTP/1.1\r\nHost: localhost\r\n\r\n")
                with pytest.raises(ConnectionClosed) as closed:
                    table.recv(timeout=60)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1012, "service restart"
            assert process.wait(timeout=60) == web.HUNG_EXIT_CODE
        finally:
            process.kill()
            process.wait()
