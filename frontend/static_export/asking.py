"""A page as somebody gets it of whom nothing is known, without a server between."""

import io
from typing import Final

from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.base import SessionBase
from django.core.handlers.wsgi import WSGIRequest
from django.urls import resolve
from django_htmx.middleware import HtmxDetails

from tournaments.names.readers import reading_for
from tournaments.services.public_names import outsider

NOWHERE: Final = "copy.invalid"
"""What a page is told it is called: nothing that is copied may name a place in the network."""


class NotForStrangers(RuntimeError):
    """A page that is to be copied is not there for everybody."""


class _StrangersRequest(WSGIRequest):
    def get_host(self) -> str:
        return NOWHERE


def asked_by_stranger(address: str) -> str:
    """The HTML of the page at this address of ours, in the language that is active. Raises NotForStrangers
    where a stranger would get anything else, Http404 where there is nothing for him.
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
    request.htmx = HtmxDetails(request)  # type: ignore[attr-defined] # as its middleware does
    match = request.resolver_match = resolve(path)
    with reading_for(outsider()):
        answer = match.func(request, *match.args, **match.kwargs)
    if answer.status_code != 200:
        raise NotForStrangers(f"{address} answers {answer.status_code}")
    return str(answer.content.decode())
