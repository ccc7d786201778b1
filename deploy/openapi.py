"""The OpenAPI schema of the API. A process generates it once for each format and language, which takes as
long as a hundred pages.
"""

import threading
from typing import Any

from django.conf import settings
from django.utils import translation
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView
from rest_framework.request import Request
from rest_framework.response import Response

_made: dict[tuple[type, str], bytes] = {}
_one_at_a_time = threading.Lock()
"""Held while a schema is generated, because generation changes classes that all threads share."""


class Schema(SpectacularAPIView):
    """The view of the cached schema."""

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        asked = request.GET.get("lang") or translation.get_language() or ""
        language = asked if asked in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
        key = type(request.accepted_renderer), language
        if key in _made:
            kept = Response()
            kept.content = _made[key]
            kept["Content-Type"] = f"{request.accepted_renderer.media_type}; charset=utf-8"
            return kept

        def keep(done: Response) -> None:
            _made[key] = done.content

        with _one_at_a_time, translation.override(language):
            made: Response = super().get(request, *args, **kwargs)  # type: ignore[no-untyped-call]  # the method of drf-spectacular has no types
            made.add_post_render_callback(keep)
            return made

    def _get_version_parameter(self, request: Request) -> None:
        """Skip the version parameter, so that no request changes the shared schema."""
