"""Command lines of draws.

python -m tournaments.pairing draw …     draws rounds of numbered players, as text or JSON
python -m tournaments.pairing systems    prints the pairing systems
python -m tournaments.pairing next       reads a competition as JSON and prints its next round
"""

import argparse
import json
import sys
from collections.abc import Sequence
from functools import partial
from typing import Any

import msgspec

from engine import CorruptLog, Refused
from engine.cli.input_file import read_input
from engine.cli.process import run_to_end
from tournaments.competition import decode_competition
from tournaments.pairing.problem import FORMATS, PairingProblem
from tournaments.pairing.solving import draw
from tournaments.pairing.systems import SYSTEMS, draw_next, repeats_of


def main(arguments: Sequence[str] | None = None) -> int:
    return run_to_end(partial(_main, arguments))


def _main(arguments: Sequence[str] | None) -> int:
    given = _parser().parse_args(arguments)
    try:
        if given.verb == "draw":
            print(_draw(given))
        elif given.verb == "systems":
            print(_json(_systems()))
        else:
            print(_json(_next(read_input())))
    except (Refused, CorruptLog) as error:
        print(f"{error.code}: {error.detail}", file=sys.stderr)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tournaments.pairing")
    verbs = parser.add_subparsers(dest="verb", required=True)
    verb = verbs.add_parser("draw", help="draw rounds from a seed")
    verb.add_argument("--players", type=int, required=True, help="players, numbered from 0")
    verb.add_argument("--rounds", type=int, required=True)
    verb.add_argument("--format", choices=FORMATS, default="pairs")
    verb.add_argument("--seed", required=True, help="any text; its UTF-8 bytes are the key")
    verb.add_argument("--table-size", type=int, choices=(2, 3, 4), default=4)
    verb.add_argument("--threes", type=int, default=0, help="number of tables of three; the others have four")
    verb.add_argument("--json", action="store_true")
    verbs.add_parser("systems", help="list the pairing systems")
    verbs.add_parser("next", help="draw the next round of the competition on standard input")
    return parser


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def _systems() -> list[dict[str, Any]]:
    return [
        {
            "key": system.key,
            "title": system.title,
            "options": msgspec.json.schema(system.options),
            "size": list(system.sizes),
            "entrants": list(system.kinds),
            "abilities": sorted(system.abilities),
        }
        for system in SYSTEMS.values()
    ]


def _next(document: bytes) -> dict[str, Any]:
    competition = decode_competition(document)
    found = draw_next(competition)
    if found is None:
        return {"over": True}
    return {
        "round": found.number,
        "tables": [list(seats) for seats in found.tables],
        "byes": list(found.byes),
        "repeats": repeats_of(competition, found),
        "notes": [{"code": note.code, **note.params} for note in found.notes],
    }


def _draw(given: argparse.Namespace) -> str:
    drawn = draw(
        PairingProblem(
            players=given.players,
            rounds=given.rounds,
            seed=given.seed.encode(errors="surrogateescape"),
            format=given.format,
            table_size=given.table_size,
            threes=given.threes,
        )
    )
    if given.json:
        answer = {
            "rounds": [[list(table) for table in one.tables] for one in drawn.rounds],
            "byes": [list(one.byes) for one in drawn.rounds],
            "cost": drawn.cost.as_dict(),
            "version": drawn.version,
        }
        return _json(answer)
    lines = []
    for number, one in enumerate(drawn.rounds, 1):
        lines.append(f"round {number}")
        for place, table in enumerate(one.tables, 1):
            lines.append(f"  table {place:>4}: {' '.join(f'{player:>4}' for player in table)}")
        if one.byes:
            lines.append(f"  byes: {' '.join(map(str, one.byes))}")
    lines.append(" ".join(f"{name}={value}" for name, value in drawn.cost.as_dict().items()))
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
