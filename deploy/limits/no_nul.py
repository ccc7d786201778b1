"""No text has a NUL: PostgreSQL stores none, and no form asks for one. What brings one in its address, its
query or a form is answered with 400, whatever view it is for.
"""

from collections.abc import Callable
from typing import Any, Final

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse

NUL: Final = "\0"


class NoNul:
    """Stands behind the protection of forms, which has read the form."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._get_response(request)

    def process_view(self, request: HttpRequest, view: Callable[..., Any], args: Any, kwargs: Any) -> None:
        """Raises BadRequest. A view without that protection reads what it is sent itself."""
        said = [request.GET] if getattr(view, "csrf_exempt", False) else [request.GET, request.POST]
        if NUL in request.path or any(
            NUL in text for data in said for name, values in data.lists() for text in (name, *values)
        ):
            raise BadRequest("a NUL")
