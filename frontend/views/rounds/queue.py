"""/c/<slug>/rounds/<n>/queue/: The queue of a session, which everybody reads, and in which the desk
seats tables.
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
from frontend.presenters.rounds.draw_notes import note_sentences
from frontend.presenters.rounds.queue import (
    first_of_pair_lines,
    list_called_tables,
    offer_lines,
    partner_lines,
    seating_sentence,
    waiting_lines,
)
from frontend.presenters.tables.hall import MAX_QUERY_LENGTH
from frontend.presenters.words.refusals import refusal_sentence, refusals_as_messages
from frontend.views.championship_context import PageContext, championship_page, refuse
from frontend.views.numbers import MAX_NUMBER, parse_bounded
from frontend.views.tables.tiles import MARKS
from tournaments.models import Booking, Entry, Round
from tournaments.services import open_heat_queue
from tournaments.services.current_regulations import load_regulations
from tournaments.services.entries import entries
from tournaments.services.entries.pairs import find_partner, has_fixed_pairs, pair_name
from tournaments.services.open_heat import seating, sessions, starts

FOUND = 12
MOST_MIX = 400


@require_safe
@championship_page()
def queue_page(page: PageContext, number: int) -> HttpResponse:
    """Render the queue, which is polled. The desk also sees waiting times and buttons.

    `?q=`: search for people; `?with=`: number of the first member of a pair; `?mix=`: how many starts must
    stay in the queue after tables are seated, for a better mixture.
    """
    round_ = load_session(page, number)
    if page.is_partial and "q" in page.request.GET:
        if not page.roles.may("enter"):
            return refuse(page)
        return page.render("parts/queue_found.html", {"round": round_, **_search(page)})
    cache_version, at_desk = page.load_cache_version(), page.roles.may("enter") and not page.roles.read_only
    if page.is_partial:
        more = (int(time.time()) // 60, parse_mix(page, round_)) if at_desk else ""
        context = {"at_desk": at_desk, "round": round_}
        return page.respond_with_part(
            f"queue {round_.pk}",
            cache_version,
            MARKS,
            lambda: render_to_string(
                "parts/queue.html",
                page.context() | context | _live(page, round_, at_desk=at_desk),
                request=page.request,
            ),
            more=more,
        )
    return _render(page, round_, at_desk=at_desk)


def _render(
    page: PageContext,
    round_: Round,
    *,
    at_desk: bool,
    newcomer: NewcomerForm | None = None,
    status: int = 200,
) -> HttpResponse:
    context: dict[str, Any] = {"round": round_, "at_desk": at_desk, **_live(page, round_, at_desk=at_desk)}
    if at_desk:
        context |= _search(page)
        context["in_pairs"] = has_fixed_pairs(page.championship)
        context["newcomer_form"] = newcomer or NewcomerForm()
    return page.render("pages/queue.html", context, status=status)


def _live(page: PageContext, round_: Round, *, at_desk: bool) -> dict[str, Any]:
    """Return the context of the polled part: who waits, whom seating would seat, and the newest tables."""
    waiting = open_heat_queue.list_waiting(round_)
    lines = waiting_lines(waiting, timezone.now() if at_desk else None)
    tables = list_called_tables(round_, chips=load_regulations(page.championship).chips())
    parts: dict[str, Any] = {
        "waiting": lines,
        "waiting_count": len(waiting),
        "called": tables,
        "table_count": round_.tables.count(),
    }
    if at_desk:
        proposal = seating.propose_tables(round_, waiting, parse_mix(page, round_))
        parts |= {"proposal": proposal, "sentence": seating_sentence(proposal)}
        last = tables[0] if tables and tables[0].number == parts["table_count"] else None
        parts["last"] = last.number if last is not None else None
    return parts


def _search(page: PageContext) -> dict[str, Any]:
    """Return the people found by `?q=`, each with a button. If pairs play and `?with=` names the first member
    without a search, return the people with whom this person has played so far.
    """
    query = page.request.GET.get("q", "").strip()[:MAX_QUERY_LENGTH]
    people: list[Entry] = []
    if query:
        rows = entries.search_entries(page.championship, query)
        people = list(rows.filter(merged_into=None, house=False).select_related("start_of")[: FOUND * 4])
    first = list(dict.fromkeys(entry.start_of or entry for entry in people))
    fees = list(page.championship.fees.all())
    found: dict[str, Any] = {"query": query, "payment_form": PaymentForm() if fees else None}
    if not has_fixed_pairs(page.championship):
        offered = starts.list_start_offers(page.championship, first[:FOUND]) if first else []
        return found | {"offers": offer_lines(offered, fees), "more": len(first) > FOUND}
    chosen = _find_chosen(page)
    mine = starts.list_start_offers(page.championship, [chosen])[0] if chosen is not None else None
    if mine is not None and not query:
        by_pk = Entry.objects.in_bulk(mine.mates[:FOUND])
        first = [by_pk[pk] for pk in mine.mates[:FOUND]]
    others = [entry for entry in first if entry != chosen]
    offered = starts.list_start_offers(page.championship, others[:FOUND]) if others else []
    lines = first_of_pair_lines(offered) if mine is None else partner_lines(mine, offered, fees)
    return found | {"offers": lines, "more": len(others) > FOUND, "chosen": chosen}


def _find_chosen(page: PageContext) -> Entry | None:
    """Return the first entry of the person chosen by `with` as the first member of a pair; None without a
    choice.
    """
    given = page.request.POST if page.request.method == "POST" else page.request.GET
    number = parse_bounded(given.get("with"), least=0, most=MAX_NUMBER, default=0)
    entry = page.championship.entries.filter(number=number, merged_into=None, house=False).first()
    return None if entry is None else starts.load_first_entry(entry)


@require_POST
@championship_page("enter")
def queue_act(page: PageContext, number: int, act: str) -> HttpResponse:
    """Do one action in a session: `start`, `newcomer`, `leave` (the queue), `back` (undo a start), `seat`,
    `undo` (a table), `open`, `close-empty` or `venue`.
    """
    round_ = load_session(page, number)
    if act in PAGES:
        return PAGES[act](page, round_)
    if act not in ACTS:
        raise Http404
    with refusals_as_messages(page.request):
        said = ACTS[act](page, round_)
        messages.success(page.request, said)
    if act == "close-empty":
        return redirect("round", page.championship.slug, number)
    return redirect("queue", page.championship.slug, number)


def _add_newcomer(page: PageContext, round_: Round) -> HttpResponse:
    """Enter a new person, sell a start and queue it, or only enter the first member of a pair. A refusal
    renders the page with the input and the error.
    """
    form = NewcomerForm(page.request.POST)
    if form.is_valid():
        given = {
            name: form.cleaned_data[name] for name in ("family_name", "first_name", "club", "allow_double")
        }
        chosen = _find_chosen(page)
        address = reverse("queue", args=[page.championship.slug, round_.number])
        try:
            if chosen is None and has_fixed_pairs(page.championship):
                entry = entries.add_entry(page.championship, actor=page.actor, **given)
                messages.success(page.request, _("%(name)s is entered.") % {"name": entry.name})
                return redirect(f"{address}?with={entry.number}")
            start = starts.add_newcomer(
                round_, actor=page.actor, partner=chosen, method=_read_method(page), **given
            )
        except Refused as error:
            form.add_error("family_name", refusal_sentence(error))
        else:
            messages.success(page.request, _confirm_waiting(start))
            return redirect(address)
    return _render(page, round_, at_desk=True, newcomer=form, status=400)


def _add_start(page: PageContext, round_: Round) -> str:
    entry = _read_entry(page)
    seen = parse_bounded(page.request.POST.get("seen"), least=0, most=MAX_NUMBER, default=0)
    partner = _find_chosen(page)
    start = starts.add_start(
        round_, entry, actor=page.actor, partner=partner, method=_read_method(page), seen=seen
    )
    return _confirm_waiting(start)


def _leave(page: PageContext, round_: Round) -> str:
    entry = _read_entry(page)
    starts.leave_queue(entry, actor=page.actor)
    return _("%(name)s is out of the queue; the start stays bought.") % {"name": _name_start(entry)}


def _take_back(page: PageContext, round_: Round) -> str:
    entry = _read_entry(page)
    named = _name_start(entry)
    starts.take_back_start(entry, actor=page.actor)
    return _("The start of %(name)s is cancelled, and its payment is reversed.") % {"name": named}


def _seat(page: PageContext, round_: Round) -> str:
    given = page.request.POST
    mix = parse_bounded(given.get("mix"), least=0, most=MOST_MIX, default=seating.own_mix(round_))
    seen = parse_bounded(given.get("seen"), least=0, most=MAX_NUMBER, default=0)
    opened = seating.seat_next(round_, actor=page.actor, mix=mix, seen=seen)
    numbers = ", ".join(str(table.number) for table in opened)
    sentence = ngettext("Table %(tables)s is seated.", "Tables %(tables)s are seated.", len(opened))
    return " ".join([sentence % {"tables": numbers}, *_notes_of_draw(page, round_)])


def _notes_of_draw(page: PageContext, round_: Round) -> list[str]:
    """Return sentences on what the draw could not avoid. Starts that remain in the queue are left out,
    because the page lists them.
    """
    cost = seating.load_last_cost(round_)
    notes = [note for note in cost.get("notes", ()) if note["code"] != "pairing/waiting"]
    return note_sentences(page.championship, {"notes": notes}, officials=True)


def _undo(page: PageContext, round_: Round) -> str:
    number = parse_bounded(page.request.POST.get("table"), least=0, most=MAX_NUMBER, default=0)
    seating.take_table_back(round_, number, actor=page.actor)
    return _("Table %(n)d is undone; its people wait as before.") % {"n": number}


def _open(page: PageContext, round_: Round) -> str:
    sessions.open_session(round_, actor=page.actor)
    return _("The session is open.")


def _close_empty(page: PageContext, round_: Round) -> str:
    sessions.undo_opening(round_, actor=page.actor)
    return _("The opening of the session is undone.")


def _set_venue(page: PageContext, round_: Round) -> HttpResponse:
    form = VenueForm(page.request.POST)
    if not form.is_valid():
        messages.error(
            page.request,
            next(str(errors[0]) for errors in form.errors.values()),
            extra_tags="rounds/times",
        )
        return redirect("round", page.championship.slug, round_.number)
    with refusals_as_messages(page.request):
        sessions.set_venue(round_, actor=page.actor, **form.cleaned_data)
        messages.success(page.request, _("Place and time are set."))
    return redirect("round", page.championship.slug, round_.number)


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


def load_session(page: PageContext, number: int) -> Round:
    """Return the session with this number; raise 404 if there is none."""
    round_ = page.find_round(number)
    if not load_regulations(page.championship).has_queue:
        raise Http404(_("This championship has rounds, not sessions."))
    return round_


def parse_mix(page: PageContext, round_: Round) -> int:
    """Return how many starts must stay in the queue after tables are seated: `?mix=`, by default the number
    of the regulations.
    """
    return parse_bounded(page.request.GET.get("mix"), least=0, most=MOST_MIX, default=seating.own_mix(round_))


def _read_entry(page: PageContext) -> Entry:
    number = parse_bounded(page.request.POST.get("number"), least=0, most=MAX_NUMBER, default=0)
    entry = page.find_entry(number)
    entry.championship = page.championship
    return entry


def _read_method(page: PageContext) -> str:
    asked = page.request.POST.get("method", Booking.Method.CASH)
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
