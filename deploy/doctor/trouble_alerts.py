"""Alerts of this machine. Each trouble is logged when it begins and when it ends; lasting errors are mailed
to the owners.

Web processes and workers call `watch`, so that one reports the death of another. A call less than 50 seconds
after the last checks does nothing. Known troubles are stored in a file, because the database or Redis may be
the trouble. Each machine reports its own disk, clock and files.
"""

import contextlib
import fcntl
import logging
import os
import smtplib
import socket
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import time
from typing import BinaryIO, Final

import msgspec
from django.conf import settings
from django.core.mail import EmailMessage
from django.db import DatabaseError
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from deploy import doctor, terminal
from deploy.doctor import CheckedPart, InstallationCheck
from deploy.doctor.results import Severity
from games.models import User

MIN_INTERVAL_SECONDS: Final = 50
MAILED_AFTER_SECONDS: Final = 90
"""Age in seconds from which an error is mailed. Errors caused by a restart are over by then."""
TROUBLES_FILE: Final = "troubles.json"

log = logging.getLogger(__name__)


class KnownTrouble(msgspec.Struct):
    """A known trouble. began: in seconds since 1970.

    mailed: the owners were told that it began. over: it has ended, and the owners were not told yet.
    """

    state: Severity
    began: float
    sentence: str
    mailed: bool = False
    over: bool = False


class Memory(msgspec.Struct):
    """The content of the file with known troubles. looked_at: time of the last check, in seconds since 1970;
    troubles: by key of the check.
    """

    looked_at: float = 0.0
    troubles: dict[str, KnownTrouble] = {}
    owners: list[str] = []
    """Mail addresses of the owners, used while the database does not answer."""


def watch() -> bool:
    """Run the cheap checks, and log and mail changes, unless a process of this machine does so now or did so
    less than 50 seconds ago. Return whether the checks ran. A trouble raises no error.
    """
    with _open_known_troubles() as memory:
        if memory is None or 0 <= time() - memory.looked_at < MIN_INTERVAL_SECONDS:
            return False
        with translation.override("en"):
            findings = doctor.examine(cheap=True)
        with contextlib.suppress(DatabaseError):
            memory.owners = _load_owners()
        checked = {check.key for check in doctor.CHECKS}  # another version may have had others
        memory.troubles = {key: one for key, one in memory.troubles.items() if key in checked}
        _compare_troubles(memory, {one.key: one for one in findings if one.state is not Severity.OK})
        memory.looked_at = time()
        return True


def _compare_troubles(memory: Memory, found: dict[str, CheckedPart]) -> None:
    for key, finding in found.items():
        known = memory.troubles.get(key)
        if known is None or known.over or known.state is not finding.state:
            level = logging.ERROR if finding.state is Severity.ERROR else logging.WARNING
            log.log(level, "begins: doctor/%s: %s", key, finding.sentence)
            began = time() if known is None or known.over else known.began
            mailed = known is not None and known.mailed
            memory.troubles[key] = KnownTrouble(finding.state, began, finding.sentence, mailed)
    for key in sorted(memory.troubles.keys() - found.keys()):
        known = memory.troubles[key]
        if not known.over:
            log.warning("over: doctor/%s", key)
            known.over = True
    _mail_news(memory, found)
    may_mail = settings.MAIL_FROM and memory.owners
    memory.troubles = {
        key: one for key, one in memory.troubles.items() if not one.over or (one.mailed and may_mail)
    }


def _mail_news(memory: Memory, found: dict[str, CheckedPart]) -> None:
    """Mail each error that has lasted long enough, once, and each mailed trouble that is over. A failed mail
    is tried again.
    """
    old = time() - MAILED_AFTER_SECONDS
    begun = [
        found[key]
        for key, known in memory.troubles.items()
        if known.state is Severity.ERROR and not (known.over or known.mailed) and known.began <= old
    ]
    over = [key for key, known in memory.troubles.items() if known.over and known.mailed]
    if (begun or over) and settings.MAIL_FROM and memory.owners and _send_mail(memory.owners, begun, over):
        for key in over:
            memory.troubles[key].mailed = False
        for one in begun:
            memory.troubles[one.key].mailed = True


def _send_mail(owners: list[str], begun: Sequence[CheckedPart], over: Sequence[str]) -> bool:
    """Mail the owners in the language of the installation. Return whether the mail was sent."""
    with translation.override(terminal.language()):
        checks = {check.key: check for check in doctor.CHECKS}
        lines = [
            line for one in begun for line in (*_format_lines(_translate_finding(one, checks[one.key])), "")
        ]
        lines += [_("Over: %(title)s") % {"title": checks[key].title} for key in over]
        titles = ", ".join(str(checks[key].title) for key in (*(one.key for one in begun), *over))
        subject = f"Puur ({socket.gethostname()}): {titles}"
        page = f"{settings.ORIGIN}{reverse('doctor')}"
        lines += ["", _("All checks: %(page)s") % {"page": page}]
        lines += [_("Puur reports each problem once when it begins, and once when it is over.")]
    try:
        EmailMessage(subject, "\n".join(lines) + "\n", settings.MAIL_FROM, owners).send()
    except (OSError, smtplib.SMTPException) as error:
        log.error("the owners could not be told by mail: %s", type(error).__name__)
        return False
    return True


def _translate_finding(finding: CheckedPart, check: InstallationCheck) -> CheckedPart:
    """Return a finding in the active language: run its check again. If the trouble has just ended, return the
    finding unchanged.
    """
    again = doctor.run_check(check)
    return again if again.state is finding.state else finding


def _format_lines(finding: CheckedPart) -> list[str]:
    return [f"{finding.title}: {finding.sentence}", *filter(None, [finding.remedy])]


def _load_owners() -> list[str]:
    """Return the mail addresses of the owners; empty if the installation sends no mail."""
    if not settings.MAIL_FROM:
        return []
    owners = User.objects.filter(is_superuser=True, is_active=True).exclude(email="")
    return list(owners.order_by("pk").values_list("email", flat=True))


@contextlib.contextmanager
def _open_known_troubles() -> Iterator[Memory | None]:
    """Yield the known troubles and store them after the block; yield None while another process of this
    machine checks.

    If the folder cannot be used, nothing is stored, and each check starts without known troubles.
    """
    with contextlib.ExitStack() as stack:
        try:
            descriptor = os.open(Path(settings.VAR_DIR) / TROUBLES_FILE, os.O_RDWR | os.O_CREAT, 0o600)
            file = stack.enter_context(os.fdopen(descriptor, "r+b"))
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield None
            return
        except OSError:
            yield _unstored
            return
        memory = _read_memory(file)
        before = msgspec.json.encode(memory)
        yield memory
        after = msgspec.json.encode(memory)
        if after != before:
            _write_memory(file, after)


_unstored = Memory()
"""The known troubles if the folder cannot be written."""


def _read_memory(file: BinaryIO) -> Memory:
    try:
        return msgspec.json.decode(file.read(), type=Memory)
    except msgspec.MsgspecError:
        return Memory()


def _write_memory(file: BinaryIO, content: bytes) -> None:
    """Replace the content of the file without replacing the file, because it is also the lock. If the disk is
    full, the file becomes shorter.
    """
    with contextlib.suppress(OSError):
        file.seek(0)
        file.write(content)
        file.truncate()
        file.flush()
