"""Checks of this installation in plain words.

    findings = doctor.examine()

Each check is one function that returns one result; a module contains the checks of one area.
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

from deploy.doctor import access, keys, record, services, storage
from deploy.doctor.results import Result, State

log = logging.getLogger(__name__)


class Check(msgspec.Struct, frozen=True):
    """A check. cheap: it runs each minute, so it asks no other machine and does not write."""

    key: str
    title: Promise
    run: Callable[[], Result]
    cheap: bool = False


class Finding(msgspec.Struct, frozen=True):
    """A result with the key and the title of its check."""

    key: str
    title: str
    state: State
    sentence: str
    remedy: str


CHECKS: Final = (
    Check("database", _("Database"), storage.check_database, cheap=True),
    Check("migrations", pgettext_lazy("database", "Tables"), storage.check_migrations, cheap=True),
    Check("disk", _("Disk"), storage.check_disk, cheap=True),
    Check("fsync", _("Writing to the disk"), storage.check_sync),
    Check("redis", _("Redis (Valkey)"), services.check_redis, cheap=True),
    Check("worker", _("Worker"), services.check_worker, cheap=True),
    Check("queue", _("Waiting work"), services.check_queue, cheap=True),
    Check("clock", _("Clock"), services.check_clock, cheap=True),
    Check("keys", _("Keys"), keys.check_key_files, cheap=True),
    Check("key_fits", _("Keys and database"), keys.check_keys_fit),
    Check("key_copies", _("Copies of the keys"), keys.check_key_copies, cheap=True),
    Check("push", _("Messages to phones"), keys.check_push, cheap=True),
    Check("modes", _("Access to files"), keys.check_modes, cheap=True),
    Check("backup", _("Backup"), record.check_backup, cheap=True),
    Check("test_restore", _("Test of the backup"), record.check_test_restore, cheap=True),
    Check("seal", _("Seal"), record.check_seal, cheap=True),
    Check("proxy", _("Proxy"), access.check_proxy, cheap=True),
    Check("tls", _("Encryption (TLS)"), access.check_tls),
    Check("mail", _("Mail"), services.check_mail),
    Check("variables", _("Settings"), access.check_variables, cheap=True),
)
"""In the order of the report."""
STATE_WORDS: Final[dict[State, Promise]] = {
    State.OK: _("fine"),
    State.WARNING: _("look at it"),
    State.ERROR: _("mend it"),
}


def examine(*, cheap: bool = False) -> list[Finding]:
    """Run all checks, or the cheap ones, in the active language. A check that fails is a finding."""
    return [_examined(one) for one in CHECKS if one.cheap or not cheap]


def _examined(one: Check) -> Finding:
    try:
        result = one.run()
    except DatabaseError:
        unknown = gettext("This cannot be checked: the database does not answer, or lacks tables.")
        result = Result(State.WARNING, unknown, gettext("Mend the database first."))
    except Exception as error:
        log.exception("the check %s failed", one.key)
        failed = gettext("The check itself failed: %(reason)s") % {"reason": type(error).__name__}
        result = Result(State.ERROR, failed, gettext("The log has the details. Please report them."))
    return Finding(one.key, str(one.title), result.state, result.sentence, result.remedy)


def worst_state(findings: Iterable[Finding]) -> State:
    """Return the worst state among the findings."""
    states = {finding.state for finding in findings}
    return next((state for state in (State.ERROR, State.WARNING) if state in states), State.OK)


def report_text(findings: Iterable[Finding]) -> str:
    """Return the findings as text, in the active language."""
    lines = [f"Puur {settings.VERSION}, {localtime():%Y-%m-%d %H:%M %Z}", f"PUUR_VAR {settings.VAR_DIR}", ""]
    for finding in findings:
        lines.append(f"[{STATE_WORDS[finding.state]}] {finding.title}: {finding.sentence}")
        if finding.remedy:
            lines.append(f"    -> {finding.remedy}")
    return "\n".join(lines) + "\n"
