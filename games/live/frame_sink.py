"""Outgoing messages of one client: a bounded queue, and the one task that writes to its socket.

A client that reads too slowly loses its queued messages and has to read again (`resync`). At a second
overflow within half a minute it is disconnected. Other clients never wait for a slow one.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from time import monotonic
from typing import Any, Final

from websockets.frames import Frame, Opcode

from games.close_codes import Closing
from games.monitoring import counters
from games.observed import frames

QUEUE_SIZE: Final = 64
OVERFLOW_WINDOW_SECONDS: Final = 30.0
"""Seconds within which a second overflow ends the connection."""
CLOSE_TIMEOUT_SECONDS: Final = 2.0
"""Seconds to wait until the close frame is sent."""

Message = dict[str, Any]
Send = Callable[[Message], Awaitable[None]]
Write = Callable[[bytes], bool]
"""Function that writes a whole frame at once if the client accepts it now, and returns whether it did."""


class Outbox:
    """The outgoing queue of one client; all methods run on the event loop of its socket.

    `on_gone` is called when the writer task ends, for any reason. `write` writes a frame at once, so that the
    writer task runs only for a slow client. Without it, waking the tasks is most of the work of a hub with
    many clients.
    """

    __slots__ = (
        *(
            "_closing",
            "_on_gone",
            "_last_overflow",
            "_send",
            "_task",
            "_queue",
            "_new_message",
            "_write_now",
            "_writing",
        ),
        "game_id",
    )

    def __init__(
        self, send: Send, game_id: str, on_gone: Callable[[], object], write: Write | None = None
    ) -> None:
        self.game_id = game_id
        self._send = send
        self._write_now = write
        self._writing = False
        self._on_gone = on_gone
        self._queue: deque[Message] = deque()
        self._new_message: asyncio.Future[None] | None = None
        self._last_overflow = -OVERFLOW_WINDOW_SECONDS
        self._closing: int | None = None
        self._task = asyncio.create_task(self._run())

    def put(self, message: Message, seq: int) -> None:
        """Write or queue a message; `seq`: the last seq of the game, for a client that has to read again."""
        if self._closing is not None:
            return
        if self._write_at_once(message["frame"]):
            counters.frames.add()
        elif len(self._queue) < QUEUE_SIZE:
            self._queue.append(message)
            self._wake_writer()
        else:
            self._overflow(seq)

    def offer(self, messages: Sequence[Message], together: bytes) -> None:
        """Write or queue optional messages. They are dropped if the queue would be more than half full.
        `together`: the frames of all messages, joined.
        """
        if self._closing is not None:
            return
        if self._write_at_once(together):
            counters.frames.add(times=len(messages))
        elif len(self._queue) + len(messages) <= QUEUE_SIZE // 2:
            self._queue.extend(messages)
            self._wake_writer()

    def _write_at_once(self, frame: bytes) -> bool:
        """Write a frame at once if nothing is queued or being written. Return whether the frame was
        written.
        """
        if self._write_now is None or self._queue or self._writing:
            return False
        return self._write_now(frame)

    def close(self, code: int) -> None:
        """End the connection with this close code once the queue is written."""
        if self._closing is None:
            self._closing = code
            self._wake_writer()

    def abandon(self) -> None:
        """Stop writing: the client is gone."""
        self._task.cancel()

    async def _run(self) -> None:
        try:
            await self._write()
            async with asyncio.timeout(CLOSE_TIMEOUT_SECONDS):
                await self._send({"type": "websocket.close", "code": self._closing})
        except (OSError, TimeoutError):
            pass  # the client is gone, or accepts no more data
        finally:
            self._on_gone()

    async def _write(self) -> None:
        """Write queued messages until `close` was called and the queue is empty."""
        try:
            while self._queue or self._closing is None:
                if self._queue:
                    self._writing = True
                    await self._send(self._queue.popleft())
                    self._writing = False
                    counters.frames.add()
                else:
                    self._new_message = asyncio.get_running_loop().create_future()
                    await self._new_message
        except asyncio.CancelledError:
            if self._closing is None:
                raise  # cancelled from outside

    def _overflow(self, seq: int) -> None:
        now = monotonic()
        self._queue.clear()
        if now - self._last_overflow < OVERFLOW_WINDOW_SECONDS:
            counters.resyncs.add("let_go")
            self._closing = Closing.TRY_LATER
            self._task.cancel()  # the task waits for a client that does not read
            return
        counters.resyncs.add("slow")
        self._last_overflow = now
        self._queue.append(make_message(frames.resync(self.game_id, seq)))

    def _wake_writer(self) -> None:
        if self._new_message is not None and not self._new_message.done():
            self._new_message.set_result(None)


def make_message(text: str) -> Message:
    """Return the ASGI message of a text, with its encoded frame. The same message may be sent to many
    clients.
    """
    frame = Frame(Opcode.TEXT, text.encode()).serialize(mask=False)
    return {"type": "websocket.send", "text": text, "frame": frame}
