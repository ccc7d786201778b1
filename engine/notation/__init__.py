"""A game as text that people and programs read: one line a decision, `2 plays S6`.

`notate(log)` and `notate(commands)` write it, `parse(text)` gives the commands back; what stands behind `#`
are consequences, which the reader passes over and `first_difference(text)` verifies. What is read and written
is derived from the commands themselves (`engine/commands.py`).
"""

from collections.abc import Iterable, Sequence

from engine.commands import Command, Deal, Start
from engine.events import Event
from engine.notation.consequences import comment_of
from engine.notation.decisions import Decision, of_commands, of_log
from engine.notation.hands import hands_text
from engine.notation.page import page
from engine.notation.reading import parse, read_commands
from engine.notation.writing import write

__all__ = [
    "Decision",
    "first_difference",
    "lines_of",
    "notate",
    "of_log",
    "page",
    "parse",
    "read_commands",
    "write",
]

COLUMN = 26
MAX_BESIDE_LENGTH = 60


def notate(messages: Sequence[Event] | Sequence[Command], *, comments: bool = True) -> str:
    """A game as text, each decision a line. Events may be those that an observer sees: what he does not know
    is `?`. Raises CorruptLog for events that are no game."""
    lines: list[str] = []
    for decision in _decisions(messages):
        if isinstance(decision.command, Deal | Start) and lines:
            lines.append("")
        lines += lines_of(decision, comments=comments)
    return "".join(f"{line}\n" for line in lines)


def first_difference(text: str) -> tuple[int, str, str] | None:
    """Where a text with its comments departs from what its decisions lead to: line, what stands there, what
    should; None where it does not. Raises CorruptLog `notation/…` for what cannot be read."""
    written, expected = text.splitlines(), notate(parse(text)).splitlines()
    for at in range(max(len(written), len(expected))):
        here = written[at] if at < len(written) else ""
        there = expected[at] if at < len(expected) else ""
        if here.rstrip() != there:
            return at + 1, here, there
    return None


def _decisions(messages: Sequence[Event] | Sequence[Command]) -> Iterable[Decision]:
    if messages and isinstance(messages[0], Event):
        return of_log(messages)  # type: ignore[arg-type] # all of one kind
    return of_commands(messages)  # type: ignore[arg-type] # likewise


def lines_of(decision: Decision, *, comments: bool = True) -> list[str]:
    """A decision and what followed: one line, or two where they are long."""
    command, events, seats, by_card = decision
    hands = None
    if isinstance(command, Deal) and command.deck is not None:
        hands = hands_text(command.deck, events, seats)
    line = write(command, hands, by_card=by_card)
    comment = comment_of(command, events, hands_written=hands is not None) if comments else ""
    if not comment:
        return [line]
    if len(line) > COLUMN - 2 or len(comment) > MAX_BESIDE_LENGTH:
        return [line, f"    # {comment}"]
    return [f"{line:<{COLUMN}}# {comment}"]
