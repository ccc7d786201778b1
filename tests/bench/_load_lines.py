"""A process of clients that answers each input line with one output line."""

import json
import subprocess
import sys
from typing import Any

from deploy.environment import BASE_DIR


class Clients:
    """`python -m MODULE ARGUMENTS`; `ready` is its first line, printed once its sockets are open."""

    def __init__(self, module: str, *arguments: object, first: Any = None) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", module, *map(str, arguments)],
            cwd=BASE_DIR,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        if first is not None:
            self._say(first)

    def ready(self) -> dict[str, Any]:
        return self._hear()

    def ask(self, line: Any) -> dict[str, Any]:
        self._say(line)
        return self._hear()

    def leave(self) -> None:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.close()
        self._process.wait(timeout=60)
        self._process.stdout.close()

    def _say(self, line: Any) -> None:
        assert self._process.stdin
        self._process.stdin.write(json.dumps(line) + "\n")
        self._process.stdin.flush()

    def _hear(self) -> dict[str, Any]:
        assert self._process.stdout
        told: dict[str, Any] = json.loads(self._process.stdout.readline())
        return told
