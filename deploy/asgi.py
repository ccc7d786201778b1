"""The ASGI application: pages and API by Django, live tables by Channels."""

import os
import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import structlog
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
django_application = get_asgi_application()

from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402 - models can be imported only from here on
from channels.security.websocket import AllowedHostsOriginValidator  # noqa: E402 - likewise

from games.routing import websocket_urlpatterns  # noqa: E402 - likewise

Scope = MutableMapping[str, Any]
Application = Callable[..., Awaitable[Any]]


def with_request_id(application: Application) -> Application:
    """Each log line of a request or a socket says which one it belongs to."""

    async def bound(scope: Scope, receive: Any, send: Any) -> None:
        with structlog.contextvars.bound_contextvars(request_id=secrets.token_hex(8), path=scope.get("path")):
            await application(scope, receive, send)

    return bound


sockets: list[Any] = list(websocket_urlpatterns)
application = ProtocolTypeRouter(
    {
        "http": with_request_id(django_application),
        "websocket": with_request_id(AllowedHostsOriginValidator(URLRouter(sockets))),
    }
)
