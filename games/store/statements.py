"""Prepared statements of a PostgreSQL connection. The statements of one call are sent in one packet.

psycopg's own pipeline writes, and polls for results, once for each statement. For the four statements at the
beginning of a move it takes four times the processor time, and wakes the server four times.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import count
from typing import Any, Final, NamedTuple
from weakref import WeakKeyDictionary

import psycopg
from django.db.backends.base.base import BaseDatabaseWrapper
from psycopg import generators, pq
from psycopg.abc import PQGen
from psycopg.adapt import PyFormat, Transformer
from psycopg.errors import error_from_result

Statement = tuple[str, Sequence[Any]]
MAX_KEPT: Final = 200
"""Largest number of prepared statements per connection; further statements are planned at each call."""
FAILED: Final = frozenset({pq.ExecStatus.FATAL_ERROR, pq.ExecStatus.PIPELINE_ABORTED})


class StatementResult(NamedTuple):
    """The result of a statement. `rows`: the rows it returned. `touched`: the number of rows read or
    written.
    """

    rows: list[tuple[Any, ...]]
    touched: int


class _Kept:
    """The prepared statements of a connection. `names`: (SQL, types of its values) → name of the
    statement.
    """

    def __init__(self) -> None:
        self.names: dict[tuple[bytes, tuple[int, ...]], bytes] = {}
        self.numbers = count()


_kept: WeakKeyDictionary[psycopg.Connection, _Kept] = WeakKeyDictionary()


def send_together(connection: BaseDatabaseWrapper, questions: Sequence[Statement]) -> list[StatementResult]:
    """Send statements, with %s for their values, together. If Django requires a transaction, it begins with
    the first statement. Raises Django's exception for the first statement that fails; later statements have
    not run then.
    """
    connection.ensure_connection()
    raw: psycopg.Connection = connection.connection
    with connection.wrap_database_errors, raw.lock:
        try:
            return raw.wait(_prepare_statements(raw, questions))
        except psycopg.Error:
            raise
        except BaseException:
            raw.close()  # interrupted in the middle of an answer: the connection is unusable
            raise


def _prepare_statements(
    raw: psycopg.Connection, questions: Sequence[Statement]
) -> PQGen[list[StatementResult]]:
    server = raw.pgconn
    kept = _kept.setdefault(raw, _Kept())
    new: dict[tuple[bytes, tuple[int, ...]], bytes] = {}
    values = Transformer.from_context(raw)
    is_question: list[bool] = []
    server.enter_pipeline_mode()
    if not raw.autocommit and server.transaction_status == pq.TransactionStatus.IDLE:
        server.send_query_params(b"BEGIN", None)
        is_question.append(False)
    for question, arguments in questions:
        query = _numbered(question)
        dumped_arguments = values.dump_sequence(arguments, [PyFormat.AUTO] * len(arguments))
        types, formats = values.types, values.formats
        key = (query, types or ())
        name = kept.names.get(key) or new.get(key)
        if name is None and len(kept.names) + len(new) < MAX_KEPT:
            name = new[key] = b"puur_%d" % next(kept.numbers)
            server.send_prepare(name, query, types)
            is_question.append(False)
        if name is None:
            server.send_query_params(query, dumped_arguments, types, formats, pq.Format.BINARY)
        else:
            server.send_query_prepared(name, dumped_arguments, formats, pq.Format.BINARY)
        is_question.append(True)
    server.pipeline_sync()
    yield from generators.send(server)
    answers, failed = [], None
    for wanted in is_question:
        [result] = yield from generators.fetch_many(server)
        if result.status in FAILED:
            failed = failed or result
        elif wanted:
            values.set_pgresult(result, format=pq.Format.BINARY)
            answers.append(
                StatementResult(values.load_rows(0, result.ntuples, tuple), result.command_tuples or 0)
            )
    yield from generators.fetch_many(server)  # the end of the batch
    server.exit_pipeline_mode()
    if failed is not None:
        raise error_from_result(failed, raw.info.encoding)
    kept.names.update(new)
    return answers


@lru_cache(maxsize=2 * MAX_KEPT)
def _numbered(query: str) -> bytes:
    """Return the SQL with the server's placeholders $1, $2, ... in place of %s."""
    numbers = count(1)
    return re.sub("%s", lambda _: f"${next(numbers)}", query).encode()
