"""Fold of the events about cards that lie on the table in front of a seat."""

from msgspec.structs import replace

from engine import events as ev
from engine.cards import INDEX, SINGLE, mask
from engine.ledger.state import Pile, State, put_at


def bare_places(state: State, seat: int) -> list[int]:
    """Return the indexes of a seat's piles whose open card was played and which still have a closed card."""
    piles, hand = state.variant_state.table[seat], state.hands[seat]
    return [at for at, (up, low) in enumerate(piles) if low is not None and up >= 0 and not hand >> up & 1]


def table_dealt(state: State, event: ev.TableDealt) -> None:
    """Record the cards dealt to the table: a row of open cards, each on a closed card. Open cards are also in
    the mask of the hand.
    """
    seat, variant_state = event.seat, state.variant_state
    under = tuple([INDEX[card] for card in event.closed or (None,) * event.size])
    piles = tuple([Pile(INDEX[up], down) for up, down in zip(event.open, under, strict=True)])
    state.hands[seat] |= mask(event.open)
    state.variant_state = replace(
        variant_state,
        table=put_at(variant_state.table, seat, piles),
        dealt_up=put_at(variant_state.dealt_up, seat, state.hands[seat]),
        dealt_closed=put_at(variant_state.dealt_closed, seat, under),
    )
    state.phase_version += 1
    state.sizes[seat] += event.size + len(event.open)


def table_card_turned(state: State, event: ev.TableCardTurned) -> None:
    """Record a table card that was turned. It opens no phase and changes no trick rules, so `phase_version`
    stays unchanged.
    """
    variant_state, seat, card = state.variant_state, event.seat, INDEX[event.card]
    piles = variant_state.table[seat]
    bare = {piles[at].closed: at for at in bare_places(state, seat)}
    now = put_at(piles, bare[card if card in bare else -1], Pile(card, None))
    state.hands[seat] |= SINGLE[card]
    turned_up = (*variant_state.turned_up, (card, len(state.tricks)))
    state.variant_state = replace(
        variant_state, table=put_at(variant_state.table, seat, now), turned_up=turned_up
    )
