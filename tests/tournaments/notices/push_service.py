"""A push service on this machine, over TLS, and phones that decrypt its messages with their own keys."""

import http.server
import secrets
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from tournaments.notices.addresses import Network
from tournaments.notices.endpoints import Endpoint
from tournaments.notices.keys import base64url

HOST: Final = "updates.push.services.mozilla.com"


class Phone:
    """A browser with its subscription, and the only keys for its messages."""

    def __init__(self, name: str = "", host: str = HOST) -> None:
        self._private = ec.generate_private_key(ec.SECP256R1())
        self._auth = secrets.token_bytes(16)
        self.path = f"/wpush/{name or secrets.token_hex(8)}"
        self.url = f"https://{host}{self.path}"

    @property
    def point(self) -> bytes:
        return self._private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    @property
    def sent(self) -> dict[str, str]:
        """Return the subscription as posted by a page."""
        return {"endpoint": self.url, "p256dh": base64url(self.point), "auth": base64url(self._auth)}

    @property
    def endpoint(self) -> Endpoint:
        return Endpoint(self.url, base64url(self.point), base64url(self._auth))

    def opened(self, body: bytes) -> dict[str, Any]:
        """Decrypt by RFC 8188 and 8291, as the receiver."""
        salt, length = body[:16], body[20]
        sender, closed = body[21 : 21 + length], body[21 + length :]
        key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
        common = self._private.exchange(ec.ECDH(), key)
        secret = _derived(common, self._auth, b"WebPush: info\0" + self.point + sender, 32)
        cipher = AESGCM(_derived(secret, salt, b"Content-Encoding: aes128gcm\0", 16))
        filled = cipher.decrypt(_derived(secret, salt, b"Content-Encoding: nonce\0", 12), closed, None)
        text = filled.rstrip(b"\0")
        assert text[-1:] == b"\x02"
        said: dict[str, Any] = msgspec.json.decode(text[:-1])
        return said


def _derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, info).derive(secret)


@dataclass
class Received:
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class PushService:
    """`answer`: status and headers for a request; a number alone for a status; None: no answer. `hints`:
    whether it sends an informational response first (103).
    """

    port: int = 0
    hints: bool = False
    got: list[Received] = field(default_factory=list)
    answer: Callable[[Received], int | tuple[int, dict[str, str]] | None] = lambda _: 201
    hangs_up: threading.Event = field(default_factory=threading.Event)
    came: threading.Event = field(default_factory=threading.Event)

    def wait_until(
        self, so: Callable[[], bool], *, seconds: float, otherwise: Callable[[], str] = lambda: ""
    ) -> None:
        """Wait until `so` is true, which is checked with each received letter and twice a second."""
        until = time.monotonic() + seconds
        while not so():
            assert time.monotonic() < until, otherwise()
            self.came.wait(0.5)
            self.came.clear()

    def to(self, phone: Phone) -> list[Received]:
        return [one for one in self.got if one.path == phone.path]

    def told(self, phone: Phone) -> list[dict[str, Any]]:
        return [phone.opened(one.body) for one in self.to(phone)]


class ThisMachine(Network):
    """A network in which every host is this machine."""

    seconds = 2.0

    def __init__(self, port: int, trusted: str = "") -> None:
        """`trusted`: a certificate, PEM, if another process has made it."""
        self.port = port
        self._trusted = trusted or certificate()[0].decode()

    def context(self) -> ssl.SSLContext:
        return ssl.create_default_context(cadata=self._trusted)

    def may(self, address: str) -> bool:
        return address == "127.0.0.1"

    def looked_up(self, host: str) -> Sequence[str]:
        return ["127.0.0.1"]


@cache
def certificate() -> tuple[bytes, bytes]:
    """Return certificate and key of HOST, PEM."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, HOST)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(HOST)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, SHA256())
    )
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return made.public_bytes(Encoding.PEM), private


@contextmanager
def running(folder: Path) -> Iterator[PushService]:
    service = PushService()

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            received = Received(self.path, dict(self.headers.items()), body)
            service.got.append(received)
            service.came.set()
            answer = service.answer(received)
            if answer is None:
                service.hangs_up.wait(30)
                return
            if service.hints:
                self.send_response_only(103)
                self.end_headers()
            status, more = answer if isinstance(answer, tuple) else (answer, {})
            self.send_response(status)
            for name, value in more.items():
                self.send_header(name, value)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            pass

    class Server(http.server.ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 256  # the default backlog is five, and sixty connect at once

        def handle_error(self, request: Any, client_address: Any) -> None:
            pass  # the connection was closed

    for name, text in zip(("certificate.pem", "key.pem"), certificate(), strict=True):
        (folder / name).write_bytes(text)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "certificate.pem", folder / "key.pem")
    server = Server(("127.0.0.1", 0), Handler)
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    service.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield service
    finally:
        service.hangs_up.set()
        server.shutdown()
        server.server_close()
        thread.join()


def free_port() -> int:
    """Return a port without a listener."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
    return port
