"""`python3 manage.py bench`: our speed beside a peer or a limit, measured in the same run."""

import argparse
import subprocess
import sys
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError


def benchmarks() -> list[str]:
    """Those that can be run."""
    return sorted(path.stem for path in (settings.BASE_DIR / "tests" / "bench").glob("[!_]*.py"))


class Command(BaseCommand):
    help = "Run the benchmarks of tests/bench: one JSON line per figure, with its peer, ratio and spread."
    requires_system_checks: list[str] = []  # noqa: RUF012 - as Django declares it

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        there = ", ".join(benchmarks()) or "not in this installation"
        parser.add_argument("names", nargs="*", help=f"{there}; none: all there are")

    def handle(self, *, names: list[str], **_: Any) -> None:
        there = benchmarks()
        for name in names:
            if name not in there:
                raise CommandError(f"there is no benchmark {name!r}; there are: {', '.join(there) or 'none'}")
        for name in names or there:
            done = subprocess.run([sys.executable, "-m", f"tests.bench.{name}"], cwd=settings.BASE_DIR)
            if done.returncode:
                raise CommandError(f"the benchmark {name} ended with code {done.returncode}")
