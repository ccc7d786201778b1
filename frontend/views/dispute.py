"""/disputes/<id>/: one dispute, the moment it is about, what could be ruled, and what was."""

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from engine import Event, Observer
from frontend.forms.disputes import FactsForm, RulingForm
from frontend.preferences import chosen
from frontend.presenters.moment import Moment, events_of, moment
from frontend.presenters.names import seat_names
from frontend.presenters.refusals import REFUSALS, code_of, sentence_of, tell
from frontend.presenters.rulings import BY_WORD, fields_of, remedies, rulings_of
from frontend.presenters.vocabulary import INCIDENTS, contract_word, word
from frontend.views import frame as frames
from frontend.views.frame import Frame
from frontend.views.numbers import whole
from games import access
from games.errors import UnknownGame
from games.ids import new_id
from games.models import Game, User
from tournaments.models import Dispute, Entry
from tournaments.services import championships
from tournaments.services import disputes as services


@dataclass(frozen=True, slots=True)
class Case:
    """A dispute with everything the page needs to know of its game."""

    frame: Frame
    dispute: Dispute
    game: Game
    names: list[str]
    events: list[Event]

    @property
    def sides(self) -> list[str]:
        count = len(self.game.totals) or len(self.names)
        return [" + ".join(self.names[side::count]) for side in range(count)]

    @property
    def may_rule(self) -> bool:
        """Nobody rules at the table where he plays."""
        mine = self.frame.roles.entry
        refs = {seat.player_ref for seat in self.game.seats.all()}
        return self.frame.roles.may_rule and (mine is None or mine.player_ref not in refs)


@require_GET
def dispute(request: HttpRequest, dispute_id: int) -> HttpResponse:
    """`?seq=`: another card of the game than the one the dispute names."""
    case = _find(request, dispute_id)
    return _page(case, {})


@require_GET
def dispute_remedies(request: HttpRequest, dispute_id: int) -> HttpResponse:
    """What could be ruled on other facts: asked for whenever a field is changed."""
    case = _find(request, dispute_id)
    if not case.may_rule:
        raise Http404
    return case.frame.page("parts/remedies.html", _remedies(case, request.GET))


@require_POST
def dispute_rule(request: HttpRequest, dispute_id: int) -> HttpResponse:
    """The ruling is an event of the game; the page shows it with what it changed."""
    case = _find(request, dispute_id)
    if not case.may_rule:
        return frames.refuse(case.frame)
    form = RulingForm(request.POST)
    facts = _facts(case, request.POST)
    if not (form.is_valid() and facts.is_valid()):
        return _page(case, {"ruling_form": form}, given=request.POST, status=400)
    data, key = form.cleaned_data, form.cleaned_data["remedy"]
    ruling = None if key == BY_WORD else {**fields_of(key, facts.given()), "article": data["article"] or None}
    try:
        services.rule(
            case.dispute,
            actor=case.frame.actor,
            ruling=ruling,
            answer=data["answer"],
            command_id=f"ruling:{data['token']}",
        )
    except REFUSALS as error:
        refusal = {"sentence": sentence_of(error), "code": code_of(error)}
        return _page(case, {"ruling_form": form, "refusal": refusal}, given=request.POST, status=400)
    messages.success(request, _("The ruling stands in the log of the game."))
    return redirect("dispute", dispute_id)


@require_POST
def dispute_withdraw(request: HttpRequest, dispute_id: int) -> HttpResponse:
    case = _find(request, dispute_id)
    principal = access.principal_of(request.user, request.session)
    token = (
        principal.token if principal.token is not None and principal.token.game_id == case.game.pk else None
    )
    try:
        services.withdraw(
            case.dispute,
            actor=request.user if isinstance(request.user, User) else None,
            by_ref=token.ref if token is not None else None,
        )
    except REFUSALS as error:
        tell(request, error)
    else:
        messages.success(request, _("It is withdrawn."))
    return redirect("dispute", dispute_id)


def _find(request: HttpRequest, dispute_id: int) -> Case:
    found = (
        Dispute.objects.select_related("table__round__championship", "table__game", "raised_by", "ruled_by")
        .filter(pk=dispute_id)
        .first()
    )
    if found is None or found.table.game is None:
        raise Http404(_("There is no such dispute."))
    frame = frames.of(request, found.table.round.championship)
    principal = access.principal_of(request.user, request.session)
    game = found.table.game
    try:
        observer = access.observer_for(game, principal)
    except UnknownGame:
        raise Http404(_("There is no such dispute.")) from None
    return Case(frame, found, game, seat_names(game), events_of(game, _on_a_page(game, observer)))


def _on_a_page(game: Game, observer: Observer) -> Observer:
    """Hands of a deal that the server dealt and that is still played never stand in a page, not even for the
    referee: the replay shows them over the socket. Those of finished deals he sees here too.
    """
    if game.mode != Game.Mode.DEALT or observer.role == "spectator":
        return observer
    return Observer.spectator("after_deal" if observer.role == "referee" else "played")


def _page(case: Case, more: dict[str, Any], *, given: Any = None, status: int = 200) -> HttpResponse:
    found, request = case.dispute, case.frame.request
    seq = whole(request.GET.get("seq"), least=0, most=100_000, default=-1)
    shown = moment(case.events, case.names, deal=found.deal, trick=found.trick, seq=seq if seq >= 0 else None)
    rulings = rulings_of(case.events)
    deck = chosen(request, "deck")
    context: dict[str, Any] = {
        "dispute": found,
        "table": found.table,
        "round": found.table.round,
        "game": case.game,
        "sides": case.sides,
        "raised_by": _who(found),
        "moment": shown,
        "incident": word(INCIDENTS, shown.infraction) if shown else "",
        "contract": contract_word(shown.contract, deck) if shown else "",
        "replay_seq": shown.seq if shown else max(found.seen_seq, 0),
        "rulings": rulings,
        "ruling": next((r for r in rulings if r.number == found.ruling_number), None),
        "may_rule": case.may_rule and found.status != Dispute.Status.WITHDRAWN,
        "may_withdraw": found.status == Dispute.Status.OPEN and _may_withdraw(case),
        "token": new_id(),
    }
    if context["may_rule"]:
        context |= _remedies(case, given, shown)
        context.setdefault("ruling_form", RulingForm())
    return case.frame.page("pages/dispute.html", context | more, status=status)


def _remedies(case: Case, given: Any, shown: Moment | None = None) -> dict[str, Any]:
    """`given`: the facts typed in; without them those of the dispute and of the card it is about."""
    regulations = championships.regulations_of(case.frame.championship)
    facts = _facts(case, given) if given is not None else _facts(case, _initial(case.dispute, shown))
    facts.is_valid()
    incident = shown.infraction if shown is not None else ""
    foreseen = {
        remedy.ruling: remedy.article
        for code, remedy in regulations.remedies.items()
        if not incident or code == incident
    }
    key = given.get("remedy", "") if given is not None else ""
    return {
        "dispute": case.dispute,
        "facts": facts,
        "remedies": remedies(case.dispute, facts.given(), foreseen if incident else {}),
        "chosen_remedy": key,
        "by_word": BY_WORD,
        "article": foreseen[next(iter(foreseen))] if incident and foreseen else "",
    }


def _facts(case: Case, data: Any) -> FactsForm:
    return FactsForm(data, names=case.names, sides=case.sides, deck=chosen(case.frame.request, "deck"))


def _initial(dispute: Dispute, shown: Moment | None) -> dict[str, str]:
    facts: dict[str, int | None] = {"deal": dispute.deal, "trick": dispute.trick}
    if shown is not None:
        facts = {"deal": shown.deal, "trick": shown.trick}
        if shown.infraction:
            facts["against"] = shown.seat
    return {name: str(value) for name, value in facts.items() if value is not None}


def _who(dispute: Dispute) -> str:
    """The name of whoever raised it: an entry's, else that of the account, else the table."""
    entry = Entry.objects.filter(player_ref=dispute.raised_ref).first()
    if entry is not None:
        return entry.name
    if dispute.raised_by is not None:
        return dispute.raised_by.get_full_name() or dispute.raised_by.get_username()
    return _("the table")


def _may_withdraw(case: Case) -> bool:
    mine = case.frame.roles.entry
    return bool(case.frame.roles.offices) or (mine is not None and mine.player_ref == case.dispute.raised_ref)
