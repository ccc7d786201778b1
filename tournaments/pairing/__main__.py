"""Command line of a draw, `python -m tournaments.pairing draw …`, with text or JSON output."""

import argparse
import json
import sys
from collections.abc import Sequence

from tournaments.pairing.drawing import draw
from tournaments.pairing.problem import FORMATS, PairingError, PairingProblem


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tournaments.pairing")
    verb = parser.add_subparsers(dest="verb", required=True).add_parser(
        "draw", help="draw rounds from a seed"
    )
    verb.add_argument("--players", type=int, required=True, help="players, numbered from 0")
    verb.add_argument("--rounds", type=int, required=True)
    verb.add_argument("--format", choices=FORMATS, default="pairs")
    verb.add_argument("--seed", required=True, help="any text; its UTF-8 bytes are the key")
    verb.add_argument("--table-size", type=int, choices=(2, 3, 4), default=4)
    verb.add_argument("--threes", type=int, default=0, help="so many tables of three beside tables of four")
    verb.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    try:
        drawn = draw(
            PairingProblem(
                players=given.players,
                rounds=given.rounds,
                seed=given.seed.encode(),
                format=given.format,
                table_size=given.table_size,
                threes=given.threes,
            )
        )
    except PairingError as error:
        print(f"{error.code}: {error.detail}", file=sys.stderr)
        return 2
    if given.json:
        answer = {
            "rounds": [[list(table) for table in one.tables] for one in drawn.rounds],
            "byes": [list(one.byes) for one in drawn.rounds],
            "cost": drawn.cost.as_dict(),
            "version": drawn.version,
        }
        print(json.dumps(answer, separators=(",", ":")))
        return 0
    for number, one in enumerate(drawn.rounds, 1):
        print(f"round {number}")
        for place, table in enumerate(one.tables, 1):
            print(f"  table {place:>4}: {' '.join(f'{player:>4}' for player in table)}")
        if one.byes:
            print(f"  sit out: {' '.join(map(str, one.byes))}")
    print(" ".join(f"{name}={value}" for name, value in drawn.cost.as_dict().items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
