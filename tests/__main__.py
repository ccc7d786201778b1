"""The tests this machine allows, of one tier (tests/tiers.py): on SQLite with a private Valkey, and on
PostgreSQL with Redis.

python -m tests [--fast | --nightly] [--coverage] [arguments of pytest: then there is one run only]
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
from tests.tiers import BOTH, STORING

CORES = os.cpu_count() or 1
FEW, MANY = min(8, CORES), min(8, CORES + 2)
"""Workers. Many are more than cores: many tests wait most of their time for a browser or a process."""


def run(arguments: Sequence[str]) -> int:
    """The worst exit code of the runs.

    `--coverage` measures, and refuses a package below its threshold. Other arguments go to pytest, once:
    none of the tests that they name is left out.
    """
    tier = next((name for name in ("fast", "nightly") if f"--{name}" in arguments), "full")
    rest = [argument for argument in arguments if argument not in {"--coverage", "--fast", "--nightly"}]
    with tempfile.TemporaryDirectory(prefix="puur-measured-") as folder:
        measured = "--coverage" in arguments
        if measured:
            measuring.prepare(Path(folder))
        if rest:
            code = _pytest(["-n1", *rest] if measured else rest)  # workers measure
        else:
            with servers.announced() as missing:
                code = _tier(tier, tier != "fast" and not missing)
                for what in missing if tier != "fast" else ():
                    print(f"puur: NOT RUN: the second run, on PostgreSQL: {what}", flush=True)
                    code = code or int(os.environ.get("CI") == "true")
        if measured:
            code = (measuring.report(Path(folder)) if not rest else 0) or code
    return code


def _tier(tier: str, on_postgresql: bool) -> int:
    """The run on SQLite is shown as it goes. Beside it goes the shorter one on PostgreSQL, so that no core is
    idle while a run begins and while its last test ends; what it says is shown when both are through.
    """
    # A file is one worker's: what its fixtures start, a process tree or a browser, is started once.
    by_file = ["--dist", "loadfile", "--no-loadscope-reorder", "--durations=10", "--tier", tier]
    many = ["-n", str(FEW + 1 if on_postgresql else MANY), *by_file]
    if not on_postgresql:
        return _pytest(many)
    storing = [f"tests/{folder}" for folder in sorted(STORING | BOTH)] if tier == "full" else []
    with tempfile.TemporaryFile() as said, ThreadPoolExecutor(1) as lane:
        other = lane.submit(_pytest, ["-n", str(FEW), *by_file, "--on", "postgresql", *storing], said)
        worst = _pytest(many)
        worst = other.result() or worst
        said.seek(0)
        sys.stdout.buffer.write(said.read())
        sys.stdout.flush()
    return worst


def _pytest(arguments: Sequence[str], said: IO[bytes] | None = None) -> int:
    # A file from elsewhere is run with our configuration too.
    command = [sys.executable, "-m", "pytest", "-c", str(BASE_DIR / "pyproject.toml"), *arguments]
    return subprocess.run(command, cwd=BASE_DIR, stdout=said, stderr=said).returncode


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
