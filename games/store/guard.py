"""Triggers that keep the log append-only, on PostgreSQL and SQLite. They are installed after every migrate,
and checked before a process appends its first event, because SQLite loses them when a table is rebuilt."""

from collections.abc import Sequence
from typing import Any

from django.db import connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

LOG_TABLES = {
    "games_event": ("stream_id", "seq"),
    "games_secretpart": ("stream_id", "seq", "name"),
    "games_receipt": ("stream_id", "command_id"),
    "games_checkpoint": ("stream_id", "number"),
}
# Encrypted values may be encrypted again under another key (`games.store.rotating`): the row stays, and its
# content is checked against the commitments of the log like everything else.
CLOSED_TABLES = {
    "games_secretpart": ("stream_id", "seq", "name"),
    "games_receipt": ("stream_id", "command_id", "first_seq", "count"),
}
STREAM_TABLE = "games_stream"
REFUSAL = "puur: the log is append-only"
# A head may only move forward.
BACKWARDS = "NEW.head_seq <= OLD.head_seq OR NEW.id <> OLD.id OR NEW.kind <> OLD.kind"


def install(connection: BaseDatabaseWrapper) -> None:
    """Create the triggers, or on PostgreSQL replace them. Do nothing if the tables do not exist."""
    if not _tables_exist(connection):
        return
    with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT quote_ident(current_schema())")
            statements = [*_postgresql(), *_consistent(cursor.fetchone()[0])]
        else:
            statements = _sqlite()
        for statement in statements:
            cursor.execute(statement)


def find_missing_triggers(connection: BaseDatabaseWrapper) -> list[str]:
    """Return the names of the triggers that are missing or switched off; none without tables."""
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


def install_after_migrate(*, using: str, **_: Any) -> None:
    """Install the triggers after `migrate` (receiver of post_migrate)."""
    install(connections[using])


def _tables_exist(connection: BaseDatabaseWrapper) -> bool:
    return {STREAM_TABLE, *LOG_TABLES} <= set(connection.introspection.table_names())


def _names(connection: BaseDatabaseWrapper) -> set[str]:
    tables = (*LOG_TABLES, STREAM_TABLE)
    if connection.vendor == "postgresql":
        names = {f"puur_{table}_{kind}" for table in tables for kind in ("change", "truncate")}
        own = {
            f"puur_{STREAM_TABLE}_back",
            f"puur_{STREAM_TABLE}_stands",
            "puur_games_event_follows",
            "puur_games_secretpart_follows",
            "puur_games_receipt_follows",
        }
        return names | own | {f"puur_{table}_again" for table in CLOSED_TABLES}
    return {f"puur_{table}_{kind}" for table in tables for kind in ("update", "delete", "replace")}


def _postgresql() -> list[str]:
    statements = [
        f"""CREATE OR REPLACE FUNCTION puur_refuse() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION '{REFUSAL}' USING ERRCODE = 'integrity_constraint_violation'; END $$"""
    ]
    for table in (*LOG_TABLES, STREAM_TABLE):
        change, truncate = f"puur_{table}_change", f"puur_{table}_truncate"
        events = "UPDATE OR DELETE" if table in LOG_TABLES.keys() - CLOSED_TABLES.keys() else "DELETE"
        statements += [
            f"CREATE OR REPLACE TRIGGER {change} BEFORE {events} ON {table} "
            "FOR EACH ROW EXECUTE FUNCTION puur_refuse()",
            f"CREATE OR REPLACE TRIGGER {truncate} BEFORE TRUNCATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION puur_refuse()",
            f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {change}",
            f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {truncate}",
        ]
    for table, same in CLOSED_TABLES.items():
        statements += [
            f"CREATE OR REPLACE TRIGGER puur_{table}_again BEFORE UPDATE ON {table} "
            f"FOR EACH ROW WHEN ({_not_closed_again(same)}) EXECUTE FUNCTION puur_refuse()",
            f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER puur_{table}_again",
        ]
    return [
        *statements,
        f"CREATE OR REPLACE TRIGGER puur_{STREAM_TABLE}_back BEFORE UPDATE ON {STREAM_TABLE} "
        f"FOR EACH ROW WHEN ({BACKWARDS}) EXECUTE FUNCTION puur_refuse()",
        f"ALTER TABLE {STREAM_TABLE} ENABLE ALWAYS TRIGGER puur_{STREAM_TABLE}_back",
    ]


def _consistent(schema: str) -> list[str]:
    """Return the statements that create the consistency triggers, which run at the end of an appending
    statement.

    A head must name an existing event, with all events before it. No event may be after the head. A secret
    part and a receipt must be inserted by the same transaction (`xmin`) as their event. So a database role
    that may only insert can neither block a stream nor add an event, a hand or a receipt that the platform
    would read. Names are qualified, so that nothing in a session can shadow them.
    """
    body = "BEGIN IF {} THEN RAISE EXCEPTION '{}' USING ERRCODE = 'integrity_constraint_violation'; END IF;"
    at = f"FROM {schema}.games_event WHERE stream_id = NEW.id AND seq"

    def apart(table: str, seq: str) -> str:
        same = " AND ".join(f"own.{column} = NEW.{column}" for column in LOG_TABLES[table])
        return (
            f"NOT EXISTS (SELECT FROM {schema}.games_event AS e, {schema}.{table} AS own WHERE {same} "
            f"AND e.stream_id = NEW.stream_id AND e.seq = NEW.{seq} AND e.xmin = own.xmin)"
        )

    wrong = {
        (STREAM_TABLE, "stands", "UPDATE"): (
            f"NOT EXISTS (SELECT {at} = NEW.head_seq AND hash = NEW.head_hash) OR NEW.head_seq - OLD.head_seq"
            f" <> (SELECT count(*) {at} > OLD.head_seq AND seq <= NEW.head_seq)"
        ),
        ("games_event", "follows", "INSERT"): (
            f"NOT EXISTS (SELECT FROM {schema}.{STREAM_TABLE} "
            "WHERE id = NEW.stream_id AND NEW.seq BETWEEN 0 AND head_seq)"
        ),
        ("games_secretpart", "follows", "INSERT"): apart("games_secretpart", "seq"),
        ("games_receipt", "follows", "INSERT"): apart("games_receipt", "first_seq"),
    }
    statements = []
    for (table, kind, when), condition in wrong.items():
        statements += [
            f"CREATE OR REPLACE FUNCTION puur_{table}_{kind}() RETURNS trigger LANGUAGE plpgsql AS "
            f"$$ {body.format(condition, REFUSAL)} RETURN NULL; END $$",
            f"CREATE OR REPLACE TRIGGER puur_{table}_{kind} AFTER {when} ON {table} "
            f"FOR EACH ROW EXECUTE FUNCTION puur_{table}_{kind}()",
            f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER puur_{table}_{kind}",
        ]
    return statements


def _not_closed_again(same: Sequence[str]) -> str:
    """Return the SQL condition that holds for any change except a re-encryption of the same row under another
    key.
    """
    return " OR ".join(["NEW.key = OLD.key", "NEW.key = ''", *(f"NEW.{name} <> OLD.{name}" for name in same)])


def _sqlite() -> list[str]:
    refuse = f"BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END"
    statements = []
    for table, key in {**LOG_TABLES, STREAM_TABLE: ("id",)}.items():
        same = " AND ".join(f"{column} = NEW.{column}" for column in key)
        exists = f"EXISTS (SELECT 1 FROM {table} WHERE {same})"  # noqa: S608 - names from this module
        unless = {STREAM_TABLE: BACKWARDS} | {
            closed: _not_closed_again(stays) for closed, stays in CLOSED_TABLES.items()
        }
        wrong = f"WHEN {unless[table]} " if table in unless else ""
        for kind, rest in {
            "update": f"BEFORE UPDATE ON {table} {wrong}",
            "delete": f"BEFORE DELETE ON {table} ",
            "replace": f"BEFORE INSERT ON {table} WHEN {exists} ",
        }.items():
            statements.append(f"CREATE TRIGGER IF NOT EXISTS puur_{table}_{kind} {rest}{refuse}")
    return statements
