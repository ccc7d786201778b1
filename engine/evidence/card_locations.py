"""Location of each card of a deal, from everything that the recorded events state.

A place is where a card ends in the deal: among the cards that a seat plays (`hand`), discarded or given by a
seat (`discards`), left as a seat's extra cards (`extra`), in a talon without a taker (`talon`), or undealt
(`stock`). Every event that names a card narrows the card's possible places. A full place cannot hold another
card, and a place with room for exactly the cards that fit must hold them.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import and_
from typing import Final, NamedTuple

from engine import events as ev
from engine.cards import DECK, Card, codes
from engine.ledger.state import DealRecord
from engine.melds.declared_melds import Said, list_declared_melds
from engine.melds.stoeck import list_stoeck_cards
from engine.rules import GameContext


class Place(NamedTuple):
    """The place where a card ends. `seat` is None for a place that belongs to no seat."""

    kind: str
    seat: int | None = None


class Claim(NamedTuple):
    """The statement of one event about a card. `places`: the places that remain possible. `dealt_to`: the
    seat to which the card was dealt, if the event says so.
    """

    places: frozenset[Place]
    seq: int
    dealt_to: int | None = None


STOCK: Final = Place("stock")
TALON: Final = Place("talon")


@dataclass(slots=True)
class CardLocations:
    """The statements of the record about each card. `places`: its possible places; none if the record
    contradicts itself. `claims`: the statements about it. `room`: the number of cards that each place holds.
    """

    places: dict[Card, frozenset[Place]]
    claims: dict[Card, list[Claim]]
    room: dict[Place, int]
    changed: frozenset[int] = frozenset()
    """Seats whose hand changed after it was dealt: they received a talon, extra cards or the turned card."""
    deduced: dict[Card, list[int]] = field(default_factory=dict)
    """By card: seqs of the events from which its place follows although none of them names the card in this
    place.
    """

    def in_place(self, place: Place) -> list[Card]:
        """Return the cards that provably end in a place."""
        return [card for card, places in self.places.items() if places == {place}]

    def dealt_to(self, card: Card, seat: int) -> bool:
        """Return whether a card, which the seat must have had, was provably dealt to it."""
        return seat not in self.changed or any(claim.dealt_to == seat for claim in self.claims[card])

    def contradicted(self) -> list[Card]:
        """Return the cards that the record puts in places which exclude each other."""
        return [card for card, places in self.places.items() if not places]

    def crowded(self) -> list[Place]:
        """Return the places in which provably more cards end than they have room for."""
        return [place for place, room in self.room.items() if len(self.in_place(place)) > room]

    def possible_melds(self, said: Said) -> list[int]:
        """Return the sets of cards that a declared meld may have been, as masks."""
        place = Place("hand", said.seat)
        return [mask for mask in said.may_be if all(place in self.places[card] for card in codes(mask))]

    def possible_cards(self, seat: int) -> list[Card]:
        """Return the cards that a seat may have played."""
        return [card for card, places in self.places.items() if Place("hand", seat) in places]


def locate_cards(context: GameContext, record: DealRecord, log: Sequence[ev.Event]) -> CardLocations:
    """Return where the cards of a deal are by its events `log`. `context` holds the state after them."""
    claims: dict[Card, list[Claim]] = {card: [] for card in DECK}
    moves = _Moves(context, log)
    for card, claim in moves.claims(record):
        claims[card].append(claim)
    everywhere = frozenset(place for place, room in moves.room.items() if room > 0)
    places = {}
    for card, said in claims.items():
        left = everywhere
        for claim in said:
            left &= claim.places
        places[card] = left
    locations = CardLocations(places, claims, moves.room, moves.changed())
    if not locations.contradicted() and not locations.crowded():
        _propagate(locations)
        while _apply_melds(locations, context):
            _propagate(locations)
    return locations


class _Moves:
    """Movements of cards after they were dealt: who took the talon, who exchanged cards, who took the turned
    card.
    """

    def __init__(self, context: GameContext, log: Sequence[ev.Event]) -> None:
        self.log = log
        self.cut = context.rules.cuts
        self.taker: int | None = None
        self.swaps: set[int] = set()
        self.turned: ev.TurnedTaken | None = None
        self.laid_out: Card | None = None
        room: dict[Place, int] = {}
        put_away: dict[int, int] = {}
        extra: dict[int, int] = {}
        talon = 0
        for event in log:
            if isinstance(event, ev.HandDealt):
                room[Place("hand", event.seat)] = event.size
            elif isinstance(event, ev.TableDealt):
                room[Place("hand", event.seat)] += event.size + max(event.size, len(event.open))
            elif isinstance(event, ev.TalonDealt):
                talon = event.size + max(event.size, len(event.open))
            elif isinstance(event, ev.ExtraDealt):
                extra[event.seat] = event.size
            elif isinstance(event, ev.TalonTaken):
                self.taker = event.seat
                room[Place("hand", event.seat)] += talon
                talon = 0
            elif isinstance(event, ev.CardsDiscarded | ev.ExtraExchanged):
                put_away[event.seat] = event.size
                if isinstance(event, ev.ExtraExchanged):
                    self.swaps.add(event.seat)
                    extra.pop(event.seat, None)
                else:
                    room[Place("hand", event.seat)] -= event.size
            elif isinstance(event, ev.TurnedTaken):
                self.turned = event
            elif isinstance(event, ev.TrumpTurned) and event.seat is None and not self.cut:
                self.laid_out = event.card
        room |= {Place("discards", seat): size for seat, size in put_away.items()}
        room |= {Place("extra", seat): size for seat, size in extra.items()}
        room[TALON] = talon
        room[STOCK] = 36 - sum(room.values())
        self.room = room
        self.put_away = put_away

    def changed(self) -> frozenset[int]:
        """Return the seats whose hand was changed after the deal."""
        turned = {self.turned.seat} if self.turned is not None else set()
        return frozenset({*self.swaps, *turned} | ({self.taker} if self.taker is not None else set()))

    def _of_hand(self, seat: int, card: Card, *more: Place) -> frozenset[Place]:
        """Return the places where a card from a seat's hand can end."""
        places = {Place("hand", seat), *more}
        if seat in self.put_away:
            places.add(Place("discards", seat))
        if self.turned is not None and self.turned.seat == seat and self.turned.six in (card, None):
            places.add(STOCK)
        return frozenset(places)

    def claims(self, record: DealRecord) -> Iterator[tuple[Card, Claim]]:
        """Yield the claims of each event about the cards it names."""
        for event in self.log:
            yield from self._said(event, record)

    def _said(self, event: ev.Event, record: DealRecord) -> Iterator[tuple[Card, Claim]]:
        seq = event.seq
        if isinstance(event, ev.HandDealt | ev.HandTakenUp):
            for card in event.cards or ():
                yield card, Claim(self._of_hand(event.seat, card), seq, event.seat)
        elif isinstance(event, ev.TableDealt):
            for card in _list_known(event.open, event.closed):
                yield card, Claim(frozenset({Place("hand", event.seat)}), seq, event.seat)
        elif isinstance(event, ev.TalonDealt):
            for card in _list_known(event.open, event.closed):
                taker = self.taker
                yield card, Claim(frozenset({TALON}) if taker is None else self._of_hand(taker, card), seq)
        elif isinstance(event, ev.TalonTaken):
            for card in _list_known(event.cards):
                yield card, Claim(self._of_hand(event.seat, card), seq)
        elif isinstance(event, ev.ExtraDealt):
            for card in _list_known(event.cards):
                if event.seat in self.swaps:
                    yield card, Claim(self._of_hand(event.seat, card) - {Place("discards", event.seat)}, seq)
                else:
                    yield card, Claim(frozenset({Place("extra", event.seat)}), seq)
        elif isinstance(event, ev.ExtraExchanged):
            for card in _list_known(event.given):
                yield card, Claim(frozenset({Place("discards", event.seat)}), seq, event.seat)
            for card in _list_known(event.taken):
                yield card, Claim(self._of_hand(event.seat, card) - {Place("discards", event.seat)}, seq)
        elif isinstance(event, ev.CardsDiscarded):
            for card in _list_known(event.cards):
                yield card, Claim(frozenset({Place("discards", event.seat)}), seq)
        elif isinstance(event, ev.TrumpTurned) and event.card is not None:
            if event.seat is not None:
                yield event.card, Claim(frozenset({Place("hand", event.seat)}), seq, event.seat)
            elif not self.cut and (self.turned is None or self.turned.card != event.card):
                yield event.card, Claim(frozenset({STOCK}), seq)
        elif isinstance(event, ev.TurnedTaken):
            if event.six is not None:
                yield event.six, Claim(frozenset({STOCK}), seq)
            if event.card is not None:
                yield event.card, Claim(frozenset({Place("hand", event.seat)}), seq)
        elif isinstance(event, ev.MeldsDeclared | ev.MeldsShown):
            for card in _list_known(*(event.melds or ())):
                yield card, Claim(frozenset({Place("hand", event.seat)}), seq)
        elif isinstance(event, ev.StoeckDeclared) and event.counts:
            for card in list_stoeck_cards(record.contract):
                yield card, Claim(frozenset({Place("hand", event.seat)}), seq)
        elif isinstance(event, ev.CardPlayed | ev.TableCardTurned) and event.card is not None:
            yield event.card, Claim(frozenset({Place("hand", event.seat)}), seq)


def _list_known(*lists: Iterable[Card | None] | None) -> list[Card]:
    return [card for cards in lists for card in cards or () if card is not None]


def _apply_melds(locations: CardLocations, context: GameContext) -> bool:
    """Locate the cards that are in every possible set of a declared meld. Return whether any card was
    located.
    """
    located = False
    for said in list_declared_melds(context):
        place, masks = Place("hand", said.seat), locations.possible_melds(said)
        common = reduce(and_, masks) if masks else 0
        for card in codes(common):
            if locations.places[card] != {place}:
                locations.places[card] = frozenset({place})
                locations.deduced[card] = sorted({said.seq, *locations.deduced.get(card, ())})
                located = True
    return located


def _propagate(locations: CardLocations) -> None:
    """Fill places that exactly fit their candidates, and exclude further cards from full places, until
    nothing changes.
    """
    changed = True
    while changed:
        changed = False
        for place, room in locations.room.items():
            inside = set(locations.in_place(place))
            fitting = [card for card, places in locations.places.items() if place in places]
            if len(fitting) == len(inside):
                continue
            if len(inside) != room and len(fitting) != room:
                continue
            full = len(inside) == room
            said = inside if full else set(locations.places).difference(fitting)
            proof = {claim.seq for card in said for claim in locations.claims[card]}
            for card in set(fitting) - inside:
                locations.places[card] = locations.places[card] - {place} if full else frozenset({place})
                locations.deduced[card] = sorted(proof.union(locations.deduced.get(card, ())))
                changed = True
