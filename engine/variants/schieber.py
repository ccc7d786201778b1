"""Schieber: four seats, two pairs of partners; forehand names a contract or pushes the choice to the partner.

Source: the club manual of Santiago; the presets `einzelschieber` and `partnerschieber` from published Swiss
regulations. Options: see `Options`. Omissions: partners, seats and the first forehand are drawn before the
game (`tournaments.pairing`, `games.randomness.dealing`); a further game of the same four players starts with
`won_before`.
"""

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct, field

from engine.anytime import claim_out
from engine.commands import ClaimOut
from engine.contracts import CONTRACTS, Contract
from engine.phases.contract_choice import contract_choice
from engine.phases.dealing import dealing
from engine.phases.trick_play import trick_play
from engine.rules import PARTNERS, Phase, TrickRules, Variant, on
from engine.rules.sheet_fields import SheetRules
from engine.variants.options import (
    Deals,
    LowQuads,
    Melds,
    MeldTie,
    Points,
    Stoeck,
    StoeckPriority,
    SweepBonus,
    bad_option,
    trick_rules,
)

Factors = dict[Contract, Annotated[int, Meta(ge=1, le=20)]]
PLAIN_CONTRACTS: Final[list[Contract]] = list(CONTRACTS[:6])
CLUB_FACTORS: Final[Factors] = {
    "diamonds": 1,
    "hearts": 1,
    "spades": 2,
    "clubs": 2,
    "obenabe": 3,
    "undenufe": 4,
}


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Options of Schieber, with the club's defaults."""

    target: Annotated[Points | None, Meta(title="Points that win the game")] = 2500
    deals: Deals = None
    multipliers: Annotated[Factors, Meta(title="Multiplier of each contract")] = field(
        default_factory=CLUB_FACTORS.copy
    )
    melds: Melds = True
    low_quads: LowQuads = True
    meld_tie: MeldTie = "puur"
    stoeck: Stoeck = True
    stoeck_priority: StoeckPriority = True
    sweep_bonus: SweepBonus = 100
    contracts: Annotated[
        list[Contract], Meta(min_length=1, max_length=10, title="Contracts that may be named")
    ] = field(default_factory=PLAIN_CONTRACTS.copy)
    partner_waits: Annotated[bool, Meta(title="The partner sees his cards after forehand has spoken")] = False
    undertrump: Annotated[
        Literal["only-trumps", "void"],
        Meta(title="Who may undertrump: holders of trumps only, or of no suit led"),
    ] = "only-trumps"
    look_back: Annotated[Literal["first", "last", "all"], Meta(title="Tricks a player may look at again")] = (
        "first"
    )
    first_forehand: Annotated[Literal["D10", "D7", "drawn"], Meta(title="First forehand")] = "D10"
    claim_out: Annotated[
        Literal["automatic", "required"],
        Meta(title="The end of the game comes by itself, or must be claimed"),
    ] = "automatic"


def _complete(options: Options, seats: int) -> Options:
    missing = [contract for contract in PLAIN_CONTRACTS if contract not in options.multipliers]
    if missing:
        raise bad_option("multipliers", f"multipliers lack {', '.join(missing)}", missing=missing)
    if len(set(options.contracts)) < len(options.contracts):
        raise bad_option("contracts", "a contract is named twice")
    return options


def _phases(options: Options) -> tuple[Phase, ...]:
    return dealing(waits=options.partner_waits), contract_choice(tuple(options.contracts)), trick_play()


def _play(options: Options) -> TrickRules:
    return trick_rules(
        options,
        targets=None if options.target is None else (options.target,) * 2,
        automatic=options.claim_out == "automatic",
    )


_CHAMPIONSHIP: Final = {
    "target": None,
    "deals": 8,
    "multipliers": dict.fromkeys(PLAIN_CONTRACTS, 1),
    "melds": False,
    "partner_waits": True,
    "first_forehand": "drawn",
}

SCHIEBER: Final = Variant(
    key="schieber",
    label="Schieber",
    seats=(4,),
    options=Options,
    presets={
        "championship": _CHAMPIONSHIP,
        "einzelschieber": {**_CHAMPIONSHIP, "deals": 12, "sweep_bonus": 0, "stoeck": False},
        "partnerschieber": {**_CHAMPIONSHIP, "sweep_bonus": 50},
    },
    rules_version=1,
    partnership=PARTNERS,
    phases=_phases,
    play=_play,
    deals=lambda options, sides: options.deals,
    marker=lambda options: None if options.first_forehand == "drawn" else options.first_forehand,
    draws_forehand=lambda options: options.first_forehand == "drawn",
    complete=_complete,
    sheet=lambda options, context, deal: SheetRules(contracts=options.contracts),
    anytime=on(ClaimOut, claim_out),
)
