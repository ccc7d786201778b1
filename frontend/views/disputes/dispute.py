"""/disputes/<id>/: A dispute with the disputed moment of the game, the possible rulings, and the decision."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from engine import Refused
from engine.events import InfractionFound
from frontend.forms.disputes import AppealForm, FactsForm, RulingForm, possible_incidents
from frontend.preferences import read_preference
from frontend.presenters.disputes import record_of_deal
from frontend.presenters.disputes.ruling_subject import load_ruling_subjects
from frontend.presenters.disputes.rulings import (
    BY_WORD,
    UPHOLD,
    build_ruling,
    describe_proposal_reason,
    describe_rulings,
    list_remedies,
)
from frontend.presenters.tables.commentary import EventNarrator
from frontend.presenters.tables.moment import Moment, build_moment
from frontend.presenters.tables.table_rules import card_names_contract
from frontend.presenters.words.contract_names import TRUMP_SUITS, contract_name
from frontend.presenters.words.refusals import describe_refusal, refusals_as_messages
from frontend.presenters.words.vocabulary import DISPUTED, RULES_THAT_FORBID, word
from frontend.views import championship_context
from frontend.views.disputes.dispute_context import (
    Case,
    find_dispute,
    list_numbers_at_table,
    load_raiser_names,
)
from frontend.views.numbers import MAX_NUMBER, parse_bounded
from games import game_state
from games.error_responses import answer_to
from games.ids import new_id
from games.models import Game
from tournaments import incident_kinds
from tournaments.models import Dispute
from tournaments.services.referee import appeals, disputes, remedy_proposals, rulings
from tournaments.services.referee.hand_scores import find_odd_sum
from tournaments.services.scores import wrong_sums
from tournaments.services.scores.scores_without_calls import Scores, scores_without_calls, without_ruling


@require_safe
def dispute(request: HttpRequest, dispute_id: int) -> HttpResponse:
    """Show the dispute with the disputed card; `?seq=`: with the card played in this event instead."""
    case = find_dispute(request, dispute_id)
    return _dispute_page(case, {})


@require_safe
def dispute_remedies(request: HttpRequest, dispute_id: int) -> HttpResponse:
    """Render the possible remedies for the submitted facts. The page requests them after each change of a
    fact.
    """
    case = find_dispute(request, dispute_id)
    if not case.may_rule:
        raise Http404
    return case.page.render("parts/remedies.html", _remedies_context(case, request.GET))


@require_POST
def dispute_rule(request: HttpRequest, dispute_id: int) -> HttpResponse:
    """Save a ruling or the decision on an appeal, and redirect to the dispute."""
    case = find_dispute(request, dispute_id)
    appealed = case.dispute.status == Dispute.Status.APPEALED
    if not case.may_rule:
        return championship_context.refuse(case.page)
    form = RulingForm(request.POST)
    facts = _facts_form(case, request.POST)
    if not (form.is_valid() and facts.is_valid()):
        return _dispute_page(case, {"ruling_form": form}, given=request.POST, status=400)
    data, key = form.cleaned_data, form.cleaned_data["remedy"]
    known_facts = facts.given()
    incident = facts.cleaned_data["incident"]
    proposal = remedy_proposals.propose_remedy(case.dispute, case.regulations, incident, known_facts)
    if proposal is not None:
        known_facts = proposal.completed(known_facts)
    ruling = None
    if key not in (BY_WORD, UPHOLD):
        ruling = {**build_ruling(case.dispute, key, known_facts), "article": data["article"] or None}
    odd = None
    if ruling is not None and ruling["kind"] == "score_change" and not data["odd_sum"]:
        odd = find_odd_sum(
            game_state.load_snapshot(case.game.pk).state, ruling.get("deal"), ruling.get("scores", ())
        )
    if odd is not None:
        return _dispute_page(case, {"ruling_form": form, "odd": odd}, given=request.POST, status=400)
    decide = rulings.decide_dispute if appealed else rulings.rule
    try:
        decide(
            case.dispute,
            actor=case.page.actor,
            ruling=ruling,
            answer=data["answer"],
            seen=data["version"],
            chosen_by=known_facts["chosen_by"] if key.startswith("short_hand/") else None,
            incident=incident,
            counted=(data["counted"] or None) if ruling is not None and "scores" in ruling else None,
            command_id=f"ruling:{data['token']}",
        )
    except Refused as error:
        refusal = describe_refusal(error)
        status = answer_to(error).page
        return _dispute_page(
            find_dispute(request, dispute_id),
            {"ruling_form": form, "refusal": refusal},
            given=request.POST,
            status=status,
        )
    if ruling is None:
        messages.success(request, _("It is decided, and recorded in the log."))
    else:
        messages.success(request, _("The ruling is recorded in the log of the game."))
    return redirect("dispute", dispute_id)


@require_POST
def dispute_withdraw(request: HttpRequest, dispute_id: int) -> HttpResponse:
    case = find_dispute(request, dispute_id)
    with refusals_as_messages(request):
        disputes.withdraw_dispute(case.dispute, actor=case.account, by_ref=case.by_ref)
        settled = case.dispute.is_call and not case.concerned
        messages.success(request, _("The call is settled.") if settled else _("It is withdrawn."))
    return redirect("dispute", dispute_id)


@require_POST
def dispute_appeal(request: HttpRequest, dispute_id: int) -> HttpResponse:
    """Appeal against the ruling with a reason, as a person whom it concerns; `act=withdraw` withdraws the
    appeal.
    """
    case = find_dispute(request, dispute_id)
    if not case.concerned:
        return championship_context.refuse(case.page)
    with refusals_as_messages(request):
        if request.POST.get("act") == "withdraw":
            appeals.withdraw_appeal(case.dispute, actor=case.account, by_ref=case.by_ref)
            messages.success(request, _("The appeal is withdrawn; the ruling stands."))
        else:
            form = AppealForm(request.POST)
            if not form.is_valid():
                return _dispute_page(case, {"appeal_form": form}, status=400)
            fields = form.cleaned_data
            appeals.make_appeal(
                case.dispute,
                actor=case.account,
                by_ref=case.by_ref,
                reason=fields["reason"],
                seen=fields["version"],
            )
            messages.success(
                request, _("The ruling is appealed. Everything it affects is provisional until the decision.")
            )
    return redirect("dispute", dispute_id)


def _dispute_page(case: Case, more: dict[str, Any], *, given: Any = None, status: int = 200) -> HttpResponse:
    dispute, request = case.dispute, case.page.request
    deck = read_preference(request, "deck")
    shown = _load_moment(case)
    deal = shown.deal if shown is not None else dispute.deal
    rulings = describe_rulings(case.events, case.names, case.sides)
    open_now = dispute.status in (Dispute.Status.OPEN, Dispute.Status.RULED, Dispute.Status.APPEALED)
    appealed = dispute.status == Dispute.Status.APPEALED
    may_decide = case.may_decide if appealed else case.may_rule
    context: dict[str, Any] = {
        "dispute": dispute,
        "table": dispute.table,
        "round": dispute.table.round,
        "game": case.game,
        "sides": case.sides,
        "raised_by": load_raiser_names(case),
        "about": word(DISPUTED, dispute.incident),
        "moment": shown,
        "incident": word(DISPUTED, shown.infraction) if shown else "",
        "contract": contract_name(shown.contract, deck) if shown else "",
        "forbidding": _forbidding_rules(shown),
        "replay_seq": shown.seq if shown else max(dispute.at_seq or dispute.seen_seq, 0),
        "rulings": rulings,
        "ruling": next((r for r in rulings if r.number == dispute.ruling_number), None),
        "ruled_on": load_ruling_subjects([dispute])[dispute.pk] if dispute.answer else None,
        "chooser": case.names[dispute.chosen_by] if dispute.chosen_by is not None else "",
        "appeals": dispute.appeals.select_related("decided_by", "raised_by"),
        "sheet": case.concerned and case.game.mode == Game.Mode.SHEET,
        "directs_alone": case.directs_alone,
        "may_rule": may_decide
        and open_now
        and not (dispute.status == "ruled" and dispute.ruling_number is None),
        "may_not_decide": appealed and case.may_rule and not may_decide,
        "may_withdraw": dispute.status == Dispute.Status.OPEN and _may_withdraw(case),
        "may_appeal": dispute.status == Dispute.Status.RULED and case.concerned,
        "appeal_until": appeals.compute_appeal_deadline(dispute)
        if dispute.status == Dispute.Status.RULED
        else None,
        "my_appeal": appealed and _has_appealed(case),
        "opened": dispute.table.opened_hands.select_related("opened_by"),
        "hidden": case.hides(deal),
        "may_open": case.may_open(deal),
        "token": new_id(),
        **_record_context(case, shown, deck),
    }
    if context["may_rule"]:
        context |= _remedies_context(case, given, shown)
        context.setdefault("ruling_form", RulingForm())
    context.setdefault("appeal_form", AppealForm())
    return case.page.render("pages/dispute.html", context | more, status=status)


def _forbidding_rules(shown: Moment | None) -> list[str]:
    """Return a sentence for each rule that forbade a card of the hand at this moment."""
    if shown is None:
        return []
    without = "" if shown.contract in TRUMP_SUITS else "_without_trumps"
    return [
        word(RULES_THAT_FORBID, f"{code}{without}" if code == "follow_suit" else code) for code in shown.rules
    ]


def _load_moment(case: Case) -> Moment | None:
    dispute = case.dispute
    asked = parse_bounded(case.page.request.GET.get("seq"), least=0, most=MAX_NUMBER, default=-1)
    seq = asked if asked >= 0 else dispute.at_seq
    shown = build_moment(case.events, case.names, deal=dispute.deal, trick=dispute.trick, seq=seq)
    if shown is None and asked < 0 and dispute.at_seq is not None:
        return build_moment(case.events, case.names, deal=dispute.deal, trick=dispute.trick)
    return shown


def _record_context(case: Case, shown: Moment | None, deck: str) -> dict[str, Any]:
    """Return the context with the record of the deal; empty if the dispute concerns no deal."""
    deal = shown.deal if shown is not None else case.dispute.deal
    if deal is None:
        return {}
    by_card = card_names_contract(case.game.variant, case.game.seat_count, case.game.options)
    teller = EventNarrator(case.names, case.sides, deck, by_card)
    if case.game.mode == Game.Mode.SHEET:
        players = [seat.player_ref for seat in case.game.seats.all()]
        return {"entries": record_of_deal.list_record_entries(case.events, deal, teller, case.told, players)}
    events = record_of_deal.select_deal_events(case.events, deal)
    return {
        "said": record_of_deal.list_announcements(events, teller, case.told),
        "proofs": record_of_deal.list_proven_infractions(events, teller),
        "stoeck": record_of_deal.describe_stoeck(events, case.names, case.game.options, deck),
        "clock": record_of_deal.list_thinking_times(shown, case.told) if shown is not None else [],
        "proven": record_of_deal.collect_facts(case.events, deal, case.names, case.sides, deck)
        if case.game.mode == Game.Mode.TRANSCRIBED and events
        else None,
    }


def _remedies_context(case: Case, given: Any, shown: Moment | None = None) -> dict[str, Any]:
    """Return the context with the possible remedies. `given`: the submitted facts; without them the facts
    come from the dispute and its card.
    """
    initial = _initial_facts(case, shown)
    facts = _facts_form(case, given if given is not None else initial)
    facts.is_valid()
    incident = facts.cleaned_data.get("incident") or ""
    known = facts.given()
    proposal = remedy_proposals.propose_remedy(case.dispute, case.regulations, incident, known)
    articles: dict[str, str] = {} if proposal is None else {proposal.remedy.ruling: proposal.remedy.article}
    appealed = case.dispute.status == Dispute.Status.APPEALED
    key = given.get("remedy", "") if given is not None else ""
    if key and not appealed and key == given.get("offered"):
        key = ""  # The page chose this remedy; it changes with the facts.
    completed = known if proposal is None else proposal.completed(known)
    lowest_wins = case.regulations.directions().table < 0
    remedies = list_remedies(
        case.dispute, completed, articles, list_numbers_at_table(case), lowest_wins=lowest_wins
    )
    proposed = {remedy.key for remedy in remedies if remedy.proposed or remedy.instead}
    first = next((remedy for remedy in remedies if remedy.key in proposed), None)
    return {
        "dispute": case.dispute,
        "facts": facts,
        "remedies": remedies,
        "fold_open": appealed or not proposed or bool(key and key not in proposed),
        "asks_more": any(remedy.instead and remedy.reason for remedy in remedies)
        or (proposal is not None and facts.asks_more_for(proposal.remedy.ruling, completed)),
        "asks_first": any(remedy.asks_first for remedy in remedies),
        "chosen_remedy": key,
        "offered": first.key if first is not None and not first.warning else "",
        "counted": rulings.counted_now(case.dispute, known.get("deal") or case.dispute.deal),
        "by_word": BY_WORD,
        "uphold": UPHOLD,
        "appealed": appealed,
        "article": proposal.remedy.article if proposal is not None else "",
        "why_proposed": describe_proposal_reason(proposal, incident, known, case.regulations, case.names),
    }


def _facts_form(case: Case, data: Any) -> FactsForm:
    written = case.game.mode == Game.Mode.SHEET and case.regulations.wrong_sum != "refuse"
    deck = read_preference(case.page.request, "deck")
    possible = {*possible_incidents(case.game), case.dispute.incident}
    codes = [code for code in incident_kinds.CODES if code in possible]
    return FactsForm(data, names=case.names, sides=case.sides, deck=deck, codes=codes, written=written)


def _initial_facts(case: Case, shown: Moment | None) -> dict[str, str]:
    """Return the initial values of the form: deal, trick and seat, the proven or else the disputed incident,
    and the scores.
    """
    dispute = case.dispute
    facts: dict[str, Any] = {"deal": dispute.deal, "trick": dispute.trick, "incident": dispute.incident}
    if shown is not None:
        facts |= {"deal": shown.deal, "trick": shown.trick}
        if shown.infraction or dispute.at_seq is not None:
            facts["against"] = shown.seat
    deal = facts["deal"]
    proof = _find_proof(case, shown, deal) if deal is not None else None
    if proof is not None:
        facts |= {
            "incident": incident_kinds.OF_INFRACTION[proof.code],
            "trick": proof.trick,
            "against": proof.seat,
        }
    scores = _score_to_change(case, facts["incident"], deal, proof) if case.may_rule else None
    facts |= {f"score_{side}": points for side, points in enumerate(scores or ())}
    if (
        dispute.incident == "wrong_sum"
        and dispute.deal is not None
        and case.regulations.wrong_sum == "scorer"
    ):
        facts["against"] = wrong_sums.find_scorer(case.game.pk, dispute.deal)
    return {name: str(value) for name, value in facts.items() if value not in (None, "")}


def _find_proof(case: Case, shown: Moment | None, deal: int) -> InfractionFound | None:
    """Return an infraction that the record proves, of the disputed incident if one is named: at the disputed
    card, otherwise in the disputed trick or deal. Late and wrong calls need not be at that card.
    """
    dispute = case.dispute
    known = incident_kinds.OF_INFRACTION.items()
    codes = {code for code, incident in known if dispute.incident in ("", incident)}
    by_card = dispute.at_seq is not None or "seq" in case.page.request.GET
    if shown is None or not by_card:
        return record_of_deal.find_proven_infraction(case.events, deal, dispute.trick, None, codes)
    if shown.infraction not in codes:  # Another card of the trick proves nothing about this one.
        codes &= incident_kinds.CALLS.keys()
    return record_of_deal.find_proven_infraction(case.events, deal, shown.trick, shown.seq, codes)


def _score_to_change(
    case: Case, incident: str, deal: int | None, proof: InfractionFound | None
) -> Scores | None:
    """Return the proposed score if the regulations prescribe a changed score, except for a wrong sum; None
    otherwise. It is the present score without the ruling that is to be replaced; for a late call, without
    calls of the proven kind by the player's side, or, without proof, without any call.
    """
    foreseen = incident_kinds.remedy_for(incident, case.regulations)
    if deal is None or foreseen is None or foreseen.ruling != "score_change" or incident == "wrong_sum":
        return None
    state = without_ruling(game_state.load_snapshot(case.game.pk).state, case.dispute.ruling_number)
    if incident != "late_call":
        return scores_without_calls(state, deal, kinds=())
    if proof is None:
        return scores_without_calls(state, deal)
    side = case.game.sides[proof.seat] if case.game.sides else proof.seat
    return scores_without_calls(state, deal, kinds=(incident_kinds.CALLS[proof.code],), side=side)


def _may_withdraw(case: Case) -> bool:
    return bool(case.page.roles.offices) or case.dispute.raised_ref in case.own_refs


def _has_appealed(case: Case) -> bool:
    return any(
        appeal.outcome == "" and appeal.raised_ref in case.own_refs for appeal in case.dispute.appeals.all()
    )
