"""How each command is said: `{field}` stands for a value, the other fields follow as `, name value`.

A command that has no phrase here is said by its tag, and a field that no phrase names follows by its name: so
neither can be forgotten.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, Final, NamedTuple, cast

import msgspec
from msgspec import inspect

from engine.commands import COMMANDS, NAMES, Command
from engine.notation.kinds import Kind, kind_of

_PHRASES: Final[dict[str, str]] = {
    "start": "start {variant} with {seats} seats",
    "push": "{seat} pushes",
    "choose": "{seat} chooses {contract}",
    "bid": "{seat} bids {points}",
    "defer": "{seat} defers",
    "pass": "{seat} passes",
    "discard": "{seat} discards {cards}",
    "concede": "{seat} concedes",
    "accept": "{seat} accepts",
    "predict": "{seat} predicts {points}",
    "exchange": "{seat} exchanges {cards}",
    "keep": "{seat} keeps",
    "take_turned": "{seat} takes the turned card",
    "play": "{seat} plays {card}",
    "declare": "{seat} declares",
    "show": "{seat} shows {melds}",
    "claim_out": "{seat} claims out",
    "stop": "{seat} stops",
    "rule": "referee rules {kind} {reason}",
    "close": "director closes {reason}",
    "resume": "director resumes {reason}",
    "take_back": "scorer takes back from event {to}",
    "enter_result": "{seat} enters deal {deal} {card_points}",
    "correct_result": "{seat} corrects deal {deal} {card_points}",
    "confirm_result": "{seat} confirms deal {deal}",
}
_BY_CARD: Final[dict[str, str]] = {"choose": "an unknown card names {contract}"}
"""How it is said that a card did it which nobody saw; the seat that tells of it follows."""
DESK: Final = "desk"
"""Who writes on a sheet without sitting at the table."""
ABSENT: Final = "-"
LAST: Final = "deck"
"""The longest value: it stands at the end of its line."""


class Field(NamedTuple):
    """A field of a command; `default` is NODEFAULT where it has to be given."""

    name: str
    kind: Kind
    default: Any


class Phrase(NamedTuple):
    """A command as it is said. `parts` are words and fields in turn, `clauses` the fields that follow."""

    command: type[Command]
    tag: str
    parts: tuple[str | Field, ...]
    clauses: dict[str, Field]

    @property
    def seated(self) -> bool:
        """Whether the seat comes first."""
        return not isinstance(self.parts[0], str)

    @property
    def head(self) -> tuple[str, ...]:
        """The words by which the phrase is known."""
        words = self.parts[1:] if self.seated else self.parts
        head: list[str] = []
        for part in words:
            if not isinstance(part, str):
                break
            head.append(part)
        return tuple(head)


def _fields(command: type[Command]) -> Iterator[Field]:
    info = cast("inspect.StructType", inspect.type_info(command))
    for field in info.fields:
        default = field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()
        if default is msgspec.NODEFAULT and not field.required:
            default = msgspec.UNSET
        yield Field(field.encode_name, kind_of(field.type), default)


@cache
def phrase_of(command: type[Command], *, by_card: bool = False) -> Phrase:
    """How a command is said; `by_card`: where it tells what a card did that nobody saw."""
    tag = str(command.__struct_config__.tag)
    fields = {field.name: field for field in _fields(command)}
    said = _BY_CARD if by_card else _PHRASES
    text = said.get(tag) or ("{seat} " if "seat" in fields else "") + tag
    parts: list[str | Field] = []
    for part in text.split():
        named = re.fullmatch(r"\{(\w+)\}", part)
        parts.append(fields.pop(named[1]) if named else part)
    clauses = {name: fields[name] for name in sorted(fields, key=lambda name: name == LAST)}
    return Phrase(command, tag, tuple(parts), clauses)


@cache
def phrases() -> tuple[Phrase, ...]:
    """All phrases, those with the longest heads first."""
    known = [phrase_of(command) for command in COMMANDS]
    known += [phrase_of(command, by_card=True) for command in COMMANDS if NAMES[command] in _BY_CARD]
    return tuple(sorted(known, key=lambda phrase: -len(phrase.head)))
