"""After a commit: (game, seq) to whoever watches, as a hint that there is something to read; the game alone
where somebody has lost a right at it. What is shown late has a hint of its own when it is. A hint may get
lost.

Hints of one game that wait become one.
"""

import asyncio
import logging
from collections.abc import Callable

from asgiref.sync import async_to_sync
from channels import DEFAULT_CHANNEL_LAYER
from channels.layers import InMemoryChannelLayer, channel_layers, get_channel_layer

from games.signals.outgoing import Outgoing

GROUP = "game-hints"
"""Group of the channel layer; messages {"type": "game.hint", "game": id, "seq": n}, those of SHOWN alike, and
those of RIGHTS."""
SHOWN = "game.shown"
"""The type of the messages about a game that is shown late: it is shown up to seq now."""
RIGHTS = "game.rights"
"""The type of the messages {"type": RIGHTS, "game": id}: ask again who may still see what he sees."""
SEND_SECONDS = 2.0

Hint = dict[str, str | int]
Key = tuple[str, str]
log = logging.getLogger(__name__)


def publish_hint(game_id: str, seq: int) -> None:
    """Tell the watchers. Returns at once and never raises."""
    _publish(_message(game_id, seq))


def publish_shown(game_id: str, seq: int) -> None:
    """Tell those who see the game late. Returns at once and never raises."""
    _publish({"type": SHOWN, "game": game_id, "seq": seq})


def publish_rights(game_id: str) -> None:
    """Somebody may no longer see or do what he could at this game. Returns at once and never raises."""
    _publish({"type": RIGHTS, "game": game_id})


def _publish(hint: Hint) -> None:
    layer = get_channel_layer()
    if layer is None:
        return
    if isinstance(layer, InMemoryChannelLayer):
        # Its queues belong to this process and do not wake a loop from another thread.
        async_to_sync(layer.group_send)(GROUP, hint)
        return
    _outgoing.put((str(hint["type"]), str(hint["game"])), hint)


def _newer(known: Hint, hint: Hint) -> Hint:
    return hint if int(known.get("seq", -1)) < int(hint.get("seq", -1)) else known


def _send_all(take: Callable[[], dict[Key, Hint]]) -> None:
    asyncio.run(_sending(take))


async def _sending(take: Callable[[], dict[Key, Hint]]) -> None:
    """The loop stands still while nothing waits: this thread has nothing else to do."""
    while True:
        for hint in take().values():
            try:
                await _send(hint)
            except Exception as error:
                log.warning("hint not sent: %s", type(error).__name__, extra={"game": hint["game"]})


async def _send(hint: Hint) -> None:
    async with asyncio.timeout(SEND_SECONDS):
        await channel_layers[DEFAULT_CHANNEL_LAYER].group_send(GROUP, hint)


_outgoing = Outgoing("game-hints", _send_all, _newer)


def _message(game_id: str, seq: int) -> Hint:
    return {"type": "game.hint", "game": game_id, "seq": seq}
