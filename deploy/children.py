"""What a child process of `demo` and `serve` does for its parent: end with it, and say when it is ready."""

import contextlib
import ctypes
import os
import signal
import sys

READY_FD = "PUUR_READY_FD"
_PR_SET_PDEATHSIG = 1


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
    descriptor = os.environ.pop(READY_FD, None)
    if descriptor is not None:
        with contextlib.suppress(OSError), os.fdopen(int(descriptor), "w") as pipe:
            pipe.write("ready\n")
