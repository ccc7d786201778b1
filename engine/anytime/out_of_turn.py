"""What a seat may do outside its turn: claim the game, stop a deal it is certain to win, take the turned
card."""

from engine.codec import decode_command
from engine.commands import NAMES
from engine.errors import IllegalCommand
from engine.ledger.state import State
from engine.registry import table_of


def beside(state: State, seat: int) -> tuple[str, ...]:
    """Names of the commands a seat may send now, whoever has the turn, as the rules accept them; none before
    and after a game. Nothing but what that seat sees decides."""
    if not state.variant or state.over or state.closed:
        return ()
    table = table_of(state)
    names = []
    for kind, decider in table.rules.variant.anytime.items():
        try:
            decider(table, decode_command({"cmd": NAMES[kind], "seat": seat}))
        except IllegalCommand:
            continue
        names.append(NAMES[kind])
    return tuple(names)
