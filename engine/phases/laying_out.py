"""Layouts: the cards that a game lays out with the deal. They are a card that names the contract, a talon,
extra cards, or table cards.
"""

from collections.abc import Mapping, Sequence
from typing import Final, Literal

from engine.cards import BIT, DECK, INDEX, RANK_OF, RANKS, SUIT_NAMES, SUIT_OF, Card
from engine.contracts import CONTRACTS, Contract
from engine.events import ContractSet, Event, ExtraDealt, TableCardTurned, TableDealt, TalonDealt, TrumpTurned
from engine.ledger.state import Trick
from engine.phases.dealing import Dealt, Followed, LayOut, Positions, Recorded
from engine.rules import Draft, FromDeck, GameContext

Rank = Literal["6", "7", "8", "9", "10", "J", "Q", "K", "A"]
TurnedContracts = dict[Rank, Literal["obenabe", "undenufe"]]
Turned = Mapping[Rank, Contract]
"""Contracts of turned cards by rank, for ranks that do not make the card's suit trumps."""

OPEN_TALON: Final = 3
WHOLE_TALON: Final = 6


def get_turned_contract(card: Card, turned: Turned) -> Contract:
    """Return the contract that a turned card names."""
    number = INDEX[card]
    return turned.get(RANKS[RANK_OF[number]], SUIT_NAMES[SUIT_OF[number]])


def _emit_turned(draft: Draft, card: Card | None, seat: int | None, turned: Turned) -> None:
    """Emit the turned card and the contract that it names. In a transcript the card may be unknown; then
    nothing is emitted, and a command sets the contract.
    """
    if card is not None:
        for event in _turned_events(draft.seq, card, seat, turned):
            draft.emit(event)


def _turned_events(seq: int, card: Card, seat: int | None, turned: Turned) -> list[Event]:
    return [
        TrumpTurned(seq=seq, card=card, seat=seat),
        ContractSet(seq=seq + 1, contract=get_turned_contract(card, turned)),
    ]


def _match_turned(events: Sequence[Event], seat: int | None, turned: Turned) -> Card | None:
    """Return the turned card if the events begin with it and its contract; else None."""
    first = events[0] if events else None
    if type(first) is not TrumpTurned or events[:2] != _turned_events(first.seq, first.card, seat, turned):
        return None
    return first.card


def contracts_by_card(turned: Turned) -> tuple[Contract, ...]:
    """Return the contracts that turned cards may name."""
    named = {get_turned_contract(card, turned) for card in DECK}
    return tuple(contract for contract in CONTRACTS if contract in named)


def last_card(turned: Turned) -> LayOut:
    """Return the layout of a game that turns the dealer's last card; the card stays in the dealer's hand."""

    def follow(recorded: Recorded) -> Followed | None:
        dealer = recorded.dealer
        card = _match_turned(recorded.beside, dealer, turned)
        return None if card is None or not recorded.hands[dealer] & BIT[card] else Followed(2)

    return LayOut(
        lambda draft, dealt: _emit_turned(draft, dealt.shares[dealt.dealer][-1], dealt.dealer, turned),
        follow,
        lambda shares: [FromDeck("turned", None, shares[-1][-1:])],
        contracts_by_card(turned),
    )


def cut_card(turned: Turned) -> LayOut:
    """Return the layout of a game in which a card is cut and shown, and then shuffled in again."""

    def follow(recorded: Recorded) -> Followed | None:
        return None if _match_turned(recorded.beside, None, turned) is None else Followed(2)

    return LayOut(
        lambda draft, dealt: _emit_turned(draft, dealt.cut, None, turned),
        follow,
        contracts=contracts_by_card(turned),
        cuts=True,
    )


def _drop_unknown(cards: list[Card | None]) -> list[Card]:
    return [card for card in cards if card is not None]


def talon_or(otherwise: LayOut) -> LayOut:
    """Return the layout with a talon of three open and three closed cards in deals that leave cards over, and
    the layout `otherwise` in other deals.
    """

    def lay(draft: Draft, dealt: Dealt) -> None:
        cards = list(dealt.rest[:WHOLE_TALON])
        if not cards:
            otherwise.lay(draft, dealt)
            return
        draft.emit(
            TalonDealt(
                seq=draft.seq,
                open=cards[:OPEN_TALON],
                size=WHOLE_TALON - OPEN_TALON,
                closed=_drop_unknown(cards[OPEN_TALON:]),
            )
        )

    def follow(recorded: Recorded) -> Followed | None:
        if recorded.size * len(recorded.in_turn) == len(DECK):
            return otherwise.follow(recorded)
        talon = recorded.beside[0] if recorded.beside else None
        if type(talon) is not TalonDealt or len(talon.open) != OPEN_TALON or talon.closed is None:
            return None
        if not talon.size == len(talon.closed) == WHOLE_TALON - OPEN_TALON:
            return None
        return Followed(1, [*talon.open, *talon.closed])

    def places(shares: Sequence[Positions]) -> list[FromDeck]:
        dealt = sum(map(len, shares))
        if dealt == len(DECK):
            return otherwise.places(shares)
        return [FromDeck("talon", None, tuple(range(dealt, dealt + OPEN_TALON)))]

    return LayOut(lay, follow, places, otherwise.contracts)


def extra_cards(hand: int) -> LayOut:
    """Return the layout of a game in which the cards of a seat beyond the first `hand` lie face down, and the
    top card of the stock is turned.
    """

    def lay(draft: Draft, dealt: Dealt) -> None:
        for seat in dealt.in_turn:
            extra = list(dealt.shares[seat][hand:])
            draft.emit(ExtraDealt(seq=draft.seq, seat=seat, size=len(extra), cards=_drop_unknown(extra)))
        _emit_turned(draft, dealt.rest[0], None, {})

    def follow(recorded: Recorded) -> Followed | None:
        cards: list[Card | None] = []
        size, seats = recorded.size - hand, len(recorded.in_turn)
        for seat, extra in zip(recorded.in_turn, recorded.beside, strict=False):
            if type(extra) is not ExtraDealt or extra.seat != seat or extra.cards is None:
                return None
            if not extra.size == len(extra.cards) == size:
                return None
            cards += extra.cards
        turned = _match_turned(recorded.beside[seats:], None, {})
        return None if turned is None else Followed(seats + 2, [*cards, turned])

    def places(shares: Sequence[Positions]) -> list[FromDeck]:
        beyond = [FromDeck("extra", turn, at[hand:]) for turn, at in enumerate(shares)]
        return [*beyond, FromDeck("turned", None, (sum(map(len, shares)),))]

    return LayOut(lay, follow, places, contracts_by_card({}))


def table_cards(row: int) -> LayOut:
    """Return the layout with a row of `row` closed cards in front of each seat, each covered by an open
    card.
    """

    def lay(draft: Draft, dealt: Dealt) -> None:
        for seat in dealt.in_turn:
            share = list(dealt.shares[seat])
            draft.emit(
                TableDealt(seq=draft.seq, seat=seat, open=share[row : 2 * row], size=row, closed=share[:row])
            )

    def follow(recorded: Recorded) -> Followed | None:
        cards: list[Card | None] = []
        seats = len(recorded.in_turn)
        for seat, laid in zip(recorded.in_turn, recorded.beside, strict=False):
            if type(laid) is not TableDealt or laid.seat != seat or laid.closed is None:
                return None
            if not laid.size == len(laid.closed) == len(laid.open) == row:
                return None
            cards += laid.closed + laid.open
        return Followed(seats, cards) if len(cards) == 2 * row * seats else None

    def places(shares: Sequence[Positions]) -> list[FromDeck]:
        return [
            place
            for turn, at in enumerate(shares)
            for place in (FromDeck("table", turn, at[row : 2 * row]), FromDeck("closed", turn, at[:row]))
        ]

    return LayOut(lay, follow, places, after_trick=_turn_uncovered)


def _turn_uncovered(context: GameContext, trick: Trick, seq: int) -> list[Event]:
    """Return the events that turn the closed cards which a trick has uncovered."""
    turned: list[Event] = []
    for seat, card in sorted(zip(trick.seats, trick.cards, strict=True)):
        for up, closed in context.state.variant_state.table[seat]:
            if up == card and closed is not None and up >= 0 and closed >= 0:
                turned.append(TableCardTurned(seq=seq + len(turned), seat=seat, card=DECK[closed]))
    return turned
