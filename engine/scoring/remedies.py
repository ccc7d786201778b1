"""What rulings do to the points of a deal. The record stays as it is; what counts is computed beside it.

Source: incidents of the club manual and published regulations. Rulings on one deal add up in their order (two
revokes, two transfers). One that fixes the score says what counts; a later one that moves points moves them
from there, and none of a deal that is annulled. What a side loses goes to the other one; where there are
several, to the one that is named, else to all of them in equal parts (ADR 16). The points moved are counted
by the score of the game itself.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final, cast

from msgspec.structs import replace

from engine.cards import SUIT_OF
from engine.contracts import STRENGTH
from engine.ledger.state import NOTHING, DealRecord, MaybePoints, Ruling, State, Ties, Trick
from engine.rules import GameContext
from engine.rules.tally import Counted, Scored
from engine.scoring.items import Item, as_played, count_deal, items_of

FIXED = frozenset({"annul_deal", "short_hand", "score_change"})
MOVED = frozenset({"award_from_trick", "card_powerless"})
CALLED: Final = ("stoeck", "melds")
"""What a player has to call for it to count."""
BETWEEN_TWO: Final = 2
Calls = Callable[[str, int | None], bool]
"""Whether calls of this kind count for this side."""


def active(state: State) -> list[Ruling]:
    """The rulings that no later one replaces."""
    gone = {ruling.replaces for ruling in state.rulings}
    return [ruling for ruling in state.rulings if ruling.number not in gone]


def concerned(state: State, deal: int) -> list[Ruling]:
    """The active rulings that touch the points of a deal."""
    return [r for r in active(state) if r.deal == deal and r.kind in FIXED | MOVED]


def void_card(table: GameContext, record: DealRecord, trick: Trick, at: int, seat: int) -> Trick:
    """The trick as it goes when the card of a seat cannot take it. Needs known cards."""
    strength = STRENGTH[table.rules.mode_in(record, at)][SUIT_OF[trick.cards[0]]]
    others = [i for i, who in enumerate(trick.seats) if who != seat]
    best = max(others, key=lambda i: strength[trick.cards[i]])
    return replace(trick, taker=trick.seats[best])


def fixing(rulings: Sequence[Ruling]) -> int | None:
    """Where the ruling stands that fixes the score of a deal; None where none does. One that began from the
    record after it (`after` unset) has put it aside."""
    for at in reversed(range(len(rulings))):
        if rulings[at].kind in FIXED:
            return at
        if not rulings[at].after:
            return None
    return None


def score_of(table: GameContext, record: DealRecord, *, calls: Calls | None = None) -> Scored:
    """The points of a deal, taken from its facts and the active rulings on it. `calls`: which Stöck and melds
    count; without it all that were made."""
    rulings = concerned(table.state, record.deal) if table.state.rulings else []
    if not rulings and calls is None:
        return as_played(table, record)
    at = fixing(rulings)
    if at is None:
        return _moved(table, record, rulings, calls)
    fixed, later = rulings[at], rulings[at + 1 :]
    annulled = fixed.kind == "annul_deal" or fixed.choice == "annul"
    if annulled or not (later or calls):
        return _fixed(table, record, fixed)
    if fixed.kind == "short_hand":
        whole = list(_shared(_whole(table, fixed), gainers(table, fixed)))
        for ruling in later:
            if ruling.kind == "award_from_trick":
                whole = list(_awarded(table, whole, ruling))
        return count_deal(table, record, whole)
    was, now = (_moved(table, record, some, None) for some in (rulings[:at], rulings))
    moved = _onward(_fixed(table, record, fixed), was, now)
    return moved if calls is None else _less(moved, now, _moved(table, record, rulings, calls))


def items_now(table: GameContext, record: DealRecord) -> list[Item] | None:
    """What counts in a deal with the active rulings on it, in the order it fell; None where it is not known:
    a ruling says the score, or the deal was given away."""
    rulings = concerned(table.state, record.deal)
    if fixing(rulings) is not None or record.extras.conceded is not None:
        return None
    return _items(table, record, rulings, None)[1]


def _moved(table: GameContext, record: DealRecord, rulings: Sequence[Ruling], calls: Calls | None) -> Scored:
    """The deal with its tricks as these rulings give them."""
    record, items = _items(table, record, rulings, calls)
    return count_deal(table, record, items)


def _items(
    table: GameContext, record: DealRecord, rulings: Sequence[Ruling], calls: Calls | None
) -> tuple[DealRecord, list[Item]]:
    tricks = list(record.tricks)
    for ruling in rulings:
        if ruling.kind == "card_powerless":
            at, seat = _trick_and_seat(ruling)
            tricks[at] = void_card(table, record, tricks[at], at, seat)
    record = replace(record, tricks=tuple(tricks))
    items = items_of(table, record)
    if calls is not None:
        sides = table.rules.sides_of(table.state)
        items = [item for item in items if item.kind not in CALLED or calls(item.kind, item.side)]
        record = replace(
            record,
            stoeck=tuple(said for said in record.stoeck if calls("stoeck", sides[said[0]])),
            melds=tuple(said for said in record.melds if calls("melds", said[0])),
        )
    for ruling in rulings:
        if ruling.kind == "award_from_trick":
            items = list(_awarded(table, items, ruling))
    return record, items


def _onward(fixed: Scored, was: Scored, now: Scored) -> Scored:
    """A score that was set, with what the tricks bring since: between two sides nobody loses more than there
    is. Where that is open, the score stays as it was set."""
    if None in was.scores or None in now.scores:
        return fixed
    three = zip(fixed.scores, was.scores, now.scores, strict=True)
    scores = [(base or 0) + (after or 0) - (before or 0) for base, before, after in three]
    for side, points in enumerate(scores):
        short = min(points - min(fixed.scores[side] or 0, 0), 0)
        if short and len(scores) == BETWEEN_TWO and sum(scores) == sum(p or 0 for p in fixed.scores):
            scores[side] -= short
            scores[1 - side] += short
            break
    return Scored(fixed.card_points, tuple(scores), now.ties)


def _less(counted: Scored, made: Scored, left: Scored) -> Scored:
    """A score that was set, less the calls that do not count, as far as it still has them: where it adds up
    to what the deal brought with them, and the side has as much."""
    if None in (*counted.scores, *made.scores, *left.scores) or _sum(counted) != _sum(made):
        return counted
    three = zip(counted.scores, made.scores, left.scores, strict=True)
    scores = tuple((base or 0) - (had or 0) + (has or 0) for base, had, has in three)
    lost = any(now < 0 <= (before or 0) for now, before in zip(scores, counted.scores, strict=True))
    return counted if lost else Scored(counted.card_points, scores, left.ties)


def _sum(scored: Scored) -> int:
    return sum(points or 0 for points in scored.scores)


def _trick_and_seat(ruling: Ruling) -> tuple[int, int]:
    return cast("int", ruling.trick) - 1, cast("int", ruling.against)


def gainers(table: GameContext, ruling: Ruling) -> list[int]:
    """The sides that get what the side of a ruling's seat loses, in the order of play after that seat."""
    state = table.state
    against = cast("int", ruling.against)
    sides = table.rules.sides_of(state)
    if ruling.to is not None:
        return [ruling.to]
    after = [sides[(against + turn) % state.seats] for turn in range(1, state.seats)]
    return [side for side in dict.fromkeys(after) if side != sides[against]]


def _awarded(table: GameContext, items: Sequence[Item], ruling: Ruling) -> Iterator[Item]:
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


def _fixed(table: GameContext, record: DealRecord, ruling: Ruling) -> Scored:
    nothing = (0,) * table.rules.sides
    as_played = count_deal(table, record, items_of(table, record))
    if ruling.kind == "score_change":
        return Scored(record.card_points or nothing, cast("MaybePoints", ruling.scores), as_played.ties)
    if ruling.kind == "annul_deal" or ruling.choice == "annul":
        return Scored(nothing, nothing, None if as_played.ties is None else record.ties)
    return count_deal(table, record, list(_shared(_whole(table, ruling), gainers(table, ruling))))


def _whole(table: GameContext, ruling: Ruling) -> list[Item]:
    """All points of the cards, as the side had them that a ruling takes them from."""
    loser = table.rules.sides_of(table.state)[cast("int", ruling.against)]
    return [Item(0, loser, "cards", table.rules.play.deal_points)]


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


def deals_now(table: GameContext) -> list[Scored]:
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


def scores_now(table: GameContext, deal: int) -> tuple[int | None, ...] | None:
    """What a deal counts with the active rulings on it; None while it is not scored."""
    for record, scored in zip(deals_of(table.state), deals_now(table), strict=True):
        if record.deal == deal:
            return scored.scores
    return None


def totals_now(table: GameContext) -> list[int]:
    """The totals with all active rulings: what the deals count, and the penalties."""
    state = table.state
    totals = [0] * table.rules.sides
    for scored in deals_now(table):
        for side, points in enumerate(scored.scores):
            totals[side] += points or 0
    sides = table.rules.sides_of(state)
    for ruling in active(state):
        if ruling.kind == "penalty" and ruling.against is not None:
            totals[sides[ruling.against]] -= table.rules.variant.score_direction * (ruling.points or 0)
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
    at = fixing(rulings)
    return at is not None and (rulings[at].kind == "annul_deal" or rulings[at].choice == "annul")


def counted_deals(table: GameContext) -> Sequence[Counted]:
    """The deals that are over and not annulled, as they count now."""
    state = table.state
    if not state.rulings:
        return deals_of(state)
    both = zip(deals_of(state), deals_now(table), strict=True)
    return [scored for record, scored in both if not is_annulled(state, record.deal)]
