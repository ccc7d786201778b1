"""What rulings do to the points of a deal. The record stays as it is; what counts is computed beside it.

Source: incidents of the club manual and published regulations. Rulings on one deal add up in their order (two
revokes, two transfers), until one of them fixes the score: then that is what counts.
Known omission: points go to "the other side", so a deal of more than two sides takes score_change only.
"""

from collections.abc import Sequence
from typing import cast

from msgspec.structs import replace

from .cards import SUIT_OF
from .contracts import STRENGTH
from .items import Item, items_of
from .rules import Counted, Scored
from .state import NOTHING, DealRecord, MaybePoints, Ruling, State, Trick
from .tricks import mode_at

FIXED = frozenset({"annul_deal", "short_hand", "score_change"})
MOVED = frozenset({"award_from_trick", "card_powerless"})


def active(state: State) -> list[Ruling]:
    """The rulings that no later one replaces."""
    gone = {ruling.replaces for ruling in state.rulings}
    return [ruling for ruling in state.rulings if ruling.number not in gone]


def concerned(state: State, deal: int) -> list[Ruling]:
    """The active rulings that touch the points of a deal."""
    return [r for r in active(state) if r.deal == deal and r.kind in FIXED | MOVED]


def powerless(record: DealRecord, trick: Trick, at: int, seat: int) -> Trick:
    """The trick as it goes when the card of a seat cannot take it. Needs known cards."""
    strength = STRENGTH[mode_at(record.contract, record.size, at)][SUIT_OF[trick.cards[0]]]
    others = [i for i, who in enumerate(trick.seats) if who != seat]
    best = max(others, key=lambda i: strength[trick.cards[i]])
    return replace(trick, taker=trick.seats[best])


def score_of(state: State, record: DealRecord) -> Scored:
    """The points of a deal, taken from its facts and the active rulings on it."""
    rules = state.rules
    if not state.rulings:
        return rules.variant.score(state, record, items_of(state, record))
    rulings = concerned(state, record.deal)
    if rulings and rulings[-1].kind in FIXED:
        return _fixed(state, record, rulings[-1])
    sides = rules.variant.sides(state)
    tricks = list(record.tricks)
    for ruling in rulings:
        if ruling.kind == "card_powerless":
            at, seat = _trick_and_seat(ruling)
            tricks[at] = powerless(record, tricks[at], at, seat)
    record = replace(record, tricks=tuple(tricks))
    items = items_of(state, record)
    for ruling in rulings:
        if ruling.kind == "award_from_trick":
            at, seat = _trick_and_seat(ruling)
            items = [_given(item, at, 1 - sides[seat]) for item in items]
    return rules.variant.score(state, record, items)


def _trick_and_seat(ruling: Ruling) -> tuple[int, int]:
    return cast("int", ruling.trick) - 1, cast("int", ruling.against)


def _given(item: Item, from_trick: int, side: int) -> Item:
    return replace(item, side=side) if item.trick >= from_trick else item


def _fixed(state: State, record: DealRecord, ruling: Ruling) -> Scored:
    rules = state.rules
    nothing = (0,) * rules.sides
    if ruling.kind == "score_change":
        return Scored(record.card_points or nothing, cast("MaybePoints", ruling.scores))
    if ruling.kind == "annul_deal" or ruling.choice == "annul":
        return Scored(nothing, nothing)
    loser = rules.variant.sides(state)[cast("int", ruling.against)]
    factor = rules.play.multiplier(record.contract, record.slot)
    cards = tuple(0 if side == loser else rules.play.deal_points for side in range(rules.sides))
    return Scored(cards, tuple(factor * points for points in cards))


def scores_now(state: State, deal: int) -> tuple[int | None, ...] | None:
    """What a deal counts with the active rulings on it; None while it is not scored."""
    rulings = concerned(state, deal)
    if state.mode == "sheet":
        result = state.results[deal - 1]
        if not rulings:
            return result.scores
        record = DealRecord(
            deal, 0, None, result.contract, None, None, (), (), (), NOTHING, result.card_points
        )
        return _fixed(state, record, rulings[-1]).scores
    found = next((r for r in state.records if r.deal == deal), None)
    if found is None:
        return None
    touched = any(r.deal == deal for r in state.rulings)
    return score_of(state, found).scores if touched else found.scores


def totals_now(state: State) -> list[int]:
    """The totals with all active rulings: what the deals count, less the penalties."""
    deals = range(1, len(state.results) + 1) if state.mode == "sheet" else [r.deal for r in state.records]
    totals = [0] * state.rules.sides
    for deal in deals:
        for side, points in enumerate(scores_now(state, deal) or ()):
            totals[side] += points or 0
    sides = state.rules.variant.sides(state)
    for ruling in active(state):
        if ruling.kind == "penalty" and ruling.against is not None:
            totals[sides[ruling.against]] -= ruling.points or 0
    return totals


def is_annulled(state: State, deal: int) -> bool:
    """Whether a deal does not count and has to be dealt again."""
    rulings = concerned(state, deal)
    last = rulings[-1] if rulings else None
    return last is not None and (last.kind == "annul_deal" or last.choice == "annul")


def counted_deals(state: State) -> Sequence[Counted]:
    """The deals that are over and not annulled, as they count now."""
    if not state.rulings:
        return state.records
    standing = [record for record in state.records if not is_annulled(state, record.deal)]
    return [score_of(state, record) if concerned(state, record.deal) else record for record in standing]
