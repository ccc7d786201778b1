"""Schieber: four seats, partners; forehand names a contract or pushes it to the partner.

Source: the club manual of Santiago; the presets `einzelschieber` and `partnerschieber` from published Swiss
regulations. Options: see `Options`. Omissions: the draw for partners, seats and the first forehand happens
before the game; a further game of the same four is started with `won_before`.
"""

from collections.abc import Sequence
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct, field

from engine.claims import claim_out
from engine.commands import ClaimOut
from engine.contracts import CONTRACTS, Contract
from engine.errors import IllegalCommand
from engine.following import FOLLOWING
from engine.items import count_deal
from engine.phases.contract_choice import contract_choice
from engine.phases.dealing import dealing
from engine.phases.sheet import derived_scores
from engine.phases.trick_play import trick_play
from engine.rules import Counted, Phase, TrickRules, Variant, highest, partners

Factor = Annotated[int, Meta(ge=1, le=20)]
_PLAIN: Final[tuple[Contract, ...]] = CONTRACTS[:6]
_SIMPLE: Final = dict.fromkeys(_PLAIN, 1)


def _club_factors() -> dict[Contract, Factor]:
    return {"diamonds": 1, "hearts": 1, "spades": 2, "clubs": 2, "obenabe": 3, "undenufe": 4}


def _plain_contracts() -> list[Contract]:
    return list(_PLAIN)


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The choices of Schieber, with the club's defaults."""

    target: Annotated[
        Annotated[int, Meta(ge=1, le=100_000)] | None, Meta(title="Points that win the game")
    ] = 2500
    deals: Annotated[Annotated[int, Meta(ge=1, le=1000)] | None, Meta(title="Deals in a game")] = None
    multipliers: Annotated[dict[Contract, Factor], Meta(title="Multiplier of each contract")] = field(
        default_factory=_club_factors
    )
    melds: Annotated[bool, Meta(title="Melds count")] = True
    low_quads: Annotated[bool, Meta(title="Four of a kind below the nines is a meld")] = True
    meld_tie: Annotated[
        Literal["puur", "trump"], Meta(title="Equal sequences: the one with the Puur, or any in trumps")
    ] = "puur"
    stoeck: Annotated[bool, Meta(title="Stöck counts")] = True
    stoeck_priority: Annotated[bool, Meta(title="At the end Stöck counts before melds and tricks")] = True
    sweep_bonus: Annotated[int, Meta(ge=0, le=1000, title="Points for taking all tricks")] = 100
    contracts: Annotated[
        list[Contract], Meta(min_length=1, max_length=10, title="Contracts that may be named")
    ] = field(default_factory=_plain_contracts)
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
    if options.target is None and options.deals is None:
        raise IllegalCommand("start/no_end", "a target or a number of deals must end the game")
    missing = [contract for contract in _PLAIN if contract not in options.multipliers]
    if missing:
        raise IllegalCommand(
            "start/bad_options",
            f"multipliers lack {', '.join(missing)}",
            reason="multipliers",
            missing=missing,
        )
    if len(set(options.contracts)) < len(options.contracts):
        raise IllegalCommand("start/bad_options", "a contract is named twice", reason="contracts")
    return options


def _partner_of_forehand(dealer: int, seat: int) -> bool:
    return seat == (dealer + 3) % 4


def _nobody(dealer: int, seat: int) -> bool:
    return False


def _phases(options: Options) -> tuple[Phase, ...]:
    return (
        dealing(waits=_partner_of_forehand if options.partner_waits else _nobody),
        contract_choice(tuple(options.contracts)),
        trick_play(),
    )


def _play(options: Options) -> TrickRules:
    factors: dict[str | None, int] = dict(options.multipliers.items())

    goals = (options.target or 0,) * 2

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
        targets=None if options.target is None else lambda state: goals,
        automatic=options.claim_out == "automatic",
        stoeck_priority=options.stoeck_priority,
    )


def _winner(options: Options, totals: Sequence[int], deals: Sequence[Counted]) -> list[int] | None:
    return None if options.deals is None or len(deals) < options.deals else highest(totals)


_CHAMPIONSHIP: Final = {
    "target": None,
    "deals": 8,
    "multipliers": _SIMPLE,
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
    sides=partners,
    count_sides=lambda seats: 2,
    phases=_phases,
    play=_play,
    score=count_deal,
    winner=_winner,
    leaders=highest,
    marker=lambda options: None if options.first_forehand == "drawn" else options.first_forehand,
    complete=_complete,
    sheet=derived_scores,
    anytime={ClaimOut: claim_out},
)
