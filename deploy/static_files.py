"""Static files, by WhiteNoise, as a server of ASGI likes them."""

from django.http import HttpRequest, HttpResponse
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import StaticFile


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
        return answer
