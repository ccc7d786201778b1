"""The fold: `evolve` writes one event into the state. All variants have the same handlers, which check no
rules.

The handlers of `card_played` and `trick_taken` run most often (tests/bench/engine.py).
"""

from collections.abc import Iterable
from typing import Any, Final

from msgspec.structs import replace

from engine import events as ev
from engine.cards import BIT, INDEX, SUIT_MASK, SUIT_NAMES, WITHOUT, mask
from engine.ledger.saved_states import Handler, save_before_act, with_state_saving
from engine.ledger.sheet_entries import (
    mark_ruled,
    result_confirmed,
    result_corrected,
    result_entered,
    to_ties,
)
from engine.ledger.state import Declaration, Infraction, Past, Ruling, State, Ties, Trick, put_at
from engine.ledger.table_cards import table_card_turned, table_dealt

SIXES: Final = mask(("D6", "H6", "S6", "C6"))


def evolve(state: State, event: ev.Event) -> None:
    """Write an event into the state in place. Secret fields of the event may be None; then the state lacks
    their values.
    """
    _HANDLERS[type(event)](state, event)
    state.seq = event.seq + 1


def replay(events: Iterable[ev.Event], state: State | None = None) -> State:
    """Fold events into a new state, or in place into `state`, and return it."""
    ledger = State() if state is None else state
    handlers = _HANDLERS
    event: ev.Event | None = None
    for event in events:
        handlers[type(event)](ledger, event)
    if event is not None:
        ledger.seq = event.seq + 1
    return ledger


def _game_started(state: State, event: ev.GameStarted) -> None:
    state.variant = event.variant
    state.seats = event.seats
    state.options = event.options
    state.mode = event.mode
    state.rules_version = event.rules_version
    state.won_before, state.written_scores = event.won_before, event.written_scores
    state.hand_in, state.confirmation = event.hand_in, event.confirmation
    state.counting, state.sweeps = event.counting, event.sweeps
    state.totals = (0,) * event.sides
    state.phase_version += 1
    state.clear_deal()


def _deal_started(state: State, event: ev.DealStarted) -> None:
    state.deal = event.deal
    state.dealer = event.dealer
    state.place = event.place
    state.clear_deal()
    state.dealing = True
    state.annulled = False
    state.phase_version += 1


def _hand_dealt(state: State, event: ev.HandDealt) -> None:
    seat = event.seat
    bits = 0
    for card in event.cards or ():
        bits |= BIT[card]
    take_hand(state, seat, event.size, bits, event.face_down)


def take_hand(state: State, seat: int, size: int, bits: int, face_down: bool) -> None:
    """Record the hand dealt to a seat. `bits`: the mask of its known cards."""
    state.hands[seat] = bits
    state.sizes[seat] = size
    if face_down:
        state.face_down += (seat,)


def _hand_taken_up(state: State, event: ev.HandTakenUp) -> None:
    state.face_down = tuple(seat for seat in state.face_down if seat != event.seat)
    if event.cards is not None:
        state.hands[event.seat] = mask(event.cards)


def _update_variant_state(state: State, **facts: Any) -> None:
    state.variant_state = replace(state.variant_state, **facts)
    state.phase_version += 1


def _update_variant_state_at(state: State, seat: int, **facts: Any) -> None:
    _update_variant_state(
        state,
        **{name: put_at(getattr(state.variant_state, name), seat, value) for name, value in facts.items()},
    )


def _talon_dealt(state: State, event: ev.TalonDealt) -> None:
    size = event.size + event.open.count(None)
    _update_variant_state(
        state, talon_open=mask(event.open), talon_closed=mask(event.closed or ()), talon_size=size
    )


def _extra_dealt(state: State, event: ev.ExtraDealt) -> None:
    _update_variant_state_at(state, event.seat, extra=mask(event.cards or ()), extra_sizes=event.size)


def _trump_turned(state: State, event: ev.TrumpTurned) -> None:
    _update_variant_state(state, turned=INDEX[event.card], turned_seat=event.seat)


def _pushed(state: State, event: ev.Pushed) -> None:
    state.pushed += (event.seat,)
    state.phase_version += 1


def _contract_set(state: State, event: ev.ContractSet) -> None:
    state.contract = event.contract
    state.chooser = event.seat
    state.slot = event.slot
    state.phase_version += 1
    if state.marked:
        _update_variant_state(state, chosen_at=event.seq)
    if state.trick or state.tricks:
        _update_variant_state(state, named=(len(state.tricks), len(state.trick)))


def _bid_made(state: State, event: ev.BidMade) -> None:
    variant_state = state.variant_state
    passed = tuple(
        seat for seat in variant_state.passed if seat != event.seat
    )  # a transcript may undo a pass
    _update_variant_state(state, bids=(*variant_state.bids, (event.seat, event.points)), passed=passed)


def _bid_deferred(state: State, event: ev.BidDeferred) -> None:
    _update_variant_state(state, deferred=(*state.variant_state.deferred, event.seat))


def _bid_passed(state: State, event: ev.BidPassed) -> None:
    _update_variant_state(state, passed=(*state.variant_state.passed, event.seat))


def _auction_won(state: State, event: ev.AuctionWon) -> None:
    state.declarer = event.seat
    state.bid = event.points
    state.won_in = state.deal
    state.phase_version += 1


def _auction_failed(state: State, event: ev.AuctionFailed) -> None:
    state.dealing = False
    state.phase_version += 1


def _talon_taken(state: State, event: ev.TalonTaken) -> None:
    seat, variant_state = event.seat, state.variant_state
    state.hands[seat] |= mask(event.cards or ()) | variant_state.talon_open
    state.sizes[seat] += variant_state.talon_size + variant_state.talon_open.bit_count()
    _update_variant_state(state, talon_open=0, talon_closed=0, talon_size=0)


def _cards_discarded(state: State, event: ev.CardsDiscarded) -> None:
    seat, bits = event.seat, mask(event.cards or ())
    known = event.cards is not None and len(event.cards) == event.size
    state.hands[seat] = state.hands[seat] & ~bits if known else 0
    state.sizes[seat] -= event.size
    _update_variant_state_at(state, seat, discards=bits)
    _update_variant_state(state, discarded=event.size)


def _deal_conceded(state: State, event: ev.DealConceded) -> None:
    _update_variant_state(state, conceded=event.points)


def _deal_accepted(state: State, event: ev.DealAccepted) -> None:
    _update_variant_state(state, accepted=True)


def _discards_counted(state: State, event: ev.DiscardsCounted) -> None:
    state.taken[event.seat] += event.points or 0
    _update_variant_state(state, discards_counted=(event.seat, event.points))


def _prediction_made(state: State, event: ev.PredictionMade) -> None:
    _update_variant_state_at(state, event.seat, predictions=-1 if event.points is None else event.points)
    if event.sealed:
        _update_variant_state(state, sealed=True)


def _predictions_revealed(state: State, event: ev.PredictionsRevealed) -> None:
    _update_variant_state(
        state, predictions=tuple(-1 if said is None else said for said in event.points), sealed=False
    )


def _extra_exchanged(state: State, event: ev.ExtraExchanged) -> None:
    seat = event.seat
    given, taken = mask(event.given or ()), mask(event.taken or ())
    known = event.given is not None and len(event.given) == event.size
    state.hands[seat] = (state.hands[seat] & ~given if known else 0) | taken
    variant_state = state.variant_state
    _update_variant_state(
        state,
        discards=put_at(variant_state.discards, seat, given),
        extra=put_at(variant_state.extra, seat, 0),
        extra_sizes=put_at(variant_state.extra_sizes, seat, 0),
        exchanged=(*variant_state.exchanged, seat),
    )


def _extra_kept(state: State, event: ev.ExtraKept) -> None:
    _update_variant_state(state, exchanged=(*state.variant_state.exchanged, event.seat))


def _turned_taken(state: State, event: ev.TurnedTaken) -> None:
    six = BIT[event.six] if event.six is not None else SIXES
    state.hands[event.seat] = state.hands[event.seat] & ~six | BIT[event.card]
    _update_variant_state(state, taker_of_turned=event.seat)


def _card_played(state: State, event: ev.CardPlayed) -> None:
    seat = event.seat
    code = event.card
    if state.marked:
        _record_card_details(state, event)
    state.hands[seat] &= WITHOUT[code]
    state.trick.append(INDEX[code])
    state.trick_seats.append(seat)


def _record_card_details(state: State, event: ev.CardPlayed) -> None:
    """Record details of a card that only transcripts and deals with a barred suit need."""
    save_before_act(state, event)
    state.phase_version += 1
    state.trick_seqs += (event.seq,)
    state.barred = put_at(state.barred, event.seat, 0)


def _melds_declared(state: State, event: ev.MeldsDeclared) -> None:
    heard = tuple((d.points, INDEX[d.top]) for d in event.declared)
    known = None if event.melds is None else tuple(mask(cards) for cards in event.melds)
    state.declared += (Declaration(event.seat, heard, known, event.counts, event.seq),)


def _melds_shown(state: State, event: ev.MeldsShown) -> None:
    state.shown += tuple((event.seat, mask(cards)) for cards in event.melds)


def _melds_scored(state: State, event: ev.MeldsScored) -> None:
    """Record which side's melds count. A later event replaces the value."""
    state.melds = ((event.side, event.points),)


def _stoeck_declared(state: State, event: ev.StoeckDeclared) -> None:
    """Record a Stöck, unless it was late or false."""
    if event.apart:
        save_before_act(state, event)
    if event.counts:
        state.stoeck += ((event.seat, event.points, len(state.tricks)),)


def _trick_taken(state: State, event: ev.TrickTaken) -> None:
    trick = Trick(tuple(state.trick_seats), state.trick, event.seat, event.points, state.trick_seqs)
    state.trick_seats = []
    state.trick = []
    state.trick_seqs = ()
    complete_trick(state, trick)


def complete_trick(state: State, trick: Trick) -> None:
    """Record a completed trick. The caller has removed its cards from the table."""
    state.leader = taker = trick.taker
    state.tricks.append(trick)
    if trick.points and taker is not None:
        state.taken[taker] += trick.points


def _infraction_found(state: State, event: ev.InfractionFound) -> None:
    found = Infraction(state.deal, event.seat, event.trick, event.code, event.at_seq, event.proof_seq)
    state.infractions += (found,)


def _out_claimed(state: State, event: ev.OutClaimed) -> None:
    state.phase_version += 1


def _deal_stopped(state: State, event: ev.DealStopped) -> None:
    _update_variant_state(state, stopper=event.seat)


def _close_deal(
    state: State, card_points: Iterable[int | None], scores: Iterable[int | None], ties: Ties | None
) -> None:
    record = state.record(card_points=tuple(card_points), scores=tuple(scores))
    if ties is not None:
        record = replace(record, ties_after=ties)
        state.ties = ties
    state.records += (record,)
    state.dealing = False
    state.phase_version += 1


def _deal_scored(state: State, event: ev.DealScored) -> None:
    if state.mode == "transcribed":
        state.remember(event.seq, ev.DealScored)
    state.totals = tuple(event.totals)
    _close_deal(state, event.card_points, event.scores, to_ties(event.ties))


def _game_ended(state: State, event: ev.GameEnded) -> None:
    state.over = True
    state.winners = tuple(event.winners)
    state.totals = tuple(event.totals)
    state.payments = tuple(event.payments or ())
    state.phase_version += 1


def _ruling_made(state: State, event: ev.RulingMade) -> None:
    state.rulings += (Ruling.of(event.ruling, event),)
    mark_ruled(state, event)
    state.totals = tuple(event.totals)
    if event.ties is not None:
        state.ties = to_ties(event.ties) or ()
    if event.winners is not None:
        state.winners = tuple(event.winners)
    if event.first is not None:
        state.first = (event.first_deal or 0, event.first)
    state.phase_version += 1


def _deal_annulled(state: State, event: ev.DealAnnulled) -> None:
    if state.dealing and event.deal == state.deal:
        nothing = (0,) * len(state.totals)
        _close_deal(state, nothing, nothing, state.ties or None)
        state.annulled = True


def _suit_barred(state: State, event: ev.SuitBarred) -> None:
    suit = SUIT_MASK[SUIT_NAMES.index(event.suit)]
    state.marked = True
    state.barred = put_at(state.barred, event.seat, state.barred[event.seat] | suit)


def _game_closed(state: State, event: ev.GameClosed) -> None:
    state.closed = True
    state.phase_version += 1


def _game_resumed(state: State, event: ev.GameResumed) -> None:
    state.closed = False
    state.phase_version += 1


def _taken_back(state: State, event: ev.TakenBack) -> None:
    closed = state.copy()
    if state.go_back(event.to) is ev.DealScored:  # the reopening itself can be taken back
        state.past = closed.past
        closed.seq, closed.past = event.seq, ()
        state.past += (Past(event.seq, ev.TakenBack, closed),)


_HANDLERS: Final[dict[type[ev.Event], Handler]] = {
    **with_state_saving(ev.GameStarted, _game_started),
    **with_state_saving(ev.DealStarted, _deal_started),
    **with_state_saving(ev.HandDealt, _hand_dealt),
    **with_state_saving(ev.HandTakenUp, _hand_taken_up),
    **with_state_saving(ev.TalonDealt, _talon_dealt),
    **with_state_saving(ev.ExtraDealt, _extra_dealt),
    **with_state_saving(ev.TableDealt, table_dealt),
    **with_state_saving(ev.TrumpTurned, _trump_turned),
    **with_state_saving(ev.Pushed, _pushed),
    **with_state_saving(ev.ContractSet, _contract_set),
    **with_state_saving(ev.BidMade, _bid_made),
    **with_state_saving(ev.BidDeferred, _bid_deferred),
    **with_state_saving(ev.BidPassed, _bid_passed),
    **with_state_saving(ev.AuctionWon, _auction_won),
    **with_state_saving(ev.AuctionFailed, _auction_failed),
    **with_state_saving(ev.TalonTaken, _talon_taken),
    **with_state_saving(ev.CardsDiscarded, _cards_discarded),
    **with_state_saving(ev.DealConceded, _deal_conceded),
    **with_state_saving(ev.DealAccepted, _deal_accepted),
    **with_state_saving(ev.DiscardsCounted, _discards_counted),
    **with_state_saving(ev.PredictionMade, _prediction_made),
    **with_state_saving(ev.PredictionsRevealed, _predictions_revealed),
    **with_state_saving(ev.ExtraExchanged, _extra_exchanged),
    **with_state_saving(ev.ExtraKept, _extra_kept),
    **with_state_saving(ev.TurnedTaken, _turned_taken),
    **with_state_saving(ev.MeldsDeclared, _melds_declared),
    **with_state_saving(ev.MeldsShown, _melds_shown),
    **with_state_saving(ev.CardPlayed, _card_played),
    **with_state_saving(ev.StoeckDeclared, _stoeck_declared),
    **with_state_saving(ev.MeldsScored, _melds_scored),
    **with_state_saving(ev.TrickTaken, _trick_taken),
    **with_state_saving(ev.TableCardTurned, table_card_turned),
    **with_state_saving(ev.InfractionFound, _infraction_found),
    **with_state_saving(ev.OutClaimed, _out_claimed),
    **with_state_saving(ev.DealStopped, _deal_stopped),
    **with_state_saving(ev.DealScored, _deal_scored),
    **with_state_saving(ev.GameEnded, _game_ended),
    **with_state_saving(ev.RulingMade, _ruling_made),
    **with_state_saving(ev.DealAnnulled, _deal_annulled),
    **with_state_saving(ev.SuitBarred, _suit_barred),
    **with_state_saving(ev.GameClosed, _game_closed),
    **with_state_saving(ev.GameResumed, _game_resumed),
    **with_state_saving(ev.TakenBack, _taken_back),
    **with_state_saving(ev.ResultEntered, result_entered),
    **with_state_saving(ev.ResultCorrected, result_corrected),
    **with_state_saving(ev.ResultConfirmed, result_confirmed),
}
