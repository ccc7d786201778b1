"""What is written on a score sheet, deal by deal or as the totals of a round."""

from msgspec import Struct

from engine.commands import Count, DealNumber, Key, Points, Reason, Seat, Seq, Witness
from engine.contracts import Contract
from engine.events.base import Event, KnownPoints, Side, SidePoints
from engine.events.secrecy import Open


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

    seat: Open[Seat | None]
    side: Open[Side | None]
    deal: Open[DealNumber]
    card_points: Open[KnownPoints]
    scores: Open[SidePoints]
    totals: Open[SidePoints]
    contract: Open[Contract | None] = None
    slot: Open[Key | None] = None
    chooser: Open[Seat | None] = None
    bid: Open[Count | None] = None
    predictions: Open[list[Count] | None] = None
    took_trick: Open[list[Side] | None] = None
    dealer: Open[Seat | None] = None
    sweep: Open[Side | None] = None
    stoeck: Open[Side | None] = None
    stoeck_points: Open[Points | None] = None
    melds: Open[SidePoints | None] = None
    ties: Open[list[list[Side]] | None] = None
    by_hand: Open[bool] = False
    reason: Open[Reason | None] = None
    deals: Open[Count | None] = None
    sweeps: Open[list[Count] | None] = None
    stoecks: Open[list[Count] | None] = None
    first: Open[Side | None] = None
    first_deal: Open[DealNumber | None] = None
    conceded: Open[bool | None] = None


class ResultCorrected(ResultEntered, frozen=True, kw_only=True, tag="result_corrected"):
    """`replaces` is the seq of the entry it takes the place of; `rescored` are the later deals that count
    something else for it. After the end: who has won by it, and what is paid."""

    replaces: Open[Seq]
    rescored: Open[list[Rescored] | None] = None
    winners: Open[list[Side] | None] = None
    payments: Open[SidePoints | None] = None


class ResultConfirmed(Event, frozen=True, kw_only=True, tag="result_confirmed"):
    """By a side; or, where `seat` and `side` are null, `by` what stands for it. `scores` are what was typed a
    second time."""

    seat: Open[Seat | None]
    side: Open[Side | None]
    deal: Open[DealNumber]
    by: Open[Witness | None] = None
    scores: Open[SidePoints | None] = None
