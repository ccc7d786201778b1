"""The button that lets phones in: a second address of the running web process, opened and closed."""

import asyncio
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from deploy import network_listener, phones
from deploy.limits import proxied
from deploy.limits.connections import BoundedHttp
from deploy.limits.origins import is_same_origin
from games.models import User

pytestmark = pytest.mark.django_db
NETWORK = "127.0.0.2"
"""Stands for the address in the network of the hall: another one than that of the first socket."""


async def answer(scope: Any, receive: Any, send: Any) -> None:
    """Answer each request with its host."""
    host = dict(scope["headers"])[b"host"]
    await send(
        {"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(host))]}
    )
    await send({"type": "http.response.body", "body": host})


class Running:
    """A uvicorn server in a thread, with the listener."""

    def __init__(self) -> None:
        self.first = socket.create_server(("127.0.0.1", 0))
        self.port = self.first.getsockname()[1]
        config = uvicorn.Config(answer, http=BoundedHttp, lifespan="off", log_config=None)
        self._server = uvicorn.Server(config)
        self._ready = threading.Event()
        self.thread = threading.Thread(target=lambda: asyncio.run(self._run()))
        self.thread.start()
        assert self._ready.wait(30)

    async def _run(self) -> None:
        self._server.config.load()
        self._server.lifespan = self._server.config.lifespan_class(self._server.config)
        await self._server.startup([self.first])
        await network_listener.install_listener(self._server, self.port)
        self._ready.set()
        await self._server.main_loop()
        await self._server.shutdown([self.first])

    def stop(self) -> None:
        self._server.should_exit = True
        self.thread.join()


@pytest.fixture
def running(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    settings.VAR_DIR = tmp_path
    settings.ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]", "testserver"]
    monkeypatch.setattr(phones, "addresses_of_this_machine", lambda: [NETWORK, "1.2.3.4"])
    monkeypatch.setattr(proxied, "last_forwarded", {})
    monkeypatch.setenv(network_listener.VARIABLE, "")
    monkeypatch.setattr(network_listener, "current", None)
    network_listener.allow_opening(loopback=True)
    made = Running()
    yield made
    made.stop()


@pytest.fixture
def owner() -> Client:
    made = Client(headers={"accept-language": "en"})
    made.force_login(User.objects.create_superuser("fredi"))
    return made


def ask(address: str) -> str:
    return httpx.get(f"http://{address}/", timeout=30).text


def press(owner: Client, **sent: str) -> str:
    return owner.post(reverse("phones"), sent, follow=True).content.decode()


def test_nothing_is_open_before_the_press_and_after_the_second(running: Running, owner: Client) -> None:
    at = f"{NETWORK}:{running.port}"
    assert NETWORK in owner.get(reverse("phones")).content.decode()
    with pytest.raises(httpx.ConnectError):
        ask(at)
    page = press(owner, open=NETWORK)
    assert f"http://{at}/" in page
    assert "<svg" in page
    assert f"ufw allow {running.port}/tcp" in page or "System Settings" in page
    assert ask(at) == at
    assert ask(f"127.0.0.1:{running.port}") == f"127.0.0.1:{running.port}"
    with httpx.Client() as phone:
        phone.get(f"http://{at}/")
        press(owner, close="1")
        with pytest.raises(httpx.HTTPError):
            phone.get(f"http://{at}/")
    with pytest.raises(httpx.ConnectError):
        ask(at)
    assert ask(f"127.0.0.1:{running.port}"), "this machine goes on"


def test_it_closes_at_the_end(running: Running, owner: Client) -> None:
    press(owner, open=NETWORK)
    running.stop()
    with pytest.raises(httpx.ConnectError):
        ask(f"{NETWORK}:{running.port}")


def test_only_this_address_becomes_a_host(running: Running, owner: Client, settings: Settings) -> None:
    before = list(settings.ALLOWED_HOSTS)
    phone = Client(headers={"host": f"{NETWORK}:{running.port}"})
    assert phone.get("/").status_code == 400
    press(owner, open=NETWORK)
    assert phone.get("/").status_code == 200
    assert Client(headers={"host": "evil.example"}).get("/").status_code == 400
    here = f"{NETWORK}:{running.port}"
    assert is_same_origin(f"http://{here}", here)
    assert not is_same_origin("http://evil.example", here)
    press(owner, close="1")
    assert phone.get("/").status_code == 400
    assert before == settings.ALLOWED_HOSTS


def test_cookies_and_forms_of_one_address_are_worth_nothing_at_the_other(
    running: Running, owner: Client
) -> None:
    """A cookie has no Domain, so a browser sends it to its own host only; a form needs that host's Origin."""
    press(owner, open=NETWORK)
    here = f"{NETWORK}:{running.port}"
    phone = Client(headers={"host": here}, enforce_csrf_checks=True)
    shown = phone.get(reverse("sign_in"))
    assert all(not cookie["domain"] for cookie in shown.cookies.values())
    token = shown.cookies["csrftoken"].value
    sent = {"username": "x", "password": "y", "csrfmiddlewaretoken": token}
    for origin, status in ((f"http://127.0.0.1:{running.port}", 403), (f"http://{here}", 200)):
        assert phone.post(reverse("sign_in"), sent, headers={"origin": origin}).status_code == status, origin


def test_a_restarted_web_process_opens_it_again_and_a_new_start_does_not(
    running: Running, owner: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    press(owner, open=NETWORK)
    running.stop()
    again = Running()
    try:
        assert network_listener.current is not None
        assert ask(str(network_listener.current.address))
    finally:
        again.stop()
    network_listener.allow_opening(loopback=True)
    third = Running()
    try:
        assert network_listener.current is not None
        assert network_listener.current.address is None
    finally:
        third.stop()


def test_a_taken_port_gives_another_one(running: Running, owner: Client) -> None:
    with socket.create_server((NETWORK, running.port)):
        press(owner, open=NETWORK)
        assert network_listener.current is not None
        address = str(network_listener.current.address)
        assert address != f"{NETWORK}:{running.port}"
        assert ask(address) == address


@pytest.mark.parametrize("host", ["1.2.3.4", "0.0.0.0", "127.0.0.3", "", "evil.example"])
def test_only_a_private_address_of_this_machine_is_opened(running: Running, owner: Client, host: str) -> None:
    assert "phones/no_network" in press(owner, open=host)
    assert network_listener.current is not None
    assert network_listener.current.address is None


def test_behind_a_proxy_it_is_refused_with_the_reason(
    running: Running, owner: Client, settings: Settings
) -> None:
    for name, value in (("ORIGIN", "http://jass.example.org"), ("TRUSTED_PROXIES", ["10.0.0.0/8"])):
        before = getattr(settings, name)
        setattr(settings, name, value)
        assert "phones/behind_proxy" in owner.get(reverse("phones")).content.decode()
        assert "phones/behind_proxy" in press(owner, open=NETWORK)
        setattr(settings, name, before)
    proxied.last_forwarded[False] = proxied.Forwarded("127.0.0.1", "http", 1, 0)
    assert "phones/behind_proxy" in press(owner, open=NETWORK)
    proxied.last_forwarded[False] = proxied.Forwarded("192.168.1.7", "http", 1, 0)  # a phone forges a header
    assert "phones/behind_proxy" not in press(owner, open=NETWORK)
    assert network_listener.current is not None
    assert network_listener.current.address is not None


def test_a_start_with_host_or_by_a_service_has_no_button(
    running: Running, owner: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(network_listener, "current", None)
    assert "phones/no_button" in press(owner, open=NETWORK)
    network_listener.allow_opening(loopback=False)
    other = Running()
    try:
        assert network_listener.current is None
    finally:
        other.stop()


def test_only_the_owner_sees_the_page(running: Running) -> None:
    anybody = Client()
    assert anybody.get(reverse("phones")).status_code == 302
    anybody.force_login(User.objects.create_user("eva"))
    for method in (anybody.get, anybody.post):
        assert method(reverse("phones")).status_code == 404
