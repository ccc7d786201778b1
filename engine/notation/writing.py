"""Write a command as one line of notation."""

from typing import Final

from engine.commands import Command
from engine.notation.phrases import ABSENT, DESK, LAST_FIELD, Field, get_phrase

UNKNOWN: Final = "?"


def write_command(command: Command, hands: str | None = None, *, by_card: bool = False) -> str:
    """Return a command as one line, without line end.

    `hands`: the deck of a deal, written as hands by seat; None writes the deck card by card. A hidden value
    is written as `?`, an absent list as `-`, and a writer without a seat as `desk`. `by_card`: the command
    states an act that an unseen card caused.
    """
    phrase = get_phrase(type(command), by_card=by_card)
    words = [
        part if isinstance(part, str) else _write_value(part, getattr(command, part.name))
        for part in phrase.parts
    ]
    line = " ".join(words)
    for field in phrase.clauses.values():
        value = getattr(command, field.name)
        if value != field.default or type(value) is not type(field.default):
            written = hands if hands is not None and field.name == LAST_FIELD else _write_value(field, value)
            line += f", {field.name} {written}".rstrip()
    return line


def _write_value(field: Field, value: object) -> str:
    if value is not None:
        return field.kind.write(value)
    if field.kind.is_list:
        return ABSENT
    return DESK if field.name == "seat" else UNKNOWN
