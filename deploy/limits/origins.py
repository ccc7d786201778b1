"""Origin checks of sockets. Only pages with the site's scheme, host and port may open a socket: session
cookies ignore ports, and another port or plain http may belong to anybody.
"""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.http.request import validate_host

Scope = MutableMapping[str, Any]


class SameOrigin:
    """WebSocket middleware that refuses connections from other origins."""

    def __init__(self, application: Callable[..., Awaitable[Any]]) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        headers = {name: value.decode("latin-1").lower() for name, value in scope["headers"]}
        if is_same_origin(headers.get(b"origin", ""), headers.get(b"host", "")):
            await self._application(scope, receive, send)
        else:
            await receive()
            await send({"type": "websocket.close"})  # Before the accept: 403.


def is_same_origin(origin: str, host: str) -> bool:
    """Return whether a page of this origin may connect to this host."""
    if settings.ORIGIN and origin == settings.ORIGIN.lower():
        return True
    if settings.TLS:
        return origin in {f"https://{name}" for name in settings.ALLOWED_HOSTS}
    name = urlsplit(f"//{host}").hostname or ""
    name = f"[{name}]" if ":" in name else name
    return origin == f"http://{host}" and validate_host(name, settings.ALLOWED_HOSTS)
