"""Differenzler: three or four seats, each alone; everyone predicts his points and pays for the difference.

Source: an instruction sheet for Differenzler (the defaults) and the club manual of Santiago (preset `club`).
Options: see `Options`. Omissions: the first dealer keeps the score and deals are announced at a table without
cards of its own; both are left to the people.
"""

from collections.abc import Sequence
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from engine.errors import IllegalCommand
from engine.following import FOLLOWING
from engine.items import Item, count_deal
from engine.options import Undertrump
from engine.phases.dealing import dealing
from engine.phases.laying_out import TurnedContracts, cut_card, last_card
from engine.phases.predictions import predictions
from engine.phases.trick_play import reveal_predictions, trick_play
from engine.rules import Counted, Phase, Scored, TrickRules, Variant, lowest
from engine.state import DealRecord, State

POINTS: Final = 157


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The choices of Differenzler; `deals` null is two rounds of four or three of three."""

    deals: Annotated[Annotated[int, Meta(ge=1, le=1000)] | None, Meta(title="Deals in a game")] = None
    trump: Annotated[Literal["turned", "cut"], Meta(title="Trumps: dealer's last card, or a card cut")] = (
        "turned"
    )
    turned_contracts: Annotated[TurnedContracts, Meta(title="Ranks of that card that make no trumps")] = (
        field(default_factory=dict)
    )
    sealed_predictions: Annotated[bool, Meta(title="Predictions stay hidden to the last card")] = False
    exact_bonus: Annotated[int, Meta(ge=0, le=157, title="Taken off for an exact prediction")] = 0
    undertrump: Undertrump = "void"
    stoeck: Annotated[bool, Meta(title="Stöck moves the points taken by twenty, as its holder says")] = False
    dealer_incentive: Annotated[
        Literal[0, 2, 5], Meta(title="Dealer's share of what the predictions are off by: none, half, a fifth")
    ] = 0
    stake: Annotated[int, Meta(ge=0, le=1_000_000, title="Paid a point of difference to the mean")] = 0


def _complete(options: Options, seats: int) -> Options:
    deals = options.deals or (8 if seats == 4 else 9)
    if deals % seats:
        raise IllegalCommand(
            "start/bad_options", f"deals must be a multiple of {seats}, not {deals}", reason="deals"
        )
    if options.dealer_incentive and options.sealed_predictions:
        raise IllegalCommand(
            "start/bad_options", "dealer_incentive needs open predictions", reason="dealer_incentive"
        )
    return replace(options, deals=deals)


def _cuts(options: Options) -> bool:
    return options.trump == "cut"


def _phases(options: Options) -> tuple[Phase, ...]:
    show = cut_card if _cuts(options) else last_card
    return (
        dealing(lay_out=show(options.turned_contracts)),
        predictions(POINTS, options.sealed_predictions),
        trick_play(),
    )


def _score(state: State, record: DealRecord, items: Sequence[Item]) -> Scored:
    options: Options = state.rules.options
    counted = count_deal(state, record, items)
    predicted = record.extras.predictions[: state.seats]
    if None in counted.scores or None in predicted:
        return Scored(counted.card_points, (None,) * state.seats)
    takers = {trick.taker for trick in record.tricks}
    scores = []
    for seat, (prediction, taken) in enumerate(zip(predicted, counted.scores, strict=True)):
        penalty = abs((prediction or 0) - (taken or 0))
        if penalty == 0 and (prediction or seat in takers):
            penalty -= options.exact_bonus
        if options.dealer_incentive and seat == record.dealer:
            penalty -= abs(POINTS - sum(p or 0 for p in predicted)) // options.dealer_incentive
        scores.append(penalty)
    return Scored(counted.card_points, tuple(scores))


def _winner(options: Options, totals: Sequence[int], deals: Sequence[Counted]) -> list[int] | None:
    return lowest(totals) if len(deals) >= (options.deals or 0) else None


def _payments(options: Options, totals: Sequence[int]) -> list[int] | None:
    """In n-ths of the unit: the stake times the difference to the mean."""
    if not options.stake:
        return None
    return [options.stake * (len(totals) * total - sum(totals)) for total in totals]


DIFFERENZLER: Final = Variant(
    key="differenzler",
    label="Differenzler",
    seats=(3, 4),
    options=Options,
    presets={"club": {"exact_bonus": 10, "undertrump": "only-trumps"}},
    rules_version=1,
    complete=_complete,
    cuts=_cuts,
    phases=_phases,
    play=lambda options: TrickRules(
        following=FOLLOWING[options.undertrump],
        stoeck=options.stoeck,
        stoeck_signed=True,
        after_trick=reveal_predictions if options.sealed_predictions else None,
    ),
    score=_score,
    winner=_winner,
    leaders=lowest,
    payments=_payments,
)
