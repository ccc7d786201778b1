"""Phrases of commands. In a phrase `{field}` stands for a value; the other fields follow as `, name value`.

A command without a phrase is written by its tag, and a field that the phrase does not contain is written by
its name. So new commands and fields are never omitted.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, Final, NamedTuple, cast

import msgspec
from msgspec import inspect

from engine.commands import COMMANDS, NAMES, Command
from engine.notation.kinds import Kind, infer_kind

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
"""Phrases for acts that an unseen card of another seat caused. The seat that recorded the act follows."""
DESK: Final = "desk"
"""The word for a scorer of the sheet without a seat at the table."""
ABSENT: Final = "-"
LAST_FIELD: Final = "deck"
"""The field that is written at the end of the line, since it is the longest."""


class Field(NamedTuple):
    """A field of a command. `default` is NODEFAULT for a required field."""

    name: str
    kind: Kind
    default: Any


class Phrase(NamedTuple):
    """The phrase of a command. `parts`: words and fields in order. `clauses`: fields that follow, by name."""

    command: type[Command]
    tag: str
    parts: tuple[str | Field, ...]
    clauses: dict[str, Field]

    @property
    def seated(self) -> bool:
        """Whether the phrase starts with a seat."""
        return not isinstance(self.parts[0], str)

    @property
    def head(self) -> tuple[str, ...]:
        """The words at the beginning, after the seat, that identify the phrase."""
        words = self.parts[1:] if self.seated else self.parts
        head: list[str] = []
        for part in words:
            if not isinstance(part, str):
                break
            head.append(part)
        return tuple(head)


def _iter_fields(command: type[Command]) -> Iterator[Field]:
    info = cast("inspect.StructType", inspect.type_info(command))
    for field in info.fields:
        default = field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()
        if default is msgspec.NODEFAULT and not field.required:
            default = msgspec.UNSET
        yield Field(field.encode_name, infer_kind(field.type), default)


@cache
def get_phrase(command: type[Command], *, by_card: bool = False) -> Phrase:
    """Return the phrase of a command type. `by_card`: the phrase for an act that an unseen card caused."""
    tag = str(command.__struct_config__.tag)
    fields = {field.name: field for field in _iter_fields(command)}
    said = _BY_CARD if by_card else _PHRASES
    text = said.get(tag) or ("{seat} " if "seat" in fields else "") + tag
    parts: list[str | Field] = []
    for part in text.split():
        named = re.fullmatch(r"\{(\w+)\}", part)
        parts.append(fields.pop(named[1]) if named else part)
    clauses = {name: fields[name] for name in sorted(fields, key=lambda name: name == LAST_FIELD)}
    return Phrase(command, tag, tuple(parts), clauses)


@cache
def list_phrases() -> tuple[Phrase, ...]:
    """Return all phrases, the ones with the longest heads first."""
    known = [get_phrase(command) for command in COMMANDS]
    known += [get_phrase(command, by_card=True) for command in COMMANDS if NAMES[command] in _BY_CARD]
    return tuple(sorted(known, key=lambda phrase: -len(phrase.head)))
