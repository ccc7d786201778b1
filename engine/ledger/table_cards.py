"""Fold of cards that lie on the table before a seat."""

from msgspec.structs import replace

from engine import events as ev
from engine.cards import INDEX, SINGLE, mask
from engine.ledger.state import Pile, State, put_at


def bare_places(state: State, seat: int) -> list[int]:
    """Return a seat's places on the table whose open card was played and that still have a closed card."""
    piles, hand = state.extras.table[seat], state.hands[seat]
    return [at for at, (up, low) in enumerate(piles) if low is not None and up >= 0 and not hand >> up & 1]


def table_dealt(state: State, event: ev.TableDealt) -> None:
    """Record rows of open cards on closed ones. Open cards are also in the mask of the hand."""
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
    """Record a turned card. It opens no phase and changes no trick rules, so `phase_version` stays."""
    extras, seat, card = state.extras, event.seat, INDEX[event.card]
    piles = extras.table[seat]
    bare = {piles[at].closed: at for at in bare_places(state, seat)}
    now = put_at(piles, bare[card if card in bare else -1], Pile(card, None))
    state.hands[seat] |= SINGLE[card]
    turned_up = (*extras.turned_up, (card, len(state.tricks)))
    state.extras = replace(extras, table=put_at(extras.table, seat, now), turned_up=turned_up)
