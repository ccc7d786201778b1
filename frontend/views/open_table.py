"""/t/#<token>: what the code on a poster or slip opens. The token is in the fragment, no log holds it."""

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.views.decorators.http import require_GET

from frontend.presenters.words import catalogue


@require_GET
def open_table(request: HttpRequest) -> HttpResponse:
    """The script exchanges the token for a session and goes on to the table."""
    page_data = {"csrf": get_token(request), "address": "/api/v1/table-session/"}
    return render(request, "pages/open_table.html", {"page_data": page_data, "words": catalogue()})
