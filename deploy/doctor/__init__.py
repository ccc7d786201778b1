"""Checks of this installation, with results in plain words.

findings = doctor.examine()

Each check is a function that returns one result. Each module contains the checks of one area.
"""

import logging
from collections.abc import Callable, Iterable
from typing import Final

import msgspec
from django.conf import settings
from django.db import DatabaseError
from django.utils.functional import Promise
from django.utils.timezone import localtime
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from deploy.doctor import backups, keys, proxy_and_tls, seals, services, storage
from deploy.doctor.results import Diagnosis, Severity

log = logging.getLogger(__name__)


class InstallationCheck(msgspec.Struct, frozen=True):
    """A check of the installation. run: the function; cheap: it runs every minute, and therefore contacts
    only the database and Redis, and writes no file.
    """

    key: str
    title: Promise
    run: Callable[[], Diagnosis]
    cheap: bool = False


class CheckedPart(msgspec.Struct, frozen=True):
    """The result of a check, with the key and the title of the check."""

    key: str
    title: str
    state: Severity
    sentence: str
    remedy: str


CHECKS: Final = (
    InstallationCheck("database", _("Database"), storage.check_database, cheap=True),
    InstallationCheck(
        "migrations", pgettext_lazy("database", "Tables"), storage.check_migrations, cheap=True
    ),
    InstallationCheck("disk", _("Disk"), storage.check_disk, cheap=True),
    InstallationCheck("fsync", _("Writing to the disk"), storage.check_sync),
    InstallationCheck("redis", _("Redis (Valkey)"), services.check_redis, cheap=True),
    InstallationCheck("worker", _("Worker"), services.check_workers, cheap=True),
    InstallationCheck("queue", _("Waiting work"), services.check_queue, cheap=True),
    InstallationCheck("clock", _("Clock"), services.check_clock, cheap=True),
    InstallationCheck("keys", _("Keys"), keys.check_key_files, cheap=True),
    InstallationCheck("key_fits", _("Keys and database"), keys.check_keys_fit),
    InstallationCheck("key_copies", _("Copies of the keys"), keys.check_key_copies, cheap=True),
    InstallationCheck("push", _("Messages to phones"), keys.check_push, cheap=True),
    InstallationCheck("modes", _("Access to files"), keys.check_modes, cheap=True),
    InstallationCheck("backup", _("Backup"), backups.check_backup, cheap=True),
    InstallationCheck("test_restore", _("Test of the backup"), backups.check_test_restore, cheap=True),
    InstallationCheck("seal", _("Seal"), seals.check_seal, cheap=True),
    InstallationCheck("proxy", _("Proxy"), proxy_and_tls.check_proxy, cheap=True),
    InstallationCheck("tls", _("Encryption (TLS)"), proxy_and_tls.check_tls),
    InstallationCheck("mail", _("Mail"), services.check_mail),
    InstallationCheck("open_id", _("Sign-in at a provider"), services.check_open_id),
    InstallationCheck("variables", _("Settings"), proxy_and_tls.check_variables, cheap=True),
)
"""All checks, in the order of the report."""
STATE_WORDS: Final[dict[Severity, Promise]] = {
    Severity.OK: _("OK"),
    Severity.WARNING: _("check it"),
    Severity.ERROR: _("fix it"),
}


def examine(*, cheap: bool = False) -> list[CheckedPart]:
    """Run all checks, or only the cheap ones, with texts in the active language."""
    return [run_check(one) for one in CHECKS if one.cheap or not cheap]


def run_check(one: InstallationCheck) -> CheckedPart:
    """Run one check, with texts in the active language. An error that it raises becomes the result."""
    try:
        result = one.run()
    except DatabaseError:
        unknown = gettext("This cannot be checked: the database does not answer, or lacks tables.")
        result = Diagnosis(Severity.WARNING, unknown, gettext("Repair the database first."))
    except Exception as error:
        log.exception("the check %s failed", one.key)
        failed = gettext("The check itself failed: %(reason)s") % {"reason": type(error).__name__}
        result = Diagnosis(Severity.ERROR, failed, gettext("The log has the details. Please report them."))
    return CheckedPart(one.key, str(one.title), result.state, result.sentence, result.remedy)


def find_worst_state(findings: Iterable[CheckedPart]) -> Severity:
    """Return the worst state among the findings; OK if none."""
    states = {finding.state for finding in findings}
    return next((state for state in (Severity.ERROR, Severity.WARNING) if state in states), Severity.OK)


def write_report(findings: Iterable[CheckedPart]) -> str:
    """Return the findings as text, in the active language."""
    lines = [f"Puur {settings.VERSION}, {localtime():%Y-%m-%d %H:%M %Z}", f"PUUR_VAR {settings.VAR_DIR}", ""]
    for finding in findings:
        lines.append(f"[{STATE_WORDS[finding.state]}] {finding.title}: {finding.sentence}")
        if finding.remedy:
            lines.append(f"    -> {finding.remedy}")
    return "\n".join(lines) + "\n"
