"""Submitted endpoints: addresses outside of the Internet's push services are refused."""

import asyncio
import base64
import socket
import ssl
from collections.abc import Sequence
from pathlib import Path

import pytest
from pytest_django import Settings

from engine import Refused
from tests.tournaments.notices.push_service import HOST, Phone, ThisMachine, free_port, running
from tournaments.notices.addresses import INTERNET, InsideAddress, Network, Unreachable, is_public
from tournaments.notices.endpoints import parse_endpoint

REAL = [
    "https://fcm.googleapis.com/fcm/send/dQ:APA91b_x-Y",
    "https://updates.push.services.mozilla.com/wpush/v2/gAAAAABo",
    "https://web.push.apple.com/QGuQyavX",
    "https://wns2-db5p.notify.windows.com/w/?token=BQYAAAB%2f",
    "https://push.club.ch:443/p?a=b",
    "https://PUSH.club.ch./p",
]
FORGED = {
    "notices/endpoint": [
        "http://fcm.googleapis.com/x",
        "ftp://fcm.googleapis.com/x",
        "//fcm.googleapis.com/x",
        "https:fcm.googleapis.com",
        "https://fcm.googleapis.com:8443/x",
        "https://fcm.googleapis.com:80/x",
        "https://fcm.googleapis.com:99999/x",
        "https://fcm.googleapis.com:x/",
        "https://anna@fcm.googleapis.com/x",
        "https://fcm.googleapis.com@10.0.0.1/",
        "https://fcm.googleapis.com\\@10.0.0.1/",
        "https://fcm.googleapis.com/x#y",
        "https://fcm.googleapis.com/x y",
        "https://fcm.googleapis.com/x\r\nHost: 10.0.0.1",
        "https://fcm.googleapis.com/\u0000",
        "https://bücher.ch/x",
        "https://-a.ch/x",
        "https://a_b.ch/x",
        "https://a..ch/x",
        "https:///x",
        "https://fcm.googleapis.com/" + "x" * 1024,
        "https://" + "a" * 64 + ".ch/",
    ],
    "notices/endpoint_inside": [
        "https://localhost/x",
        "https://LOCALHOST./x",
        "https://puur/x",
        "https://127.0.0.1/x",
        "https://127.1/x",
        "https://2130706433/x",
        "https://0x7f000001/x",
        "https://0x7f.0.0.1/x",
        "https://0177.0.0.01/x",
        "https://8.8.8.8/x",
        "https://[::1]/x",
        "https://[::ffff:10.0.0.1]/x",
        "https://[fd00::1]/x",
        "https://169.254.169.254/latest/meta-data/",
        "https://metadata.google.internal/x",
        "https://printer.local/x",
        "https://nas.fritz.lan/x",
        "https://router.home.arpa/x",
        "https://a.localhost/x",
        "https://a.test/x",
    ],
}


@pytest.mark.parametrize("url", REAL)
def test_services_that_browsers_use_are_taken(url: str, settings: Settings) -> None:
    if "club.ch" in url.lower():
        settings.PUSH_HOSTS = ["any"]
    sent = Phone().sent
    taken = parse_endpoint(url, sent["p256dh"], sent["auth"])
    assert taken.host == taken.host.lower().rstrip(".")
    assert taken.path.startswith("/")
    assert taken.origin == f"https://{taken.host}"


def test_a_forged_address_is_refused_with_its_code(subtests: pytest.Subtests) -> None:
    for code, url in [(code, url) for code, urls in FORGED.items() for url in urls]:
        with subtests.test(code=code, url=url):
            sent = Phone().sent
            with pytest.raises(Refused) as refused:
                parse_endpoint(url, sent["p256dh"], sent["auth"])
            assert refused.value.code == code


def test_keys_that_are_no_point_of_the_curve_are_refused() -> None:
    sent = Phone().sent
    off_curve = base64.urlsafe_b64encode(b"\x04" + bytes(64)).decode()
    compressed = base64.urlsafe_b64encode(b"\x02" + bytes(32)).decode()
    for p256dh in ("", "x", off_curve, compressed, "ä", "A" * 4000, sent["auth"]):
        with pytest.raises(Refused) as refused:
            parse_endpoint(REAL[0], p256dh, sent["auth"])
        assert refused.value.code == "notices/endpoint_keys"
    for auth in ("", sent["auth"][:-3], sent["p256dh"], "=" * 22):
        with pytest.raises(Refused) as refused:
            parse_endpoint(REAL[0], sent["p256dh"], auth)
        assert refused.value.code == "notices/endpoint_keys"


def test_an_operator_may_name_the_only_services(settings: Settings) -> None:
    settings.PUSH_HOSTS = ["googleapis.com", "web.push.apple.com"]
    sent = Phone().sent
    for url in (REAL[0], REAL[2]):
        parse_endpoint(url, sent["p256dh"], sent["auth"])
    for url in (REAL[1], "https://evilgoogleapis.com/x", "https://googleapis.com.evil.ch/x"):
        with pytest.raises(Refused) as refused:
            parse_endpoint(url, sent["p256dh"], sent["auth"])
        assert refused.value.code == "notices/endpoint_not_allowed"


INSIDE = [
    *("0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "169.254.169.254", "172.31.0.1", "192.168.1.1"),
    *("192.0.2.1", "198.18.0.1", "203.0.113.9", "224.0.0.1", "239.1.1.1", "240.0.0.1", "255.255.255.255"),
    *("::", "::1", "::7f00:1", "fd12::1", "fe80::1", "fec0::1", "ff02::1", "2001:db8::1", "100::1"),
    *("::ffff:127.0.0.1", "::ffff:169.254.169.254", "64:ff9b::a00:1", "64:ff9b:1::1", "2002:a00:1::1"),
    *("2001:0:a00:1::1", "fe80::1%eth0", "fd00:ec2::254", "", "localhost", "1.2.3"),
]


def test_no_connection_goes_to_an_address_within(subtests: pytest.Subtests) -> None:
    for address in INSIDE:
        with subtests.test(address=address):
            assert not is_public(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "142.250.1.95", "2a00:1450:400a::5f", "64:ff9b::808:808"])
def test_addresses_of_the_internet_are_allowed(address: str) -> None:
    assert is_public(address)


class Answers(Network):
    """A resolver of the cheat's: another address each time it is asked."""

    def __init__(self, *answers: Sequence[str]) -> None:
        self.left = list(answers)

    def looked_up(self, host: str) -> Sequence[str]:
        return self.left.pop(0)


@pytest.mark.parametrize("answer", [["127.0.0.1"], ["8.8.8.8", "10.0.0.1"], ["::ffff:10.0.0.1"], ["fd00::1"]])
def test_a_name_that_leads_within_is_connected_nowhere(
    answer: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    connected: list[object] = []
    monkeypatch.setattr(asyncio, "open_connection", lambda *to, **_: connected.append(to))
    with pytest.raises(InsideAddress):
        asyncio.run(Answers(answer).connect("push.cheat.ch"))
    assert connected == []


def test_the_address_that_was_looked_at_is_the_one_that_is_connected(monkeypatch: pytest.MonkeyPatch) -> None:
    connected: list[tuple[object, ...]] = []

    async def connect(*to: object, **how: object) -> None:
        connected.append((*to, how["server_hostname"]))
        raise ConnectionRefusedError

    monkeypatch.setattr(asyncio, "open_connection", connect)
    cheat = Answers(["8.8.8.8"], ["127.0.0.1"])
    with pytest.raises(Unreachable):
        asyncio.run(cheat.connect("push.cheat.ch"))
    assert connected == [("8.8.8.8", 443, "push.cheat.ch")]
    assert cheat.left == [["127.0.0.1"]], "a name is asked for once"


def test_the_network_in_use_refuses_this_machine_whatever_its_resolver_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """`telling.tell` has it as its default, and the task of Celery gives no other."""
    assert (type(INTERNET), INTERNET.port) == (Network, 443)
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", 443))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    with pytest.raises(InsideAddress):
        asyncio.run(INTERNET.connect(HOST))


def test_a_certificate_of_another_name_or_maker_opens_no_line(tmp_path: Path) -> None:
    with running(tmp_path) as service:

        class Trusting(ThisMachine):
            def context(self) -> ssl.SSLContext:
                return ssl.create_default_context()

        for network, host in (
            (ThisMachine(service.port), "other.phones.net"),
            (Trusting(service.port), HOST),
        ):
            with pytest.raises(Unreachable, match="SSLCertVerificationError"):
                asyncio.run(network.connect(host))
        assert service.got == []


def test_where_nobody_listens_or_no_name_is_known_is_said_at_once() -> None:
    with pytest.raises(Unreachable):
        asyncio.run(ThisMachine(free_port()).connect(HOST))

    class NoNames(Network):
        def looked_up(self, host: str) -> Sequence[str]:
            raise socket.gaierror("no network")

    with pytest.raises(Unreachable, match="gaierror"):
        asyncio.run(NoNames().connect(HOST))


@pytest.mark.parametrize(
    "host", ["push.club.ch", "evil.com", "fcm.googleapis.com.evil.com", "googleapis.com"]
)
def test_without_a_word_of_the_operator_only_browsers_services_are_written_to(host: str) -> None:
    sent = Phone(host=host).sent
    with pytest.raises(Refused) as refused:
        parse_endpoint(sent["endpoint"], sent["p256dh"], sent["auth"])
    assert refused.value.code == "notices/endpoint_not_allowed"
