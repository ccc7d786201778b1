"""Phase `dealing`: a deck is dealt to hands in packets of three, forehand first."""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import chain
from operator import itemgetter
from typing import Final, NamedTuple

from engine.cards import BIT, DECK, INDEX, Card, mask
from engine.commands import Deal
from engine.errors import IllegalCommand
from engine.events import DealStarted, Event, ExtraDealt, HandDealt, TableDealt, TalonDealt, TrumpTurned
from engine.infractions.faults import Faults, with_faults
from engine.ledger.evolve import evolve, replay, take_hand
from engine.ledger.state import State
from engine.phases.first_dealer import find_first_dealer
from engine.rules import IN_TURN, AfterTrick, Draft, FromDeck, GameContext, Phase, Turn, on
from engine.scoring.ruling_effects import is_annulled

PACKET: Final = 3
MAX_LAID_OUT: Final = 6
"""Upper bound of the number of events that lay out cards after the hands."""
_WHOLE: Final = frozenset(DECK)
_IN_DECK_ORDER: Final = INDEX.__getitem__
_TURN: Final = Turn(None, "dealing", ("deal",))
Deck = Sequence[Card | None]
Hand = tuple[Card | None, ...]
Positions = tuple[int, ...]
"""Positions in the deck, from 0."""
UNKNOWN_DECK: Final[Deck] = (None,) * 36
UNNAMED: Final = Deal()


@cache
def _positions(seats: int, size: int, first: int) -> tuple[Positions, ...]:
    """Return the deck positions of each seat's cards, by seat. Seat `first` gets the first packet."""
    hands: list[list[int]] = [[] for _ in range(seats)]
    at = 0
    while any(len(hand) < size for hand in hands):
        for turn in range(seats):
            hand = hands[(first + turn) % seats]
            packet = min(PACKET, size - len(hand))
            hand.extend(range(at, at + packet))
            at += packet
    return tuple(map(tuple, hands))


@cache
def _hand_getters(seats: int, size: int, first: int) -> tuple[Callable[[Deck], Hand], ...]:
    """Return a function per seat that takes this seat's cards from a deck."""
    return tuple(itemgetter(*at) for at in _positions(seats, size, first))


def split_hands(deck: Deck, seats: int, size: int, first: int) -> tuple[list[Hand], Deck]:
    """Deal packets from the front of a deck, to seat `first` first. Return the hands by seat, and the rest of
    the deck.
    """
    return [pick(deck) for pick in _hand_getters(seats, size, first)], deck[seats * size :]


def check_deck(state: State, deck: Deck | None) -> Deck:
    """Return the deck to deal. Raises IllegalCommand unless it has all 36 cards; in a transcribed game cards
    or the whole deck may be unknown.
    """
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


class Dealt(NamedTuple):
    """The cards of a deal.

    `shares`: the cards of each seat, by seat number, in the order dealt. `in_turn`: the seats in the order in
    which they are dealt to. `rest`: the cards that are not dealt.
    """

    dealer: int
    in_turn: Sequence[int]
    shares: list[Hand]
    rest: Deck
    cut: Card | None


class Recorded(NamedTuple):
    """A deal as recorded in a log.

    `beside`: events after the hands. `size`: number of cards that each seat gets. `hands`: masks by seat
    number.
    """

    beside: Sequence[Event]
    dealer: int
    in_turn: Sequence[int]
    size: int
    hands: Sequence[int]


class Followed(NamedTuple):
    """The number of events that were recognized, and the cards that they place outside the hands."""

    events: int
    cards: Sequence[Card | None] = ()


class LayOut(NamedTuple):
    """The cards that a game lays out after the hands.

    - `lay` emits the events that lay them out.
    - `follow` recognizes these events in a log. It returns None unless `lay` would plainly emit them for some
      deck.
    - `places` returns the slices of the deck that are laid out, given the positions of each share in the
      order of play.
    - `contracts`: contracts that one of these cards may name.
    - `cuts`: a card is cut before the deal.
    - `after_trick`: returns events after a trick, such as turned table cards.
    """

    lay: Callable[[Draft, Dealt], None]
    follow: Callable[[Recorded], Followed | None]
    places: Callable[[Sequence[Positions]], list[FromDeck]] = lambda shares: []
    contracts: tuple[str, ...] = ()
    cuts: bool = False
    after_trick: AfterTrick | None = None


NOTHING: Final = LayOut(lambda draft, dealt: None, lambda recorded: Followed(0))


def _next_dealer(
    context: GameContext, command: Deal, again: bool, faults: Faults | None = None
) -> tuple[int, int]:
    """Return the next dealer, and the seat whose turn to deal it was. `again`: the last dealer deals once
    more.

    In a transcript another seat may have dealt. The two seats then exchange their turns, so that each still
    deals as often as the others.
    """
    state = context.state
    last = (state.dealer or 0) if state.place is None else state.place
    counted_not = state.annulled or (state.rulings and is_annulled(state, state.deal))
    place = last if again or counted_not else (last + 1) % state.seats
    due = _outstanding_exchanges(state).get(place, place)
    named = command.dealer
    if named is None or faults is None:
        return due, place
    what = "a dealer is named in the first deal only"
    if named != due or state.mode == "dealt":
        faults.add(IllegalCommand("deal/wrong_dealer", what, dealer=named), "wrong_dealer")
    if named >= state.seats:
        raise IllegalCommand("deal/no_such_seat", f"there is no seat {named}", dealer=named)
    return named, place


def _outstanding_exchanges(state: State) -> dict[int, int]:
    """Return the exchanges of turns to deal that are not made up for yet: the seat whose turn it is → the
    seat that deals. Annulled deals exchange nothing.
    """
    owed: dict[int, int] = {}
    for record in state.records:
        if record.place is None or record.dealer is None or is_annulled(state, record.deal):
            continue
        if owed.get(record.place) == record.dealer:
            del owed[record.place]
        else:
            owed[record.dealer] = record.place
    return owed


def dealing(
    share: int | None = None,
    *,
    first_share: int | None = None,
    hand: slice = slice(None),
    waits: bool = False,
    lay_out: LayOut = NOTHING,
    again: Callable[[State], bool] = lambda state: False,
) -> Phase:
    """Return the phase.

    Each seat gets `share` cards (None: an equal part of the deck), or `first_share` as long as no auction was
    won. The slice `hand` of these cards is the hand. With `waits` the hand of forehand's partner lies face
    down in a dealt game. `lay_out`: the cards laid out after the hands. `again`: whether the last dealer
    deals once more.
    """

    def share_size(seats: int, declared: bool) -> int:
        if first_share is not None and not declared:
            return first_share
        return 36 // seats if share is None else share

    def size_now(state: State) -> int:
        won_now = state.annulled and state.won_in == state.deal  # an annulled auction does not count
        return share_size(state.seats, state.declarer is not None and not won_now)

    def places(seats: int, declared: bool) -> list[FromDeck]:
        shares = _positions(seats, share_size(seats, declared), 0)
        in_hand = [FromDeck("hand", turn, at[hand]) for turn, at in enumerate(shares)]
        return in_hand + lay_out.places(shares)

    def deal(context: GameContext, command: Deal) -> list[Event]:
        state = context.state
        cuts = context.rules.cuts
        if not (cuts and state.mode == "transcribed") and (command.cut is not None) != cuts:
            raise IllegalCommand(
                "deal/cut_missing" if cuts else "deal/no_cut",
                "a card is cut where the game says so, only there",
            )
        faults = Faults(state)
        deck, size, seats = check_deck(state, command.deck), size_now(state), state.seats
        marked = None
        if state.dealer is None:
            shares, rest = split_hands(deck, seats, size, 0)
            marked = context.rules.marker if state.won_before is None else None
            dealer, place = find_first_dealer(context, command, marked, shares, faults)
        else:
            dealer, place = _next_dealer(context, command, again(state), faults)
        if marked is None:
            shares, rest = split_hands(deck, seats, size, (dealer + 1) % seats)
        draft = Draft(context)
        seq, dealt = state.seq, state.mode == "dealt"
        apart = None if place == dealer else place
        draft.emit(DealStarted(seq=seq, deal=state.deal + 1, dealer=dealer, place=apart))
        in_turn = IN_TURN[seats][(dealer + 1) % seats]
        for turn, seat in enumerate(in_turn, 1):
            cards = shares[seat][hand]
            event = HandDealt(
                seq=seq + turn,
                seat=seat,
                size=len(cards),
                cards=sorted(filter(None, cards), key=_IN_DECK_ORDER),
                face_down=dealt and waits and turn == 3,
            )
            draft.events.append(event)
        lay_out.lay(draft, Dealt(dealer, in_turn, shares, rest, command.cut))
        faults.seat = dealer
        return with_faults(faults, draft)

    def audit_run(context: GameContext, log: Sequence[Event], at: int) -> int:
        """Fold a deal from a log if its cards are distinct, its hands are in deck order and its layout is
        plain. Return the number of its events, else 0.
        """
        state = context.state
        seats, size, started = state.seats, size_now(state), log[at]
        end, first = at + seats + 1, state.dealer is None
        if type(started) is not DealStarted or state.mode != "dealt" or end > len(log):
            return 0
        dealer = started.dealer if first else _next_dealer(context, UNNAMED, again(state))[0]
        if started != DealStarted(seq=state.seq, deal=state.deal + 1, dealer=dealer):
            return 0
        if first and (state.won_before is not None or dealer not in range(seats)):
            return 0
        in_turn, in_hand = IN_TURN[seats][(dealer + 1) % seats], len(range(size)[hand])
        hands, waiting, dealt = [0] * seats, None, 0
        for place, seat in enumerate(in_turn, at + 1):
            event = log[place]
            if type(event) is not HandDealt or event.seat != seat or event.seq != place:
                return 0
            cards = event.cards or ()
            if not event.size == len(cards) == in_hand or event.face_down != (waits and place == at + 3):
                return 0
            highest = bits = 0
            for card in cards:
                bit = BIT[card]
                if bit <= highest:
                    return 0
                highest = bit
                bits |= bit
            dealt |= bits
            hands[seat] = bits
            if event.face_down:
                waiting = seat
        if first and context.rules.marker and not hands[in_turn[0]] & BIT[context.rules.marker]:
            return 0
        recorded = Recorded(log[end : end + MAX_LAID_OUT], dealer, in_turn, size, hands)
        found = lay_out.follow(recorded)
        if found is None or (dealt | mask(found.cards)).bit_count() != seats * in_hand + len(found.cards):
            return 0
        if any(event.seq != place for place, event in enumerate(recorded.beside[: found.events], end)):
            return 0
        evolve(state, started)
        for seat in in_turn:
            take_hand(state, seat, in_hand, hands[seat], seat == waiting)
        state.seq = end
        replay(recorded.beside[: found.events], state)
        return seats + 1 + found.events

    return Phase(
        "dealing",
        lambda context: not context.state.dealing,
        lambda context: _TURN,
        on(Deal, deal),
        audit_run=audit_run,
        card_contracts=lay_out.contracts,
        places=places,
        cuts=lay_out.cuts,
        after_trick=lay_out.after_trick,
    )


def rebuild_deal(context: GameContext, begun: DealStarted, laid_out: Sequence[Event]) -> Deal:
    """Return the command that deals the cards of these events.

    Cards that were not dealt are unknown in a transcript; in a dealt game they follow in deck order.
    """
    state, dealer = context.state, begun.dealer
    tables, hands, extras = ([_unknown_cards(0)] * state.seats for _ in range(3))
    left: list[Card | None] = []
    turned: TrumpTurned | None = None
    for event in laid_out:
        if isinstance(event, TrumpTurned):
            turned = event
        elif isinstance(event, TalonDealt):
            left = [*event.open, *pad_unknown(event.closed, event.size)]
        elif isinstance(event, HandDealt) and event.seat < state.seats:
            hands[event.seat] = pad_unknown(event.cards, event.size)
        elif isinstance(event, TableDealt) and event.seat < state.seats:
            tables[event.seat] = [*(event.closed or _unknown_cards(event.size)), *event.open]
        elif isinstance(event, ExtraDealt) and event.seat < state.seats:
            extras[event.seat] = pad_unknown(event.cards, event.size)
    if turned is not None and turned.seat is not None and turned.card in hands[turned.seat % state.seats]:
        hands[turned.seat % state.seats].remove(turned.card)
        hands[turned.seat % state.seats].append(turned.card)
    shares = [context + hand + extra for context, hand, extra in zip(tables, hands, extras, strict=True)]
    marked = state.dealer is None and state.won_before is None and context.rules.marker is not None
    deck = deck_from_hands(shares, 0 if marked else (dealer + 1) % state.seats) + left
    cut = None
    if turned is not None and turned.seat is None:
        if context.rules.cuts:
            cut = turned.card
        else:
            deck.append(turned.card)
    if None not in deck and state.mode == "dealt":
        deck += [card for card in DECK if card not in deck]
    named = dealer if state.mode == "transcribed" or (state.dealer is None and not marked) else None
    return Deal(deck=deck[:36] + _unknown_cards(36 - len(deck)), dealer=named, cut=cut)


def pad_unknown(cards: Sequence[Card | None] | None, size: int) -> list[Card | None]:
    """Return the known cards, followed by unknown cards up to `size`."""
    known = list(cards or ())
    return known + _unknown_cards(size - len(known))


def _unknown_cards(count: int) -> list[Card | None]:
    return [None] * count


@cache
def _hand_indexes(sizes: tuple[int, ...], first: int) -> list[int]:
    """Return, for each card of a deck dealt to seat `first` first, its index in the joined hands."""
    seats, begins = len(sizes), [sum(sizes[:seat]) for seat in range(len(sizes))]
    return [
        begins[seat] + at
        for packet in range(0, max(sizes), PACKET)
        for seat in ((first + turn) % seats for turn in range(seats))
        for at in range(packet, min(packet + PACKET, sizes[seat]))
    ]


def deck_from_hands(hands: Sequence[Sequence[Card | None]], first: int) -> list[Card | None]:
    """Return a deck that gives these hands if it is dealt to seat `first` first."""
    places = _hand_indexes(tuple(map(len, hands)), first)
    return list(map(list(chain.from_iterable(hands)).__getitem__, places))
