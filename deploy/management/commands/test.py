"""`python3 manage.py test`: run a set of tests (tests/sets.py), and list what could not run."""

import argparse
import subprocess
import sys

from django.conf import settings
from django.core.management import BaseCommand


class Command(BaseCommand):
    help = "Run the default set of tests on SQLite and, where there is one, on PostgreSQL."
    requires_system_checks = ()

    def run_from_argv(self, argv: list[str]) -> None:
        """Pass everything after `test` to tests/__main__.py. argparse would take options that are meant for
        pytest.
        """
        self.handle(*argv[2:])

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "args", nargs="*", help="--fast, --all, --coverage; with others pytest runs once, with these"
        )

    def handle(self, *args: str, **_: object) -> None:
        done = subprocess.run([sys.executable, "-m", "tests", *args], cwd=settings.BASE_DIR)
        raise SystemExit(done.returncode)
