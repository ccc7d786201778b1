"""/c/<slug>/rounds/<n>/: A round from its draw to its end, and the lists of its seats."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.db.models import Exists, OuterRef, Subquery
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe
from msgspec import UNSET

from engine import Refused
from frontend.forms.rounds import ByHandForm, ChairsForm, CloseForm, ReasonForm, StandInForm, TimesForm
from frontend.forms.sessions import VenueForm
from frontend.presenters.disputes.official_acts import act_lines
from frontend.presenters.messages.notices import notice_panel
from frontend.presenters.names.playing_teams import load_playing_teams
from frontend.presenters.rounds import seating
from frontend.presenters.rounds.byes import ByeRow, list_byes
from frontend.presenters.rounds.chairs import (
    exchange_lines,
    list_exchange_candidates,
    list_seat_candidates,
    replacement_lines,
)
from frontend.presenters.rounds.draw_notes import note_sentences
from frontend.presenters.rounds.encounters import load_encounter_lines
from frontend.presenters.rounds.left_over import left_over_ways
from frontend.presenters.site.jobs import job_view
from frontend.presenters.tables.hall import HallFilter
from frontend.presenters.tables.tables import list_unfinished_tables
from frontend.presenters.words.refusals import refusal_sentence, refusals_as_messages, show_refusal
from frontend.presenters.words.vocabulary import MODES
from frontend.views.championship_context import PageContext, championship_page, mark_uncacheable
from frontend.views.numbers import MAX_NUMBER, parse_bounded
from frontend.views.tables.tiles import is_own_round, load_own_table, load_tiles
from games import store
from games.models import DealResult, Game
from tournaments import jobs
from tournaments.models import Entry, Job, Round, Table
from tournaments.services import broadcast_delay, featured_table
from tournaments.services.championships import championships
from tournaments.services.current_regulations import has_sessions, load_regulations
from tournaments.services.draw import (
    draw_checks,
    draw_undoing,
    drawing,
    late_people,
    left_over,
    seat_exchanges,
    seating_by_hand,
    substitutions,
)
from tournaments.services.draw.left_over import WAYS
from tournaments.services.entries import teams
from tournaments.services.rounds import rounds

TILE = "parts/round_tile.html"
LISTED = 8
"""Largest number of unfinished tables listed for the official who closes the round; the board lists all."""
MOST_WARNINGS = 20
"""Largest number of unkept wishes that the page names."""
OFFERED = 500
"""Largest number of names that a field suggests while the user types; other people are found by number."""


@require_safe
@championship_page()
def round_page(page: PageContext, number: int) -> HttpResponse:
    """Render the round, for officials with the actions that its status allows."""
    return _render_round(page, number, ByHandForm())


def _render_round(
    page: PageContext, number: int, by_hand: ByHandForm, times: TimesForm | None = None
) -> HttpResponse:
    """Render the page of a round. `by_hand`: the form of a manual draw, `times`: the form of the times; both
    as submitted, with errors.
    """
    cache_version = page.load_cache_version()
    round_, job, written = _load_round_with_job(page, number)
    regulations = load_regulations(page.championship)
    chips = regulations.chips()
    is_open = round_.status == Round.Status.OPEN
    totals = regulations.hand_in == "totals"
    begun = round_.status in (Round.Status.OPEN, Round.Status.CLOSED)
    corrects = begun and page.roles.may("correct") and not page.roles.read_only
    tile: dict[str, Any] = {
        "may_call": is_open and page.roles.takes_part,
        "types": is_open and page.roles.may("enter"),
        "corrects": corrects,
        "slug": page.championship.slug,
        "round_number": number,
    }
    hall_filter = HallFilter.asked(page.request.GET)
    page_number = page.page_number
    read: list[Table] = []
    tiles = load_tiles(
        page,
        cache_version,
        round_,
        page_number=page_number,
        template=TILE,
        chips=chips,
        wanted=hall_filter,
        read=read,
        in_office=bool(page.roles.offices) and not is_own_round(page, round_),
        **tile,
    )
    own_table = load_own_table(page, round_, chips=chips, read=read)
    events = store.read(round_.stream_id, parts=False)
    out = list_byes(round_)
    context: dict[str, Any] = {
        "round": round_,
        "draws_partners": regulations.play.format == "pairs",
        "tiles": tiles.pieces(own_table, TILE, **tile),
        "shown": tiles.shown,
        "out": out,
        "wanted": hall_filter,
        "table_count": tiles.tables,
        "figures": seating.list_seating_figures(
            round_.drawn_cost, partners=regulations.play.format != "solo"
        ),
        "notes": note_sentences(page.championship, round_.drawn_cost, officials=page.roles.may("enter")),
        "my_table": own_table,
        "job": job_view(job) if job is not None else None,
        "busy": job is not None and not job.is_over,
        "modes": MODES,
        "regulations": regulations,
        "has_queue": regulations.has_queue,
        "plays_in_teams": regulations.plays_in_teams,
        "counts_matches": regulations.counts_matches,
        "encounters": load_encounter_lines(page.championship, round_, regulations) if tiles.tables else [],
        "acts": act_lines(round_, regulations, events),
        "deals_here": tiles.dealt if tiles.tables else regulations.play.mode == "dealt",
        "close_form": CloseForm(),
        "whole_tables_count": regulations.directions().total < 0 or regulations.counting.what == "nearest",
        "reason_form": ReasonForm(),
        "by_hand_form": by_hand,
        "chair_changes": exchange_lines(page.championship, seat_exchanges.list_exchanges(round_, events))
        if tiles.tables
        else [],
        "steps": replacement_lines(page.championship, substitutions.list_replacements(round_, events))
        if tiles.tables
        else [],
        "times_form": times or TimesForm(initial=_times_initial(round_)),
    }
    if round_.status in (Round.Status.DRAWN, Round.Status.OPEN) and page.roles.may("reseat"):
        closes = may_close(page, round_)
        waited_for = tiles.playing[:LISTED] if closes else ()
        seats = seating.list_seats(round_, chips=chips, exchangeable=OFFERED, also=waited_for)
        context |= {
            "may_change": True,
            "may_stand_in": page.roles.may("enter"),
            "has_results": written,
            "seated": list_exchange_candidates(seats)[:OFFERED],
            "chairs_form": ChairsForm(),
            "has_online": tiles.dealt,
            "has_paper": tiles.paper,
        }
        context |= stand_in_context(round_, out)
        if closes:
            chairs = {table.number: table.chairs for table in seats}
            context |= {
                "clocks_wait": rounds.list_missing_players(round_) if tiles.clocks_wait else {},
                "unfinished": list_unfinished_tables(
                    waited_for, chairs, timezone.now(), totals=totals, read=read
                ),
                "unfinished_count": len(tiles.playing),
            }
    context["same_cards"] = begun and regulations.plays_same_cards
    if corrects:
        context |= {
            "corrects": bool(tiles.broken_off) or not is_open or written,
            "broken_off": rounds.list_broken_off(round_)[:LISTED] if tiles.broken_off else [],
        }
    if round_.status == Round.Status.DRAWN and page.roles.may_direct:
        context["together_against"] = draw_checks.list_unkept_wishes(round_, regulations)[:MOST_WARNINGS]
        context["seated_absent"] = draw_checks.seated_absent(round_)
    if round_.status in (Round.Status.DRAWN, Round.Status.OPEN):
        context["delay"] = broadcast_delay.compute_effective_delay(round_, regulations)
        if page.roles.may_direct:
            context["delays_offered"] = sorted(
                {m for m in broadcast_delay.OFFERED if m >= broadcast_delay.compute_least_delay(regulations)}
                | {context["delay"]}
            )
            context["may_be_featured"] = list(tiles.with_cards) if is_open else []
    if round_.status == Round.Status.CLOSED and page.roles.may_direct:
        later = list(page.championship.rounds.filter(number__gt=number).order_by("number"))
        waits = {Round.Status.PLANNED, Round.Status.DRAWN}
        context["later_opened"] = any(one.status not in waits for one in later)
        context["following"] = later[0] if later else None
    if round_.status == Round.Status.DRAWN and page.roles.may_direct:
        context["kinds"] = round_.tables.filter(pk__in=list(tiles.tiles)).order_by("number")
    if regulations.has_queue and page.roles.may_direct:
        context["venue_form"] = VenueForm(
            initial={"place": round_.place, "starts_at": _local(round_.starts_at)}
        )
        context["later_opened"] = False  # sessions are independent of each other
    elif round_.status == Round.Status.PLANNED and page.roles.may_direct:
        context["gap"] = gap = left_over.count_gap(page.championship)
        context["ways"] = left_over_ways(round_, regulations) if gap.missing else []
        if regulations.plays_in_teams or (
            number == 1 and regulations.teams is not UNSET and regulations.teams.short == "unranked"
        ):
            context["short_teams"] = teams.list_short(page.championship)
    return page.render("pages/round.html", context)


def _load_round_with_job(page: PageContext, number: int) -> tuple[Round, Job | None, bool]:
    """Return the round, its running or failed job (None if there is none or it has finished), and whether
    there are results.

    One query reads round and job together. If the job ends right afterwards, the page shows it as running,
    and its end reloads the page. Two queries could show the old status of the round on a page that does not
    poll.
    """
    newest = Job.objects.filter(round=OuterRef("pk")).order_by("-queued_at")
    newest_job = {name: Subquery(newest.values(name)[:1]) for name in ("pk", "state")}
    in_round = {"game__tournament_table__round": OuterRef("pk")}
    held_back = Game.objects.filter(tournament_table__round=OuterRef("pk"), ahead_seq__isnull=False)
    written = Exists(DealResult.objects.filter(**in_round)) | Exists(held_back)
    round_ = page.find_round(number, job=newest_job["pk"], job_state=newest_job["state"], written=written)
    key, state, any_result = (vars(round_)[name] for name in ("job", "job_state", "written"))
    if state in (None, Job.State.DONE):
        return round_, None, any_result
    job = Job.objects.select_related("championship", "round").get(pk=key)
    job.state = state
    return round_, job, any_result


def stand_in_context(round_: Round, out: list[ByeRow]) -> dict[str, Any]:
    """Return the context of the forms for missing players and for players who come late. `out`: the byes of
    the round.
    """
    is_drawn = round_.status == Round.Status.DRAWN
    may_come = list_seat_candidates(round_, {one.pk for each in out for one in each.people}, OFFERED)
    free = late_people.list_unseated(round_) if may_come else []
    short = late_people.list_joinable_tables(round_) if free else []
    return {
        "stand_in_form": StandInForm(initial={"what": "gone" if is_drawn else "for"}),
        "may_come": may_come,
        "short_tables": short,
        "without_a_seat": free[:LISTED] if short else [],
        "new_table": late_people.propose_table(round_, free),
    }


def may_close(page: PageContext, round_: Round) -> bool:
    return page.roles.may_direct and round_.status == Round.Status.OPEN


def _times_initial(round_: Round) -> dict[str, Any]:
    return {"opens_at": _local(round_.opens_at), "closes_at": _local(round_.closes_at)}


def _local(moment: Any) -> Any:
    return timezone.localtime(moment) if moment is not None else None


@require_POST
@championship_page("draw")
def round_act(page: PageContext, number: int, act: str) -> HttpResponse:
    """Do one action in a round, a key of ACTS or PAGES. Draw, opening and close start jobs."""
    round_ = page.find_round(number)
    if act in PAGES:
        return PAGES[act](page, round_)
    if act not in ACTS:
        raise Http404
    try:
        said = ACTS[act](page, round_)
    except Refused as error:
        if error.code == "rounds/later_open":
            where = reverse("round", args=[page.championship.slug, number])
            said = format_html(
                '{} <a href="{}#put-right">{}</a>', refusal_sentence(error), where, _("Correct a result")
            )
            messages.error(page.request, said, extra_tags=error.code)
        else:
            show_refusal(page.request, error)
    else:
        if said:
            messages.success(page.request, said)
    return redirect("round", page.championship.slug, number)


def _start_draw(page: PageContext, round_: Round) -> str:
    way = page.request.POST.get("left_over", "")
    more: dict[str, Any] = {"left_over": way} if way in WAYS else {}
    if round_.number == 1 and page.request.POST.get("short_teams") == "1":
        more["short_teams"] = 1
    elif round_.number == 1:
        teams.require_complete(page.championship)
    jobs.start_job(Job.Kind.DRAW, round_, actor=page.actor, **more)
    return ""


def _undo_draw(page: PageContext, round_: Round) -> str:
    draw_undoing.undo_draw(round_, actor=page.actor, reason=_read_reason(page))
    return _("The draw is undone. It stays on record.")


def _save_manual_draw(page: PageContext, round_: Round) -> HttpResponse:
    """Save a manual draw; if it is refused, render the page with the input and its errors."""
    here = page.championship.entries.filter(status=Entry.Status.ARRIVED).values_list("number", flat=True)
    sizes = drawing.table_sizes(load_regulations(page.championship))
    form = ByHandForm(page.request.POST, here=set(here), sizes=sizes)
    if form.is_valid():
        try:
            seating_by_hand.seat_by_hand(
                round_,
                form.cleaned_data["tables"],
                actor=page.actor,
                byes_confirmed=form.cleaned_data["many_sit_out"],
            )
        except Refused as error:
            form.asks = error.code == "draw/table_forgotten"
            form.add_error("tables", refusal_sentence(error))
    if form.errors:
        answer = _render_round(page, round_.number, form)
        answer.status_code = 400
        return answer
    messages.success(page.request, _("The seats are saved."))
    return redirect("round", page.championship.slug, round_.number)


def _save_modes(page: PageContext, round_: Round) -> str:
    """Set the changed modes of tables and return the confirmation. POST `all`: the mode of all tables;
    `table-<n>`: of one.
    """
    everywhere = page.request.POST.get("all", "")
    for table in round_.tables.select_related("round__championship").order_by("number"):
        wanted = everywhere or page.request.POST.get(f"table-{table.number}", table.mode)
        if wanted != table.mode:
            rounds.set_mode(table, wanted, actor=page.actor)
    return _("The kinds of the tables are set.")


def _save_times(page: PageContext, round_: Round) -> HttpResponse:
    """Save the times at which the round opens and closes by itself; if they are refused, render the page with
    errors.
    """
    form = TimesForm(page.request.POST, initial=_times_initial(round_))
    if form.is_valid():
        try:
            rounds.schedule_round(round_, actor=page.actor, **form.cleaned_data)
        except Refused as error:
            if error.code != "rounds/times":
                show_refusal(page.request, error)
                return redirect("round", page.championship.slug, round_.number)
            form.add_error("closes_at", refusal_sentence(error))
    if form.errors:
        answer = _render_round(page, round_.number, ByHandForm(), form)
        answer.status_code = 400
        return answer
    messages.success(page.request, _("The times are set."))
    return redirect("round", page.championship.slug, round_.number)


def _open_round(page: PageContext, round_: Round) -> str:
    jobs.start_job(Job.Kind.OPEN, round_, actor=page.actor)
    return ""


def _close_round(page: PageContext, round_: Round) -> str:
    force = "force" in page.request.POST
    jobs.start_job(Job.Kind.CLOSE, round_, actor=page.actor, force=force, reason=_read_reason(page))
    return ""


def _reopen_round(page: PageContext, round_: Round) -> str:
    rounds.reopen_round(round_, actor=page.actor, reason=_read_reason(page))
    if has_sessions(page.championship):
        return _("The session is open again.")
    return _("The round is open again.")


def _set_delay(page: PageContext, round_: Round) -> str:
    asked = page.request.POST.get("minutes")
    minutes = parse_bounded(
        asked,
        least=-1,
        most=broadcast_delay.MAX_DELAY_MINUTES + 1,
        default=broadcast_delay.MAX_DELAY_MINUTES + 1,
    )
    broadcast_delay.set_delay(round_, minutes, actor=page.actor)
    if not minutes:
        return _("Everything is shown at once.")
    sentence = ngettext(
        "From now on everything is shown %(n)d minute late.",
        "From now on everything is shown %(n)d minutes late.",
        minutes,
    )
    return sentence % {"n": minutes}


def _start_clocks(page: PageContext, round_: Round) -> str:
    started = rounds.start_clocks(round_, actor=page.actor)
    return ngettext("%(n)d clock is running now.", "%(n)d clocks are running now.", started) % {"n": started}


def _save_announcement(page: PageContext, round_: Round) -> str:
    given = page.request.POST
    said = ("", "") if "away" in given else (given.get("announced", ""), given.get("announced_too", ""))
    championships.set_announcement(page.championship, *said, actor=page.actor)
    return _("It is on the projectors now.") if any(said) else _("The announcement is removed.")


def _set_featured(page: PageContext, round_: Round) -> str:
    asked = page.request.POST.get("table")
    table = parse_bounded(asked, least=0, most=MAX_NUMBER, default=0) if asked else None
    featured_table.feature_table(round_, table, actor=page.actor)
    if table is None:
        return _("The closest table is shown first.")
    return _("Table %(n)d is shown first.") % {"n": table}


ACTS: dict[str, Callable[[PageContext, Round], str]] = {
    "draw": _start_draw,
    "undo": _undo_draw,
    "modes": _save_modes,
    "open": _open_round,
    "close": _close_round,
    "reopen": _reopen_round,
    "delay": _set_delay,
    "feature": _set_featured,
    "clocks": _start_clocks,
    "announce": _save_announcement,
}
PAGES: dict[str, Callable[[PageContext, Round], HttpResponse]] = {
    "by-hand": _save_manual_draw,
    "times": _save_times,
}
"""Actions with a form, which return the page again if the form has errors."""


def _read_reason(page: PageContext) -> str:
    return page.request.POST.get("reason", "").strip()[:200]


@require_POST
@championship_page("reseat")
def round_chairs(page: PageContext, number: int) -> HttpResponse:
    """Exchange the chairs of two people (`one`, `other`). Sending the request again exchanges them back."""
    round_ = page.find_round(number)
    tables = seating.list_seats(round_, chips=_chips(page))
    form = ChairsForm(page.request.POST, people=list_exchange_candidates(tables))
    if not form.is_valid():
        sentence = next(str(errors[0]) for errors in form.errors.values())
        messages.error(page.request, sentence, extra_tags="chairs/name")
    else:
        with refusals_as_messages(page.request):
            one, other = seat_exchanges.exchange_seats(round_, **form.cleaned_data, actor=page.actor)
            said = _("%(one)s and %(other)s have changed chairs.")
            messages.success(page.request, said % {"one": one.name, "other": other.name})
    return redirect("round", page.championship.slug, number)


@require_safe
@championship_page()
def round_wall(page: PageContext, number: int) -> HttpResponse:
    """Render the seats of a round for the wall, in a list by name and a list by table."""
    cache_version, chips = page.load_cache_version(), _chips(page)
    round_ = page.find_round(number)

    def make() -> str:
        regulations = load_regulations(page.championship)
        named = load_playing_teams(page.championship, regulations)
        tables = seating.list_seats(round_, chips=chips, bots=True, teams=named)
        context = {
            "round": round_,
            "tables": tables,
            "partners": regulations.play.format != "solo",
            "by_name": seating.sort_by_name(tables),
            "out": list_byes(round_),
            "acts": act_lines(round_, regulations),
        }
        return page.render_fragment("parts/wall.html", context)

    body = page.get_or_make_html(
        "wall", cache_version, (round_.pk,), cache_version.marks("frame", "people"), make
    )
    return page.render("pages/round_wall.html", {"round": round_, "wall": body})


@require_safe
@championship_page()
def round_slip(page: PageContext, number: int, entry: int) -> HttpResponse:
    """Render one person's seat in large type, for a phone or paper; 404 without a seat."""
    round_ = page.find_round(number)
    regulations = load_regulations(page.championship)
    own = min(entry, MAX_NUMBER)
    named = load_playing_teams(page.championship, regulations)
    tables = seating.list_seats(round_, chips=regulations.chips(), entry=own, teams=named)
    slip = seating.build_slip(tables, entry, pairs=regulations.play.format != "solo")
    if slip is None:
        raise Http404(_("Number %(n)d has no seat in this round.") % {"n": entry})
    context = {"round": round_, "slip": slip, "notices": notice_panel(page.championship, entry)}
    return mark_uncacheable(page.render("pages/round_slip.html", context))


def _chips(page: PageContext) -> int:
    return load_regulations(page.championship).chips()
