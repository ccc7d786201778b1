"""/c/<slug>/links/: Personal links to the tables of an online championship, to copy, print or mail."""

from typing import Any
from urllib.parse import quote

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from frontend.presenters.tables.codes import render_qr_code
from frontend.presenters.words.refusals import refusals_as_messages
from frontend.views.championship_context import PageContext, championship_page, mark_uncacheable
from frontend.views.numbers import MAX_NUMBER, parse_bounded
from tournaments.services.entries.personal_links import NewLink, list_people_with_links, make_links
from tournaments.services.table_access import phone_address


@require_http_methods(["GET", "HEAD", "POST"])
@championship_page("enter")
def personal_links_page(page: PageContext) -> HttpResponse:
    """List the people, with or without a link (GET). POST: create the missing links; with `again`, replace
    the link of the person with this number. A new link is shown only once.
    """
    address = phone_address.find_printed_address(page.championship, page.request.build_absolute_uri("/"))
    context: dict[str, Any] = {"address": address}
    if page.request.method == "POST":
        again = page.request.POST.get("again")
        numbers = None if again is None else [parse_bounded(again, least=0, most=MAX_NUMBER, default=0)]
        with refusals_as_messages(page.request):
            links = make_links(page.championship, numbers, actor=page.actor)
            context["made"] = [_link_context(page, one, address) for one in links]
    context["people"] = list_people_with_links(page.championship)
    context["without"] = sum(not hasattr(entry, "personal_link") for entry in context["people"])
    return mark_uncacheable(page.render("pages/personal_links.html", context))


def _link_context(page: PageContext, link: NewLink, address: str | None) -> dict[str, Any]:
    """Return the context of a link: its URL, QR code and mail. `address`: public URL of the site; None: this
    machine's.
    """
    origin = address or page.request.build_absolute_uri("/").rstrip("/")
    url = f"{origin}{reverse('open_table')}#{link.token}"
    subject = quote(_("Your link for %(name)s") % {"name": page.championship.name})
    sentence = _("This link opens each of your tables all evening. It is yours alone.")
    body = quote(f"{sentence}\r\n\r\n{url}")
    return {
        "entry": link.entry,
        "url": url,
        "picture": render_qr_code(url) if address else None,
        "mail": f"mailto:{quote(link.entry.email)}?subject={subject}&body={body}" if link.entry.email else "",
    }
