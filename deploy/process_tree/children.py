"""Functions for a child of `demo` or `serve`: end with the parent, report readiness and liveness."""

import contextlib
import ctypes
import os
import signal
import sys

READY_FD = "PUUR_READY_FD"
ALIVE_SECONDS = 5.0
_PR_SET_PDEATHSIG = 1
_pipe: int | None = None


def end_with_parent(parent: int) -> None:
    """Ask the kernel to kill this process when its parent, the process with id `parent`, ends. Linux only."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # The parent ended before the request took effect.
            os._exit(1)


def send_ready() -> None:
    """Report to the parent that this process is ready, by one line on a pipe. Without a pipe, and after the
    first call, this does nothing.
    """
    global _pipe
    descriptor = os.environ.pop(READY_FD, None)
    if descriptor is not None:
        _pipe = int(descriptor)
        os.set_blocking(_pipe, False)
        os.set_inheritable(_pipe, False)
        _send_word(b"ready\n")


def send_alive() -> None:
    """Report to the parent that this process is alive. The parent restarts a child that stops reporting."""
    _send_word(b".")


def _send_word(word: bytes) -> None:
    if _pipe is not None:
        with contextlib.suppress(OSError):
            os.write(_pipe, word)
