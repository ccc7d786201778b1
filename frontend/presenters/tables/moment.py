"""One played card of a game and the position at that moment: the trick so far, the player's hand, the legal
cards.

Everything comes from the events redacted for the reader. If the server did not deal a hand, the hand is known
only from the cards played later. A card that these make illegal was illegal, whatever other cards the hand
contained.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine import Event, Observer, State, replay
from engine.cards import BIT, INDEX, codes
from engine.contracts import TOP_DOWN
from engine.events import CardPlayed, DealStarted, InfractionFound, TableCardTurned
from engine.infractions.findings import find_known_hand, modes_at
from engine.queries.illegal_reasons import find_reasons
from engine.registry import build_game_context, get_rules
from engine.taking_back import drop_taken_back
from frontend.presenters.tables.table_scene import Spot, rotate_seat
from games.models import Game
from games.observed.observed_game import list_observed_events
from games.projections import delayed_broadcast


@dataclass(frozen=True, slots=True)
class MiddleCard:
    """A card in the middle. `at`: place of its player as seen from the moment's player; `current`: it is the
    moment's card.
    """

    at: str
    seat: int
    name: str
    code: str | None
    seq: int
    current: bool


@dataclass(frozen=True, slots=True)
class HeldCard:
    """A card of the hand. `chosen`: the player played it; `why`: the rule that forbade it, empty if it was
    legal.
    """

    code: str
    legal: bool
    chosen: bool
    why: str = ""


@dataclass(frozen=True, slots=True)
class OtherHand:
    """The known cards in the hand of another seat. `unknown`: the number of its further cards."""

    cards: tuple[str, ...]
    unknown: int


@dataclass(frozen=True, slots=True)
class Taken:
    """The previous trick: its cards in order (`at` is empty, and the winner's card is `current`), the name of
    its winner (empty if unknown), and its points.
    """

    cards: tuple[MiddleCard, ...]
    taker: str
    points: int | None


@dataclass(frozen=True, slots=True)
class Moment:
    seq: int
    deal: int
    trick: int
    contract: str | None
    name: str
    seat: int
    code: str | None
    table: tuple[MiddleCard, ...]
    steps: tuple[MiddleCard, ...]
    """All cards of the trick, between which the page can step."""
    hand: tuple[HeldCard, ...]
    complete: bool
    """Whether `hand` has all cards from which the player could choose."""
    infraction: str
    others: tuple[OtherHand, ...] = ()
    places: tuple[Spot, ...] = ()
    """The seats at the table as seen from the player's seat."""
    before: Taken | None = None

    @property
    def open(self) -> bool:
        """Whether all hands are known, so that the page lets the reader try other cards."""
        return self.complete and not any(hand.unknown for hand in self.others)

    @property
    def legal(self) -> tuple[HeldCard, ...]:
        return tuple(held for held in self.hand if held.legal)

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that forbade cards of the hand, each once."""
        return tuple(dict.fromkeys(held.why for held in self.hand if held.why))


@dataclass(frozen=True, slots=True)
class Card:
    """The position of a played card in the game. `seq`: of its event; `trick` counts from 1."""

    seq: int
    deal: int
    trick: int
    seat: int
    card: str | None
    turned: int = -1
    """Sequence number of the event that turned the card up, if it lay face down on the table; else -1."""


def load_visible_events(game: Game, observer: Observer) -> list[Event]:
    """Return the game so far, redacted for this observer."""
    return list_observed_events(delayed_broadcast.load_visible_snapshot(game), observer)


def list_played_cards(events: Sequence[Event], seats: int) -> list[Card]:
    """Return every card played in order, without mistaken entries that were taken back."""
    found: list[Card] = []
    deal = in_deal = 0
    turned: dict[str | None, int] = {}
    for event in drop_taken_back(events):
        if isinstance(event, DealStarted):
            deal, in_deal, turned = event.deal, 0, {}
        elif isinstance(event, TableCardTurned):
            turned[event.card] = event.seq
        elif isinstance(event, CardPlayed):
            card, since = event.card, turned.get(event.card, -1)
            found.append(Card(event.seq, deal, in_deal // seats + 1, event.seat, card, since))
            in_deal += 1
    return found


def card_at(game: Game, seq: int) -> Card | None:
    """Return the last card of the game played at or before event `seq`; None if there is none. A played card
    is public.
    """
    found = None
    for card in list_played_cards(delayed_broadcast.load_visible_snapshot(game).events, game.seat_count):
        if card.seq > seq:
            break
        found = card
    return found


def build_moment(
    events: Sequence[Event],
    names: Sequence[str],
    *,
    deal: int | None = None,
    trick: int | None = None,
    seq: int | None = None,
) -> Moment | None:
    """Return the moment of the card with event `seq`. Without `seq`, take the first card of the deal (and of
    `trick`, if given) that breaks the rules; if none does, the last card of the trick, or without `trick` the
    first of the deal. None without such a card.
    """
    seats = len(names)
    cards = list_played_cards(events, seats)
    infractions = {e.at_seq: e.code for e in drop_taken_back(events) if isinstance(e, InfractionFound)}
    chosen = _choose_card(cards, infractions, deal, trick, seq)
    if chosen is None:
        return None
    steps = [c for c in cards if (c.deal, c.trick) == (chosen.deal, chosen.trick)]

    def played(card: Card) -> MiddleCard:
        return MiddleCard(
            rotate_seat(card.seat, chosen.seat, seats),
            card.seat,
            names[card.seat],
            card.card,
            card.seq,
            card.seq == chosen.seq,
        )

    state = replay(events[: chosen.seq])
    known_cards = _known_cards(state, cards, chosen, chosen.seat)
    legal, mode = _legal_cards(state, known_cards, chosen.seat)
    why = find_reasons(known_cards, legal, state.trick, mode)
    table = tuple(played(c) for c in steps if c.seq <= chosen.seq)
    hands = [_other_hand(state, cards, chosen, seat) for seat in range(seats)]
    return Moment(
        seq=chosen.seq,
        deal=chosen.deal,
        trick=chosen.trick,
        contract=state.contract,
        name=names[chosen.seat],
        seat=chosen.seat,
        code=chosen.card,
        table=table,
        steps=tuple(played(c) for c in steps),
        hand=tuple(
            HeldCard(code, code not in why, code == chosen.card, why.get(code, ""))
            for code in codes(known_cards)
        ),
        complete=known_cards.bit_count() >= _count_choices(state, chosen.seat),
        infraction=infractions.get(chosen.seq, ""),
        others=tuple(hand for seat, hand in enumerate(hands) if seat != chosen.seat),
        places=_scene_places(names, chosen, table, hands, marked=chosen.seq in infractions),
        before=_previous_trick(state, cards, chosen, names),
    )


def _legal_cards(state: State, held: int, seat: int) -> tuple[int, int]:
    """Return the legal cards of a hand as a bit mask, and the mode in which the trick is played. If trumps
    are not known yet, a card counts as legal if it is legal with any trumps.
    """
    modes = modes_at(build_game_context(state), len(state.tricks), len(state.trick))
    mode = modes[0] if len(modes) == 1 else TOP_DOWN
    if not state.trick:
        return held & ~state.barred[seat] or held, mode
    if state.trick[0] < 0:
        return held, mode
    lying, legal = [card for card in state.trick if card >= 0], 0
    for each in modes:
        legal |= get_rules(state).play.following[each](held, lying)
    return legal, mode


def _known_cards(state: State, cards: Sequence[Card], now: Card, seat: int) -> int:
    """Return, as a bit mask, the cards that a seat is known to hold just before the card `now` is played."""
    known_cards = find_known_hand(state, seat)
    later = [c for c in cards if c.deal == now.deal and c.seat == seat and c.seq >= now.seq]
    for card in later:
        if card.card and (card == now or not _lay_closed(state, card, now)):
            known_cards |= BIT[card.card]
    return known_cards


def _lay_closed(state: State, card: Card, now: Card) -> bool:
    """Return whether `card`, played later, lay face down on the table at `now`, so that it could not be
    played. In a transcript this is assumed wherever nobody recorded which card was turned up.
    """
    if card.turned >= 0 or state.mode != "transcribed":
        return card.turned > now.seq
    if state.hands[card.seat] & BIT[card.card]:
        return False
    return any(pile.closed in (-1, INDEX[card.card]) for pile in state.variant_state.table[card.seat])


def _count_choices(state: State, seat: int) -> int:
    """Return the number of cards from which a seat could choose, without those that certainly lie face
    down.
    """
    hand = state.hands[seat]
    closed = 0
    for pile in state.variant_state.table[seat]:
        covered = pile.open >= 0 and hand >> pile.open & 1
        closed += pile.closed is not None and bool(covered or state.mode != "transcribed")
    return hand.bit_count() + state.unknown(seat) - closed


def _other_hand(state: State, cards: Sequence[Card], now: Card, seat: int) -> OtherHand:
    known_cards = _known_cards(state, cards, now, seat)
    return OtherHand(tuple(codes(known_cards)), max(0, _count_choices(state, seat) - known_cards.bit_count()))


def _scene_places(
    names: Sequence[str],
    chosen: Card,
    table: Sequence[MiddleCard],
    hands: Sequence[OtherHand],
    *,
    marked: bool,
) -> tuple[Spot, ...]:
    lying = {card.seat: card for card in table}
    return tuple(
        Spot(
            at=rotate_seat(seat, chosen.seat, len(names)),
            name=names[seat],
            acting=seat == chosen.seat,
            lies=seat in lying,
            card=lying[seat].code if seat in lying else None,
            marked=marked and seat == chosen.seat,
            hand=tuple(code for code in hand.cards if seat != chosen.seat or code != chosen.card),
            unknown=range(hand.unknown),
        )
        for seat, hand in enumerate(hands)
    )


def _previous_trick(state: State, cards: Sequence[Card], now: Card, names: Sequence[str]) -> Taken | None:
    if not state.tricks:
        return None
    last = state.tricks[-1]
    fell = [c for c in cards if (c.deal, c.trick) == (now.deal, now.trick - 1)]
    taker = names[last.taker] if last.taker is not None else ""
    return Taken(
        tuple(MiddleCard("", c.seat, names[c.seat], c.card, c.seq, c.seat == last.taker) for c in fell),
        taker,
        last.points,
    )


def _choose_card(
    cards: Sequence[Card],
    infractions: Mapping[int, str],
    deal: int | None,
    trick: int | None,
    seq: int | None,
) -> Card | None:
    if seq is not None:
        return next((c for c in cards if c.seq == seq), None)
    if deal is None:
        return None
    there = [c for c in cards if c.deal == deal and trick in (None, c.trick)]
    proven = [c for c in there if c.seq in infractions]
    if proven:
        return proven[0]
    return there[-1] if trick is not None and there else there[0] if there else None
