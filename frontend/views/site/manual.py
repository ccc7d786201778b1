"""/manual/…: The manuals of `docs/` as pages."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from frontend.presenters.site.manuals import MANUALS, manual_page


@require_safe
def manual(request: HttpRequest, key: str) -> HttpResponse:
    """Render one manual in the reader's language, else in English."""
    if key not in MANUALS:
        raise Http404(_("There is no such manual."))
    others = [(other, one.title) for other, one in MANUALS.items() if other != key]
    return render(
        request,
        "pages/manual.html",
        {"manual": manual_page(key), "written_in": MANUALS[key].language(), "others": others},
    )
