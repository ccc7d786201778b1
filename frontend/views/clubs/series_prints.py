"""/series/<slug>/prints/: The documents of a series for print, with previews."""

import hashlib
import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from engine import Refused
from frontend.presenters.words.refusals import refusal_in, show_refusal
from frontend.prints.awards import CERTIFIED
from frontend.prints.club_pictures import pictures_for_print
from frontend.prints.pdf_cache import get_or_make_pdf
from frontend.prints.series import MOST_CERTIFIED, SERIES_DOCUMENTS, SeriesDocument, SeriesOccasion
from frontend.prints.typesetting import Part, render_picture, typeset
from frontend.views.championship_context import mark_uncacheable, retry_later
from frontend.views.numbers import parse_bounded
from frontend.views.prints.print_limits import limit_printing
from games.errors import TooMuch
from tournaments.models import ClubSeries
from tournaments.series.document import SeriesError
from tournaments.services.series import loading
from tournaments.services.series.cached_series import load_shared_series


@dataclass(frozen=True, slots=True)
class _PrintRequest:
    """The request of a reader. keeper: they keep the club's roll; public: with the names that the public
    reads; names_differ: the reader reads other names than the public.
    """

    occasion: SeriesOccasion
    keeper: bool
    language: str
    public: bool
    names_differ: bool

    @property
    def series(self) -> ClubSeries:
        return self.occasion.loaded.series

    @property
    def query(self) -> str:
        params = {"language": self.language, "places": str(self.occasion.places)}
        return urlencode(params | ({"names": "public"} if self.public else {}))


@dataclass(frozen=True, slots=True)
class _Offer:
    """A document on the page. ready: there is something to print; picture: URL of its preview."""

    document: SeriesDocument
    ready: bool
    url: str
    picture: str


@require_safe
def series_prints(request: HttpRequest, series_slug: str) -> HttpResponse:
    """List the documents. `?language=de&places=5` applies to all; `&names=public` prints names as the public
    reads them.
    """
    return _prints_page(request, _parse(request, series_slug))


def _prints_page(request: HttpRequest, order: _PrintRequest, *, status: int = 200) -> HttpResponse:
    slug, loaded = order.series.slug, order.occasion.loaded
    context: dict[str, Any] = {
        "series": order.series,
        "keeper": order.keeper,
        "sheets_language": order.language,
        "languages": settings.LANGUAGES,
        "names_differ": order.names_differ,
        "public": order.public,
        "places": order.occasion.places,
        "most_places": MOST_CERTIFIED,
    }
    with refusal_in(context):
        context["offers"] = [
            _Offer(
                document,
                document.ready(loaded),
                f"{reverse('series_print', args=[slug, document.key])}?{order.query}",
                f"{reverse('series_print_preview', args=[slug, document.key])}?{order.query}",
            )
            for document in SERIES_DOCUMENTS.values()
            if (order.keeper or not document.keepers) and document.possible(loaded)
        ]
    return mark_uncacheable(render(request, "pages/series_prints.html", context, status=status))


@require_safe
def series_print(request: HttpRequest, series_slug: str, key: str) -> HttpResponse:
    """Return the PDF of a document."""
    order = _parse(request, series_slug)
    document = _find_document(order, key)

    def make(part: Part, club: Part) -> bytes:
        title = f"{order.series.name}: {document.label}"
        return typeset(title, order.language, [part], order.series.created_at, club)

    try:
        pdf = _make_once(request, order, document, "pdf", make)
    except TooMuch as error:
        show_refusal(request, error)
        return retry_later(_prints_page(request, order, status=429), error)
    except Refused as error:
        show_refusal(request, error)
        return redirect("series_prints", order.series.slug)
    response = HttpResponse(pdf, content_type="application/pdf")
    response.headers["Content-Disposition"] = f'inline; filename="{order.series.slug}-{key}.pdf"'
    return mark_uncacheable(response)


@require_safe
def series_print_preview(request: HttpRequest, series_slug: str, key: str) -> HttpResponse:
    """Return a small picture of the document's first page."""
    order = _parse(request, series_slug)
    document = _find_document(order, key)
    try:
        picture = _make_once(
            request, order, document, "picture", lambda part, club: render_picture(order.language, part, club)
        )
    except TooMuch as error:
        return retry_later(HttpResponse(error.detail, status=429, content_type="text/plain"), error)
    except Refused as error:
        raise Http404(error.detail) from None
    return mark_uncacheable(HttpResponse(picture, content_type="image/png"))


def _make_once(
    request: HttpRequest,
    order: _PrintRequest,
    document: SeriesDocument,
    what: str,
    make: Callable[[Part, Part], bytes],
) -> bytes:
    """Return a print, from the cache if it was made from the same data before. `what`: PDF or picture, as
    part of the key.
    """
    with translation.override(order.language):
        part = document.part(order.occasion)
        club = pictures_for_print(order.series.club_id)

        def limited() -> bytes:
            with limit_printing(request, office=order.keeper):
                return make(part, club)

        content = json.dumps([order.series.name, part, club], ensure_ascii=False, default=str)
        mark = hashlib.blake2b(content.encode(), digest_size=20).hexdigest()
        which = ("series", order.series.pk, document.key, what, order.query, order.occasion.reading.full)
        return get_or_make_pdf(which, mark, limited)


def _find_document(order: _PrintRequest, key: str) -> SeriesDocument:
    """Return the document with this key. Raises 404 if it is not for this reader, or not ready."""
    document = SERIES_DOCUMENTS.get(key)
    if document is not None and (order.keeper or not document.keepers):
        with suppress(SeriesError):  # the page says what is wrong
            if document.possible(order.occasion.loaded) and document.ready(order.occasion.loaded):
                return document
    raise Http404(_("There is no such document."))


def _parse(request: HttpRequest, slug: str) -> _PrintRequest:
    """Parse the request. The default language is that of the latest event. Raises 404 if the reader may not
    see the series.
    """
    club_series = get_object_or_404(ClubSeries.objects.select_related("club"), slug=slug)
    keeper = loading.may_edit_series(request.user, club_series)
    loaded = load_shared_series(club_series)
    public = request.GET.get("names") == "public"
    languages = dict(settings.LANGUAGES)
    known = [request.GET.get("language", ""), *(one.language for one in reversed(loaded.championships))]
    known += [translation.get_language() or "", "en"]
    places = parse_bounded(request.GET.get("places"), least=1, most=MOST_CERTIFIED, default=CERTIFIED)
    language = next(code for code in known if code in languages)
    with translation.override(language):  # numbers in place of names have words
        own = loading.read_series(loaded, request.user, keeper=keeper)
        outsiders = loading.read_series(loaded, AnonymousUser(), keeper=False)
    if not own.visible:
        raise Http404(_("There is no such series."))
    reading = outsiders if public else own
    differ = own.names != outsiders.names
    return _PrintRequest(SeriesOccasion(loaded, reading, places), keeper, language, public, differ)
