"""Batch concurrent calls into one read, which runs in a thread for database reads."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Final, Generic, TypeVar

from games.live.threads import in_read_thread

MAX_BATCH_SIZE: Final = 400
"""Largest number of calls in one batch."""

A = TypeVar("A")
B = TypeVar("B")


class Batcher(Generic[A, B]):
    """Batcher of the concurrent calls in one event loop. `work`: returns the results of a list of calls, in
    the same order.
    """

    def __init__(self, work: Callable[[list[A]], Sequence[B]]) -> None:
        self._work = work
        self._waiting: list[tuple[A, asyncio.Future[B]]] = []
        self._task: asyncio.Task[None] | None = None

    def enqueue(self, argument: A) -> "asyncio.Future[B]":
        """Queue a call, and return a future for its result."""
        future: asyncio.Future[B] = asyncio.get_running_loop().create_future()
        self._waiting.append((argument, future))
        if self._task is None:
            self._task = asyncio.create_task(self._run_batches())
        return future

    async def _run_batches(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting[:MAX_BATCH_SIZE], self._waiting[MAX_BATCH_SIZE:]
            results: Sequence[B | Exception]
            try:
                results = await in_read_thread(self._work, [argument for argument, _ in batch])
            except Exception as error:
                results = [error] * len(batch)
            for (_, future), result in zip(batch, results, strict=True):
                if future.cancelled():
                    continue
                if isinstance(result, Exception):
                    future.set_exception(result)
                else:
                    future.set_result(result)
        self._task = None
