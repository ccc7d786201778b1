"""/c/<slug>/entries/: The registration desk; everybody else sees the list of participants."""

from collections.abc import Callable
from functools import partial
from itertools import chain
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.db.models import Case, QuerySet, Value, When
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from engine import Refused
from frontend.forms.entries import (
    ApartForm,
    EntryTermsForm,
    KnownEntryForm,
    NewEntryForm,
    PairedEntryForm,
    excused_field,
)
from frontend.forms.teams import add_team_field, reason_field
from frontend.presenters.entries.desk import count_desk_entries, desk_line, initial_status
from frontend.presenters.entries.entering import describe_entry_state
from frontend.presenters.regulations.pairing_words import UNKEPT, UNKEPT_IN_HEATS
from frontend.presenters.standings.teams import team_context
from frontend.presenters.tables.codes import PlacesOfTable, list_place_lines, render_qr_code
from frontend.presenters.tables.hall import MAX_QUERY_LENGTH
from frontend.presenters.words.refusals import (
    refusal_in,
    refusal_sentence,
    refusals_as_messages,
    show_refusal,
)
from frontend.views.championship_context import PageContext, championship_page, mark_uncacheable
from frontend.views.numbers import MAX_NUMBER, parse_bounded
from tournaments.clubs import rolls
from tournaments.mails.sending import has_mail_server
from tournaments.models import Championship, Entry, OwnPage, Round
from tournaments.pairing.systems import get_system
from tournaments.services.current_regulations import has_sessions, load_regulations
from tournaments.services.draw import draw_checks, left_over
from tournaments.services.entries import (
    code_places,
    entry_mails,
    entry_search,
    entry_terms,
    own_pages,
    pairs,
    presence,
    teams,
    waiting_list,
)
from tournaments.services.entries import entries as desk
from tournaments.services.table_access.phone_address import find_printed_address

ENTRIES_PER_PAGE = 100
OFFERED = 1000
"""Largest number of names that a field suggests while the user types; other people are found by number."""
ACTS: dict[str, Callable[..., Entry]] = {
    "arrive": desk.arrive,
    "leave": desk.leave,
    "pay": desk.pay,
    "unpay": partial(desk.pay, paid=False),
    "withdraw": desk.withdraw_entry,
    "withdraw-after": partial(desk.withdraw_entry, after_round=True),
    "take-back": desk.reinstate,
    "move-up": waiting_list.move_up,
    "put-back": waiting_list.put_back,
}

SAID = {
    "move-up": gettext_lazy("%(name)s has a place now, and so has the waiting partner."),
    "put-back": gettext_lazy("%(name)s is waiting again, at the same place as before."),
}
"""Action → message, for actions that change other lines too."""
OFF_THE_LIST = gettext_lazy("%(name)s is off the waiting list.")


@require_safe
@championship_page()
def entries(page: PageContext) -> HttpResponse:
    """List a hundred entries. `?q=`: part of a name, or a number; `?from=`: how many to skip; `?show=`:
    `missing` or `here`, at the desk also `unpaid` or `waiting`. At the desk `?add=` preselects the status of
    a new entry.
    """
    asked = page.request.GET
    query = asked.get("q", "").strip()[:MAX_QUERY_LENGTH]
    show = asked.get("show", "")
    first = parse_bounded(asked.get("from"), least=0, most=100_000, default=0)
    context = _lines(page, query, show, first)
    if page.is_partial:
        return mark_uncacheable(page.render("parts/entry_rows.html", context))
    add = asked.get("add", "") if page.roles.may_check_in else ""
    more = _desk_context(page)
    status = add if add in NewEntryForm.STATUSES else initial_status(page.championship)
    limited = page.championship.entry_limit is not None
    context["form"] = form = NewEntryForm(initial={"status": status}, cursor=bool(add), limited=limited)
    add_team_field(form, page.championship)
    context["adding"] = bool(add)
    return mark_uncacheable(page.render("pages/entries.html", context | more))


def _lines(page: PageContext, query: str = "", show: str = "", first: int = 0) -> dict[str, Any]:
    """Return a hundred lines, and where the next hundred starts."""
    rows = _filter_entries(page, query, show).select_related("merged_into", "start_of")
    if page.roles.may_check_in:
        rows = rows.select_related("own_page").annotate(mail_failed=entry_mails.failed_of())
    absent = show == "here"
    returnable = waiting_list.list_returnable(page.championship) if page.roles.may_check_in else ()
    groups = waiting_list.list_groups(page.championship) if show == "waiting" else []
    order = {entry.pk: at for at, entry in enumerate(chain.from_iterable(groups))}
    ordered = sorted(rows, key=lambda entry: order.get(entry.pk, len(order))) if groups else rows
    some = list(ordered[first : first + ENTRIES_PER_PAGE + 1])
    return {
        "query": query,
        "show": show,
        "lines": [
            desk_line(
                entry,
                absent=absent,
                place=waiting_list.place_on_list(groups, entry),
                returnable=entry.pk in returnable,
            )
            for entry in some[:ENTRIES_PER_PAGE]
        ],
        "more_from": first + ENTRIES_PER_PAGE if len(some) > ENTRIES_PER_PAGE else None,
        "first": first,
    }


def _desk_context(page: PageContext) -> dict[str, Any]:
    """Return the context of the page above the lines."""
    pressed = presence.last_press(page.championship) if page.roles.may_check_in else None
    keeps_roll = page.roles.may_check_in and rolls.is_keeper(page.person, page.championship.club)
    terms = EntryTermsForm.of(page.championship) if page.roles.may_check_in else None
    told = {
        "terms": terms,
        "opening": entry_terms.opening_of(page.championship).value,
        "counts": _count_entries(page.championship),
        "pressed": pressed,
        "keeps_roll": keeps_roll,
    }
    told |= team_context(page.championship)
    return told | _self_registration_link(page)


def _self_registration_link(page: PageContext) -> dict[str, Any]:
    """Return the link of self-registration, with its QR code if other devices reach its address. Empty
    without a link, and for everybody but the desk.
    """
    championship = page.championship
    if not (page.roles.may_check_in and championship.entry_link):
        return {}
    here = page.request.build_absolute_uri("/").rstrip("/")
    reached = find_printed_address(championship, here)
    path = reverse("enter_oneself", args=[championship.slug, championship.entry_link])
    link = f"{reached or here}{path}"
    return {"own_link": link, "own_link_code": render_qr_code(link) if reached else ""}


def _filter_entries(page: PageContext, query: str, show: str) -> QuerySet[Entry]:
    if query:
        matching = desk.search_entries(page.championship, query)
    else:
        matching = page.championship.entries.order_by("sort_name", "number")
    if show == "missing":
        matching = matching.filter(status__in=presence.EXPECTED)
    elif show == "here":
        matching = matching.filter(status=Entry.Status.ARRIVED)
    elif show == "unpaid" and page.roles.may_check_in:
        matching = matching.filter(paid=False).exclude(status=Entry.Status.WITHDRAWN)
    elif show == "waiting" and page.roles.may_check_in:
        moved_up_below = Case(When(Entry.WAITS, then=Value(0)), default=Value(1))
        matching = matching.filter(waiting_since__isnull=False).order_by(
            moved_up_below, "waiting_since", "number"
        )
    elif not page.roles.may_check_in:
        matching = matching.exclude(status=Entry.Status.WITHDRAWN)
    return matching


def _count_entries(championship: Championship) -> Any:
    return count_desk_entries(championship, left_over.count_gap(championship))


@require_POST
@championship_page("enter")
def entry_add(page: PageContext) -> HttpResponse:
    """Add one person and redirect to an empty form; if the entry is refused, show the form with its content.

    `person`: key of a person on the club's roll, whose data are used.
    """
    posted = page.request.POST
    number = parse_bounded(posted.get("person"), least=1, most=MAX_NUMBER, default=0)
    person = rolls.find_person(page.championship, number or None)
    known = rolls.entry_fields(person) if person is not None else {}
    limited = page.championship.entry_limit is not None
    form = NewEntryForm({**posted.dict(), **known}, cursor=True, limited=limited)
    add_team_field(form, page.championship)
    context: dict[str, Any] = {"form": form, "adding": True}
    if form.is_valid():
        fields = form.cleaned_data | known
        if fields["status"] == "waiting":
            fields |= {"status": Entry.Status.REGISTERED, "waits": True}
        with refusal_in(context):
            entry = desk.add_entry(page.championship, actor=page.actor, **fields)
            sentence = (
                _("%(name)s is on the waiting list.")
                if entry.waits
                else _("%(name)s is entered, number %(n)d.")
            )
            messages.success(page.request, sentence % {"name": entry.name, "n": entry.number})
            again = urlencode({"add": form.cleaned_data["status"]})
            return redirect(f"{reverse('entries', args=[page.championship.slug])}?{again}")
    context |= _desk_context(page) | _lines(page)
    return page.render("pages/entries.html", context, status=400)


@require_safe
@championship_page("enter")
def entry_offered(page: PageContext) -> HttpResponse:
    """Suggest people of the roll for the typed `family_name` and `first_name`, to add by one press."""
    asked = page.request.GET
    text = f"{asked.get('family_name', '')} {asked.get('first_name', '')}".strip()[:80]
    return page.render(
        "parts/entry_offered.html", {"offered": rolls.suggest_persons(page.championship, text)}
    )


@require_POST
@championship_page("enter")
def entry_act(page: PageContext, number: int, act: str) -> HttpResponse:
    """Do the action `act` of ACTS with an entry. htmx gets the updated line and counts, others a redirect."""
    entry = page.find_entry(number, "championship", "user")
    if act not in ACTS:
        raise Http404
    said_of = OFF_THE_LIST if act == "withdraw" and entry.waits else SAID.get(act)
    refusal = code = ""
    seated = False
    try:
        ACTS[act](entry, actor=page.actor)
    except Refused as error:
        refusal, code = refusal_sentence(error), error.code
        seated = bool(getattr(error, "params", {}).get("open"))
        if not page.is_partial:
            show_refusal(page.request, error)
    if not page.is_partial:
        if said_of is not None and not refusal:
            messages.success(page.request, said_of % {"name": entry.name})
        if act == "leave" and not refusal and (seat := draw_checks.load_current_seating(entry)) is not None:
            path = reverse("round", args=[page.championship.slug, seat.round.number]) + "#stand-in"
            sentence = (
                _("%(name)s sits at table %(table)d of session %(round)d.")
                if has_sessions(page.championship)
                else _("%(name)s sits at table %(table)d of round %(round)d.")
            ) % {
                "name": entry.name,
                "table": seat.table.number,
                "round": seat.round.number,
            }
            messages.warning(
                page.request,
                format_html('{} <a href="{}">{}</a>', sentence, path, _("Who sits there instead?")),
            )
        show = urlencode({"show": page.request.GET.get("show", "")})
        return redirect(f"{reverse('entries', args=[page.championship.slug])}?{show}")
    entry.refresh_from_db()
    show = page.request.GET.get("show", "")
    seat = draw_checks.load_current_seating(entry) if act == "leave" and not refusal else None
    line = desk_line(
        entry,
        refusal=refusal,
        code=code,
        seated=seated,
        changed=not refusal,
        absent=show == "here",
        empty_seat=seat,
        returnable=entry.pk in waiting_list.list_returnable(page.championship),
    )
    context = {"line": line, "show": show, "counts": _count_entries(page.championship)}
    return page.render("parts/entry_changed.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@championship_page("enter")
def entry_edit(page: PageContext, number: int) -> HttpResponse:
    """Edit an entry with its account, partner, team and excused rounds."""
    entry = page.find_entry(number, "championship", "user", "team")
    form = _entry_form(page, entry, page.request.POST if page.request.method == "POST" else None)
    context: dict[str, Any] = {}
    if form.is_valid():
        with refusal_in(context):
            data = dict(form.cleaned_data)
            account, number_of_partner = data.pop("user"), data.pop("partner", "")
            team, reason = data.pop("team", None), data.pop("team_reason", "")
            excused = data.pop("excused_rounds", None)
            with transaction.atomic():
                desk.edit_entry(entry, actor=page.actor, **data)
                if isinstance(form, PairedEntryForm):
                    partner = entry_search.find_entry(page.championship, number_of_partner)
                    pairs.pair(entry, partner, actor=page.actor)
                if excused is not None:
                    presence.excuse_absences(entry, excused, actor=page.actor)
                if team is not None:
                    teams.join(page.championship, [entry], team, actor=page.actor, reason=reason)
                if account != entry.user:
                    desk.link_account(entry, account, actor=page.actor)
            messages.success(page.request, _("%(name)s is corrected.") % {"name": entry.name})
            return redirect("entries", page.championship.slug)
    return _entry_page(page, entry, form, context)


def _entry_form(page: PageContext, entry: Entry, posted: QueryDict | None) -> KnownEntryForm:
    fields = {name: getattr(entry, name) for name in sorted(desk.EDITED - {"name", "consents"})}
    fields["consents"] = entry.consented_at is not None
    fields["user"] = entry.user.get_username() if entry.user is not None else ""
    fields["team"] = "" if entry.team is None else entry.team.name
    form: KnownEntryForm
    if load_regulations(page.championship).play.format != "fixed_pairs":
        form = KnownEntryForm(posted, initial=fields, asker=page.actor)
    else:
        if (partner := pairs.find_partner(entry)) is not None:
            fields["partner"] = f"{partner.number} {partner.name}"
        form = PairedEntryForm(posted, initial=fields, asker=page.actor)
    if load_regulations(page.championship).credits_excused:
        form.fields["excused_rounds"] = excused_field(page.championship.rounds.count())
        form.initial["excused_rounds"] = entry.excused_rounds
    if add_team_field(form, page.championship):
        form.fields["team_reason"] = reason_field()
    return form


def _entry_page(
    page: PageContext,
    entry: Entry,
    form: KnownEntryForm,
    more: dict[str, Any],
    *,
    apart: ApartForm | None = None,
) -> HttpResponse:
    paired = isinstance(form, PairedEntryForm)
    free = [e for e in pairs.list_unpaired(page.championship) if e != entry] if paired else []
    others = page.championship.entries.exclude(status=Entry.Status.WITHDRAWN).exclude(pk=entry.pk)
    context = {
        "form": form,
        "entry": entry,
        "free": free,
        "apart_form": apart or _apart_form(page),
        "kept_apart": desk.list_constraints(entry),
        "unkept": _list_unkept(page),
        "mail": entry_mails.load_latest_mail(entry) if has_mail_server() else None,
        "may_mail": has_mail_server() and entry.email and OwnPage.objects.filter(entry=entry).exists(),
        "state": describe_entry_state(entry),
        "merged": list(entry.merged.order_by("number")),
        **team_context(page.championship),
        "others": others.order_by("sort_name", "number")[:OFFERED],
        "seats": _list_seats(page, entry),
        **more,
    }
    refused = form.is_bound or (apart is not None and apart.is_bound)
    return page.render("pages/entry_edit.html", context, status=400 if refused else 200)


@require_POST
@championship_page("enter")
def entry_own_link(page: PageContext, number: int) -> HttpResponse:
    """Replace the link to the person's own page, and show the new one once."""
    entry = page.find_entry(number, "championship", "user")
    try:
        token = own_pages.make_new_link(entry, actor=page.actor)
    except Refused as error:
        show_refusal(page.request, error)
        return redirect("entry_edit", page.championship.slug, number)
    here = page.request.build_absolute_uri("/").rstrip("/")
    path = reverse("own_entry", args=[page.championship.slug, token])
    link = f"{find_printed_address(page.championship, here) or here}{path}"
    return _entry_page(page, entry, _entry_form(page, entry, None), {"own_link": link})


@require_POST
@championship_page("enter")
def entry_mail(page: PageContext, number: int) -> HttpResponse:
    """Send the person's link again by mail; with `returned`, mark the last mail as not delivered."""
    entry = page.find_entry(number, "championship", "start_of")
    with refusals_as_messages(page.request):
        if "returned" in page.request.POST:
            entry_mails.mark_returned(entry, actor=page.actor)
            messages.success(page.request, _("The mail is marked as not delivered."))
        else:
            entry_mails.send_again(entry, actor=page.actor)
            messages.success(page.request, _("The link is on its way to %(email)s.") % {"email": entry.email})
    return redirect(f"{reverse('entry_edit', args=[page.championship.slug, number])}#own-link")


@require_POST
@championship_page("enter")
def entry_apart(page: PageContext, number: int) -> HttpResponse:
    """Keep this entry apart from `other` in further draws; with `release` (key of the wish), end a wish."""
    entry = page.find_entry(number, "championship", "user", "team")
    if released := parse_bounded(page.request.POST.get("release"), least=0, most=MAX_NUMBER, default=0):
        for wish, other in desk.list_constraints(entry):
            if wish.pk == released:
                with refusals_as_messages(page.request):
                    desk.remove_constraint(wish, actor=page.actor)
                    sentence = _("%(name)s is no longer kept apart.") % {"name": other.name}
                    messages.success(page.request, sentence)
        return redirect("entry_edit", page.championship.slug, number)
    form = _apart_form(page, page.request.POST)
    if form.is_valid():
        try:
            other = entry_search.find_entry(page.championship, form.cleaned_data["other"]) or entry
            desk.add_constraint(
                page.championship,
                form.cleaned_data["kind"],
                entry,
                other,
                actor=page.actor,
                soft=form.cleaned_data["strength"] == "soft",
            )
        except Refused as error:
            form.add_error("other", refusal_sentence(error))
        else:
            messages.success(page.request, _("Written down."))
            return redirect("entry_edit", page.championship.slug, number)
    return _entry_page(page, entry, _entry_form(page, entry, None), {}, apart=form)


def _apart_form(page: PageContext, *posted: QueryDict) -> ApartForm:
    regulations = load_regulations(page.championship)
    return ApartForm(*posted, partners=regulations.play.format == "pairs", queue=regulations.has_queue)


def _list_unkept(page: PageContext) -> list[str | Promise]:
    """Return a sentence for each wish in the form that the pairing system does not consider."""
    regulations = load_regulations(page.championship)
    keeps = get_system(regulations.pairing_system).keeps
    asked = ("never_partner", "never_meet") if regulations.play.format == "pairs" else ("never_meet",)
    words = UNKEPT_IN_HEATS if regulations.has_queue else UNKEPT
    return [words[wish] for wish in asked if wish not in keeps]


def _list_seats(page: PageContext, entry: Entry) -> list[tuple[Round, list[PlacesOfTable]]]:
    """Return the tables at which the entry sits, by open round or session; the page offers new codes for
    these seats.
    """
    chips = load_regulations(page.championship).chips()
    opened = page.championship.rounds.filter(status=Round.Status.OPEN).order_by("number")
    found = ((round_, code_places.list_code_places(round_, entry=entry)) for round_ in opened)
    return [(round_, list_place_lines(places, chips=chips)) for round_, places in found if places]
