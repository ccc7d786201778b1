"""The end of a command line without a traceback: after Ctrl-C, a closed pipe and a full disk."""

import os
import sys
from collections.abc import Callable
from typing import Final

INTERRUPTED: Final = 130
"""The exit code of a shell for a program that Ctrl-C has ended."""


def run_to_end(act: Callable[[], int]) -> int:
    """Run `act` and return its exit code: 0 if nobody reads its output any more, 2 if the output cannot be
    written. Without standard input the input is empty; without standard output the output is discarded.
    """
    sys.stdin = sys.stdin or open(os.devnull, encoding="utf-8")  # noqa: SIM115 - open until the end
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - open until the end
    try:
        code = act()
        sys.stdout.flush()
    except KeyboardInterrupt:
        code = INTERRUPTED
    except BrokenPipeError:
        code = 0
    except OSError as error:
        sys.stderr.write(f"output/unwritable: {error.strerror}\n")
        code = 2
    else:
        return code
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left would fail at the exit
    return code
