"""The web process as systemd starts it: several processes at one socket that was opened for them."""

import os
import signal
import socket
import subprocess
import sys
from functools import partial

import httpx

from deploy.environment import BASE_DIR
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
