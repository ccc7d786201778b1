"""After a commit: (game, seq) to whoever watches, as a hint that there is something to read; the game alone
where somebody has lost a right at it. What is shown late has a hint of its own when it is. A hint may get
lost.

Hints of one game that wait become one. They go over Redis itself, not over a channel layer: see ADR 20.
"""

from collections.abc import AsyncGenerator, Callable, Collection
from typing import Final

import msgspec
from django.conf import settings
from redis import Redis, asyncio
from redis.backoff import NoBackoff
from redis.retry import Retry

from games.signals import carrier
from games.signals.outgoing import Outgoing

SECONDS: Final = 2.0
"""The longest it may take to be subscribed, or to answer who asks for a sign."""
SIGN_SECONDS: Final = 5.0
"""After so long without a hint Redis is asked for one: a line that is silent may be a line that is dead."""


class Hint(msgspec.Struct, frozen=True, omit_defaults=True):
    """The game may have reached `seq`, or where it is shown `late` up to there; without a seq somebody may no
    longer see or do what he could at it."""

    game: str
    seq: int | None = None
    late: bool = False


Key = tuple[str, bool, bool]
_read = msgspec.json.Decoder(Hint).decode


def publish_hint(game_id: str, seq: int) -> None:
    """Tell the watchers. Returns at once and never raises."""
    _publish(Hint(game_id, seq))


def publish_shown(game_id: str, seq: int) -> None:
    """Tell those who see the game late. Returns at once and never raises."""
    _publish(Hint(game_id, seq, late=True))


def publish_rights(game_id: str) -> None:
    """Somebody may no longer see or do what he could at this game. Returns at once and never raises."""
    _publish(Hint(game_id))


def _publish(hint: Hint) -> None:
    _outgoing.put((hint.game, hint.seq is None, hint.late), hint)


async def heard(begun: Callable[[], object]) -> AsyncGenerator[Hint]:
    """Hints as they come, once `begun` is called. Raises RedisError, OSError where Redis is not there, or is
    no longer, or is silent.
    """
    waiting = asyncio.Redis.from_url(
        settings.REDIS_URL, socket_connect_timeout=SECONDS, retry=Retry(NoBackoff(), 0)
    )
    async with waiting, waiting.pubsub() as subscribed:
        await subscribed.subscribe(_channel())
        asked = True  # it says that we are
        while True:
            message = await subscribed.get_message(timeout=SECONDS if asked else SIGN_SECONDS)
            if message is not None:
                asked = False
                if message["type"] == "message":
                    yield _read(message["data"])
                elif message["type"] == "subscribe":
                    begun()
            elif asked:
                raise TimeoutError("Redis is silent")
            else:
                asked = True
                await subscribed.ping()


def _channel() -> str:
    return carrier.key("hints")


def _newer(known: Hint, hint: Hint) -> Hint:
    return hint if (known.seq or -1) < (hint.seq or -1) else known


def _send_all(take: Callable[[], dict[Key, Hint]]) -> None:
    while True:
        _send(take().values())


def _send(waiting: Collection[Hint]) -> None:
    def publish(redis: Redis) -> None:
        with redis.pipeline(transaction=False) as together:
            for hint in waiting:
                together.publish(_channel(), msgspec.json.encode(hint))
            together.execute()

    carrier.ask_redis(publish, otherwise=None)


_outgoing = Outgoing("game-hints", _send_all, _newer)
