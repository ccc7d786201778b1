"""After a commit: (game, seq) to whoever watches, as a hint that there is something to read; the game alone
where somebody has lost a right at it. A hint may get lost.

One thread a process sends them, so that a slow or absent Redis never holds up a play; hints of one game
that wait become one.
"""

import asyncio
import logging
import os
import threading

from asgiref.sync import async_to_sync
from channels import DEFAULT_CHANNEL_LAYER
from channels.layers import InMemoryChannelLayer, channel_layers, get_channel_layer

GROUP = "game-hints"
"""Group of the channel layer; messages {"type": "game.hint", "game": id, "seq": n}, and those of RIGHTS."""
RIGHTS = "game.rights"
"""The type of the messages {"type": RIGHTS, "game": id}: ask again who may still see what he sees."""
SEND_SECONDS = 2.0

Hint = dict[str, str | int]
log = logging.getLogger(__name__)


def publish(game_id: str, seq: int) -> None:
    """Tell the watchers. Returns at once and never raises."""
    _publish(_message(game_id, seq))


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
    _sender_of_this_process().put(hint)


class _Sender:
    def __init__(self) -> None:
        self.pid = os.getpid()
        self._waiting: dict[tuple[str, str], Hint] = {}
        self._wake = threading.Condition()
        threading.Thread(target=self._send_all, name="game-hints", daemon=True).start()

    def put(self, hint: Hint) -> None:
        key = (str(hint["type"]), str(hint["game"]))
        with self._wake:
            known = self._waiting.get(key)
            if known is None or int(known.get("seq", -1)) < int(hint.get("seq", -1)):
                self._waiting[key] = hint
            self._wake.notify()

    def _take(self) -> list[Hint]:
        with self._wake:
            while not self._waiting:
                self._wake.wait()
            taken, self._waiting = self._waiting, {}
            return list(taken.values())

    def _send_all(self) -> None:
        with asyncio.Runner() as runner:
            while True:
                for hint in self._take():
                    try:
                        runner.run(_send(hint))
                    except Exception as error:
                        log.warning("hint not sent: %s", type(error).__name__, extra={"game": hint["game"]})


async def _send(hint: Hint) -> None:
    async with asyncio.timeout(SEND_SECONDS):
        await channel_layers[DEFAULT_CHANNEL_LAYER].group_send(GROUP, hint)


_sender: _Sender | None = None
_starting = threading.Lock()


def _sender_of_this_process() -> _Sender:
    """Threads do not survive a fork: a worker's child starts its own."""
    global _sender
    with _starting:
        if _sender is None or _sender.pid != os.getpid():
            _sender = _Sender()
        return _sender


def _message(game_id: str, seq: int) -> Hint:
    return {"type": "game.hint", "game": game_id, "seq": seq}
