"""Two worlds: the same game for an observer, with a change that must stay hidden.

What an observer may know is repeated here from the rules, independently of the marks in `engine.events`. A
card that the observer does not know is in a *place* (another's hand, the closed talon, …) and may change
places with any other such card, as long as what the table saw stays legal.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Protocol

import msgspec
from msgspec.structs import replace

from engine import IllegalCommand, Observer, State, cards, decide, decode_command, encode, evolve, to_act
from engine import events as ev
from engine.cards import BIT, DECK
from engine.commands import (
    Accept,
    Bid,
    Choose,
    ClaimOut,
    Command,
    Concede,
    Deal,
    Defer,
    Discard,
    Exchange,
    Keep,
    Pass,
    Play,
    Predict,
    Push,
    Stop,
    TakeTurned,
)
from engine.contracts import CONTRACTS
from engine.decider import list_offers, next_play
from engine.events import Event
from engine.melds.stoeck import STOECK
from engine.queries.snapshot import snapshot
from engine.redaction import redact
from engine.registry import get_rules
from engine.tricks.modes import get_trump

Step = tuple[Command, list[Event]]


def told(observer: Observer, event: Event) -> set[str | None]:
    """The cards that an event tells an observer, by what the rules let the observer see."""
    own = observer.role == "seat" and getattr(event, "seat", None) == observer.number
    match event:
        case ev.CardPlayed() | ev.TableCardTurned():
            return {event.card}
        case ev.TrumpTurned():
            return {event.card}
        case ev.TurnedTaken():
            return {event.six, event.card}
        case ev.TalonDealt() | ev.TableDealt():
            return set(event.open)
        case ev.MeldsScored():
            return {card for meld in event.shown for card in meld.cards}
        case ev.MeldsDeclared():
            return (
                {card for meld in event.melds or () for card in meld}
                if own
                else {meld.top for meld in event.declared}
            )
        case ev.HandDealt() if own and not event.face_down:
            return set(event.cards or ())
        case ev.HandTakenUp() | ev.TalonTaken() | ev.CardsDiscarded() if own:
            return set(event.cards or ())
        case ev.ExtraExchanged() if own:
            return {*(event.given or ()), *(event.taken or ())}
    return set()


class Change(Protocol):
    """What is otherwise in the second world."""

    def of(self, command: Command) -> Command:
        """The command as it is given there."""

    def shows(self, observer: Observer, state: State, event: Event) -> bool:
        """Whether an observer learns of it by this event, before which the first world is in this state."""


class Swap(NamedTuple):
    """Two cards of a deal change places."""

    one: str
    two: str
    cut: bool
    """A card is cut, and told, before each deal: that says nothing of where it lies afterwards."""

    def of(self, command: Command) -> Command:
        plain = msgspec.to_builtins(command)
        other = {self.one: self.two, self.two: self.one}

        def swapped(value: Any) -> Any:
            if isinstance(value, list):
                return [swapped(each) for each in value]
            return other.get(value, value) if isinstance(value, str) else value

        return decode_command({name: swapped(v) if name != "cut" else v for name, v in plain.items()})

    def shows(self, observer: Observer, state: State, event: Event) -> bool:
        if isinstance(event, ev.TrumpTurned) and self.cut:
            return False
        if isinstance(event, ev.DiscardsCounted):  # their points are told
            put_away = state.variant_state.discards[event.seat]
            return bool(put_away & (BIT[self.one] | BIT[self.two]))
        if isinstance(event, ev.DealScored | ev.DealAnnulled) and observer.tier == "after_deal":
            return True
        if isinstance(event, ev.MeldsDeclared) and any(
            (self.one in meld) != (self.two in meld) for meld in event.melds or ()
        ):
            return True  # with another card in it, another meld is heard
        return bool(told(observer, event) & {self.one, self.two})


class OtherPrediction(NamedTuple):
    """A seat has sealed another prediction in a deal."""

    seat: int
    points: int

    def of(self, command: Command) -> Command:
        if isinstance(command, Predict) and command.seat == self.seat:
            return replace(command, points=self.points)
        return command

    def shows(self, observer: Observer, state: State, event: Event) -> bool:
        if isinstance(event, ev.DealScored | ev.DealAnnulled) and observer.tier == "after_deal":
            return True
        return isinstance(event, ev.PredictionsRevealed)


def by_rule(state: State, steps: Sequence[Step]) -> int:
    """The mask of cards whose place has consequences that the whole table sees, though the card is not shown:
    it makes forehand, its Stöck comes before melds and tricks or counts with a concession, it is the six that
    a wish for the turned card depends on."""
    found = BIT[get_rules(state).marker]
    play, trump = get_rules(state).play, get_trump(state)
    said = {type(command) for command, _ in steps}
    if trump is not None and play.stoeck and (play.stoeck_priority or Concede in said):
        found |= STOECK[trump]
    if trump is not None and any(getattr(command, "take_turned", False) for command, _ in steps):
        found |= 1 << trump * 9
    return found


def places(state: State, seat: int | None) -> dict[str, int]:
    """Where cards lie that a seat (None: nobody) may not have been told: name of the place -> mask."""
    extras, hands = state.variant_state, 0
    found: dict[str, int] = {}
    for who, hand in enumerate(state.hands):
        hands |= hand
        if who != seat:
            found["hand"] = found.get("hand", 0) | hand
        elif who in state.face_down:
            found["own hand face down"] = hand
    found["closed talon"] = extras.talon_closed
    for who, bits in enumerate(extras.extra):
        found["extra cards"] = found.get("extra cards", 0) | bits
        found["discards"] = found.get("discards", 0) | (extras.discards[who] if who != seat else 0)
        for pile in extras.table[who]:
            if pile.closed is not None:
                found["closed table cards"] = found.get("closed table cards", 0) | 1 << pile.closed
    elsewhere = hands | extras.talon_open | state.played()
    for bits in (*found.values(), *extras.discards):
        elsewhere |= bits
    found["undealt"] = cards.ALL & ~elsewhere if state.dealing else 0
    return {name: bits for name, bits in found.items() if bits}


def attempts(state: State, seat: int) -> Iterator[Command]:
    """What a seat may try, mostly against the rules."""
    for card in DECK:
        yield Play(seat=seat, card=card)
    own = cards.codes(state.hands[seat]) if seat not in state.face_down else list(DECK[:9])
    for card in own[:3]:
        yield Play(seat=seat, card=card, stoeck=True)
        yield Play(seat=seat, card=card, stoeck=20)
        yield Play(seat=seat, card=card, melds=[own[:3]])
        yield Play(seat=seat, card=card, melds=[["S6", "S7", "S8"]])
    for size in (3, 6):
        for chosen in (own[:size], own[-size:], list(DECK[size : 2 * size])):
            yield Discard(seat=seat, cards=[*chosen])
            yield Exchange(seat=seat, cards=[*chosen])
            yield Exchange(seat=seat, cards=[*chosen], take_turned=True)
    for points in (0, 60, 155, 157, 158, 500, 510):
        yield Bid(seat=seat, points=points)
        yield Predict(seat=seat, points=points)
    for contract in CONTRACTS:
        yield Choose(seat=seat, contract=contract)
    yield Keep(seat=seat, take_turned=True)
    for kind in (Push, Defer, Pass, Keep, TakeTurned, Accept, Concede, ClaimOut, Stop):
        yield kind(seat=seat)


def answer(state: State, command: Command) -> tuple[Any, ...]:
    """What a seat hears at once of what it tries. What follows from a legal command may well tell more."""
    try:
        decide(state, command)
    except IllegalCommand as refusal:
        return refusal.code, refusal.detail, refusal.params
    return ("accepted",)


def seen(state: State, observer: Observer) -> tuple[Any, ...]:
    """All that an observer is shown of a state: the picture, whose turn it is, the observer's own options."""
    turn = to_act(state)
    own: tuple[Any, ...] = ()
    if turn is not None and turn.seat is not None and turn.seat == observer.number:
        own = (next_play(state), [encode(command) for command in list_offers(state)])
    return msgspec.json.encode(snapshot(state, observer)), turn, own


class Apart(AssertionError):
    """Two worlds that an observer can tell from each other."""


def look_alike(
    steps: Sequence[Step], observer: Observer, deal: int, change: Change, probing: int = 0
) -> Iterator[State]:
    """Play a game in both worlds, with the change in one deal, and yield the first world's state at
    every moment that looked the same to the observer; raises Apart if they differ. It ends when the
    observer learns of the change or the second world's players could not have played like this. Every
    `probing` moments the seat tries what it may not do.
    """
    first, second = State(), State()
    moments = 0
    for command, events in steps:
        other = change.of(command) if first.deal + isinstance(command, Deal) == deal else command
        try:
            theirs = decide(second, other)
        except IllegalCommand as refusal:
            if getattr(command, "seat", None) == observer.number and observer.role == "seat":
                raise Apart(f"{encode(command)!r} is refused: {refusal}") from None
            return
        for at, event in enumerate(events):
            if first.deal == deal and change.shows(observer, first, event):
                return
            if at == len(theirs):
                raise Apart(f"{encode(event)!r} does not happen")
            shown, twin = encode(redact(event, observer)), encode(redact(theirs[at], observer))
            if shown != twin:
                raise Apart(f"{shown!r} is {twin!r}")
            evolve(first, event)
            evolve(second, theirs[at])
        if len(theirs) != len(events):
            more = theirs[len(events)]
            if first.deal == deal and change.shows(observer, second, more):
                return
            raise Apart(f"{encode(more)!r} happens too")
        one, two = seen(first, observer), seen(second, observer)
        if one != two:
            raise Apart(f"{one} is {two}")
        if first.deal >= deal:
            moments += 1
            if probing and observer.role == "seat" and moments % probing == 0:
                _probe(first, second, observer)
            yield first


def _probe(first: State, second: State, observer: Observer) -> None:
    for command in attempts(first, observer.number or 0):
        heard, also = answer(first, command), answer(second, command)
        if heard != also:
            raise Apart(f"{encode(command)!r} is answered {heard} or {also}")
