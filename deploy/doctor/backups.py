"""Checks of backups: the age of the last backup, and of the last trial restore."""

from datetime import datetime, timedelta
from typing import Final

from django.utils import timezone
from django.utils.translation import gettext

from deploy.backups import nightly
from deploy.doctor.results import Diagnosis, Severity, fine
from frontend.presenters.words.dates import format_moment

OLD_BACKUP: Final = timedelta(hours=36)
TOO_OLD_BACKUP: Final = timedelta(days=7)
OLD_TEST_RESTORE: Final = timedelta(days=35)
"""OLD_BACKUP and OLD_TEST_RESTORE are repeated in `deploy/observability/alerts.yml`, in seconds."""


def check_backup() -> Diagnosis:
    """Check that the last backup is not too old."""
    state = nightly.load_backup_state()
    made = parse_moment(state.last_backup)
    how = gettext("Run manage.py backup each night, and copy the files to another machine.")
    if made is None:
        return Diagnosis(Severity.WARNING, gettext("No backup is known here."), how)
    age = timezone.now() - made
    sentence = gettext("The last backup was made on %(day)s (%(where)s).")
    sentence = sentence % {"day": format_moment(made), "where": state.where or "?"}
    if age < OLD_BACKUP:
        return fine(sentence)
    return Diagnosis(Severity.ERROR if age > TOO_OLD_BACKUP else Severity.WARNING, sentence, how)


def check_test_restore() -> Diagnosis:
    """Check that the last trial restore is recent, and its audit clean."""
    state = nightly.load_backup_state()
    tested = parse_moment(state.last_test_restore)
    how = gettext("Run manage.py backup --test-restore: it restores a backup elsewhere and audits it.")
    if tested is None:
        return Diagnosis(Severity.WARNING, gettext("No backup has ever been restored as a test."), how)
    day = {"day": format_moment(tested)}
    if state.audit == nightly.NOT_RESTORED:
        sentence = gettext("The backup could not be restored as a test on %(day)s.")
        why = gettext(
            "Run manage.py backup --test-restore: it says what is missing, such as room on the disk."
        )
        return Diagnosis(Severity.ERROR, sentence % day, why)
    if state.audit != nightly.CLEAN:
        sentence = gettext("The audit of the backup that was restored on %(day)s found something wrong.")
        return Diagnosis(
            Severity.ERROR, sentence % day, gettext("Run manage.py audit, and keep the older backups.")
        )
    sentence = gettext("A backup was restored and audited on %(day)s.") % day
    if timezone.now() - tested > OLD_TEST_RESTORE:
        return Diagnosis(Severity.WARNING, sentence, how)
    return fine(sentence)


def parse_moment(noted: str | None) -> datetime | None:
    """Return the time that a record states; None if it is missing or unreadable."""
    try:
        moment = datetime.fromisoformat(noted or "")
    except ValueError:
        return None
    return moment if moment.tzinfo else timezone.make_aware(moment)


def compute_backup_age(name: str) -> timedelta | None:
    """Return the age of the last backup (`last_backup`) or of the last trial restore
    (`last_test_restore`); None if unknown.
    """
    moment = parse_moment(getattr(nightly.load_backup_state(), name))
    return None if moment is None else timezone.now() - moment
