"""Differenzler: three or four seats, each alone; each player predicts their points and scores the difference
between prediction and points.

Source: an instruction sheet for Differenzler (the defaults) and the club manual of Santiago (preset `club`).
Options: see `Options`. Omission, left to the players: the first dealer keeps the score.
"""

from collections.abc import Sequence
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from engine.card_points import DEAL_POINTS, STOECK_POINTS
from engine.ledger.state import DealRecord
from engine.phases.dealing import dealing
from engine.phases.laying_out import TurnedContracts, cut_card, last_card
from engine.phases.predictions import predictions
from engine.phases.trick_play import trick_play
from engine.rules import GameContext, Phase, Variant
from engine.rules.aims import Aim
from engine.rules.sheet_fields import DEALER, TOOK_TRICK, SheetRules, predictions_field
from engine.rules.tally import Scored, Tally
from engine.variants.options import Deals, Undertrump, bad_option, trick_rules


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Options of Differenzler. `deals` null: eight deals for four players, nine for three."""

    deals: Deals = None
    trump: Annotated[Literal["turned", "cut"], Meta(title="Trumps: dealer's last card, or a card cut")] = (
        "turned"
    )
    turned_contracts: Annotated[TurnedContracts, Meta(title="Ranks of that card that make no trumps")] = {}
    sealed_predictions: Annotated[bool, Meta(title="Predictions stay hidden to the last card")] = False
    exact_bonus: Annotated[int, Meta(ge=0, le=DEAL_POINTS, title="Taken off for an exact prediction")] = 0
    undertrump: Undertrump = "void"
    stoeck: Annotated[bool, Meta(title="Stöck moves the points taken by twenty, as its holder says")] = False
    dealer_incentive: Annotated[
        Literal[0, 2, 5], Meta(title="Dealer's share of what the predictions are off by: none, half, a fifth")
    ] = 0
    stake: Annotated[int, Meta(ge=0, le=1_000_000, title="Paid a point of difference to the mean")] = 0


def _complete(options: Options, seats: int) -> Options:
    deals = options.deals or (8 if seats == 4 else 9)
    if deals % seats:
        raise bad_option("deals", f"deals must be a multiple of {seats}, not {deals}")
    if options.dealer_incentive and options.sealed_predictions:
        raise bad_option("dealer_incentive", "dealer_incentive needs open predictions")
    return replace(options, deals=deals)


def _phases(options: Options) -> tuple[Phase, ...]:
    show = cut_card if options.trump == "cut" else last_card
    return (
        dealing(lay_out=show(options.turned_contracts)),
        predictions(DEAL_POINTS, options.sealed_predictions),
        trick_play(),
    )


def _score(options: Options, context: GameContext, record: DealRecord, tally: Tally) -> Scored | None:
    state = context.state
    predicted = [n for n in record.variant_state.predictions[: state.seats] if n is not None and n >= 0]
    if len(predicted) < state.seats:
        return None
    scores = []
    for seat, (prediction, taken) in enumerate(zip(predicted, tally.points, strict=True)):
        penalty = abs(prediction - taken)
        if penalty == 0 and (prediction or seat in tally.takers):
            penalty -= options.exact_bonus
        if options.dealer_incentive and seat == record.dealer:
            penalty -= abs(DEAL_POINTS - sum(predicted)) // options.dealer_incentive
        scores.append(penalty)
    return Scored(tally.cards, tuple(scores))


def _apart(options: Options) -> tuple[int, int] | None:
    """Return the bounds of a side's score, from an exact prediction to a difference of all points.

    None if there is a dealer incentive, which depends on predictions that a total does not show.
    """
    if options.dealer_incentive:
        return None
    return -options.exact_bonus, DEAL_POINTS + (STOECK_POINTS if options.stoeck else 0)


def _sheet(options: Options, context: GameContext, deal: int) -> SheetRules:
    noughts = (TOOK_TRICK,) if options.exact_bonus else ()
    dealer = (DEALER,) if options.dealer_incentive else ()
    return SheetRules(fields=(predictions_field(DEAL_POINTS), *noughts, *dealer))


def _payments(options: Options, totals: Sequence[int]) -> list[int] | None:
    """Return the payments, in n-ths of the unit for n players: the stake times the difference to the mean.
    None without a stake.
    """
    if not options.stake:
        return None
    return [options.stake * (len(totals) * total - sum(totals)) for total in totals]


DIFFERENZLER: Final = Variant(
    key="differenzler",
    label="Differenzler",
    seats=(3, 4),
    options=Options,
    presets={"club": {"exact_bonus": 10, "undertrump": "only-trumps"}},
    rules_version=2,
    complete=_complete,
    phases=_phases,
    play=lambda options: trick_rules(options, stoeck_signed=True),
    score=_score,
    deals=lambda options, sides: options.deals,
    sheet=_sheet,
    recounted=True,
    apart=_apart,
    score_direction=-1,
    payments=_payments,
    slate="predictions",
    aim=Aim("predicted"),
)
