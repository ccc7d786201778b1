"""Run one of three sets of tests (tests/sets.py) on SQLite and, but for `--fast`, on PostgreSQL if possible.

python -m tests [--fast | --all] [--coverage] [arguments of pytest: then there is one run only]
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO

from deploy.environment import BASE_DIR
from tests import measuring, servers

CORES = os.cpu_count() or 1
FEW, MANY = min(8, CORES), min(8, CORES + 2)
"""Numbers of workers. MANY exceeds the cores: many tests wait most of their time for a browser or a
process."""


def run(arguments: Sequence[str]) -> int:
    """Run a set, or the tests that other arguments name to pytest; return the worst exit code.

    `--coverage` measures; a set then fails where a package is below its threshold.
    """
    chosen = next((name for name in ("fast", "all") if f"--{name}" in arguments), "default")
    rest = [argument for argument in arguments if argument not in {"--coverage", "--fast", "--all"}]
    with tempfile.TemporaryDirectory(prefix="puur-measured-") as folder:
        measured = "--coverage" in arguments
        if measured:
            measuring.prepare(Path(folder))
        if rest:
            code = _pytest(["-n1", *rest] if measured else rest)  # workers measure
        else:
            with servers.announced() as missing:
                code = _run_set(chosen, chosen != "fast" and not missing)
                for what in missing if chosen != "fast" else ():
                    print(f"puur: NOT RUN: the second run, on PostgreSQL: {what}", flush=True)
                    code = code or int(os.environ.get("CI") == "true")
        if measured:
            code = (measuring.report(Path(folder)) if not rest else 0) or code
    return code


def _run_set(chosen: str, on_postgresql: bool) -> int:
    """Run on both databases at once, so that no core is idle while a run begins and while its last test ends.

    The output of the SQLite run is live; that of the PostgreSQL run follows when both have ended.
    """
    # A file belongs to one worker: its process tree or browser starts once.
    by_file = ["--dist", "loadfile", "--no-loadscope-reorder", "--durations=10", "--set", chosen]
    many = ["-n", str(FEW + 1 if on_postgresql else MANY), *by_file]
    if not on_postgresql:
        return _pytest(many)
    with tempfile.TemporaryFile() as said, ThreadPoolExecutor(1) as lane:
        other = lane.submit(_pytest, ["-n", str(FEW), *by_file, "--on", "postgresql"], said)
        worst = _pytest(many)
        worst = other.result() or worst
        said.seek(0)
        sys.stdout.buffer.write(said.read())
        sys.stdout.flush()
    return worst


def _pytest(arguments: Sequence[str], said: IO[bytes] | None = None) -> int:
    # Files from elsewhere run with our configuration too.
    command = [sys.executable, "-m", "pytest", "-c", str(BASE_DIR / "pyproject.toml"), *arguments]
    return subprocess.run(command, cwd=BASE_DIR, stdout=said, stderr=said).returncode


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
