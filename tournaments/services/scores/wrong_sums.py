"""Sheets with a wrong sum: computing the points of the deal by the policy of the regulations.

The policies are: the sheet is refused, the sides share the difference, or the scorer's side carries it. Clubs
use all of them.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from engine import State
from engine.events import ResultEntered
from engine.ledger.state import DealRecord
from engine.registry import build_game_context, get_rules
from engine.scoring.deal_scores import Item, count_deal, list_items
from engine.scoring.ruling_effects import find_fixing, get_current_scores, list_deals, list_rulings_on_deal
from games import game_state
from tournaments.services.scores.scores_without_calls import without_ruling

Scores = tuple[int | None, ...]


def settle_points(
    written: Sequence[int], whole: int, policy: str, scorer: int | None
) -> tuple[int, ...] | None:
    """Correct the card points, by side, so that their sum is `whole`.

    policy "split": all sides share the difference. policy "scorer": an excess is deducted from the scorer's
    side, a deficit is added to the other sides. If the difference cannot be divided evenly, the sides with
    the most points lose one point more, or those with the fewest get one more. Return None with another
    policy, without a scorer where one is needed, or if points would become negative.
    """
    over = sum(written) - whole
    sides = list(range(len(written)))
    if policy == "scorer" and scorer is not None:
        sides = [side for side in sides if (side == scorer) == (over > 0)]
    elif policy != "split":
        return None
    sign = 1 if over > 0 else -1
    each, rest = divmod(abs(over), len(sides))
    ordered = sorted(sides, key=lambda side: -sign * written[side])
    points = list(written)
    for place, side in enumerate(ordered):
        points[side] -= sign * (each + (place < rest))
    return tuple(points) if min(points) >= 0 else None


def list_corrected_scores(
    game_id: str,
    deal: int,
    written: Sequence[int],
    policy: str,
    seat: int | None,
    *,
    replacing: int | None = None,
) -> Scores | None:
    """Return the scores of a deal, by side, after `settle_points` has corrected its card points.

    `written`: card points by side on the sheet, with a wrong sum; `seat`: writer of the sheet; `replacing`:
    number of a ruling to leave out, since it is to be replaced. If another ruling sets the scores, they stay.
    Return None if `settle_points` does, or if the deal was not entered on a sheet.
    """
    state = without_ruling(game_state.load_snapshot(game_id).state, replacing)
    record = next((r for r in list_deals(state) if r.deal == deal), None)
    if state.mode != "sheet" or record is None:
        return None
    whole = sum(points or 0 for points in record.card_points)
    scorer = None if seat is None else get_rules(state).sides_of(state)[seat]
    points = settle_points(written, whole, policy, scorer)
    if points is None:
        return None
    now = get_current_scores(build_game_context(state), deal) or record.scores
    if find_fixing(list_rulings_on_deal(state, deal)) is not None:
        return now
    was = _count_with_points(state, record, tuple(own or 0 for own in record.card_points))
    three = zip(now, was, _count_with_points(state, record, points), strict=True)
    return tuple((counts or 0) - (had or 0) + (has or 0) for counts, had, has in three)


def _count_with_points(state: State, record: DealRecord, points: tuple[int, ...]) -> Scores:
    """Count the deal with these card points.

    Stöck and melds stay. A sweep stays only if its side has all the points.
    """
    took_trick = state.results[record.deal - 1].took_trick
    items = [Item(0, side, "cards", own) for side, own in enumerate(points) if own or side in took_trick]
    for item in list_items(build_game_context(state), record):
        swept = item.kind == "sweep" and item.side is not None and points[item.side] == sum(points)
        if item.kind in ("stoeck", "melds") or swept:
            items.append(item)
    return tuple(count_deal(build_game_context(state), replace(record, card_points=points), items).scores)


def find_scorer(game_id: str, deal: int) -> int | None:
    """Return the seat that last wrote the deal on the sheet; None if no seat did."""
    events = game_state.load_snapshot(game_id).events
    wrote = [event.seat for event in events if isinstance(event, ResultEntered) and event.deal == deal]
    return wrote[-1] if wrote else None
