"""/c/<slug>/links/: one link a person for a whole online evening, to copy, print or mail."""

from typing import Any
from urllib.parse import quote

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from engine import Refused
from frontend.presenters.codes import picture_of
from frontend.presenters.refusals import show_refusal
from frontend.views.championship_context import Frame, championship_page, kept_nowhere
from frontend.views.numbers import whole
from tournaments.services.entries.personal_links import NewLink, make_links, people_with_links
from tournaments.services.table_access import phone_address


@require_http_methods(["GET", "HEAD", "POST"])
@championship_page("enter")
def personal_links_page(frame: Frame) -> HttpResponse:
    """GET lists who has a link. POST `missing`: links for all who have none; `again`: a new one for the
    person of that number. New ones are shown once.
    """
    address = phone_address.printed_address(frame.championship, frame.request.build_absolute_uri("/"))
    context: dict[str, Any] = {"address": address}
    if frame.request.method == "POST":
        again = whole(frame.request.POST.get("again"), least=0, most=10**6, default=0)
        try:
            made = make_links(frame.championship, [again] if again else None, actor=frame.actor)
        except Refused as error:
            show_refusal(frame.request, error)
        else:
            context["made"] = [_shown(frame, one, address) for one in made]
    context["people"] = people_with_links(frame.championship)
    context["without"] = sum(not hasattr(entry, "personal_link") for entry in context["people"])
    return kept_nowhere(frame.page("pages/personal_links.html", context))


def _shown(frame: Frame, link: NewLink, address: str | None) -> dict[str, Any]:
    """A link as it is copied, scanned or mailed; where others reach no address here, as this machine does."""
    page = address or frame.request.build_absolute_uri("/").rstrip("/")
    url = f"{page}{reverse('open_table')}#{link.token}"
    subject = quote(_("Your link for %(name)s") % {"name": frame.championship.name})
    said = _("With this link you come to each of your tables, all evening. It is yours alone.")
    body = quote(f"{said}\r\n\r\n{url}")
    return {
        "entry": link.entry,
        "url": url,
        "picture": picture_of(url) if address else None,
        "mail": f"mailto:{quote(link.entry.email)}?subject={subject}&body={body}" if link.entry.email else "",
    }
