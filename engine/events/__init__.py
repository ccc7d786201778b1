"""Everything that can have happened in a game, as one tagged union. Past tense; `type` is the tag.

Every event carries its consequences, so that an old game is shown as it was played. `seq` counts from 0
without gaps. A secret field has no default: it is always written, and null where it is not known.
"""

from typing import Annotated, Any, Final, Literal, get_args

from msgspec import Meta

from engine.cards import Card, Suit
from engine.commands import (
    CardList,
    Choice,
    Confirmation,
    Count,
    DealNumber,
    Declared,
    HandIn,
    Key,
    KnownCards,
    Mode,
    Points,
    Reason,
    RulingKind,
    Seat,
    Seq,
    Shown,
    Text,
    TrickNumber,
)
from engine.contracts import Contract
from engine.events.base import Event as Event
from engine.events.base import KnownPoints as KnownPoints
from engine.events.base import Side as Side
from engine.events.base import SidePoints as SidePoints
from engine.events.secrecy import Hidden, Open, Owned, UnlessSealed, WhenUp
from engine.events.written import Rescored as Rescored
from engine.events.written import ResultConfirmed as ResultConfirmed
from engine.events.written import ResultCorrected as ResultCorrected
from engine.events.written import ResultEntered as ResultEntered

Infraction = Literal[
    "revoke", "undertrump", "not_in_hand", "out_of_turn", "meld_not_held", "stoeck_not_held", "meld_late",
    "stoeck_late", "wrong_dealer", "not_allowed",
]  # fmt: skip


class GameStarted(Event, frozen=True, kw_only=True, tag="game_started"):
    """`view`: only in files, as which observer the rest of it is seen; absent: everything is told."""

    variant: Open[Key]
    seats: Open[Annotated[int, Meta(ge=2, le=4)]]
    options: Open[dict[str, Any]]
    mode: Open[Mode]
    sides: Open[Annotated[int, Meta(ge=2, le=4)]]
    rules_version: Open[int]
    won_before: Open[Side | None] = None
    written_scores: Open[bool] = False
    hand_in: Open[HandIn | None] = None
    confirmation: Open[Confirmation] = "paper"
    counting: Open[int] = 1
    sweeps: Open[bool] = False
    view: Open[Text | None] = None


class DealStarted(Event, frozen=True, kw_only=True, tag="deal_started"):
    """`place`: whose place in the order of dealing it was, where somebody else dealt."""

    deal: Open[DealNumber]
    dealer: Open[Seat]
    place: Open[Seat | None] = None


class HandDealt(Event, frozen=True, kw_only=True, tag="hand_dealt"):
    """`cards` are those known; `size` is how many there are. A face-down hand is not its owner's to see
    yet."""

    seat: Open[Seat]
    size: Open[Annotated[int, Meta(ge=0, le=36)]]
    cards: WhenUp[CardList | None]
    face_down: Open[bool] = False


class HandTakenUp(Event, frozen=True, kw_only=True, tag="hand_taken_up"):
    seat: Open[Seat]
    cards: Owned[CardList | None]


class TalonDealt(Event, frozen=True, kw_only=True, tag="talon_dealt"):
    open: Open[KnownCards]
    size: Open[Annotated[int, Meta(ge=0, le=36)]]
    closed: Hidden[CardList | None]


class ExtraDealt(Event, frozen=True, kw_only=True, tag="extra_dealt"):
    seat: Open[Seat]
    size: Open[Annotated[int, Meta(ge=0, le=36)]]
    cards: Hidden[CardList | None]


class TableDealt(Event, frozen=True, kw_only=True, tag="table_dealt"):
    seat: Open[Seat]
    open: Open[KnownCards]
    size: Open[Annotated[int, Meta(ge=0, le=36)]]
    closed: Hidden[KnownCards | None]


class TrumpTurned(Event, frozen=True, kw_only=True, tag="trump_turned"):
    card: Open[Card]
    seat: Open[Seat | None] = None


class Pushed(Event, frozen=True, kw_only=True, tag="pushed"):
    seat: Open[Seat]


class ContractSet(Event, frozen=True, kw_only=True, tag="contract_set"):
    contract: Open[Contract | None]
    seat: Open[Seat | None] = None
    slot: Open[Key | None] = None


class BidMade(Event, frozen=True, kw_only=True, tag="bid_made"):
    seat: Open[Seat]
    points: Open[Count]


class BidDeferred(Event, frozen=True, kw_only=True, tag="bid_deferred"):
    seat: Open[Seat]


class BidPassed(Event, frozen=True, kw_only=True, tag="bid_passed"):
    seat: Open[Seat]


class AuctionWon(Event, frozen=True, kw_only=True, tag="auction_won"):
    seat: Open[Seat]
    points: Open[Count]


class AuctionFailed(Event, frozen=True, kw_only=True, tag="auction_failed"):
    pass


class TalonTaken(Event, frozen=True, kw_only=True, tag="talon_taken"):
    seat: Open[Seat]
    cards: Owned[CardList | None]


class CardsDiscarded(Event, frozen=True, kw_only=True, tag="cards_discarded"):
    seat: Open[Seat]
    size: Open[Annotated[int, Meta(ge=0, le=36)]]
    cards: Owned[CardList | None]


class DealConceded(Event, frozen=True, kw_only=True, tag="deal_conceded"):
    """`points` go to the other side, with those of its Stöck."""

    seat: Open[Seat]
    points: Open[Count]


class DealAccepted(Event, frozen=True, kw_only=True, tag="deal_accepted"):
    seat: Open[Seat]


class DiscardsCounted(Event, frozen=True, kw_only=True, tag="discards_counted"):
    """What the cards a seat put away are worth, after the last trick; null where they are not known."""

    seat: Open[Seat]
    points: Open[Count | None]


class PredictionMade(Event, frozen=True, kw_only=True, tag="prediction_made"):
    """A sealed one stays with its seat until `predictions_revealed`."""

    seat: Open[Seat]
    points: UnlessSealed[Count | None]
    sealed: Open[bool] = False


class PredictionsRevealed(Event, frozen=True, kw_only=True, tag="predictions_revealed"):
    points: Open[KnownPoints]


class ExtraExchanged(Event, frozen=True, kw_only=True, tag="extra_exchanged"):
    seat: Open[Seat]
    size: Open[Annotated[int, Meta(ge=0, le=36)]]
    given: Owned[CardList | None]
    taken: Owned[CardList | None]


class ExtraKept(Event, frozen=True, kw_only=True, tag="extra_kept"):
    seat: Open[Seat]


class TurnedTaken(Event, frozen=True, kw_only=True, tag="turned_taken"):
    seat: Open[Seat]
    six: Open[Card | None]
    card: Open[Card | None]


class MeldsDeclared(Event, frozen=True, kw_only=True, tag="melds_declared"):
    """`melds` are the cards of the first ones `declared`, of those that were seen. `apart`: not said with a
    card; not `counts`: too late."""

    seat: Open[Seat]
    declared: Open[list[Declared]]
    melds: Owned[list[CardList] | None]
    counts: Open[bool] = True
    apart: Open[bool] = False


class MeldsShown(Event, frozen=True, kw_only=True, tag="melds_shown"):
    seat: Open[Seat]
    melds: Open[list[CardList]]


class CardPlayed(Event, frozen=True, kw_only=True, tag="card_played", gc=False):
    seat: Open[Seat]
    card: Open[Card | None]


class StoeckDeclared(Event, frozen=True, kw_only=True, tag="stoeck_declared"):
    seat: Open[Seat]
    points: Open[Points]
    counts: Open[bool] = True
    apart: Open[bool] = False


class MeldsScored(Event, frozen=True, kw_only=True, tag="melds_scored"):
    """The last one of a deal holds; null where melds that nobody has seen leave open whose are best."""

    side: Open[Side | None]
    points: Open[Count | None]
    shown: Open[list[Shown]]


class TrickTaken(Event, frozen=True, kw_only=True, tag="trick_taken", gc=False):
    """`points` with the last trick's five; null where cards or values are not known, `seat` too then."""

    seat: Open[Seat | None]
    points: Open[Count | None]


class TableCardTurned(Event, frozen=True, kw_only=True, tag="table_card_turned"):
    seat: Open[Seat]
    card: Open[Card]


class InfractionFound(Event, frozen=True, kw_only=True, tag="infraction_found"):
    """`at_seq` is the event of the card or word, `proof_seq` the one that proves it, where it came later.
    `trick` is the one being played or, before the first card, the first."""

    seat: Open[Seat]
    trick: Open[TrickNumber]
    code: Open[Infraction]
    at_seq: Open[Seq]
    proof_seq: Open[Seq | None] = None


class OutClaimed(Event, frozen=True, kw_only=True, tag="out_claimed"):
    seat: Open[Seat]
    right: Open[bool]


class DealStopped(Event, frozen=True, kw_only=True, tag="deal_stopped"):
    seat: Open[Seat]


class DealScored(Event, frozen=True, kw_only=True, tag="deal_scored"):
    """Points per side; null where an unknown card leaves them open. `ties` are remembered pairs of sides."""

    deal: Open[DealNumber]
    card_points: Open[KnownPoints]
    scores: Open[KnownPoints]
    totals: Open[SidePoints]
    ties: Open[list[list[Side]] | None] = None


class GameEnded(Event, frozen=True, kw_only=True, tag="game_ended"):
    winners: Open[list[Side]]
    totals: Open[SidePoints]
    payments: Open[SidePoints | None] = None


class RulingMade(Event, frozen=True, kw_only=True, tag="ruling_made"):
    """`scores` are what the deal counts from now on (null where it has none), `totals` likewise for the game,
    `ties` the pairs of sides that are remembered from now on, where that changes. With `stands` the deal of a
    sheet needs nobody's signature any more, and `rescored` are other deals that count something else. `first`
    was first at its target, in the deal `first_deal`. `after`: the earlier ruling that had fixed the deal's
    score, where this one moves points on from there.
    """

    ruling: Open[DealNumber]
    kind: Open[RulingKind]
    reason: Open[Reason]
    scores: Open[KnownPoints | None]
    totals: Open[SidePoints]
    scores_before: Open[KnownPoints | None] = None
    totals_before: Open[SidePoints | None] = None
    deal: Open[DealNumber | None] = None
    trick: Open[TrickNumber | None] = None
    against: Open[Seat | None] = None
    replaces: Open[DealNumber | None] = None
    article: Open[Text | None] = None
    points: Open[Points | None] = None
    choice: Open[Choice | None] = None
    suit: Open[Suit | None] = None
    to: Open[Side | None] = None
    ties: Open[list[list[Side]] | None] = None
    winners: Open[list[Side] | None] = None
    stands: Open[bool] = False
    rescored: Open[list[Rescored] | None] = None
    after: Open[DealNumber | None] = None
    first: Open[Side | None] = None
    first_deal: Open[DealNumber | None] = None


class DealAnnulled(Event, frozen=True, kw_only=True, tag="deal_annulled"):
    deal: Open[DealNumber]


class SuitBarred(Event, frozen=True, kw_only=True, tag="suit_barred"):
    seat: Open[Seat]
    suit: Open[Suit]


class GameClosed(Event, frozen=True, kw_only=True, tag="game_closed"):
    reason: Open[Reason]


class GameResumed(Event, frozen=True, kw_only=True, tag="game_resumed"):
    """What was broken off goes on."""

    reason: Open[Reason]


class TakenBack(Event, frozen=True, kw_only=True, tag="taken_back"):
    """What was written from the event `to` on does not count. It stays where it is."""

    to: Open[Seq]


AnyEvent = (
    GameStarted | DealStarted | HandDealt | HandTakenUp | TalonDealt | ExtraDealt | TableDealt | TrumpTurned
    | Pushed | ContractSet | BidMade | BidDeferred | BidPassed | AuctionWon | AuctionFailed | TalonTaken
    | CardsDiscarded | DealConceded | DealAccepted | DiscardsCounted | PredictionMade | PredictionsRevealed
    | ExtraExchanged | ExtraKept | TurnedTaken | MeldsDeclared | MeldsShown | CardPlayed | StoeckDeclared
    | MeldsScored | TrickTaken | TableCardTurned | InfractionFound | OutClaimed | DealStopped | DealScored
    | GameEnded | RulingMade | DealAnnulled | SuitBarred | GameClosed | GameResumed | ResultEntered
    | ResultCorrected | ResultConfirmed | TakenBack
)  # fmt: skip
EVENTS: Final[tuple[type[Event], ...]] = get_args(AnyEvent)
