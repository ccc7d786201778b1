"""Choice of a slot in games in which each side plays each slot once.

The bot takes the slot in which its hand exceeds the usual result by most, times the multiplier of the slot.
"""

from collections.abc import Sequence
from typing import Final

from engine import Command, State
from engine.cards import SUIT_NAMES
from engine.commands import Choose, Push
from engine.registry import get_rules
from games.bots import contract_choice, contract_estimates

USUAL: Final = {4: {"suit": 100.0, "flat": 90.0}, 3: {"suit": 72.0, "flat": 70.0}}
"""Usual result of a slot by number of seats and kind of contract, if the side is not forced to play the
slot.
"""
ANY: Final = 10.0
"""Additional usual result of a slot with a choice of more than two contracts."""


def choose_or_push(state: State, seat: int, chosen: Sequence[Choose], push: Push | None) -> Command:
    """Return the command for the slot with the largest gain over the usual result, or `push`, if any, if no
    slot gains.
    """
    contracts = {str(command.contract) for command in chosen}
    points = {
        contract: contract_estimates.estimate_contract_points(state, state.hands[seat], contract)
        for contract in sorted(contracts)
    }
    width: dict[str, int] = {}
    for command in chosen:
        width[command.slot or ""] = width.get(command.slot or "", 0) + 1

    def gain(command: Choose) -> float:
        slot, contract = command.slot or "", str(command.contract)
        usual = USUAL.get(state.seats, USUAL[4])["suit" if contract in SUIT_NAMES else "flat"]
        factor = get_rules(state).play.multiplier(contract, slot)
        return (
            contract_choice.get_score_direction(state)
            * factor
            * (points[contract] - usual - (ANY if width[slot] > 2 else 0.0))
        )

    best = max(chosen, key=gain)
    return push if push is not None and gain(best) < 0 else best
