"""A whole platform as it runs in production, in processes of its own: database, Valkey, web, worker.

    with places.running(folder, on="postgresql", webs=2) as place:
        place.node.port, place.python("some.module", "argument"), place.processor("web")

A place has one node or several; each has a folder, a port, web processes and a worker of its own, and all
share the database, Valkey and the keys. Web is `deploy.web`, as deploy/systemd starts it.
"""

import contextlib
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, Final

import psycopg

from deploy.environment import BASE_DIR
from deploy.process_tree.children import READY_FD, end_with_parent
from tests import servers
from tests.cluster import Cluster, binaries
from tests.live_tree import outside
from tests.processes import children_of

DATABASES: Final = ("sqlite", "postgresql")
WEB_ROLE: Final = "puur_web"
"""The PostgreSQL role of web, which distinguishes its statements from the worker's."""
TICKS: Final = os.sysconf("SC_CLK_TCK")


class Node:
    """One machine of the platform: its web processes share a listening socket, as workers of uvicorn do."""

    def __init__(self, folder: Path, environment: Mapping[str, str], web: Mapping[str, str]) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.environment = {"PUUR_LIMITS": "0", **environment, "PUUR_VAR": str(folder)}
        self._web = {**self.environment, **web}
        self.webs: list[subprocess.Popen[bytes]] = []
        self.worker: subprocess.Popen[bytes] | None = None
        self.beat: subprocess.Popen[bytes] | None = None
        self._listening: socket.socket | None = None
        self.port = 0
        self._listen()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self, webs: int, *, worker: bool = True) -> None:
        """Start web and worker; returns when web answers and the worker takes tasks."""
        for _ in range(webs):
            self.start_web()
        if worker:
            self.start_worker()

    def start_web(self) -> None:
        self._listen()
        assert self._listening is not None
        number = self._listening.fileno()
        command = [sys.executable, "-m", "deploy.web", "--fd", str(number)]
        self.webs.append(self._begin(f"web{len(self.webs)}", command, self._web, number))

    def start_worker(self, *, beat: bool = True) -> None:
        """Start a worker, with a beat of its own or, as deploy/container does, without."""
        options = ["--beat", "--scheduler=celery.beat:Scheduler"] if beat else []
        options += ["--concurrency=2", "--loglevel=WARNING"]
        quiet = ["--without-gossip", "--without-mingle", "--without-heartbeat"]
        command = [sys.executable, "-m", "celery", "--app=deploy.celery", "-q", "worker", *options, *quiet]
        self.worker = self._begin("worker", command, self.environment)

    def start_beat(self) -> None:
        """Start a beat alone; it has no ready line."""
        schedule = [f"--schedule={self.folder}/schedule", "--pidfile=", "--loglevel=WARNING"]
        options = ["-q", "beat", "--scheduler=celery.beat:Scheduler", *schedule]
        with (self.folder / "beat.log").open("wb") as said:
            self.beat = subprocess.Popen(
                [sys.executable, "-m", "celery", "--app=deploy.celery", *options],
                cwd=BASE_DIR,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
                start_new_session=True,
                preexec_fn=partial(end_with_parent, os.getpid()),
            )

    def kill(self) -> None:
        """kill -9 web, worker, beat and their children at once, and close the port."""
        processes = [*self.webs, *filter(None, [self.worker, self.beat])]
        for pid in [pid for process in processes for pid in family(process.pid)]:
            kill_pid(pid)
        for process in processes:
            process.wait()
        self.webs, self.worker, self.beat = [], None, None
        self.close_port()

    def close_port(self) -> None:
        """Close the port here: without web processes connections are refused until web starts again."""
        if self._listening is not None:
            self._listening.close()
            self._listening = None

    def kill_web(self) -> None:
        """kill -9 the web processes; connections wait at the port until they are started again."""
        for process in self.webs:
            process.kill()
            process.wait()
        self.webs = []

    def python(self, module: str, *arguments: str, say: str = "") -> Any:
        """Run a module at this node as a process of its own; returns its output as JSON."""
        done = subprocess.run(
            [sys.executable, "-m", module, *arguments],
            cwd=BASE_DIR,
            env=self.environment,
            input=say,
            capture_output=True,
            text=True,
        )
        if done.returncode:
            raise RuntimeError(done.stderr[-4000:])
        return json.loads(done.stdout or "null")

    def logs(self) -> str:
        return "\n".join(path.read_text(errors="replace") for path in sorted(self.folder.glob("*.log")))

    def _listen(self) -> None:
        if self._listening is None:
            listening = socket.socket()
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind(("127.0.0.1", self.port))
            listening.listen(4096)
            self._listening, self.port = listening, listening.getsockname()[1]

    def _begin(
        self, name: str, command: list[str], environment: Mapping[str, str], *keep: int
    ) -> subprocess.Popen[bytes]:
        """Start a child and wait for its ready line."""
        ready, word = os.pipe()
        log = self.folder / f"{name}.log"
        with log.open("wb") as said:
            process = subprocess.Popen(
                command,
                cwd=BASE_DIR,
                env={**environment, READY_FD: str(word)},
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
                pass_fds=(word, *keep),
                start_new_session=True,
                preexec_fn=partial(end_with_parent, os.getpid()),
            )
        os.close(word)
        with os.fdopen(ready) as pipe:
            if pipe.readline() != "ready\n":
                process.kill()
                process.wait()
                raise RuntimeError(f"{name} did not start:\n{log.read_text()[-3000:]}")
        return process


class Place:
    """The nodes, and their shared servers."""

    def __init__(
        self, nodes: list[Node], cluster: Cluster | None, carrier: subprocess.Popen[bytes] | None, redis: str
    ) -> None:
        self.nodes, self.cluster, self.carrier, self.redis = nodes, cluster, carrier, redis

    @property
    def node(self) -> Node:
        """The first node."""
        return self.nodes[0]

    def kill_valkey(self) -> None:
        """kill -9 Valkey, and start it again at the same address."""
        assert self.carrier is not None
        self.carrier.kill()
        self.carrier.wait()
        self.carrier, _ = servers.start_valkey(self.node.folder.parent)

    def end_valkey(self) -> None:
        """End Valkey, also one that was started again."""
        if self.carrier is not None:
            self.carrier.kill()
            self.carrier.wait()

    def kill_postgresql(self) -> None:
        """kill -9 PostgreSQL, and start it again."""
        assert self.cluster is not None
        self.cluster.kill()
        self.cluster.start()

    def python(self, module: str, *arguments: str, say: str = "") -> Any:
        return self.node.python(module, *arguments, say=say)

    def processor(self, kind: str) -> float:
        """Processor seconds, user and system, of web, worker, postgresql or valkey so far."""
        return sum(processor_of(pid) for pid in self._pids(kind))

    def memory(self, kind: str, field: str = "VmHWM") -> float:
        """MiB of a kind's processes: resident now (VmRSS), or the peak since their start (VmHWM)."""
        return memory_of(self._pids(kind), field)

    def statements(self) -> list[tuple[str, int]]:
        """Statements of web since the last `forget_statements`, with their counts, the most frequent
        first."""
        rows = self.ask(
            "SELECT query, sum(calls)::int FROM pg_stat_statements JOIN pg_roles ON pg_roles.oid = userid"
            f" WHERE rolname = '{WEB_ROLE}' GROUP BY query ORDER BY sum(calls) DESC"
        )
        return [(query, calls) for query, calls in rows]

    def forget_statements(self) -> None:
        self.ask("SELECT pg_stat_statements_reset()")

    def connections(self) -> int:
        """The platform's current connections to PostgreSQL."""
        rows = self.ask(
            "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'"
            " AND application_name <> 'bench'"
        )
        return int(rows[0][0])

    def ask(self, query: str) -> list[tuple[Any, ...]]:
        assert self.cluster is not None
        with psycopg.connect(self.cluster.url, autocommit=True, application_name="bench") as connection:
            return connection.execute(query).fetchall()

    def _pids(self, kind: str) -> Iterable[int]:
        if kind == "web":
            heads = [process.pid for node in self.nodes for process in node.webs]
        elif kind == "worker":
            heads = [node.worker.pid for node in self.nodes if node.worker]
        elif kind == "postgresql":
            heads = [self.cluster.leader] if self.cluster else []
        else:
            heads = [self.carrier.pid] if self.carrier else []
        return [pid for head in heads for pid in family(head)]


def family(head: int) -> list[int]:
    """A process and all under it."""
    found = [head]
    for pid in found:
        found += children_of(pid)
    return found


def kill_pid(pid: int) -> None:
    """kill -9 a process that may have ended."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def processor_of(pid: int) -> float:
    """Processor seconds of a process, with those of its children that have ended."""
    with contextlib.suppress(OSError):
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        return sum(map(int, fields[11:15])) / TICKS
    return 0.0


def memory_of(pids: Iterable[int], field: str) -> float:
    """MiB of all these processes."""
    return sum(_kib(pid, field) for pid in pids) / 1024


def forget_peak(pids: Iterable[int]) -> None:
    """Reset VmHWM of these processes."""
    for pid in pids:
        Path(f"/proc/{pid}/clear_refs").write_text("5")


def _kib(pid: int, field: str) -> int:
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith(f"{field}:"):
                return int(line.split()[1])
    return 0


@contextlib.contextmanager
def running(
    folder: Path,
    *,
    on: str,
    webs: int = 1,
    nodes: int = 1,
    worker: bool = True,
    environment: Mapping[str, str] | None = None,
) -> Iterator[Place]:
    """A ready place with an empty database, removed completely afterwards."""
    with ExitStack() as stack:
        cluster = None
        carrier, redis = stack.enter_context(servers.own_valkey(folder))
        shared = {
            **outside(),
            "LOG_LEVEL": "WARNING",
            "SECRET_KEY": secrets.token_urlsafe(50),
            "PUUR_SEAL_KEY": str(folder / "seal_key"),
            "PUUR_DATA_KEY": str(folder / "data_key"),
            "REDIS_URL": redis,
            "DATABASE_URL": f"sqlite:///{folder}/puur.sqlite3",
            **(environment or {}),
        }
        web = {}
        if on == "postgresql":
            cluster = stack.enter_context(_cluster())
            shared["DATABASE_URL"] = cluster.url
            web["DATABASE_URL"] = cluster.url.replace("postgres@", f"{WEB_ROLE}@")
        made = [Node(folder / f"node{number}", shared, web) for number in range(nodes)]
        for command in ("make_data_key", "migrate", "make_seal_key"):
            asked = [sys.executable, "manage.py", command]
            subprocess.run(
                asked, cwd=BASE_DIR, env=made[0].environment, check=True, stdout=subprocess.DEVNULL
            )
        for node in made:
            stack.callback(node.kill)
            node.start(webs, worker=worker)
        place = Place(made, cluster, carrier, redis)
        stack.callback(place.end_valkey)
        yield place


@contextlib.contextmanager
def _cluster() -> Iterator[Cluster]:
    tools = binaries()
    if tools is None:
        raise SystemExit("there is no initdb on this machine (apt install postgresql)")
    made = Cluster(tools)
    try:
        with psycopg.connect(made.url, autocommit=True) as connection:
            connection.execute(f"CREATE ROLE {WEB_ROLE} LOGIN IN ROLE postgres")
            known = connection.execute(
                "SELECT 1 FROM pg_available_extensions WHERE name = 'pg_stat_statements'"
            ).fetchone()
            if known:
                connection.execute("ALTER SYSTEM SET shared_preload_libraries = pg_stat_statements")
        if known:
            made.kill()
            made.start()
            with psycopg.connect(made.url, autocommit=True) as connection:
                connection.execute("CREATE EXTENSION pg_stat_statements")
        yield made
    finally:
        made.remove()
