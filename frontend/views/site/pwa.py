"""Files of the web app: /manifest.webmanifest, /worker.js and /offline/."""

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Final

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

FILES: Final = Path(__file__).parents[2] / "static" / "puur"
CLOTH, PAGE = "#14402f", "#f4efe2"
"""The colours `--table-deep` and `--page` in tokens.css."""
ICONS: Final = (("icon-192", 192, "any"), ("icon-512", 512, "any"), ("maskable-512", 512, "maskable"))
CACHE_SECONDS: Final = 300
"""Seconds for which a browser uses its service worker without a check for a new one."""


@cache
def version() -> str:
    """Return a hash of all static files; a service worker caches the files of one version."""
    digest = hashlib.sha256()
    for path in sorted(FILES.rglob("*")):
        if path.is_file():
            digest.update(str(path.relative_to(FILES)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


@require_safe
def manifest(_request: HttpRequest) -> HttpResponse:
    """Return the manifest: name, icons and colours for a home screen."""
    body = {
        "id": "/",
        "name": "Puur",
        "short_name": "Puur",
        "description": _("Jass championships: live tables, results, replays."),
        "lang": get_language(),
        "start_url": reverse("home"),
        "scope": "/",
        "display": "standalone",
        "theme_color": CLOTH,
        "background_color": PAGE,
        "icons": [
            {
                "src": static(f"puur/icons/{name}.png"),
                "sizes": f"{size}x{size}",
                "type": "image/png",
                "purpose": purpose,
            }
            for name, size, purpose in ICONS
        ],
    }
    return JsonResponse(body, content_type="application/manifest+json", headers={"Cache-Control": "no-cache"})


@require_safe
def worker(_request: HttpRequest) -> HttpResponse:
    """Return the service worker. Its URL is at the root of the site, so that it controls all pages."""
    told = {"version": version(), "offline": reverse("offline")}
    script = (FILES / "worker.js").read_text(encoding="utf-8")
    return HttpResponse(
        f"self.puur={json.dumps(told)};\n{script}",
        content_type="text/javascript",
        headers={"Cache-Control": f"public, max-age={CACHE_SECONDS}"},
    )


@require_safe
def offline(_request: HttpRequest) -> HttpResponse:
    """Render the page that a browser shows without a network. It contains no personal data."""
    return HttpResponse(render_to_string("pages/offline.html"), headers={"Cache-Control": "no-cache"})
