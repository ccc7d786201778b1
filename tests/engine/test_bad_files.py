"""Whatever file the command line is given, it answers in bounded time: with what it was asked for, or with
one line, a stable code and exit 2 (`audit`: exit 1 and the place where the record departs from the rules).

The commands are read from the parser, so a new one that takes a file is tested too.
"""

import argparse
import json
import random
import re
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace

from engine import encode
from engine.cli import input_file
from engine.cli import main as cli
from engine.commands import Start
from engine.events import Event, GameStarted, StoeckDeclared
from engine.registry import VARIANTS
from tests.engine.random_games import GAMES, Game, beginning_of, steps_of

ONE_LINE = re.compile(r"[a-z_]+/[a-z_]+: [^\n]+\n")
SECONDS = 10  # of this process, for files of 10 MB


def _reading() -> Iterator[tuple[str, ...]]:
    """The arguments of each command before its file."""
    (commands,) = [a for a in cli._parser()._actions if isinstance(a, argparse._SubParsersAction)]
    for name, parser in commands.choices.items():
        positional = [action for action in parser._actions if not action.option_strings]
        if any(action.dest == "file" for action in positional):
            yield (name, *(action.choices[0] for action in positional if action.choices))


READING = list(_reading())
OF_LOGS = [command for command in READING if command[0] not in ("run", "import")]
each_command = pytest.mark.parametrize("command", READING, ids=" ".join)
each_command_of_logs = pytest.mark.parametrize("command", OF_LOGS, ids=" ".join)
each_game = pytest.mark.parametrize("game", GAMES, ids=str)


class Answer(NamedTuple):
    code: int
    out: bytes
    err: str


@pytest.fixture
def ask(capfdbinary: Any, tmp_path: Path) -> Callable[..., Answer]:
    """Give a file of these bytes to a command, in this process."""

    def act(command: Sequence[str], content: bytes, *more: str) -> Answer:
        path = tmp_path / "given"
        path.write_bytes(content)
        began = time.process_time()
        code = cli.main([*command, str(path), *more])
        assert time.process_time() - began < SECONDS
        out, err = capfdbinary.readouterr()
        answer = Answer(code, out, err.decode())
        assert code in (0, 1, 2, 3)
        assert (answer.err == "") == (code != 2), answer.err
        assert code != 2 or ONE_LINE.fullmatch(answer.err), answer.err
        assert answer.err.rstrip("\n").isprintable()
        return answer

    return act


LOG = beginning_of(GAMES[0], 1)
LINES = [encode(event) for event in LOG]
WHOLE = b"\n".join(LINES) + b"\n"
COMMANDS = b"\n".join(encode(command) for command, _ in steps_of(GAMES[0], 1)[:30]) + b"\n"
DEEP = 100_000
NO_GAME = {
    "a word": b"hello\n",
    "an empty object": b"{}\n",
    "a list": b"[1,2]\n",
    "a number": b"7\n",
    "not UTF-8": b"\xff\xfe\x00",
    "UTF-16": (WHOLE + COMMANDS).decode().encode("utf-16"),
    "Latin-1": '{"cmd":"close","reason":"Stöck"}\n'.encode("latin-1"),
    "a byte order mark": b"\xef\xbb\xbf" + WHOLE,
    "a byte order mark before commands": b"\xef\xbb\xbf" + COMMANDS,
    "zeros": b"\x00" * 10_000_000,
    "one line of 10 MB": b"x" * 10_000_000,
    "one string of 10 MB": b'"' + b"x" * 10_000_000 + b'"',
    "a million objects": b'{"seq":0}\n' * 1_000_000,
    "brackets": b"[" * DEEP + b"]" * DEEP,
    "open brackets": b"[" * DEEP,
    "braces": b'{"a":' * DEEP + b"1" + b"}" * DEEP,
    "deep options": b'{"seq":0,"type":"game_started","variant":"schieber","options":{"a":' + b"[" * DEEP,
    "deep options of a command": b'{"cmd":"start","variant":"schieber","seats":4,"options":' + b"[" * DEEP,
    "a huge number": b'{"seq":' + b"9" * 5000 + b',"type":"pushed","seat":0}\n',
    "an endless number": b'{"cmd":"bid","seat":0,"points":1e400}\n',
    "half a surrogate": b'{"cmd":"close","reason":"\\ud800"}\n',
    "an unknown event": b'{"seq":0,"type":"fly"}\n',
    "an unknown command": b'{"cmd":"fly"}\n',
    "a list of deals of another program": b'{"rounds":[{}]}\n',
    "a control character": b'{"cmd":"close","reason":"\x1b[2J"}\n',
}


@pytest.mark.long(25)
@each_command
@pytest.mark.parametrize("what", NO_GAME)
def test_what_is_no_game_is_refused_in_one_line(ask: Any, command: tuple[str, ...], what: str) -> None:
    assert ask(command, NO_GAME[what]).code == 2


@each_command
@pytest.mark.parametrize("content", [b"", b"\n\n", b" \r\n" * 3_000_000], ids=["nothing", "lines", "10 MB"])
def test_an_empty_file_holds_no_game_and_no_command(
    ask: Any, command: tuple[str, ...], content: bytes
) -> None:
    answer = ask(command, content)
    if command[0] == "run":
        assert answer == (0, b"", "")
    else:
        assert answer.err.startswith("log/empty: ")


@pytest.mark.long(14)
@each_command
@pytest.mark.parametrize("kind", ["missing", "directory", "too large", "named with a control character"])
def test_a_file_that_cannot_be_read_is_one_line(
    capfdbinary: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...], kind: str
) -> None:
    path = tmp_path / ("a\x1b[2J\nb" if kind.startswith("named") else "it")
    if kind == "directory":
        path.mkdir()
    elif kind == "too large":
        path.write_bytes(b"\n" * 101)
        monkeypatch.setattr(input_file, "MAX_FILE_BYTES", 100)
    assert cli.main([*command, str(path)]) == 2
    err = capfdbinary.readouterr()[1].decode()
    assert ONE_LINE.fullmatch(err)
    assert err.startswith("file/too_large: " if kind == "too large" else "file/unreadable: ")
    assert err.rstrip("\n").isprintable()


@each_command
def test_line_ends_of_another_system_are_read(ask: Any, command: tuple[str, ...]) -> None:
    given = COMMANDS if command[0] == "run" else WHOLE
    assert ask(command, given.replace(b"\n", b"\r\n")) == ask(command, given)


@each_command_of_logs
def test_commands_are_no_log_and_a_log_is_no_commands(ask: Any, command: tuple[str, ...]) -> None:
    if command[0] == "notate":
        assert ask(command, COMMANDS).code == ask(command, WHOLE).code == 0
        return
    assert ask(command, COMMANDS).err.startswith("log/malformed: line 1: ")
    assert ask(("run",), WHOLE).err.startswith("commands/malformed: line 1: ")


@each_command_of_logs
def test_a_log_cut_off_within_a_line_names_the_line(ask: Any, command: tuple[str, ...]) -> None:
    rng = random.Random(1)
    for size in rng.sample(range(1, len(WHOLE) - 1), 60):
        if WHOLE[size] == 10 or WHOLE[size - 1] == 10:
            continue  # cut between lines
        line = WHOLE[:size].count(b"\n") + 1
        assert ask(command, WHOLE[:size]).err.startswith(f"log/malformed: line {line}: ")


def test_a_log_cut_off_between_lines_is_accepted_where_a_command_had_ended(ask: Any) -> None:
    ends = set()
    at = 0
    for _, events in steps_of(GAMES[0], 1):
        at += len(events)
        ends.add(at)
    ends |= {event.seq for event in LOG if isinstance(event, StoeckDeclared)}  # it need not be declared
    for size in range(1, len(LINES)):
        assert ask(("audit",), b"\n".join(LINES[:size])).code == (0 if size in ends else 1)


@each_command_of_logs
def test_a_line_too_few_doubled_or_swapped_is_named(ask: Any, command: tuple[str, ...]) -> None:
    rng = random.Random(2)
    for at in rng.sample(range(1, len(LINES) - 1), 20):
        without = [*LINES[:at], *LINES[at + 1 :]]
        doubled = [*LINES[:at], LINES[at], *LINES[at:]]
        swapped = [*LINES[:at], LINES[at + 1], LINES[at], *LINES[at + 2 :]]
        for lines, wrong in ((without, at + 1), (doubled, at + 2), (swapped, at + 1)):
            assert ask(command, b"\n".join(lines)).err.startswith(f"log/wrong_seq: line {wrong}: ")
    assert ask(command, b"\n".join(LINES[1:])).err.startswith("log/no_start: line 1: ")


def _foreign(game: Game) -> list[Event]:
    """One event of each type that other games have and this one has not."""
    own = {type(event) for event in beginning_of(game, 4, 10_000)}
    found = {type(event): event for other in GAMES for event in beginning_of(other, 4, 400)}
    return [event for kind, event in found.items() if kind not in own]


def _numbered(events: Sequence[Event]) -> bytes:
    return b"\n".join(encode(replace(event, seq=seq)) for seq, event in enumerate(events))


@pytest.mark.long(6)
@each_game
def test_an_event_of_another_game_is_found_wherever_it_stands(ask: Any, game: Game) -> None:
    rng = random.Random(str(game))
    log = beginning_of(game, 4, 80)
    for event in _foreign(game):
        at = rng.randrange(1, len(log))
        content = _numbered([*log[:at], event, *log[at:]])
        for command in OF_LOGS:
            answer = ask(command, content)
            if command[0] == "audit":
                assert answer.code == 1
                assert answer.out.startswith(b"game 1: seq ")


@pytest.mark.long(7)
@each_game
def test_events_in_another_order_are_found_though_they_are_numbered_anew(ask: Any, game: Game) -> None:
    rng = random.Random(str(game))
    log = beginning_of(game, 5, 80)
    for _ in range(15):
        one, two = sorted(rng.sample(range(1, len(log)), 2))
        moved = [*log[:one], *log[one + 1 : two + 1], log[one], *log[two + 1 :]]
        for command in OF_LOGS:
            answer = ask(command, _numbered(moved))
            assert command[0] != "audit" or answer.code in (1, 2)


def _started_otherwise(start: GameStarted) -> Iterator[GameStarted]:
    """The first event of a game made untrue in every one of its fields."""
    for key in (*VARIANTS, "skat", "", "\x00"):
        if key != start.variant:
            yield replace(start, variant=key)
    for seats in (2, 3, 4):
        if seats != start.seats:
            yield replace(start, seats=seats)
            yield replace(start, seats=seats, sides=seats)
    for mode in ("transcribed", "sheet"):
        yield replace(start, mode=mode)
    strange: list[dict[str, Any]] = [
        {},
        {"skat": 1},
        {**start.options, "skat": 1},
        {"undertrump": [[]]},
    ]
    for options in strange:
        yield replace(start, options=options)
    for name, value in start.options.items():
        values: tuple[Any, ...] = (None, -1, 10**30, "no", [], {}, {"A": {}}, not value)
        for wrong in values:
            yield replace(start, options={**start.options, name: wrong})
    yield replace(start, sides=5 - start.sides)
    yield replace(start, won_before=3)
    yield replace(start, rules_version=10**12)


@pytest.mark.long(2)
@each_game
def test_a_log_that_begins_with_another_start_is_no_accident(ask: Any, game: Game) -> None:
    first, *rest = beginning_of(game, 6, 60)
    assert isinstance(first, GameStarted)
    for start in _started_otherwise(first):
        for command in OF_LOGS:
            ask(command, _numbered([start, *rest]))


@each_game
def test_wrong_options_are_refused_with_their_bounds(ask: Any, game: Game) -> None:
    def refusal(**changed: Any) -> str:
        plain = json.loads(encode(game.start()))
        return str(ask(("run",), json.dumps({**plain, **changed}).encode()).err)

    assert refusal(options={"skat": 1}).startswith("start/bad_options: ")
    assert refusal(preset="skat").startswith("start/unknown_preset: ")
    assert refusal(seats=4 if 4 not in VARIANTS[game.variant].seats else 2).startswith("start/wrong_seats: ")
    assert refusal(seats=5).startswith("commands/malformed: ")
    for name in json.loads(ask(("run",), encode(Start(variant=game.variant, seats=game.seats))).out)[
        "options"
    ]:
        for wrong in ("no such choice", -1, 10**30, {"Z": 1}, [["S6"]]):
            assert refusal(options={name: wrong}).startswith("start/bad_options: ")


@pytest.mark.slow
@each_game
def test_commands_of_another_game_are_refused_or_obeyed(ask: Any, game: Game) -> None:
    rng = random.Random(str(game))
    steps = [command for command, _ in steps_of(game, 7)[:60]]
    foreign = {type(command): command for other in GAMES for command, _ in steps_of(other, 7)[:200]}
    for command in foreign.values():
        at = rng.randrange(len(steps))
        content = b"\n".join(map(encode, [*steps[:at], command]))
        answer = ask(("run",), content, "--legal")
        assert answer.code in (0, 2)
