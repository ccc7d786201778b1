"""What is done with a file that somebody hands in, and how such files are made from good ones."""

import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from engine import (
    CorruptLog,
    IllegalCommand,
    Observer,
    State,
    advance,
    decide,
    encode,
    evolve,
    redact_events,
    replay,
)
from engine import cards as deck
from engine.audit import audit, audit_all
from engine.audit.command_of_event import find_command
from engine.audit.rules_versions import has_other_rules
from engine.commands import COMMANDS, Command
from engine.decider import legal_cards, list_offers, to_act
from engine.errors import convert_fold_errors
from engine.events import EVENTS, Event
from engine.formats.logs import read_commands, read_events
from engine.queries.snapshot import snapshot
from engine.registry import VARIANTS, build_game_context

GOLDEN: Final = Path(__file__).parent.parent / "engine" / "golden"
SEEDS: Final = Path(__file__).parent / "seeds"
"""Commands of games that are written down afterwards, ruled on, claimed, played with options."""
FOUND: Final = Path(__file__).parent / "found"
"""Files that once brought something down."""
OBSERVERS: Final = (Observer.referee(), Observer.seat(1), Observer.spectator("after_deal"))
LINES_OF_A_SEED: Final = 70


def examine(data: bytes) -> None:
    """Read a file as a log and as commands, and do all that can be done with it. Only CorruptLog and
    IllegalCommand may come of it; they are caught here."""
    _as_log(data)
    _as_commands(data)


def _as_log(data: bytes) -> None:
    try:
        games = read_events(data)
    except CorruptLog as error:
        _one_line(error)
        return
    assert read_events(b"\n".join(encode(event) for log in games for event in log)) == games
    for log in games:
        accepted = _audited(log)
        for observer in OBSERVERS:
            shown = _shown(log, observer)
            assert shown or not accepted, f"the audit accepts what {observer} cannot be shown"


def _shown(log: list[Any], observer: Observer) -> bool:
    try:
        with convert_fold_errors():
            msgspec.json.encode(snapshot(replay(redact_events(log, observer)), observer))
    except CorruptLog as error:
        _one_line(error)
        return False
    return True


def _audited(log: list[Any]) -> bool:
    try:
        first = audit(log)
        differences = audit_all(log)
        assert (first is None) == (not differences)
        for difference in differences:
            assert "\n" not in str(difference)
        return first is None and not has_other_rules(log)
    except CorruptLog as error:
        _one_line(error)
        return False


def _as_commands(data: bytes) -> None:
    state = State()
    try:
        for _, command in read_commands(data):
            events: list[Event] = decide(state, command)
            for event in events:
                evolve(state, event)
            turn = to_act(state)
            if turn is not None:
                list_offers(state)
                legal_cards(state)
    except (CorruptLog, IllegalCommand) as error:
        _one_line(error)


def _one_line(error: CorruptLog | IllegalCommand) -> None:
    assert "/" in error.code
    assert error.detail
    assert len(str(error).splitlines()) == 1
    msgspec.json.encode(error.params)


# --- seeds and mutations ----------------------------------------------------------------------------------


def seeds() -> Iterator[bytes]:
    """Beginnings of golden games and others, as logs and as files of commands; and what was found before."""
    for path in sorted(GOLDEN.glob("*.jsonl")):
        lines = path.read_bytes().splitlines()[:LINES_OF_A_SEED]
        yield b"\n".join(lines)
        yield b"\n".join(map(encode, commands_of(read_events(b"\n".join(lines))[0])))
    for path in sorted(SEEDS.glob("*.jsonl")):
        yield path.read_bytes()
        yield b"\n".join(map(encode, log_of(path.read_bytes())))
    for path in sorted(FOUND.glob("*")):
        yield path.read_bytes()


def commands_of(log: Sequence[Event]) -> list[Command]:
    """The commands that a log, perhaps cut off, came from."""
    state, found = State(), []
    while state.seq < len(log):
        try:
            command = find_command(build_game_context(state), log, state.seq)
        except IllegalCommand:  # cut off before the card that melds were declared with
            break
        found.append(command)
        advance(state, command)
    return found


def log_of(commands: bytes) -> list[Event]:
    """The events of a file of commands, as far as they are obeyed."""
    state, log = State(), []
    try:
        for _, command in read_commands(commands):
            log += advance(state, command)
    except IllegalCommand:
        pass
    return log


def words() -> list[bytes]:
    """Names and values that files are made of, for a dictionary."""
    found: set[str] = {*deck.DECK, *VARIANTS, "null", "true", "false", "1e400", "-1", "9223372036854775808"}
    for kind in (*EVENTS, *COMMANDS):
        found.add(str(kind.__struct_config__.tag))
        found |= {f'"{name}":' for name in kind.__struct_encode_fields__}
    for variant in VARIANTS.values():
        found |= {f'"{name}":' for name in variant.options.__struct_encode_fields__}
    return sorted(word.encode() for word in found)


ODD: Final[tuple[object, ...]] = (
    None,
    -1,
    0,
    1,
    3,
    10**19,
    1.5,
    "",
    "S6",
    "spades",
    [],
    ["S6", "S6"],
    {},
    {"A": 1},
    True,
)


def mutated(data: bytes, rng: random.Random) -> bytes:
    """The file with some lines changed, moved, lost or doubled; mostly numbered anew."""
    lines = data.split(b"\n")
    for _ in range(rng.randint(1, 3)):
        at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
        match rng.randrange(6):
            case 0:
                del lines[at]
            case 1:
                lines.insert(at, lines[other])
            case 2:
                lines[at], lines[other] = lines[other], lines[at]
            case 3:
                del lines[at + 1 :]
            case _:
                lines[at] = _changed(lines[at], rng)
        lines = lines or [b""]
    if rng.random() < 0.8:
        lines = list(_numbered(lines))
    return b"\n".join(lines)


def _changed(line: bytes, rng: random.Random) -> bytes:
    try:
        plain = json.loads(line)
        name = rng.choice(sorted(plain))
        value = plain[name]
    except (ValueError, TypeError, IndexError):
        return line + rng.choice([b"", b" ", b"\r", b"{", b"\xff"])
    if isinstance(value, dict) and value and rng.random() < 0.8:
        value[rng.choice(sorted(value))] = rng.choice(ODD)
    elif isinstance(value, list) and value and rng.random() < 0.6:
        value[rng.randrange(len(value))] = rng.choice([*deck.DECK, None, 0, 200])
    elif isinstance(value, int | float) and rng.random() < 0.7:
        plain[name] = value + rng.choice((-1, 1, 2, 10, 1000))
    elif isinstance(value, str) and value in deck.INDEX and rng.random() < 0.8:
        plain[name] = rng.choice(deck.DECK)
    elif name in ("type", "cmd"):
        plain[name] = rng.choice([str(kind.__struct_config__.tag) for kind in (*EVENTS, *COMMANDS)])
    elif rng.random() < 0.2:
        del plain[name]
    else:
        plain[name] = rng.choice(ODD)
    return json.dumps(plain, separators=(",", ":")).encode()


def _numbered(lines: list[bytes]) -> Iterator[bytes]:
    seq = 0
    for line in lines:
        try:
            plain = json.loads(line)
            numbered = isinstance(plain, dict) and "seq" in plain
        except ValueError:
            numbered = False
        yield json.dumps({**plain, "seq": seq}, separators=(",", ":")).encode() if numbered else line
        seq += numbered
