"""Static files, by WhiteNoise, as a server of ASGI likes them.

Behind TLS an operator's `collectstatic` has compressed them. Where they lie as they were written (`serve`,
`demo`) this process does it, once for each: a phone in a hall has the scripts of a table in a third
of the bytes. Pages are never compressed: they hold secrets beside what others may have a say in.
"""

import gzip
from functools import lru_cache
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import StaticFile

COMPRESSED: Final = ("text/", "application/json", "application/manifest+json", "image/svg+xml")
"""Types of content that become smaller; scripts are text/javascript."""
MIN_COMPRESSED_BYTES: Final = 1000
"""Bytes; below, nothing is won."""


class StaticFiles(WhiteNoiseMiddleware):  # type: ignore[misc] # WhiteNoise ships no types
    """Sends a file whole; pieces from a synchronous iterator make Django warn. Ours are small."""

    @staticmethod
    def serve(static_file: StaticFile, request: HttpRequest) -> HttpResponse:
        """The file, or 304, 206, 405, as WhiteNoise decides."""
        found = static_file.get_response(str(request.method), request.META)
        body = b""
        if found.file is not None:
            with found.file as file:
                body = file.read()
        answer = HttpResponse(body, status=int(found.status))
        del answer["content-type"]
        for name, value in found.headers:
            answer[name] = value
        if found.file is not None and answer.get("Content-Length") != str(len(body)):
            # Changed since the start, by an update under a running platform: nothing that was noted holds.
            answer["Content-Length"] = str(len(body))
            for name in ("ETag", "Last-Modified"):
                del answer[name]
        return _compressed(answer, request)


def _compressed(answer: HttpResponse, request: HttpRequest) -> HttpResponse:
    """The same file in fewer bytes, for whoever takes it so."""
    small = answer.status_code != 200 or len(answer.content) < MIN_COMPRESSED_BYTES
    if small or answer.has_header("Content-Encoding") or not answer["Content-Type"].startswith(COMPRESSED):
        return answer
    patch_vary_headers(answer, ["Accept-Encoding"])
    if "gzip" in request.headers.get("Accept-Encoding", ""):
        answer.content = _gzipped(answer.content)
        answer["Content-Encoding"] = "gzip"
        answer["Content-Length"] = str(len(answer.content))
    return answer


@lru_cache(maxsize=512)
def _gzipped(body: bytes) -> bytes:
    return gzip.compress(body, mtime=0)
