"""Several statements asked together: on PostgreSQL they are on their way in one round trip, the beginning of
the transaction with them, and each sees what was committed until its own turn.
"""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any, Final

import psycopg
from django.db import connections, router
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.utils import OperationalError

from games.models import Event
from games.store import statements
from games.store.errors import StreamBusy
from games.store.statements import Question
from games.store.types import Head

Rows = list[tuple[Any, ...]]
MOST_KEYS: Final = 500
READING: Final = {
    "postgresql": "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY",
    "sqlite": "BEGIN",  # not IMMEDIATE, for which others would wait
}
HEAD: Final = "SELECT head_seq, head_hash FROM games_stream WHERE id = %s"


def ask(*questions: Question) -> list[Rows]:
    """The rows of each statement, nothing for one that only writes."""
    connection = _connection()
    if connection.vendor == "postgresql" and questions:
        return [answer.rows for answer in statements.send_together(connection, questions)]
    answers = []
    with connection.cursor() as cursor:
        for query, arguments in questions:
            cursor.execute(query, arguments)
            answers.append(cursor.fetchall() if cursor.description else [])
    return answers


def ask_among(query: str, keys: Collection[str] | Collection[int], *before: Any, kind: str = "text") -> Rows:
    """The rows of a query that ends in a column, where that is one of the keys: planned once, however many
    they are, on PostgreSQL, where the column is of this `kind`. `before`: what the query itself takes.
    Nothing is asked where there are no keys.
    """
    known = list(keys)
    if known and _connection().vendor == "postgresql":
        return ask((f"{query}= ANY(%s::{kind}[])", [*before, known]))[0]
    rows: Rows = []
    for at in range(0, len(known), MOST_KEYS):
        some = known[at : at + MOST_KEYS]
        rows += ask((f"{query}IN ({', '.join(['%s'] * len(some))})", [*before, *some]))[0]
    return rows


def hold(
    stream_id: str, *questions: Question, row: Question, wait: bool = True
) -> tuple[Head | None, list[Rows]]:
    """Hold a stream and the row beside it, inside a transaction: nobody else can append until it is over. Its
    end (None: there is none), the row and what else was asked after it was held.

    Raises StreamBusy where it does not `wait` and somebody else holds one of them.
    """
    connection = _connection()
    lock = ""
    if connection.features.has_select_for_update:
        lock = " FOR NO KEY UPDATE" if wait else " FOR NO KEY UPDATE NOWAIT"
    head = (HEAD + lock, [stream_id])
    try:
        found, *answers = ask(head, (row[0] + lock, row[1]), *questions)
    except OperationalError as refusal:
        if not wait and isinstance(refusal.__cause__, psycopg.errors.LockNotAvailable):
            raise StreamBusy(f"somebody holds stream {stream_id}", stream=stream_id) from refusal
        raise
    return (Head(found[0][0], bytes(found[0][1])) if found else None), answers


@contextmanager
def one_moment() -> Iterator[None]:
    """What is read inside is as of one moment, however much is stored meanwhile: a stream and the rows beside
    it can be compared, and nobody waits. Nothing is written inside. In a transaction that has begun nothing
    happens: that one says what it sees.
    """
    connection = _connection()
    if connection.in_atomic_block:
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute(READING[connection.vendor])
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ROLLBACK")


def stored_moment(value: datetime) -> Any:
    """A time as these statements take it."""
    return _connection().ops.adapt_datetimefield_value(value)


def _connection() -> BaseDatabaseWrapper:
    return connections[router.db_for_write(Event)]
