"""/c/<slug>/people/<n>/: One person's rounds, tables, partners, points and places."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from frontend.presenters.entries.persons_evening import load_evening
from frontend.presenters.messages.notices import notice_panel
from frontend.presenters.standings.ranking_lines import name_of
from frontend.views.championship_context import PageContext, championship_page
from frontend.views.tables.tiles import MARKS
from tournaments.models import Entry, Round
from tournaments.names.public_names import CONSENTED, FULL
from tournaments.services.current_regulations import load_regulations
from tournaments.services.people import name_visibility


@require_safe
@championship_page()
def persons_evening(page: PageContext, number: int) -> HttpResponse:
    """Render a person's rounds.

    The number of a merged entry redirects to the entry that remains. The number of a further start redirects
    to the person's first start.
    """
    cache_version = page.load_cache_version()
    entry = page.find_entry(number, "merged_into", "start_of", "person")
    person = entry.merged_into or entry.start_of
    if person is not None:
        return redirect("persons_evening", page.championship.slug, person.number)

    def make() -> str:
        evening = load_evening(page.championship, entry, load_regulations(page.championship))
        return page.render_fragment("parts/persons_evening.html", {"evening": evening})

    def body() -> str:
        return page.get_or_make_html("person", cache_version, (number,), cache_version.marks(*MARKS), make)

    if page.is_partial:
        return page.respond_with_part(f"person {number}", cache_version, MARKS, body)
    context = {
        "entry_number": number,
        "entry_name": name_of({number: entry}, number),
        "club": entry.club,
        "own": page.roles.entry is not None and page.roles.entry.number == number,
        "is_open": page.championship.rounds.filter(status=Round.Status.OPEN).exists(),
        "notices": notice_panel(page.championship, number, gone=entry.status == Entry.Status.WITHDRAWN),
        "body": body(),
        "across": _find_page_across(page, entry),
    }
    return page.render("pages/persons_evening.html", context)


def _find_page_across(page: PageContext, entry: Entry) -> str:
    """Return the URL of the person's page across championships; empty if the reader may not see it."""
    club: dict[str, Any] | None = vars(page.championship).get("club_page")
    person = entry.person
    if club is None or person is None or person.club_id != page.championship.club_id:
        return ""
    shown = name_visibility.current_kind(page.championship) in (FULL, CONSENTED) and not entry.withheld
    may_link = shown and person.erased_at is None
    return reverse("club_person", args=[club["slug"], person.pk]) if may_link else ""
