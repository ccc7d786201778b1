"""What a child does for its parent, tried with a real child: end with it, say that it is ready and lives."""

import os
import subprocess
import sys

from deploy.environment import BASE_DIR
from deploy.process_tree.children import READY_FD

BOUND = """
import ctypes, os, sys
from deploy.process_tree.children import end_with_parent

end_with_parent(int(sys.argv[1]))
signal = ctypes.c_int()
ctypes.CDLL(None).prctl(2, ctypes.byref(signal))  # PR_GET_PDEATHSIG
print(signal.value)
"""
TELLING = """
import os
from deploy.process_tree.children import send_alive, send_ready

send_alive()  # before anybody was told that it is ready
send_ready()
send_ready()
send_alive()
"""


def child(program: str, *arguments: str, **more: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(command, cwd=BASE_DIR, env={**os.environ, **more}, capture_output=True, text=True)


def test_a_child_asks_to_be_killed_when_its_parent_ends() -> None:
    assert child(BOUND, str(os.getpid())).stdout == "9\n"


def test_a_child_whose_parent_has_ended_already_ends_at_once() -> None:
    done = child(BOUND, "1" if os.getppid() != 1 else "2")
    assert (done.returncode, done.stdout) == (1, "")


def test_a_child_says_once_that_it_is_ready_and_then_that_it_lives() -> None:
    reading, writing = os.pipe()
    command = [sys.executable, "-c", TELLING]
    environment = {**os.environ, READY_FD: str(writing)}
    subprocess.run(command, cwd=BASE_DIR, env=environment, pass_fds=[writing], check=True)
    os.close(writing)
    with os.fdopen(reading) as said:
        assert said.read() == "ready\n."


def test_a_child_without_a_parent_that_waits_says_nothing_and_one_whose_parent_has_gone_goes_on() -> None:
    assert child(TELLING).returncode == 0
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-c", TELLING]
    environment = {**os.environ, READY_FD: str(writing)}
    assert subprocess.run(command, cwd=BASE_DIR, env=environment, pass_fds=[writing]).returncode == 0
    os.close(writing)
