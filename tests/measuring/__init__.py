"""Which lines and branches of our packages the tests of a process pass.

SlipCover puts a probe before each line and each branch of a module that is imported, and takes out those that
have been passed. A tracer, which Python 3.11 asks at each line, makes tests twice as long, what it does not
measure too; this adds a sixth (ADR 100).

Of the processes that tests of `deploy` start, what they pass of `deploy` is measured too (`children`).
"""

import atexit
import contextlib
import json
import os
import signal
import uuid
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import slipcover
from slipcover.slipcover import add_summaries

BASE_DIR = Path(__file__).parent.parent.parent
FOLDER = "MEASURED_FOLDER"
"""Names the folder in which each process that is measured leaves what it passed. Not PUUR_…: tests take
such names away from what they start."""
# per cent, branches included
THRESHOLDS = {"engine": 100, "games": 95, "tournaments": 95, "frontend": 95, "deploy": 95}
CHILDREN = str(Path(__file__).parent / "children")
MIGRATIONS = "*/migrations/*"
BODY_OF_A_PROTOCOL = r"^\s*\.\.\.$"

_measuring: slipcover.Slipcover | None = None


def start(*packages: str) -> None:
    """Measure what this process imports of them from now on."""
    global _measuring
    _measuring = _slipcover()
    sources = [BASE_DIR / package for package in packages]
    slipcover.ImportManager(_measuring, slipcover.FileMatcher(sources=sources, omit=[MIGRATIONS])).__enter__()


@contextlib.contextmanager
def children() -> Iterator[None]:
    """Processes that are started meanwhile are measured where this one is, and have to end in peace: Python
    imports `sitecustomize` from that folder when it begins."""
    before = os.environ.get("PYTHONPATH")
    if _measuring is not None:
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [CHILDREN, before]))
    try:
        yield
    finally:
        os.environ.pop("PYTHONPATH", None)
        if before is not None:
            os.environ["PYTHONPATH"] = before


def are_children_measured() -> bool:
    return CHILDREN in os.environ.get("PYTHONPATH", "")


def start_as_a_child() -> None:
    """Of `deploy` alone: to put probes into everything takes twelve seconds, and is done in the tests."""
    start("deploy")
    atexit.register(write)
    signal.signal(signal.SIGTERM, _end)


def _end(number: int, _: object) -> None:
    write()
    signal.signal(number, signal.SIG_DFL)
    signal.raise_signal(number)


def write() -> None:
    """Leave what was passed; nothing where nothing was measured."""
    if _measuring is not None:
        os.chdir(BASE_DIR)  # files are named from where one stands
        (Path(os.environ[FOLDER]) / f"{uuid.uuid4()}.json").write_text(json.dumps(_measuring.get_coverage()))


def report(folder: Path) -> int:
    """What all processes passed together, for each package what is missing; 1 where that is too much."""
    everything = _slipcover(source=[str(BASE_DIR / package) for package in THRESHOLDS]).get_coverage()
    for left in folder.glob("*.json"):
        slipcover.merge_coverage(everything, json.loads(left.read_text()))
    return max([_reported(package, percent, everything) for package, percent in THRESHOLDS.items()])


def _reported(package: str, threshold: int, everything: dict[str, Any]) -> int:
    files = {name: file for name, file in everything["files"].items() if name.startswith(f"{package}/")}
    found = {"meta": everything["meta"], "files": files}
    add_summaries(found)
    percent = found["summary"]["percent_covered"]
    print(f"\npuur: coverage of {package}: {percent:.2f} %, at least {threshold} %", flush=True)
    slipcover.print_coverage(found, skip_covered=True, missing_width=90)
    return int(percent < threshold)


def _slipcover(source: Sequence[str] | None = None) -> slipcover.Slipcover:
    return slipcover.Slipcover(
        branch=True, source=source, omit=[MIGRATIONS], exclude_also=[BODY_OF_A_PROTOCOL]
    )
