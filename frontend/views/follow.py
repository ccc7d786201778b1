"""/c/<slug>/people/<n>/follow/: the table where one person sits now; where there is none, where he is."""

from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from frontend.presenters.notices import notice_panel
from frontend.presenters.player_search import PersonNow, whereabouts_of
from frontend.presenters.standings import name_of
from frontend.views.championship_context import PageContext, championship_page
from tournaments.models import Entry
from tournaments.services.current_regulations import regulations_of

MARKS = ("frame", "people", "tables")
MAX_KEY_LENGTH = 32
"""Of the key of a game."""


@require_safe
@championship_page()
def follow(frame: PageContext, number: int) -> HttpResponse:
    """A way to his table. As a part of a page: where he is; with `?at=`, the table that is looked at, nothing
    while he plays there, and that page goes on to another one as soon as he sits there.
    """
    edition = frame.edition()
    entry = frame.entry(number, "merged_into")
    if entry.merged_into is not None:
        return redirect("follow", frame.championship.slug, entry.merged_into.number)
    name = name_of({number: entry}, number)

    def found() -> PersonNow:
        return whereabouts_of(frame.championship, entry, regulations_of(frame.championship))

    if frame.for_a_part:
        looks_at = frame.request.GET.get("at")
        at = None if looks_at is None else looks_at[:MAX_KEY_LENGTH]

        def make() -> str:
            now = found()
            if now.game == at and now.doing in ("plays", "paper"):
                return ""  # who looks at his table sees that he plays there
            moves = at is not None and now.at_a_table and now.game != at
            context = {"now": now, "number": number, "name": name, "moves": moves, "here": at is not None}
            return frame.rendered("parts/follow.html", context)

        return frame.part(f"follow {number} {at!r}", edition, MARKS, make)
    now = found()
    if now.at_a_table:
        return redirect(f"{now.url}?follow={number}")
    context = {"now": now, "number": number, "name": name, "here": True}
    context["notices"] = notice_panel(frame.championship, number, gone=entry.status == Entry.Status.WITHDRAWN)
    return frame.page("pages/follow.html", context)
