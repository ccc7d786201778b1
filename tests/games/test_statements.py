"""Statements sent to PostgreSQL in one packet."""

import threading
from collections.abc import Sequence
from datetime import UTC, datetime

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from psycopg.pq import TransactionStatus

from games.store import statements

pytestmark = [
    pytest.mark.parametrize("database_template", ["postgresql"], indirect=True),
    pytest.mark.usefixtures("real_database"),
]
ONE = ("SELECT %s::int", [1])
PREPARED = ("SELECT statement FROM pg_prepared_statements WHERE name LIKE %s", ["puur_%"])


def rows(*questions: statements.Statement) -> list[list[tuple[object, ...]]]:
    return [answer.rows for answer in statements.send_together(connection, questions)]


def test_each_statement_gets_its_own_answer() -> None:
    now = datetime.now(UTC)
    what: Sequence[object] = [7, "Anna", b"\0\xff", now, True, None]
    [[first], [second], third] = rows(
        ("SELECT %s::int, %s::text, %s::bytea, %s::timestamptz, %s::bool, %s::text", what),
        ("SELECT %s::text || %s", ["a", "b"]),
        ("SELECT 1 WHERE %s", [False]),
    )
    assert list(first) == what
    assert (second, third) == (("ab",), [])


def test_what_is_written_is_counted() -> None:
    with transaction.atomic():
        made, added, changed = statements.send_together(
            connection,
            [
                ("CREATE TEMPORARY TABLE heap (number int)", []),
                ("INSERT INTO heap SELECT * FROM generate_series(1, %s)", [5]),
                ("UPDATE heap SET number = 0 WHERE number > %s", [2]),
            ],
        )
        assert (added.touched, changed.touched) == (5, 3)
        assert made.rows == added.rows == []
        transaction.set_rollback(True)


def test_a_transaction_begins_with_the_first_and_is_taken_back_whole() -> None:
    with transaction.atomic():
        assert connection.connection.info.transaction_status == TransactionStatus.IDLE
        rows(("CREATE TABLE heap (number int)", []))
        assert connection.connection.info.transaction_status == TransactionStatus.INTRANS
        transaction.set_rollback(True)
    assert rows(("SELECT to_regclass(%s) IS NULL", ["heap"])) == [[(True,)]]
    assert connection.connection.info.transaction_status == TransactionStatus.IDLE


def test_after_one_that_fails_nothing_is_done_and_the_connection_goes_on() -> None:
    rows(("CREATE TABLE heap (number int UNIQUE)", []))
    add = "INSERT INTO heap VALUES (%s)"
    with pytest.raises(IntegrityError, match="heap_number_key"):
        rows((add, [1]), (add, [1]), (add, [2]))
    assert rows(("SELECT count(*) FROM heap", [])) == [[(0,)]]
    with pytest.raises(DatabaseError, match="no_such_table"):
        rows(ONE, ("SELECT * FROM no_such_table", []))
    assert rows(ONE, ("SELECT * FROM heap WHERE number = %s", [2])) == [[(1,)], []]
    with pytest.raises(IntegrityError), transaction.atomic():
        rows((add, [3]), (add, [3]))
    assert rows((add, [3]))


def test_a_statement_is_planned_once_and_a_connection_keeps_so_many(monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(3):
        rows(ONE, ONE)
    [before] = rows(PREPARED)
    assert [text for (text,) in before].count("SELECT $1::int") == 1
    monkeypatch.setattr(statements, "MAX_KEPT", len(before) + 3)
    for number in range(10):
        assert rows((f"SELECT {number} + %s::int", [1])) == [[(number + 1,)]]
    [after] = rows(PREPARED)
    assert len(after) == len(before) + 3


def test_who_is_stopped_while_he_waits_leaves_no_half_answer_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stopped(Exception):
        """As a task's time limit comes: from a signal, anywhere."""

    rows(ONE)
    raw = connection.connection

    def wait(_: object) -> None:
        raise Stopped

    monkeypatch.setattr(raw, "wait", wait)
    with pytest.raises(Stopped):
        rows(ONE)
    assert raw.closed
    connection.close()
    assert rows(ONE) == [[(1,)]]


def test_connections_keep_their_statements_apart() -> None:
    heard: list[object] = []

    def ask() -> None:
        try:
            heard.append(rows(ONE))
        finally:
            connection.close()

    rows(ONE)
    others = [threading.Thread(target=ask) for _ in range(3)]
    for other in others:
        other.start()
    for other in others:
        other.join()
    assert heard == [[[(1,)]]] * 3
