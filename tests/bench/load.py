"""The platform under load beside its targets, with real processes: `manage.py bench load [--on sqlite]
[--only PART …] [--quick]`.

One JSON line a figure: name, ours, limit, ratio (more is better; from 1 on the target is met), held. Targets
in time follow the speed of the machine (`_load_references.py`); `reference` says how. Web runs as
deploy/systemd starts it, one process on SQLite, two on a PostgreSQL cluster of its own; the clients are other
processes on the same machine.
"""

import argparse
import os
import signal
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests import installations
from tests.bench import _load_opening, _load_polls, _load_references, _load_tables, _load_watched
from tests.bench._load_figures import say
from tests.bench._quick import add_quick
from tests.installations import Place

PARTS: dict[str, tuple[type[Any], Callable[[Place, str, Any, _load_references.References], None]]] = {
    "tables": (_load_tables.Sizes, _load_tables.measure),
    "polls": (_load_polls.Sizes, _load_polls.measure),
    "watchers": (_load_watched.Sizes, _load_watched.measure),
    "hall": (_load_opening.Sizes, _load_opening.measure),
}
WEBS = {"sqlite": 1, "postgresql": 2}


def main() -> None:
    parser = argparse.ArgumentParser(prog="manage.py bench load", description=__doc__)
    parser.add_argument("--on", choices=installations.DATABASES, help="only this database")
    parser.add_argument(
        "--only", nargs="+", choices=list(PARTS), default=list(PARTS), help="only these parts"
    )
    parser.add_argument("--webs", type=int, help="web processes; default 1 on SQLite, 2 on PostgreSQL")
    parser.add_argument("--seconds", type=float, default=20, help="that each figure is measured for")
    parser.add_argument("--rows", type=int, default=4000, help="inserted by a bare driver as a reference")
    parser.add_argument("--sockets", type=int, default=200, help="of a Channels group as a reference")
    parser.add_argument("--frames", type=int, default=60, help="sent to each of them")
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--spectators", type=int, default=2, help="of each table")
    parser.add_argument("--pace", type=float, default=3, help="seconds from card to card at a table")
    parser.add_argument("--ring", type=int, default=2, help="seconds of those clocks")
    parser.add_argument("--clocks", type=int, default=8, help="tables beside them whose clock runs out")
    parser.add_argument("--steps", type=int, default=12, help="at most so many paces one after the other")
    parser.add_argument("--hall", type=int, default=400, help="entries of the championship")
    parser.add_argument("--phones", type=int, default=100)
    parser.add_argument("--period", type=float, default=5, help="seconds from page to page of a phone")
    parser.add_argument("--viewers", type=int, default=2000)
    parser.add_argument("--refresh", type=float, default=8, help="seconds from poll to poll of a viewer")
    parser.add_argument("--playing", type=int, default=5, help="tables that play while there are viewers")
    parser.add_argument("--watchers", type=int, default=5000, help="of one table")
    parser.add_argument("--back", type=float, default=10, help="seconds they have after a kill")
    parser.add_argument("--large", type=int, default=4000, help="entries of the large championship")
    quick: dict[str, object] = {
        "on": "sqlite",
        "rows": 100,
        "sockets": 4,
        "frames": 4,
        "tables": 2,
        "clocks": 1,
        "pace": 0.1,
        "ring": 1,
        "steps": 2,
        "hall": 16,
    }
    quick |= {"phones": 3, "period": 0.5, "viewers": 5, "refresh": 0.5, "playing": 1}
    quick |= {"watchers": 4, "back": 3.0, "large": 16}
    add_quick(parser, seconds=1, **quick)
    asked = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # child processes are ended all the same
    for on in [asked.on] if asked.on else installations.DATABASES:
        webs = asked.webs or WEBS[on]
        where = f"{on}, {webs} web"
        with (
            tempfile.TemporaryDirectory(prefix="puur-load-") as folder,
            installations.running(Path(folder), on=on, webs=webs) as place,
        ):
            references = _load_references.measure(place, where, _chosen(_load_references.Sizes, asked))
            for part in asked.only:
                sizes, measure = PARTS[part]
                measure(place, where, _chosen(sizes, asked), references)
    say("load/average of the machine in the last minute", os.getloadavg()[0], None)


def _chosen(sizes: type[Any], asked: argparse.Namespace) -> Any:
    return sizes(*(getattr(asked, name) for name in sizes._fields))


if __name__ == "__main__":
    main()
