"""Static files served by WhiteNoise, adapted to ASGI.

Behind TLS an operator's `collectstatic` has compressed the files. Elsewhere the web process compresses texts
and caches them, so that a phone loads the scripts of a table in a third of the bytes. Pages are never
compressed, because they contain secrets beside text that others can influence.
"""

import gzip
from functools import lru_cache
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import StaticFile

COMPRESSED: Final = ("text/", "application/json", "application/manifest+json", "image/svg+xml")
"""Content types that are worth compressing. Scripts are text/javascript."""
MIN_COMPRESSED_BYTES: Final = 1000
"""Size in bytes below which a file is not compressed."""


class StaticFiles(WhiteNoiseMiddleware):  # type: ignore[misc]  # WhiteNoise ships no types
    """WhiteNoise middleware that sends whole files, because Django warns about synchronous iterators, and our
    files are small.
    """

    @staticmethod
    def serve(static_file: StaticFile, request: HttpRequest) -> HttpResponse:
        """Return WhiteNoise's response to a request for a file, compressed if the client accepts that."""
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
            # An update changed the file under a running platform, so the recorded headers are wrong.
            answer["Content-Length"] = str(len(body))
            for name in ("ETag", "Last-Modified"):
                del answer[name]
        return _compress_response(answer, request)


def _compress_response(answer: HttpResponse, request: HttpRequest) -> HttpResponse:
    """Return the response with the compressed file if the client accepts that, otherwise the given
    response.
    """
    small = answer.status_code != 200 or len(answer.content) < MIN_COMPRESSED_BYTES
    if small or answer.has_header("Content-Encoding") or not answer["Content-Type"].startswith(COMPRESSED):
        return answer
    patch_vary_headers(answer, ["Accept-Encoding"])
    if "gzip" in request.headers.get("Accept-Encoding", ""):
        answer.content = _gzip_body(answer.content)
        answer["Content-Encoding"] = "gzip"
        answer["Content-Length"] = str(len(answer.content))
    return answer


@lru_cache(maxsize=512)
def _gzip_body(body: bytes) -> bytes:
    return gzip.compress(body, mtime=0)
