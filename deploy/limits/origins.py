"""Which pages may open a socket: those of this very address, with scheme and port. The session's cookie does
not know ports, and of another port or of http anybody may be the host.
"""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.http.request import validate_host

Scope = MutableMapping[str, Any]


class SameOrigin:
    """The application for sockets, behind that question."""

    def __init__(self, application: Callable[..., Awaitable[Any]]) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        said = {name: value.decode("latin-1").lower() for name, value in scope["headers"]}
        if is_ours(said.get(b"origin", ""), said.get(b"host", "")):
            await self._application(scope, receive, send)
        else:
            await receive()
            await send({"type": "websocket.close"})  # before it was accepted: 403


def is_ours(origin: str, host: str) -> bool:
    """Whether a page of this origin may speak to this host."""
    if settings.ORIGIN and origin == settings.ORIGIN.lower():
        return True
    if settings.TLS:
        return origin in {f"https://{name}" for name in settings.ALLOWED_HOSTS}
    name = urlsplit(f"//{host}").hostname or ""
    name = f"[{name}]" if ":" in name else name
    return origin == f"http://{host}" and validate_host(name, settings.ALLOWED_HOSTS)
