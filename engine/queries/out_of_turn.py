"""What a seat may do outside its turn: claim the game, stop a deal it is certain to win, take the turned
card."""

from functools import cache

from engine.codec import decode_command
from engine.commands import NAMES, Command
from engine.decider import table_at
from engine.errors import IllegalCommand
from engine.ledger.state import State
from engine.rules import Table


def beside(at: State | Table, seat: int) -> tuple[str, ...]:
    """Names of the commands a seat may send now, whoever has the turn, as the rules accept them; none before
    and after a game. Nothing but what that seat sees decides."""
    table = table_at(at)
    state = table.state
    if not state.variant or state.over or state.closed:
        return ()
    names = []
    for kind, decider in table.rules.variant.anytime.items():
        try:
            decider(table, _said_by(kind, seat))
        except IllegalCommand:
            continue
        names.append(NAMES[kind])
    return tuple(names)


@cache
def _said_by(kind: type[Command], seat: int) -> Command:
    """Made once: it is asked of four seats with every card."""
    return decode_command({"cmd": NAMES[kind], "seat": seat})
