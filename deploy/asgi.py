"""The ASGI application: pages and API by Django, live tables by Channels."""

import gc
import os
import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import django
import structlog

from deploy import umask

umask.from_now_on()
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
os.environ["PUUR_WEB"] = "1"  # for the settings, which are read here; not for processes that this one starts
django.setup(set_prefix=False)
del os.environ["PUUR_WEB"]

from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402 - models can be imported only from here on
from django.conf import settings  # noqa: E402 - likewise

from deploy.asgi_handler import Handler  # noqa: E402 - likewise
from deploy.limits.origins import SameOrigin  # noqa: E402 - likewise
from deploy.limits.proxied import Proxied  # noqa: E402 - likewise
from frontend.edge_cache import Early  # noqa: E402 - likewise
from games import encryption  # noqa: E402 - likewise
from games.routing import websocket_urlpatterns  # noqa: E402 - likewise

encryption.keys_in_use()  # a process that could neither read nor write a hand does not begin to answer

Scope = MutableMapping[str, Any]
Application = Callable[..., Awaitable[Any]]


def with_request_id(application: Application) -> Application:
    """Each log line of a request or a socket says which one it belongs to. What is answered before Django
    begins writes none."""

    async def bound(scope: Scope, receive: Any, send: Any) -> None:
        with structlog.contextvars.bound_contextvars(request_id=secrets.token_hex(8), path=scope.get("path")):
            await application(scope, receive, send)

    return bound


sockets: list[Any] = list(websocket_urlpatterns)
routes = ProtocolTypeRouter(
    {"http": Early(with_request_id(Handler())), "websocket": with_request_id(SameOrigin(URLRouter(sockets)))}
)
application = Proxied(routes, behind_tls=settings.TLS)

# Collected rarely, and what is loaded now not again: thousands who come back at once took a third longer.
gc.collect()
gc.freeze()
gc.set_threshold(20_000, 20, 20)
