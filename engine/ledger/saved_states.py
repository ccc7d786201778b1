"""Saved states of a transcribed game, to which it returns when a clerical error is taken back.

The ledger saves the state before the start of a deal, before each act of a player in it, and before its end,
so that a late command can reopen it. Saved states are dropped when the next deal begins, when a referee
rules and when the game is closed. `engine.taking_back` decides the commands.
"""

from collections.abc import Callable
from typing import Final, TypeVar, cast

from engine import events as ev
from engine.ledger.state import State

E = TypeVar("E", bound=ev.Event)
Handler = Callable[[State, ev.Event], None]
"""A function that folds an event of the type for which it is registered into the state."""

ACTS: Final[frozenset[type[ev.Event]]] = frozenset({
    ev.Pushed, ev.ContractSet, ev.BidMade, ev.BidDeferred, ev.BidPassed, ev.CardsDiscarded, ev.DealConceded,
    ev.DealAccepted, ev.PredictionMade, ev.ExtraExchanged, ev.ExtraKept, ev.TurnedTaken, ev.MeldsDeclared,
    ev.MeldsShown, ev.CardPlayed, ev.OutClaimed, ev.DealStopped,
})  # fmt: skip
"""Events that are acts of a player if they name a seat. A Stöck that is declared apart from a card is an act
too.
"""
FINAL: Final[frozenset[type[ev.Event]]] = frozenset({ev.RulingMade, ev.DealAnnulled, ev.GameClosed})
"""Events after which nothing before them can be taken back."""
GOES_WITH: Final[dict[type[ev.Event], type[ev.Event]]] = {
    ev.MeldsDeclared: ev.CardPlayed,
    ev.ExtraExchanged: ev.TurnedTaken,
    ev.ExtraKept: ev.TurnedTaken,
    ev.TakenBack: ev.Event,
}
"""By type of an act's first event: the type of an event that may follow within the same command."""


def save_before_act(state: State, event: ev.Event) -> None:
    """In a transcribed game, save the state before an event that begins an act of a player."""
    if state.mode != "transcribed" or getattr(event, "seat", None) is None:
        return
    last = state.past[-1] if state.past else None
    goes_with = GOES_WITH.get(last.kind) if last and last.seq == event.seq - 1 else None
    if goes_with is None or not isinstance(event, goes_with):
        state.remember(event.seq, object if getattr(event, "apart", False) else type(event))


def with_state_saving(kind: type[E], handler: Callable[[State, E], None]) -> dict[type[ev.Event], Handler]:
    """Return a mapping from an event type to its handler, which also saves or drops states if the type
    requires it.

    The handlers of a played card, the most frequent event, and of a Stöck save the state themselves.
    """
    handles = cast("Handler", handler)  # it is looked up by this type only
    if kind is ev.DealStarted:
        handles = _restarting(handles)
    elif kind in FINAL:
        handles = _dropping(handles)
    elif kind in ACTS and kind is not ev.CardPlayed:
        handles = _saving(handles)
    return {kind: handles}


def _saving(handler: Handler) -> Handler:
    """Return the handler of an act of a player, which first saves the state."""

    def handle(state: State, event: ev.Event) -> None:
        save_before_act(state, event)
        handler(state, event)

    return handle


def _restarting(handler: Handler) -> Handler:
    """Return the handler of the start of a deal. It first drops the saved states, and saves the state before
    the deal in a transcribed game.
    """

    def handle(state: State, event: ev.Event) -> None:
        state.past = ()
        if state.mode == "transcribed":
            state.remember(event.seq, type(event))
        handler(state, event)

    return handle


def _dropping(handler: Handler) -> Handler:
    """Return the handler of an event that first drops the saved states."""

    def handle(state: State, event: ev.Event) -> None:
        state.past = ()
        handler(state, event)

    return handle
