"""Schieber: four seats, partners; forehand names a contract or pushes.

Source: the club manual of Santiago, rules of the common ground.
"""

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct, field

from ..contracts import CONTRACTS, Contract
from ..errors import IllegalCommand
from ..following import FOLLOWING
from ..items import count_deal
from ..phases.contract_choice import contract_choice
from ..phases.dealing import dealing
from ..phases.sheet import derived_scores
from ..phases.trick_play import trick_play
from ..remedies import counted_deals
from ..rules import Phase, TrickRules, Variant, highest, partners
from ..state import State

Multiplier = Annotated[int, Meta(ge=1, le=20)]
_PLAIN: Final[tuple[Contract, ...]] = CONTRACTS[:6]


def _club() -> dict[Contract, int]:
    return {"diamonds": 1, "hearts": 1, "spades": 2, "clubs": 2, "obenabe": 3, "undenufe": 4}


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The choices of Schieber, with the club's defaults."""

    target: Annotated[int, Meta(ge=1, le=100_000)] | None = 2500
    deals: Annotated[int, Meta(ge=1, le=1000)] | None = None
    multipliers: dict[Contract, Multiplier] = field(default_factory=_club)
    melds: bool = True
    low_quads: bool = True
    meld_tie: Literal["puur", "trump"] = "puur"
    stoeck: bool = True
    stoeck_priority: bool = True
    sweep_bonus: Annotated[int, Meta(ge=0, le=1000)] = 100
    contracts: Annotated[list[Contract], Meta(min_length=1, max_length=10)] = field(
        default_factory=lambda: list(_PLAIN)
    )
    partner_waits: bool = False
    undertrump: Literal["only-trumps", "void"] = "only-trumps"
    look_back: Literal["first", "last", "all"] = "first"
    first_forehand: Literal["D10", "D7", "drawn"] = "D10"
    claim_out: Literal["automatic", "required"] = "automatic"


def _check(options: Options, seats: int) -> None:
    if options.target is None and options.deals is None:
        raise IllegalCommand("start/no_end", "a target or a number of deals must end the game")


def _partner_of_forehand(dealer: int, seat: int) -> bool:
    return seat == (dealer + 3) % 4


def _phases(options: Options) -> tuple[Phase, ...]:
    return (
        dealing(
            9,
            waits=_partner_of_forehand if options.partner_waits else lambda dealer, seat: False,
        ),
        contract_choice(tuple(options.contracts)),
        trick_play(),
    )


def _play(options: Options) -> TrickRules:
    factors: dict[str | None, int] = dict(options.multipliers.items())

    def multiplier(contract: str | None, slot: str | None) -> int:
        return factors.get(contract, 1)

    return TrickRules(
        following=FOLLOWING[options.undertrump],
        multiplier=multiplier,
        melds=options.melds,
        low_quads=options.low_quads,
        meld_tie=options.meld_tie,
        stoeck=options.stoeck,
        sweep_bonus=options.sweep_bonus,
        targets=None if options.target is None else (options.target, options.target),
        automatic=options.claim_out == "automatic",
        stoeck_priority=options.stoeck_priority,
    )


def _winner(state: State) -> list[int] | None:
    options: Options = state.rules.options
    if options.deals is None or counted_deals(state) < options.deals:
        return None
    return highest(state.totals)


_ONE: Final = dict.fromkeys(_PLAIN, 1)

SCHIEBER: Final = Variant(
    key="schieber",
    label="Schieber",
    seats=(4,),
    options=Options,
    presets={
        "championship": {
            "target": None,
            "deals": 8,
            "multipliers": _ONE,
            "melds": False,
            "partner_waits": True,
            "first_forehand": "drawn",
        },
    },
    rules_version=1,
    sides=partners,
    count_sides=lambda seats: 2,
    phases=_phases,
    play=_play,
    score=count_deal,
    winner=_winner,
    leaders=highest,
    marker=lambda options: None if options.first_forehand == "drawn" else options.first_forehand,
    check=_check,
    sheet=derived_scores,
)
