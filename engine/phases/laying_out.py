"""What a game lays out when the hands are dealt: a card that names the contract, a talon, extra cards, table
cards."""

from collections.abc import Mapping, Sequence
from typing import Final, Literal

from engine.cards import DECK, INDEX, RANK_OF, RANKS, SUIT_NAMES, SUIT_OF, Card
from engine.contracts import Contract
from engine.events import ContractSet, Event, ExtraDealt, TableCardTurned, TableDealt, TalonDealt, TrumpTurned
from engine.ledger.evolve import bare_places
from engine.ledger.state import State
from engine.phases.dealing import Dealt, LayOut
from engine.rules import IN_TURN, Draft, Table

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
    """A transcript may not know the card; then the contract is said for itself."""
    if card is None:
        return
    draft.emit(TrumpTurned, card=card, seat=seat)
    draft.emit(ContractSet, contract=contract_of(card, turned))


def last_card(turned: Turned) -> LayOut:
    """The dealer shows his last card, which stays in his hand."""
    return LayOut(lambda draft, dealt: _turn(draft, dealt.shares[dealt.dealer][-1], dealt.dealer, turned))


def cut_card(turned: Turned) -> LayOut:
    """The card that was cut before the cards were shuffled again."""
    return LayOut(lambda draft, dealt: _turn(draft, dealt.cut, None, turned), cuts=True)


def _seats(state: State, dealt: Dealt) -> Sequence[int]:
    return IN_TURN[state.seats][(dealt.dealer + 1) % state.seats]


def _known(cards: list[Card | None]) -> list[Card]:
    return [card for card in cards if card is not None]


def talon_or(otherwise: LayOut) -> LayOut:
    """Three open and three closed cards, where the hands leave some over."""

    def lay(draft: Draft, dealt: Dealt) -> None:
        cards = list(dealt.rest[:WHOLE_TALON])
        if not cards:
            otherwise.lay(draft, dealt)
            return
        draft.emit(
            TalonDealt,
            open=cards[:OPEN_TALON],
            size=WHOLE_TALON - OPEN_TALON,
            closed=_known(cards[OPEN_TALON:]),
        )

    return LayOut(lay)


def extra_cards(hand: int) -> LayOut:
    """The cards of a share beyond the hand lie face down; the next one is turned on top of the stock."""

    def lay(draft: Draft, dealt: Dealt) -> None:
        for seat in _seats(draft.state, dealt):
            extra = list(dealt.shares[seat][hand:])
            draft.emit(ExtraDealt, seat=seat, size=len(extra), cards=_known(extra))
        _turn(draft, dealt.rest[0], None, {})

    return LayOut(lay)


def table_cards(row: int) -> LayOut:
    """A row of closed cards before each seat, and as many open ones on top of them, which bare them."""

    def lay(draft: Draft, dealt: Dealt) -> None:
        for seat in _seats(draft.state, dealt):
            share = list(dealt.shares[seat])
            draft.emit(TableDealt, seat=seat, open=share[row : 2 * row], size=row, closed=share[:row])

    return LayOut(lay, after_trick=_turn_bare)


def _turn_bare(table: Table, seq: int) -> list[Event]:
    """Closed cards that have been laid bare are turned."""
    state = table.state
    turned: list[Event] = []
    for seat in range(state.seats):
        for at in bare_places(state, seat):
            closed = state.extras.table[seat][at].closed
            if closed is not None and closed >= 0:
                turned.append(TableCardTurned(seq=seq + len(turned), seat=seat, card=DECK[closed]))
    return turned
