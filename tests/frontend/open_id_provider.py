"""A small OpenID Connect provider on loopback: description, keys, and tokens for codes."""

import base64
import hashlib
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

CLIENT_ID, CLIENT_SECRET = "puur", "a-secret-of-the-test"
_KEYS: list[rsa.RSAPrivateKey] = []


def make_key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


@dataclass
class FakeProvider:
    """`claims`: changed or added in the next token, None leaves one out; `key`, `algorithm`, `key_id`: of its
    signature; `asked`: the paths of all requests; `broken`: paths that answer 500.
    """

    port: int
    claims: dict[str, Any] = field(default_factory=dict)
    key: Any = None
    algorithm: str = "RS256"
    key_id: str = "one"
    issuer: str = ""
    asked: list[str] = field(default_factory=list)
    broken: set[str] = field(default_factory=set)
    codes: dict[str, dict[str, str]] = field(default_factory=dict)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def authorize(self, link: str, subject: str = "subject-1") -> str:
        """Let the person sign in; returns what their browser brings back, path and query."""
        parts = urlsplit(link)
        assert f"{parts.scheme}://{parts.netloc}{parts.path}" == f"{self.address}/authorize"
        asked = dict(parse_qsl(parts.query))
        assert (asked["client_id"], asked["response_type"]) == (CLIENT_ID, "code")
        assert "openid" in asked["scope"].split()
        assert asked["code_challenge_method"] == "S256"
        code = f"code-{len(self.codes)}"
        self.codes[code] = {**asked, "subject": subject}
        back = urlsplit(asked["redirect_uri"])
        return f"{back.path}?{urlencode({'code': code, 'state': asked['state']})}"

    def describe(self) -> dict[str, Any]:
        return {
            "issuer": self.issuer or self.address,
            "authorization_endpoint": f"{self.address}/authorize",
            "token_endpoint": f"{self.address}/token",
            "jwks_uri": f"{self.address}/keys",
            "token_endpoint_auth_methods_supported": ["client_secret_post"],
        }

    def list_keys(self) -> dict[str, Any]:
        public = jwt.algorithms.RSAAlgorithm.to_jwk(_KEYS[0].public_key(), as_dict=True)
        return {"keys": [{**public, "kid": "one", "use": "sig", "alg": "RS256"}]}

    def make_token(self, sent: dict[str, str]) -> dict[str, Any] | None:
        """Return the answer for a code; None if it may not be used."""
        asked = self.codes.pop(sent.get("code", ""), None)
        if asked is None or (sent.get("client_id"), sent.get("client_secret")) != (CLIENT_ID, CLIENT_SECRET):
            return None
        digest = hashlib.sha256(sent.get("code_verifier", "").encode()).digest()
        if base64.urlsafe_b64encode(digest).rstrip(b"=").decode() != asked["code_challenge"]:
            return None
        if sent.get("redirect_uri") != asked["redirect_uri"]:
            return None
        now = int(time.time())
        claims = {
            "iss": self.address,
            "aud": CLIENT_ID,
            "sub": asked["subject"],
            "iat": now,
            "exp": now + 60,
            "nonce": asked["nonce"],
            "name": "Eva Egli",
            "preferred_username": "eva.egli",
            "email": "eva@example.ch",
            "email_verified": True,
            **self.claims,
        }
        told = {name: value for name, value in claims.items() if value is not None}
        key = _KEYS[0] if self.key is None else self.key
        token = jwt.encode(told, key, self.algorithm, headers={"kid": self.key_id})
        return {"access_token": "a-token", "token_type": "Bearer", "id_token": token}


@contextmanager
def provider() -> Iterator[FakeProvider]:
    """Run a provider in a thread."""
    if not _KEYS:
        _KEYS.append(make_key())

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            pages = {"/.well-known/openid-configuration": made.describe, "/keys": made.list_keys}
            self.answer(pages[self.path]() if self.path in pages else None)

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            self.answer(made.make_token({name: values[0] for name, values in parse_qs(body).items()}))

        def answer(self, told: dict[str, Any] | None) -> None:
            made.asked.append(self.path)
            status = 500 if self.path in made.broken else 200 if told is not None else 400
            body = json.dumps(told if status == 200 else {"error": "invalid_grant"}).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Write nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made = FakeProvider(server.server_address[1])
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield made
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
