"""Bieter: three seats; whoever bids most plays the whole game against the other two.

Source: the club manual of Santiago. Options: see `Options`. Side 0 is the declarer, side 1 the opponents.
Omissions: nobody claims out, the game ends by itself; a sheet knows no bid, so there seat 0 is the declarer
and only the opponents' target ends the game.
"""

from collections.abc import Sequence
from typing import Annotated, Final, Literal

from msgspec import Meta, field

from engine.contracts import CONTRACTS
from engine.draft import Draft
from engine.following import FOLLOWING
from engine.items import Item, count_deal
from engine.options import MeldOptions, meld_rules
from engine.phases.auction import auction
from engine.phases.concession import concession
from engine.phases.contract_choice import contract_choice, declarer, never
from engine.phases.dealing import Dealt, dealing, whole_deck
from engine.phases.discards import count_discards, discards
from engine.phases.laying_out import TurnedContracts, last_card, talon
from engine.phases.trick_play import trick_play
from engine.rules import Counted, Phase, Scored, Sides, TrickRules, Variant, forehand
from engine.state import DealRecord, State

STEP: Final = 10
NO_BID: Final = 1_000_000_000


def _turned() -> TurnedContracts:
    return {"A": "obenabe", "6": "undenufe"}


class Options(MeldOptions, frozen=True, kw_only=True, rename={"raise_by": "raise"}):
    """The choices of Bieter."""

    minimum_bid: Annotated[int, Meta(ge=10, le=100_000, title="Lowest first bid")] = 500
    raise_by: Annotated[int, Meta(ge=1, le=10_000, title="How much higher the next bid is at least")] = 10
    first_hand: Annotated[Literal[9, 10], Meta(title="Cards each in the first deal")] = 9
    first_lead: Annotated[Literal["declarer", "forehand"], Meta(title="Who leads in the first deal")] = (
        "declarer"
    )
    turned_contracts: Annotated[
        TurnedContracts, Meta(title="Ranks of the shown card that make no trumps")
    ] = field(default_factory=_turned)
    opponents_target: Annotated[int, Meta(ge=1, le=1_000_000, title="Points with which opponents win")] = 1000
    stoeck_priority: Annotated[bool, Meta(title="At the end Stöck counts before melds and tricks")] = True


def _sides(state: State) -> Sides:
    declarer = 0 if state.mode == "sheet" else state.declarer
    return [0 if seat == declarer else 1 for seat in range(state.seats)]


def _first_deal(state: State) -> bool:
    """The declarer of this game was found in this deal."""
    return state.won_in == state.deal


def _phases(options: Options) -> tuple[Phase, ...]:
    shown = last_card(options.turned_contracts)

    def share(state: State) -> int:
        again = state.annulled and _first_deal(state)
        return options.first_hand if state.declarer is None or again else whole_deck(state)

    def lay_out(draft: Draft, dealt: Dealt) -> None:
        if dealt.rest:
            talon(draft, dealt)
        else:
            shown(draft, dealt)

    return (
        dealing(share, lay_out=lay_out),
        auction(
            lambda state: state.extras.talon_size > 0,
            minimum=options.minimum_bid,
            raise_by=options.raise_by,
            step=STEP,
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
        return declarer(state) if chosen else forehand(state)

    return TrickRules(
        following=FOLLOWING[options.undertrump],
        lead=lead,
        all_counted=False,
        **meld_rules(options),
        targets=lambda state: (state.bid or NO_BID, options.opponents_target),
        stoeck_priority=options.stoeck_priority,
        after_trick=count_discards,
    )


def _score(state: State, record: DealRecord, items: Sequence[Item]) -> Scored:
    conceded = record.extras.conceded
    if conceded is not None:
        return Scored((0, state.rules.play.deal_points), (0, conceded))
    return count_deal(state, record, items)


def _winner(options: Options, totals: Sequence[int], deals: Sequence[Counted]) -> list[int] | None:
    """Targets alone end the game."""
    return None


BIETER: Final = Variant(
    key="bieter",
    label="Bieter",
    seats=(3,),
    options=Options,
    rules_version=1,
    sides=_sides,
    count_sides=lambda seats: 2,
    phases=_phases,
    play=_play,
    score=_score,
    winner=_winner,
)
