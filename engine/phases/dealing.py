"""Phase `dealing`: a deck becomes hands, in packets of three, forehand first."""

from collections.abc import Callable, Sequence
from functools import cache
from operator import itemgetter
from typing import Any, Final, NamedTuple, cast

from engine.cards import ALL, DECK, INDEX, Card, mask
from engine.commands import Deal
from engine.draft import Draft
from engine.errors import IllegalCommand
from engine.events import DealStarted, Event, ExtraDealt, HandDealt, TableDealt, TalonDealt, TrumpTurned
from engine.ledger import evolve
from engine.rules import Phase, Turn
from engine.state import State

PACKET: Final = 3
_WHOLE: Final = frozenset(DECK)
_IN_DECK_ORDER: Final = INDEX.__getitem__
_TURN: Final = Turn(None, "dealing", ("deal",))
Deck = Sequence[Card | None]
UNKNOWN_DECK: Final[Deck] = (None,) * 36
UNNAMED: Final = Deal()


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
    """Who deals first: named, of the side that won before, the seat before the marked card's holder, or the
    last."""
    named = command.dealer
    if named is not None and named >= state.seats:
        raise IllegalCommand("deal/no_such_seat", f"there is no seat {named}", dealer=named)
    if state.won_before is not None:
        sides = state.rules.variant.sides(state)
        own = [seat for seat in range(state.seats) if sides[seat] == state.won_before] or range(state.seats)
        if named is not None and named not in own:
            raise IllegalCommand("deal/wrong_dealer", "a player of the side that won deals", dealer=named)
        return own[0] if named is None else named
    if marker is None:
        return state.seats - 1 if named is None else named
    holder = next((seat for seat, hand in enumerate(hands) if marker in hand), None)
    if holder is None:
        return state.seats - 1 if named is None else named
    dealer = (holder - 1) % state.seats
    if named is not None:
        raise IllegalCommand(
            "deal/wrong_dealer", f"the holder of {marker} is forehand", dealer=named, marker=marker
        )
    return dealer


class Dealt(NamedTuple):
    """What is on the table when the cards have been given out: `shares` by seat in the order dealt, `rest` is
    left."""

    dealer: int
    shares: list[list[Card | None]]
    rest: Deck
    cut: Card | None


def whole_deck(state: State) -> int:
    """All cards are dealt, to each seat as many."""
    return 36 // state.seats


def _nobody(dealer: int, seat: int) -> bool:
    return False


def _nothing(draft: Draft, dealt: Dealt) -> None:
    """The game lays nothing out."""


def _next_dealer(state: State, command: Deal, again: bool) -> int:
    if command.dealer is not None:
        raise IllegalCommand(
            "deal/wrong_dealer", "a dealer is named in the first deal only", dealer=command.dealer
        )
    last = state.dealer or 0
    return last if again or state.annulled else (last + 1) % state.seats


def dealing(
    share: Callable[[State], int] = whole_deck,
    *,
    hand: slice = slice(None),
    waits: Callable[[int, int], bool] = _nobody,
    lay_out: Callable[[Draft, Dealt], None] = _nothing,
    again: Callable[[State], bool] = lambda state: False,
) -> Phase:
    """The phase. `share` cards for each seat, of which `hand` are taken up; `waits(dealer, seat)` says whose
    hand lies face down; `lay_out` adds what the game lays out after the hands; `again` says whether the last
    dealer deals once more."""

    def deal(state: State, command: Deal) -> list[Event]:
        cuts = state.rules.cuts
        if (command.cut is not None) != cuts:
            raise IllegalCommand(
                "deal/cut_missing" if cuts else "deal/no_cut",
                "a card is cut where the game says so, only there",
            )
        deck, size, seats = check_deck(state, command.deck), share(state), state.seats
        marked = None
        if state.dealer is None:
            shares, rest = hands_of(deck, seats, size, 0)
            marked = state.rules.marker if state.won_before is None else None
            dealer = first_dealer(state, command, marked, shares)
        else:
            dealer = _next_dealer(state, command, again(state))
        if marked is None:
            shares, rest = hands_of(deck, seats, size, (dealer + 1) % seats)
        draft = Draft(state)
        seq, dealt = state.seq, state.mode == "dealt"
        draft.take(DealStarted(seq=seq, deal=state.deal + 1, dealer=dealer))
        for turn in range(1, seats + 1):
            seat = (dealer + turn) % seats
            cards = shares[seat][hand]
            known = cards if dealt else [card for card in cards if card is not None]
            event = HandDealt(
                seq=seq + turn,
                seat=seat,
                size=len(cards),
                cards=cast("list[Card]", sorted(known, key=_IN_DECK_ORDER)),
                face_down=dealt and waits(dealer, seat),
            )
            draft.events.append(event)
        lay_out(draft, Dealt(dealer, shares, rest, command.cut))
        return draft.events

    def follow(state: State, log: Sequence[Any], at: int) -> int:
        """Follow a deal that gives out the whole deck, hand by hand in deck order."""
        seats, size, started = state.seats, share(state), log[at]
        end = at + seats + 1
        if state.dealer is None or lay_out is not _nothing or state.mode != "dealt" or end > len(log):
            return 0
        dealer = _next_dealer(state, UNNAMED, again(state))
        if started != DealStarted(seq=state.seq, deal=state.deal + 1, dealer=dealer):
            return 0
        seen = 0
        for turn, event in enumerate(log[at + 1 : end], 1):
            seat = (dealer + turn) % seats
            if type(event) is not HandDealt or event.seat != seat or event.seq != state.seq + turn:
                return 0
            cards = event.cards or ()
            numbers = [INDEX[card] for card in cards]
            if not event.size == len(cards) == size or event.face_down != waits(dealer, seat):
                return 0
            if numbers != sorted(numbers):
                return 0
            for number in numbers:
                seen |= 1 << number
        if seen != ALL or state.rules.cuts:
            return 0
        for event in log[at:end]:
            evolve(state, event)
        return seats + 1

    return Phase("dealing", lambda state: not state.dealing, lambda state: _TURN, {Deal: deal}, follow=follow)


def deal_of(state: State, laid_out: Sequence[Any]) -> Deal:
    """A command that deals what was laid out: the way back from the events of a deal. Cards that were left
    over are in deck order, because nobody saw them."""
    dealer: int = laid_out[0].dealer
    tables, hands, extras = ([_unknown(0)] * state.seats for _ in range(3))
    left: list[Card | None] = []
    turned: TrumpTurned | None = None
    for event in laid_out:
        if isinstance(event, TrumpTurned):
            turned = event
        elif isinstance(event, TalonDealt):
            left += [*event.open, *(event.closed or _unknown(event.size))]
        elif isinstance(event, HandDealt) and event.seat < state.seats:
            cards = list(event.cards or ())
            hands[event.seat] = [*cards, *_unknown(event.size - len(cards))]
        elif isinstance(event, TableDealt) and event.seat < state.seats:
            tables[event.seat] = [*(event.closed or _unknown(event.size)), *event.open]
        elif isinstance(event, ExtraDealt) and event.seat < state.seats:
            extras[event.seat] = list(event.cards or _unknown(event.size))
    if turned is not None and turned.seat is not None and turned.card in hands[turned.seat % state.seats]:
        hands[turned.seat % state.seats].remove(turned.card)
        hands[turned.seat % state.seats].append(turned.card)
    shares = [table + hand + extra for table, hand, extra in zip(tables, hands, extras, strict=True)]
    marked = state.dealer is None and state.won_before is None and state.rules.marker is not None
    deck = deck_from_hands(shares, 0 if marked else (dealer + 1) % state.seats) + left
    cut = None
    if turned is not None and turned.seat is None:
        if turned.card in deck or None in deck:
            cut = turned.card
        else:
            deck.append(turned.card)
    if len(deck) < 36 and None not in deck:
        deck += [card for card in DECK if card not in deck]
    named = dealer if state.dealer is None and not marked else None
    return Deal(deck=deck[:36] + _unknown(36 - len(deck)), dealer=named, cut=cut)


def _unknown(count: int) -> list[Card | None]:
    return [None] * count


def deck_from_hands(hands: Sequence[Sequence[Card | None]], first: int) -> list[Card | None]:
    """A deck that gives these hands when it is dealt to `first` first."""
    deck: list[Card | None] = []
    for packet in range(0, max(map(len, hands)), PACKET):
        for turn in range(len(hands)):
            deck += hands[(first + turn) % len(hands)][packet : packet + PACKET]
    return deck
