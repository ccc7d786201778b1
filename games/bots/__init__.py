"""Bots that take a seat as a person would: they see their seat's view and send commands.

`choose(view_state, seat, seed) -> Command` is pure; `runner` makes them act.
"""

from games.bots.choosing import choose

__all__ = ["choose"]
