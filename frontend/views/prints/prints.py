"""/c/<slug>/prints/: All documents of a championship for print, with previews, single PDFs, and one PDF of
several. For the desk, a worker makes the large ones.
"""

from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.db.models import Max
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe
from msgspec import UNSET

from engine import Refused
from frontend.presenters.words.refusals import show_refusal
from frontend.prints import print_jobs
from frontend.prints.club_pictures import pictures_for_print
from frontend.prints.documents import DOCUMENTS, Document
from frontend.prints.occasion import Occasion, Paper
from frontend.prints.pdf_cache import get_or_make_pdf
from frontend.prints.typesetting import render_picture
from frontend.views.championship_context import (
    PageContext,
    championship_page,
    mark_uncacheable,
    refuse,
    retry_later,
)
from frontend.views.numbers import parse_bounded
from frontend.views.prints.print_limits import limit_printing
from games.errors import TooMuch
from tournaments.models import PrizeGiving, Round
from tournaments.prizes import PrizePlan
from tournaments.services.current_regulations import has_sessions, load_regulations
from tournaments.services.draw.drawing_ahead import may_draw_ahead
from tournaments.services.money.bookings import filter_valid_bookings
from tournaments.services.people import name_visibility
from tournaments.services.prize_giving import load_plan
from tournaments.services.table_access.phone_address import find_printed_address

MARKS: Final = ("frame", "people", "tables", "results")
MISSING: Final[dict[str, str | Promise]] = {
    "people": gettext_lazy("As soon as somebody is entered."),
    "draw": gettext_lazy("As soon as a round is drawn."),
    "rounds": gettext_lazy("As soon as several rounds are drawn."),
    "ranking": gettext_lazy("As soon as a round is closed."),
    "teams": gettext_lazy("As soon as a round is closed, if there are teams."),
    "payments": gettext_lazy("As soon as something is paid."),
    "prizes": gettext_lazy("As soon as prizes are entered and a round is closed."),
}
MISSING_IN_HEATS: Final[dict[str, str | Promise]] = MISSING | {
    "draw": gettext_lazy("As soon as a table is seated."),
    "ranking": gettext_lazy("As soon as a session is closed."),
    "prizes": gettext_lazy("As soon as prizes are entered and a session is closed."),
}
"""Requirement of a document → sentence on when it is met, in the words of an open heat."""


WHOLE: Final = "evening"


@dataclass(frozen=True, slots=True)
class Offer:
    """A document on the page. `missing`: a sentence on the requirement that it lacks, empty if it is ready;
    `large`: a worker makes it; `picture`: the URL of its preview.
    """

    document: Document
    url: str
    missing: str | Promise
    large: bool
    picture: str


@require_safe
@championship_page()
def prints(page: PageContext) -> HttpResponse:
    """List the documents. `?language=de&paper=a5&round=2` applies to all of them; `&names=public` prints
    names as the public may read them.
    """
    return _prints_page(page, _parse_occasion(page))


def _prints_page(page: PageContext, occasion: Occasion, *, status: int = 200) -> HttpResponse:
    there = _met_requirements(page, occasion)
    missing = _missing_words(occasion)
    slug, query = page.championship.slug, _occasion_query(occasion)
    by_worker = page.roles.may("enter")
    offers = [
        Offer(
            document,
            f"{reverse('print', args=[slug, document.key])}?{query}",
            "" if document.needs in there else missing[document.needs],
            by_worker and print_jobs.is_large(occasion, [document]),
            f"{reverse('print_preview', args=[slug, document.key])}?{query}",
        )
        for document in DOCUMENTS.values()
        if _may_print(page, document) and _is_possible(occasion, document)
    ]
    ready = [offer.document for offer in offers if not offer.missing and not offer.document.alone]
    context: dict[str, Any] = {
        "offers": offers,
        "rounds": page.championship.rounds.exclude(status=Round.Status.PLANNED).order_by("number"),
        "occasion": occasion,
        "query": query,
        "names_differ": name_visibility.current_kind(page.championship) != page.championship.name_kind,
        "languages": settings.LANGUAGES,
        "papers": ("a4", "a5"),
        "whole_evening": f"{reverse('print', args=[slug, WHOLE])}?{query}" if len(ready) > 1 else "",
        "whole_is_large": by_worker and print_jobs.is_large(occasion, ready),
        "nobody": page.roles.may("enter") and "people" not in there,
    }
    return page.render("pages/prints.html", context, status=status)


def _missing_words(occasion: Occasion) -> dict[str, str | Promise]:
    return MISSING_IN_HEATS if occasion.regulations.has_queue else MISSING


@require_safe
@championship_page()
def print_document(page: PageContext, key: str) -> HttpResponse:
    """Return the PDF of a document. The key `evening` means all documents that are ready and that this person
    may have, except those marked `alone`.
    """
    occasion = _parse_occasion(page)
    ready = _ready_documents(page, occasion, key)
    if isinstance(ready, HttpResponse):
        return ready
    try:
        pdf = _cached_pdf(page, key, occasion, ready)
    except TooMuch as error:
        show_refusal(page.request, error)
        return retry_later(_prints_page(page, occasion, status=429), error)
    except Refused as error:
        show_refusal(page.request, error)
        return redirect("prints", page.championship.slug)
    response = HttpResponse(pdf, content_type="application/pdf")
    name = f"{page.championship.slug}-{key}.pdf"
    response.headers["Content-Disposition"] = f'inline; filename="{name}"'
    return _cached_response(response, ready)


@require_safe
@championship_page()
def print_preview(page: PageContext, key: str) -> HttpResponse:
    """Return a small picture of the document's first page."""
    occasion = _parse_occasion(page)
    ready = _ready_documents(page, occasion, key)
    if isinstance(ready, HttpResponse):
        return ready

    def make() -> bytes:
        with (
            limit_printing(page.request, office=page.roles.may("enter")),
            translation.override(occasion.language),
            occasion.reading(),
        ):
            club = pictures_for_print(page.championship.club_id)
            return render_picture(occasion.language, ready[0].parts[0](occasion), club)

    which, mark = _print_key(page, key, occasion)
    try:
        picture = get_or_make_pdf(("picture", *which), mark, make)
    except TooMuch as error:
        return retry_later(HttpResponse(error.detail, status=429, content_type="text/plain"), error)
    except Refused as error:
        raise Http404(error.detail) from None
    return _cached_response(HttpResponse(picture, content_type="image/png"), ready)


@require_POST
@championship_page("enter")
def print_order(page: PageContext, key: str) -> HttpResponse:
    """Start a job that makes a print, and redirect to its progress."""
    occasion = _parse_occasion(page)
    ready = _ready_documents(page, occasion, key)
    if isinstance(ready, HttpResponse):
        return ready
    address = f"{reverse('print', args=[page.championship.slug, key])}?{_occasion_query(occasion)}"
    name = print_jobs.print_digest(*_print_key(page, key, occasion))
    job = print_jobs.start_print_job(occasion, key, ready, name=name, address=address, actor=page.actor)
    return redirect("job", job.pk)


def _ready_documents(page: PageContext, occasion: Occasion, key: str) -> list[Document] | HttpResponse:
    """Return the documents of this key that are ready. Without any, return a response with the reason."""
    whole_evening = [document for document in DOCUMENTS.values() if not document.alone]
    chosen = [DOCUMENTS[key]] if key in DOCUMENTS else whole_evening if key == WHOLE else []
    if not chosen:
        raise Http404(_("There is no such document."))
    allowed = [document for document in chosen if _may_print(page, document)]
    if not allowed:
        return refuse(page)
    there = _met_requirements(page, occasion)
    ready = [document for document in allowed if document.needs in there]
    if ready:
        return ready
    messages.error(
        page.request, str(_missing_words(occasion)[allowed[0].needs]), extra_tags="prints/nothing_yet"
    )
    return redirect("prints", page.championship.slug)


def _cached_response(response: HttpResponse, ready: list[Document]) -> HttpResponse:
    if any(document.action for document in ready):
        return mark_uncacheable(response)
    response.headers["Cache-Control"] = "private, no-cache"
    return response


def _cached_pdf(page: PageContext, key: str, occasion: Occasion, ready: list[Document]) -> bytes:
    which, mark = _print_key(page, key, occasion)
    name = print_jobs.print_digest(which, mark)

    def make() -> bytes:
        with limit_printing(page.request, office=page.roles.may("enter")):
            return print_jobs.render_pdf(occasion, key, ready)

    return get_or_make_pdf(which, mark, lambda: print_jobs.find_stored_pdf(name) or make())


def _print_key(page: PageContext, key: str, occasion: Occasion) -> tuple[tuple[object, ...], str]:
    """Return the cache key of a print, and a mark that changes with the print's content."""
    cache_version = page.load_cache_version()
    offices = tuple(sorted(page.roles.offices))
    which = (
        page.championship.pk,
        key,
        page.audience(cache_version),
        offices,
        occasion.address,
        _occasion_query(occasion),
    )
    given = PrizeGiving.objects.filter(championship=page.championship).values_list("version", flat=True)
    booked = page.championship.bookings.aggregate(last=Max("pk"))["last"]  # Bookings are only ever added.
    pictures = [one.url for one in (page.images.logo, *page.images.sponsors) if one is not None]
    return which, f"{cache_version.marks(*MARKS)}.{given.first()}.{booked}.{pictures}"


def _parse_occasion(page: PageContext) -> Occasion:
    """Parse language, paper, round and names of the request. The defaults are the championship's language, A4
    and the newest round.
    """
    asked = page.request.GET
    championship = page.championship
    languages = dict(settings.LANGUAGES)
    known = [asked.get("language", ""), championship.language, translation.get_language() or "", "en"]
    language = next(code for code in known if code in languages)
    drawn = championship.rounds.exclude(status=Round.Status.PLANNED)
    number = parse_bounded(asked.get("round"), least=1, most=1000, default=0)
    round_ = drawn.filter(number=number).first() if number else drawn.order_by("-number").first()
    if number and round_ is None:
        sentence = (
            _("There is no session %(n)d.") if has_sessions(championship) else _("There is no round %(n)d.")
        )
        raise Http404(sentence % {"n": number})
    if round_ is not None:
        round_.championship = championship
    paper: Paper = "a5" if asked.get("paper") == "a5" else "a4"
    return Occasion(
        championship=championship,
        regulations=load_regulations(championship),
        round=round_,
        language=language,
        paper=paper,
        address=find_printed_address(championship, page.request.build_absolute_uri("/")) or "",
        public=asked.get("names") == "public",
    )


def _occasion_query(occasion: Occasion) -> str:
    params = {"language": occasion.language, "paper": occasion.paper}
    if occasion.round is not None:
        params["round"] = str(occasion.round.number)
    if occasion.public:
        params["names"] = "public"
    return urlencode(params)


def _met_requirements(page: PageContext, occasion: Occasion) -> frozenset[str]:
    """Return the keys of the requirements that this championship meets."""
    ranked = page.championship.snapshots.exists()
    met = {
        "": True,
        "people": page.championship.entries.exists(),
        "draw": occasion.round is not None,
        "rounds": page.championship.rounds.exclude(status=Round.Status.PLANNED).count() > 1,
        "ranking": ranked,
        "payments": filter_valid_bookings(page.championship).exists(),
        "teams": ranked and occasion.regulations.teams is not UNSET,
        "prizes": ranked and load_plan(page.championship) != PrizePlan(),
    }
    return frozenset(need for need, there in met.items() if there)


def _is_possible(occasion: Occasion, document: Document) -> bool:
    """Return whether this championship can ever meet the requirements of the document."""
    if document.needs == "rounds":
        return may_draw_ahead(occasion.regulations)
    return document.needs != "teams" or occasion.regulations.teams is not UNSET


def _may_print(page: PageContext, document: Document) -> bool:
    return document.action is None or page.roles.may(document.action)
