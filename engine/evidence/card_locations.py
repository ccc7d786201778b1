"""Where each card of a deal was, as far as a record tells: what every event says of it, taken together.

A *place* is where a card ends in the deal: among those that a seat plays (`hand`), put away or given by a
seat (`discards`), left lying as somebody's extra cards (`extra`), in a talon that nobody took (`talon`), or
with the cards that are in nobody's hands (`stock`). Every event that names a card narrows the places it can
have; what is full cannot hold another card, and what has room only for the cards that fit must hold them.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import and_
from typing import Final, NamedTuple

from engine import events as ev
from engine.cards import DECK, SUIT_NAMES, Card, codes
from engine.contracts import STOECK
from engine.ledger.state import DealRecord
from engine.melds.declared_melds import Said, declared_melds
from engine.rules import Table


class Place(NamedTuple):
    """Where a card ends; `seat` where the place is somebody's."""

    kind: str
    seat: int | None = None


class Claim(NamedTuple):
    """An event that says where a card was: the places it leaves open, and whether it names the seat to which
    the card was dealt."""

    places: frozenset[Place]
    seq: int
    dealt_to: int | None = None


STOCK: Final = Place("stock")
TALON: Final = Place("talon")


@dataclass(slots=True)
class Whereabouts:
    """By card: the places that are left to it (none: the record contradicts itself), and the claims."""

    places: dict[Card, frozenset[Place]]
    claims: dict[Card, list[Claim]]
    room: dict[Place, int]
    changed: frozenset[int] = frozenset()
    """Seats that got cards after the deal: a talon, extra cards, the turned card."""
    deduced: dict[Card, list[int]] = field(default_factory=dict)
    """Events that place a card of which the record says nothing itself."""

    def in_place(self, place: Place) -> list[Card]:
        """The cards that are proven to end there."""
        return [card for card, places in self.places.items() if places == {place}]

    def dealt_to(self, card: Card, seat: int) -> bool:
        """Whether it is proven that a card which a seat had was dealt to it."""
        return seat not in self.changed or any(claim.dealt_to == seat for claim in self.claims[card])

    def contradicted(self) -> list[Card]:
        """The cards that the record puts in places that exclude one another."""
        return [card for card, places in self.places.items() if not places]

    def crowded(self) -> list[Place]:
        """Places that are said to hold more cards than there is room for."""
        return [place for place, room in self.room.items() if len(self.in_place(place)) > room]

    def melds_of(self, said: Said) -> list[int]:
        """The sets of cards that a declared meld can have been, as masks."""
        place = Place("hand", said.seat)
        return [mask for mask in said.may_be if all(place in self.places[card] for card in codes(mask))]

    def may_be_of(self, seat: int) -> list[Card]:
        """The cards that a seat may have played."""
        return [card for card, places in self.places.items() if Place("hand", seat) in places]


def whereabouts(table: Table, record: DealRecord, log: Sequence[ev.Event]) -> Whereabouts:
    """What the events of one deal say of its cards. `state` is the ledger at their end."""
    claims: dict[Card, list[Claim]] = {card: [] for card in DECK}
    moves = _Moves(table, log)
    for card, claim in moves.claims(record):
        claims[card].append(claim)
    everywhere = frozenset(place for place, room in moves.room.items() if room > 0)
    places = {}
    for card, said in claims.items():
        left = everywhere
        for claim in said:
            left &= claim.places
        places[card] = left
    found = Whereabouts(places, claims, moves.room, moves.changed())
    if not found.contradicted() and not found.crowded():
        _conclude(found)
        while _hear(found, table):
            _conclude(found)
    return found


class _Moves:
    """How cards moved in a deal after they were dealt: whose talon, who exchanged, who took the turned
    card."""

    def __init__(self, table: Table, log: Sequence[ev.Event]) -> None:
        self.log = log
        self.cut = table.rules.cuts
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
        """The seats whose hand was not only what they were dealt."""
        turned = {self.turned.seat} if self.turned is not None else set()
        return frozenset({*self.swaps, *turned} | ({self.taker} if self.taker is not None else set()))

    def _of_hand(self, seat: int, card: Card, *more: Place) -> frozenset[Place]:
        """Where a card that a seat had in its hand can end."""
        places = {Place("hand", seat), *more}
        if seat in self.put_away:
            places.add(Place("discards", seat))
        if self.turned is not None and self.turned.seat == seat and self.turned.six in (card, None):
            places.add(STOCK)
        return frozenset(places)

    def claims(self, record: DealRecord) -> Iterator[tuple[Card, Claim]]:
        """What each event says of each card that it names."""
        for event in self.log:
            yield from self._said(event, record)

    def _said(self, event: ev.Event, record: DealRecord) -> Iterator[tuple[Card, Claim]]:
        seq = event.seq
        if isinstance(event, ev.HandDealt | ev.HandTakenUp):
            for card in event.cards or ():
                yield card, Claim(self._of_hand(event.seat, card), seq, event.seat)
        elif isinstance(event, ev.TableDealt):
            for card in _known(event.open, event.closed):
                yield card, Claim(frozenset({Place("hand", event.seat)}), seq, event.seat)
        elif isinstance(event, ev.TalonDealt):
            for card in _known(event.open, event.closed):
                taker = self.taker
                yield card, Claim(frozenset({TALON}) if taker is None else self._of_hand(taker, card), seq)
        elif isinstance(event, ev.TalonTaken):
            for card in _known(event.cards):
                yield card, Claim(self._of_hand(event.seat, card), seq)
        elif isinstance(event, ev.ExtraDealt):
            for card in _known(event.cards):
                if event.seat in self.swaps:
                    yield card, Claim(self._of_hand(event.seat, card) - {Place("discards", event.seat)}, seq)
                else:
                    yield card, Claim(frozenset({Place("extra", event.seat)}), seq)
        elif isinstance(event, ev.ExtraExchanged):
            for card in _known(event.given):
                yield card, Claim(frozenset({Place("discards", event.seat)}), seq, event.seat)
            for card in _known(event.taken):
                yield card, Claim(self._of_hand(event.seat, card) - {Place("discards", event.seat)}, seq)
        elif isinstance(event, ev.CardsDiscarded):
            for card in _known(event.cards):
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
            for card in _known(*(event.melds or ())):
                yield card, Claim(frozenset({Place("hand", event.seat)}), seq)
        elif isinstance(event, ev.StoeckDeclared) and event.counts:
            for card in stoeck_cards(record.contract):
                yield card, Claim(frozenset({Place("hand", event.seat)}), seq)
        elif isinstance(event, ev.CardPlayed | ev.TableCardTurned) and event.card is not None:
            yield event.card, Claim(frozenset({Place("hand", event.seat)}), seq)


def stoeck_cards(contract: str | None) -> list[Card]:
    """King and queen of trumps, where there are trumps."""
    return codes(STOECK[SUIT_NAMES.index(contract)]) if contract in SUIT_NAMES else []


def _known(*lists: Iterable[Card | None] | None) -> list[Card]:
    return [card for cards in lists for card in cards or () if card is not None]


def _hear(found: Whereabouts, table: Table) -> bool:
    """Give a seat the cards that are in every meld which it can have meant. Whether that tells anything."""
    told = False
    for said in declared_melds(table):
        place, masks = Place("hand", said.seat), found.melds_of(said)
        common = reduce(and_, masks) if masks else 0
        for card in codes(common):
            if found.places[card] != {place}:
                found.places[card] = frozenset({place})
                found.deduced[card] = sorted({said.seq, *found.deduced.get(card, ())})
                told = True
    return told


def _conclude(found: Whereabouts) -> None:
    """Fill places that only so many cards fit in, and close those that are full, until nothing changes."""
    changed = True
    while changed:
        changed = False
        for place, room in found.room.items():
            inside = set(found.in_place(place))
            fitting = [card for card, places in found.places.items() if place in places]
            if len(fitting) == len(inside):
                continue
            if len(inside) != room and len(fitting) != room:
                continue
            full = len(inside) == room
            said = inside if full else set(found.places).difference(fitting)
            proof = {claim.seq for card in said for claim in found.claims[card]}
            for card in set(fitting) - inside:
                found.places[card] = found.places[card] - {place} if full else frozenset({place})
                found.deduced[card] = sorted(proof.union(found.deduced.get(card, ())))
                changed = True
