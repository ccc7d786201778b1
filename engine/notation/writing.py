"""A command as one line."""

from typing import Final

from engine.commands import Command
from engine.notation.phrases import ABSENT, DESK, LAST, Field, phrase_of

UNKNOWN: Final = "?"


def write(command: Command, hands: str | None = None, *, by_card: bool = False) -> str:
    """One line without its end. `hands`: the deck of a deal as hands by seat; otherwise it is written as it
    lies. A value that a view does not tell is `?`, a list that is not there `-`, and who writes without a
    seat the desk. `by_card`: it tells what a card did that nobody saw."""
    phrase = phrase_of(type(command), by_card=by_card)
    words = [
        part if isinstance(part, str) else _value(part, getattr(command, part.name)) for part in phrase.parts
    ]
    line = " ".join(words)
    for field in phrase.clauses.values():
        value = getattr(command, field.name)
        if value != field.default or type(value) is not type(field.default):
            written = hands if hands is not None and field.name == LAST else _value(field, value)
            line += f", {field.name} {written}".rstrip()
    return line


def _value(field: Field, value: object) -> str:
    if value is not None:
        return field.kind.write(value)
    if field.kind.is_list:
        return ABSENT
    return DESK if field.name == "seat" else UNKNOWN
