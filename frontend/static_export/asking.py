"""Fetching of pages as an anonymous visitor, inside the process."""

import io
from typing import Final

from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.base import SessionBase
from django.core.handlers.wsgi import WSGIRequest
from django.urls import resolve
from django_htmx.middleware import HtmxDetails

from tournaments.names.readers import reading_for
from tournaments.services.people.name_visibility import outsider

NOWHERE: Final = "copy.invalid"
"""Host name with which pages are requested, so that no copied page contains a real one."""


class PageNotPublic(RuntimeError):
    """A page that the copy needs is not public."""


class _StrangersRequest(WSGIRequest):
    def get_host(self) -> str:
        return NOWHERE


def fetch_as_anonymous(address: str) -> str:
    """Return the HTML of the page at this URL in the active language. Raises Http404 if it does not exist,
    and PageNotPublic if its status is not 200.
    """
    path, _, query = address.partition("?")
    request = _StrangersRequest(
        {
            "REQUEST_METHOD": "GET",
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "SERVER_NAME": NOWHERE,
            "SERVER_PORT": "443",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "wsgi.url_scheme": "https",
            "wsgi.input": io.BytesIO(),
        }
    )
    request.user = AnonymousUser()
    request.session = SessionBase()
    request.htmx = HtmxDetails(request)  # type: ignore[attr-defined]  # the middleware of django-htmx sets it too
    match = request.resolver_match = resolve(path)
    with reading_for(outsider()):
        answer = match.func(request, *match.args, **match.kwargs)
    if answer.status_code != 200:
        raise PageNotPublic(f"{address} answers {answer.status_code}")
    return str(answer.content.decode())
