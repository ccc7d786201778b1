"""/verify/: Verification of a championship's file in the browser, and a verifier program to download."""

from functools import cache

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from frontend.presenters.verification.verify_words import VERIFY


@require_safe
def verify(request: HttpRequest) -> HttpResponse:
    """Render the page. Once loaded, it needs no server, and the file never leaves the browser."""
    return render(request, "pages/verify.html", {"words": {key: str(text) for key, text in VERIFY.items()}})


@require_safe
def verifier(request: HttpRequest) -> HttpResponse:
    """Return the program puur_verify.py, which needs only Python."""
    response = HttpResponse(_verifier_source(), content_type="text/x-python; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="puur_verify.py"'
    return response


@cache
def _verifier_source() -> bytes:
    return (settings.BASE_DIR / "docs" / "verify" / "puur_verify.py").read_bytes()
