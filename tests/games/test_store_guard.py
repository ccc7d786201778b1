"""Stored log rows cannot be changed or removed by any statement."""

from importlib import import_module
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction

from games import checks, sealing, store
from games.models import Event
from games.sealing import SealKey
from games.store import Record, guard

TABLES = ["games_event", "games_secretpart", "games_receipt", "games_checkpoint"]
UPDATES = {
    "games_event": "UPDATE games_event SET envelope = envelope",
    "games_secretpart": "UPDATE games_secretpart SET closed = key",
    "games_receipt": "UPDATE games_receipt SET count = count + 1",
    "games_checkpoint": "UPDATE games_checkpoint SET heads = body",
}
COPIES = {
    "games_event": "(stream_id, seq, type, envelope, hash) SELECT stream_id, seq, 'forged', envelope, hash",
    "games_secretpart": "(stream_id, seq, name, key, closed) SELECT stream_id, seq, name, key, stream_id",
    "games_receipt": "(stream_id, command_id, key, closed, first_seq, count)"
    " SELECT stream_id, command_id, key, closed, 0, 9",
    "games_checkpoint": "(stream_id, number, body, signature, heads, made_at)"
    " SELECT stream_id, number, signature, signature, heads, made_at",
}
KEYS = {
    "games_event": "(stream_id, seq)",
    "games_secretpart": "(stream_id, seq, name)",
    "games_receipt": "(stream_id, command_id)",
    "games_checkpoint": "(stream_id, number)",
}
VALUES = {
    "games_event": "type",
    "games_secretpart": "closed",
    "games_receipt": "count",
    "games_checkpoint": "heads",
}

MERGED = """MERGE INTO games_event AS old USING games_event AS new ON old.stream_id = new.stream_id
    AND old.seq = new.seq WHEN MATCHED THEN UPDATE SET type = 'forged'"""


@pytest.fixture
def stream(real_database: str) -> str:
    stream = store.create_stream("game").id
    hand = Record("hand_dealt", {"seat": 1}, {"cards": ["D6"]})
    store.append(stream, -1, [hand], actor="anna", command_id="one", body_hash=bytes(32))
    with transaction.atomic():
        sealing.seal(stream, [], SealKey(Ed25519PrivateKey.generate()))
    return stream


def contents() -> list[list[tuple[Any, ...]]]:
    found = []
    with connection.cursor() as cursor:
        for table in [*TABLES, "games_stream"]:
            cursor.execute(f"SELECT * FROM {table}")
            found.append([tuple(bytes(v) if isinstance(v, memoryview) else v for v in r) for r in cursor])
    return found


def refused(statement: str) -> None:
    before = contents()
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
    assert contents() == before


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES)
def test_rows_cannot_be_updated(stream: str, table: str) -> None:
    refused(UPDATES[table])
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET session_replication_role = replica")  # in which ordinary triggers sleep
        refused(UPDATES[table])


@pytest.mark.parametrize("table", [*TABLES, "games_stream"])
def test_rows_cannot_be_deleted(stream: str, table: str) -> None:
    refused(f"DELETE FROM {table}")


@pytest.mark.parametrize("table", TABLES)
def test_rows_cannot_be_replaced_by_an_upsert(stream: str, table: str) -> None:
    column = VALUES[table]
    refused(
        f"INSERT INTO {table} {COPIES[table]} FROM {table} WHERE true"
        f" ON CONFLICT {KEYS[table]} DO UPDATE SET {column} = excluded.{column}"
    )


@pytest.mark.parametrize("table", TABLES)
def test_rows_cannot_be_replaced_by_insert_or_replace(stream: str, table: str) -> None:
    if connection.vendor == "postgresql":
        refused(f"TRUNCATE {table} CASCADE")
        return
    refused(f"INSERT OR REPLACE INTO {table} {COPIES[table]} FROM {table}")
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA recursive_triggers=OFF")
    refused(f"INSERT OR REPLACE INTO {table} {COPIES[table]} FROM {table}")


def test_a_stream_is_neither_replaced_nor_emptied(stream: str) -> None:
    row = "(id, kind, head_seq, head_hash) SELECT id, kind, 7, head_hash FROM games_stream WHERE true"
    refused(f"INSERT INTO games_stream {row} ON CONFLICT (id) DO UPDATE SET kind = 'round', head_seq = 7")
    if connection.vendor == "postgresql":
        refused("TRUNCATE games_stream CASCADE")
        refused(MERGED)
        return
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA recursive_triggers=OFF")
    refused(f"INSERT OR REPLACE INTO games_stream {row}")


def test_a_head_cannot_go_back_nor_the_stream_change_its_kind(stream: str) -> None:
    refused("UPDATE games_stream SET head_seq = head_seq - 1")
    refused("UPDATE games_stream SET head_hash = id")
    refused("UPDATE games_stream SET kind = 'round', head_seq = head_seq + 1")


def drop(table: str) -> None:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(f"DROP TRIGGER puur_{table}_change ON {table}")
        else:
            cursor.execute(f"DROP TRIGGER puur_{table}_update")


def test_a_log_without_its_triggers_is_not_written_to(stream: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("games.store.append"), "_guarded", set())
    drop("games_event")
    with pytest.raises(store.UnguardedLog, match="puur_games_event_") as refusal:
        store.append(stream, 0, [Record("pushed", {})], actor="anna", command_id="two", body_hash=bytes(32))
    assert refusal.value.code == "games/unguarded_log"
    assert Event.objects.count() == 1


def test_the_system_check_names_what_is_missing(stream: str) -> None:
    assert checks.the_log_is_guarded(databases=["default"]) == []
    drop("games_receipt")
    [error] = checks.the_log_is_guarded(databases=["default"])
    assert error.id == "games.E001"
    assert "puur_games_receipt_" in (error.hint or "")
    assert checks.the_log_is_guarded(databases=None) == []


def test_a_database_that_forgets_what_it_has_acknowledged_is_named(stream: str) -> None:
    assert checks.commits_are_on_disk(databases=["default"]) == []
    assert checks.commits_are_on_disk(databases=None) == []
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET synchronous_commit = off")
        [warning] = checks.commits_are_on_disk(databases=["default"])
        assert (warning.id, "synchronous_commit is off" in warning.msg) == ("games.W001", True)


def test_migrate_puts_lost_triggers_back_and_may_be_repeated(stream: str) -> None:
    drop("games_event")
    for _ in range(2):
        call_command("migrate", verbosity=0)
        assert guard.find_missing_triggers(connection) == []
    refused(UPDATES["games_event"])


def test_a_database_without_the_log_needs_no_triggers(real_database: str) -> None:
    with connection.cursor() as cursor:
        for table in [*TABLES]:
            cursor.execute(f"DROP TABLE {table}")
    assert guard.find_missing_triggers(connection) == []
    guard.install(connection)
