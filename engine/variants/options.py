"""Options that several variants share, with the labels that forms and docs show."""

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Final, Literal, TypedDict, Unpack

from msgspec import Meta, Struct

from engine.card_points import Values
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
    """Options of melds, Stöck, sweep and undertrumping."""

    melds: Melds = True
    low_quads: LowQuads = True
    meld_tie: MeldTie = "puur"
    stoeck: Stoeck = True
    sweep_bonus: SweepBonus = 100
    undertrump: Undertrump = "only-trumps"


class OwnRules(TypedDict, total=False):
    """Trick rules that a variant sets without an option, named as in `TrickRules`."""

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


_RULE_OPTIONS: Final = (
    "multipliers", "melds", "low_quads", "meld_tie", "stoeck", "stoeck_priority", "sweep_bonus",
)  # fmt: skip


def trick_rules(options: Struct, **more: Unpack[OwnRules]) -> TrickRules:
    """Return trick rules from a variant's options and `more`.

    Options in `_RULE_OPTIONS` become rules of the same name; `undertrump` selects the rule for following
    suit. Rules that are in neither have the defaults of `TrickRules`.
    """
    said = {name: getattr(options, name) for name in _RULE_OPTIONS if hasattr(options, name)}
    if hasattr(options, "undertrump"):
        said["following"] = FOLLOWING[options.undertrump]
    return TrickRules(**said, **more)


def bad_option(name: str, detail: str, **params: object) -> IllegalCommand:
    """Return the refusal of an option value that is right by its type but does not fit."""
    return IllegalCommand("start/bad_options", detail, reason=name, **params)
