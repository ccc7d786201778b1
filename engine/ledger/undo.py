"""What a transcribed game keeps of its past, so that a slip of the pen can be taken back (`taking_back`).

Kept is the ledger before each event by which somebody does something, from the start of the deal on, and
before the one that closes it, so that it can be opened again for what is told after its last card. All is
forgotten when the next deal begins, when a referee rules, and when the game is broken off.
"""

from collections.abc import Callable, Iterable
from typing import Final, TypeVar, cast

from engine import events as ev
from engine.ledger.state import State

E = TypeVar("E", bound=ev.Event)
Handler = Callable[[State, ev.Event], None]
"""Writes an event of the kind it stands for into the state; see `keeping`."""

ACTS: Final[frozenset[type[ev.Event]]] = frozenset({
    ev.Pushed, ev.ContractSet, ev.BidMade, ev.BidDeferred, ev.BidPassed, ev.CardsDiscarded, ev.DealConceded,
    ev.DealAccepted, ev.PredictionMade, ev.ExtraExchanged, ev.ExtraKept, ev.TurnedTaken, ev.MeldsDeclared,
    ev.MeldsShown, ev.CardPlayed, ev.OutClaimed, ev.DealStopped,
})  # fmt: skip
"""Events by which somebody does something, where a seat is named; so is a Stöck said apart from a card."""
FINAL: Final[frozenset[type[ev.Event]]] = frozenset({ev.RulingMade, ev.DealAnnulled, ev.GameClosed})
"""Behind these nothing is taken back."""
GOES_WITH: Final[dict[type[ev.Event], type[ev.Event]]] = {
    ev.MeldsDeclared: ev.CardPlayed,
    ev.ExtraExchanged: ev.TurnedTaken,
    ev.ExtraKept: ev.TurnedTaken,
    ev.TakenBack: ev.Event,
}
"""What may follow within the same command."""


def keep(state: State, event: ev.Event) -> None:
    """Keep the ledger as it is before an event by which a seat does something."""
    if state.mode != "transcribed" or getattr(event, "seat", None) is None:
        return
    last = state.past[-1] if state.past else None
    goes_with = GOES_WITH.get(last.kind) if last and last.seq == event.seq - 1 else None
    if goes_with is None or not isinstance(event, goes_with):
        state.remember(event.seq, object if getattr(event, "apart", False) else type(event))


def keeping(kind: type[E], handler: Callable[[State, E], None]) -> dict[type[ev.Event], Handler]:
    """The handler of a kind of event, with what it does to the past. That of a card, by which every game
    comes, does so itself, and only in a deal that is marked."""
    handles = cast("Handler", handler)  # it is asked for this kind alone
    if kind is ev.DealStarted:
        handles = _anew(handles)
    elif kind in FINAL:
        handles = _forgetting(handles)
    elif kind in ACTS and kind is not ev.CardPlayed:
        handles = _kept(handles)
    return {kind: handles}


def _kept(handler: Handler) -> Handler:
    """A handler of an event by which somebody does something."""

    def handle(state: State, event: ev.Event) -> None:
        keep(state, event)
        handler(state, event)

    return handle


def _anew(handler: Handler) -> Handler:
    """The handler of an event with which a deal begins."""

    def handle(state: State, event: ev.Event) -> None:
        state.past = ()
        if state.mode == "transcribed":
            state.remember(event.seq, type(event))
        handler(state, event)

    return handle


def _forgetting(handler: Handler) -> Handler:
    """A handler of an event behind which nothing is taken back."""

    def handle(state: State, event: ev.Event) -> None:
        state.past = ()
        handler(state, event)

    return handle


def not_taken_back(events: Iterable[ev.Event]) -> list[ev.Event]:
    """The events that still count, in order: without those taken back, and without the word that did it."""
    left: list[ev.Event] = []
    for event in events:
        if isinstance(event, ev.TakenBack):
            while left and left[-1].seq >= event.to:
                left.pop()
        else:
            left.append(event)
    return left
