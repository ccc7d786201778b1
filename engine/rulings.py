"""Rulings."""

from .commands import Rule
from .errors import IllegalCommand
from .events import Event
from .state import State


def rule(state: State, command: Rule) -> list[Event]:
    raise IllegalCommand("rule/not_yet", "rulings come with the next slice")
