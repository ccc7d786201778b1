"""What a game lays out when the hands are dealt: a card that names the contract, a talon, extra cards, table
cards."""

from collections.abc import Callable, Mapping
from typing import Final, Literal

from engine.cards import INDEX, RANK_OF, RANKS, SUIT_NAMES, SUIT_OF, Card
from engine.contracts import Contract
from engine.draft import Draft
from engine.errors import IllegalCommand
from engine.events import ContractSet, ExtraDealt, TableDealt, TalonDealt, TrumpTurned
from engine.phases.dealing import Dealt
from engine.state import State

Rank = Literal["6", "7", "8", "9", "10", "J", "Q", "K", "A"]
TurnedContracts = dict[Rank, Literal["obenabe", "undenufe"]]
Turned = Mapping[Rank, Contract]
"""Ranks of a turned card that make another contract than its suit."""

OPEN_TALON: Final = 3
WHOLE_TALON: Final = 6


def contract_of(card: Card, turned: Turned) -> Contract:
    """The contract that a turned card makes."""
    number = INDEX[card]
    return turned.get(RANKS[RANK_OF[number]], SUIT_NAMES[SUIT_OF[number]])


def _turn(draft: Draft, card: Card | None, seat: int | None, turned: Turned) -> None:
    if card is None:
        raise IllegalCommand("deal/turned_card_missing", "the card that names the contract must be known")
    draft.emit(TrumpTurned, card=card, seat=seat)
    draft.emit(ContractSet, contract=contract_of(card, turned))


def last_card(turned: Turned) -> Callable[[Draft, Dealt], None]:
    """The dealer shows his last card, which stays in his hand."""
    return lambda draft, dealt: _turn(draft, dealt.shares[dealt.dealer][-1], dealt.dealer, turned)


def cut_card(turned: Turned) -> Callable[[Draft, Dealt], None]:
    """The card that was cut before the cards were shuffled again."""
    return lambda draft, dealt: _turn(draft, dealt.cut, None, turned)


def _seats(state: State, dealt: Dealt) -> list[int]:
    return [(dealt.dealer + turn) % state.seats for turn in range(1, state.seats + 1)]


def _known(cards: list[Card | None]) -> list[Card]:
    return [card for card in cards if card is not None]


def talon(draft: Draft, dealt: Dealt) -> None:
    """Three open and three closed cards."""
    cards = list(dealt.rest[:WHOLE_TALON])
    draft.emit(
        TalonDealt,
        open=_known(cards[:OPEN_TALON]),
        size=WHOLE_TALON - OPEN_TALON,
        closed=_known(cards[OPEN_TALON:]),
    )


def extra_cards(draft: Draft, dealt: Dealt, hand: int) -> None:
    """The cards of a share beyond the hand lie face down; the next one is turned on top of the stock."""
    for seat in _seats(draft.state, dealt):
        extra = dealt.shares[seat][hand:]
        draft.emit(ExtraDealt, seat=seat, size=len(extra), cards=_known(extra))
    _turn(draft, dealt.rest[0], None, {})


def table_cards(draft: Draft, dealt: Dealt, closed: int) -> None:
    """A row of closed cards before each seat, and as many open ones on top of them."""
    for seat in _seats(draft.state, dealt):
        share = dealt.shares[seat]
        if None in share:
            raise IllegalCommand("deal/table_cards_missing", "the cards on the table must be known")
        draft.emit(TableDealt, seat=seat, open=share[closed : 2 * closed], size=closed, closed=share[:closed])
