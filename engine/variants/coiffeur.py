"""Coiffeur: partners or three alone; every side plays each of ten slots once, each with its multiplier.

Source: the club manual of Santiago; option `lead: "declarer"` as Swisslos plays. Options: see `Options`; with
melds, Stöck or sweep only the choosing side scores them, multiplied. Omissions: none known.
"""

from collections.abc import Sequence
from typing import Annotated, Final, Literal

from msgspec import Meta

from engine.contracts import CONTRACTS, Contract
from engine.following import FOLLOWING
from engine.items import Item, count_deal
from engine.options import MeldOptions, Melds, Stoeck, SweepBonus, meld_rules
from engine.phases.contract_choice import Slots, contract_choice
from engine.phases.dealing import dealing
from engine.phases.trick_play import trick_play
from engine.remedies import is_annulled
from engine.rules import (
    Counted,
    Phase,
    Scored,
    Sides,
    TrickRules,
    Variant,
    alone,
    forehand,
    highest,
    partners,
)
from engine.state import DealRecord, State

FACTORS: Final = {
    "diamonds": 1, "hearts": 2, "spades": 3, "clubs": 4, "obenabe": 5, "undenufe": 6,
    "joker7": 7, "joker8": 8, "slalom": 9, "guschti": 10,
}  # fmt: skip
TWO_WAYS: Final[dict[str, tuple[Contract, ...]]] = {
    "slalom": ("slalom-obenabe", "slalom-undenufe"),
    "guschti": ("guschti-obenabe", "guschti-undenufe"),
}
SLOTS: Final[dict[str, tuple[Contract, ...]]] = {
    **{contract: (contract,) for contract in CONTRACTS[:6]},
    "joker7": CONTRACTS,
    "joker8": CONTRACTS,
    **TWO_WAYS,
}


class Options(MeldOptions, frozen=True, kw_only=True):
    """The choices of Coiffeur."""

    lead: Annotated[
        Literal["source", "forehand", "declarer"],
        Meta(title="Who leads: forehand (in slalom and guschti who chose), always forehand, or who chose"),
    ] = "source"
    melds: Melds = False
    stoeck: Stoeck = False
    sweep_bonus: SweepBonus = 0


def _sides(state: State) -> Sides:
    return partners(state) if state.seats == 4 else alone(state)


def _left(state: State, seat: int) -> list[str]:
    """The slots that the side of a seat has not played; a slot of an annulled deal is played again."""
    sides = _sides(state)
    played = {
        record.slot
        for record in state.records
        if record.chooser is not None
        and sides[record.chooser] == sides[seat]
        and not is_annulled(state, record.deal)
    }
    return [slot for slot in SLOTS if slot not in played]


def _able(state: State) -> list[int]:
    """The seats from forehand on whose side has slots left; the first one has the duty to choose."""
    first = forehand(state)
    order = [(first + turn) % state.seats for turn in range(state.seats)]
    return [seat for seat in order if _left(state, seat)]


def _seat(state: State) -> int:
    able = _able(state)
    return able[len(state.pushed) % len(able)]


def _may_push(state: State) -> bool:
    able = _able(state)
    return len(able) > 1 and len(state.pushed) < len(able)


def _phases(options: Options) -> tuple[Phase, ...]:
    return dealing(), contract_choice(CONTRACTS, _seat, _may_push, Slots(SLOTS, _left)), trick_play()


def _play(options: Options) -> TrickRules:
    two_ways = {contract for contracts in TWO_WAYS.values() for contract in contracts}

    def lead(state: State) -> int:
        chosen = options.lead == "source" and state.contract in two_ways
        if state.chooser is not None and (chosen or options.lead == "declarer"):
            return state.chooser
        return forehand(state)

    return TrickRules(
        following=FOLLOWING[options.undertrump],
        lead=lead,
        multiplier=lambda contract, slot: FACTORS.get(slot or "", 1),
        **meld_rules(options),
    )


def _score(state: State, record: DealRecord, items: Sequence[Item]) -> Scored:
    counted = count_deal(state, record, items)
    chooser = None if record.chooser is None else _sides(state)[record.chooser]
    scores = tuple(points if side == chooser else 0 for side, points in enumerate(counted.scores))
    return Scored(counted.card_points, scores)


def _winner(options: Options, totals: Sequence[int], deals: Sequence[Counted]) -> list[int] | None:
    return highest(totals) if len(deals) >= len(SLOTS) * len(totals) else None


COIFFEUR: Final = Variant(
    key="coiffeur",
    label="Coiffeur",
    seats=(3, 4),
    options=Options,
    rules_version=1,
    sides=_sides,
    count_sides=lambda seats: 2 if seats == 4 else 3,
    phases=_phases,
    play=_play,
    score=_score,
    winner=_winner,
)
