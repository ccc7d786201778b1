"""What a child of `demo` and `serve` does for its parent: end with it, say that it is ready, and lives."""

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
    """Ask Linux to kill this process when its parent, process `parent`, ends, however that ends. Other
    systems cannot.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # it ended before the kernel knew what to do then
            os._exit(1)


def tell_ready() -> None:
    """Write one line to the pipe the parent waits on; once, and only where there is a parent that waits."""
    global _pipe
    descriptor = os.environ.pop(READY_FD, None)
    if descriptor is not None:
        _pipe = int(descriptor)
        os.set_blocking(_pipe, False)
        os.set_inheritable(_pipe, False)
        _say(b"ready\n")


def tell_alive() -> None:
    """A sign of life to the same parent, which starts anew who has once given one and gives none any more."""
    _say(b".")


def _say(word: bytes) -> None:
    if _pipe is not None:
        with contextlib.suppress(OSError):
            os.write(_pipe, word)
