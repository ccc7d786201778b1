"""`python3 manage.py bench`: benchmarks. Each figure is compared with a peer that is measured in the same
run, or with a limit.
"""

import argparse
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError


def list_benchmarks() -> list[str]:
    """Return the names of the available benchmarks."""
    return sorted(path.stem for path in (settings.BASE_DIR / "tests" / "bench").glob("[!_]*.py"))


class Command(BaseCommand):
    help = "Run the benchmarks of tests/bench: one JSON line per figure, with its peer, ratio and spread."
    requires_system_checks = ()

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        there = ", ".join(list_benchmarks()) or "not in this installation"
        parser.add_argument("names", nargs="*", help=f"{there}; without names: all")
        parser.add_argument("--quick", action="store_true", help="small sizes, a few seconds each")
        parser.epilog = "Options after a name belong to that benchmark: manage.py bench load --help"

    def run_from_argv(self, argv: list[str]) -> None:
        """Pass the options after the name of a benchmark to that benchmark."""
        first = next((at for at in range(2, len(argv)) if argv[at].startswith("-")), len(argv))
        own = argv[first:] if first > 2 else []
        self._options = own
        super().run_from_argv(argv[: len(argv) - len(own)])

    _options: Sequence[str] = ()

    def handle(self, *, names: list[str], quick: bool, **_: Any) -> None:
        there = list_benchmarks()
        for name in names:
            if name not in there:
                raise CommandError(f"there is no benchmark {name!r}; there are: {', '.join(there) or 'none'}")
        options = ["--quick"] if quick else self._options
        for name in names or there:
            command = [sys.executable, "-m", f"tests.bench.{name}", *options]
            done = subprocess.run(command, cwd=settings.BASE_DIR)
            if done.returncode:
                raise CommandError(f"the benchmark {name} ended with code {done.returncode}")
