"""Kinds of field values, and how each kind is written.

Kinds are derived from the types of the commands' fields, so that new fields need no code in this module;
values of other types are written as JSON. `?` is an unknown value, `?x9` are nine unknown cards.
"""

from collections.abc import Callable, Iterable
from functools import partial
from itertools import groupby
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import inspect

from engine.cards import DECK
from engine.commands import Declared
from engine.notation.scanner import CARD, NUMBER, UNKNOWN, WORD, Scanner

MAX_KEY_LENGTH: Final = 40
"""Largest length of strings that may be written without quotes. Fields that allow longer strings are free
text and always quoted.
"""
NONE: Final = "none"
_A_CARD: Final = "a card (S6, H10, CA or ? where it is not known)"
_JSON_WORDS: Final = frozenset({"true", "false", "null"})


class Kind(NamedTuple):
    """Functions that write and read the values of one kind. They are not used for None."""

    write: Callable[[Any], str]
    read: Callable[[Scanner], Any]
    is_list: bool = False


def format_json(value: Any) -> str:
    """Format a value as JSON."""
    return msgspec.json.encode(value).decode()


def format_word(text: str) -> str:
    """Format a string: bare if it is a word that is not reserved, else as JSON."""
    found = WORD.fullmatch(text)
    return text if found and text not in _JSON_WORDS and text != NONE else format_json(text)


def format_cards(codes: Iterable[str | None]) -> str:
    """Format card codes. Consecutive unknown cards become one `?` with their number, such as `?x9`."""
    written: list[str] = []
    for code, same in groupby(codes):
        count = len(list(same))
        if code is None:
            written.append("?" if count == 1 else f"?x{count}")
        else:
            written += [code] * count
    return " ".join(written) or NONE


def format_side_points(numbers: Iterable[int | None]) -> str:
    """Format points by side as `85:72`, points of a single side as `85:`."""
    written = ["?" if number is None else str(number) for number in numbers]
    return f"{written[0]}:" if len(written) == 1 else ":".join(written) or NONE


def format_lists(lists: Iterable[Any], write: Callable[[Any], str]) -> str:
    """Format values with `write`, joined with `+`."""
    return " + ".join(map(write, lists)) or "nothing"


def format_options(named: dict[str, Any]) -> str:
    """Format options as `name=value`, each value a word or JSON."""
    pairs = [
        f"{format_word(n)}={format_word(v) if isinstance(v, str) else format_json(v)}"
        for n, v in named.items()
    ]
    return " ".join(pairs) or NONE


def read_cards(scanner: Scanner) -> list[str | None]:
    """Read card codes up to the first token that is no card."""
    found: list[str | None] = []
    if scanner.take_words([NONE]):
        return found
    while True:
        if len(found) > len(DECK):
            scanner.fail("there are 36 cards", code="notation/too_many_cards")
        if unknown := scanner.find(UNKNOWN):
            found += [None] * int(unknown[1] or 1)
        elif code := scanner.find(CARD):
            found.append(code[0])
        elif found:
            return found
        else:
            scanner.fail(f"expected {_A_CARD}")


def _read_points(scanner: Scanner) -> list[int | None]:
    if scanner.take_words([NONE]):
        return []
    found = [_read_point(scanner)]
    while scanner.take(":"):
        if len(found) > 1 or scanner.text[scanner.at : scanner.at + 1] in _OF_POINTS:
            found.append(_read_point(scanner))
        else:
            return found
    if len(found) == 1:
        scanner.fail("expected the points of each side, 85:72")
    return found


_OF_POINTS: Final = frozenset("0123456789+-?")


def _read_point(scanner: Scanner) -> int | None:
    return None if scanner.find(UNKNOWN) else _read_number(scanner)


def _read_number(scanner: Scanner) -> int:
    return int(scanner.need(NUMBER, "a number"))


def _read_several(scanner: Scanner, read: Callable[[Scanner], Any]) -> list[Any]:
    if scanner.take_words(["nothing"]):
        return []
    found = [read(scanner)]
    while scanner.take("+"):
        found.append(read(scanner))
    return found


def _read_word(scanner: Scanner, expected: str) -> str:
    if scanner.text.startswith('"', scanner.here()):
        return str(scanner.json(expected))
    return scanner.need(WORD, expected)


def _read_text(scanner: Scanner) -> str:
    expected = 'a text in double quotes, "like this"'
    if not scanner.text.startswith('"', scanner.here()):
        scanner.fail(f"expected {expected}")
    return str(scanner.json(expected))


def _read_options(scanner: Scanner) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if scanner.take_words([NONE]):
        return found
    while not found or not (scanner.done() or scanner.text[scanner.at] == ","):
        at = scanner.at
        name = _read_word(scanner, "the name of an option")
        if name in found:
            scanner.fail(f"the option {name} stands here twice", code="notation/repeated", at=at)
        if not scanner.take("="):
            scanner.fail("expected = and the value of the option")
        bare = scanner.find(WORD)
        if bare and bare[0] not in _JSON_WORDS:
            found[name] = bare[0]
        else:
            scanner.at = bare.start() if bare else scanner.at
            found[name] = scanner.json("the value of the option: a word or JSON")
    return found


def _read_flag(scanner: Scanner) -> bool:
    return not scanner.take_words(["no"])


def _format_flag_or_number(value: bool | int) -> str:
    return _format_flag(value) if isinstance(value, bool) else f"{value:+d}"


def _read_flag_or_number(scanner: Scanner) -> bool | int:
    number = scanner.find(NUMBER)
    return int(number[0]) if number else _read_flag(scanner)


def _format_flag(value: bool) -> str:
    return "" if value else "no"


_NUMBER: Final = Kind(str, _read_number)
_FLAG: Final = Kind(_format_flag, _read_flag)
_FLAG_OR_NUMBER: Final = Kind(_format_flag_or_number, _read_flag_or_number)
_CARD: Final = Kind(str, lambda scanner: scanner.need(CARD, _A_CARD))
_CARDS: Final = Kind(format_cards, read_cards, True)
_POINTS: Final = Kind(format_side_points, _read_points, True)
_OPTIONS: Final = Kind(format_options, _read_options)
_TEXT: Final = Kind(format_json, _read_text)
_JSON: Final = Kind(format_json, lambda scanner: scanner.json("a value in JSON"))


def _format_heard(said: Declared) -> str:
    return f"{said.points} {said.top or ''}".rstrip()


def _read_heard(scanner: Scanner) -> dict[str, Any]:
    """Read the points of a meld, and its deciding card if announced."""
    points, top = _read_number(scanner), scanner.find(CARD)
    if top is None:
        scanner.find(UNKNOWN)
    return {"points": points, "top": top and top[0]}


_HEARD: Final = Kind(_format_heard, _read_heard)


def _word_kind(choices: Iterable[str] = ()) -> Kind:
    expected = f"one of {', '.join(choices)}" if choices else "a word"
    return Kind(format_word, lambda scanner: _read_word(scanner, expected))


def infer_kind(field: inspect.Type) -> Kind:
    """Return the kind of values of a field's type."""
    if isinstance(field, inspect.Metadata):
        return infer_kind(field.type)
    if isinstance(field, inspect.UnionType):
        some = [one for one in field.types if not isinstance(one, inspect.NoneType)]
        if len(some) == 1:
            return infer_kind(some[0])
        flags = [one for one in some if isinstance(one, inspect.BoolType)]
        return (
            _FLAG_OR_NUMBER if flags and all(infer_kind(one) in (_FLAG, _NUMBER) for one in some) else _JSON
        )
    if isinstance(field, inspect.LiteralType):
        if set(field.values) == set(DECK):
            return _CARD
        return _word_kind(list(map(str, field.values))) if isinstance(field.values[0], str) else _NUMBER
    if isinstance(field, inspect.StrType):
        short = field.max_length is not None and field.max_length <= MAX_KEY_LENGTH
        return _word_kind() if short else _TEXT
    if isinstance(field, inspect.ListType):
        return _list_kind(infer_kind(field.item_type))
    if isinstance(field, inspect.StructType) and field.cls is Declared:
        return _HEARD
    return _PLAIN.get(type(field), _JSON)


_PLAIN: Final[dict[type[inspect.Type], Kind]] = {
    inspect.IntType: _NUMBER,
    inspect.BoolType: _FLAG,
    inspect.DictType: _OPTIONS,
}


def _list_kind(item: Kind) -> Kind:
    if item is _CARD:
        return _CARDS
    if item is _NUMBER:
        return _POINTS
    if item in (_CARDS, _POINTS, _HEARD):
        return Kind(partial(format_lists, write=item.write), partial(_read_several, read=item.read), True)
    return _JSON
