"""/c/<slug>/rounds/<n>/queue/: The queue of a session, for people in the hall to read, for the projector, and
for the desk to seat tables.
"""

import time
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from engine import Refused
from frontend.forms.sessions import LATER, NewcomerForm, PaymentForm, VenueForm
from frontend.presenters import standings
from frontend.presenters.draw_notes import note_sentences
from frontend.presenters.hall import MAX_QUERY_LENGTH
from frontend.presenters.queue import (
    called_tables,
    first_of_pair_lines,
    offer_lines,
    partner_lines,
    seating_sentence,
    waiting_lines,
)
from frontend.presenters.refusals import refusal_sentence, refusals_as_messages
from frontend.views.championship_context import PageContext, championship_page, projector_view, refuse
from frontend.views.numbers import MAX_NUMBER, parse_bounded
from frontend.views.tiles import MARKS
from tournaments.models import Booking, Entry, Round
from tournaments.services import session_queue
from tournaments.services.current_regulations import load_regulations
from tournaments.services.entries import entries as desk
from tournaments.services.entries.pairs import find_partner, has_fixed_pairs, pair_name
from tournaments.services.scores.ranking import rank_starts
from tournaments.services.sessions import seating, sessions, starts

FOUND = 12
MOST_MIX = 400
PROJECTED_WAITING = 12
"""Number of waiting starts on the projector at a time."""
MOST_PROJECTED = 5 * PROJECTED_WAITING
PROJECTED_TABLES = 2
PROJECTED_STARTS = 5


@require_safe
@championship_page()
def queue_page(frame: PageContext, number: int) -> HttpResponse:
    """Render the queue, which is polled. The desk also sees waiting times and buttons.

    `?q=`: search for people; `?with=`: number of the first member of a pair; `?mix=`: how many starts must
    stay in the queue after tables are seated, for a better mixture.
    """
    round_ = load_session(frame, number)
    if frame.is_partial and "q" in frame.request.GET:
        if not frame.roles.may("enter"):
            return refuse(frame)
        return frame.page("parts/queue_found.html", {"round": round_, **_search(frame)})
    cache_version, at_desk = frame.cache_version(), frame.roles.may("enter") and not frame.roles.read_only
    if frame.is_partial:
        more = (int(time.time()) // 60, parse_mix(frame, round_)) if at_desk else ""
        context = {"at_desk": at_desk, "round": round_}
        return frame.part(
            f"queue {round_.pk}",
            cache_version,
            MARKS,
            lambda: render_to_string(
                "parts/queue.html",
                frame.context() | context | _live(frame, round_, at_desk=at_desk),
                request=frame.request,
            ),
            more=more,
        )
    return _render(frame, round_, at_desk=at_desk)


def _render(
    frame: PageContext,
    round_: Round,
    *,
    at_desk: bool,
    newcomer: NewcomerForm | None = None,
    status: int = 200,
) -> HttpResponse:
    context: dict[str, Any] = {"round": round_, "at_desk": at_desk, **_live(frame, round_, at_desk=at_desk)}
    if at_desk:
        context |= _search(frame)
        context["in_pairs"] = has_fixed_pairs(frame.championship)
        context["newcomer_form"] = newcomer or NewcomerForm()
    return frame.page("pages/queue.html", context, status=status)


def _live(frame: PageContext, round_: Round, *, at_desk: bool) -> dict[str, Any]:
    """Return the context of the polled part: who waits, whom seating would seat, and the newest tables."""
    waiting = session_queue.list_waiting(round_)
    lines = waiting_lines(waiting, timezone.now() if at_desk else None)
    tables = called_tables(round_, chips=load_regulations(frame.championship).chips())
    parts: dict[str, Any] = {
        "waiting": lines,
        "waiting_count": len(waiting),
        "called": tables,
        "table_count": round_.tables.count(),
    }
    if at_desk:
        proposal = seating.propose_tables(round_, waiting, parse_mix(frame, round_))
        parts |= {"proposal": proposal, "sentence": seating_sentence(proposal)}
        last = tables[0] if tables and tables[0].number == parts["table_count"] else None
        parts["last"] = last.number if last is not None else None
    return parts


def _search(frame: PageContext) -> dict[str, Any]:
    """Return the people found by `?q=`, each with a button. If pairs play and `?with=` names the first member
    without a search, return the people with whom this person has played so far.
    """
    query = frame.request.GET.get("q", "").strip()[:MAX_QUERY_LENGTH]
    people: list[Entry] = []
    if query:
        rows = desk.search_entries(frame.championship, query)
        people = list(rows.filter(merged_into=None, house=False).select_related("start_of")[: FOUND * 4])
    first = list(dict.fromkeys(entry.start_of or entry for entry in people))
    fees = list(frame.championship.fees.all())
    found: dict[str, Any] = {"query": query, "payment_form": PaymentForm() if fees else None}
    if not has_fixed_pairs(frame.championship):
        offered = starts.list_start_offers(frame.championship, first[:FOUND]) if first else []
        return found | {"offers": offer_lines(offered, fees), "more": len(first) > FOUND}
    chosen = _find_chosen(frame)
    mine = starts.list_start_offers(frame.championship, [chosen])[0] if chosen is not None else None
    if mine is not None and not query:
        by_pk = Entry.objects.in_bulk(mine.mates[:FOUND])
        first = [by_pk[pk] for pk in mine.mates[:FOUND]]
    others = [entry for entry in first if entry != chosen]
    offered = starts.list_start_offers(frame.championship, others[:FOUND]) if others else []
    lines = first_of_pair_lines(offered) if mine is None else partner_lines(mine, offered, fees)
    return found | {"offers": lines, "more": len(others) > FOUND, "chosen": chosen}


def _find_chosen(frame: PageContext) -> Entry | None:
    """Return the first entry of the person chosen by `with` as the first member of a pair; None without a
    choice.
    """
    given = frame.request.POST if frame.request.method == "POST" else frame.request.GET
    number = parse_bounded(given.get("with"), least=0, most=MAX_NUMBER, default=0)
    entry = frame.championship.entries.filter(number=number, merged_into=None, house=False).first()
    return None if entry is None else starts.load_first_entry(entry)


@require_safe
@championship_page()
@projector_view
def queue_projector(frame: PageContext, number: int) -> HttpResponse:
    """Render the queue for a projector: the newest tables, who waits, and the best starts so far. It is
    polled.

    `?page=2`: the next waiting starts.
    """
    round_ = load_session(frame, number)
    cache_version, asked = frame.cache_version(), frame.page_asked_for

    def make() -> str:
        waiting = session_queue.list_waiting(round_) if round_.status == Round.Status.OPEN else []
        lines = waiting_lines(waiting[:MOST_PROJECTED], None)
        pages = max(1, -(-len(lines) // PROJECTED_WAITING))
        page = min(asked, pages)
        rows = [row for row in rank_starts(frame.championship) if row.has_result][:PROJECTED_STARTS]
        context = {
            "round": round_,
            "waiting": lines[(page - 1) * PROJECTED_WAITING : page * PROJECTED_WAITING],
            "waiting_count": len(waiting),
            "first": (page - 1) * PROJECTED_WAITING + 1,
            "called": called_tables(
                round_, chips=load_regulations(frame.championship).chips(), most=PROJECTED_TABLES
            ),
            "best": standings.ranked_lines(
                rows, standings.load_ranked_people(frame.championship, rows), (1,)
            ),
            "page": page,
            "pages": pages,
            "next_page": page % pages + 1,
        }
        return frame.rendered("parts/projected_queue.html", context)

    of = (round_.pk, asked)
    marks = (*MARKS, "results")
    body = frame.piece("projected queue", cache_version, of, cache_version.marks(*marks), make)
    if frame.is_partial:
        return frame.part(f"projected queue {of}", cache_version, marks, lambda: body)
    return frame.page("pages/queue_projector.html", {"round": round_, "projected": body})


@require_POST
@championship_page("enter")
def queue_act(frame: PageContext, number: int, act: str) -> HttpResponse:
    """Do one action in a session: `start`, `newcomer`, `leave` (the queue), `back` (undo a start), `seat`,
    `undo` (a table), `open`, `close-empty` or `venue`.
    """
    round_ = load_session(frame, number)
    if act in PAGES:
        return PAGES[act](frame, round_)
    if act not in ACTS:
        raise Http404
    with refusals_as_messages(frame.request):
        said = ACTS[act](frame, round_)
        messages.success(frame.request, said)
    if act == "close-empty":
        return redirect("round", frame.championship.slug, number)
    return redirect("queue", frame.championship.slug, number)


def _add_newcomer(frame: PageContext, round_: Round) -> HttpResponse:
    """Enter a new person, sell a start and queue it, or only enter the first member of a pair. A refusal
    renders the page with the input and the error.
    """
    form = NewcomerForm(frame.request.POST)
    if form.is_valid():
        given = {
            name: form.cleaned_data[name] for name in ("family_name", "first_name", "club", "allow_double")
        }
        chosen = _find_chosen(frame)
        address = reverse("queue", args=[frame.championship.slug, round_.number])
        try:
            if chosen is None and has_fixed_pairs(frame.championship):
                entry = desk.add_entry(frame.championship, actor=frame.actor, **given)
                messages.success(frame.request, _("%(name)s is entered.") % {"name": entry.name})
                return redirect(f"{address}?with={entry.number}")
            start = starts.add_newcomer(
                round_, actor=frame.actor, partner=chosen, method=_read_method(frame), **given
            )
        except Refused as error:
            form.add_error("family_name", refusal_sentence(error))
        else:
            messages.success(frame.request, _confirm_waiting(start))
            return redirect(address)
    return _render(frame, round_, at_desk=True, newcomer=form, status=400)


def _add_start(frame: PageContext, round_: Round) -> str:
    entry = _read_entry(frame)
    seen = parse_bounded(frame.request.POST.get("seen"), least=0, most=MAX_NUMBER, default=0)
    partner = _find_chosen(frame)
    start = starts.add_start(
        round_, entry, actor=frame.actor, partner=partner, method=_read_method(frame), seen=seen
    )
    return _confirm_waiting(start)


def _leave(frame: PageContext, round_: Round) -> str:
    entry = _read_entry(frame)
    starts.leave_queue(entry, actor=frame.actor)
    return _("%(name)s is out of the queue; the start stays bought.") % {"name": _name_start(entry)}


def _take_back(frame: PageContext, round_: Round) -> str:
    entry = _read_entry(frame)
    named = _name_start(entry)
    starts.take_back_start(entry, actor=frame.actor)
    return _("The start of %(name)s is cancelled, and its payment is reversed.") % {"name": named}


def _seat(frame: PageContext, round_: Round) -> str:
    given = frame.request.POST
    mix = parse_bounded(given.get("mix"), least=0, most=MOST_MIX, default=seating.own_mix(round_))
    seen = parse_bounded(given.get("seen"), least=0, most=MAX_NUMBER, default=0)
    opened = seating.seat_next(round_, actor=frame.actor, mix=mix, seen=seen)
    numbers = ", ".join(str(table.number) for table in opened)
    sentence = ngettext("Table %(tables)s is seated.", "Tables %(tables)s are seated.", len(opened))
    return " ".join([sentence % {"tables": numbers}, *_notes_of_draw(frame, round_)])


def _notes_of_draw(frame: PageContext, round_: Round) -> list[str]:
    """Return sentences on what the draw could not avoid. Starts that remain in the queue are left out,
    because the page lists them.
    """
    cost = seating.load_last_cost(round_)
    notes = [note for note in cost.get("notes", ()) if note["code"] != "pairing/waiting"]
    return note_sentences(frame.championship, {"notes": notes}, officials=True)


def _undo(frame: PageContext, round_: Round) -> str:
    number = parse_bounded(frame.request.POST.get("table"), least=0, most=MAX_NUMBER, default=0)
    seating.take_table_back(round_, number, actor=frame.actor)
    return _("Table %(n)d is undone; its people wait as before.") % {"n": number}


def _open(frame: PageContext, round_: Round) -> str:
    sessions.open_session(round_, actor=frame.actor)
    return _("The session is open.")


def _close_empty(frame: PageContext, round_: Round) -> str:
    sessions.undo_opening(round_, actor=frame.actor)
    return _("The opening of the session is undone.")


def _set_venue(frame: PageContext, round_: Round) -> HttpResponse:
    form = VenueForm(frame.request.POST)
    if not form.is_valid():
        messages.error(
            frame.request,
            next(str(errors[0]) for errors in form.errors.values()),
            extra_tags="rounds/times",
        )
        return redirect("round", frame.championship.slug, round_.number)
    with refusals_as_messages(frame.request):
        sessions.set_venue(round_, actor=frame.actor, **form.cleaned_data)
        messages.success(frame.request, _("Place and time are set."))
    return redirect("round", frame.championship.slug, round_.number)


ACTS: dict[str, Callable[[PageContext, Round], str]] = {
    "start": _add_start,
    "leave": _leave,
    "back": _take_back,
    "seat": _seat,
    "undo": _undo,
    "open": _open,
    "close-empty": _close_empty,
}
PAGES: dict[str, Callable[[PageContext, Round], HttpResponse]] = {
    "newcomer": _add_newcomer,
    "venue": _set_venue,
}
"""Actions with a form, which return the response themselves."""


def load_session(frame: PageContext, number: int) -> Round:
    """Return the session with this number; raise 404 if there is none."""
    round_ = frame.round(number)
    if not load_regulations(frame.championship).has_queue:
        raise Http404(_("This championship has rounds, not sessions."))
    return round_


def parse_mix(frame: PageContext, round_: Round) -> int:
    """Return how many starts must stay in the queue after tables are seated: `?mix=`, by default the number
    of the regulations.
    """
    return parse_bounded(
        frame.request.GET.get("mix"), least=0, most=MOST_MIX, default=seating.own_mix(round_)
    )


def _read_entry(frame: PageContext) -> Entry:
    number = parse_bounded(frame.request.POST.get("number"), least=0, most=MAX_NUMBER, default=0)
    entry = frame.entry(number)
    entry.championship = frame.championship
    return entry


def _read_method(frame: PageContext) -> str:
    asked = frame.request.POST.get("method", Booking.Method.CASH)
    return asked if asked in Booking.Method.values else LATER


def _confirm_waiting(start: Entry) -> str:
    return _("%(name)s is now waiting, as number %(number)d.") % {
        "name": _name_start(start),
        "number": start.number,
    }


def _name_start(start: Entry) -> str:
    """Return the name of the person of a start, or both names of a pair."""
    partner = find_partner(start) if has_fixed_pairs(start.championship) else None
    return pair_name(sorted(filter(None, [start, partner]), key=lambda entry: entry.number))
