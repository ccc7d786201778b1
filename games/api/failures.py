"""Errors of the API as {"code", "detail", "params"}: codes are stable, details are English, params are JSON
values.
"""

import math
from typing import Any

from django.http import Http404
from django.utils.translation import override
from rest_framework import exceptions
from rest_framework.response import Response

from engine import Refused
from games.api.principals import CHALLENGE
from games.error_responses import answer_to


def handle(error: Exception, context: dict[str, Any]) -> Response | None:
    """Return the response to a refusal or HTTP error; None for any other error."""
    if isinstance(error, Refused):
        status = answer_to(error).status
        headers = {"WWW-Authenticate": CHALLENGE} if status == 401 else {}
        return _answer(status, error.code, error.detail, error.params, headers)
    if isinstance(error, Http404):
        return _answer(404, "http/not_found", "there is nothing here", {})
    if isinstance(error, exceptions.APIException):
        seconds = getattr(error, "wait", None)
        headers = {"Retry-After": str(math.ceil(seconds))} if seconds else {}
        with override("en"):
            detail = str(error.detail)
        return _answer(error.status_code, f"http/{error.default_code}", detail, {}, headers)
    return None


def _answer(
    status: int, code: str, detail: str, params: dict[str, Any], headers: dict[str, str] | None = None
) -> Response:
    return Response({"code": code, "detail": detail, "params": params}, status=status, headers=headers)
