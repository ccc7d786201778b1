"""Options that several games share, with the labels that forms and docs show."""

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Final, Literal, TypedDict, Unpack

from msgspec import Meta, Struct

from engine.contracts import Values
from engine.errors import IllegalCommand
from engine.ledger.state import State
from engine.rules import TrickRules
from engine.tricks.following import FOLLOWING

Deals = Annotated[Annotated[int, Meta(ge=1, le=1000)] | None, Meta(title="Deals in a game")]
Points = Annotated[int, Meta(ge=1, le=100_000)]

Undertrump = Annotated[
    Literal["only-trumps", "void", "forced"],
    Meta(title="Who may undertrump: holders of trumps only, or of no suit led; or who must"),
]

Melds = Annotated[bool, Meta(title="Melds count")]
LowQuads = Annotated[bool, Meta(title="Four of a kind below the nines is a meld")]
MeldTie = Annotated[
    Literal["puur", "trump"], Meta(title="Equal sequences: the one with the Puur, or any in trumps")
]
Stoeck = Annotated[bool, Meta(title="Stöck counts")]
StoeckPriority = Annotated[bool, Meta(title="At the end Stöck counts before melds and tricks")]
SweepBonus = Annotated[int, Meta(ge=0, le=1000, title="Points for taking all tricks")]


class MeldOptions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What may count beside the cards of tricks."""

    melds: Melds = True
    low_quads: LowQuads = True
    meld_tie: MeldTie = "puur"
    stoeck: Stoeck = True
    sweep_bonus: SweepBonus = 100
    undertrump: Undertrump = "only-trumps"


class OwnRules(TypedDict, total=False):
    """What a game says of its tricks by itself: names and types as in `TrickRules`."""

    values: Mapping[str, Values]
    lead: Callable[[State], int]
    multipliers: Mapping[str, int]
    deal_points: int
    all_counted: bool
    stoeck_signed: bool
    targets: tuple[int | None, ...] | None
    automatic: bool
    slots: Mapping[str, Sequence[str]]
    names_trumps: bool


_NAMES: Final = (
    "multipliers", "melds", "low_quads", "meld_tie", "stoeck", "stoeck_priority", "sweep_bonus",
)  # fmt: skip


def trick_rules(options: Struct, **more: Unpack[OwnRules]) -> TrickRules:
    """What the options of a game say of its tricks, and `more`: those of `_NAMES` are rules by the same name,
    `undertrump` names the way of following. What they do not say is as `TrickRules` has it."""
    said = {name: getattr(options, name) for name in _NAMES if hasattr(options, name)}
    if hasattr(options, "undertrump"):
        said["following"] = FOLLOWING[options.undertrump]
    return TrickRules(**said, **more)


def bad_option(name: str, detail: str, **params: object) -> IllegalCommand:
    """The refusal of an option that its type alone allows."""
    return IllegalCommand("start/bad_options", detail, reason=name, **params)
