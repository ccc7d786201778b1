"""Triggers that keep the log append-only, on PostgreSQL and SQLite: installed after every migrate, and asked
for before a process appends its first event, because SQLite loses them when a table is rebuilt."""

from typing import Any

from django.db import connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from games.store.errors import UnguardedLog

LOG_TABLES = {
    "games_event": ("stream_id", "seq"),
    "games_secretpart": ("stream_id", "seq", "name"),
    "games_receipt": ("stream_id", "command_id"),
    "games_checkpoint": ("stream_id", "number"),
}
STREAM_TABLE = "games_stream"
REFUSAL = "puur: the log is append-only"
# A head may only move forward.
BACKWARDS = "NEW.head_seq <= OLD.head_seq OR NEW.id <> OLD.id OR NEW.kind <> OLD.kind"

_guarded: set[tuple[str, str]] = set()


def install(connection: BaseDatabaseWrapper) -> None:
    """Create the triggers that are missing; does nothing where the tables do not exist."""
    if not _tables_exist(connection):
        return
    statements = _postgresql() if connection.vendor == "postgresql" else _sqlite()
    with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def missing(connection: BaseDatabaseWrapper) -> list[str]:
    """The names of the triggers that should be there and are not (or are switched off)."""
    if not _tables_exist(connection):
        return []
    if connection.vendor == "postgresql":
        query = "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgenabled = 'A'"
    else:
        query = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
    with connection.cursor() as cursor:
        cursor.execute(query)
        present = {name for (name,) in cursor.fetchall()}
    return sorted(_names(connection) - present)


def require_guard(connection: BaseDatabaseWrapper) -> None:
    """Asked once a process and database. Raises UnguardedLog if a trigger is missing."""
    key = (connection.alias, str(connection.settings_dict["NAME"]))
    if key in _guarded:
        return
    absent = missing(connection)
    if absent:
        raise UnguardedLog(
            "the log is not protected against changes; run `manage.py migrate` (missing: "
            + ", ".join(absent)
            + ")",
            missing=absent,
        )
    _guarded.add(key)


def install_after_migrate(*, using: str, **_: Any) -> None:
    """Receiver of post_migrate."""
    install(connections[using])


def _tables_exist(connection: BaseDatabaseWrapper) -> bool:
    return {STREAM_TABLE, *LOG_TABLES} <= set(connection.introspection.table_names())


def _names(connection: BaseDatabaseWrapper) -> set[str]:
    tables = (*LOG_TABLES, STREAM_TABLE)
    if connection.vendor == "postgresql":
        names = {f"puur_{table}_{kind}" for table in tables for kind in ("change", "truncate")}
        return names | {f"puur_{STREAM_TABLE}_back"}
    return {f"puur_{table}_{kind}" for table in tables for kind in ("update", "delete", "replace")}


def _postgresql() -> list[str]:
    statements = [
        f"""CREATE OR REPLACE FUNCTION puur_refuse() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION '{REFUSAL}' USING ERRCODE = 'integrity_constraint_violation'; END $$"""
    ]
    for table in (*LOG_TABLES, STREAM_TABLE):
        change, truncate = f"puur_{table}_change", f"puur_{table}_truncate"
        events = "UPDATE OR DELETE" if table in LOG_TABLES else "DELETE"
        statements += [
            f"CREATE OR REPLACE TRIGGER {change} BEFORE {events} ON {table} "
            "FOR EACH ROW EXECUTE FUNCTION puur_refuse()",
            f"CREATE OR REPLACE TRIGGER {truncate} BEFORE TRUNCATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION puur_refuse()",
            f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {change}",
            f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {truncate}",
        ]
    return [
        *statements,
        f"CREATE OR REPLACE TRIGGER puur_{STREAM_TABLE}_back BEFORE UPDATE ON {STREAM_TABLE} "
        f"FOR EACH ROW WHEN ({BACKWARDS}) EXECUTE FUNCTION puur_refuse()",
        f"ALTER TABLE {STREAM_TABLE} ENABLE ALWAYS TRIGGER puur_{STREAM_TABLE}_back",
    ]


def _sqlite() -> list[str]:
    refuse = f"BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END"
    statements = []
    for table, key in {**LOG_TABLES, STREAM_TABLE: ("id",)}.items():
        same = " AND ".join(f"{column} = NEW.{column}" for column in key)
        exists = f"EXISTS (SELECT 1 FROM {table} WHERE {same})"  # noqa: S608 - names from this module only
        backwards = f"WHEN {BACKWARDS} " if table == STREAM_TABLE else ""
        for kind, rest in {
            "update": f"BEFORE UPDATE ON {table} {backwards}",
            "delete": f"BEFORE DELETE ON {table} ",
            "replace": f"BEFORE INSERT ON {table} WHEN {exists} ",
        }.items():
            statements.append(f"CREATE TRIGGER IF NOT EXISTS puur_{table}_{kind} {rest}{refuse}")
    return statements
