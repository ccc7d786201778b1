"""Insiders: programs on this machine, and clients with the metrics token. They may read metrics and the state
of parts.
"""

import hmac
from collections.abc import MutableMapping
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest

from deploy.limits.proxied import DIRECT, is_local_request

BEARER: Final = "Bearer "


def is_insider(request: HttpRequest) -> bool:
    """Return whether a request comes from an insider."""
    return is_local_request(request) or _has_token(request.headers.get("Authorization", ""))


def is_insider_of(scope: MutableMapping[str, Any]) -> bool:
    """Return whether an ASGI request that has not reached Django comes from an insider."""
    given = dict(scope["headers"]).get(b"authorization", b"").decode("latin-1")
    return bool(scope.get(DIRECT)) or _has_token(given)


def _has_token(given: str) -> bool:
    token = settings.METRICS_TOKEN
    brought = given.removeprefix(BEARER).encode() if given.startswith(BEARER) else b""
    return bool(token) and hmac.compare_digest(brought, token.encode())
