"""Commands of a game as one tagged union. Names are imperative; the field `cmd` is the tag."""

from collections.abc import Sequence
from typing import Annotated, Any, Final, Literal, get_args

from msgspec import UNSET, Meta, Struct, UnsetType

from engine.cards import Card, Suit
from engine.contracts import Contract

Seat = Annotated[int, Meta(ge=0, le=3)]
Count = Annotated[int, Meta(ge=0, le=100_000)]
Points = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]
Seq = Annotated[int, Meta(ge=0, le=1_000_000_000)]
DealNumber = Annotated[int, Meta(ge=1, le=100_000)]
TrickNumber = Annotated[int, Meta(ge=1, le=18)]
Text = Annotated[str, Meta(max_length=2000)]
Reason = Annotated[str, Meta(min_length=1, max_length=2000)]
Key = Annotated[str, Meta(max_length=40)]
CardList = Annotated[list[Card], Meta(max_length=36)]
KnownCards = Annotated[list[Card | None], Meta(max_length=36)]
"""Cards; null stands for a card that a transcribed game does not know."""
Mode = Literal["dealt", "transcribed", "sheet"]
HandIn = Literal["deals", "totals"]
"""Entry mode of a sheet: a result per deal, or one result for all deals."""
Witness = Literal["second_typing", "paper", "silence"]
"""What replaces a confirmation by another side: the same figures typed twice, signatures on paper, or no
objection in time.
"""
Confirmation = Literal["other_side", "second_typing", "paper", "silence"]
RulingKind = Literal[
    "award_from_trick",
    "card_powerless",
    "annul_deal",
    "short_hand",
    "bar_suit",
    "score_change",
    "penalty",
    "warning",
]
Choice = Literal["points", "annul"]
"""What the opponents of a seat short of cards choose: all card points, or to annul the deal."""


class Declared(Struct, frozen=True, gc=False):
    """A meld as announced at the table: its points, and its deciding card (null if not announced)."""

    points: Annotated[int, Meta(ge=20, le=300)]
    top: Card | None = None


Melds = Annotated[list[CardList], Meta(max_length=12)]


class Shown(Struct, frozen=True):
    """A meld laid on the table, with its points."""

    seat: Seat
    cards: CardList
    points: int


HeardMelds = Annotated[list[Declared], Meta(max_length=12)]


class Command(
    Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    tag_field="cmd",
    gc=False,
):
    """Base class of commands. `gc=False` is safe because a command cannot be part of a reference cycle."""


class Start(Command, frozen=True, kw_only=True, tag="start"):
    """Start a game.

    `won_before`: the side that won the previous game of the same players; one of its seats deals first.
    `written_scores`: a sheet accepts scores that do not follow from its points. `hand_in`: entry mode of a
    sheet; None, in older games, means deals. `confirmation`: how a result of a sheet is confirmed where no
    other side confirms it. `counting` 2: a sheet takes only points that cards can give, and the side that
    reached its target first wins. `counting` 1, in older games: a sheet takes other points too, and of
    several sides that have reached their targets, the one with the larger total wins. `sweeps`: a sheet
    records sweeps even if they score nothing.
    """

    variant: Key
    seats: Annotated[int, Meta(ge=2, le=4)]
    options: dict[str, Any] = {}
    preset: Key | None = None
    mode: Mode = "dealt"
    won_before: Seat | None = None
    written_scores: bool = False
    hand_in: HandIn | None = None
    confirmation: Confirmation = "paper"
    counting: Literal[1, 2] = 2
    sweeps: bool = False


class Deal(Command, frozen=True, kw_only=True, tag="deal"):
    """Deal a deck, front card first. In a transcribed game single cards or the whole deck may be unknown."""

    deck: Annotated[list[Card | None], Meta(max_length=36)] | None = None
    dealer: Seat | None = None
    cut: Card | None = None


class Push(Command, frozen=True, kw_only=True, tag="push"):
    seat: Seat


class Choose(Command, frozen=True, kw_only=True, tag="choose"):
    """Choose the contract. Without `slot`, the engine picks the matching slot with the fewest contracts.

    In a transcript the contract or the slot is null if it is not known.
    """

    seat: Seat
    contract: Contract | None
    slot: Key | UnsetType | None = UNSET


class Bid(Command, frozen=True, kw_only=True, tag="bid"):
    """Bid points. `won`, only in a transcript: the bid won although not all passes of the others are
    recorded.
    """

    seat: Seat
    points: Count
    won: bool = False


class Defer(Command, frozen=True, kw_only=True, tag="defer"):
    seat: Seat


class Pass(Command, frozen=True, kw_only=True, tag="pass"):
    seat: Seat


class Discard(Command, frozen=True, kw_only=True, tag="discard"):
    seat: Seat
    cards: KnownCards


class Concede(Command, frozen=True, kw_only=True, tag="concede"):
    """Concede the deal. `stoeck`, only in a transcript: whether an opponent showed the Stöck; None derives it
    from the hands.
    """

    seat: Seat
    stoeck: bool | None = None


class Accept(Command, frozen=True, kw_only=True, tag="accept"):
    seat: Seat


class Predict(Command, frozen=True, kw_only=True, tag="predict"):
    """Predict one's points. In a transcribed game `points` is null if not known."""

    seat: Seat
    points: Count | None


class Exchange(Command, frozen=True, kw_only=True, tag="exchange"):
    seat: Seat
    cards: KnownCards
    take_turned: bool = False


class Keep(Command, frozen=True, kw_only=True, tag="keep"):
    seat: Seat
    take_turned: bool = False


class TakeTurned(Command, frozen=True, kw_only=True, tag="take_turned"):
    seat: Seat


StoeckSaid = bool | Literal[20, -20] | None
"""Whether the Stöck is declared; 20 or -20 in games in which its holder chooses the sign."""


class Play(Command, frozen=True, kw_only=True, tag="play"):
    """Play a card, together with the declarations made with it. In a transcript `card` may be null (unknown),
    and `heard` lists melds whose cards were not seen.
    """

    seat: Seat
    card: Card | None
    melds: Melds | None = None
    heard: HeardMelds | None = None
    stoeck: StoeckSaid = None


class Declare(Command, frozen=True, kw_only=True, tag="declare"):
    """Declare melds or the Stöck in a transcript, without playing a card."""

    seat: Seat
    melds: Melds | None = None
    heard: HeardMelds | None = None
    stoeck: StoeckSaid = None


class Show(Command, frozen=True, kw_only=True, tag="show"):
    """Show declared melds on the table, in a transcript."""

    seat: Seat
    melds: Annotated[list[CardList], Meta(min_length=1, max_length=12)]


class ClaimOut(Command, frozen=True, kw_only=True, tag="claim_out"):
    seat: Seat


class Stop(Command, frozen=True, kw_only=True, tag="stop"):
    seat: Seat


class Rule(Command, frozen=True, kw_only=True, tag="rule"):
    """Record a referee's ruling.

    `against` is a seat. By `kind`: score_change has `scores`, penalty has `points` (counted against the side
    of `against`), short_hand has `choice` (of the opponents), bar_suit has `suit`. `to`: the side that
    receives the moved points; without it the other sides share them equally. `first`: the side that reached
    its target first, if the ruling takes several sides there and the record does not decide it. `stands`: on
    a sheet, the deal's result needs no confirmation by another side. `after`, only in a command rebuilt from
    a log: the number of the earlier ruling whose score this one modifies, 0 if it starts from the record.
    """

    kind: RulingKind
    reason: Reason
    deal: DealNumber | None = None
    trick: TrickNumber | None = None
    against: Seat | None = None
    replaces: DealNumber | None = None
    article: Text | None = None
    scores: Annotated[list[Points], Meta(max_length=4)] | None = None
    points: Points | None = None
    choice: Choice | None = None
    suit: Suit | None = None
    to: Seat | None = None
    stands: bool = False
    after: Annotated[int, Meta(ge=0, le=100_000)] | None = None
    first: Seat | None = None


class Close(Command, frozen=True, kw_only=True, tag="close"):
    reason: Reason


class Resume(Command, frozen=True, kw_only=True, tag="resume"):
    """Resume a closed game."""

    reason: Reason


class EnterResult(Command, frozen=True, kw_only=True, tag="enter_result"):
    """Enter the result of a deal from the sheet. `engine.rules.sheet_fields` defines the fields that each
    game takes.

    `seat` is the writer, None for the officials' desk. Points, melds and scores are per side, predictions per
    seat; `own_points` are those of the chooser's side, where a sheet takes only these. `sweep` and `stoeck`
    name a side; `took_trick` names the sides that took a trick without points. `chooser` is the seat that
    named the contract or won the auction with `bid`; `dealer` is a seat. `conceded`: the declarer conceded
    the deal before the first card. `scores` follow from the other fields and may be omitted. In entry mode
    totals (`engine.sheets.totals`), `scores` are required, and `sweeps` and `stoecks` are counts per side.
    `first`: the side that reached its target first, if several have and the written values do not decide it.
    With a `reason` an official enters the result, and it needs no confirmation.
    """

    deal: DealNumber
    seat: Seat | None = None
    card_points: Annotated[Sequence[Count | None], Meta(max_length=4)] | None = None
    own_points: Count | None = None
    contract: Contract | None = None
    slot: Key | None = None
    chooser: Seat | None = None
    bid: Count | None = None
    predictions: Annotated[list[Count], Meta(max_length=4)] | None = None
    took_trick: Annotated[list[Seat], Meta(max_length=4)] | None = None
    dealer: Seat | None = None
    sweep: Seat | None = None
    stoeck: Seat | None = None
    stoeck_points: Literal[20, -20] | None = None
    melds: Annotated[list[Count], Meta(max_length=4)] | None = None
    scores: Annotated[list[Points], Meta(max_length=4)] | None = None
    reason: Reason | None = None
    sweeps: Annotated[list[Count], Meta(max_length=4)] | None = None
    stoecks: Annotated[list[Count], Meta(max_length=4)] | None = None
    first: Seat | None = None
    conceded: bool | None = None


class CorrectResult(EnterResult, frozen=True, kw_only=True, tag="correct_result"):
    """Correct the result of a deal. With a `reason` this is possible after the end of the game too, and
    leaves a confirmed result confirmed. `seen`: the seq of the last event that the sender knows. If the
    result changed after it, the correction is refused.
    """

    seen: Seq | None = None


class ConfirmResult(Command, frozen=True, kw_only=True, tag="confirm_result"):
    """Confirm a result, by a seat of another side or, without a seat, by the witness `by`.

    `scores` are the figures typed a second time. `seen`: the seq of the last event that the sender knows. If
    the result changed after it, the confirmation is refused.
    """

    deal: DealNumber
    seat: Seat | None = None
    seen: Seq | None = None
    by: Witness | None = None
    scores: Annotated[list[Points], Meta(max_length=4)] | None = None


class TakeBack(Command, frozen=True, kw_only=True, tag="take_back"):
    """Take back a clerical error in a transcribed game: events from seq `to` on no longer count."""

    to: Seq


AnyCommand = (
    Start | Deal | Push | Choose | Bid | Defer | Pass | Discard | Concede | Accept | Predict | Exchange | Keep
    | TakeTurned | Play | Declare | Show | ClaimOut | Stop | Rule | Close | Resume | EnterResult
    | CorrectResult | ConfirmResult | TakeBack
)  # fmt: skip
COMMANDS: Final[tuple[type[Command], ...]] = get_args(AnyCommand)
NAMES: Final[dict[type[Command], str]] = {c: str(c.__struct_config__.tag) for c in COMMANDS}
