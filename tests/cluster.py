"""A PostgreSQL cluster of our own, made in a temporary folder, that tests may kill and start again."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import tempfile
from pathlib import Path

from tests.processes import children_of, still_running

ROOM_BYTES = 2 * 1024**3
"""Far more than the databases of five workers take."""


def binaries() -> Path | None:
    """The folder of initdb and postgres, the newest first; None where they are not installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), reverse=True)
    on_path = shutil.which("initdb")
    candidates = [*found, *([Path(on_path).resolve()] if on_path else [])]
    return next((path.parent for path in candidates if (path.parent / "postgres").exists()), None)


def in_memory() -> str | None:
    """The folder of a file system in memory, on which a database is copied in a twentieth of the time; None
    where there is none or too little of it."""
    folder = Path("/dev/shm")  # mkdtemp makes the folder in it
    if os.access(folder, os.W_OK) and shutil.disk_usage(folder).free > ROOM_BYTES:
        return str(folder)
    return None


class Cluster:
    """A running server with fsync on, at a port that it keeps; as root it runs as the user `postgres`."""

    def __init__(self, tools: Path, folder: str | None = None) -> None:
        """`folder`: where its files go, by default with other temporary files."""
        self._tools = tools
        self.home = Path(tempfile.mkdtemp(prefix="puur-pg-", dir=folder))
        self._data = self.home / "data"
        self._prefix: list[str] = []
        if os.geteuid() == 0:
            shutil.chown(self.home, "postgres")
            self._prefix = ["runuser", "-u", "postgres", "--"]
        self._run("initdb", "-D", self._data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync")
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        self.start()

    @property
    def url(self) -> str:
        """The address of its first database."""
        return f"postgresql://postgres@127.0.0.1:{self.port}/postgres"

    @property
    def leader(self) -> int:
        """The process id of the server, whose children are its own processes and one for each client."""
        return int((self._data / "postmaster.pid").read_text().splitlines()[0])

    def start(self) -> None:
        """Start the server and wait until it has recovered and takes connections."""
        options = f"-c listen_addresses=127.0.0.1 -c unix_socket_directories= -p {self.port}"
        self._run("pg_ctl", "-D", self._data, "-w", "-o", options, "-l", self.home / "log", "start")

    def kill(self) -> None:
        """kill -9 the server and every process of its own."""
        family = [self.leader, *children_of(self.leader)]  # each is the head of a session of its own
        for pid in family:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        left = still_running(family)
        if left:
            raise TimeoutError(f"killed, and still there: {left}")
        # The next start would take an unreaped process for a running server.
        (self._data / "postmaster.pid").unlink()

    def remove(self) -> None:
        """Stop the server at once and delete its files."""
        self._run("pg_ctl", "-D", self._data, "-m", "immediate", "stop", check=False)
        shutil.rmtree(self.home, ignore_errors=True)

    def _run(self, tool: str, *arguments: str | Path, check: bool = True) -> None:
        command = [*self._prefix, str(self._tools / tool), *map(str, arguments)]
        subprocess.run(command, check=check, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
