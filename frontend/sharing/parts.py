"""Polled parts of embedded pages. A part that has not changed is answered with 304."""

import hashlib
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.template.loader import render_to_string
from django.utils.cache import patch_vary_headers
from django.utils.http import parse_etags


def part_or_page(request: HttpRequest, part: str, template: str, context: dict[str, Any]) -> HttpResponse:
    """Return only `part` with an ETag, or 304, if htmx requests it; else the whole page."""
    if request.headers.get("HX-Request") != "true":
        response: HttpResponse = HttpResponse(render_to_string(template, context))
    else:
        etag = f'"{hashlib.blake2b(part.encode(), digest_size=15).hexdigest()}"'
        known = parse_etags(request.headers.get("If-None-Match", ""))
        response = HttpResponseNotModified() if etag in known else HttpResponse(part)
        response.headers["ETag"] = etag
    patch_vary_headers(response, ["HX-Request"])
    return response
