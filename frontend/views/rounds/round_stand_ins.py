"""/c/<slug>/rounds/<n>/stand-in/: Missing players and their substitutes."""

from django.contrib import messages
from django.db import transaction
from django.forms import Form
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from frontend.forms.rounds import JoinForm, StandInForm
from frontend.presenters.rounds import seating
from frontend.presenters.rounds.chairs import list_exchange_candidates, list_seat_candidates
from frontend.presenters.words.refusals import refusals_as_messages
from frontend.views.championship_context import PageContext, championship_page
from frontend.views.numbers import parse_bounded
from tournaments.models import Round
from tournaments.services.draw import late_people, substitutions
from tournaments.services.entries import entries

MAX_CANDIDATES = 5_000
"""Largest number of names searched for a typed name."""


@require_POST
@championship_page("enter")
def round_stand_in(page: PageContext, number: int) -> HttpResponse:
    """Seat a substitute for the person `instead`; with `table`, seat a person on the free chair of that
    table; with `new_table` (entry numbers), add a table.
    """
    round_ = page.find_round(number)
    with refusals_as_messages(page.request):
        if "new_table" in page.request.POST:
            said = _add_table(page, round_)
        else:
            said = _join_table(page, round_) if "table" in page.request.POST else _save_stand_in(page, round_)
        if said:
            messages.success(page.request, said)
    return redirect("round", page.championship.slug, number)


def _save_stand_in(page: PageContext, round_: Round) -> str:
    seated = list_exchange_candidates(seating.list_seats(round_, chips=0))
    # Typing a substitute changes the first deal, or is refused with the table.
    known = list_seat_candidates(round_, (), MAX_CANDIDATES, substitutes=True)
    form = StandInForm(page.request.POST, seated=seated, free=known)
    if not form.is_valid():
        return _report_errors(page, form)
    cleaned = form.cleaned_data
    with transaction.atomic():
        player = cleaned["player"]
        if cleaned["new"]:
            player = _create_entry(page, player, plays_for=cleaned["what"] == "for")
        if cleaned["what"] == "for":
            deal = cleaned["deal"] or 1
            one, other = substitutions.substitute(
                round_, player, cleaned["instead"], deal=deal, actor=page.actor
            )
            if one == other:
                return _("%(name)s plays again from deal %(deal)d on.") % {"name": one.name, "deal": deal}
            sentence = _(
                "%(one)s plays for %(other)s from deal %(deal)d on. The result stays with %(other)s."
            )
            return sentence % {"one": one.name, "other": other.name, "deal": deal}
        one, other = substitutions.take_chair(
            round_, player, cleaned["instead"], bye=cleaned["what"] == "out", actor=page.actor
        )
    sentence = _("%(one)s has the seat of %(other)s for the whole round.")
    return sentence % {"one": one.name, "other": other.name}


def _join_table(page: PageContext, round_: Round) -> str:
    form = JoinForm(
        page.request.POST, free=list_seat_candidates(round_, (), MAX_CANDIDATES, substitutes=True)
    )
    if not form.is_valid():
        return _report_errors(page, form)
    table = form.cleaned_data["table"]
    comes = late_people.join_table(round_, form.cleaned_data["player"], table, actor=page.actor)
    return _("%(name)s sits down at table %(table)d.") % {"name": comes.name, "table": table}


def _add_table(page: PageContext, round_: Round) -> str:
    numbers = [
        parse_bounded(text, least=1, most=10**6, default=0) for text in page.request.POST.getlist("new_table")
    ]
    table = late_people.add_table(round_, numbers, actor=page.actor)
    return _("Table %(n)d is added.") % {"n": table.number}


def _create_entry(page: PageContext, name: str, *, plays_for: bool) -> int:
    """Create an entry and return its number. A person who only plays for somebody else (`plays_for`) belongs
    to the house, and is not ranked.
    """
    return entries.add_entry(page.championship, actor=page.actor, name=name, house=plays_for).number


def _report_errors(page: PageContext, form: Form) -> str:
    sentence = next(str(errors[0]) for errors in form.errors.values())
    messages.error(page.request, sentence, extra_tags="chairs/name")
    return ""
