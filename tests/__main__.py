"""The tests this machine allows, of one tier (tests/tiers.py): on SQLite with a private Valkey, and on
PostgreSQL with Redis.

python -m tests [--fast | --nightly] [--coverage] [arguments of pytest: then there is one run only]
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO

from deploy.environment import BASE_DIR
from tests import servers
from tests.tiers import BOTH, STORING

CORES = os.cpu_count() or 1
FEW, MANY = min(8, CORES), min(8, CORES + 2)
"""Workers. Many are more than cores: many tests wait most of their time for a browser or a process."""
ENGINE = ["tests/engine", "tests/reference"]
"""Tests that cover the engine by themselves. Where coverage is measured they run alone, so that nobody
measures the engine where others play game after game: that took a seventh of the time."""
# per cent, branches included
COVERED = {"engine": 100, "games": 95, "tournaments": 95, "frontend": 95, "deploy": 95}


def run(arguments: Sequence[str]) -> int:
    """The worst exit code of the runs.

    `--coverage` measures, and refuses a package below its threshold. Other arguments go to pytest, once:
    none of the tests that they name is left out.
    """
    tier = next((name for name in ("fast", "nightly") if f"--{name}" in arguments), "full")
    rest = [argument for argument in arguments if argument not in {"--coverage", "--fast", "--nightly"}]
    with tempfile.TemporaryDirectory(prefix="puur-coverage-") as folder:
        measured = Path(folder) if "--coverage" in arguments else None
        if rest:
            code = _pytest(rest, measured)
        else:
            with servers.announced() as missing:
                code = _tier(tier, tier != "fast" and not missing, measured)
                for what in missing if tier != "fast" else ():
                    print(f"puur: NOT RUN: the second run, on PostgreSQL: {what}", flush=True)
                    code = code or int(os.environ.get("CI") == "true")
        if measured:
            _combine(measured)
            code = (_thresholds() if not rest else 0) or code
    return code


def _tier(tier: str, on_postgresql: bool, measured: Path | None) -> int:
    """The run on SQLite is shown as it goes. Beside it go the shorter ones, one after the other, so that no
    core is idle while a run begins and while its last test ends; what they say is shown when all are through.
    """
    # A file is one worker's: what its fixtures start, a process tree or a browser, is started once.
    by_file = ["--dist", "loadfile", "--no-loadscope-reorder", "--durations=10", "--tier", tier]
    few = ["-n", str(FEW), *by_file]
    beside: list[tuple[list[str], Mapping[str, str] | None]] = []
    without_engine: Mapping[str, str] | None = None
    left_out: list[str] = []
    if measured:
        beside.append(([*few, *ENGINE], {}))
        left_out = [f"--ignore={folder}" for folder in ENGINE]
        without_engine = {"PUUR_UNMEASURED": "engine/*"}
    if on_postgresql:
        storing = [f"tests/{folder}" for folder in sorted(STORING | BOTH)] if tier == "full" else []
        beside.append(([*few, "--on", "postgresql", *storing], without_engine))
    many = ["-n", str(FEW + 1 if beside else MANY), *by_file, *left_out]
    with tempfile.TemporaryFile() as said, ThreadPoolExecutor(1) as lane:
        others = [lane.submit(_pytest, arguments, measured, more, said) for arguments, more in beside]
        worst = _pytest(many, measured, without_engine)
        for other in others:
            worst = other.result() or worst
        said.seek(0)
        sys.stdout.buffer.write(said.read())
        sys.stdout.flush()
    return worst


def _combine(measured: Path) -> None:
    _python("coverage", "erase")
    _python("coverage", "combine", "--quiet", *map(str, measured.glob("*/.coverage*")))


def _thresholds() -> int:
    worst = 0
    for package, percent in COVERED.items():
        print(f"\npuur: coverage of {package}, at least {percent} %", flush=True)
        least = [f"--fail-under={percent}", "--precision=2"]
        worst = _python("coverage", "report", f"--include={package}/*", *least) or worst
    return worst


def _pytest(
    arguments: Sequence[str],
    measured: Path | None,
    environment: Mapping[str, str] | None = None,
    said: IO[bytes] | None = None,
) -> int:
    """What it measures goes into a folder of its own: runs that go beside each other would else gather the
    halves of each other's files."""
    coverage: list[str] = []
    environment = {**os.environ, **(environment or {})}
    if measured:
        coverage = ["--cov", "--cov-report="]
        environment["COVERAGE_FILE"] = f"{tempfile.mkdtemp(dir=measured)}/.coverage"
    # A file from elsewhere is run with our configuration too.
    configured = ["-c", str(BASE_DIR / "pyproject.toml")]
    return _python("pytest", *configured, *coverage, *arguments, environment=environment, said=said)


def _python(
    module: str,
    *arguments: str,
    environment: Mapping[str, str] | None = None,
    said: IO[bytes] | None = None,
) -> int:
    command = [sys.executable, "-m", module, *arguments]
    return subprocess.run(command, cwd=BASE_DIR, env=environment, stdout=said, stderr=said).returncode


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
