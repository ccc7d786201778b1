"""Commands of `python -m engine`. An error is one line with a stable code, and exit code 2."""

import argparse
import random
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NoReturn

import msgspec

from engine.audit import audit, audit_all
from engine.audit.rules_versions import has_other_rules
from engine.audit.view_audit import audit_view, is_view
from engine.cards import codes
from engine.cli.bench import measure_speeds
from engine.cli.input_file import read_input
from engine.cli.notating import add_notate, read_commands
from engine.cli.playing import playout
from engine.cli.process import run_to_end
from engine.codec import encode
from engine.commands import Start
from engine.decider import advance, legal_cards, to_act
from engine.errors import CorruptLog, IllegalCommand, convert_fold_errors
from engine.events import Event, GameStarted
from engine.evidence import evidence
from engine.formats.logs import read_events
from engine.formats.swisslos import export_games, import_games
from engine.ledger.evolve import replay
from engine.ledger.state import State
from engine.queries.describing import describe_all
from engine.queries.snapshot import snapshot
from engine.redaction import Observer, redact_events
from engine.registry import get_variant

Out = Callable[[str | bytes], None]


def _json(value: object, indent: int = 0) -> bytes:
    raw = msgspec.json.encode(value)
    return msgspec.json.format(raw, indent=indent) if indent else raw


def _variants(args: argparse.Namespace, out: Out) -> int:
    described = describe_all()
    if args.json:
        out(_json(described, 2))
        return 0
    for game in described:
        seats = " or ".join(map(str, game["seats"]))
        out(f"{game['key']}: {game['label']}, {seats} seats; presets: {', '.join(game['presets']) or 'none'}")
        for option in game["options"]:
            bounds = f" [{option['bounds']}]" if option["bounds"] else ""
            out(f"  {option['name']} = {_json(option['default']).decode()}{bounds}  {option['label']}")
    return 0


def _play(args: argparse.Namespace, out: Out) -> int:
    try:
        options = msgspec.json.decode(args.options, type=dict[str, Any])
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise IllegalCommand("start/bad_options", f"--options: {error}") from None
    seats = args.seats or max(get_variant(args.variant).seats)
    start = Start(variant=args.variant, seats=seats, options=options, preset=args.preset)
    rng = random.Random(args.seed)  # noqa: S311 - games for tests; the package `games` deals real decks
    for _ in range(args.games):
        for _, events in playout(start, rng):
            for event in events:
                out(encode(event))
    return 0


def _run(args: argparse.Namespace, out: Out) -> int:
    state = State()
    for _, command in read_commands(read_input(args.file)):
        if args.legal:
            _print_legal(state, out)
        for event in advance(state, command):
            out(encode(event))
    return 0


def _print_legal(state: State, out: Out) -> None:
    turn = to_act(state)
    if turn is None:
        return
    if turn.phase == "trick_play":
        out(_json({"legal": {"seat": turn.seat, "cards": sorted(codes(legal_cards(state)))}}))
    else:
        out(_json({"legal": {"seat": turn.seat, "cmds": sorted(turn.commands)}}))


def _replay(args: argparse.Namespace, out: Out) -> int:
    try:
        observer = Observer.parse(args.observer)
    except ValueError as error:
        raise IllegalCommand("replay/unknown_observer", str(error)) from None
    log = read_events(read_input(args.file))[0]
    if args.at is not None:
        if not 0 <= args.at < len(log):
            raise IllegalCommand("replay/no_such_seq", f"seq {args.at} is not in 0..{len(log) - 1}")
        log = log[: args.at + 1]
    with convert_fold_errors():
        state = replay(redact_events(log, observer))
        picture = {**snapshot(state, observer), "seq": state.seq - 1}  # seq of the last event, as in the API
    out(_json(picture, 2))
    return 0


def _audit(args: argparse.Namespace, out: Out) -> int:
    games = read_events(read_input(args.file))
    worst = 0
    for number, log in enumerate(games, 1):
        if is_view(log):
            code = _audit_view(number, log, out)
            if code == 1:
                return 1
            worst = max(worst, code)
        elif has_other_rules(log):
            for difference in audit_all(log):
                out(f"game {number}: {difference}")
            worst = max(worst, 3)
        elif (first := audit(log)) is not None:
            out(f"game {number}: {first}")
            return 1
    if not worst:
        out(f"{len(games)} games, {sum(map(len, games))} events: every consequence is what the rules give")
    return worst


def _audit_view(number: int, log: Sequence[Event], out: Out) -> int:
    """Audit the view of game `number` and print the result. Return the exit code: 1 if the view contradicts
    the rules (3 if it is of another version of them), 3 if values are hidden, else 0.
    """
    found = audit_view(log)
    start = log[0]
    seen_by = (start.view if isinstance(start, GameStarted) else None) or "not named"
    if found.difference is not None:
        out(f"game {number}: {found.difference}")
        return 3 if has_other_rules(log) else 1
    closed = ", ".join(f"{name} {count}" for name, count in found.closed.items()) or "nothing"
    out(f"game {number}: this is a view ({seen_by}); as far as known its {len(log)} events follow the rules")
    out(f"game {number}: closed: {closed}; {found.unchecked} events that follow from it were not checked")
    return 3 if found.closed or found.unchecked else 0


def _evidence(args: argparse.Namespace, out: Out) -> int:
    for log in read_events(read_input(args.file)):
        with convert_fold_errors():
            found = evidence(log, args.deal)
        for deal in found:
            out(_json(deal))
    return 0


def _import(args: argparse.Namespace, out: Out) -> int:
    for log in import_games(read_input(args.file)):
        for event in log:
            out(encode(event))
    return 0


def _export(args: argparse.Namespace, out: Out) -> int:
    games = read_events(read_input(args.file))
    with convert_fold_errors():
        lines = list(export_games(games))
    for line in lines:
        out(line)
    return 0


def _bench(args: argparse.Namespace, out: Out) -> int:
    for figure in measure_speeds(args.seconds):
        out(_json(figure))
    return 0


class _OneLineParser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise IllegalCommand("arguments/wrong", message)


def _parser() -> argparse.ArgumentParser:
    parser = _OneLineParser(prog="python -m engine", description="The rules of Jass on the command line.")
    commands = parser.add_subparsers(dest="command", parser_class=_OneLineParser)

    def refuse(args: argparse.Namespace, out: Out) -> NoReturn:
        parser.error(f"a command is missing; choose from {', '.join(commands.choices)}")

    parser.set_defaults(act=refuse)

    def add(name: str, act: Callable[[argparse.Namespace, Out], int], text: str) -> argparse.ArgumentParser:
        found = commands.add_parser(name, help=text)
        found.set_defaults(act=act)
        return found

    variants = add("variants", _variants, "the games there are, with their options")
    variants.add_argument("--json", action="store_true")
    play = add("play", _play, "play random legal games and print their events")
    play.add_argument("variant")
    play.add_argument("--seats", type=int)
    play.add_argument("--options", default="{}")
    play.add_argument("--preset")
    play.add_argument("--seed", type=int, default=0)
    play.add_argument("--games", type=int, default=1)
    run = add("run", _run, "read commands (JSON or notation), print events")
    run.add_argument("file")
    run.add_argument("--legal", action="store_true", help="print what is legal before each command")
    add_notate(add, read_input)
    shown = add("replay", _replay, "the table as an observer sees it")
    shown.add_argument("file")
    shown.add_argument("--at", type=int, help="after this seq; default: after the last event")
    shown.add_argument("--as", dest="observer", default="referee", help="seat:N, spectator or referee")
    audited = add("audit", _audit, "decide a log again and compare")
    audited.add_argument("file", nargs="?", default="-")
    proven = add("evidence", _evidence, "what a log proves, contradicts or leaves open; JSON, a deal a line")
    proven.add_argument("file", nargs="?", default="-")
    proven.add_argument("--deal", type=int)
    for name, act in (("import", _import), ("export", _export)):
        moved = add(name, act, f"{name} games in another program's format")
        moved.add_argument("format", choices=["swisslos"])
        moved.add_argument("file")
    timed = add("bench", _bench, "cards and events per second")
    timed.add_argument("--seconds", type=float, default=1.0, help="time for each figure")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    return run_to_end(partial(_main, arguments))


def _main(arguments: Sequence[str] | None) -> int:
    write = sys.stdout.buffer.write

    def out(line: str | bytes) -> None:
        write((line.encode() if isinstance(line, str) else line) + b"\n")

    try:
        args = _parser().parse_args(arguments)
        code: int = args.act(args, out)
    except (IllegalCommand, CorruptLog) as error:
        sys.stdout.flush()
        sys.stderr.write(" ".join(str(error).split()) + "\n")
        return 2
    return code
