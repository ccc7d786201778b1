"""/c/<slug>/prints/: everything on paper. A page to choose from, a PDF a document, or the whole evening."""

from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET

from engine import Refused
from frontend.presenters.refusals import show_refusal
from frontend.prints.documents import DOCUMENTS, Document
from frontend.prints.kept import kept
from frontend.prints.occasion import Occasion, Paper
from frontend.prints.typesetting import typeset
from frontend.views.championship_context import Frame, championship_page, kept_nowhere, refuse
from frontend.views.numbers import whole
from tournaments.models import PrizeGiving, Round
from tournaments.prizes import PrizePlan
from tournaments.services import championships
from tournaments.services.hall.phone_address import address_for
from tournaments.services.prizes import plan_of

MARKS: Final = ("frame", "people", "tables", "results")
MISSING: Final[dict[str, str | Promise]] = {
    "people": gettext_lazy("As soon as somebody is entered."),
    "draw": gettext_lazy("As soon as a round is drawn."),
    "ranking": gettext_lazy("As soon as a round is closed."),
    "prizes": gettext_lazy("As soon as prizes are written down and a round is closed."),
}


@dataclass(frozen=True, slots=True)
class Offer:
    """A document on the page; `missing`: what it waits for."""

    document: Document
    url: str
    missing: str | Promise


@require_GET
@championship_page()
def prints(frame: Frame) -> HttpResponse:
    """`?language=de&paper=a5&round=2`: chosen once for all documents."""
    occasion = _occasion(frame)
    there = _there(frame, occasion)
    query = _query(occasion)
    offers = [
        Offer(
            document,
            f"{reverse('print', args=[frame.championship.slug, document.key])}?{query}",
            "" if document.needs in there else MISSING[document.needs],
        )
        for document in DOCUMENTS.values()
        if _may(frame, document)
    ]
    whole_evening = f"{reverse('print', args=[frame.championship.slug, 'evening'])}?{query}"
    context: dict[str, Any] = {
        "offers": offers,
        "rounds": frame.championship.rounds.exclude(status=Round.Status.PLANNED).order_by("number"),
        "occasion": occasion,
        "languages": settings.LANGUAGES,
        "papers": ("a4", "a5"),
        "whole_evening": whole_evening if sum(not offer.missing for offer in offers) > 1 else "",
    }
    return frame.page("pages/prints.html", context)


@require_GET
@championship_page()
def print_document(frame: Frame, key: str) -> HttpResponse:
    """The PDF; `evening` is all that this person may have of what can be made now."""
    occasion = _occasion(frame)
    there = _there(frame, occasion)
    chosen = [DOCUMENTS[key]] if key in DOCUMENTS else list(DOCUMENTS.values()) if key == "evening" else []
    if not chosen:
        raise Http404(_("There is no such document."))
    allowed = [document for document in chosen if _may(frame, document)]
    if not allowed:
        return refuse(frame)
    ready = [document for document in allowed if document.needs in there]
    if not ready:
        messages.error(frame.request, str(MISSING[allowed[0].needs]), extra_tags="prints/nothing_yet")
        return redirect("prints", frame.championship.slug)
    try:
        pdf = _made(frame, key, occasion, ready)
    except Refused as error:
        show_refusal(frame.request, error)
        return redirect("prints", frame.championship.slug)
    response = HttpResponse(pdf, content_type="application/pdf")
    name = f"{frame.championship.slug}-{key}.pdf"
    response.headers["Content-Disposition"] = f'inline; filename="{name}"'
    if any(document.action for document in ready):
        return kept_nowhere(response)
    response.headers["Cache-Control"] = "private, no-cache"
    return response


def _made(frame: Frame, key: str, occasion: Occasion, ready: list[Document]) -> bytes:
    edition = frame.edition()

    def make() -> bytes:
        with translation.override(occasion.language):
            parts = [part(occasion) for document in ready for part in document.parts]
            title = f"{frame.championship.name}: {_title(key)}"
            return typeset(title, occasion.language, parts, frame.championship.created_at)

    offices = tuple(sorted(frame.roles.offices))
    which = (frame.championship.pk, key, frame.audience(edition), offices, occasion.address, _query(occasion))
    given = PrizeGiving.objects.filter(championship=frame.championship).values_list("version", flat=True)
    return kept(which, f"{edition.marks(*MARKS)}.{given.first()}", make)


def _title(key: str) -> str:
    return str(DOCUMENTS[key].label) if key in DOCUMENTS else _("Whole evening")


def _occasion(frame: Frame) -> Occasion:
    """What the address asks for; else the championship's language, A4, the newest round."""
    asked = frame.request.GET
    found = frame.championship
    languages = dict(settings.LANGUAGES)
    known = [asked.get("language", ""), found.language, translation.get_language() or "", "en"]
    language = next(code for code in known if code in languages)
    drawn = found.rounds.exclude(status=Round.Status.PLANNED)
    number = whole(asked.get("round"), least=1, most=1000, default=0)
    round_ = drawn.filter(number=number).first() if number else drawn.order_by("-number").first()
    if number and round_ is None:
        raise Http404(_("There is no round %(n)d.") % {"n": number})
    if round_ is not None:
        round_.championship = found
    paper: Paper = "a5" if asked.get("paper") == "a5" else "a4"
    return Occasion(
        championship=found,
        regulations=championships.regulations_of(found),
        round=round_,
        language=language,
        paper=paper,
        address=address_for(found, frame.request.build_absolute_uri("/")) or "",
    )


def _query(occasion: Occasion) -> str:
    told = {"language": occasion.language, "paper": occasion.paper}
    if occasion.round is not None:
        told["round"] = str(occasion.round.number)
    return urlencode(told)


def _there(frame: Frame, occasion: Occasion) -> frozenset[str]:
    """Which needs of documents are met."""
    ranked = frame.championship.snapshots.exists()
    met = {
        "": True,
        "people": frame.championship.entries.exists(),
        "draw": occasion.round is not None,
        "ranking": ranked,
        "prizes": ranked and plan_of(frame.championship) != PrizePlan(),
    }
    return frozenset(need for need, there in met.items() if there)


def _may(frame: Frame, document: Document) -> bool:
    return document.action is None or frame.roles.may(document.action)
