"""After a commit spectators get a hint, and nothing ever waits for it."""

import asyncio
import json
import signal
import subprocess
import threading
import time
from contextlib import aclosing
from pathlib import Path
from typing import Any

import msgspec
import pytest
from django.db import transaction
from redis import Redis, RedisError
from redis.asyncio.connection import AbstractConnection as Connection

from games.messaging import game_pubsub, redis_client
from games.messaging.outgoing import Outgoing
from tests import servers
from tests.games.cast import play, table


class Listener:
    """A process that watches: a member of the group, in a loop of its own."""

    def __init__(self) -> None:
        self.heard: list[game_pubsub.Hint] = []
        self.came = threading.Condition()
        self.ready = threading.Event()
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self._run)

    def __enter__(self) -> "Listener":
        self.thread.start()
        assert self.ready.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        self.loop.call_soon_threadsafe(self.task.cancel)
        self.thread.join(10)

    def wait_for(self, game: str, seq: int) -> None:
        with self.came:
            assert self.came.wait_for(lambda: (game, seq) in self.seen(), timeout=10), self.heard

    def seen(self) -> list[tuple[str, int | None]]:
        return [(hint.game, hint.seq) for hint in self.heard]

    def _run(self) -> None:
        self.task = self.loop.create_task(self._listen())
        try:
            self.loop.run_until_complete(self.task)
        except asyncio.CancelledError:
            pass
        finally:
            self.loop.run_until_complete(self.loop.shutdown_asyncgens())
            self.loop.close()

    async def _listen(self) -> None:
        async with aclosing(game_pubsub.receive_hints(self.ready.set)) as hearing:
            async for hint in hearing:
                self._hear(hint)

    def _hear(self, hint: game_pubsub.Hint) -> None:
        with self.came:
            self.heard.append(hint)
            self.came.notify_all()


@pytest.fixture(autouse=True)
def _own_sender(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        game_pubsub, "_outgoing", Outgoing("game-hints", game_pubsub._send_all, game_pubsub._newer_hint)
    )


@pytest.mark.slow
def test_watchers_hear_of_a_commit_by_game_and_seq_alone(real_database: str) -> None:
    with Listener() as listener:
        game = table()
        listener.wait_for(game.id, game.head_seq)
        play(game, 1)
        game.refresh_from_db()
        listener.wait_for(game.id, game.head_seq)
    told = [json.loads(msgspec.json.encode(hint)) for hint in listener.heard]
    assert {frozenset(hint) for hint in told} == {frozenset({"game", "seq"})}


def test_nothing_is_told_of_what_was_rolled_back(real_database: str) -> None:
    with Listener() as listener:
        with transaction.atomic():
            ghost = table()
            transaction.set_rollback(True)
        game = table()
        listener.wait_for(game.id, game.head_seq)
    assert ghost.id not in str(listener.heard)


def test_a_redis_that_is_gone_holds_up_no_play(
    real_database: str,
    settings: Any,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:8119/0"
    monkeypatch.setattr(redis_client, "_clients", {})
    before = time.monotonic()
    game = play(table())
    assert game.status == "ended"
    assert time.monotonic() - before < 30
    game_pubsub.publish_hint("0" * 32, 1)
    for _ in range(1000):
        if "Redis does not answer" in caplog.text:
            break
        threading.Event().wait(0.01)
    assert "Redis does not answer" in caplog.text


def test_hints_of_one_game_that_wait_become_one(monkeypatch: pytest.MonkeyPatch) -> None:
    waiting: Outgoing[game_pubsub.Key, game_pubsub.Hint] = Outgoing(
        "game-hints", lambda take: None, game_pubsub._newer_hint
    )
    monkeypatch.setattr(game_pubsub, "_outgoing", waiting)
    for seq in (3, 5, 4):
        game_pubsub.publish_hint("a" * 32, seq)
    game_pubsub.publish_rights_change("a" * 32)
    game_pubsub.publish_hint("b" * 32, 1)
    game_pubsub.publish_rights_change("a" * 32)
    assert list(waiting.take().values()) == [
        game_pubsub.Hint("a" * 32, 5),
        game_pubsub.Hint("a" * 32),
        game_pubsub.Hint("b" * 32, 1),
    ]


def test_a_child_of_a_fork_has_a_thread_of_its_own() -> None:
    outgoing = Outgoing[str, str]("test", lambda take: None)
    outgoing.put("a", "of the parent")
    outgoing._reset()  # what the fork does in the child
    assert (outgoing.thread, outgoing.waiting) == (None, {})
    outgoing.put("b", "of the child")
    assert outgoing.take() == {"b": "of the child"}
    assert outgoing.thread is not None


def test_who_hears_is_told_when_redis_is_not_there(settings: Any) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:8119/0"

    async def hear() -> None:
        async with aclosing(game_pubsub.receive_hints(lambda: None)) as hearing:
            await anext(hearing)

    with pytest.raises(RedisError):
        asyncio.run(hear())


def test_who_hears_is_told_when_redis_is_silent(
    settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped it keeps the line open, and says nothing any more."""
    monkeypatch.setattr(game_pubsub, "PING_AFTER_SECONDS", 0.05)
    monkeypatch.setattr(game_pubsub, "TIMEOUT_SECONDS", 1.0)
    heard: list[game_pubsub.Hint] = []

    async def hear(server: subprocess.Popen[bytes]) -> None:
        begun = asyncio.Event()
        async with aclosing(game_pubsub.receive_hints(begun.set)) as hearing:
            coming = asyncio.ensure_future(anext(hearing))
            await begun.wait()
            await asyncio.to_thread(game_pubsub.publish_hint, "a" * 32, 1)
            heard.append(await coming)
            server.send_signal(signal.SIGSTOP)
            await anext(hearing)

    with servers.own_valkey(tmp_path) as (server, url):
        settings.REDIS_URL = url
        with pytest.raises(OSError, match="silent"):
            asyncio.run(hear(server))
    assert heard == [game_pubsub.Hint("a" * 32, 1)]


def test_a_line_on_which_nothing_is_said_is_kept_while_redis_answers(
    settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_pubsub, "PING_AFTER_SECONDS", 0.01)
    asked: list[str] = []
    monkeypatch.setattr(Connection, "send_command", _noted(Connection.send_command, asked))

    async def hear() -> game_pubsub.Hint:
        async with aclosing(game_pubsub.receive_hints(lambda: None)) as hearing:
            coming = asyncio.ensure_future(anext(hearing))
            while asked.count("PING") < 3 and not coming.done():
                await asyncio.sleep(0.01)
            await asyncio.to_thread(game_pubsub.publish_hint, "a" * 32, 1)
            return await coming

    with servers.own_valkey(tmp_path) as (_, url):
        settings.REDIS_URL = url
        assert asyncio.run(hear()) == game_pubsub.Hint("a" * 32, 1)


def _noted(send: Any, said: list[str]) -> Any:
    def noting(self: Connection, *command: str, **more: Any) -> Any:
        said.append(command[0])
        return send(self, *command, **more)

    return noting


def test_a_line_that_was_cut_is_made_anew_with_the_next_hint(settings: Any, tmp_path: Path) -> None:
    async def hear() -> game_pubsub.Hint:
        begun = asyncio.Event()
        line = game_pubsub._HintConnection()
        async with aclosing(game_pubsub.receive_hints(begun.set)) as hearing:
            coming = asyncio.ensure_future(anext(hearing))
            await begun.wait()
            with Redis.from_url(settings.REDIS_URL) as redis:
                line.publish([game_pubsub.Hint("a" * 32, 1)], redis)
                await coming
                redis.client_kill_filter(_type="normal", skipme=True)
                line.publish([game_pubsub.Hint("a" * 32, 2), game_pubsub.Hint("b" * 32, 1)], redis)
            await anext(hearing)
            return await anext(hearing)

    with servers.own_valkey(tmp_path) as (_, url):
        settings.REDIS_URL = url
        assert asyncio.run(hear()) == game_pubsub.Hint("b" * 32, 1)
