"""What is written on a score sheet, deal by deal or as the totals of a round."""

from msgspec import Struct

from engine.commands import Count, DealNumber, Key, Points, Reason, Seat, Seq, Witness
from engine.contracts import Contract
from engine.events.base import Event, KnownPoints, Side, SidePoints
from engine.events.secrecy import Public


class Rescored(Struct, frozen=True):
    """What a deal written before counts now that an earlier one was corrected, with the ties after it."""

    deal: DealNumber
    scores: SidePoints
    ties: list[list[Side]]


class ResultEntered(Event, frozen=True, kw_only=True, tag="result_entered"):
    """A result as it was written, with the scores that follow, unless they were written `by_hand`. `seat` and
    `side` are null where the desk wrote it. `ties` are remembered pairs of sides after the deal. Where totals
    are handed in, `deals` is how many they are of, `sweeps` and `stoecks` how many each side had. `first` was
    first at its target, in the deal `first_deal` (None: in this one). With a `reason` an official has written
    it, and it stands."""

    seat: Public[Seat | None]
    side: Public[Side | None]
    deal: Public[DealNumber]
    card_points: Public[KnownPoints]
    scores: Public[SidePoints]
    totals: Public[SidePoints]
    contract: Public[Contract | None] = None
    slot: Public[Key | None] = None
    chooser: Public[Seat | None] = None
    bid: Public[Count | None] = None
    predictions: Public[list[Count] | None] = None
    took_trick: Public[list[Side] | None] = None
    dealer: Public[Seat | None] = None
    sweep: Public[Side | None] = None
    stoeck: Public[Side | None] = None
    stoeck_points: Public[Points | None] = None
    melds: Public[SidePoints | None] = None
    ties: Public[list[list[Side]] | None] = None
    by_hand: Public[bool] = False
    reason: Public[Reason | None] = None
    deals: Public[Count | None] = None
    sweeps: Public[list[Count] | None] = None
    stoecks: Public[list[Count] | None] = None
    first: Public[Side | None] = None
    first_deal: Public[DealNumber | None] = None
    conceded: Public[bool | None] = None


class ResultCorrected(ResultEntered, frozen=True, kw_only=True, tag="result_corrected"):
    """`replaces` is the seq of the entry it takes the place of; `rescored` are the later deals that count
    something else for it. After the end: who has won by it, and what is paid."""

    replaces: Public[Seq]
    rescored: Public[list[Rescored] | None] = None
    winners: Public[list[Side] | None] = None
    payments: Public[SidePoints | None] = None


class ResultConfirmed(Event, frozen=True, kw_only=True, tag="result_confirmed"):
    """By a side; or, where `seat` and `side` are null, `by` what stands for it. `scores` are what was typed a
    second time."""

    seat: Public[Seat | None]
    side: Public[Side | None]
    deal: Public[DealNumber]
    by: Public[Witness | None] = None
    scores: Public[SidePoints | None] = None
