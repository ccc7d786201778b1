"""Events and commands as JSON Lines."""

from collections.abc import Iterator
from itertools import pairwise

from engine.codec import decode_command, decode_event, decode_events
from engine.commands import AnyCommand
from engine.errors import CorruptLog, IllegalCommand
from engine.events import AnyEvent, GameStarted

MAX_LINE_BYTES = 1 << 20


def number_lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield (line number, line) for each line that is not blank. Raises CorruptLog for a line above
    `MAX_LINE_BYTES`.
    """
    for number, line in enumerate(data.split(b"\n"), 1):
        if len(line) > MAX_LINE_BYTES:
            raise CorruptLog("log/line_too_long", f"line {number} is {len(line)} bytes long", line=number)
        if line.strip():
            yield number, line


def read_events(data: bytes) -> list[list[AnyEvent]]:
    """Read the games of a log file: each is a list of events that starts with game_started.

    Raises CorruptLog with the line number for a malformed line or a gap in the seqs of a game, and
    `log/empty` for a file without events.
    """
    return _read_whole(data) or _read_line_by_line(data)


def _read_whole(data: bytes) -> list[list[AnyEvent]] | None:
    """Return the games of a valid log in one pass; None if the lines must be checked one by one."""
    try:
        events = decode_events(data)
    except CorruptLog:
        return None
    if len(events) != data.count(b"\n") + (not data.endswith(b"\n")):
        return None
    if events and _is_game(events):
        return [events]
    starts = [at for at, event in enumerate(events) if not event.seq]
    if not starts or starts[0]:
        return None
    games = [events[at:end] for at, end in pairwise([*starts, len(events)])]
    return games if all(map(_is_game, games)) else None


def _is_game(events: list[AnyEvent]) -> bool:
    for number, event in enumerate(events):
        if event.seq != number:
            return False
    return type(events[0]) is GameStarted


def _read_line_by_line(data: bytes) -> list[list[AnyEvent]]:
    games: list[list[AnyEvent]] = []
    for number, event in _decode_lines(data):
        if isinstance(event, GameStarted) and event.seq == 0:
            games.append([event])
            continue
        if not games:
            raise CorruptLog("log/no_start", f"line {number}: a log begins with game_started", line=number)
        if event.seq != len(games[-1]):
            raise CorruptLog(
                "log/wrong_seq",
                f"line {number}: seq {event.seq} where {len(games[-1])} comes next",
                line=number,
                seq=event.seq,
                expected=len(games[-1]),
            )
        games[-1].append(event)
    if not games:
        raise CorruptLog("log/empty", "there is no event in this file")
    return games


def read_commands(data: bytes) -> Iterator[tuple[int, AnyCommand]]:
    """Yield (line number, command) for each line that is not blank. Raises CorruptLog if a line is no
    command.
    """
    for number, line in number_lines(data):
        try:
            yield number, decode_command(line)
        except IllegalCommand as error:
            raise CorruptLog("commands/malformed", f"line {number}: {error.detail}", line=number) from None


def _decode_lines(data: bytes) -> Iterator[tuple[int, AnyEvent]]:
    for number, line in number_lines(data):
        try:
            yield number, decode_event(line)
        except CorruptLog as error:
            raise CorruptLog("log/malformed", f"line {number}: {error.detail}", line=number) from None
