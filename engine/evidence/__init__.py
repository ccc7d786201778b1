"""Evidence: what a record proves, contradicts or leaves open about each card, hand, trick and side of a deal,
with the seqs of the events that prove it.

Nothing is inferred from the assumption that players keep the rules: at a physical table they may not. A fact
holds in every deal in which the recorded events are true.
"""

from collections.abc import Sequence
from functools import reduce
from itertools import pairwise
from operator import and_
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from engine import events as ev
from engine.cards import DECK, Card, codes
from engine.errors import CorruptLog, IllegalCommand
from engine.evidence.bounds import (
    PlayedTrick,
    Range,
    list_worlds,
    points_of_sides,
    possible_points,
    possible_takers,
)
from engine.evidence.card_locations import CardLocations, Place, locate_cards
from engine.ledger.evolve import replay
from engine.ledger.state import DealRecord
from engine.melds.declared_melds import Said, list_declared_melds
from engine.melds.stoeck import list_stoeck_cards
from engine.registry import build_game_context
from engine.rules import GameContext
from engine.taking_back import drop_taken_back

Status = Literal["proven", "contradictory", "unknown"]


class Between(Struct, frozen=True):
    """Bounds of a number, both inclusive; equal if it is known."""

    least: int
    most: int


class CardFact(Struct, frozen=True):
    """The location of one card, as far as the log proves it.

    `place` is its final place: `hand` (the cards that `seat` plays), `discards`, `extra`, `talon` or `stock`;
    null if not proven. `seats`: the seats that may have played it. `from_start`: it was provably dealt to
    `seat`. `trick`: the trick in which it was played, from 1.
    """

    card: Card
    status: Status
    place: str | None
    seat: int | None
    seats: list[int]
    from_start: bool
    trick: int | None
    seqs: list[int]


class HandFact(Struct, frozen=True):
    """The cards that a seat plays in the deal. `unknown`: how many of the `size` cards are not proven."""

    seat: int
    status: Status
    size: int
    cards: list[Card]
    unknown: int
    seqs: list[int]


class TrickFact(Struct, frozen=True):
    """A started trick, numbered from 1.

    `takers`: the recorded taker, or else the seats that may have taken it. `missing`: the number of cards not
    known or not played yet. `points` include the five for the last trick.
    """

    trick: int
    status: Status
    taker: int | None
    takers: list[int]
    missing: int
    points: Between
    seqs: list[int]


class PointsFact(Struct, frozen=True):
    """The card points of a side in the whole deal, including tricks still to be played."""

    side: int
    status: Status
    points: Between
    seqs: list[int]


class MeldFact(Struct, frozen=True):
    """A declared meld.

    `top`: its deciding card, if announced. `cards`: the proven cards, all of them if `status` is proven. The
    status is contradictory if its seat cannot have held any such meld. `counts` false: declared too late.
    """

    seat: int
    status: Status
    points: int
    top: Card | None
    cards: list[Card]
    counts: bool
    seqs: list[int]


class StoeckFact(Struct, frozen=True):
    """A declared Stöck, proven once its seat has played king and queen of trumps. `counts` is false if the
    declaration came too late or was evidently wrong.
    """

    seat: int
    status: Status
    counts: bool
    seqs: list[int]


class Contradiction(Struct, frozen=True):
    """Events of a record that cannot all be true.

    `code`: `card_in_two_places`; `too_many_cards` in a hand or place; `wrong_taker` or `wrong_points`: the
    cards of a trick cannot give the recorded value; `impossible_meld`: its seat cannot have held the declared
    meld.
    """

    code: Literal["card_in_two_places", "too_many_cards", "wrong_taker", "wrong_points", "impossible_meld"]
    card: Card | None
    seats: list[int]
    trick: int | None
    seqs: list[int]


class Proof(Struct, frozen=True):
    """A card, declaration or act that provably was an infraction."""

    code: str
    seat: int
    trick: int
    seqs: list[int]


class Evidence(Struct, frozen=True):
    """All evidence of one deal.

    `contracts`: the possible contracts (null: none). `slots`: the possible slots, in games with slots.
    """

    deal: int
    contracts: list[str | None]
    slots: list[str]
    cards: list[CardFact]
    hands: list[HandFact]
    tricks: list[TrickFact]
    melds: list[MeldFact]
    stoeck: list[StoeckFact]
    points: list[PointsFact]
    contradictions: list[Contradiction]
    infractions: list[Proof]


def evidence(events: Sequence[ev.Event], deal: int | None = None) -> list[Evidence]:
    """Return what a log proves about the cards, hands, tricks and points of each deal; with `deal`, of this
    deal only.

    `events`: a log, or an observer's view of one. Raises IllegalCommand `evidence/no_such_deal`, and
    CorruptLog `log/no_start` if the first event is not game_started.
    """
    log = drop_taken_back(events)
    if not log or not isinstance(log[0], ev.GameStarted) or not log[0].variant:
        raise CorruptLog("log/no_start", "a log begins with game_started")
    starts = [at for at, event in enumerate(log) if isinstance(event, ev.DealStarted)]
    found = []
    for at, end in pairwise([*starts, len(log)]):
        started = log[at]
        if isinstance(started, ev.DealStarted) and deal in (None, started.deal):
            found.append(_build_evidence(log[:end], log[at:end], started.deal))
    if deal is not None and not found:
        raise IllegalCommand("evidence/no_such_deal", f"there is no deal {deal}", deal=deal)
    return found


def _build_evidence(before: Sequence[ev.Event], log: Sequence[ev.Event], deal: int) -> Evidence:
    state = replay(before)
    context = build_game_context(state)
    running = replace(state.record(), size=min(state.sizes))
    record = next((r for r in state.records if r.deal == deal), running)
    tricks = _list_tricks(log)
    where = locate_cards(context, record, log)
    worlds = list_worlds(context, record, tricks)
    facts = [
        _trick_fact(
            tricks[at],
            at,
            state.seats,
            possible_takers(state, worlds, tricks, where, at),
            possible_points(context, record, worlds, tricks, where, at),
        )
        for at in range(len(tricks))
    ]
    ranges = points_of_sides(context, record, worlds, tricks, where, [fact.takers for fact in facts], log)
    melds = [_meld_fact(where, said) for said in list_declared_melds(context)]
    contradictions = [
        *_find_misplaced(where),
        *_find_misjudged(tricks, facts),
        *_find_impossible_melds(melds),
    ]
    return Evidence(
        deal=deal,
        contracts=[world.contract for world in worlds],
        slots=_possible_slots(context, record, {world.contract for world in worlds}),
        cards=[_card_fact(where, tricks, card) for card in where.places],
        hands=[_hand_fact(where, seat) for seat in range(state.seats)],
        tricks=facts,
        melds=melds,
        stoeck=[_stoeck_fact(record, log, event) for event in log if isinstance(event, ev.StoeckDeclared)],
        points=_points_facts(tricks, ranges, contradictions),
        contradictions=contradictions,
        infractions=[_proof(event) for event in log if isinstance(event, ev.InfractionFound)],
    )


def _possible_slots(context: GameContext, record: DealRecord, contracts: set[str | None]) -> list[str]:
    slots = context.rules.play.slots
    return [s for s in slots if record.slot in (None, s) and not contracts.isdisjoint(slots[s])]


def _proof(event: ev.InfractionFound) -> Proof:
    seqs = [event.at_seq] if event.proof_seq is None else [event.at_seq, event.proof_seq]
    return Proof(event.code, event.seat, event.trick, seqs)


def _list_tricks(log: Sequence[ev.Event]) -> list[PlayedTrick]:
    """Return the tricks of a deal with their recorded takers, the current trick last."""
    tricks: list[PlayedTrick] = []
    for event in log:
        if isinstance(event, ev.CardPlayed):
            if not tricks or tricks[-1].taken is not None:
                tricks.append(PlayedTrick())
            tricks[-1].played.append(event)
        elif isinstance(event, ev.TrickTaken) and tricks:
            tricks[-1].taken = event
    return tricks


def _card_fact(where: CardLocations, tricks: Sequence[PlayedTrick], card: Card) -> CardFact:
    places, claims = where.places[card], where.claims[card]
    place = next(iter(places)) if len(places) == 1 else None
    trick = next((at for at, t in enumerate(tricks, 1) if any(p.card == card for p in t.played)), None)
    seats = sorted(p.seat for p in places if p.kind == "hand" and p.seat is not None)
    seat = None if place is None else place.seat
    return CardFact(
        card=card,
        status="contradictory" if not places else "unknown" if place is None else "proven",
        place=None if place is None else place.kind,
        seat=seat,
        seats=seats,
        from_start=seat is not None and place is not None and where.dealt_to(card, seat),
        trick=trick,
        seqs=sorted({claim.seq for claim in claims} | set(where.deduced.get(card, ()))),
    )


def _hand_fact(where: CardLocations, seat: int) -> HandFact:
    place = Place("hand", seat)
    cards, size = where.in_place(place), where.room.get(place, 0)
    contested = [c for c in where.contradicted() if any(place in said.places for said in where.claims[c])]
    unknown = max(size - len(cards), 0)
    status: Status = "unknown" if unknown else "proven"
    if contested or len(cards) > size:
        status = "contradictory"
    seqs = {claim.seq for card in [*cards, *contested] for claim in where.claims[card]}
    return HandFact(seat, status, size, cards, unknown, sorted(seqs))


def _trick_fact(trick: PlayedTrick, at: int, seats: int, takers: list[int], points: Range) -> TrickFact:
    """Return the fact about trick `at`. takers, points: those that are possible by the cards."""
    recorded = trick.taken
    seqs = [played.seq for played in trick.played] + ([] if recorded is None else [recorded.seq])
    if recorded is not None and recorded.seat is not None:
        if recorded.seat not in takers:
            trick.wrong.append("wrong_taker")
        takers = [recorded.seat]
    if recorded is not None and recorded.points is not None:
        if not points.least <= recorded.points <= points.most:
            trick.wrong.append("wrong_points")
        points = Range(recorded.points, recorded.points)
    proven = len(takers) == 1 and points.least == points.most and recorded is not None
    return TrickFact(
        trick=at + 1,
        status="contradictory" if trick.wrong else "proven" if proven else "unknown",
        taker=takers[0] if len(takers) == 1 else None,
        takers=takers,
        missing=seats - sum(played.card is not None for played in trick.played),
        points=Between(*points),
        seqs=seqs,
    )


def _meld_fact(where: CardLocations, said: Said) -> MeldFact:
    masks = where.possible_melds(said)
    status: Status = "contradictory" if not masks else "proven" if len(masks) == 1 else "unknown"
    return MeldFact(
        seat=said.seat,
        status=status,
        points=said.points,
        top=None if said.top < 0 else DECK[said.top],
        cards=codes(reduce(and_, masks)) if masks else [],
        counts=said.counts,
        seqs=[said.seq],
    )


def _stoeck_fact(record: DealRecord, log: Sequence[ev.Event], said: ev.StoeckDeclared) -> StoeckFact:
    pair = set(list_stoeck_cards(record.contract))
    fell = {event.card: event for event in log if isinstance(event, ev.CardPlayed) and event.card in pair}
    own = [event for event in fell.values() if event.seat == said.seat]
    status: Status = "unknown"
    if len(own) < len(fell) or (record.contract is not None and not pair):
        status = "contradictory"
    elif len(own) == 2:
        status = "proven"
    seqs = sorted([said.seq, *(event.seq for event in fell.values())])
    return StoeckFact(said.seat, status, said.counts, seqs)


def _find_impossible_melds(melds: Sequence[MeldFact]) -> list[Contradiction]:
    return [
        Contradiction("impossible_meld", fact.top, [fact.seat], None, fact.seqs)
        for fact in melds
        if fact.status == "contradictory"
    ]


def _find_misplaced(where: CardLocations) -> list[Contradiction]:
    contradictions = []
    for card in where.contradicted():
        claims = where.claims[card]
        seats = {p.seat for claim in claims for p in claim.places if p.kind == "hand" and p.seat is not None}
        seqs = sorted({claim.seq for claim in claims})
        contradictions.append(Contradiction("card_in_two_places", card, sorted(seats), None, seqs))
    for place in where.crowded():
        seqs = sorted({claim.seq for card in where.in_place(place) for claim in where.claims[card]})
        seats_of_place = [] if place.seat is None else [place.seat]
        contradictions.append(Contradiction("too_many_cards", None, seats_of_place, None, seqs))
    return contradictions


def _find_misjudged(tricks: Sequence[PlayedTrick], facts: Sequence[TrickFact]) -> list[Contradiction]:
    return [
        Contradiction(code, None, fact.takers, fact.trick, fact.seqs)
        for fact, trick in zip(facts, tricks, strict=True)
        for code in trick.wrong
    ]


def _points_facts(
    tricks: Sequence[PlayedTrick], ranges: Sequence[Range], contradictions: Sequence[Contradiction]
) -> list[PointsFact]:
    seqs = [t.taken.seq for t in tricks if t.taken is not None]
    return [
        PointsFact(
            side=side,
            status="contradictory" if contradictions else "proven" if r.least == r.most else "unknown",
            points=Between(*r),
            seqs=seqs,
        )
        for side, r in enumerate(ranges)
    ]
