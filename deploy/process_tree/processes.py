"""The process tree of `demo` and `serve`. This process is the parent of all others.

This module needs only the standard library, because `deploy.process_tree.supervisor` watches the tree without
Django.

Each child has a session of its own, so Ctrl-C reaches only the parent, which then stops the children in
order. If the parent ends in any other way, Linux kills each child. A child that has ended is restarted;
a child that stops reporting is killed first.
"""

import contextlib
import dataclasses
import os
import selectors
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Protocol

from deploy.process_tree import children, valkey
from deploy.terminal import gettext as _

FIRST_PAUSE = 0.2
MAX_RESTART_PAUSE_SECONDS = 10.0
STEADY_SECONDS = 30.0
MAX_LOG_BYTES = 5_000_000
KEPT_LOGS = 3
"""Number of earlier parts of a log that are kept, from `web.log.1` (the newest) to `web.log.3`."""
TEND_SECONDS = 30.0
"""Seconds between two checks of the sizes of logs and of the free disk space."""
LOW_MEGABYTES = 500
"""Free disk space in megabytes below which the terminal warns; the same as in games.monitoring.condition."""
SILENT_SECONDS = 45.0
"""Seconds without a liveness report after which a child counts as hung."""
FOR_THE_PARENT = frozenset({"PUUR_PASSWORD"})
"""Variables that only the parent reads, before it has children. Children do not get them, because process
lists show a process's environment.
"""


class Process(Protocol):
    """The part of `subprocess.Popen` that the process tree uses."""

    pid: int
    returncode: int | None

    def poll(self) -> int | None: ...
    def wait(self, timeout: float | None = None) -> int: ...
    def terminate(self) -> None: ...
    def kill(self) -> None: ...


class StartFailedError(Exception):
    """A child has ended (the message contains its last output), or has not become ready in time."""


@dataclasses.dataclass
class Child:
    """One program that is kept running.

    stop_seconds: time for a graceful end, after which its whole process group is killed. fds: file
    descriptors that it inherits. socket: it is ready when this socket accepts connections; None: when it
    reports on PUUR_READY_FD. pause: seconds from its next end to its restart. again_at: time of a pending
    restart. pipe: the end of the pipe from which its reports are read. heard: time of its last report.
    """

    name: str
    command: Sequence[str]
    stop_seconds: float
    fds: tuple[int, ...] = ()
    socket: Path | None = None
    process: Process | None = None
    is_ready: bool = False
    started: float = 0.0
    pause: float = FIRST_PAUSE
    again_at: float | None = None
    restarted: bool = False
    pipe: int | None = None
    heard: float | None = None


class ProcessTree:
    """The children of this process, which it starts, watches, and stops in reverse order."""

    def __init__(self, folder: Path, logs: Path, say: Callable[[str], None]) -> None:
        self.folder = folder
        self.logs = logs
        self.say = say
        self.children: list[Child] = []
        self.stopping = 0
        self._tended = float("-inf")
        self._disk_is_low = False
        self._doing = False
        self._selector = selectors.DefaultSelector()
        self._wakeup, self._waker = os.pipe()
        for end in (self._wakeup, self._waker):
            os.set_blocking(end, False)
        self._selector.register(self._wakeup, selectors.EVENT_READ)
        self._before: dict[int, Callable[[int, FrameType | None], object] | int | None] = {}

    def __enter__(self) -> "ProcessTree":
        signal.set_wakeup_fd(self._waker, warn_on_full_buffer=False)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            nohup = number == signal.SIGHUP and signal.getsignal(number) is signal.SIG_IGN
            if not nohup:
                self._before[number] = signal.signal(number, self._handle_stop_signal)
        self._before[signal.SIGCHLD] = signal.signal(signal.SIGCHLD, lambda *_: None)
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        signal.set_wakeup_fd(-1)
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._selector.close()
        os.close(self._wakeup)
        os.close(self._waker)

    def start(self, child: Child) -> None:
        """Start a child. If it has a socket, wait until that accepts connections. Raises RuntimeError."""
        self.children.append(child)
        self._start(child)

    def wait_ready(self, seconds: float = 60) -> None:
        """Wait until every child is ready or a stop is requested. Raises StartFailedError if one ends or is
        not ready within `seconds`.
        """
        deadline = time.monotonic() + seconds
        while waiting := [child for child in self.children if not child.is_ready]:
            self._wait_for_events(max(0.0, deadline - time.monotonic()))
            if self.stopping:
                return
            for child in waiting:
                if child.process is None or child.process.poll() is not None:
                    raise StartFailedError(
                        _("%(child)s ended immediately:") % {"child": child.name}
                        + f"\n{self.read_last_words(child)}"
                    )
                if not child.is_ready and time.monotonic() > deadline:
                    raise StartFailedError(
                        _("%(child)s is not ready after %(seconds)s s")
                        % {"child": child.name, "seconds": round(seconds)}
                    )

    def do(self, step: Callable[[], None]) -> None:
        """Run a step of the parent. Ctrl-C interrupts it; after a stop request it is skipped."""
        self._doing = True
        try:
            if not self.stopping:
                step()
        except KeyboardInterrupt:
            pass
        finally:
            self._doing = False

    def watch(self) -> None:
        """Keep every child running until this process is asked to stop."""
        while not self.stopping:
            if time.monotonic() - self._tended >= TEND_SECONDS:
                self._tend()
            self._kill_silent()
            for child in self.children:
                if child.process is not None and child.process.poll() is not None:
                    self._handle_end(child, child.process)
                if child.again_at is not None and time.monotonic() >= child.again_at:
                    with contextlib.suppress(
                        RuntimeError
                    ):  # It ended again: the next iteration handles that.
                        self._start(child)
            times = [child.again_at for child in self.children if child.again_at]
            times += [child.heard + SILENT_SECONDS for child in self.children if child.heard is not None]
            times.append(self._tended + TEND_SECONDS)
            self._wait_for_events(max(0.0, min(times) - time.monotonic()))

    def _tend(self) -> None:
        """Limit the sizes of logs, and tell the terminal when the disk is nearly full and when it no longer
        is.
        """
        self._tended = time.monotonic()
        for child in self.children:
            rotate_log(self._find_log(child))
        with contextlib.suppress(OSError):
            left = shutil.disk_usage(self.logs).free >> 20
            if (left < LOW_MEGABYTES) != self._disk_is_low:
                self._disk_is_low = not self._disk_is_low
                self.say(
                    _("the disk is nearly full: only %(number)s MB are free; free some space soon")
                    % {"number": left}
                    if self._disk_is_low
                    else _("the disk has enough free space again")
                )

    def _kill_silent(self) -> None:
        """Kill children that have stopped reporting that they are alive. They are restarted."""
        if any(_is_silent(child) for child in self.children):
            self._wait_for_events(0.0)  # This process itself may have been suspended.
        for child in filter(_is_silent, self.children):
            if child.process is not None:
                self.say(
                    _("%(child)s has given no sign of life for %(seconds)s s")
                    % {"child": child.name, "seconds": round(SILENT_SECONDS)}
                )
                _kill_group(child.process)
                child.process.wait()

    def stop(self) -> None:
        """Stop the web process, then the worker, then Valkey. A second Ctrl-C kills them without waiting."""
        for child in reversed(self.children):
            if child.process is None:
                continue
            deadline = time.monotonic() + child.stop_seconds
            with contextlib.suppress(ProcessLookupError):
                child.process.terminate()
            while child.process.poll() is None and time.monotonic() < deadline and self.stopping < 2:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    child.process.wait(timeout=0.1)
            _kill_group(child.process)
            child.process.wait()
            self._stop_listening(child)
        self.children.clear()

    def read_last_words(self, child: Child) -> str:
        """Return the last 2,000 characters of a child's output."""
        with contextlib.suppress(OSError):
            return self._find_log(child).read_text(errors="replace")[-2000:].strip()
        return ""

    def _start(self, child: Child) -> None:
        self.logs.mkdir(parents=True, exist_ok=True)
        path = self._find_log(child)
        rotate_log(path)
        ready, said = os.pipe()
        with path.open("ab") as log:
            child.process = started = subprocess.Popen(
                child.command,
                cwd=self.folder,
                env=_make_child_environment(said),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                pass_fds=(*child.fds, said),
                start_new_session=True,
                preexec_fn=partial(children.end_with_parent, os.getpid()),
            )
        os.close(said)
        child.started = time.monotonic()
        child.again_at = None
        child.is_ready = False
        if child.socket is None:
            self._watch_pipe(child, ready)
            return
        os.close(ready)
        valkey.wait_until_accepting(started, child.socket, path)
        self._mark_ready(child)

    def _watch_pipe(self, child: Child, pipe: int) -> None:
        child.pipe = pipe
        self._selector.register(pipe, selectors.EVENT_READ, child)

    def adopt(self, child: Child) -> None:
        """Add a child that the program before the supervisor has started."""
        self.children.append(child)
        if child.pipe is not None:
            self._watch_pipe(child, child.pipe)

    def _find_log(self, child: Child) -> Path:
        return self.logs / f"{child.name}.log"

    def _handle_end(self, child: Child, process: Process) -> None:
        _kill_group(process)
        if time.monotonic() - child.started > STEADY_SECONDS:
            child.pause = FIRST_PAUSE
        self.say(
            _("%(child)s %(ended)s; starting it again in %(seconds)s s")
            % {
                "child": child.name,
                "ended": _describe_exit(process.returncode or 0),
                "seconds": f"{child.pause:.1f}",
            }
        )
        self._stop_listening(child)
        child.process = None
        child.is_ready = False
        child.restarted = True
        child.again_at = time.monotonic() + child.pause
        child.pause = min(2 * child.pause, MAX_RESTART_PAUSE_SECONDS)

    def _wait_for_events(self, seconds: float | None) -> None:
        """Wait for a signal, the end of a child, or a report of a child, at most so many seconds."""
        for key, _events in self._selector.select(seconds):
            if key.data is None:
                with contextlib.suppress(BlockingIOError):
                    os.read(self._wakeup, 512)
                continue
            child: Child = key.data
            said = os.read(key.fd, 512)
            if not said:
                self._stop_listening(child)
            elif not child.is_ready:
                self._mark_ready(child)
            if b"." in said:
                child.heard = time.monotonic()

    def _stop_listening(self, child: Child) -> None:
        if child.pipe is not None:
            self._selector.unregister(child.pipe)
            os.close(child.pipe)
        child.pipe = child.heard = None

    def _mark_ready(self, child: Child) -> None:
        child.is_ready = True
        if child.restarted:
            self.say(_("%(child)s is running again") % {"child": child.name})

    def _handle_stop_signal(self, number: int, frame: FrameType | None) -> None:
        self.stopping += 1
        if self._doing:
            raise KeyboardInterrupt


def _is_silent(child: Child) -> bool:
    return child.heard is not None and time.monotonic() - child.heard > SILENT_SECONDS


def _make_child_environment(ready: int) -> Mapping[str, str]:
    """Return the environment for a child, without the variables that only the parent reads. `ready`:
    descriptor for its reports.
    """
    known = {name: value for name, value in os.environ.items() if name not in FOR_THE_PARENT}
    return {**known, children.READY_FD: str(ready), "PYTHONUNBUFFERED": "1"}


def rotate_log(path: Path) -> None:
    """Move the content of a log above MAX_LOG_BYTES to a file beside it; the newest KEPT_LOGS of these files
    are kept. The child continues to write to the log, and a line that it writes at this moment may be lost.
    If the disk is full, the log stays as it is.
    """
    with contextlib.suppress(OSError):
        if path.stat().st_size <= MAX_LOG_BYTES:
            return
        parts = [path.with_name(f"{path.name}.{number}") for number in range(1, KEPT_LOGS + 1)]
        for older, newer in zip(reversed(parts), reversed(parts[:-1]), strict=False):
            if newer.exists():
                newer.replace(older)
        shutil.copyfile(path, parts[0])
        os.truncate(path, 0)


def _kill_group(process: Process) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _describe_exit(returncode: int) -> str:
    if returncode < 0:
        return _("was ended by %(signal)s") % {"signal": signal.Signals(-returncode).name}
    return _("ended with code %(code)s") % {"code": returncode}
