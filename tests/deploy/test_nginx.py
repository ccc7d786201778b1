"""The files of deploy/nginx and deploy/systemd, with a real nginx in front of the real web process."""

import asyncio
import contextlib
import http.client
import os
import re
import resource
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from websockets.asyncio.client import connect

from deploy.environment import BASE_DIR
from deploy.limits.bodies import LARGEST_BODY, LARGEST_UPLOAD, MEGABYTE
from deploy.process_tree.children import READY_FD, end_with_parent
from games.rights.sessions import SessionStore
from tests import servers
from tests.games import databases
from tests.games.cast import play, table
from tests.games.live_server import database_url

NAME = "jass.example.org"
SOCKETS = 900
OPEN_FILES = 2 * SOCKETS + 100
"""Open files of nginx, which has two sockets for each connection."""


class Nginx:
    """One of our own, with the files of deploy/nginx, at two free ports."""

    def __init__(self, binary: str, folder: Path, figures: dict[str, str]) -> None:
        self._figures = figures
        self.folder, self.upstream = folder, folder / "web.sock"
        self.plain, self.tls = free_port(), free_port()
        certificate = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
        where = ["-subj", f"/CN={NAME}", "-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem")]
        subprocess.run([*certificate, *where], check=True, capture_output=True)
        (folder / "nginx.conf").write_text(self._configuration())
        command = [binary, "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", "stderr"]
        tested = subprocess.run([*command, "-t"], check=True, capture_output=True, text=True)
        assert "[warn]" not in tested.stderr, tested.stderr
        with (folder / "log").open("wb") as log:
            self.process = subprocess.Popen(
                [*command, "-g", "daemon off;"],
                stderr=log,
                preexec_fn=partial(end_with_parent, os.getpid()),
            )
        deadline = time.monotonic() + 30
        while not self._listens():
            assert self.process.poll() is None, (folder / "log").read_text()
            assert time.monotonic() < deadline
            time.sleep(0.02)

    def _listens(self) -> bool:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.tls), timeout=5):
            return True
        return False

    def _configuration(self) -> str:
        given = BASE_DIR / "deploy" / "nginx"
        limits, site = (given / "limits.conf").read_text(), (given / "puur.conf").read_text()
        main = [line[1:].strip() for line in limits.splitlines() if line.startswith("#     ")]
        assert len(main) == 2
        for ours, there in {
            "listen [::]:80": "#",
            "listen [::]:443": "#",
            "listen 80": f"listen 127.0.0.1:{self.plain}",
            "listen 443": f"listen 127.0.0.1:{self.tls}",
            "/run/puur/web.sock": str(self.upstream),
            "root /var/www/html": f"root {self.folder}/html",
            f"/etc/letsencrypt/live/{NAME}/fullchain.pem": str(self.folder / "cert.pem"),
            f"/etc/letsencrypt/live/{NAME}/privkey.pem": str(self.folder / "key.pem"),
        }.items():
            assert ours in site, ours
            site = site.replace(ours, there)
        for given_figure, figure in self._figures.items():
            assert given_figure in limits + site, given_figure
            limits, site = (text.replace(given_figure, figure) for text in (limits, site))
        places = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        own = [f"{place}_temp_path {self.folder}/{place};" for place in places]
        user = ["user root;"] if os.geteuid() == 0 else []
        head = [*user, f"pid {self.folder}/pid;", "worker_processes 1;", *main, "http {", "access_log off;"]
        return "\n".join([*head, *own, limits, site, "}"])

    def ask(
        self,
        path: str,
        headers: dict[str, str],
        *,
        tls: bool = True,
        body: bytes | None = None,
        source: str = "127.0.0.1",
    ) -> tuple[http.client.HTTPResponse, str]:
        if tls:
            raw = socket.create_connection(("127.0.0.1", self.tls), timeout=30, source_address=(source, 0))
            opened = trusting().wrap_socket(raw, server_hostname=headers.get("Host", NAME))
            asked = http.client.HTTPConnection(NAME)
            asked.sock = opened
        else:
            asked = http.client.HTTPConnection("127.0.0.1", self.plain, timeout=30)
        asked.request("GET" if body is None else "POST", path, body, headers={"Host": NAME, **headers})
        answer = asked.getresponse()
        said = answer.read().decode()
        asked.close()
        return answer, said

    def status(self, path: str, session: str = "", **asked: Any) -> int:
        """Of the answer to somebody with such a cookie."""
        headers = {"Cookie": f"theme=dark; sessionid={session}"} if session else {}
        return self.ask(path, headers, **asked)[0].status


def trusting() -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def nginx(request: pytest.FixtureRequest) -> Iterator[Nginx]:
    """A parameter gives other figures, so that few requests are too many."""
    binary = shutil.which("nginx") or shutil.which("/usr/sbin/nginx")
    if binary is None or shutil.which("openssl") is None:
        servers.missing("nginx and openssl (apt install nginx-light openssl)")
    assert binary is not None
    folder = Path(tempfile.mkdtemp(prefix="puur-nginx-"))
    started = Nginx(binary, folder, getattr(request, "param", {}))
    try:
        yield started
    finally:
        started.process.terminate()
        started.process.wait(timeout=30)
        shutil.rmtree(folder)


@contextlib.contextmanager
def echo(path: Path) -> Iterator[None]:
    """Answers each request with its head."""
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(path))
    listening.listen()

    def run() -> None:
        with contextlib.suppress(OSError):
            while True:
                opened, _ = listening.accept()
                with opened:
                    head, body = b"", b""
                    while b"\r\n\r\n" not in head:
                        head += opened.recv(65536)
                    head, _, body = head.partition(b"\r\n\r\n")
                    length = re.search(rb"(?i)content-length: (\d+)", head)
                    left = int(length[1]) - len(body) if length else 0
                    while left > 0:
                        left -= len(opened.recv(65536))
                    said = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % len(head)
                    opened.sendall(said + head)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        yield
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        thread.join(timeout=30)


def test_what_a_client_says_of_his_address_does_not_pass_nginx(nginx: Nginx) -> None:
    with echo(nginx.upstream):
        _, body = nginx.ask("/", {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "http"})
    said = [line for line in body.lower().splitlines() if line.startswith("x-forwarded")]
    assert sorted(said) == ["x-forwarded-for: 127.0.0.1", "x-forwarded-proto: https"]


def test_port_80_sends_nobody_to_a_host_of_his_choice(nginx: Nginx) -> None:
    answer, _ = nginx.ask("/c/open/", {}, tls=False)
    assert (answer.status, answer.headers["Location"]) == (301, f"https://{NAME}/c/open/")
    with pytest.raises(http.client.RemoteDisconnected):
        nginx.ask("/", {"Host": "evil.example"}, tls=False)
    with pytest.raises(ssl.SSLError):
        nginx.ask("/", {"Host": "evil.example"})


def test_certbot_proves_the_name_at_port_80(nginx: Nginx) -> None:
    place = nginx.folder / "html" / ".well-known" / "acme-challenge"
    place.mkdir(parents=True)
    (place / "token").write_text("proof")
    for folder in (nginx.folder, nginx.folder / "html"):
        folder.chmod(0o755)
    answer, said = nginx.ask("/.well-known/acme-challenge/token", {}, tls=False)
    assert (answer.status, said) == (200, "proof")


def test_a_client_that_sends_its_head_slowly_is_let_go_by_time(nginx: Nginx) -> None:
    configuration = (nginx.folder / "nginx.conf").read_text()
    assert "client_header_timeout 10s;" in configuration


FEW = {
    "rate=20r/s": "rate=1r/m",
    "rate=200r/s": "rate=1r/m",
    "rate=1000r/s": "rate=1r/m",
    "burst=400 ": "burst=4 ",
    "burst=4000 ": "burst=4 ",
    "burst=20000 ": "burst=19 ",
}
ANNA, BEAT = "a" * 32, "b" * 32


@pytest.mark.parametrize("nginx", [FEW], indirect=True)
def test_strangers_of_a_hall_do_not_stop_who_is_signed_in_there_nor_one_the_other(nginx: Nginx) -> None:
    with echo(nginx.upstream):
        assert [nginx.status("/") for _ in range(7)] == [200] * 5 + [429] * 2
        assert [nginx.status("/", session=ANNA) for _ in range(6)] == [200] * 5 + [429]
        assert [nginx.status("/", session=BEAT) for _ in range(5)] == [200] * 5


@pytest.mark.parametrize("nginx", [FEW], indirect=True)
def test_who_invents_a_session_for_each_request_has_what_the_whole_address_has(nginx: Nginx) -> None:
    with echo(nginx.upstream):
        statuses = [nginx.status("/", session=f"{number:032}") for number in range(24)]
        assert statuses == [200] * 20 + [429] * 4
        assert nginx.status("/", source="127.0.0.2") == 200


@pytest.mark.parametrize("nginx", [FEW], indirect=True)
@pytest.mark.parametrize("session", ["x", "a" * 31, "a" * 33, "A" * 32, "%00" + "a" * 29])
def test_what_cannot_be_a_session_counts_as_a_stranger(nginx: Nginx, session: str) -> None:
    with echo(nginx.upstream):
        assert [nginx.status("/", session=session) for _ in range(6)] == [200] * 5 + [429]


@pytest.mark.django_db
def test_what_django_calls_a_session_is_one_for_nginx() -> None:
    configuration = (BASE_DIR / "deploy" / "nginx" / "limits.conf").read_text()
    [shape] = re.findall(r'"~(.+?)"', configuration)
    shape = shape.replace("?<", "?P<")
    for _ in range(20):
        made = SessionStore()
        made.create()
        for prefix in ("", "__Host-"):  # plain http, https
            cookie = f"theme=dark; {prefix}{settings.SESSION_COOKIE_NAME}={made.session_key}; puur_device=1"
            found = re.search(shape, cookie)
            assert found is not None
            assert found["puur_key"] == made.session_key
    assert re.search(shape, f"other-sessionid={made.session_key}") is None


def test_only_lists_of_entries_may_be_large(nginx: Nginx) -> None:
    large = b"x" * (MEGABYTE + 1)
    with echo(nginx.upstream):
        assert nginx.status("/sign-in/", body=large[:-1]) == 200
        for path in ("/sign-in/", "/entries/import/", "/c/a/b/entries/import/", "/c/open/entries/import/x"):
            assert nginx.status(path, body=large) == 413
        assert nginx.status("/c/open/entries/import/", body=large * 5) == 200
        assert nginx.status("/clubs/1/images/", body=large * 5) == 200
        assert nginx.status("/c/open/entries/import/", body=b"x" * (LARGEST_UPLOAD + 1)) == 413
    assert (LARGEST_BODY, LARGEST_UPLOAD) == (MEGABYTE, 6 * MEGABYTE)


@pytest.mark.parametrize(
    "path", ["/readyz", "/metrics", "//metrics", "/./readyz", "/%6detrics", "/metrics?x=1"]
)
def test_what_supervisors_ask_is_for_this_machine(nginx: Nginx, path: str) -> None:
    with echo(nginx.upstream):
        assert nginx.status(path) == 200
        assert nginx.status(path, source="127.0.0.2") == 403
        assert nginx.status("/healthz", source="127.0.0.2") == 200


@contextlib.contextmanager
def web_behind(nginx: Nginx, **environment: str) -> Iterator[None]:
    """`deploy.web` on the socket, as the unit of systemd gives it."""
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(nginx.upstream))
    listening.listen(4096)
    ready, said = os.pipe()
    process = subprocess.Popen(
        [sys.executable, "-m", "deploy.web", "--fd", str(listening.fileno())],
        cwd=BASE_DIR,
        env={**os.environ, "DATABASE_URL": database_url(), READY_FD: str(said), **environment},
        pass_fds=(listening.fileno(), said),
        preexec_fn=partial(end_with_parent, os.getpid()),
    )
    os.close(said)
    try:
        with os.fdopen(ready) as pipe:
            assert pipe.readline() == "ready\n"
        yield
    finally:
        process.terminate()
        process.wait(timeout=30)
        listening.close()


@pytest.mark.slow
@pytest.mark.skipif(
    resource.getrlimit(resource.RLIMIT_NOFILE)[1] < OPEN_FILES,
    reason=f"this user may not open {OPEN_FILES} files at once (ulimit -Hn)",
)
def test_nine_hundred_sockets_are_open_at_once_behind_nginx(
    nginx: Nginx, tmp_path: Path, django_db_blocker: Any
) -> None:
    async def all_open(game: str) -> int:
        address = f"wss://{NAME}/ws/games/{game}/"
        there: dict[str, Any] = {
            "host": "127.0.0.1",
            "port": nginx.tls,
            "ssl": trusting(),
            "origin": f"https://{NAME}",
        }
        few = asyncio.Semaphore(50)

        async def one(stack: contextlib.AsyncExitStack) -> bool:
            async with few:
                line = await stack.enter_async_context(
                    connect(address, compression=None, open_timeout=60, ping_interval=None, **there)
                )
                return '"kind":"events"' in str(await asyncio.wait_for(line.recv(), 60))

        async with contextlib.AsyncExitStack() as stack:
            return sum(await asyncio.gather(*(one(stack) for _ in range(SOCKETS))))

    with (
        django_db_blocker.unblock(),
        databases.clone(databases.template("sqlite"), tmp_path),
    ):
        game = play(table(), 3)
        with web_behind(nginx, PUUR_ORIGIN=f"https://{NAME}"):
            assert asyncio.run(all_open(game.pk)) == SOCKETS


def test_systemd_lets_only_nginx_open_the_socket_and_reads_the_units() -> None:
    folder = BASE_DIR / "deploy" / "systemd"
    unit = (folder / "puur-web.socket").read_text()
    assert "SocketMode=0660" in unit
    assert "SocketGroup=www-data" in unit
    for service in ("puur-web.service", "puur-worker.service"):
        assert "LimitNOFILE=" in (folder / service).read_text()
    assert "deploy.web --fd 3 " in (folder / "puur-web.service").read_text()
