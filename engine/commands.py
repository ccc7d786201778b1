"""Everything that can be asked of a game, as one tagged union. Imperative mood; `cmd` is the tag."""

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
"""Cards in their order; null for one that nobody has written down, in transcribed games."""
Mode = Literal["dealt", "transcribed", "sheet"]
HandIn = Literal["deals", "totals"]
"""What a sheet takes: the result of each deal, or one for all of them."""
Witness = Literal["second_typing", "paper", "silence"]
"""What stands for a side that has not confirmed itself: the same figures typed a second time, signatures on
paper, or that nobody has objected in time."""
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
"""What the opponents of a short hand may choose."""


class Declared(Struct, frozen=True, gc=False):
    """What the table hears of a meld: its points and its deciding card, null where that was not said."""

    points: Annotated[int, Meta(ge=20, le=300)]
    top: Card | None = None


Melds = Annotated[list[CardList], Meta(max_length=12)]


class Shown(Struct, frozen=True):
    """A meld laid on the table, and what it counts."""

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
    """The base of all commands. They hold nothing that could lead back to them, so the collector may pass
    them by."""


class Start(Command, frozen=True, kw_only=True, tag="start"):
    """Open a game. `won_before` (a side) makes it a further game of the same people: that side deals first.
    `written_scores`: on a sheet, scores may be written that do not follow from its points. `hand_in`: what a
    sheet takes (None, in games of before: deals, and nobody is asked for a sweep). `confirmation`: what
    confirms a result of a sheet where no other side does. `counting`: 1, in games of before, checks
    of a sheet the sum alone, and of two sides at their targets the larger total has won; 2 checks what the
    cards of the game can give, and who was first at a target has won. `sweeps`: a sheet takes sweeps, also
    where nothing counts for them."""

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
    """Deal a deck, front first. In a transcribed game cards, or the whole deck, may be unknown."""

    deck: Annotated[list[Card | None], Meta(max_length=36)] | None = None
    dealer: Seat | None = None
    cut: Card | None = None


class Push(Command, frozen=True, kw_only=True, tag="push"):
    seat: Seat


class Choose(Command, frozen=True, kw_only=True, tag="choose"):
    """Without `slot` a contract takes the slot that has fewest contracts. In a transcript either may be null,
    not known."""

    seat: Seat
    contract: Contract | None
    slot: Key | UnsetType | None = UNSET


class Bid(Command, frozen=True, kw_only=True, tag="bid"):
    """`won`, in a transcript: the auction ended with it, and how it went before is not known."""

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
    """`stoeck`, in a transcript: whether an opponent showed the Stöck; not said, the hands tell it."""

    seat: Seat
    stoeck: bool | None = None


class Accept(Command, frozen=True, kw_only=True, tag="accept"):
    seat: Seat


class Predict(Command, frozen=True, kw_only=True, tag="predict"):
    """`points` null: not known, in transcribed games."""

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
"""Declared or not; where its holder chooses, whether it is added or taken off."""


class Play(Command, frozen=True, kw_only=True, tag="play"):
    """Play a card, with what is declared as it is played. In a transcript `card` may be null, unknown, and
    `heard` names melds whose cards nobody has seen."""

    seat: Seat
    card: Card | None
    melds: Melds | None = None
    heard: HeardMelds | None = None
    stoeck: StoeckSaid = None


class Declare(Command, frozen=True, kw_only=True, tag="declare"):
    """In a transcript, melds or the Stöck said apart from a card: in time until the next one falls."""

    seat: Seat
    melds: Melds | None = None
    heard: HeardMelds | None = None
    stoeck: StoeckSaid = None


class Show(Command, frozen=True, kw_only=True, tag="show"):
    """In a transcript, declared melds that a seat lays on the table."""

    seat: Seat
    melds: Annotated[list[CardList], Meta(min_length=1, max_length=12)]


class ClaimOut(Command, frozen=True, kw_only=True, tag="claim_out"):
    seat: Seat


class Stop(Command, frozen=True, kw_only=True, tag="stop"):
    seat: Seat


class Rule(Command, frozen=True, kw_only=True, tag="rule"):
    """A referee's ruling. `against` is a seat; `scores` go with score_change, `points` with penalty (to the
    disadvantage of the side of `against`), `choice` with short_hand (what the opponents chose), `suit` with
    bar_suit. `to` names the side that gets what is moved; without it all others do, in equal parts. `first`:
    the side that was first at its target, where the ruling takes several there and the record cannot tell.
    `stands`: on a sheet, what the deal counts by this ruling needs no other side. `after` is filled in from a
    record: the ruling whose score a later one moves on, 0 where it began from the record (games of before
    2026-12)."""

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
    """Go on with a game that was broken off."""

    reason: Reason


class EnterResult(Command, frozen=True, kw_only=True, tag="enter_result"):
    """The result of a deal from the sheet; which fields a game takes is in `engine.rules.sheet_fields`.

    `seat` writes, None: the desk, which is nobody at the table; points, melds and scores per side,
    predictions per seat; `sweep` and `stoeck` name a side, `took_trick` the sides that took a trick without a
    point; `chooser`, who named the contract or won the auction with `bid`, and `dealer` are seats;
    `conceded`: the declarer gave the deal up before its first card. `scores` are derived and need not be
    written. Where totals are handed in (`engine.sheets.totals`), `scores` are what is written, and `sweeps`
    and `stoecks` how many of them each side had. `first`: the side that was first at its target, where
    several are there and what is written cannot tell. With a `reason` it is an official's word, which needs
    no other side.
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
    """New values for a deal that was entered before. With a `reason` it stays confirmed, and the game may be
    over. `seen` as in `ConfirmResult`."""

    seen: Seq | None = None


class ConfirmResult(Command, frozen=True, kw_only=True, tag="confirm_result"):
    """Another side confirms (`seat`); or, without a seat, what stands for it: `by`. `scores` are what was
    typed a second time. `seen`: the number of the last event that the sender knew; refused where the deal
    counts something else since."""

    deal: DealNumber
    seat: Seat | None = None
    seen: Seq | None = None
    by: Witness | None = None
    scores: Annotated[list[Points], Meta(max_length=4)] | None = None


class TakeBack(Command, frozen=True, kw_only=True, tag="take_back"):
    """A slip of the pen in a transcribed game: what was written from the event `to` on does not count."""

    to: Seq


AnyCommand = (
    Start | Deal | Push | Choose | Bid | Defer | Pass | Discard | Concede | Accept | Predict | Exchange | Keep
    | TakeTurned | Play | Declare | Show | ClaimOut | Stop | Rule | Close | Resume | EnterResult
    | CorrectResult | ConfirmResult | TakeBack
)  # fmt: skip
COMMANDS: Final[tuple[type[Command], ...]] = get_args(AnyCommand)
NAMES: Final[dict[type[Command], str]] = {c: str(c.__struct_config__.tag) for c in COMMANDS}
