"""Table cards, talon, auction and predictions as JSON, for one observer."""

from typing import Any

from engine.cards import DECK, codes
from engine.ledger.state import State
from engine.views import Observer


def open_table(state: State, seat: int) -> int:
    """Return the mask of a seat's open table cards. They are also part of its hand."""
    bits = 0
    for pile in state.extras.table[seat]:
        bits |= 1 << pile.open if pile.open >= 0 else 0
    return bits & state.hands[seat]


def closed_table(state: State, seat: int) -> int:
    """Return the number of closed cards that a seat has on the table."""
    return sum(pile.closed is not None for pile in state.extras.table[seat])


def laid_out(state: State, observer: Observer) -> dict[str, Any]:
    """Return turned card, talon, auction, predictions, extra cards, discards and table as an observer sees
    them.
    """
    extras = state.extras
    seats = range(state.seats)
    return {
        "turned": None
        if extras.turned is None
        else {"card": DECK[extras.turned], "seat": extras.turned_seat, "taken_by": extras.taker_of_turned},
        "talon": {"open": codes(extras.talon_open), "size": extras.talon_size},
        "bids": [{"seat": seat, "points": points} for seat, points in extras.bids],
        "passed": extras.passed,
        "deferred": extras.deferred,
        "declarer": state.declarer,
        "bid": state.bid,
        "accepted": extras.accepted,
        "conceded": extras.conceded,
        "stopper": extras.stopper,
        "predictions": [_prediction(state, observer, seat) for seat in seats],
        "extra": [extras.extra_sizes[seat] for seat in seats],
        "exchanged": extras.exchanged,
        "discards": [
            codes(extras.discards[seat]) if _sees_secrets(observer, state, seat) else None for seat in seats
        ],
        "discards_counted": None if extras.discards_counted is None else extras.discards_counted[1],
        "table": [_table(state, seat) for seat in seats],
        "ties": state.ties,
        "payments": state.payments,
    }


def _sees_secrets(observer: Observer, state: State, seat: int) -> bool:
    return observer.sees_all_of(state.deal) or (observer.role == "seat" and observer.number == seat)


def prediction_seen(state: State, observer: Observer, seat: int) -> int | None:
    """Return a seat's predicted points. None if it made no prediction or the observer may not see it."""
    points = state.extras.predictions[seat]
    hidden = (
        points is None or points < 0 or (state.extras.sealed and not _sees_secrets(observer, state, seat))
    )
    return None if hidden else points


def _prediction(state: State, observer: Observer, seat: int) -> dict[str, Any] | None:
    made = state.extras.predictions[seat] is not None
    return {"points": prediction_seen(state, observer, seat)} if made else None


def _table(state: State, seat: int) -> list[dict[str, Any]]:
    return [
        {
            "open": DECK[pile.open] if pile.open >= 0 and state.hands[seat] >> pile.open & 1 else None,
            "closed": pile.closed is not None,
        }
        for pile in state.extras.table[seat]
    ]
