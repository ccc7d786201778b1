"""Lake Constance: two seats with cards in hand and on the table; the highest bidder names the contract.

Source: a rule sheet of the two-handed game from Lake Constance; obenabe, undenufe and slalom by option
`no_trumps`. Options: see `Options`. A deal scores one stroke for its winner, and a sack (-1) for a loser with
at most 20 points. Omissions: none known.
"""

from collections.abc import Sequence
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from engine.anytime import is_certain, stop_deal
from engine.card_points import DEAL_POINTS, VALUES
from engine.commands import Stop
from engine.contracts import CONTRACTS
from engine.ledger.state import DealRecord, State
from engine.phases.auction import auction
from engine.phases.contract_choice import contract_choice, declarer, never
from engine.phases.dealing import dealing
from engine.phases.laying_out import table_cards
from engine.phases.trick_play import trick_play
from engine.rules import Bids, GameContext, Phase, TrickRules, Variant, highest, on
from engine.rules.aims import Aim
from engine.rules.sheet_fields import CHOOSER, SheetRules, bid_field
from engine.rules.tally import Scored, Tally
from engine.tricks.following import FOLLOWING

ROW: Final = 6
STEP: Final = 5
HIGHEST_BID: Final = 155
SACK: Final = 20
TALLIES_TO_WIN: Final = 5


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Options of Lake Constance."""

    minimum_bid: Annotated[int, Meta(ge=5, le=155, title="Lowest first bid")] = 60
    no_trumps: Annotated[bool, Meta(title="Obenabe, undenufe and slalom may be named")] = False
    undenufe_values: Annotated[
        Literal["source", "six"], Meta(title="In undenufe the ace counts eleven, or the six")
    ] = "source"


def _no_bid(state: State) -> bool:
    """Return whether nobody has won the auction of the current or last deal."""
    return state.won_in != state.deal


def _phases(options: Options) -> tuple[Phase, ...]:
    return (
        dealing(hand=slice(2 * ROW, None), lay_out=table_cards(ROW), again=_no_bid),
        auction(_no_bid, Bids(options.minimum_bid, STEP, STEP), highest=HIGHEST_BID),
        contract_choice(CONTRACTS[: 8 if options.no_trumps else 4], declarer, never),
        trick_play(),
    )


def _play(options: Options) -> TrickRules:
    as_obenabe = ("undenufe", "slalom-undenufe") if options.undenufe_values == "source" else ()
    return TrickRules(
        following=FOLLOWING["strict"],
        values={**VALUES, **dict.fromkeys(as_obenabe, VALUES["obenabe"])},
        lead=lambda state: state.declarer or 0,
    )


def _score(options: Options, context: GameContext, record: DealRecord, tally: Tally) -> Scored | None:
    if record.declarer is None or record.bid is None:
        return None
    taken = tally.cards
    won = taken[record.declarer] >= record.bid
    winner = record.declarer if won else 1 - record.declarer
    sack = taken[1 - winner] + DEAL_POINTS - sum(taken) <= SACK
    return Scored(taken, tuple(1 if side == winner else -int(sack) for side in (0, 1)))


def _sheet(options: Options, context: GameContext, deal: int) -> SheetRules:
    bid = bid_field(options.minimum_bid, HIGHEST_BID, STEP)
    return SheetRules(fields=(CHOOSER, bid), stops=_certain)


def _certain(points: Sequence[int], declarer: int, bid: int) -> bool:
    """Return whether a deal that ended with these points was certain to be won or lost."""
    return is_certain(points[declarer], DEAL_POINTS - sum(points), bid)


LAKE_CONSTANCE: Final = Variant(
    key="lake-constance",
    label="Lake Constance",
    seats=(2,),
    options=Options,
    rules_version=3,
    phases=_phases,
    play=_play,
    score=_score,
    winner=lambda options, totals, deals: highest(totals) if max(totals) >= TALLIES_TO_WIN else None,
    sheet=_sheet,
    anytime=on(Stop, stop_deal),
    slate="sacks",
    aim=Aim(by_margin=False),
)
