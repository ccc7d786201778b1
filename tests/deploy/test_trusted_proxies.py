"""A proxy on another address, named by PUUR_TRUSTED_PROXIES: whose word about clients counts."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import httpx
import pytest

from deploy.environment import BASE_DIR
from deploy.limits.proxied import Proxied
from deploy.process_tree.children import READY_FD, end_with_parent
from tests.games import databases
from tests.games.live_server import database_url

CONTAINERS = [ip_network("10.1.0.0/16"), ip_network("fd00::/8")]
PROXY = ("10.1.2.3", 5000)
NAME = "jass.example.org"


async def seen(peer: Any, *forwarded: str) -> str | None:
    """The client's address that the application sees."""
    scopes: list[Any] = []

    async def application(scope: Any, receive: Any, send: Any) -> None:
        scopes.append(scope)

    headers = [(b"x-forwarded-for", one.encode()) for one in forwarded]
    scope = {"type": "http", "client": peer, "headers": headers, "scheme": "http"}
    await Proxied(application, behind_tls=True, trusted=CONTAINERS)(scope, None, None)
    return scopes[0]["client"][0] if scopes[0]["client"] else None


async def test_a_named_proxy_says_who_the_client_is() -> None:
    assert await seen(PROXY, "203.0.113.9") == "203.0.113.9"
    assert await seen(("fd00::7", 9), "2001:db8::1") == "2001:db8::1"


async def test_of_a_chain_the_last_stranger_is_the_client() -> None:
    assert await seen(PROXY, "203.0.113.9, 10.1.0.7") == "203.0.113.9"
    assert await seen(PROXY, "198.51.100.1, 203.0.113.9, 10.1.0.7, 10.1.9.9") == "203.0.113.9"


async def test_what_a_client_writes_before_its_own_address_is_not_believed() -> None:
    assert await seen(PROXY, "198.51.100.1, 203.0.113.9") == "203.0.113.9"
    assert await seen(PROXY, "10.1.0.7, 203.0.113.9") == "203.0.113.9"
    assert await seen(PROXY, "10.1.0.7, 10.1.0.8") == "10.1.0.7", "a client in the network of the proxies"


@pytest.mark.parametrize("nonsense", ["", "unknown", "203.0.113.9:80", "203.0.113.9, ?"])
async def test_nonsense_leaves_the_address_of_the_proxy(nonsense: str) -> None:
    assert await seen(PROXY, nonsense) == PROXY[0]


async def test_a_stranger_is_no_proxy() -> None:
    assert await seen(("10.2.0.1", 9), "203.0.113.9") == "10.2.0.1"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, django_db_blocker: Any) -> Iterator[int]:
    """`deploy.web --bind` with an https origin; a proxy at 127.0.0.9 is trusted. Gives the port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    ready, said = os.pipe()
    with (
        django_db_blocker.unblock(),
        databases.clone(databases.template("sqlite"), tmp_path_factory.mktemp("site")),
    ):
        process = subprocess.Popen(
            [sys.executable, "-m", "deploy.web"],
            cwd=BASE_DIR,
            env={
                **os.environ,
                "DATABASE_URL": database_url(),
                "PUUR_BIND": f"0.0.0.0:{port}",
                "PUUR_ORIGIN": f"HTTPS://{NAME}/",
                "PUUR_TRUSTED_PROXIES": "127.0.0.9",
                READY_FD: str(said),
            },
            pass_fds=(said,),
            preexec_fn=partial(end_with_parent, os.getpid()),
        )
        os.close(said)
        try:
            with os.fdopen(ready) as pipe:
                assert pipe.readline() == "ready\n"
            yield port
        finally:
            process.terminate()
            process.wait(timeout=30)


def ask(port: int, source: str, path: str = "/robots.txt", **headers: str) -> httpx.Response:
    with httpx.Client(transport=httpx.HTTPTransport(local_address=source)) as client:
        return client.get(f"http://127.0.0.1:{port}{path}", headers={"Host": NAME, **headers})


@pytest.mark.slow
def test_a_site_behind_a_proxy_on_another_address_does_not_redirect_to_itself(site: int) -> None:
    https = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.9"}
    assert ask(site, "127.0.0.9", **https).status_code == 200
    assert ask(site, "127.0.0.8", **https).status_code == 301, "somebody else cannot say so"


@pytest.mark.slow
def test_supervisors_ask_at_any_name_of_the_machine(site: int) -> None:
    for host in ("10.1.2.3:8000", "web-1", "localhost"):
        assert ask(site, "127.0.0.8", "/readyz", Host=host).json() == {"ready": True}
    assert ask(site, "127.0.0.1", "/metrics", Host="localhost").status_code == 200
    assert ask(site, "127.0.0.8", "/metrics", Host="localhost").status_code == 404


@pytest.mark.slow
def test_the_health_command_asks_the_web_process(site: int, tmp_path: Path) -> None:
    def health(at: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "manage.py", "health", "web", "--at", at]
        return subprocess.run(command, cwd=BASE_DIR, capture_output=True, text=True)

    done = health(f"0.0.0.0:{site}")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("ready: version ")
    done = health(f"unix:{tmp_path}/nobody.sock")
    assert done.returncode == 1
    assert "health/no_answer" in done.stderr
