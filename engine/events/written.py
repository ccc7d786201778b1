"""Events of a score sheet: results entered, corrected and confirmed."""

from msgspec import Struct

from engine.commands import Count, DealNumber, Key, Points, Reason, Seat, Seq, Witness
from engine.contracts import Contract
from engine.events.base import Event, KnownPoints, Side, SidePoints
from engine.events.secrecy import Public


class Rescored(Struct, frozen=True):
    """New scores and ties of an entered deal after a ruling or the correction of an earlier deal."""

    deal: DealNumber
    scores: SidePoints
    ties: list[list[Side]]


class ResultEntered(Event, frozen=True, kw_only=True, tag="result_entered"):
    """A result as written. Its scores are derived from its other fields, or were written `by_hand`.

    `seat` and `side` are null for the officials' desk. `ties`: pairs of tied sides after the deal. In entry
    mode totals, `deals` is the number of deals covered, and `sweeps` and `stoecks` are counts per side. The
    side `first` reached its target first, in the deal `first_deal` (None: in this deal). With a `reason` an
    official wrote the result, and it needs no confirmation.
    """

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
    """A correction of a result. `replaces`: the seq of the replaced entry. `rescored`: later deals whose
    scores change. After the end of the game, `winners` and `payments` hold the new outcome.
    """

    replaces: Public[Seq]
    rescored: Public[list[Rescored] | None] = None
    winners: Public[list[Side] | None] = None
    payments: Public[SidePoints | None] = None


class ResultConfirmed(Event, frozen=True, kw_only=True, tag="result_confirmed"):
    """The confirmation of a result by a side or, if `seat` and `side` are null, by the witness `by`.

    `scores`: the figures typed a second time.
    """

    seat: Public[Seat | None]
    side: Public[Side | None]
    deal: Public[DealNumber]
    by: Public[Witness | None] = None
    scores: Public[SidePoints | None] = None
