"""Explanations of errors that end a command. An error that a person can fix is shown as one line, not as a
traceback.
"""

import errno
import sqlite3
from typing import Final

from django.conf import settings
from django.db import Error
from psycopg import errors as postgres

from deploy.terminal import gettext as _

NO_TABLE: Final = ("no such table", "no such column")


def explain_failure(error: BaseException) -> str:
    """Return one line with the cause, and any known remedy, of an error that a person can fix; "" for any
    other error.
    """
    for one in _with_causes(error):
        if getattr(one, "errno", None) in {errno.ENOSPC, errno.EDQUOT} or _is_full(one):
            return _("the disk is full: free some space, then start again; stored data is not damaged")
    if not isinstance(error, Error):
        return ""
    for one in _with_causes(error):
        if isinstance(one, postgres.UndefinedTable | postgres.UndefinedColumn) or _lacks_table(one):
            return _(
                "the database %(database)s lacks the tables of this version: "
                "python3 manage.py upgrade prepares it (database/not_migrated)"
            ) % {"database": settings.DATABASES["default"]["NAME"]}
        if isinstance(one, postgres.OperationalError) and one.sqlstate is None:
            reason = str(one).strip().splitlines()[0]
            return _("the database does not answer: %(reason)s (database/away)") % {"reason": reason}
    return ""


def _with_causes(error: BaseException) -> list[BaseException]:
    found = [error]
    while (cause := found[-1].__cause__) is not None and cause not in found:
        found.append(cause)
    return found


def _is_full(error: BaseException) -> bool:
    code = getattr(error, "sqlite_errorcode", None)
    return code == sqlite3.SQLITE_FULL or isinstance(error, postgres.DiskFull)


def _lacks_table(error: BaseException) -> bool:
    return isinstance(error, sqlite3.OperationalError) and str(error).startswith(NO_TABLE)
