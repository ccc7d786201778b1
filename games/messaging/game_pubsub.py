"""Hints to web processes after a commit: a game has new events, or a right at a game may have been lost. A
delayed broadcast sends a hint of its own when it shows events. A hint may get lost; publishing one returns at
once and never raises.

Waiting hints of one game are merged. Hints go over Redis itself, not over a channel layer (ADR 10), and over
raw connections of redis-py: its pipeline and its subscription would be most of the cost of a hint, and every
process receives every hint.
"""

from asyncio import timeout
from collections.abc import AsyncGenerator, Callable, Collection
from functools import partial
from math import inf
from typing import Any, Final

import msgspec
from django.conf import settings
from redis import ConnectionError as RedisConnectionError
from redis import Redis
from redis.asyncio.connection import ConnectionPool
from redis.backoff import NoBackoff
from redis.retry import Retry

from games.messaging import redis_client
from games.messaging.outgoing import Outgoing

TIMEOUT_SECONDS: Final = 2.0
"""Timeout of a subscription, and of the answer to a ping."""
PING_AFTER_SECONDS: Final = 5.0
"""Seconds without a hint after which Redis is pinged, because a silent connection may be a dead one."""


class Hint(msgspec.Struct, frozen=True, omit_defaults=True):
    """The game may have reached `seq` or, with `late`, its delayed broadcast may. `seq` None: a right at the
    game may have been lost.
    """

    game: str
    seq: int | None = None
    late: bool = False


Key = tuple[str, bool, bool]
_decode_hint = msgspec.json.Decoder(Hint).decode


def publish_hint(game_id: str, seq: int) -> None:
    """Tell all web processes that a game may have reached `seq`."""
    _publish(Hint(game_id, seq))


def publish_delayed_hint(game_id: str, seq: int) -> None:
    """Tell all web processes that a delayed broadcast shows a game up to `seq`."""
    _publish(Hint(game_id, seq, late=True))


def publish_rights_change(game_id: str) -> None:
    """Tell all web processes that a right at this game may have been lost."""
    _publish(Hint(game_id))


def _publish(hint: Hint) -> None:
    _outgoing.put((hint.game, hint.seq is None, hint.late), hint)


async def receive_hints(on_subscribed: Callable[[], object]) -> AsyncGenerator[Hint]:
    """Yield hints as they arrive. `on_subscribed` is called once the subscription is active.

    Raises RedisError, OSError or TimeoutError if Redis is absent, goes away or no longer answers.
    """
    pool = ConnectionPool.from_url(
        settings.REDIS_URL, protocol=2, socket_connect_timeout=TIMEOUT_SECONDS, retry=Retry(NoBackoff(), 0)
    )
    connection: Any = pool.make_connection()  # type: ignore[no-untyped-call]  # redis-py declares no types here
    try:
        async with timeout(TIMEOUT_SECONDS):
            await connection.connect()
            await connection.send_command("SUBSCRIBE", _channel(), check_health=False)
        answer_expected = True  # Redis confirms the subscription
        while True:
            try:
                async with timeout(TIMEOUT_SECONDS if answer_expected else PING_AFTER_SECONDS):
                    kind, *fields = await connection.read_response(timeout=inf, disconnect_on_error=False)
            except TimeoutError:
                if answer_expected:
                    raise TimeoutError("Redis is silent") from None
                answer_expected = True
                await connection.send_command("PING", check_health=False)
                continue
            answer_expected = False
            if kind == b"message":
                yield _decode_hint(fields[1])
            elif kind == b"subscribe":
                on_subscribed()
    finally:
        await connection.disconnect(nowait=True)


def _channel() -> str:
    return redis_client.key("hints")


def _newer_hint(known: Hint, hint: Hint) -> Hint:
    return hint if (known.seq or -1) < (hint.seq or -1) else known


def _send_all(take: Callable[[], dict[Key, Hint]]) -> None:
    connection = _HintConnection()
    while True:
        hints = take().values()
        redis_client.ask_redis(partial(connection.publish, hints), otherwise=None)


class _HintConnection:
    """The Redis connection of the thread that sends hints."""

    def __init__(self) -> None:
        self._redis: Redis | None = None
        self._connection: Any = None  # an untyped object

    def publish(self, hints: Collection[Hint], redis: Redis) -> None:
        """Publish hints over the open connection. Raises RedisError or OSError if Redis does not take
        them.
        """
        connection = self._connection
        if connection is None or self._redis is not redis:
            connection = self._connection = redis.connection_pool.make_connection()
            self._redis = redis
        channel = _channel()
        commands = connection.pack_commands(
            [("PUBLISH", channel, msgspec.json.encode(hint)) for hint in hints]
        )
        try:
            self._send_commands(connection, commands, len(hints))
        except RedisConnectionError:  # Redis has been restarted since the last answer
            self._send_commands(connection, commands, len(hints))

    def _send_commands(self, connection: Any, commands: Any, answers: int) -> None:
        try:
            connection.send_packed_command(commands, check_health=False)
            for _ in range(answers):
                connection.read_response()
        except BaseException:
            connection.disconnect()  # unread answers may be left on it
            raise


_outgoing = Outgoing("game-hints", _send_all, _newer_hint)
