"""Fold of the events of a score sheet: results, corrections and confirmations."""

from collections.abc import Iterable

from msgspec.structs import replace

from engine import events as ev
from engine.commands import EnterResult
from engine.ledger.state import SheetResult, State, Ties


def to_ties(pairs: Iterable[Iterable[int]] | None) -> Ties | None:
    """Convert pairs of tied sides to tuples; None stays None."""
    return None if pairs is None else tuple(tuple(pair) for pair in pairs)


def as_result(written: EnterResult | ev.ResultEntered, seq: int) -> SheetResult:
    """Convert a written result to an entry of the state, without the values that are derived from it."""
    return SheetResult(
        seq=seq,
        seat=written.seat,
        side=None,
        card_points=tuple(written.card_points or ()),
        contract=written.contract,
        slot=written.slot,
        chooser=written.chooser,
        bid=written.bid,
        predictions=None if written.predictions is None else tuple(written.predictions),
        took_trick=tuple(written.took_trick or ()),
        dealer=written.dealer,
        sweep=written.sweep,
        stoeck=written.stoeck,
        stoeck_points=written.stoeck_points,
        melds=None if written.melds is None else tuple(written.melds),
        sweeps=None if written.sweeps is None else tuple(written.sweeps),
        stoecks=None if written.stoecks is None else tuple(written.stoecks),
        conceded=written.conceded or None,
        changed_seq=seq,
    )


def result_entered(state: State, event: ev.ResultEntered) -> None:
    """Record a result. A result entered by an official needs no confirmation."""
    _record_entry(state, event, stands=event.reason is not None)


def _record_entry(state: State, event: ev.ResultEntered, *, stands: bool) -> None:
    result = replace(
        as_result(event, event.seq),
        side=event.side,
        scores=tuple(event.scores),
        ties=to_ties(event.ties),
        by_hand=event.by_hand,
        confirmed=stands,
        deals=event.deals,
    )
    write_result(state, event.deal, result)
    state.totals = tuple(event.totals)
    if event.first is not None:
        state.first = (event.first_deal or event.deal, event.first)


def write_result(state: State, deal: int, result: SheetResult) -> None:
    """Add or replace a sheet's result; update declarer, bid and ties."""
    state.results = (*state.results[: deal - 1], result, *state.results[deal:])
    state.deal = len(state.results)
    if result.bid is not None and all(later.bid is None for later in state.results[deal:]):
        state.declarer, state.bid, state.won_in = result.chooser, result.bid, deal
    if deal == state.deal and result.ties is not None:
        state.ties = result.ties


def result_corrected(state: State, event: ev.ResultCorrected) -> None:
    """Replace the result of a deal, and update the scores of later deals."""
    if state.first is not None and state.first[0] == event.deal:
        state.first = None
    _record_entry(state, event, stands=event.reason is not None and state.results[event.deal - 1].confirmed)
    if event.winners is not None:
        state.winners, state.payments = tuple(event.winners), tuple(event.payments or ())
    for other in event.rescored or ():
        later = state.results[other.deal - 1]
        now = replace(later, scores=tuple(other.scores), ties=to_ties(other.ties), changed_seq=event.seq)
        write_result(state, other.deal, now)


def mark_ruled(state: State, event: ev.RulingMade) -> None:
    """Set `changed_seq` to the ruling's seq in each deal whose result it changes: its own deal, the deal of a
    ruling that it replaces, and rescored deals.
    """
    replaced = None if event.replaces is None else state.rulings[event.replaces - 1].deal
    for deal in {event.deal, replaced, *(other.deal for other in event.rescored or ())} - {None}:
        if deal is not None and deal <= len(state.results):
            marked = replace(state.results[deal - 1], changed_seq=event.seq)
            state.results = (*state.results[: deal - 1], marked, *state.results[deal:])


def result_confirmed(state: State, event: ev.ResultConfirmed) -> None:
    """Mark a result as confirmed. `event.by` names the witness in place of another side, if any."""
    written = state.results[event.deal - 1]
    write_result(state, event.deal, replace(written, confirmed=True, by=event.by))
