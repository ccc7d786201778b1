"""Which tests pass no line and take no branch that another one does not: they come less often
(tests/tiers.py). Half of the tests reach all that all of them reach.

Which test passed a line is what coverage.py can say and tests/measuring.py cannot.

    pytest --cov --cov-report= --cov-context=test tests/games    # leaves .coverage, or .coverage.* to combine
    python -m tests.redundant .coverage                          # decides anew about the tests it knows
"""

import re
import sqlite3
import sys
from collections.abc import Iterable, Mapping
from contextlib import closing
from functools import cache
from heapq import heapify, heappop, heappush
from pathlib import Path

from deploy.environment import BASE_DIR

LIST = Path(__file__).with_name("redundant.txt")
"""A test a line, without its cases. One that is renamed comes each time again."""
STARTING = re.compile("subprocess|Popen|Process|_tree|chromium")
"""Words in files of tests that start processes. What those pass bears no name of a test, so nothing is said
of these files."""
Arc = tuple[int, int, int]
"""Number of a file, from a line to a line."""


@cache
def listed() -> frozenset[str]:
    return frozenset(LIST.read_text().split())


def measured(data: Path) -> dict[str, set[Arc]]:
    """What each test passed, without what was passed outside of tests. A test that passes nothing but in its
    fixtures looks at something else than code, and is left out: nothing can be said of it. The tables are
    those of https://coverage.readthedocs.io/en/latest/dbschema.html."""
    found: dict[str, set[Arc]] = {}
    ran: dict[str, set[Arc]] = {}
    outside: set[Arc] = set()
    with closing(sqlite3.connect(data)) as database:
        rows = database.execute(
            "SELECT context, file_id, fromno, tono FROM arc JOIN context ON context.id = context_id"
        )
        for context, *arc in rows:
            name, _, phase = context.partition("|")
            test, passed = name.partition("[")[0], (arc[0], arc[1], arc[2])
            (found.setdefault(test, set()) if test else outside).add(passed)
            if phase == "run":
                ran.setdefault(test, set()).add(passed)
    return {test: arcs - outside for test, arcs in found.items() if ran.get(test, set()) - outside}


def redundant(arcs: Mapping[str, set[Arc]]) -> set[str]:
    """Those left when always the test is taken that adds most; of two alike the first by name."""
    needed, passed = set[str](), set[Arc]()
    best = [(-len(own), test) for test, own in arcs.items()]
    heapify(best)
    while best:
        promised, test = heappop(best)
        added = len(arcs[test] - passed)
        if added < -promised:  # what others passed meanwhile: it waits for its new turn
            heappush(best, (-added, test))
        elif added:
            passed |= arcs[test]
            needed.add(test)
    return set(arcs) - needed


def decided(before: Iterable[str], arcs: Mapping[str, set[Arc]], starting: Iterable[str] = ()) -> list[str]:
    """The list anew: tests that were not measured now stay as they were, those of files that are `starting`
    processes are never on it."""
    files = set(starting)
    now = (set(before) - set(arcs)) | redundant(arcs)
    return sorted(test for test in now if test.partition("::")[0] not in files)


def starting(arcs: Mapping[str, set[Arc]]) -> set[str]:
    files = {test.partition("::")[0] for test in arcs}
    return {file for file in files if starts_processes(BASE_DIR / file)}


@cache
def starts_processes(file: Path) -> bool:
    return STARTING.search(file.read_text()) is not None


if __name__ == "__main__":
    passed = measured(Path(sys.argv[1]))
    LIST.write_text("".join(f"{test}\n" for test in decided(listed(), passed, starting(passed))))
