"""What rulings do to the points of a deal. The record stays as it is; what counts is computed beside it.

Source: incidents of the club manual and published regulations. Rulings on one deal add up in their order (two
revokes, two transfers), until one of them fixes the score: then that is what counts. What a side loses goes
to the other one; where there are several, to the one that is named, else to all of them in equal parts
(ADR 7). The points moved are counted by the score of the game itself.
"""

from collections.abc import Iterator, Sequence
from typing import cast

from msgspec.structs import replace

from engine.cards import SUIT_OF
from engine.contracts import STRENGTH
from engine.ledger.state import NOTHING, DealRecord, MaybePoints, Ruling, State, Ties, Trick
from engine.rules import Table
from engine.scoring.items import Item, as_played, count_deal, items_of
from engine.scoring.tally import Counted, Scored

FIXED = frozenset({"annul_deal", "short_hand", "score_change"})
MOVED = frozenset({"award_from_trick", "card_powerless"})


def active(state: State) -> list[Ruling]:
    """The rulings that no later one replaces."""
    gone = {ruling.replaces for ruling in state.rulings}
    return [ruling for ruling in state.rulings if ruling.number not in gone]


def concerned(state: State, deal: int) -> list[Ruling]:
    """The active rulings that touch the points of a deal."""
    return [r for r in active(state) if r.deal == deal and r.kind in FIXED | MOVED]


def powerless(table: Table, record: DealRecord, trick: Trick, at: int, seat: int) -> Trick:
    """The trick as it goes when the card of a seat cannot take it. Needs known cards."""
    strength = STRENGTH[table.rules.mode_in(record, at)][SUIT_OF[trick.cards[0]]]
    others = [i for i, who in enumerate(trick.seats) if who != seat]
    best = max(others, key=lambda i: strength[trick.cards[i]])
    return replace(trick, taker=trick.seats[best])


def score_of(table: Table, record: DealRecord) -> Scored:
    """The points of a deal, taken from its facts and the active rulings on it."""
    state = table.state
    if not state.rulings:
        return as_played(table, record)
    rulings = concerned(state, record.deal)
    if rulings and rulings[-1].kind in FIXED:
        return _fixed(table, record, rulings[-1])
    tricks = list(record.tricks)
    for ruling in rulings:
        if ruling.kind == "card_powerless":
            at, seat = _trick_and_seat(ruling)
            tricks[at] = powerless(table, record, tricks[at], at, seat)
    record = replace(record, tricks=tuple(tricks))
    items = items_of(table, record)
    for ruling in rulings:
        if ruling.kind == "award_from_trick":
            items = list(_awarded(table, items, ruling))
    return count_deal(table, record, items)


def _trick_and_seat(ruling: Ruling) -> tuple[int, int]:
    return cast("int", ruling.trick) - 1, cast("int", ruling.against)


def gainers(table: Table, ruling: Ruling) -> list[int]:
    """The sides that get what the side of a ruling's seat loses, in the order of play after that seat."""
    state = table.state
    against = cast("int", ruling.against)
    sides = table.rules.sides_of(state)
    if ruling.to is not None:
        return [ruling.to]
    after = [sides[(against + turn) % state.seats] for turn in range(1, state.seats)]
    return [side for side in dict.fromkeys(after) if side != sides[against]]


def _awarded(table: Table, items: Sequence[Item], ruling: Ruling) -> Iterator[Item]:
    """Everything that fell from a trick on: a side against one gets all of it; of several, each keeps its own
    and they share what the guilty side had."""
    at, seat = _trick_and_seat(ruling)
    loser = table.rules.sides_of(table.state)[seat]
    to = gainers(table, ruling)
    taken = [item for item in items if item.trick >= at and item.side in (loser, None)]
    yield from (item for item in items if item not in taken)
    for kind in dict.fromkeys(item.kind for item in taken):
        yield from _shared([item for item in taken if item.kind == kind], to)


def _shared(taken: Sequence[Item], to: Sequence[int]) -> Iterator[Item]:
    """In equal parts; the points that do not divide go one each to the first in order of play. Each part
    stays where it fell, so that a later ruling may move it on from there."""
    total, shares = 0, [0] * len(to)
    for item in taken:
        if item.points is None or (item.side is None and len(to) > 1):
            yield replace(item, side=to[0] if len(to) == 1 else None, points=None)
            continue
        total += item.points
        each, over = divmod(total, len(to))
        for place, side in enumerate(to):
            share = each + (place < over)
            yield replace(item, side=side, points=share - shares[place])
            shares[place] = share


def _fixed(table: Table, record: DealRecord, ruling: Ruling) -> Scored:
    nothing = (0,) * table.rules.sides
    as_played = count_deal(table, record, items_of(table, record))
    if ruling.kind == "score_change":
        return Scored(record.card_points or nothing, cast("MaybePoints", ruling.scores), as_played.ties)
    if ruling.kind == "annul_deal" or ruling.choice == "annul":
        return Scored(nothing, nothing, None if as_played.ties is None else record.ties)
    loser = table.rules.sides_of(table.state)[cast("int", ruling.against)]
    whole = [Item(0, loser, "cards", table.rules.play.deal_points)]
    return count_deal(table, record, list(_shared(whole, gainers(table, ruling))))


def deals_of(state: State) -> Sequence[DealRecord]:
    """The deals that are over, or written on the sheet."""
    return state.records if state.mode != "sheet" else tuple(_on_sheet(state))


def _on_sheet(state: State) -> Iterator[DealRecord]:
    ties: Ties = ()
    for deal, result in enumerate(state.results, 1):
        yield DealRecord(
            deal,
            0,
            result.dealer,
            result.contract,
            result.chooser,
            result.slot,
            (),
            (),
            (),
            replace(NOTHING, predictions=result.predictions or NOTHING.predictions),
            result.card_points,
            result.scores,
            ties,
            result.ties,
            result.bid,
            declarer=result.chooser,
        )
        ties = result.ties or ()


def deals_now(table: Table) -> list[Scored]:
    """What each deal counts with the active rulings, in order. Ties that a ruling makes or unmakes go on to
    the deals after it; a deal that nothing has touched counts as it was recorded."""
    state = table.state
    found: list[Scored] = []
    ties: Ties = ()
    touched = {ruling.deal for ruling in state.rulings}
    for record in deals_of(state):
        by_hand = state.mode == "sheet" and state.results[record.deal - 1].by_hand
        changed = record.deal in touched or ties != record.ties
        if concerned(state, record.deal) if by_hand else changed:
            scored = score_of(table, replace(record, ties=ties))
        else:
            scored = Scored(record.card_points, record.scores, record.ties_after)
        found.append(scored)
        ties = scored.ties or ()
    return found


def scores_now(table: Table, deal: int) -> tuple[int | None, ...] | None:
    """What a deal counts with the active rulings on it; None while it is not scored."""
    for record, scored in zip(deals_of(table.state), deals_now(table), strict=True):
        if record.deal == deal:
            return scored.scores
    return None


def totals_now(table: Table) -> list[int]:
    """The totals with all active rulings: what the deals count, and the penalties."""
    state = table.state
    totals = [0] * table.rules.sides
    for scored in deals_now(table):
        for side, points in enumerate(scored.scores):
            totals[side] += points or 0
    sides = table.rules.sides_of(state)
    for ruling in active(state):
        if ruling.kind == "penalty" and ruling.against is not None:
            totals[sides[ruling.against]] -= table.rules.variant.better * (ruling.points or 0)
    return totals


def stands(state: State, deal: int) -> bool:
    """Whether what a deal of a sheet counts needs nobody's signature: it has one, or a ruling has decided."""
    return state.results[deal - 1].confirmed or stands_by_ruling(state, deal)


def stands_by_ruling(state: State, deal: int) -> bool:
    """Whether a ruling in force says what a deal of a sheet counts, in the place of signatures."""
    return bool(state.rulings) and any(ruling.stands for ruling in concerned(state, deal))


def is_annulled(state: State, deal: int) -> bool:
    """Whether a deal does not count and has to be dealt again."""
    rulings = concerned(state, deal)
    last = rulings[-1] if rulings else None
    return last is not None and (last.kind == "annul_deal" or last.choice == "annul")


def counted_deals(table: Table) -> Sequence[Counted]:
    """The deals that are over and not annulled, as they count now."""
    state = table.state
    if not state.rulings:
        return deals_of(state)
    both = zip(deals_of(state), deals_now(table), strict=True)
    return [scored for record, scored in both if not is_annulled(state, record.deal)]
