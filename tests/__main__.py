"""The tests this machine allows, of one tier (tests/tiers.py), on SQLite with a private Valkey and then on
PostgreSQL with Redis.

python -m tests [--fast | --nightly] [--coverage] [arguments of pytest: then there is one run only]
"""

import os
import subprocess
import sys
from collections.abc import Sequence

from deploy.environment import BASE_DIR
from tests import servers

CORES = os.cpu_count() or 1
WORKERS = min(8, CORES + 2)
"""More than cores: many tests wait most of their time for a browser or a process."""
ENGINE = ["tests/engine", "tests/reference"]
"""Tests that cover the engine by themselves. They run alone, so that nobody measures it where others play
game after game: that took a seventh of the time."""
# per cent, branches included
COVERED = {"engine": 100, "games": 95, "tournaments": 95, "frontend": 95, "deploy": 95}


def run(arguments: Sequence[str]) -> int:
    """The worst exit code of the runs.

    `--coverage` measures, and refuses a package below its threshold. Other arguments go to pytest, once:
    none of the tests that they name is left out.
    """
    tier = next((name for name in ("fast", "nightly") if f"--{name}" in arguments), "full")
    rest = [argument for argument in arguments if argument not in {"--coverage", "--fast", "--nightly"}]
    coverage = ["--cov", "--cov-append", "--cov-report="] if "--coverage" in arguments else []
    if coverage:
        _python("coverage", "erase")
    if rest:
        code = _pytest(*coverage, *rest)
    else:
        # A file is one worker's: what its fixtures start, a process tree or a browser, is started once.
        by_file = ["--dist", "loadfile", "--no-loadscope-reorder", "--durations=10", "--tier", tier]
        workers = ["-n", str(WORKERS), *by_file]
        with servers.announced() as missing:
            code = _pytest(*coverage, "-n", str(min(8, CORES)), *by_file, *ENGINE)
            os.environ["PUUR_UNMEASURED"] = "engine/*"
            code = _pytest(*coverage, *workers, *(f"--ignore={folder}" for folder in ENGINE)) or code
            if tier == "fast":
                return code
            if not missing:
                code = _pytest(*coverage, *workers, "--on", "postgresql") or code
            for what in missing:
                print(f"puur: NOT RUN: the second run, on PostgreSQL: {what}", flush=True)
                code = code or int(os.environ.get("CI") == "true")
    if coverage and not rest:
        code = _thresholds() or code
    return code


def _thresholds() -> int:
    _python("coverage", "combine", "--quiet")
    worst = 0
    for package, percent in COVERED.items():
        print(f"\npuur: coverage of {package}, at least {percent} %", flush=True)
        least = [f"--fail-under={percent}", "--precision=2"]
        worst = _python("coverage", "report", f"--include={package}/*", *least) or worst
    return worst


def _pytest(*arguments: str) -> int:
    # A file from elsewhere is run with our configuration too.
    return _python("pytest", "-c", str(BASE_DIR / "pyproject.toml"), *arguments)


def _python(module: str, *arguments: str) -> int:
    return subprocess.run([sys.executable, "-m", module, *arguments], cwd=BASE_DIR).returncode


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
