"""Pages whose address is fixed and whose content is being built. Each is replaced by a module of its own."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def planned(request: HttpRequest, **parts: object) -> HttpResponse:
    """An empty page in the frame of the site."""
    return render(request, "pages/planned.html", {"parts": parts})
