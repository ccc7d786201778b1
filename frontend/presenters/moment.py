"""One card of a game and what lay on the table then: the trick so far, the hand, which cards were legal.

Everything comes from the events as the one who looks may see them. A hand that was not dealt by the server
is known from the cards its owner played later: what is illegal by those stays so whatever the rest was.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine import Event, Observer, replay
from engine.cards import BIT, codes
from engine.events import CardPlayed, DealStarted, InfractionFound
from engine.registry import prepare
from engine.tricks import mode_at
from games import fold
from games.models import Game
from games.view import view_of

AROUND = {2: ("bottom", "top"), 3: ("bottom", "right", "left"), 4: ("bottom", "right", "top", "left")}


@dataclass(frozen=True, slots=True)
class Played:
    """A card in the middle; `at`: where its player sits, seen from the one the moment is about."""

    at: str
    seat: int
    name: str
    code: str | None
    seq: int
    current: bool


@dataclass(frozen=True, slots=True)
class Held:
    code: str
    legal: bool
    chosen: bool


@dataclass(frozen=True, slots=True)
class Moment:
    seq: int
    deal: int
    trick: int
    contract: str | None
    name: str
    seat: int
    code: str | None
    table: tuple[Played, ...]
    steps: tuple[Played, ...]
    """All cards of the trick, to look at each."""
    hand: tuple[Held, ...]
    complete: bool
    """Whether all cards of that hand are known."""
    infraction: str

    @property
    def legal(self) -> tuple[Held, ...]:
        return tuple(held for held in self.hand if held.legal)


@dataclass(frozen=True, slots=True)
class Card:
    """Where in the game a card was played. `trick` counts from 1."""

    seq: int
    deal: int
    trick: int
    seat: int
    card: str | None


def events_of(game: Game, observer: Observer) -> list[Event]:
    """The game so far as this observer may see it."""
    return view_of(fold.at(game.id), observer)


def cards_of(events: Sequence[Event], seats: int) -> list[Card]:
    """Every card of the game, in the order played."""
    found: list[Card] = []
    deal = in_deal = 0
    for event in events:
        if isinstance(event, DealStarted):
            deal, in_deal = event.deal, 0
        elif isinstance(event, CardPlayed):
            found.append(Card(event.seq, deal, in_deal // seats + 1, event.seat, event.card))
            in_deal += 1
    return found


def moment(
    events: Sequence[Event],
    names: Sequence[str],
    *,
    deal: int | None = None,
    trick: int | None = None,
    seq: int | None = None,
) -> Moment | None:
    """The card at `seq`; else one that was against the rules; else the last of the trick named."""
    seats = len(names)
    cards = cards_of(events, seats)
    infractions = {e.at_seq: e.code for e in events if isinstance(e, InfractionFound)}
    chosen = _choose(cards, infractions, deal, trick, seq)
    if chosen is None:
        return None
    steps = [c for c in cards if (c.deal, c.trick) == (chosen.deal, chosen.trick)]
    around = AROUND.get(seats, AROUND[4])

    def played(card: Card) -> Played:
        at = around[(card.seat - chosen.seat) % seats % len(around)]
        return Played(at, card.seat, names[card.seat], card.card, card.seq, card.seq == chosen.seq)

    state = replay(events[: chosen.seq])
    prepare(state)
    held = state.hands[chosen.seat]
    for later in cards:
        if later.deal == chosen.deal and later.seat == chosen.seat and later.seq >= chosen.seq and later.card:
            held |= BIT[later.card]
    left = state.hands[chosen.seat].bit_count() + state.unknown(chosen.seat)
    before = [card for card in state.trick if card >= 0]
    legal = held
    if before:
        mode = mode_at(state.contract, state.sizes[chosen.seat], chosen.trick - 1)
        legal = state.rules.play.following[mode](held, before)
    allowed = set(codes(legal))
    return Moment(
        seq=chosen.seq,
        deal=chosen.deal,
        trick=chosen.trick,
        contract=state.contract,
        name=names[chosen.seat],
        seat=chosen.seat,
        code=chosen.card,
        table=tuple(played(c) for c in steps if c.seq <= chosen.seq),
        steps=tuple(played(c) for c in steps),
        hand=tuple(Held(code, code in allowed, code == chosen.card) for code in codes(held)),
        complete=held.bit_count() >= left,
        infraction=infractions.get(chosen.seq, ""),
    )


def _choose(
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
