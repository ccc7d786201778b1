"""Notation: a game as text for people and programs, one line per decision, such as `2 plays S6`.

`notate(log)` and `notate(commands)` write notation, `parse(text)` returns the commands. Text after `#` states
the consequences; `parse` ignores it and `first_difference(text)` checks it. The syntax is derived from the
commands (`engine/commands.py`).
"""

import re
from collections.abc import Iterable, Sequence

from engine.commands import Command, Deal, Start
from engine.events import Event
from engine.notation.consequences import format_consequences
from engine.notation.decisions import Decision, iter_command_decisions, iter_log_decisions
from engine.notation.hands import format_hands
from engine.notation.page import page
from engine.notation.reading import parse, read_commands
from engine.notation.writing import write_command

__all__ = [
    "Decision",
    "first_difference",
    "format_decision",
    "iter_log_decisions",
    "notate",
    "page",
    "parse",
    "read_commands",
    "write_command",
]

COMMENT_COLUMN = 26
MAX_SAME_LINE_COMMENT = 60
_COMMENT = re.compile(r'(?:[^"#]|"(?:\\.|[^"\\])*")*#')
"""Matches a line with a comment: a number sign outside of double quotes."""


def notate(messages: Sequence[Event] | Sequence[Command], *, comments: bool = True) -> str:
    """Return a game as text, one decision per line. Values that a view hides are written as `?`. Raises
    CorruptLog for events that are no game.
    """
    lines: list[str] = []
    for decision in _decisions(messages):
        if isinstance(decision.command, Deal | Start) and lines:
            lines.append("")
        lines += format_decision(decision, comments=comments)
    return "".join(f"{line}\n" for line in lines)


def first_difference(text: str) -> tuple[int, str, str] | None:
    """Return the first line that differs from the notation of its commands, as (line number, text, expected
    text); None if no line does, or if the text has no comments and so states no consequences. Raises
    CorruptLog for text that cannot be read.
    """
    commands = parse(text)
    if not any(map(_COMMENT.match, text.splitlines())):
        return None
    written, expected = text.splitlines(), notate(commands).splitlines()
    for at in range(max(len(written), len(expected))):
        line = written[at] if at < len(written) else ""
        expected_line = expected[at] if at < len(expected) else ""
        if line.rstrip() != expected_line:
            return at + 1, line, expected_line
    return None


def _decisions(messages: Sequence[Event] | Sequence[Command]) -> Iterable[Decision]:
    if messages and isinstance(messages[0], Event):
        return iter_log_decisions(messages)  # type: ignore[arg-type]  # all messages are of the kind of the first
    return iter_command_decisions(messages)  # type: ignore[arg-type]  # all messages are of the kind of the first


def format_decision(decision: Decision, *, comments: bool = True) -> list[str]:
    """Return the lines of a decision: one with its consequences as a comment, or two if that is too long."""
    command, events, seats, by_card = decision
    hands = None
    if isinstance(command, Deal) and command.deck is not None:
        hands = format_hands(command.deck, events, seats)
    line = write_command(command, hands, by_card=by_card)
    comment = format_consequences(command, events, hands_written=hands is not None) if comments else ""
    if not comment:
        return [line]
    if len(line) > COMMENT_COLUMN - 2 or len(comment) > MAX_SAME_LINE_COMMENT:
        return [line, f"    # {comment}"]
    return [f"{line:<{COMMENT_COLUMN}}# {comment}"]
