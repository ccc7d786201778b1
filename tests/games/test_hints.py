"""After a commit the watchers get a hint, and nothing ever waits for it."""

import asyncio
import threading
import time
from typing import Any

import pytest
from channels.layers import get_channel_layer
from django.db import transaction

from games.signals import hints
from games.signals.outgoing import Outgoing
from tests.games.cast import play, table


class Listener:
    """A process that watches: a member of the group, in a loop of its own."""

    def __init__(self) -> None:
        self.heard: list[dict[str, Any]] = []
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

    def seen(self) -> list[tuple[str, int]]:
        return [(message["game"], message["seq"]) for message in self.heard]

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
        layer = get_channel_layer()
        assert layer is not None
        channel = await layer.new_channel()
        await layer.group_add(hints.GROUP, channel)
        self.ready.set()
        try:
            while True:
                message = await layer.receive(channel)
                with self.came:
                    self.heard.append(message)
                    self.came.notify_all()
        finally:
            await layer.group_discard(hints.GROUP, channel)
            await layer.flush()


@pytest.fixture(autouse=True)
def _own_sender(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "_outgoing", Outgoing("game-hints", hints._send_all, hints._newer))


@pytest.mark.slow
def test_watchers_hear_of_a_commit_by_game_and_seq_alone(real_database: str) -> None:
    with Listener() as listener:
        game = table()
        listener.wait_for(game.id, game.head_seq)
        play(game, 1)
        game.refresh_from_db()
        listener.wait_for(game.id, game.head_seq)
    assert {frozenset(message) for message in listener.heard} == {frozenset({"type", "game", "seq"})}


def test_nothing_is_told_of_what_was_rolled_back(real_database: str) -> None:
    with Listener() as listener:
        with transaction.atomic():
            ghost = table()
            transaction.set_rollback(True)
        game = table()
        listener.wait_for(game.id, game.head_seq)
    assert ghost.id not in str(listener.heard)


def test_a_redis_that_is_gone_holds_up_no_play(
    real_database: str, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    settings.CHANNEL_LAYERS = {
        "default": {
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            "CONFIG": {"hosts": ["redis://127.0.0.1:8119/0"]},
        }
    }
    before = time.monotonic()
    game = play(table())
    assert game.status == "ended"
    assert time.monotonic() - before < 30
    hints.publish_hint("0" * 32, 1)
    for _ in range(1000):
        if "hint not sent" in caplog.text:
            break
        threading.Event().wait(0.01)
    assert "hint not sent" in caplog.text


def test_hints_of_one_game_that_wait_become_one(monkeypatch: pytest.MonkeyPatch) -> None:
    waiting: Outgoing[str, hints.Hint] = Outgoing("game-hints", lambda take: None, hints._newer)
    monkeypatch.setattr(hints, "_outgoing", waiting)
    for seq in (3, 5, 4):
        hints.publish_hint("a" * 32, seq)
    hints.publish_rights("a" * 32)
    hints.publish_hint("b" * 32, 1)
    hints.publish_rights("a" * 32)
    lost = {"type": hints.RIGHTS, "game": "a" * 32}
    assert list(waiting.take().values()) == [
        hints._message("a" * 32, 5),
        lost,
        hints._message("b" * 32, 1),
    ]


def test_a_child_of_a_fork_has_a_thread_of_its_own() -> None:
    outgoing = Outgoing[str, str]("test", lambda take: None)
    outgoing.put("a", "of the parent")
    outgoing._begin_anew()  # what the fork does in the child
    assert (outgoing.thread, outgoing.waiting) == (None, {})
    outgoing.put("b", "of the child")
    assert outgoing.take() == {"b": "of the child"}
    assert outgoing.thread is not None


def test_within_one_process_the_layer_in_memory_will_do(settings: Any, db: None) -> None:
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}

    async def heard() -> dict[str, Any]:
        layer = get_channel_layer()
        assert layer is not None
        await layer.group_add(hints.GROUP, "test")
        await asyncio.to_thread(hints.publish_hint, "a" * 32, 4)
        return dict(await layer.receive("test"))

    assert asyncio.run(heard()) == {"type": "game.hint", "game": "a" * 32, "seq": 4}


def test_without_a_layer_nobody_is_told(settings: Any) -> None:
    settings.CHANNEL_LAYERS = {}
    hints.publish_hint("a" * 32, 4)
    assert hints._outgoing.thread is None
