"""Cards that lie on the table before a seat, written into the ledger."""

from msgspec.structs import replace

from engine import events as ev
from engine.cards import INDEX, SINGLE, mask
from engine.ledger.state import Pile, State, put_at


def bare_places(state: State, seat: int) -> list[int]:
    """The places on the table of a seat whose open card was played from above a closed one."""
    piles, hand = state.extras.table[seat], state.hands[seat]
    return [at for at, (up, low) in enumerate(piles) if low is not None and up >= 0 and not hand >> up & 1]


def table_dealt(state: State, event: ev.TableDealt) -> None:
    """Rows of open cards on closed ones; the open ones are in the hand's mask too."""
    seat, extras = event.seat, state.extras
    under = tuple([INDEX[card] for card in event.closed or (None,) * event.size])
    piles = tuple([Pile(INDEX[up], down) for up, down in zip(event.open, under, strict=True)])
    state.hands[seat] |= mask(event.open)
    state.extras = replace(
        extras,
        table=put_at(extras.table, seat, piles),
        dealt_up=put_at(extras.dealt_up, seat, state.hands[seat]),
        dealt_closed=put_at(extras.dealt_closed, seat, under),
    )
    state.stage += 1
    state.sizes[seat] += event.size + len(event.open)


def table_card_turned(state: State, event: ev.TableCardTurned) -> None:
    """A closed card that lies bare is open now. That opens no phase and changes no way of playing a trick, so
    the stage stays."""
    extras, seat, card = state.extras, event.seat, INDEX[event.card]
    piles = extras.table[seat]
    bare = {piles[at].closed: at for at in bare_places(state, seat)}
    now = put_at(piles, bare[card if card in bare else -1], Pile(card, None))
    state.hands[seat] |= SINGLE[card]
    turned_up = (*extras.turned_up, (card, len(state.tricks)))
    state.extras = replace(extras, table=put_at(extras.table, seat, now), turned_up=turned_up)
