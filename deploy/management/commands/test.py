"""`python3 manage.py test`: run a set of tests (tests/sets.py), and list what could not run."""

import argparse
import subprocess
import sys

from django.conf import settings
from django.core.management import BaseCommand


class Command(BaseCommand):
    help = "Run the tests on SQLite with a private Valkey, then the database tests again on PostgreSQL."
    requires_system_checks = ()

    def run_from_argv(self, argv: list[str]) -> None:
        """Pass everything after `test` to tests/__main__.py. argparse would take options that are meant for
        pytest.
        """
        self.handle(*argv[2:])

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "args", nargs="*", help="--coverage; with other arguments pytest runs once, with these"
        )

    def handle(self, *args: str, **_: object) -> None:
        done = subprocess.run([sys.executable, "-m", "tests", *args], cwd=settings.BASE_DIR)
        raise SystemExit(done.returncode)
