"""Effects of rulings on the points of a deal. The record stays unchanged; scores are computed from record and
rulings. Source: incidents of the club manual and published regulations.

Rulings on one deal accumulate in order (two revokes, two transfers). A ruling that fixes the score overrides
the cards; a later ruling that moves points starts from the fixed score. Moved points go to the side that the
ruling names, else to the other sides in equal parts (ADR 16). The variant then scores them like points of
tricks.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final, cast

from msgspec.structs import replace

from engine.cards import SUIT_OF
from engine.contracts import STRENGTH
from engine.ledger.state import NOTHING, DealRecord, MaybePoints, Ruling, State, Ties, Trick
from engine.rules import GameContext
from engine.rules.tally import Counted, Scored
from engine.scoring.deal_scores import Item, count_deal, list_items, score_as_played

FIXING_KINDS = frozenset({"annul_deal", "short_hand", "score_change"})
MOVING_KINDS = frozenset({"award_from_trick", "card_powerless"})
DECLARED_KINDS: Final = ("stoeck", "melds")
"""Kinds of items that count only if they were declared."""
TWO_SIDES: Final = 2
Calls = Callable[[str, int | None], bool]
"""A function of (kind of declaration, side). It returns whether the points of such declarations count."""


def list_active_rulings(state: State) -> list[Ruling]:
    """Return the rulings that no later ruling replaces."""
    gone = {ruling.replaces for ruling in state.rulings}
    return [ruling for ruling in state.rulings if ruling.number not in gone]


def list_rulings_on_deal(state: State, deal: int) -> list[Ruling]:
    """Return the active rulings that affect the points of a deal, in order."""
    return [r for r in list_active_rulings(state) if r.deal == deal and r.kind in FIXING_KINDS | MOVING_KINDS]


def void_card(context: GameContext, record: DealRecord, trick: Trick, at: int, seat: int) -> Trick:
    """Return trick `at` (from 0) with the taker that it has if the card of `seat` cannot take it. All its
    cards must be known.
    """
    strength = STRENGTH[context.rules.mode_in(record, at)][SUIT_OF[trick.cards[0]]]
    others = [i for i, who in enumerate(trick.seats) if who != seat]
    best = max(others, key=lambda i: strength[trick.cards[i]])
    return replace(trick, taker=trick.seats[best])


def find_fixing(rulings: Sequence[Ruling]) -> int | None:
    """Return the index of the ruling that fixes the score of a deal; None if none does.

    A later ruling that starts from the record (`after` unset) overrides it.
    """
    for at in reversed(range(len(rulings))):
        if rulings[at].kind in FIXING_KINDS:
            return at
        if not rulings[at].after:
            return None
    return None


def score_deal(context: GameContext, record: DealRecord, *, calls: Calls | None = None) -> Scored:
    """Return the score of a deal from its record and the active rulings. `calls`: which declared Stöck and
    melds count; None: all. A ruling that fixes the score may ignore it.
    """
    rulings = list_rulings_on_deal(context.state, record.deal) if context.state.rulings else []
    if not rulings and calls is None:
        return score_as_played(context, record)
    at = find_fixing(rulings)
    if at is None:
        return _score_moved(context, record, rulings, calls)
    fixed, later = rulings[at], rulings[at + 1 :]
    annulled = fixed.kind == "annul_deal" or fixed.choice == "annul"
    if annulled or not (later or calls):
        return _score_fixed(context, record, fixed)
    if fixed.kind == "short_hand":
        whole = list(_split(_all_card_points(context, fixed), find_gainers(context, fixed)))
        for ruling in later:
            if ruling.kind == "award_from_trick":
                whole = list(_reassign(context, whole, ruling))
        return count_deal(context, record, whole)
    was, now = (_score_moved(context, record, some, None) for some in (rulings[:at], rulings))
    moved = _add_later_moves(_score_fixed(context, record, fixed), was, now)
    return (
        moved if calls is None else _subtract_calls(moved, now, _score_moved(context, record, rulings, calls))
    )


def list_ruled_items(context: GameContext, record: DealRecord) -> list[Item] | None:
    """Return the items of a deal under active rulings.

    None if there are no items: a ruling fixes the score, or the deal was conceded.
    """
    rulings = list_rulings_on_deal(context.state, record.deal)
    if find_fixing(rulings) is not None or record.variant_state.conceded is not None:
        return None
    return _items_under_rulings(context, record, rulings, None)[1]


def _score_moved(
    context: GameContext, record: DealRecord, rulings: Sequence[Ruling], calls: Calls | None
) -> Scored:
    """Return the score of the deal with its tricks assigned as these rulings say."""
    record, items = _items_under_rulings(context, record, rulings, calls)
    return count_deal(context, record, items)


def _items_under_rulings(
    context: GameContext, record: DealRecord, rulings: Sequence[Ruling], calls: Calls | None
) -> tuple[DealRecord, list[Item]]:
    tricks = list(record.tricks)
    for ruling in rulings:
        if ruling.kind == "card_powerless":
            at, seat = _trick_and_seat(ruling)
            tricks[at] = void_card(context, record, tricks[at], at, seat)
    record = replace(record, tricks=tuple(tricks))
    items = list_items(context, record)
    if calls is not None:
        items = [item for item in items if item.kind not in DECLARED_KINDS or calls(item.kind, item.side)]
    for ruling in rulings:
        if ruling.kind == "award_from_trick":
            items = list(_reassign(context, items, ruling))
    return record, items


def _add_later_moves(fixed: Scored, was: Scored, now: Scored) -> Scored:
    """Return a fixed score plus the difference that later rulings make. `was`, `now`: the score by the tricks
    without and with these rulings.

    With two sides, neither loses more than the fixed score gave it. If the difference is open, the fixed
    score is returned.
    """
    if None in was.scores or None in now.scores:
        return fixed
    three = zip(fixed.scores, was.scores, now.scores, strict=True)
    scores = [(base or 0) + (after or 0) - (before or 0) for base, before, after in three]
    for side, points in enumerate(scores):
        short = min(points - min(fixed.scores[side] or 0, 0), 0)
        if short and len(scores) == TWO_SIDES and sum(scores) == sum(p or 0 for p in fixed.scores):
            scores[side] -= short
            scores[1 - side] += short
            break
    return Scored(fixed.card_points, tuple(scores), now.ties)


def _subtract_calls(counted: Scored, made: Scored, left: Scored) -> Scored:
    """Return a fixed score less the points of declarations that do not count. `made`: the score by the tricks
    with all declarations. `left`: with the declarations that count.

    The fixed score is returned unchanged if its sum differs from the sum of `made`, or if a side has fewer
    points than would be subtracted.
    """
    if None in (*counted.scores, *made.scores, *left.scores) or _sum(counted) != _sum(made):
        return counted
    three = zip(counted.scores, made.scores, left.scores, strict=True)
    scores = tuple((base or 0) - (had or 0) + (has or 0) for base, had, has in three)
    lost = any(now < 0 <= (before or 0) for now, before in zip(scores, counted.scores, strict=True))
    return counted if lost else replace(counted, scores=scores)


def _sum(scored: Scored) -> int:
    return sum(points or 0 for points in scored.scores)


def _trick_and_seat(ruling: Ruling) -> tuple[int, int]:
    return cast("int", ruling.trick) - 1, cast("int", ruling.against)


def find_gainers(context: GameContext, ruling: Ruling) -> list[int]:
    """Return the sides that receive the points of the penalized side: the side that the ruling names, else
    the others in the order of play after the penalized seat.
    """
    state = context.state
    against = cast("int", ruling.against)
    sides = context.rules.sides_of(state)
    if ruling.to is not None:
        return [ruling.to]
    after = [sides[(against + turn) % state.seats] for turn in range(1, state.seats)]
    return [side for side in dict.fromkeys(after) if side != sides[against]]


def _reassign(context: GameContext, items: Sequence[Item], ruling: Ruling) -> Iterator[Item]:
    """Yield the items with everything from a ruling's trick on reassigned.

    The points of the penalized side go to the gainers. A single gainer gets all; several share them in equal
    parts and keep their own points.
    """
    at, seat = _trick_and_seat(ruling)
    loser = context.rules.sides_of(context.state)[seat]
    to = find_gainers(context, ruling)
    taken = [item for item in items if item.trick >= at and item.side in (loser, None)]
    yield from (item for item in items if item not in taken)
    for kind in dict.fromkeys(item.kind for item in taken):
        yield from _split([item for item in taken if item.kind == kind], to)


def _split(taken: Sequence[Item], to: Sequence[int]) -> Iterator[Item]:
    """Yield the items, split in equal parts among the sides `to`. Points that cannot be divided go one each
    to the first of these sides.

    Each part keeps its trick, so that a later ruling can move it again.
    """
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


def _score_fixed(context: GameContext, record: DealRecord, ruling: Ruling) -> Scored:
    nothing = (0,) * context.rules.sides
    as_played = count_deal(context, record, list_items(context, record))
    if ruling.kind == "score_change":
        return Scored(record.card_points or nothing, cast("MaybePoints", ruling.scores), as_played.ties)
    if ruling.kind == "annul_deal" or ruling.choice == "annul":
        return Scored(nothing, nothing, None if as_played.ties is None else record.ties)
    return count_deal(
        context, record, list(_split(_all_card_points(context, ruling), find_gainers(context, ruling)))
    )


def _all_card_points(context: GameContext, ruling: Ruling) -> list[Item]:
    """Return all card points of a deal, as one item of the penalized side."""
    loser = context.rules.sides_of(context.state)[cast("int", ruling.against)]
    return [Item(0, loser, "cards", context.rules.play.deal_points)]


def list_deals(state: State) -> Sequence[DealRecord]:
    """Return the records of the finished deals, or of the deals on the sheet."""
    return state.records if state.mode != "sheet" else tuple(_records_from_sheet(state))


def _records_from_sheet(state: State) -> Iterator[DealRecord]:
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


def score_deals(context: GameContext) -> list[Scored]:
    """Return the score of each deal under active rulings, in order.

    Ties that a ruling makes or breaks are carried to later deals. A deal that neither a ruling nor such ties
    affect keeps its recorded score.
    """
    state = context.state
    scores: list[Scored] = []
    ties: Ties = ()
    touched = {ruling.deal for ruling in state.rulings}
    for record in list_deals(state):
        by_hand = state.mode == "sheet" and state.results[record.deal - 1].by_hand
        changed = record.deal in touched or ties != record.ties
        if list_rulings_on_deal(state, record.deal) if by_hand else changed:
            scored = score_deal(context, replace(record, ties=ties))
        else:
            scored = Scored(record.card_points, record.scores, record.ties_after)
        scores.append(scored)
        ties = scored.ties or ()
    return scores


def get_current_scores(context: GameContext, deal: int) -> tuple[int | None, ...] | None:
    """Return the score of a deal, by side, under active rulings; None while the deal is not scored."""
    for record, scored in zip(list_deals(context.state), score_deals(context), strict=True):
        if record.deal == deal:
            return scored.scores
    return None


def compute_current_totals(context: GameContext) -> list[int]:
    """Return the totals by side under all active rulings: the scores of the deals, and penalties."""
    state = context.state
    totals = [0] * context.rules.sides
    for scored in score_deals(context):
        for side, points in enumerate(scored.scores):
            totals[side] += points or 0
    sides = context.rules.sides_of(state)
    for ruling in list_active_rulings(state):
        if ruling.kind == "penalty" and ruling.against is not None:
            totals[sides[ruling.against]] -= context.rules.variant.score_direction * (ruling.points or 0)
    return totals


def is_final_result(state: State, deal: int) -> bool:
    """Return whether the result of a deal on a sheet is final: confirmed, or declared valid by a ruling."""
    return state.results[deal - 1].confirmed or is_final_by_ruling(state, deal)


def is_final_by_ruling(state: State, deal: int) -> bool:
    """Return whether an active ruling makes the confirmation of a deal unnecessary."""
    return bool(state.rulings) and any(ruling.stands for ruling in list_rulings_on_deal(state, deal))


def is_annulled(state: State, deal: int) -> bool:
    """Return whether a ruling has annulled a deal, so that it does not count."""
    rulings = list_rulings_on_deal(state, deal)
    at = find_fixing(rulings)
    return at is not None and (rulings[at].kind == "annul_deal" or rulings[at].choice == "annul")


def list_counted_deals(context: GameContext) -> Sequence[Counted]:
    """Return the finished deals that are not annulled, with their current scores."""
    state = context.state
    if not state.rulings:
        return list_deals(state)
    both = zip(list_deals(state), score_deals(context), strict=True)
    return [scored for record, scored in both if not is_annulled(state, record.deal)]
