"""`python3 manage.py faults`: kill -9 every process repeatedly, and check the log."""

import subprocess
import sys

from django.conf import settings
from django.core.management import BaseCommand


class Command(BaseCommand):
    help = "Kill processes at random moments during play, and check that no acknowledged data is lost."
    requires_system_checks = ()

    def run_from_argv(self, argv: list[str]) -> None:
        """Pass everything after `faults` to tests/faults/__main__.py."""
        self.handle(*argv[2:])

    def handle(self, *args: str, **_: object) -> None:
        done = subprocess.run([sys.executable, "-m", "tests.faults", *args], cwd=settings.BASE_DIR)
        raise SystemExit(done.returncode)
