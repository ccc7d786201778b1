"""Rejection of NUL characters, which PostgreSQL cannot store and no form needs. A request with a NUL in its
URL, query or form gets 400.
"""

from collections.abc import Callable
from typing import Any, Final

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse

NUL: Final = "\0"


class NoNul:
    """Middleware that rejects NUL characters. It runs after the CSRF protection, which has parsed the
    form.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._get_response(request)

    def process_view(self, request: HttpRequest, view: Callable[..., Any], args: Any, kwargs: Any) -> None:
        """Raise BadRequest for a NUL in the path, the query or the form.

        The form is not checked for a view without CSRF protection, because such a view parses its input
        itself.
        """
        parameters = [request.GET] if getattr(view, "csrf_exempt", False) else [request.GET, request.POST]
        if NUL in request.path or any(
            NUL in text for data in parameters for name, values in data.lists() for text in (name, *values)
        ):
            raise BadRequest("a NUL")
