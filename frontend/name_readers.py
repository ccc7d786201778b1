"""Middleware that determines, for the duration of a request, how its reader may read names."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from tournaments.names.readers import reading_for
from tournaments.services.people.name_visibility import Reader


class NameReaderMiddleware:
    """Middleware that sets the reader of names. It must come after those for sessions and authentication."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with reading_for(Reader(request.user)):
            return self._get_response(request)
