"""Encrypt all secrets again under the newest key, in small transactions, during operation.

Each value is decrypted first, so that no unreadable value is overwritten. An interrupted run can be repeated
and skips rows that are done. On PostgreSQL the database role must own the tables, since the platform's role
may not change rows.
"""

from collections.abc import Callable, Generator, Sequence
from typing import Any, Final, NamedTuple

from django.db import connections, router, transaction

from games import encryption
from games.encryption import Keyring
from games.models import Event
from games.store import layout, queries

BATCH_SIZE: Final = 500
Steps = Callable[[], Generator[int, None, None]]
_registered: Final[list[Steps]] = []


class _Table(NamedTuple):
    name: str
    at: tuple[str, ...]
    """The columns that identify a row."""
    reencrypt: Callable[[Keyring, Sequence[Any], layout.Closed], layout.Closed]


def _reencrypt_part(ring: Keyring, at: Sequence[Any], closed: layout.Closed) -> layout.Closed:
    stream, seq, name = at
    return layout.encrypt_part(ring, stream, seq, layout.decrypt_part(ring, stream, seq, name, closed))


def _reencrypt_receipt(ring: Keyring, at: Sequence[Any], closed: layout.Closed) -> layout.Closed:
    stream, command_id = at
    return layout.encrypt_receipt(
        ring, stream, command_id, layout.decrypt_receipt_hash(ring, stream, command_id, 0, closed)
    )


TABLES: Final = (
    _Table("games_secretpart", ("stream_id", "seq", "name"), _reencrypt_part),
    _Table("games_receipt", ("stream_id", "command_id"), _reencrypt_receipt),
)


def count_values_by_key(alias: str | None = None) -> dict[str, int]:
    """Return, by id of a key, the number of values of the log encrypted with it."""
    values_by_key: dict[str, int] = {}
    connection = connections[alias or router.db_for_write(Event)]
    with connection.cursor() as cursor:
        if not {table.name for table in TABLES} <= set(connection.introspection.table_names(cursor)):
            return {}
        columns = connection.introspection.get_table_description(cursor, TABLES[0].name)
        if "key" not in {column.name for column in columns}:
            return {}  # a database of an earlier version, not yet migrated
        for table in TABLES:
            cursor.execute(queries.count_by_key(table.name))
            for key, count in cursor.fetchall():
                values_by_key[key] = values_by_key.get(key, 0) + count
    return values_by_key


def register_reencryption(steps: Steps) -> None:
    """Register a function that encrypts values of a higher layer again, after the values of the log. `steps`:
    a function like `reencrypt_log`.

    Values of that layer that cannot be decrypted do not stop the rotation, and `count_values_by_key` does not
    count their keys.
    """
    if steps not in _registered:
        _registered.append(steps)


def may_reencrypt() -> bool:
    """Return whether this database role may change encrypted rows. On PostgreSQL only the owner of the
    tables may.
    """
    connection = connections[router.db_for_write(Event)]
    if connection.vendor != "postgresql":
        return True
    with connection.cursor() as cursor:
        for table in TABLES:
            cursor.execute("SELECT has_table_privilege(%s, 'UPDATE')", [table.name])
            if not cursor.fetchone()[0]:
                return False
    return True


def reencrypt_log() -> Generator[int, None, None]:
    """Encrypt all values of older keys under the newest key; yield the number of rows of each step.

    Raises AlteredLog or DataKeyError for a value that cannot be decrypted; the steps done before remain.
    """
    for table in TABLES:
        after: list[Any] = []
        while rows := _next_rows(table, encryption.keys_in_use(), after):
            ring = encryption.keys_in_use()
            again = [
                (
                    row[:-2],
                    row[-2],
                    table.reencrypt(ring, row[:-2], layout.closed(row[-2], row[-1])),
                )
                for row in rows
            ]
            yield _store_rows(table, again)
            after = list(rows[-1][:-2])
    for steps in _registered:
        yield from steps()


def _next_rows(table: _Table, ring: Keyring, after: list[Any]) -> list[Any]:
    query = queries.select_of_other_keys(table.name, table.at, BATCH_SIZE, after=bool(after))
    with connections[router.db_for_write(Event)].cursor() as cursor:
        cursor.execute(query, [ring.newest, *after])
        return list(cursor.fetchall())


def _store_rows(table: _Table, rows: list[tuple[Sequence[Any], str, layout.Closed]]) -> int:
    alias = router.db_for_write(Event)
    with transaction.atomic(using=alias), connections[alias].cursor() as cursor:
        cursor.executemany(
            queries.update_encrypted(table.name, table.at),
            [(*closed, *at, before) for at, before, closed in rows],
        )
    return len(rows)
