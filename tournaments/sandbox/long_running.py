"""Confined processes that run for minutes, for workers that have to renew their lease meanwhile."""

import subprocess
import sys
import time
from collections.abc import Callable
from typing import Final

from tournaments.sandbox.running import PROGRAM, ConfinedResult, TookTooMuch, read_answer

BEAT_SECONDS: Final = 3
WALL_FACTOR: Final = 2
"""Seconds of wall time allowed for each second of processor time."""


class NoLongerWanted(Exception):
    """The caller's `wanted` returned False while the process was running."""


def run_long(
    name: str, data: bytes, *, memory: int, seconds: int, wanted: Callable[[], bool]
) -> ConfinedResult:
    """Run the module `name` on a file, with at most `memory` bytes and `seconds` of processor time.

    Calls `wanted` every few seconds; if it returns False, kills the process and raises NoLongerWanted. Raises
    TookTooMuch at a limit, RuntimeError if the process fails.
    """
    command = [sys.executable, "-I", "-X", "utf8", str(PROGRAM), name, str(memory), str(seconds)]
    end = time.monotonic() + WALL_FACTOR * seconds
    sent: bytes | None = data
    # The empty environment keeps keys and addresses from the process.
    with subprocess.Popen(  # noqa: S603 - a program of ours; the file of a person is only in its input
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={}
    ) as child:
        try:
            while True:
                try:
                    out, errors = child.communicate(sent, timeout=BEAT_SECONDS)
                    break
                except subprocess.TimeoutExpired:
                    sent = None  # it is on its way
                    if not wanted():
                        raise NoLongerWanted from None
                    if time.monotonic() > end:
                        raise TookTooMuch from None
        finally:
            child.kill()
    return read_answer(name, child.returncode, out, errors)
