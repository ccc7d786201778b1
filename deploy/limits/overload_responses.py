"""Responses to refused requests, with a code, made without the database. The API gets JSON, people get a
translated page; htmx leaves the page as it is.
"""

import json
import logging
import sys
from collections.abc import MutableMapping
from functools import cache
from io import BytesIO
from typing import Any, Final

from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template import loader
from django.utils import translation
from django.views import defaults

from games.monitoring import unavailable_errors

TRY_AGAIN: Final = "http/try_again"
DISK_FULL: Final = "games/disk_full"
TOO_MANY: Final = "http/throttled"
TOO_LARGE: Final = "http/too_large"
TOO_SLOW: Final = "http/too_slow"
MESSAGES: Final = {
    TRY_AGAIN: (503, "too much is going on at once; nothing has changed, try again"),
    DISK_FULL: (503, "the disk is full; nothing has changed, try again when there is room"),
    TOO_MANY: (429, "too many requests; nothing has changed, try again later"),
    TOO_LARGE: (413, "the body is too large; nothing has changed"),
    TOO_SLOW: (408, "the body did not arrive in time; nothing has changed"),
}
ERROR_DETAILS: Final = {
    "http/bad_request": "the request cannot be read",
    "http/forbidden": "this is not allowed",
    "http/not_found": "there is nothing here",
    "http/server_error": "the platform has made a mistake; it is written down",
}
POLICY: Final = "default-src 'none'; base-uri 'none'; " + "; ".join(
    f"{kind}-src 'self'" for kind in ("script", "style", "font", "img", "connect")
)
log = logging.getLogger(__name__)


class OverloadResponse(HttpResponse):
    """The response to a refused request. Its `code` is counted in the metrics."""

    code = ""


def make_overload_response(path: str, language: str, code: str, seconds: int) -> HttpResponse:
    """Return the overload response for the path of a request. `seconds`: value of Retry-After; 0: none."""
    api = _is_of_api(path)
    body = _render_json(code) if api else _render_page(language, code)
    response = OverloadResponse(
        body,
        content_type="application/json" if api else "text/html; charset=utf-8",
        status=MESSAGES[code][0],
        headers={"Cache-Control": "no-store", "Content-Length": str(len(body))},
    )
    response.code = code
    if seconds:
        response["Retry-After"] = str(seconds)
    if not api:
        response["Content-Language"] = language
        response["Vary"] = "Accept-Language, Cookie"
    return response


def overload_response_for(scope: MutableMapping[str, Any], code: str) -> HttpResponse:
    """Return the overload response to a request that does not reach Django, with the security headers of
    Django's middleware.
    """
    request = ASGIRequest({**scope, "query_string": b""}, BytesIO())  # The query may be invalid UTF-8.
    language = translation.get_language_from_request(request)
    seconds = unavailable_errors.RETRY_AFTER if code in {TRY_AGAIN, TOO_MANY} else 0
    response = make_overload_response(request.path, language, code, seconds)
    response["X-Content-Type-Options"] = "nosniff"
    response["Content-Security-Policy"] = POLICY
    return response


@cache
def _render_json(code: str) -> bytes:
    return json.dumps({"code": code, "detail": MESSAGES[code][1], "params": {}}).encode()


@cache
def _render_page(language: str, code: str) -> bytes:
    with translation.override(language):
        return loader.get_template("503.html").render({"code": code}).encode()


class DatabaseUnderStrain:
    """Middleware that answers 503 to an error that a retry may avoid (`unavailable_errors`)."""

    def __init__(self, get_response: Any) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> Any:
        return self._get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Return the 503 response for an error that a retry may avoid; None for any other error."""
        return _overload_response(request, error)


def server_error(request: HttpRequest) -> HttpResponse:
    """Return 503 for an error that a retry may avoid, and 500 otherwise. This is Django's handler500."""
    strained = _overload_response(request, sys.exc_info()[1])
    return strained or _api_error(request, 500, "http/server_error") or defaults.server_error(request)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return 400. This is Django's handler400."""
    return _api_error(request, 400, "http/bad_request") or defaults.bad_request(request, exception)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return 403. This is Django's handler403."""
    return _api_error(request, 403, "http/forbidden") or defaults.permission_denied(request, exception)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return 404. This is Django's handler404."""
    return _api_error(request, 404, "http/not_found") or defaults.page_not_found(request, exception)


def _api_error(request: HttpRequest, status: int, code: str) -> HttpResponse | None:
    """Return a JSON error for a URL of the API; None for other URLs."""
    if not _is_of_api(request.path):
        return None
    body = {"code": code, "detail": ERROR_DETAILS[code], "params": {}}
    return JsonResponse(body, status=status, headers={"Cache-Control": "no-store"})


def _is_of_api(path: str) -> bool:
    return path.startswith("/api/")


def _overload_response(request: HttpRequest, error: BaseException | None) -> HttpResponse | None:
    reason = unavailable_errors.reason(error)
    if not reason:
        return None
    log.warning("turned away: %s", reason, extra={"path": request.path})
    language = translation.get_language() or "en"
    code = DISK_FULL if reason == unavailable_errors.DISK_FULL else TRY_AGAIN
    return make_overload_response(request.path, language, code, unavailable_errors.RETRY_AFTER)
