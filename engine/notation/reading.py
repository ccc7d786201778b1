"""Parser of notation, which returns commands. Errors name line, column and the expected input."""

import re
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from engine.commands import AnyCommand
from engine.errors import CorruptLog
from engine.formats.logs import number_lines
from engine.notation.hands import read_deck
from engine.notation.phrases import ABSENT, DESK, LAST_FIELD, Field, Phrase, list_phrases
from engine.notation.scanner import NUMBER, UNKNOWN, WORD, Scanner

_FIELD: Final = re.compile(r"\$\.(\w+)")
_ABSENT: Final = re.compile(rf"{ABSENT}(?!\d)")


def read_commands(data: bytes) -> Iterator[tuple[int, AnyCommand]]:
    """Yield (line number, command) for a UTF-8 text. Raises CorruptLog with the line number."""
    for number, line in number_lines(data):
        try:
            text = line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeError:
            raise CorruptLog(
                "notation/not_text", f"line {number} is not text in UTF-8", line=number
            ) from None
        scanner = Scanner(text, number)
        if not scanner.done():
            yield number, _read_line(scanner)


def parse(text: str) -> list[AnyCommand]:
    """Return the commands of a text, at most one per line. Raises CorruptLog with the line number."""
    return [command for _, command in read_commands(text.encode(errors="surrogatepass"))]


def _read_line(scanner: Scanner) -> AnyCommand:
    start = scanner.here()
    seat = scanner.find(NUMBER)
    by_desk = seat is None and scanner.take_words([DESK])
    phrase = _read_phrase(scanner, seated=seat is not None or by_desk)
    columns: dict[str, int] = {}
    values: dict[str, Any] = {"cmd": phrase.tag}
    for part in phrase.parts[len(phrase.head) + phrase.seated :]:
        if not isinstance(part, str):
            columns[part.name] = scanner.here()
            values[part.name] = _read_field(scanner, part)
        elif not scanner.take_words([part]):
            scanner.fail(f"expected {part}")
    if seat is not None:
        columns["seat"], values["seat"] = start, int(seat[0])
    elif by_desk:
        columns["seat"], values["seat"] = start, None
    while not scanner.done():
        if not scanner.take(","):
            scanner.fail("expected a comma, or the end of the line")
        _read_clause(scanner, phrase, values, columns)
    return _convert_command(scanner, values, columns)


def _read_phrase(scanner: Scanner, *, seated: bool) -> Phrase:
    fitting = [phrase for phrase in list_phrases() if phrase.seated == seated]
    found = next((phrase for phrase in fitting if scanner.take_words(phrase.head)), None)
    if found is None:
        known = ", ".join(sorted(" ".join(phrase.head) for phrase in fitting))
        scanner.fail(f"expected one of: {known}", code="notation/unknown_decision")
    return found


def _read_clause(scanner: Scanner, phrase: Phrase, values: dict[str, Any], columns: dict[str, int]) -> None:
    found = scanner.find(WORD)
    field = phrase.clauses.get(found[0]) if found else None
    if found is None or field is None:
        expected = ", ".join(phrase.clauses) or "nothing more"
        scanner.fail(f"expected one of: {expected}", at=found.start() if found else None)
    if field.name in values:
        scanner.fail(f"{field.name} stands here twice", code="notation/repeated", at=found.start())
    columns[field.name] = found.start()
    values[field.name] = read_deck(scanner) if field.name == LAST_FIELD else _read_field(scanner, field)


def _read_field(scanner: Scanner, field: Field) -> Any:
    if scanner.find(_ABSENT if field.kind.is_list else UNKNOWN):
        return None
    return field.kind.read(scanner)


def _convert_command(scanner: Scanner, values: dict[str, Any], columns: dict[str, int]) -> AnyCommand:
    try:
        command: AnyCommand = msgspec.convert(values, AnyCommand)
    except (msgspec.ValidationError, RecursionError) as error:
        named = _FIELD.search(str(error))
        name = named[1] if named else ""
        at = columns.get(name, 0)
        if name in values and _contains_unknown(values[name]):
            scanner.fail("a value that is not known cannot be played", code="notation/not_known", at=at)
        scanner.fail(" ".join(str(error).split()), code="notation/bad_value", at=at)
    return command


def _contains_unknown(value: Any) -> bool:
    """Return whether a value is None, or a list with None in it."""
    return any(map(_contains_unknown, value)) if isinstance(value, list) else value is None
