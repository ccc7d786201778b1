"""Command line of series.

python -m tournaments.series table       reads a series as JSON and prints its season table
python -m tournaments.series qualify     prints who has qualified and who waits
"""

import argparse
import json
import sys
from collections.abc import Sequence
from functools import partial

from engine import CorruptLog, Refused
from engine.cli.input_file import read_input
from engine.cli.process import run_to_end
from tournaments.series.document import decode_series
from tournaments.series.series_json import write_qualification, write_table


def main(arguments: Sequence[str] | None = None) -> int:
    return run_to_end(partial(_main, arguments))


def _main(arguments: Sequence[str] | None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tournaments.series")
    verbs = parser.add_subparsers(dest="verb", required=True)
    verbs.add_parser("table", help="compute the season table of the series on standard input")
    verbs.add_parser("qualify", help="list the qualified persons and the waiting list")
    given = parser.parse_args(arguments)
    try:
        series = decode_series(read_input())
        answer = write_table(series) if given.verb == "table" else write_qualification(series)
    except (Refused, CorruptLog) as error:
        print(f"{error.code}: {error.detail}", file=sys.stderr)
        return 2
    print(json.dumps(answer, separators=(",", ":")))
    return 0


if __name__ == "__main__":
    sys.exit(main())
