"""Early ends: claim a won game, or stop a deal, if the outcome is certain."""

from typing import Final

from engine import Command, IllegalCommand, State, decide
from engine.commands import ClaimOut, Stop
from engine.registry import build_game_context, get_rules
from engine.scoring.running_totals import compute_running_totals

SACK: Final = 20
"""Points that the opponent must exceed before a bot stops a deal: with no more the opponent may still get a
sack (−1).
"""


def find_ending_command(state: State, seat: int) -> Command | None:
    """Return the command that ends the game or the deal in favour of `seat`, whose turn it is; None if there
    is no such command.
    """
    rules = get_rules(state)
    play = rules.play
    if ClaimOut in rules.variant.anytime and play.targets is not None and not play.automatic:
        side = rules.sides_of(state)[seat]
        return (
            ClaimOut(seat=seat)
            if compute_running_totals(build_game_context(state))[side] >= play.goals(state)[side]
            else None
        )
    if Stop in rules.variant.anytime and state.contract is not None and state.tricks:
        loser = min(points for who, points in enumerate(state.taken) if who != seat)
        if loser > SACK and _accepted(state, Stop(seat=seat)):
            return Stop(seat=seat)
    return None


def _accepted(state: State, command: Command) -> bool:
    try:
        decide(state, command)
    except IllegalCommand:
        return False
    return True
