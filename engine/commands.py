"""Everything that can be asked of a game, as one tagged union. Imperative mood; `cmd` is the tag."""

from typing import Annotated, Any, Final, Literal, get_args

from msgspec import Meta, Struct

from .cards import Card, Suit
from .contracts import Contract

Seat = Annotated[int, Meta(ge=0, le=3)]
Count = Annotated[int, Meta(ge=0, le=100_000)]
Points = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]
DealNumber = Annotated[int, Meta(ge=1, le=100_000)]
TrickNumber = Annotated[int, Meta(ge=1, le=18)]
Text = Annotated[str, Meta(max_length=2000)]
Reason = Annotated[str, Meta(min_length=1, max_length=2000)]
Key = Annotated[str, Meta(max_length=40)]
CardList = Annotated[list[Card], Meta(max_length=36)]
Mode = Literal["dealt", "transcribed", "sheet"]
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
    """Open a game. `won_before` (a side) makes it a further game of the same people: that side deals
    first."""

    variant: Key
    seats: Annotated[int, Meta(ge=2, le=4)]
    options: dict[str, Any] = {}
    preset: Key | None = None
    mode: Mode = "dealt"
    won_before: Seat | None = None


class Deal(Command, frozen=True, kw_only=True, tag="deal"):
    """Deal a deck, front first. In a transcribed game cards, or the whole deck, may be unknown."""

    deck: Annotated[list[Card | None], Meta(max_length=36)] | None = None
    dealer: Seat | None = None
    cut: Card | None = None


class Push(Command, frozen=True, kw_only=True, tag="push"):
    seat: Seat


class Choose(Command, frozen=True, kw_only=True, tag="choose"):
    seat: Seat
    contract: Contract
    slot: Key | None = None


class Bid(Command, frozen=True, kw_only=True, tag="bid"):
    seat: Seat
    points: Count


class Defer(Command, frozen=True, kw_only=True, tag="defer"):
    seat: Seat


class Pass(Command, frozen=True, kw_only=True, tag="pass"):
    seat: Seat


class Discard(Command, frozen=True, kw_only=True, tag="discard"):
    seat: Seat
    cards: CardList


class Concede(Command, frozen=True, kw_only=True, tag="concede"):
    seat: Seat


class Accept(Command, frozen=True, kw_only=True, tag="accept"):
    seat: Seat


class Predict(Command, frozen=True, kw_only=True, tag="predict"):
    seat: Seat
    points: Count


class Exchange(Command, frozen=True, kw_only=True, tag="exchange"):
    seat: Seat
    cards: CardList
    take_turned: bool = False


class Keep(Command, frozen=True, kw_only=True, tag="keep"):
    seat: Seat
    take_turned: bool = False


class TakeTurned(Command, frozen=True, kw_only=True, tag="take_turned"):
    seat: Seat


class Play(Command, frozen=True, kw_only=True, tag="play"):
    """Play a card, with what is declared as it is played. `card` null: unknown, in transcribed games."""

    seat: Seat
    card: Card | None
    melds: Annotated[list[CardList], Meta(max_length=12)] | None = None
    stoeck: bool | Literal[20, -20] | None = None


class ClaimOut(Command, frozen=True, kw_only=True, tag="claim_out"):
    seat: Seat


class Stop(Command, frozen=True, kw_only=True, tag="stop"):
    seat: Seat


class Rule(Command, frozen=True, kw_only=True, tag="rule"):
    """A referee's ruling. `against` is a seat; `scores` go with score_change, `points` with penalty (taken
    off the side of `against`), `choice` with short_hand (what the opponents chose), `suit` with bar_suit."""

    kind: RulingKind
    reason: Reason
    deal: DealNumber | None = None
    trick: TrickNumber | None = None
    against: Seat | None = None
    replaces: DealNumber | None = None
    article: Text | None = None
    scores: Annotated[list[Points], Meta(max_length=4)] | None = None
    points: Points | None = None
    choice: Literal["points", "annul"] | None = None
    suit: Suit | None = None


class Close(Command, frozen=True, kw_only=True, tag="close"):
    reason: Reason


class EnterResult(Command, frozen=True, kw_only=True, tag="enter_result"):
    """The result of a deal from the sheet. `seat` writes; points per side; `sweep` and `stoeck` name a
    side."""

    seat: Seat
    deal: DealNumber
    card_points: Annotated[list[Count], Meta(max_length=4)]
    contract: Contract | None = None
    sweep: Seat | None = None
    stoeck: Seat | None = None
    melds: Annotated[list[Count], Meta(max_length=4)] | None = None
    scores: Annotated[list[Points], Meta(max_length=4)] | None = None


class CorrectResult(EnterResult, frozen=True, kw_only=True, tag="correct_result"):
    """New values for a deal that was entered before."""


class ConfirmResult(Command, frozen=True, kw_only=True, tag="confirm_result"):
    seat: Seat
    deal: DealNumber


AnyCommand = (
    Start | Deal | Push | Choose | Bid | Defer | Pass | Discard | Concede | Accept | Predict | Exchange | Keep
    | TakeTurned | Play | ClaimOut | Stop | Rule | Close | EnterResult | CorrectResult | ConfirmResult
)  # fmt: skip
COMMANDS: Final[tuple[type[Command], ...]] = get_args(AnyCommand)
NAMES: Final[dict[type[Command], str]] = {c: str(c.__struct_config__.tag) for c in COMMANDS}
