"""/c/<slug>/people/<n>/follow/: The current table of a person, or what the person is doing without one."""

from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from frontend.presenters.messages.notices import notice_panel
from frontend.presenters.standings.ranking_lines import name_of
from frontend.presenters.tables.player_search import PersonNow, find_player
from frontend.views.championship_context import PageContext, championship_page
from frontend.views.tables.tiles import MARKS
from tournaments.models import Entry
from tournaments.services.current_regulations import load_regulations

MAX_KEY_LENGTH = 32
"""Largest length of a game's id in the request."""


@require_safe
@championship_page()
def follow(page: PageContext, number: int) -> HttpResponse:
    """Redirect to the person's table; without one, show where the person is. For htmx, render a part instead.

    `?at=` names the table of the page that polls. The part is empty while the person plays at that table, and
    makes the page navigate once they sit at another one.
    """
    cache_version = page.load_cache_version()
    entry = page.find_entry(number, "merged_into")
    if entry.merged_into is not None:
        return redirect("follow", page.championship.slug, entry.merged_into.number)
    name = name_of({number: entry}, number)

    def find_now() -> PersonNow:
        return find_player(page.championship, entry, load_regulations(page.championship))

    if page.is_partial:
        looks_at = page.request.GET.get("at")
        shown_game = None if looks_at is None else looks_at[:MAX_KEY_LENGTH]

        def make() -> str:
            now = find_now()
            if now.game == shown_game and now.doing in ("plays", "paper"):
                return ""  # The page already shows that the person plays here.
            moves = shown_game is not None and now.at_a_table and now.game != shown_game
            context = {
                "now": now,
                "number": number,
                "name": name,
                "moves": moves,
                "here": shown_game is not None,
            }
            return page.render_fragment("parts/follow.html", context)

        return page.respond_with_part(f"follow {number} {shown_game!r}", cache_version, MARKS, make)
    now = find_now()
    if now.at_a_table:
        return redirect(f"{now.url}?follow={number}")
    context = {"now": now, "number": number, "name": name, "here": True}
    context["notices"] = notice_panel(page.championship, number, gone=entry.status == Entry.Status.WITHDRAWN)
    return page.render("pages/follow.html", context)
