"""Batch concurrent calls into one read, which runs in a thread for database reads."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Final, Generic, TypeVar

from games.live.threads import in_read_thread

MAX_BATCH_SIZE: Final = 400
"""Largest number of calls in one batch."""

A = TypeVar("A")
B = TypeVar("B")


class Together(Generic[A, B]):
    """Batcher of the concurrent calls in one event loop. `work`: returns the results of a list of calls, in
    the same order.
    """

    def __init__(self, work: Callable[[list[A]], Sequence[B]]) -> None:
        self._work = work
        self._waiting: list[tuple[A, asyncio.Future[B]]] = []
        self._task: asyncio.Task[None] | None = None

    def ask(self, asked: A) -> "asyncio.Future[B]":
        """Queue a call, and return a future for its result."""
        answer: asyncio.Future[B] = asyncio.get_running_loop().create_future()
        self._waiting.append((asked, answer))
        if self._task is None:
            self._task = asyncio.create_task(self._answer())
        return answer

    async def _answer(self) -> None:
        while self._waiting:
            some, self._waiting = self._waiting[:MAX_BATCH_SIZE], self._waiting[MAX_BATCH_SIZE:]
            answers: Sequence[B | Exception]
            try:
                answers = await in_read_thread(self._work, [asked for asked, _ in some])
            except Exception as error:
                answers = [error] * len(some)
            for (_, waiting), answer in zip(some, answers, strict=True):
                if waiting.cancelled():
                    continue
                if isinstance(answer, Exception):
                    waiting.set_exception(answer)
                else:
                    waiting.set_result(answer)
        self._task = None
