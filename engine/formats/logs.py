"""Event logs as JSON Lines: reading them with every error named by its line."""

from collections.abc import Iterator
from itertools import pairwise

from engine.codec import decode_command, decode_event, decode_events
from engine.commands import AnyCommand
from engine.errors import CorruptLog, IllegalCommand
from engine.events import AnyEvent, GameStarted

LONGEST_LINE = 1 << 20


def lines_of(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Numbered lines that hold something; CorruptLog for what is no text or too long."""
    for number, line in enumerate(data.split(b"\n"), 1):
        if len(line) > LONGEST_LINE:
            raise CorruptLog("log/line_too_long", f"line {number} is {len(line)} bytes long", line=number)
        if line.strip():
            yield number, line


def read_events(data: bytes) -> list[list[AnyEvent]]:
    """The games of a log, each from its game_started on, with seq checked; CorruptLog names the line."""
    return _all_at_once(data) or _line_by_line(data)


def _all_at_once(data: bytes) -> list[list[AnyEvent]] | None:
    """The games where nothing is wrong; None where the lines have to be looked at one by one."""
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


def _line_by_line(data: bytes) -> list[list[AnyEvent]]:
    games: list[list[AnyEvent]] = []
    for number, event in _numbered(data):
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
    """The commands of a file with their line numbers; CorruptLog names the line that is none."""
    for number, line in lines_of(data):
        try:
            yield number, decode_command(line)
        except IllegalCommand as error:
            raise CorruptLog("commands/malformed", f"line {number}: {error.detail}", line=number) from None


def _numbered(data: bytes) -> Iterator[tuple[int, AnyEvent]]:
    for number, line in lines_of(data):
        try:
            yield number, decode_event(line)
        except CorruptLog as error:
            raise CorruptLog("log/malformed", f"line {number}: {error.detail}", line=number) from None
