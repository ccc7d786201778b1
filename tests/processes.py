"""Information about running processes."""

import contextlib
import os
import select
import time
from pathlib import Path


def command_line(pid: int) -> str:
    """The command line of a process; empty where it has ended."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    return ""


def children_of(parent: int) -> list[int]:
    """Direct children of a process, oldest first."""
    found = []
    for task in Path(f"/proc/{parent}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            found += [int(pid) for pid in task.read_text().split()]
    return sorted(found)


def still_running(pids: list[int], seconds: float = 20) -> list[str]:
    """Wait for the end of these processes; returns the command lines of those still running."""
    deadline = time.monotonic() + seconds
    left = []
    for pid in pids:
        try:
            handle = os.pidfd_open(pid)
        except ProcessLookupError:
            continue
        ended, _, _ = select.select([handle], [], [], max(0.0, deadline - time.monotonic()))
        os.close(handle)
        if not ended:
            left.append(f"{pid} {command_line(pid)}")
    return left
