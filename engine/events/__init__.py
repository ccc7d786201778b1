"""Events of a game as one tagged union. Names are in the past tense; the field `type` is the tag.

Events contain what the rules computed, so that an old game is shown as it was played. `seq` counts from 0
without gaps. A secret field has no default: it is always written, and null if it is not known.
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
from engine.events.secrecy import Hidden, OwnerOnly, OwnerUnlessFaceDown, Public, UnlessSealed
from engine.events.written import Rescored as Rescored
from engine.events.written import ResultConfirmed as ResultConfirmed
from engine.events.written import ResultCorrected as ResultCorrected
from engine.events.written import ResultEntered as ResultEntered

Infraction = Literal[
    "revoke", "undertrump", "not_in_hand", "out_of_turn", "meld_not_held", "stoeck_not_held", "meld_late",
    "stoeck_late", "wrong_dealer", "not_allowed",
]  # fmt: skip


class GameStarted(Event, frozen=True, kw_only=True, tag="game_started"):
    """The start of a game. `engine.commands.Start` describes `won_before` to `sweeps`. `view`, in files only:
    the observer that the log is redacted for; absent in a full log.
    """

    variant: Public[Key]
    seats: Public[Annotated[int, Meta(ge=2, le=4)]]
    options: Public[dict[str, Any]]
    mode: Public[Mode]
    sides: Public[Annotated[int, Meta(ge=2, le=4)]]
    rules_version: Public[int]
    won_before: Public[Side | None] = None
    written_scores: Public[bool] = False
    hand_in: Public[HandIn | None] = None
    confirmation: Public[Confirmation] = "paper"
    counting: Public[int] = 1
    sweeps: Public[bool] = False
    view: Public[Text | None] = None


class DealStarted(Event, frozen=True, kw_only=True, tag="deal_started"):
    """The start of a deal. `place`: the seat whose turn to deal it was, if another seat dealt."""

    deal: Public[DealNumber]
    dealer: Public[Seat]
    place: Public[Seat | None] = None


class HandDealt(Event, frozen=True, kw_only=True, tag="hand_dealt"):
    """The hand of a seat. `cards`: the known cards. `size`: the number of cards. Face-down cards are still
    hidden from their owner.
    """

    seat: Public[Seat]
    size: Public[Annotated[int, Meta(ge=0, le=36)]]
    cards: OwnerUnlessFaceDown[CardList | None]
    face_down: Public[bool] = False


class HandTakenUp(Event, frozen=True, kw_only=True, tag="hand_taken_up"):
    seat: Public[Seat]
    cards: OwnerOnly[CardList | None]


class TalonDealt(Event, frozen=True, kw_only=True, tag="talon_dealt"):
    open: Public[KnownCards]
    size: Public[Annotated[int, Meta(ge=0, le=36)]]
    closed: Hidden[CardList | None]


class ExtraDealt(Event, frozen=True, kw_only=True, tag="extra_dealt"):
    seat: Public[Seat]
    size: Public[Annotated[int, Meta(ge=0, le=36)]]
    cards: Hidden[CardList | None]


class TableDealt(Event, frozen=True, kw_only=True, tag="table_dealt"):
    seat: Public[Seat]
    open: Public[KnownCards]
    size: Public[Annotated[int, Meta(ge=0, le=36)]]
    closed: Hidden[KnownCards | None]


class TrumpTurned(Event, frozen=True, kw_only=True, tag="trump_turned"):
    card: Public[Card]
    seat: Public[Seat | None] = None


class Pushed(Event, frozen=True, kw_only=True, tag="pushed"):
    seat: Public[Seat]


class ContractSet(Event, frozen=True, kw_only=True, tag="contract_set"):
    contract: Public[Contract | None]
    seat: Public[Seat | None] = None
    slot: Public[Key | None] = None


class BidMade(Event, frozen=True, kw_only=True, tag="bid_made"):
    seat: Public[Seat]
    points: Public[Count]


class BidDeferred(Event, frozen=True, kw_only=True, tag="bid_deferred"):
    seat: Public[Seat]


class BidPassed(Event, frozen=True, kw_only=True, tag="bid_passed"):
    seat: Public[Seat]


class AuctionWon(Event, frozen=True, kw_only=True, tag="auction_won"):
    seat: Public[Seat]
    points: Public[Count]


class AuctionFailed(Event, frozen=True, kw_only=True, tag="auction_failed"):
    pass


class TalonTaken(Event, frozen=True, kw_only=True, tag="talon_taken"):
    seat: Public[Seat]
    cards: OwnerOnly[CardList | None]


class CardsDiscarded(Event, frozen=True, kw_only=True, tag="cards_discarded"):
    seat: Public[Seat]
    size: Public[Annotated[int, Meta(ge=0, le=36)]]
    cards: OwnerOnly[CardList | None]


class DealConceded(Event, frozen=True, kw_only=True, tag="deal_conceded"):
    """The concession of a deal. `points` go to the other side, including those of its Stöck."""

    seat: Public[Seat]
    points: Public[Count]


class DealAccepted(Event, frozen=True, kw_only=True, tag="deal_accepted"):
    seat: Public[Seat]


class DiscardsCounted(Event, frozen=True, kw_only=True, tag="discards_counted"):
    """Points of the cards that a seat discarded, counted after the last trick. Null if not known."""

    seat: Public[Seat]
    points: Public[Count | None]


class PredictionMade(Event, frozen=True, kw_only=True, tag="prediction_made"):
    """A prediction. A sealed one is hidden from other seats until `predictions_revealed`."""

    seat: Public[Seat]
    points: UnlessSealed[Count | None]
    sealed: Public[bool] = False


class PredictionsRevealed(Event, frozen=True, kw_only=True, tag="predictions_revealed"):
    points: Public[KnownPoints]


class ExtraExchanged(Event, frozen=True, kw_only=True, tag="extra_exchanged"):
    seat: Public[Seat]
    size: Public[Annotated[int, Meta(ge=0, le=36)]]
    given: OwnerOnly[CardList | None]
    taken: OwnerOnly[CardList | None]


class ExtraKept(Event, frozen=True, kw_only=True, tag="extra_kept"):
    seat: Public[Seat]


class TurnedTaken(Event, frozen=True, kw_only=True, tag="turned_taken"):
    seat: Public[Seat]
    six: Public[Card | None]
    card: Public[Card | None]


class MeldsDeclared(Event, frozen=True, kw_only=True, tag="melds_declared"):
    """A declaration of melds.

    `declared`: all melds, those with known cards first. `melds`: the cards of each of these first melds.
    `apart`: made without playing a card, in a transcript. `counts`: false if it came too late.
    """

    seat: Public[Seat]
    declared: Public[list[Declared]]
    melds: OwnerOnly[list[CardList] | None]
    counts: Public[bool] = True
    apart: Public[bool] = False


class MeldsShown(Event, frozen=True, kw_only=True, tag="melds_shown"):
    seat: Public[Seat]
    melds: Public[list[CardList]]


class CardPlayed(Event, frozen=True, kw_only=True, tag="card_played", gc=False):
    seat: Public[Seat]
    card: Public[Card | None]


class StoeckDeclared(Event, frozen=True, kw_only=True, tag="stoeck_declared"):
    seat: Public[Seat]
    points: Public[Points]
    counts: Public[bool] = True
    apart: Public[bool] = False


class MeldsScored(Event, frozen=True, kw_only=True, tag="melds_scored"):
    """The side that scores its melds. If a deal has several of these events, the last one applies.

    `side` is null if the winner depends on melds that were not shown.
    """

    side: Public[Side | None]
    points: Public[Count | None]
    shown: Public[list[Shown]]


class TrickTaken(Event, frozen=True, kw_only=True, tag="trick_taken", gc=False):
    """A taken trick. `points` include the five for the last trick; they are null if cards or card values are
    not known. `seat` may then be null too.
    """

    seat: Public[Seat | None]
    points: Public[Count | None]


class TableCardTurned(Event, frozen=True, kw_only=True, tag="table_card_turned"):
    seat: Public[Seat]
    card: Public[Card]


class InfractionFound(Event, frozen=True, kw_only=True, tag="infraction_found"):
    """A proven infraction. `at_seq`: the event of the act. `proof_seq`: the event that proves the infraction,
    if later. `trick`: the trick of the act, 1 before the first card.
    """

    seat: Public[Seat]
    trick: Public[TrickNumber]
    code: Public[Infraction]
    at_seq: Public[Seq]
    proof_seq: Public[Seq | None] = None


class OutClaimed(Event, frozen=True, kw_only=True, tag="out_claimed"):
    seat: Public[Seat]
    right: Public[bool]


class DealStopped(Event, frozen=True, kw_only=True, tag="deal_stopped"):
    seat: Public[Seat]


class DealScored(Event, frozen=True, kw_only=True, tag="deal_scored"):
    """The score of a deal by side; null if not known. `ties`: pairs of sides whose tie is carried to the next
    deal.
    """

    deal: Public[DealNumber]
    card_points: Public[KnownPoints]
    scores: Public[KnownPoints]
    totals: Public[SidePoints]
    ties: Public[list[list[Side]] | None] = None


class GameEnded(Event, frozen=True, kw_only=True, tag="game_ended"):
    winners: Public[list[Side]]
    totals: Public[SidePoints]
    payments: Public[SidePoints | None] = None


class RulingMade(Event, frozen=True, kw_only=True, tag="ruling_made"):
    """A referee's ruling, with the scores that follow from it.

    `scores`: the new scores of the deal, null if it has none. `totals`: the new totals of the game. `ties`:
    the pairs of tied sides carried on, if they change. `stands`: the deal of a sheet needs no confirmation.
    `rescored`, only with `stands`: other deals whose scores change. Side `first` reached its target first, in
    deal `first_deal`. `after`: the earlier ruling whose fixed score this one modifies.
    """

    ruling: Public[DealNumber]
    kind: Public[RulingKind]
    reason: Public[Reason]
    scores: Public[KnownPoints | None]
    totals: Public[SidePoints]
    scores_before: Public[KnownPoints | None] = None
    totals_before: Public[SidePoints | None] = None
    deal: Public[DealNumber | None] = None
    trick: Public[TrickNumber | None] = None
    against: Public[Seat | None] = None
    replaces: Public[DealNumber | None] = None
    article: Public[Text | None] = None
    points: Public[Points | None] = None
    choice: Public[Choice | None] = None
    suit: Public[Suit | None] = None
    to: Public[Side | None] = None
    ties: Public[list[list[Side]] | None] = None
    winners: Public[list[Side] | None] = None
    stands: Public[bool] = False
    rescored: Public[list[Rescored] | None] = None
    after: Public[DealNumber | None] = None
    first: Public[Side | None] = None
    first_deal: Public[DealNumber | None] = None


class DealAnnulled(Event, frozen=True, kw_only=True, tag="deal_annulled"):
    deal: Public[DealNumber]


class SuitBarred(Event, frozen=True, kw_only=True, tag="suit_barred"):
    seat: Public[Seat]
    suit: Public[Suit]


class GameClosed(Event, frozen=True, kw_only=True, tag="game_closed"):
    reason: Public[Reason]


class GameResumed(Event, frozen=True, kw_only=True, tag="game_resumed"):
    reason: Public[Reason]


class TakenBack(Event, frozen=True, kw_only=True, tag="taken_back"):
    """A taking back: events from seq `to` on no longer count, but remain in the log."""

    to: Public[Seq]


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
