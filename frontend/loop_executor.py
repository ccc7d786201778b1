"""A thread pool for database queries from the event loop. It is independent of all other pools."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from django.db import close_old_connections

P = ParamSpec("P")
T = TypeVar("T")


class LoopExecutor:
    def __init__(self, name: str, *, threads: int) -> None:
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix=name)

    async def run(self, question: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        def asked() -> T:
            close_old_connections()
            try:
                return question(*args, **kwargs)
            finally:
                close_old_connections()

        return await asyncio.get_running_loop().run_in_executor(self._threads, asked)
