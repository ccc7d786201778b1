"""Command line of series.

python -m tournaments.series table       reads a series (formats.md) and prints its season table
python -m tournaments.series qualify     prints who has qualified and who waits
"""

import argparse
import json
import sys
from collections.abc import Sequence
from typing import Any

from engine import Refused
from tournaments.competition import write_number
from tournaments.series.document import Series, decode_series
from tournaments.series.qualification import qualify
from tournaments.series.season_table import compute_table


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tournaments.series")
    verbs = parser.add_subparsers(dest="verb", required=True)
    verbs.add_parser("table", help="compute the season table of the series on standard input")
    verbs.add_parser("qualify", help="say who has qualified, and who waits")
    given = parser.parse_args(arguments)
    try:
        series = decode_series(sys.stdin.buffer.read())
        answer = write_table(series) if given.verb == "table" else write_qualification(series)
    except Refused as error:
        print(f"{error.code}: {error.detail}", file=sys.stderr)
        return 2
    print(json.dumps(answer, separators=(",", ":")))
    return 0


def write_table(series: Series) -> dict[str, Any]:
    """Return the season table for JSON."""
    rows = []
    for row in compute_table(series).rows:
        plain = {
            "place": row.place,
            "ref": row.ref,
            "total": write_number(row.total),
            "events": {key: write_number(value) for key, value in row.events.items()},
            "dropped": list(row.dropped),
        }
        rows.append(plain if row.members is None else plain | {"members": list(row.members)})
    return {"table": rows}


def write_qualification(series: Series) -> dict[str, Any]:
    """Return tickets and waiting list for JSON."""
    found = qualify(series)
    return {
        "qualified": [
            {"ref": ticket.ref, "from": ticket.event, "place": ticket.place, "why": ticket.why}
            for ticket in found.qualified
        ],
        "waiting": list(found.waiting),
    }


if __name__ == "__main__":
    sys.exit(main())
