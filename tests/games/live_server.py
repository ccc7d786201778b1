"""A real web process on the test's database, and clients for it."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connections
from django.db.models import Q
from django.test import Client
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from deploy.environment import BASE_DIR
from deploy.process_tree.children import READY_FD, end_with_parent
from games.models import Game, User
from games.rights import tokens
from tests.games import databases
from tests.games.cast import table_code

SECONDS = 15.0
"""Longer than any frame needs; a missing frame fails the test."""


class WebProcess:
    """`deploy.web`, as `serve` starts it."""

    def __init__(self, folder: Path, environment: Mapping[str, str], send_buffer: int) -> None:
        self.log = folder / "web.log"
        with socket.socket() as listening:
            if send_buffer:  # inherited by the connections, so that a slow client blocks soon
                listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, send_buffer)
            listening.bind(("127.0.0.1", 0))
            listening.listen(1024)
            self.port = listening.getsockname()[1]
            ready, said = os.pipe()
            with self.log.open("wb") as log:
                self.process = subprocess.Popen(
                    [sys.executable, "-m", "deploy.web", "--fd", str(listening.fileno())],
                    cwd=BASE_DIR,
                    env={**os.environ, "DATABASE_URL": database_url(), READY_FD: str(said), **environment},
                    pass_fds=(listening.fileno(), said),
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    preexec_fn=partial(end_with_parent, os.getpid()),
                )
            os.close(said)
        with os.fdopen(ready) as pipe:
            assert pipe.readline() == "ready\n", self.log.read_text()

    def terminate(self) -> int:
        """Stop it as its parent would."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=SECONDS)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def address(self, game: Game | str, query: str = "") -> str:
        name = game if isinstance(game, str) else game.id
        return f"ws://127.0.0.1:{self.port}/ws/games/{name}/{query}"

    @contextlib.contextmanager
    def connect(
        self, game: Game | str, user: User | None = None, query: str = "", **more: Any
    ) -> Iterator["Line"]:
        """A socket of a game, signed in or not."""
        headers = more.pop("additional_headers", {})
        if user is not None:
            headers["Cookie"] = cookie(user)
        origin = more.pop("origin", f"http://127.0.0.1:{self.port}")
        more = {"compression": None, "additional_headers": headers, "origin": origin} | more
        with connect(self.address(game, query), **more) as opened:
            yield Line(opened)


class Line:
    """One client. `raw` and `text` return frames as received, `frame` as JSON."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    def raw(self) -> str:
        text = self.socket.recv(timeout=SECONDS)
        assert isinstance(text, str)
        return text

    def text(self, kind: str = "") -> str:
        """Return the next frame as received, or the next of a kind.

        Heartbeats, which come by the clock, are left out.
        """
        while '"kind":"heartbeat"' in (found := self.raw()) or f'"kind":"{kind}' not in found:
            pass
        return found

    def frame(self, kind: str | None = None) -> Any:
        """Return the next frame, or the next of a kind."""
        while True:
            found = json.loads(self.raw())
            if kind in (None, found["kind"]):
                return found

    def until(self, seq: int) -> list[Any]:
        """Return the events up to seq, from this connection's position."""
        events: list[Any] = []
        while not events or events[-1]["seq"] < seq:
            events += self.frame("events")["events"]
        return events

    def say(self, message: object) -> None:
        self.socket.send(message if isinstance(message, str | bytes) else json.dumps(message))

    def to_the_end(self) -> Iterator[str]:
        """Return all frames until the server closes, without heartbeats."""
        with contextlib.suppress(ConnectionClosed):
            while True:
                yield self.text()

    def closing_code(self) -> int | None:
        """Read to the end; return the server's close code."""
        list(self.to_the_end())
        return self.socket.close_code


def cookie(user: User) -> str:
    """Return the session of a signed-in user."""
    client = Client()
    client.force_login(user)
    return f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"


def phone(game: Game, role: str, seat: int | None, ref: str | None = None) -> str:
    """Return the session of a phone that has scanned a new code of this place. It ends the previous one."""
    tokens.revoke_tokens([game.pk], Q(role=role, seat=seat))
    client, code = Client(), table_code(game, role, seat, ref=ref)
    answer = client.post("/api/v1/table-session/", {"token": code}, content_type="application/json")
    assert answer.status_code == 201
    return f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"


@contextlib.contextmanager
def web_process(
    folder: Path, environment: Mapping[str, str] | None = None, *, send_buffer: int = 0
) -> Iterator[WebProcess]:
    """Yield a web process that is ready, and stop it afterwards: gracefully, so that it writes its
    measurements.
    """
    process = WebProcess(folder, environment or {}, send_buffer)
    try:
        yield process
    finally:
        try:
            process.terminate()
        except subprocess.TimeoutExpired:
            process.kill()


@contextlib.contextmanager
def place(
    template: dict[str, Any],
    folders: pytest.TempPathFactory,
    blocker: Any,
    environment: Mapping[str, str] | None = None,
) -> Iterator[WebProcess]:
    """Yield a separate database of the module, and a web process on it."""
    folder = folders.mktemp("live")
    with blocker.unblock(), databases.clone(template, folder), web_process(folder, environment) as web:
        yield web


def database_url() -> str:
    chosen = connections["default"].settings_dict
    if chosen["ENGINE"].endswith("sqlite3"):
        return f"sqlite:///{chosen['NAME']}"
    user, host, port = (chosen[key] for key in ("USER", "HOST", "PORT"))
    return f"postgresql://{user}@{host}:{port}/{chosen['NAME']}"
