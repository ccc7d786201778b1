"""Bots that take a seat like a person: they see their seat's view and send commands.

`choose(view_state, seat, seed) -> Command` is pure; `runner` makes the bots act.
"""

from games.bots.quick_decisions import choose

__all__ = ["choose"]
