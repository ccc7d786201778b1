"""Phase `dealing`: a deck becomes hands, in packets of three, forehand first."""

from collections.abc import Callable, Sequence
from functools import cache
from operator import itemgetter
from typing import Any, Final, cast

from engine.cards import DECK, INDEX, Card, mask
from engine.commands import Deal
from engine.draft import Draft
from engine.errors import IllegalCommand
from engine.events import DealStarted, Event, HandDealt
from engine.rules import Phase, Turn
from engine.state import State

PACKET: Final = 3
_WHOLE: Final = frozenset(DECK)
_TURN: Final = Turn(None, "dealing", ("deal",))
Deck = Sequence[Card | None]
UNKNOWN_DECK: Final[Deck] = (None,) * 36


@cache
def _positions(seats: int, size: int, first: int) -> "tuple[itemgetter[Any], ...]":
    """Where in the deck the cards of each seat lie, dealt to `first` first."""
    hands: list[list[int]] = [[] for _ in range(seats)]
    at = 0
    while any(len(hand) < size for hand in hands):
        for turn in range(seats):
            hand = hands[(first + turn) % seats]
            packet = min(PACKET, size - len(hand))
            hand.extend(range(at, at + packet))
            at += packet
    return tuple(itemgetter(*hand) for hand in hands)


def hands_of(deck: Deck, seats: int, size: int, first: int) -> tuple[list[list[Card | None]], Deck]:
    """Deal packets from the front of a deck, to `first` first: hands by seat, and the rest of the deck."""
    positions = _positions(seats, size, first)
    return [list(pick(deck)) for pick in positions], deck[seats * size :]


def check_deck(state: State, deck: Deck | None) -> Deck:
    """The deck to deal; unknown cards only in a transcribed game."""
    partial = state.mode == "transcribed"
    if deck is None:
        if not partial:
            raise IllegalCommand("deal/deck_missing", "a dealt game needs a deck of 36 cards")
        return UNKNOWN_DECK
    if len(deck) == 36 and set(deck) == _WHOLE:
        return deck
    if not partial or len(deck) != 36 or mask(deck).bit_count() != 36 - deck.count(None):
        raise IllegalCommand("deal/wrong_deck", "a deck is all 36 cards, each once")
    return deck


def first_dealer(state: State, command: Deal, marker: str | None, hands: list[list[Card | None]]) -> int:
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
        draft.take(DealStarted(seq=draft.seq, deal=state.deal + 1, dealer=dealer))
        for turn in range(1, state.seats + 1):
            seat = (dealer + turn) % state.seats
            known = (
                hands[seat] if state.mode == "dealt" else [card for card in hands[seat] if card is not None]
            )
            hand = HandDealt(
                seq=draft.seq,
                seat=seat,
                size=size,
                cards=cast("list[Card]", sorted(known, key=INDEX.__getitem__)),
                face_down=state.mode == "dealt" and waits(dealer, seat),
            )
            draft.take(hand)
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
    return deck_from_hands(hands, 0 if marked else (dealer + 1) % state.seats)


def deck_from_hands(hands: Sequence[Sequence[Card | None]], first: int) -> list[Card | None]:
    """A deck that gives these hands when it is dealt to `first` first."""
    deck: list[Card | None] = []
    for packet in range(0, max(map(len, hands)), PACKET):
        for turn in range(len(hands)):
            deck += hands[(first + turn) % len(hands)][packet : packet + PACKET]
    return deck
