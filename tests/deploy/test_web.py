"""The web process as systemd starts it: several processes at one socket that was opened for them."""

import errno
import logging
import os
import signal
import socket
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import httpx
import pytest

from deploy import web
from deploy.environment import BASE_DIR, BadSetting
from deploy.limits import sockets
from deploy.process_tree.children import end_with_parent
from tests.processes import children_of, command_line, still_running


def test_two_processes_share_a_socket_and_end_together() -> None:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(100)
        process = subprocess.Popen(
            [sys.executable, "-m", "deploy.web", "--fd", str(listening.fileno()), "--workers", "2"],
            cwd=BASE_DIR,
            env=dict(os.environ),
            pass_fds=[listening.fileno()],
            preexec_fn=partial(end_with_parent, os.getpid()),
        )
        try:  # who asks early waits in the socket
            health = f"http://127.0.0.1:{listening.getsockname()[1]}/healthz"
            assert httpx.get(health, timeout=120).text == "ok\n"
            family = children_of(process.pid)
            assert sum("spawn_main" in command_line(pid) for pid in family) == 2
            process.send_signal(signal.SIGTERM)
            assert process.wait(timeout=60) == 0
            assert still_running(family) == []
        finally:
            process.kill()
            process.wait()


def test_a_process_listens_where_it_is_told(tmp_path: Path) -> None:
    path = tmp_path / "web.sock"
    for _ in range(2):  # the second one finds what the first one has left behind
        with web.open_socket(f"unix:{path}") as listening:
            assert listening.getsockname() == str(path)
    with web.open_socket("127.0.0.1:0") as listening:
        port = listening.getsockname()[1]
        with pytest.raises(BadSetting, match=r"cannot listen on 127\.0\.0\.1"):
            web.open_socket(f"127.0.0.1:{port}")
    with web.open_socket("[::1]:0") as listening:
        assert listening.family == socket.AF_INET6


@pytest.mark.parametrize("address", ["8000", "127.0.0.1", "127.0.0.1:x", "127.0.0.1:99999", ":8000"])
def test_a_wrong_place_to_listen_is_named(address: str) -> None:
    with pytest.raises(BadSetting, match="where to listen must be HOST:PORT"):
        web.open_socket(address)


def test_without_a_place_to_listen_the_process_says_what_is_missing() -> None:
    environment = {name: value for name, value in os.environ.items() if name != "PUUR_BIND"}
    command = [sys.executable, "-m", "deploy.web"]
    done = subprocess.run(command, cwd=BASE_DIR, env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (
        1,
        "puur: where to listen is missing: --bind HOST:PORT, or PUUR_BIND\n",
    )


@pytest.mark.parametrize(
    ("variables", "content", "said"),
    [
        ({}, None, "there is no data key: put your copy at "),
        ({}, "garbage\n", "this is no file of data keys: "),
        ({"SECRET_KEY_FILE": "/nowhere"}, None, "SECRET_KEY_FILE names a file that cannot be read"),
    ],
)
def test_a_process_that_cannot_start_says_why_in_one_line(
    variables: dict[str, str], content: str | None, said: str, tmp_path: Path
) -> None:
    key = tmp_path / "data_key"
    if content is not None:
        key.write_text(content)
        key.chmod(0o600)
    kept = {
        name: value for name, value in os.environ.items() if name not in {"SECRET_KEY", "SECRET_KEY_FILE"}
    }
    environment = {**kept, "PUUR_VAR": str(tmp_path), "PUUR_DATA_KEY": str(key), **variables}
    command = [sys.executable, "-m", "deploy.web", "--bind", f"unix:{tmp_path}/web.sock"]
    done = subprocess.run(command, cwd=BASE_DIR, env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert done.stderr.startswith(f"puur: {said}")
    assert done.stderr.count("\n") == 1


HANGS_ONCE = """
import os, time
from deploy import web

mark = os.environ["MARK"]
web.HANGING_SECONDS = 1.0
on_tick = web.Server.on_tick

async def hang_once(self, counter):
    try:
        with open(mark, "x") as file:
            file.write("x")
    except FileExistsError:
        return await on_tick(self, counter)
    self._last_tick = time.monotonic()
    time.sleep(1e6)

web.Server.on_tick = hang_once
if __name__ == "__main__":
    web.main()
"""


@pytest.mark.slow
def test_a_process_whose_loop_hangs_is_started_anew(tmp_path: Path) -> None:
    script, mark = tmp_path / "hangs_once.py", tmp_path / "mark"
    script.write_text(HANGS_ONCE)
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(100)
        process = subprocess.Popen(
            [sys.executable, str(script), "--fd", str(listening.fileno()), "--workers", "2"],
            cwd=BASE_DIR,
            env={**os.environ, "PYTHONPATH": str(BASE_DIR), "MARK": str(mark)},
            pass_fds=[listening.fileno()],
            preexec_fn=partial(end_with_parent, os.getpid()),
        )
        try:
            seen: set[int] = set()
            deadline = time.monotonic() + 240
            while len(seen) < 3 and time.monotonic() < deadline:
                found = [pid for pid in children_of(process.pid) if "spawn_main" in command_line(pid)]
                seen.update(found)
                time.sleep(0.2)
            assert (mark.exists(), len(seen)) == (True, 3)
            health = f"http://127.0.0.1:{listening.getsockname()[1]}/healthz"
            assert httpx.get(health, timeout=120).text == "ok\n"
            process.send_signal(signal.SIGTERM)
            assert process.wait(timeout=60) == 0
        finally:
            left = [process.pid, *children_of(process.pid)] if process.poll() is None else []
            for pid in left:
                os.kill(pid, signal.SIGKILL)
            process.wait()


def test_a_client_that_is_gone_without_a_word_is_let_go(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nothing on this machine loses packets: one that takes nothing confirms nothing new either."""
    monkeypatch.setattr(sockets, "UNHEARD_SECONDS", 1)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        sockets.drop_unresponsive_clients(listening)
        with socket.create_connection(listening.getsockname()):
            accepted, _ = listening.accept()
            accepted.settimeout(30)
            with accepted, pytest.raises(TimeoutError) as ended:
                accepted.sendall(bytes(1 << 26))
    assert ended.value.errno == errno.ETIMEDOUT


def test_no_line_is_written_for_each_answer() -> None:
    assert not logging.getLogger("uvicorn.access").propagate
