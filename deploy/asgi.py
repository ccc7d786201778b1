"""The ASGI application: Django serves pages and API, Channels serves live tables."""

import gc
import os
import secrets
import sys
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import django
import structlog

from deploy import umask
from deploy.environment import BadSetting

umask.set_umask()
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
os.environ["PUUR_WEB"] = "1"  # For the settings, which are loaded here, not for child processes.
try:
    django.setup(set_prefix=False)
except BadSetting as error:
    sys.exit(f"puur: {error}")
del os.environ["PUUR_WEB"]

from channels.routing import ProtocolTypeRouter, URLRouter
from django.conf import settings

from deploy.asgi_handler import Handler
from deploy.limits.origins import SameOrigin
from deploy.limits.proxied import Proxied
from frontend.edge_cache import EdgeCache
from games import encryption
from games.routing import websocket_urlpatterns

try:
    encryption.keys_in_use()  # A process without the keys must not start: hands are encrypted.
except encryption.DataKeyError as error:
    sys.exit(f"puur: {error} ({error.code})")

Scope = MutableMapping[str, Any]
Application = Callable[..., Awaitable[Any]]


def with_request_id(application: Application) -> Application:
    """Wrap the application: each log line of a request or socket contains a request id and the path."""

    async def bound(scope: Scope, receive: Any, send: Any) -> None:
        with structlog.contextvars.bound_contextvars(request_id=secrets.token_hex(8), path=scope.get("path")):
            await application(scope, receive, send)

    return bound


sockets: list[Any] = list(websocket_urlpatterns)
routes = ProtocolTypeRouter(
    {
        "http": EdgeCache(with_request_id(Handler())),
        "websocket": with_request_id(SameOrigin(URLRouter(sockets))),
    }
)
application = Proxied(routes, behind_tls=settings.TLS, trusted=settings.TRUSTED_PROXIES)

# Collect garbage rarely, without the objects loaded now: else a thousand reconnects take a third longer.
gc.collect()
gc.freeze()
gc.set_threshold(20_000, 20, 20)
