"""The role that runs the platform cannot change the log, even where no trigger stands guard."""

import os
import subprocess
import sys
from collections.abc import Iterator

import psycopg
import pytest
from psycopg import errors, sql

from deploy.environment import BASE_DIR
from tests import servers

ROLE = "puur_test_app"
STREAM = "a" * 32


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Migrated and granted, without triggers on the log; one stream with one event."""
    with servers.own_database() as url:
        environment = {**os.environ, "DATABASE_URL": url, "PUUR_VAR": str(tmp_path_factory.mktemp("var"))}
        migrate = [sys.executable, "manage.py", "migrate", "-v0"]
        subprocess.run(migrate, cwd=BASE_DIR, env=environment, check=True)
        script = (BASE_DIR / "deploy" / "postgresql" / "grants.sql").read_text().replace(':"app"', ROLE)
        with psycopg.connect(url, autocommit=True) as owner:
            owner.execute(sql.SQL("DO {}").format(sql.Literal(MAKE_ROLE)))
            for _ in range(2):
                owner.execute(script.encode())
            for table in (
                "games_stream",
                "games_event",
                "games_secretpart",
                "games_receipt",
                "games_checkpoint",
            ):
                owner.execute(sql.SQL("ALTER TABLE {} DISABLE TRIGGER USER").format(sql.Identifier(table)))
            owner.execute(ADD_STREAM, [STREAM])
            owner.execute(ADD_EVENT, [STREAM])
        yield url


@pytest.fixture
def granted(database: str) -> Iterator[psycopg.Connection]:
    """A connection as the app's role."""
    with psycopg.connect(database, autocommit=True) as app:
        app.execute(sql.SQL("SET ROLE {}").format(sql.Identifier(ROLE)))
        yield app


ADD_STREAM = "INSERT INTO games_stream (id, kind, head_seq, head_hash) VALUES (%s, 'game', -1, '')"
MAKE_ROLE = f"""
BEGIN
    IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '{ROLE}') THEN CREATE ROLE {ROLE}; END IF;
EXCEPTION WHEN unique_violation OR duplicate_object THEN NULL;
END
"""
ADD_EVENT = "INSERT INTO games_event (stream_id, seq, type, envelope, hash) VALUES (%s, 0, 'x', '', '')"


def test_the_role_reads_adds_and_moves_the_head(granted: psycopg.Connection) -> None:
    other = "b" * 32
    granted.execute(ADD_STREAM, [other])
    granted.execute(ADD_EVENT, [other])
    granted.execute("UPDATE games_stream SET head_seq = 0, head_hash = 'h' WHERE id = %s", [other])
    assert granted.execute("SELECT seq FROM games_event WHERE stream_id = %s", [other]).fetchall() == [(0,)]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE games_event SET type = 'y'",
        "DELETE FROM games_event",
        "TRUNCATE games_event",
        "INSERT INTO games_event (stream_id, seq, type, envelope, hash) SELECT stream_id, seq, 'y', '', '' "
        "FROM games_event ON CONFLICT (stream_id, seq) DO UPDATE SET type = 'y'",
        "UPDATE games_receipt SET count = 0",
        "DELETE FROM games_secretpart",
        "UPDATE games_checkpoint SET heads = body",
        "DELETE FROM games_checkpoint",
        "UPDATE games_stream SET kind = 'round'",
        "DELETE FROM games_stream",
        "ALTER TABLE games_event ENABLE TRIGGER USER",
        "INSERT INTO django_migrations (app, name, applied) VALUES ('games', '9999', now())",
        "CREATE TABLE own (id int)",
    ],
)
def test_the_role_cannot_change_what_the_log_holds(granted: psycopg.Connection, statement: str) -> None:
    with pytest.raises(errors.InsufficientPrivilege):
        granted.execute(statement.encode())
    stored = granted.execute("SELECT type FROM games_event WHERE stream_id = %s", [STREAM]).fetchall()
    assert stored == [("x",)]
