"""Bots for the seats of a table. They know only their seat's view.

`choose(state, seat, seed) -> Command` is pure; `runner` registers the bot of stored games.
"""

from games.bots.quick_decisions import choose

__all__ = ["choose"]
