"""The command `notate`, and the parsing of commands in a file of JSON Lines or notation."""

import argparse
from collections.abc import Callable, Iterator, Sequence
from typing import Final

import msgspec

from engine import notation
from engine.commands import AnyCommand, Command
from engine.decider import advance
from engine.errors import CorruptLog, IllegalCommand
from engine.events import Event
from engine.formats import logs
from engine.ledger.state import State
from engine.redaction import Observer, redact_events

Output = Callable[[str | bytes], None]
AddCommand = Callable[[str, Callable[..., int], str], argparse.ArgumentParser]
_JSON_STARTS: Final = (b"{", b"[", b'"')


def read_commands(data: bytes) -> Iterator[tuple[int, AnyCommand]]:
    """Yield (line number, command) for the commands of a file. A file that starts like JSON is read as JSON,
    any other file as notation.
    """
    if data.lstrip().startswith(_JSON_STARTS):
        return logs.read_commands(data)
    return notation.read_commands(data)


def add_notate(add: AddCommand, read: Callable[[str], bytes]) -> None:
    """Add the command `notate` to the command line. `add` adds a command; `read` returns the bytes of a
    file.
    """
    parser = add("notate", lambda args, out: _notate(args, read(args.file), out), "a game as text that reads")
    parser.add_argument("file", nargs="?", default="-", help="a log, or commands in JSON or notation")
    parser.add_argument("--as", dest="observer", default="referee", help="seat:N, spectator or referee")
    shape = parser.add_mutually_exclusive_group()
    shape.add_argument("--page", action="store_true", help="as a page, a table of tricks a deal")
    shape.add_argument("--bare", action="store_true", help="without the consequences")
    shape.add_argument("--check", action="store_true", help="compare the consequences that a notation states")


def _notate(args: argparse.Namespace, data: bytes, out: Output) -> int:
    try:
        observer = Observer.parse(args.observer)
    except ValueError as error:
        raise IllegalCommand("notate/unknown_observer", str(error)) from None
    if args.check:
        return _check(data, out)
    for game in _games(data):
        if args.page:
            out(notation.page(list(redact_events(_events(game), observer))))
        elif observer.role == "referee":
            out(notation.notate(game, comments=not args.bare))
        else:
            seen = list(redact_events(_events(game), observer))
            out(notation.notate(seen, comments=not args.bare))
    return 0


def _check(data: bytes, out: Output) -> int:
    """Check the comments of a notation against the rules, and print the result. Return exit code 1 if they
    differ. Raises IllegalCommand for a decision that the rules refuse.
    """
    if not data.strip():
        raise CorruptLog("log/empty", "there is no decision in this file")
    _events([command for _, command in notation.read_commands(data)])
    difference = notation.first_difference(data.decode("utf-8-sig"))
    if difference is None:
        out("every consequence is what the rules give")
        return 0
    line, stated, expected = difference
    out(f"line {line}: stated {stated.strip() or 'nothing'}; the rules give {expected.strip() or 'nothing'}")
    return 1


def _games(data: bytes) -> Sequence[Sequence[Event] | Sequence[Command]]:
    """Return the games of a log, or the commands of one game."""
    if data.strip() and not data.lstrip().startswith(_JSON_STARTS):
        return [[command for _, command in notation.read_commands(data)]]
    if _are_commands(data):
        return [[command for _, command in logs.read_commands(data)]]
    return logs.read_events(data)


def _are_commands(data: bytes) -> bool:
    first = next(iter(logs.number_lines(data)), (0, b""))[1]
    try:
        return "cmd" in msgspec.json.decode(first, type=dict)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return False


def _events(game: Sequence[Event] | Sequence[Command]) -> list[Event]:
    """Return the events of a game given as events or commands; commands are decided. Raises
    IllegalCommand.
    """
    state, log = State(), []
    for message in game:
        if isinstance(message, Event):
            log.append(message)
            continue
        log += advance(state, message)
    return log
