"""Command line of rankings.

python -m tournaments.standings rank     reads a competition as JSON and prints its ranking
"""

import argparse
import json
import sys
from collections.abc import Sequence
from functools import partial

from engine import CorruptLog, Refused
from engine.cli.input_file import read_input
from engine.cli.process import run_to_end
from tournaments.competition import decode_competition, write_number
from tournaments.standings.competition_ranking import rank_competition


def main(arguments: Sequence[str] | None = None) -> int:
    return run_to_end(partial(_main, arguments))


def _main(arguments: Sequence[str] | None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tournaments.standings")
    parser.add_subparsers(dest="verb", required=True).add_parser(
        "rank", help="rank the competition on standard input"
    )
    parser.parse_args(arguments)
    try:
        lines = rank_competition(decode_competition(read_input()))
    except (Refused, CorruptLog) as error:
        print(f"{error.code}: {error.detail}", file=sys.stderr)
        return 2
    ranking = []
    for line in lines:
        row = {
            "place": line.place,
            "ref": line.ref,
            "total": write_number(line.total),
            "rounds": [None if points is None else write_number(points) for points in line.rounds],
        }
        ranking.append(row | ({"tie_break": line.tie_break} if line.tie_break else {}))
    print(json.dumps({"ranking": ranking}, separators=(",", ":")))
    return 0


if __name__ == "__main__":
    sys.exit(main())
