"""Coiffeur: two pairs of partners, or three alone. Each side plays each of ten slots once; each slot has its
multiplier.

Source: the club manual of Santiago; option `lead: "declarer"` as played by Swisslos. Options: see `Options`.
Only the choosing side scores, times the multiplier. Omissions: none known.
"""

from typing import Annotated, Final, Literal

from msgspec import Meta

from engine.contracts import CONTRACTS, Contract
from engine.ledger.state import DealRecord, State
from engine.phases.contract_choice import contract_choice
from engine.phases.dealing import dealing
from engine.phases.slots import Slots
from engine.phases.trick_play import trick_play
from engine.rules import PARTNERS, GameContext, TrickRules, Variant, forehand
from engine.rules.aims import Aim
from engine.rules.sheet_fields import CHOOSER, SheetRules
from engine.rules.tally import Scored, Tally
from engine.variants.options import MeldOptions, Melds, Stoeck, SweepBonus, trick_rules

FACTORS: Final = {
    "diamonds": 1, "hearts": 2, "spades": 3, "clubs": 4, "obenabe": 5, "undenufe": 6,
    "joker7": 7, "joker8": 8, "slalom": 9, "guschti": 10,
}  # fmt: skip
TWO_WAYS: Final[dict[str, tuple[Contract, ...]]] = {
    "slalom": ("slalom-obenabe", "slalom-undenufe"),
    "guschti": ("guschti-obenabe", "guschti-undenufe"),
}
SLOTS: Final = Slots(
    {
        **{contract: (contract,) for contract in CONTRACTS[:6]},
        "joker7": CONTRACTS,
        "joker8": CONTRACTS,
        **TWO_WAYS,
    }
)


class Options(MeldOptions, frozen=True, kw_only=True):
    """Options of Coiffeur."""

    lead: Annotated[
        Literal["source", "forehand", "declarer"],
        Meta(title="Who leads: forehand (in slalom and guschti who chose), always forehand, or who chose"),
    ] = "source"
    melds: Melds = False
    stoeck: Stoeck = False
    sweep_bonus: SweepBonus = 0


def _play(options: Options) -> TrickRules:
    two_ways = {contract for contracts in TWO_WAYS.values() for contract in contracts}

    def lead(state: State) -> int:
        chosen = options.lead == "source" and state.contract in two_ways
        if state.chooser is not None and (chosen or options.lead == "declarer"):
            return state.chooser
        return forehand(state)

    return trick_rules(options, lead=lead, multipliers=FACTORS, slots=SLOTS.contracts)


def _score(options: Options, context: GameContext, record: DealRecord, tally: Tally) -> Scored | None:
    if record.chooser is None or record.slot is None:
        return None
    chooser = context.rules.sides_of(context.state)[record.chooser]
    return Scored(tally.cards, tuple(n if side == chooser else 0 for side, n in enumerate(tally.points)))


COIFFEUR: Final = Variant(
    key="coiffeur",
    label="Coiffeur",
    seats=(3, 4),
    options=Options,
    rules_version=2,
    partnership=PARTNERS,
    phases=lambda options: (
        dealing(),
        contract_choice(CONTRACTS, SLOTS.find_chooser, SLOTS.may_push, SLOTS),
        trick_play(),
    ),
    play=_play,
    score=_score,
    deals=lambda options, sides: len(FACTORS) * sides,
    sheet=lambda options, context, deal: SheetRules(fields=(CHOOSER, SLOTS.field(context, deal))),
    slate="slots",
    aim=Aim(chooser_only=True),
)
