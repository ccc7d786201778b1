"""Table cards, talon, auction and predictions as JSON values, for one observer."""

from typing import Any

from engine.cards import DECK, codes
from engine.ledger.state import State
from engine.redaction import Observer


def open_table(state: State, seat: int) -> int:
    """Return the mask of a seat's known open table cards. They are also in the mask of its hand."""
    bits = 0
    for pile in state.variant_state.table[seat]:
        bits |= 1 << pile.open if pile.open >= 0 else 0
    return bits & state.hands[seat]


def closed_table(state: State, seat: int) -> int:
    """Return the number of closed cards that a seat has on the table."""
    return sum(pile.closed is not None for pile in state.variant_state.table[seat])


def laid_out(state: State, observer: Observer) -> dict[str, Any]:
    """Return the facts that only some variants have, such as talon and predictions, as an observer sees
    them.
    """
    variant_state = state.variant_state
    seats = range(state.seats)
    return {
        "turned": None
        if variant_state.turned is None
        else {
            "card": DECK[variant_state.turned],
            "seat": variant_state.turned_seat,
            "taken_by": variant_state.taker_of_turned,
        },
        "talon": {"open": codes(variant_state.talon_open), "size": variant_state.talon_size},
        "bids": [{"seat": seat, "points": points} for seat, points in variant_state.bids],
        "passed": variant_state.passed,
        "deferred": variant_state.deferred,
        "declarer": state.declarer,
        "bid": state.bid,
        "accepted": variant_state.accepted,
        "conceded": variant_state.conceded,
        "stopper": variant_state.stopper,
        "predictions": [_prediction(state, observer, seat) for seat in seats],
        "extra": [variant_state.extra_sizes[seat] for seat in seats],
        "exchanged": variant_state.exchanged,
        "discards": [
            codes(variant_state.discards[seat]) if _sees_secrets(observer, state, seat) else None
            for seat in seats
        ],
        "discards_counted": None
        if variant_state.discards_counted is None
        else variant_state.discards_counted[1],
        "table": [_table(state, seat) for seat in seats],
        "ties": state.ties,
        "payments": state.payments,
    }


def _sees_secrets(observer: Observer, state: State, seat: int) -> bool:
    return observer.sees_deal(state.deal) or (observer.role == "seat" and observer.number == seat)


def visible_prediction(state: State, observer: Observer, seat: int) -> int | None:
    """Return a seat's predicted points; None if it made no prediction, or if they are hidden or not known."""
    points = state.variant_state.predictions[seat]
    hidden = (
        points is None
        or points < 0
        or (state.variant_state.sealed and not _sees_secrets(observer, state, seat))
    )
    return None if hidden else points


def _prediction(state: State, observer: Observer, seat: int) -> dict[str, Any] | None:
    made = state.variant_state.predictions[seat] is not None
    return {"points": visible_prediction(state, observer, seat)} if made else None


def _table(state: State, seat: int) -> list[dict[str, Any]]:
    return [
        {
            "open": DECK[pile.open] if pile.open >= 0 and state.hands[seat] >> pile.open & 1 else None,
            "closed": pile.closed is not None,
        }
        for pile in state.variant_state.table[seat]
    ]
