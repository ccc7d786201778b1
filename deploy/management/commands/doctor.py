"""`manage.py doctor`: check the installation and say what to do; exit code 0, or 1 if something is broken."""

import argparse
import json
import sys
from typing import Any

import msgspec
from django.conf import settings
from django.core.management import BaseCommand, CommandError
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from deploy import doctor, terminal
from deploy.doctor import keys
from deploy.doctor.results import Severity


class Command(BaseCommand):
    help = "Check this installation, and say what to do. Exit code 1: something is broken."
    requires_system_checks = ()

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", dest="as_json", help="print JSON")
        languages = [code for code, _name in terminal.languages()]
        parser.add_argument("--language", choices=languages, help="of the sentences; default: the terminal's")
        parser.add_argument(
            "--keys-copied",
            action="store_true",
            help="confirm that copies of the present keys are kept elsewhere, apart from the backups",
        )

    def handle(self, *, as_json: bool, language: str | None, keys_copied: bool, **_options: Any) -> None:
        with translation.override(language or terminal.language()):
            if keys_copied:
                self._confirm_copies()
            findings = doctor.examine()
            if as_json:
                self.stdout.write(_format_json(findings))
            else:
                self.stdout.write(doctor.write_report(findings), ending="")
        if doctor.find_worst_state(findings) is Severity.ERROR:
            sys.exit(1)

    def _confirm_copies(self) -> None:
        try:
            confirmed = keys.confirm_key_copies()
        except OSError as error:
            raise CommandError(
                _("%(folder)s cannot be written: %(reason)s (doctor/cannot_write)")
                % {"folder": settings.VAR_DIR, "reason": error.strerror}
            ) from None
        self.stderr.write(_("confirmed: copies of %(files)s") % {"files": ", ".join(confirmed)})


def _format_json(findings: list[doctor.CheckedPart]) -> str:
    """Return the report as JSON for programs. Keys and states are stable, sentences are not."""
    report = {
        "version": settings.VERSION,
        "at": timezone.now().isoformat(timespec="seconds"),
        "state": doctor.find_worst_state(findings),
        "checks": [msgspec.to_builtins(finding) for finding in findings],
    }
    return json.dumps(report, ensure_ascii=False, indent=1)
