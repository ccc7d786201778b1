"""/c/<slug>/standings/: after each round and live, for a screen, the back of the hall, and a spreadsheet."""

from dataclasses import replace
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_POST

from frontend.presenters import rankings, seals, standings
from frontend.presenters.places_graph import Course, graph
from frontend.presenters.rankings import Ranking
from frontend.presenters.refusals import REFUSALS, tell
from frontend.views.frame import Frame, championship_page
from frontend.views.numbers import whole
from tournaments.models import Job, Round
from tournaments.services import jobs, ruling_marks, sealing, separators

PAGE = 100
PROJECTED = 10
GRAPHED = 100


@require_GET
@championship_page()
def standings_page(frame: Frame) -> HttpResponse:
    """`?after=2`: as published after round 2; `?live=1`: now; `?page=2`: places 101 to 200."""
    rounds = list(frame.championship.rounds.order_by("number"))
    found = _asked_for(frame, rounds)
    page = whole(frame.request.GET.get("page"), least=1, most=1000, default=1)
    mine = frame.roles.entry
    shown = found.rows[(page - 1) * PAGE : page * PAGE]
    entries = standings.people(frame.championship, shown)
    before = rankings.places_after(frame.championship, found.after - 1)
    context: dict[str, Any] = {
        "ranking": found,
        "lines": standings.lines(
            shown,
            entries,
            found.rounds,
            before=before,
            mine=mine.number if mine else None,
            marks=ruling_marks.of_entries(frame.championship, [row.key for row in shown]),
        ),
        "people": len(found.rows),
        "page": page,
        "next_page": page + 1 if len(found.rows) > page * PAGE else None,
        "rounds": [r for r in rounds if r.status == Round.Status.CLOSED],
        "is_open": any(r.status == Round.Status.OPEN for r in rounds),
    }
    if frame.roles.may_direct and not found.live and all(r.status == Round.Status.CLOSED for r in rounds):
        context["level"] = bool(
            separators.kind_of(frame.championship) and separators.level(frame.championship)
        )
    if not frame.for_a_part and found.rows:
        covering = sealing.covering(frame.championship, found.made_at)
        context["printed_seal"] = seals.printed(frame.request, frame.championship, covering)
    template = "parts/standings_table.html" if frame.for_a_part else "pages/standings.html"
    return frame.page(template, context)


@require_GET
@championship_page()
def projector(frame: Frame) -> HttpResponse:
    """Ten places at a time, the next ten a few seconds later; after the last the first again."""
    rounds = list(frame.championship.rounds.order_by("number"))
    found = _asked_for(frame, rounds)
    pages = max(1, -(-len(found.rows) // PROJECTED))
    page = whole(frame.request.GET.get("page"), least=1, most=pages, default=1)
    shown = found.rows[(page - 1) * PROJECTED : page * PROJECTED]
    context = {
        "ranking": found,
        "lines": standings.lines(
            shown,
            standings.people(frame.championship, shown),
            found.rounds,
            marks=ruling_marks.of_entries(frame.championship, [row.key for row in shown]),
        ),
        "page": page,
        "pages": pages,
        "next_page": page % pages + 1,
    }
    template = "parts/projected.html" if frame.for_a_part else "pages/projector.html"
    return frame.page(template, context)


@require_GET
@championship_page()
def standings_graph(frame: Frame) -> HttpResponse:
    """The places over the rounds of the hundred at the front, and one's own."""
    found = rankings.published(frame.championship)
    by_round = rankings.places_by_round(frame.championship, found.after)
    mine = frame.roles.entry.number if frame.roles.entry else None
    rows = [row for i, row in enumerate(found.rows) if i < GRAPHED or row.key == mine]
    entries = standings.people(frame.championship, rows)
    courses = [
        Course(
            label=standings.name_of(entries, row.key),
            places=tuple(by_round.get(number, {}).get(row.key) for number in found.rounds),
            mine=row.key == mine,
        )
        for row in rows
    ]
    return frame.page("pages/standings_graph.html", {"ranking": found, "graph": graph(courses)})


@require_POST
@championship_page("export_entries")
def standings_export(frame: Frame) -> HttpResponse:
    """A file takes time with thousands of entries: a job writes it, and its page offers it."""
    try:
        job = jobs.start(
            Job.Kind.EXPORT, frame.championship, actor=frame.actor if frame.roles.signed_in else None
        )
    except REFUSALS as error:
        tell(frame.request, error)
        return redirect("standings", frame.championship.slug)
    return redirect("job", job.pk)


def _asked_for(frame: Frame, rounds: list[Round]) -> Ranking:
    """What the address asks for; without a wish the newest published one, before that the live one."""
    after = whole(frame.request.GET.get("after"), least=1, most=999, default=0)
    if frame.request.GET.get("live") == "1":
        return rankings.live(frame.championship, rounds)
    found = rankings.published(frame.championship, after or None)
    if found.rows or after:
        return replace(found, after=found.after or after)
    return rankings.live(frame.championship, rounds)
