"""What is declared beside the cards, written into the ledger: melds and the Stöck."""

from engine import events as ev
from engine.cards import INDEX, mask
from engine.ledger.state import Declaration, State
from engine.ledger.undo import keep


def melds_declared(state: State, event: ev.MeldsDeclared) -> None:
    """Melds as the table heard them, with the cards of those that are known."""
    heard = tuple((d.points, INDEX[d.top]) for d in event.declared)
    known = None if event.melds is None else tuple(mask(cards) for cards in event.melds)
    state.declared += (Declaration(event.seat, heard, known, event.counts, event.seq),)


def melds_shown(state: State, event: ev.MeldsShown) -> None:
    """Melds that lie on the table."""
    state.shown += tuple((event.seat, mask(cards)) for cards in event.melds)


def melds_scored(state: State, event: ev.MeldsScored) -> None:
    """Whose melds count: the last word holds."""
    state.melds = ((event.side, event.points),)


def stoeck_declared(state: State, event: ev.StoeckDeclared) -> None:
    """A Stöck; one that came too late, or was none, is written down and no more."""
    if event.apart:
        keep(state, event)
    if event.counts:
        state.stoeck += ((event.seat, event.points, len(state.tricks)),)
