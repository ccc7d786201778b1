"""Command line of series.

python -m tournaments.series table       reads a series as JSON and prints its season table
python -m tournaments.series qualify     prints who has qualified and who waits
"""

import argparse
import json
import sys
from collections.abc import Sequence

from engine import Refused
from tournaments.series.document import decode_series
from tournaments.series.series_json import write_qualification, write_table


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tournaments.series")
    verbs = parser.add_subparsers(dest="verb", required=True)
    verbs.add_parser("table", help="compute the season table of the series on standard input")
    verbs.add_parser("qualify", help="list the qualified persons and the waiting list")
    given = parser.parse_args(arguments)
    try:
        series = decode_series(sys.stdin.buffer.read())
        answer = write_table(series) if given.verb == "table" else write_qualification(series)
    except Refused as error:
        print(f"{error.code}: {error.detail}", file=sys.stderr)
        return 2
    print(json.dumps(answer, separators=(",", ":")))
    return 0


if __name__ == "__main__":
    sys.exit(main())
