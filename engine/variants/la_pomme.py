"""La Pomme: two seats; each may exchange three cards for unseen ones; fewer than 21 points cost an apple.

Source: a rule sheet of La Pomme, which prints the Puur as 21. Options: see `Options`. The first dealer is
drawn by lot before the game, and named in the first deal.
"""

from collections.abc import Sequence
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from engine.card_points import DEAL_POINTS, VALUES
from engine.cards import SUIT_NAMES
from engine.commands import TakeTurned
from engine.ledger.state import DealRecord
from engine.phases.dealing import dealing
from engine.phases.exchange import exchange, take_turned
from engine.phases.laying_out import extra_cards
from engine.phases.trick_play import trick_play
from engine.rules import GameContext, Phase, TrickRules, Variant, highest, on
from engine.rules.aims import Aim
from engine.rules.sheet_fields import SheetRules
from engine.rules.tally import Counted, Scored, Tally
from engine.variants.options import Undertrump, trick_rules

HAND: Final = 9
EXTRA: Final = 3
PUUR: Final = 20
APPLE_BELOW: Final = 21
POINTS_TO_WIN: Final = 7
APPLES_TO_LOSE: Final = 3


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Options of La Pomme."""

    puur_value: Annotated[Literal[20, 21], Meta(title="What the Puur counts")] = 21
    goal: Annotated[
        Literal["points", "apples"], Meta(title="The game ends with seven points, or with three apples")
    ] = "points"
    undertrump: Undertrump = "only-trumps"


def _phases(options: Options) -> tuple[Phase, ...]:
    return (
        dealing(HAND + EXTRA, hand=slice(HAND), lay_out=extra_cards(HAND)),
        exchange(),
        trick_play(),
    )


def _play(options: Options) -> TrickRules:
    puur = options.puur_value
    return trick_rules(
        options,
        values={suit: tuple(puur if n == PUUR else n for n in VALUES[suit]) for suit in SUIT_NAMES},
        deal_points=DEAL_POINTS - PUUR + puur,
        all_counted=False,
    )


def _score(options: Options, context: GameContext, record: DealRecord, tally: Tally) -> Scored:
    """Return the score: one point for more card points than the opponent, and independently one point less
    for an apple.
    """
    first, second = tally.cards
    return Scored(
        tally.cards,
        ((first > second) - (first < APPLE_BELOW), (second > first) - (second < APPLE_BELOW)),
    )


def _winner(options: Options, totals: Sequence[int], deals: Sequence[Counted]) -> list[int] | None:
    if options.goal == "points":
        return [side for side, total in enumerate(totals) if total >= POINTS_TO_WIN] or None
    apples = [
        sum(
            (deal.card_points[side] or 0) < APPLE_BELOW
            for deal in deals
            if deal.card_points[side] is not None
        )
        for side in (0, 1)
    ]
    losers = [side for side in (0, 1) if apples[side] >= APPLES_TO_LOSE]
    if len(losers) == 2:
        return highest([points or 0 for points in deals[-1].card_points])
    return [1 - side for side in losers] or None


def _sheet(options: Options, context: GameContext, deal: int) -> SheetRules:
    """Return the rules of the sheet. Extra cards are not played and count for nobody; older sheets counted
    them.
    """
    played = 2 * HAND if context.state.counting > 1 else 2 * (HAND + EXTRA)
    return SheetRules(unused=36 - played)


LA_POMME: Final = Variant(
    key="la-pomme",
    label="La Pomme",
    seats=(2,),
    options=Options,
    rules_version=2,
    phases=_phases,
    play=_play,
    score=_score,
    winner=_winner,
    sheet=_sheet,
    anytime=on(TakeTurned, take_turned),
    draws_forehand=lambda options: True,
    slate="apples",
    aim=Aim(by_margin=False),
)
