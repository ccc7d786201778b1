"""The real process tree of `manage.py serve` or `demo`, on a var folder and a port of its own."""

import contextlib
import json
import os
import queue
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from deploy.environment import BASE_DIR
from deploy.process_tree import embedded, valkey
from tests import measuring, templates
from tests.processes import children_of, command_line

ORGANISER = ("fredi", "Ein-Trumpf-im-Aermel-7")
Environment = Mapping[str, str] | None
KINDS = {
    "valkey": "valkey-server",
    "worker": "--app=deploy.celery",
    "beat": "[celery beat]",
    "web": "deploy.web",
}


class LiveTree:
    """A started tree: its address, its processes, its output."""

    def __init__(
        self,
        command: str,
        var: Path,
        *options: str,
        environment: Mapping[str, str] | None = None,
        source: Path = BASE_DIR,
    ) -> None:
        self.var = var
        self.said: list[str] = []
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._environment = {**outside(), "PUUR_VAR": str(var), "PUUR_LANGUAGE": "en", **(environment or {})}
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", command, *options],
            cwd=source,
            env={"PUUR_ORGANISER": ORGANISER[0], "PUUR_PASSWORD": ORGANISER[1], **self._environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        threading.Thread(target=self._read, daemon=True).start()

    @property
    def url(self) -> str:
        """http://127.0.0.1:PORT, once the tree is ready."""
        line = next(line for line in self.said if "ready: open " in line)
        return line.split("open ")[1].split()[0]

    def _read(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as lines:
            for line in lines:
                self._lines.put(line.rstrip())
        self._lines.put(None)

    def wait_for(self, text: str, seconds: float = 60) -> str:
        """The next output line that holds the text; otherwise an AssertionError with the whole output."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                line = self._lines.get(timeout=max(0.01, deadline - time.monotonic()))
            except queue.Empty:
                line = None
            if line is None:
                words = "\n".join([*self.said, self.logs()])
                raise AssertionError(f"it never said {text!r}; it said:\n{words}")
            self.said.append(line)
            if text in line:
                return line

    def logs(self) -> str:
        """The logs of its children."""
        return "\n".join(
            path.read_text(errors="replace") for path in sorted((self.var / "log").glob("*.log"))
        )

    def child(self, kind: str) -> int:
        """The process id of the `web`, `worker` or `valkey` child, or of the worker's `beat`.

        Waits for a child that is just starting: it takes its name only after its fork.
        """
        deadline = time.monotonic() + 60
        while True:
            family = [(pid, command_line(pid)) for pid in self.family()]
            for pid, line in family:
                if KINDS[kind] in line:
                    return pid
            assert time.monotonic() < deadline, f"there is no {kind} among {family}"
            time.sleep(0.05)

    def family(self) -> list[int]:
        """All processes under the parent, with the parent."""
        found = [self.process.pid]
        for pid in found:
            found += children_of(pid)
        return found

    def kill(self, kind: str) -> None:
        """kill -9 one process and wait until the tree reports that it runs again."""
        os.kill(self.child(kind), signal.SIGKILL)
        # On a busy machine a worker imports its modules for most of a minute.
        self.wait_for(f"{'worker' if kind == 'beat' else kind} is running again", seconds=180)

    def python(self, module: str, *arguments: str) -> Any:
        """Run a module in this place as a process of its own; returns its output as JSON."""
        done = subprocess.run(
            [sys.executable, "-m", module, *arguments],
            cwd=BASE_DIR,
            env={**self._environment, "REDIS_URL": f"unix://{valkey.choose_socket_path(self.var)}"},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def stop(self) -> int:
        """Stop the tree as Ctrl-C does; returns the exit code."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(timeout=60)


def outside() -> dict[str, str]:
    """The environment without the variables of the test run."""
    own = ("REDIS_URL", "SECRET_KEY", "DATABASE_URL")
    return {
        name: value for name, value in os.environ.items() if not name.startswith("PUUR_") and name not in own
    }


@contextlib.contextmanager
def running(
    command: str,
    var: Path,
    *options: str,
    environment: Mapping[str, str] | None = None,
    empty: bool = False,
    source: Path = BASE_DIR,
) -> Iterator[LiveTree]:
    """A ready tree of this `source`, removed completely afterwards. A regular shutdown takes seconds, so only
    measured trees get one. Tables are copied from a template; with `empty`, with a DATABASE_URL, and where no
    tests run (`manage.py faults`), the tree makes them.
    """
    copied = not empty and templates.HOME in os.environ and "DATABASE_URL" not in (environment or {})
    if copied and not (var / "puur.sqlite3").exists():
        var.mkdir(exist_ok=True)
        shutil.copyfile(templates.sqlite(), var / "puur.sqlite3")
        (var / embedded.DEMO_MARK).touch()
    tree = LiveTree(command, var, "--port", "0", *options, environment=environment, source=source)
    try:
        tree.wait_for("ready: open ", seconds=120)
        yield tree
    finally:
        family = tree.family()
        if measuring.are_children_measured():
            tree.process.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                tree.process.wait(timeout=30)
        for pid in family:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        tree.process.wait()
