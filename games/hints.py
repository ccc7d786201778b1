"""After a commit: (game, seq) to whoever watches, as a hint that there is something to read. It may get lost.

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
"""Group of the channel layer; messages {"type": "game.hint", "game": id, "seq": n}."""
SEND_SECONDS = 2.0

log = logging.getLogger(__name__)


def publish(game_id: str, seq: int) -> None:
    """Tell the watchers. Returns at once and never raises."""
    layer = get_channel_layer()
    if layer is None:
        return
    if isinstance(layer, InMemoryChannelLayer):
        # Its queues belong to this process and do not wake a loop from another thread.
        async_to_sync(layer.group_send)(GROUP, _message(game_id, seq))
        return
    _sender_of_this_process().put(game_id, seq)


class _Sender:
    def __init__(self) -> None:
        self.pid = os.getpid()
        self._waiting: dict[str, int] = {}
        self._wake = threading.Condition()
        threading.Thread(target=self._send_all, name="game-hints", daemon=True).start()

    def put(self, game_id: str, seq: int) -> None:
        with self._wake:
            self._waiting[game_id] = max(seq, self._waiting.get(game_id, -1))
            self._wake.notify()

    def _take(self) -> dict[str, int]:
        with self._wake:
            while not self._waiting:
                self._wake.wait()
            taken, self._waiting = self._waiting, {}
            return taken

    def _send_all(self) -> None:
        with asyncio.Runner() as runner:
            while True:
                for game_id, seq in self._take().items():
                    try:
                        runner.run(_send(game_id, seq))
                    except Exception as error:
                        log.warning("hint not sent: %s", type(error).__name__, extra={"game": game_id})


async def _send(game_id: str, seq: int) -> None:
    async with asyncio.timeout(SEND_SECONDS):
        await channel_layers[DEFAULT_CHANNEL_LAYER].group_send(GROUP, _message(game_id, seq))


_sender: _Sender | None = None
_starting = threading.Lock()


def _sender_of_this_process() -> _Sender:
    """Threads do not survive a fork: a worker's child starts its own."""
    global _sender
    with _starting:
        if _sender is None or _sender.pid != os.getpid():
            _sender = _Sender()
        return _sender


def _message(game_id: str, seq: int) -> dict[str, str | int]:
    return {"type": "game.hint", "game": game_id, "seq": seq}
