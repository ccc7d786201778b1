"""Options that several games share, with the labels that forms and docs show."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

Undertrump = Annotated[
    Literal["only-trumps", "void", "forced"],
    Meta(title="Who may undertrump: holders of trumps only, or of no suit led; or who must"),
]

Melds = Annotated[bool, Meta(title="Melds count")]
Stoeck = Annotated[bool, Meta(title="Stöck counts")]
SweepBonus = Annotated[int, Meta(ge=0, le=1000, title="Points for taking all tricks")]


class MeldOptions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What may count beside the cards of tricks."""

    melds: Melds = True
    low_quads: Annotated[bool, Meta(title="Four of a kind below the nines is a meld")] = True
    meld_tie: Annotated[
        Literal["puur", "trump"], Meta(title="Equal sequences: the one with the Puur, or any in trumps")
    ] = "puur"
    stoeck: Stoeck = True
    sweep_bonus: SweepBonus = 100
    undertrump: Undertrump = "only-trumps"


def meld_rules(options: MeldOptions) -> Mapping[str, Any]:
    """These options as fields of TrickRules; `undertrump` chooses a way of following, by its name."""
    return {
        "melds": options.melds,
        "low_quads": options.low_quads,
        "meld_tie": options.meld_tie,
        "stoeck": options.stoeck,
        "sweep_bonus": options.sweep_bonus,
    }
