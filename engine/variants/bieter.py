"""Bieter: three seats; the highest bidder plays the whole game against the other two.

Source: the club manual of Santiago. Options: see `Options`. Omission: a reached target is not claimed; the
game ends by itself.
"""

from typing import Annotated, Final, Literal

from msgspec import Meta, field

from engine.contracts import CONTRACTS
from engine.ledger.state import State
from engine.phases.auction import auction
from engine.phases.concession import concession
from engine.phases.contract_choice import contract_choice, declarer, never
from engine.phases.dealing import dealing
from engine.phases.discards import discards
from engine.phases.laying_out import WHOLE_TALON, TurnedContracts, last_card, talon_or
from engine.phases.trick_play import trick_play
from engine.rules import DECLARER, Bids, GameContext, Phase, TrickRules, Variant, forehand
from engine.rules.sheet_fields import CHOOSER, SheetRules, bid_field
from engine.scoring.ruling_effects import is_annulled
from engine.variants.options import MeldOptions, StoeckPriority, trick_rules

STEP: Final = 10
TURNED: Final[TurnedContracts] = {"A": "obenabe", "6": "undenufe"}


class Options(MeldOptions, frozen=True, kw_only=True, rename={"raise_by": "raise"}):
    """Options of Bieter."""

    minimum_bid: Annotated[int, Meta(ge=10, le=100_000, title="Lowest first bid")] = 500
    raise_by: Annotated[int, Meta(ge=1, le=10_000, title="How much higher the next bid is at least")] = 10
    first_hand: Annotated[Literal[9, 10], Meta(title="Cards each in the first deal")] = 9
    first_lead: Annotated[Literal["declarer", "forehand"], Meta(title="Who leads in the first deal")] = (
        "declarer"
    )
    turned_contracts: Annotated[
        TurnedContracts, Meta(title="Ranks of the shown card that make no trumps")
    ] = field(default_factory=TURNED.copy)
    opponents_target: Annotated[int, Meta(ge=1, le=1_000_000, title="Points with which opponents win")] = 1000
    stoeck_priority: StoeckPriority = True


def _first_deal(state: State) -> bool:
    """Return whether the declarer won the auction in the current deal."""
    return state.won_in == state.deal


def _phases(options: Options) -> tuple[Phase, ...]:
    return (
        dealing(first_share=options.first_hand, lay_out=talon_or(last_card(options.turned_contracts))),
        auction(
            lambda state: state.variant_state.talon_size > 0,
            Bids(options.minimum_bid, options.raise_by, STEP),
            may_defer=True,
        ),
        discards(),
        contract_choice(CONTRACTS[:6], declarer, never),
        concession(lambda state: not _first_deal(state)),
        trick_play(),
    )


def _play(options: Options) -> TrickRules:
    def lead(state: State) -> int:
        chosen = _first_deal(state) and options.first_lead == "declarer"
        return (state.declarer or 0) if chosen else forehand(state)

    return trick_rules(
        options,
        lead=lead,
        all_counted=False,
        targets=(None, options.opponents_target),
    )


def _sheet(options: Options, context: GameContext, deal: int) -> SheetRules:
    """Return the rules of the sheet. Only the first deal that counts has fields for the declarer and the bid,
    and in it the cards outside hands and talon count for nobody.
    """
    if any(not is_annulled(context.state, before) for before in range(1, deal)):
        return SheetRules(contracts=CONTRACTS[:6], concedes=True)
    bid = bid_field(options.minimum_bid, None, STEP)
    unused = 36 - WHOLE_TALON - 3 * options.first_hand
    return SheetRules(contracts=CONTRACTS[:6], fields=(CHOOSER, bid), unused=unused)


BIETER: Final = Variant(
    key="bieter",
    label="Bieter",
    seats=(3,),
    options=Options,
    rules_version=2,
    partnership=DECLARER,
    phases=_phases,
    play=_play,
    sheet=_sheet,
)
