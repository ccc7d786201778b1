"""Classification of errors: whether the database, an encryption key or this process is temporarily
unavailable, so that the caller may try again.
"""

import logging
from typing import Final

from django.db import Error, InterfaceError, OperationalError
from psycopg import Error as PostgresError
from psycopg_pool import PoolTimeout, TooManyRequests

from games.encryption import DataKeyError
from games.store import StreamBusy

RETRY_AFTER: Final = 3
"""Seconds of the Retry-After header."""
DISK_FULL: Final = "the disk is full"
NO_KEY: Final = "a data key cannot be used"
SQLSTATE_REASONS: Final = {
    "55P03": "a lock was not given in time",
    "57014": "a statement took too long",
    "25P03": "a transaction was idle for too long",
    "40001": "two transactions were in each other's way",
    "40P01": "two transactions waited for each other",
    "53300": "the server takes no more connections",
    "53100": DISK_FULL,
}
SQLITE_REASONS: Final = {
    "database is locked": "another process writes",
    "database or disk is full": DISK_FULL,
    "disk I/O error": DISK_FULL,
}
CONNECTION_LOST_STATES: Final = ("08", "57P")
"""Beginnings of SQLSTATE codes that mean that the connection or the server has ended."""

log = logging.getLogger(__name__)


class Overloaded(Exception):
    """A limited resource of this process is exhausted."""


def reason(error: BaseException | None) -> str:
    """Return the cause of the unavailability, as a text for the log; "" for an error that a retry would not
    fix.
    """
    if isinstance(error, StreamBusy):
        return "somebody else held the game"
    if isinstance(error, Overloaded):
        return str(error)
    if isinstance(error, DataKeyError):
        log.error("nobody can play: %s (%s)", error.detail, error.code)
        return NO_KEY
    if not isinstance(error, Error):
        return ""
    cause = error.__cause__
    if isinstance(cause, PoolTimeout | TooManyRequests):
        return "no connection was free in time"
    if not isinstance(cause, PostgresError):
        return next((text for begin, text in SQLITE_REASONS.items() if str(error).startswith(begin)), "")
    state = cause.sqlstate
    if state is None:
        lost = isinstance(error, OperationalError | InterfaceError)
        return "the database does not answer" if lost else ""
    return SQLSTATE_REASONS.get(state, "") or (
        "the database has gone away" if state.startswith(CONNECTION_LOST_STATES) else ""
    )
