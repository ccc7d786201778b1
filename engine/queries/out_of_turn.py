"""Commands open out of turn: claim the game, stop a decided deal, take the turned card."""

from functools import cache

from engine.codec import decode_command
from engine.commands import NAMES, Command
from engine.decider import to_game_context
from engine.errors import IllegalCommand
from engine.ledger.state import State
from engine.rules import GameContext


def list_out_of_turn_commands(at: State | GameContext, seat: int) -> tuple[str, ...]:
    """Return the names of the commands that the rules accept from a seat now although it may not be its turn.
    Empty before and after a game.

    The result depends only on facts that the seat sees.
    """
    context = to_game_context(at)
    state = context.state
    if not state.variant or state.over or state.closed:
        return ()
    names = []
    for kind, decider in context.rules.variant.anytime.items():
        try:
            decider(context, _build_command(kind, seat))
        except IllegalCommand:
            continue
        names.append(NAMES[kind])
    return tuple(names)


@cache
def _build_command(kind: type[Command], seat: int) -> Command:
    """Return a command without arguments. It is cached, since it is needed for four seats after every
    card.
    """
    return decode_command({"cmd": NAMES[kind], "seat": seat})
