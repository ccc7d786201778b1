"""The parent of the running tree of `demo` and `serve`. `manage.py` starts the tree and replaces itself by
this program, which does not import Django and needs a tenth of the memory.

The process remains the same, and keeps its children, sockets and lock.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from deploy.process_tree.processes import Child, ProcessTree
from deploy.terminal import gettext as _

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
ROOT = Path(__file__).resolve().parents[2]


class AdoptedProcess:
    """A child that this process started before the supervisor replaced its program."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """Return the exit code, or None while the child runs."""
        if self.returncode is None:
            ended, status = os.waitpid(self.pid, os.WNOHANG)
            if ended:
                self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait until the child ends, and return its exit code. Raises subprocess.TimeoutExpired after
        `timeout` seconds.
        """
        deadline = None if timeout is None else time.monotonic() + timeout
        while (code := self.poll()) is None:
            if deadline is not None and time.monotonic() > deadline:
                raise subprocess.TimeoutExpired(str(self.pid), timeout or 0)
            time.sleep(0.02)
        return code

    def terminate(self) -> None:
        self._send(signal.SIGTERM)

    def kill(self) -> None:
        self._send(signal.SIGKILL)

    def _send(self, number: signal.Signals) -> None:
        if self.poll() is None:  # Else another process may have its id.
            os.kill(self.pid, number)


def replace_program(tree: ProcessTree, lock: int, others: Sequence[int], command: str) -> NoReturn:
    """Replace the program of this process by the supervisor of the running tree. lock: descriptor of the
    locked file of the var folder; others: further descriptors that children inherit; command: shown in
    process lists.

    A signal that arrives meanwhile is handled by the supervisor.
    """
    signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    state = {
        "folder": str(tree.folder),
        "logs": str(tree.logs),
        "lock": lock,
        "stopping": tree.stopping,
        "children": [_describe_child(child) for child in tree.children],
    }
    reading, writing = os.pipe()
    with os.fdopen(writing, "w") as file:  # Shorter than the buffer of a pipe.
        json.dump(state, file)
    pipes = [child.pipe for child in tree.children if child.pipe is not None]
    for descriptor in (reading, lock, *others, *pipes):
        os.set_inheritable(descriptor, True)
    sys.stdout.flush()
    sys.stderr.flush()
    os.chdir(ROOT)
    program = [sys.executable, "-m", "deploy.process_tree.supervisor", str(reading), command]
    os.execv(sys.executable, program)  # noqa: S606 - no shell runs, and the code sets the arguments


def _describe_child(child: Child) -> dict[str, Any]:
    return {
        "name": child.name,
        "command": list(child.command),
        "stop_seconds": child.stop_seconds,
        "fds": child.fds,
        "socket": str(child.socket) if child.socket else None,
        "pid": child.process.pid if child.process else None,
        "is_ready": child.is_ready,
        "started": child.started,
        "pipe": child.pipe,
        "heard": child.heard,
    }


def _adopt_child(state: dict[str, Any]) -> Child:
    child = Child(state["name"], state["command"], state["stop_seconds"], fds=tuple(state["fds"]))
    child.socket = Path(state["socket"]) if state["socket"] else None
    child.process = AdoptedProcess(state["pid"])
    child.is_ready, child.started = state["is_ready"], state["started"]
    child.pipe, child.heard = state["pipe"], state["heard"]
    return child


def print_line(text: str) -> None:
    """Print a line. A terminal that is closed is ignored, so that the process tree continues."""
    try:
        print(f"puur: {text}", flush=True)
    except OSError:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115 - until the end of the process


def main() -> int:
    with os.fdopen(int(sys.argv[1])) as file:
        state = json.load(file)
    with ProcessTree(Path(state["folder"]), Path(state["logs"]), print_line) as tree:
        for child in state["children"]:
            tree.adopt(_adopt_child(child))
        tree.stopping = state["stopping"]
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
        tree.watch()
        print_line(_("stopping ..."))
    os.ftruncate(state["lock"], 0)
    return 0


if __name__ == "__main__":
    sys.exit(main())
