"""Phase `dealing`: a deck becomes hands, in packets of three, forehand first."""

from collections.abc import Callable, Sequence
from typing import Final

from ..cards import Card, codes, mask
from ..commands import Deal
from ..draft import Draft
from ..errors import IllegalCommand
from ..events import DealStarted, Event, HandDealt
from ..rules import Phase, Turn
from ..state import State

PACKET: Final = 3
_TURN: Final = Turn(None, "dealing", ("deal",))
Deck = Sequence[str | None]
UNKNOWN_DECK: Final[Deck] = (None,) * 36


def hands_of(deck: Deck, seats: int, size: int, first: int) -> tuple[list[list[str | None]], Deck]:
    """Deal packets from the front of a deck, to `first` first: hands by seat, and the rest of the deck."""
    hands: list[list[str | None]] = [[] for _ in range(seats)]
    at = 0
    while any(len(hand) < size for hand in hands):
        for turn in range(seats):
            hand = hands[(first + turn) % seats]
            packet = min(PACKET, size - len(hand))
            hand.extend(deck[at : at + packet])
            at += packet
    return hands, deck[at:]


def check_deck(state: State, deck: Deck | None) -> Deck:
    """The deck to deal; unknown cards only in a transcribed game."""
    partial = state.mode == "transcribed"
    if deck is None:
        if not partial:
            raise IllegalCommand("deal/deck_missing", "a dealt game needs a deck of 36 cards")
        return UNKNOWN_DECK
    known = [card for card in deck if card is not None]
    if len(deck) != 36 or len(set(known)) != len(known) or (len(known) < 36 and not partial):
        raise IllegalCommand("deal/wrong_deck", "a deck is all 36 cards, each once")
    return deck


def first_dealer(state: State, command: Deal, marker: str | None, hands: list[list[str | None]]) -> int:
    """Who deals first: named, of the side that won before, the seat before the marked card's holder, or the last."""
    named = command.dealer
    if named is not None and named >= state.seats:
        raise IllegalCommand("deal/no_such_seat", f"there is no seat {named}", dealer=named)
    if state.won_before is not None:
        sides = state.rules.variant.sides(state)
        own = [seat for seat in range(state.seats) if sides[seat] == state.won_before]
        if named is not None and named not in own:
            raise IllegalCommand("deal/wrong_dealer", "a player of the side that won deals", dealer=named)
        return own[0] if named is None else named
    if marker is None:
        return state.seats - 1 if named is None else named
    holder = next((seat for seat, hand in enumerate(hands) if marker in hand), None)
    if holder is None:
        return state.seats - 1 if named is None else named
    dealer = (holder - 1) % state.seats
    if named is not None and named != dealer:
        raise IllegalCommand(
            "deal/wrong_dealer", f"the holder of {marker} is forehand", dealer=named, marker=marker
        )
    return dealer


def dealing(
    size: int,
    waits: Callable[[int, int], bool] = lambda dealer, seat: False,
    lay_out: Callable[[Draft, Deck], None] = lambda draft, rest: None,
) -> Phase:
    """The phase. `size` cards each; `waits(dealer, seat)` says
    whose hand lies face down; `lay_out(draft, rest)` does what the game lays out after the hands."""

    def deal(state: State, command: Deal) -> list[Event]:
        if command.cut is not None:
            raise IllegalCommand("deal/no_cut", "no card is cut in this game")
        deck = check_deck(state, command.deck)
        if state.dealer is None:
            hands, rest = hands_of(deck, state.seats, size, 0)
            marked = state.rules.marker if state.won_before is None else None
            dealer = first_dealer(state, command, marked, hands)
            if marked is None:
                hands, rest = hands_of(deck, state.seats, size, (dealer + 1) % state.seats)
        else:
            dealer = state.dealer if state.annulled else (state.dealer + 1) % state.seats
            if command.dealer is not None and command.dealer != dealer:
                raise IllegalCommand(
                    "deal/wrong_dealer", f"it is seat {dealer} that deals", dealer=command.dealer
                )
            hands, rest = hands_of(deck, state.seats, size, (dealer + 1) % state.seats)
        draft = Draft(state)
        draft.emit(DealStarted, deal=state.deal + 1, dealer=dealer)
        for turn in range(1, state.seats + 1):
            seat = (dealer + turn) % state.seats
            draft.emit(
                HandDealt,
                seat=seat,
                size=size,
                cards=codes(mask(hands[seat])),
                face_down=state.mode == "dealt" and waits(dealer, seat),
            )
        lay_out(draft, rest)
        return draft.events

    return Phase("dealing", lambda state: not state.dealing, lambda state: _TURN, {Deal: deal})


def deck_of(state: State, dealer: int, laid_out: Sequence[Event]) -> list[Card | None]:
    """A deck that deals what was laid out: the way back from the events of a deal to its command."""
    hands: list[list[Card | None]] = [[] for _ in range(state.seats)]
    for event in laid_out:
        if isinstance(event, HandDealt) and event.seat < state.seats:
            cards: list[Card | None] = list(event.cards or ())
            hands[event.seat] = cards + [None] * (event.size - len(cards))
    marked = state.dealer is None and state.won_before is None and state.rules.marker is not None
    at = 0 if marked else (dealer + 1) % state.seats
    deck: list[Card | None] = []
    longest = max(len(hand) for hand in hands)
    for packet in range(0, longest, PACKET):
        for turn in range(state.seats):
            deck += hands[(at + turn) % state.seats][packet : packet + PACKET]
    return deck
