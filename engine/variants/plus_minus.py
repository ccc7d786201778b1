"""Plus-Minus: three or four seats, each alone; the first card that does not follow suit makes its suit
trumps.

Source: a leaflet on Plus-Minus. Options: see `Options`. The first dealer is drawn by lot before the game, and
named in the first deal.
"""

from collections.abc import Sequence
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from engine.ledger.state import DealRecord
from engine.phases.dealing import dealing
from engine.phases.trick_play import trick_play
from engine.rules import GameContext, Variant, highest
from engine.rules.aims import Aim
from engine.rules.tally import Counted, Scored, Tally
from engine.variants.options import trick_rules

STICKS_TO_WIN: Final = 7
HUNDRED: Final = 100
Ties = tuple[tuple[int, ...], ...]


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Options of Plus-Minus."""

    undertrump: Annotated[
        Literal["forced", "only-trumps"],
        Meta(title="Who can neither follow nor overtrump: must trump lower, or may not"),
    ] = "forced"


def sticks(points: Sequence[int]) -> tuple[list[int], Ties]:
    """Return the score of each seat in a deal (“sticks”), and the pairs of seats that tied for a scoring
    place, which then scores nothing.
    """
    for odd, own in enumerate(points):
        others = {points[seat] for seat in range(len(points)) if seat != odd}
        if len(others) == 1 and own not in others:
            return [2 * (seat == odd) for seat in range(len(points))], ()
    scores = [0] * len(points)
    ties = []
    for place in [min(points)] if max(points) >= HUNDRED else [max(points), min(points)]:
        there = tuple(seat for seat, own in enumerate(points) if own == place)
        if len(there) == 1:
            scores[there[0]] += 1
        elif len(there) == 2:
            ties.append(there)
    return scores, tuple(ties)


def _score(options: Options, context: GameContext, record: DealRecord, tally: Tally) -> Scored:
    scores, new = sticks(tally.cards)
    paid = list(scores)
    left = []
    for tie in record.ties:
        scoring = [seat for seat in tie if scores[seat]]
        if len(scoring) == 1:
            paid[scoring[0]] += 1
        else:
            left.append(tie)
    return Scored(tally.cards, tuple(paid), (*left, *new))


def _winner(options: Options, totals: Sequence[int], deals: Sequence[Counted]) -> list[int] | None:
    ahead = highest(totals)
    return ahead if len(ahead) == 1 and max(totals) >= STICKS_TO_WIN else None


PLUS_MINUS: Final = Variant(
    key="plus-minus",
    label="Plus-Minus",
    seats=(3, 4),
    options=Options,
    rules_version=2,
    phases=lambda options: (dealing(), trick_play()),
    play=lambda options: trick_rules(options, names_trumps=True),  # trick_play.set_named_trumps
    score=_score,
    ties=True,
    winner=_winner,
    draws_forehand=lambda options: True,
    slate="strokes",
    aim=Aim("either_end", by_margin=False),
)
