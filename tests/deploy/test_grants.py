"""The role that runs the platform cannot change the log, even where no trigger stands guard."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from psycopg import errors, sql

from deploy.environment import BASE_DIR
from tests import servers

ROLE = "puur_test_app"
STREAM = "a" * 32


@contextlib.contextmanager
def granted_database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Migrated and granted as installing.md says; the address for its owner."""
    with servers.own_database() as url:
        environment = {**os.environ, "DATABASE_URL": url, "PUUR_VAR": str(tmp_path_factory.mktemp("var"))}
        migrate = [sys.executable, "manage.py", "migrate", "-v0"]
        subprocess.run(migrate, cwd=BASE_DIR, env=environment, check=True)
        script = (BASE_DIR / "deploy" / "postgresql" / "grants.sql").read_text()
        script = script.replace(':"app"', ROLE).replace(':"DBNAME"', url.rpartition("/")[2])
        with psycopg.connect(url, autocommit=True) as owner:
            owner.execute(sql.SQL("DO {}").format(sql.Literal(MAKE_ROLE)))
            for _ in range(2):
                owner.execute(script.encode())
        yield url


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """As it runs, with its triggers."""
    with granted_database(tmp_path_factory) as url:
        yield url


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Without triggers on the log; one stream with one event."""
    with granted_database(tmp_path_factory) as url:
        with psycopg.connect(url, autocommit=True) as owner:
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


APPEND = """
WITH head AS (UPDATE public.games_stream SET head_seq = %(seq)s, head_hash = 'h' || %(seq)s::int::text::bytea
    WHERE id = %(id)s AND head_seq = %(before)s RETURNING id)
INSERT INTO public.games_event (stream_id, seq, type, envelope, hash)
SELECT id, %(seq)s, 'x', '', 'h' || %(seq)s::int::text::bytea FROM head
"""


def test_the_role_makes_the_nightly_backup(database: str, tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "DATABASE_URL": f"{database}?options=-c%20role%3D{ROLE}",
        "PUUR_VAR": str(tmp_path),
    }
    command = [sys.executable, "manage.py", "backup", "--to", str(tmp_path / "nightly"), "--keep", "3"]
    done = subprocess.run(command, cwd=BASE_DIR, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert len(list((tmp_path / "nightly").iterdir())) == 1


def test_an_upgrade_grants_the_rights_again(guarded: str, tmp_path: Path) -> None:
    reads = f"SELECT has_table_privilege('{ROLE}', 'games_event', 'SELECT')"
    changes = f"SELECT has_table_privilege('{ROLE}', 'games_event', 'UPDATE')"
    with psycopg.connect(guarded, autocommit=True) as owner:
        owner.execute(f"REVOKE SELECT ON games_event FROM {ROLE}".encode())
        owner.execute(f"GRANT UPDATE ON games_event TO {ROLE}".encode())
        environment = {
            **os.environ,
            "DATABASE_URL": guarded,
            "PUUR_VAR": str(tmp_path),
            "PUUR_LANGUAGE": "en",
        }
        command = [sys.executable, "manage.py", "upgrade", "--grant", ROLE]
        done = subprocess.run(command, cwd=BASE_DIR, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        assert owner.execute(reads.encode()).fetchone() == (True,)
        assert owner.execute(changes.encode()).fetchone() == (False,)


def test_the_role_is_told_that_it_may_not_encrypt_again(granted: psycopg.Connection) -> None:
    query = "SELECT has_table_privilege(%s, 'UPDATE')"
    assert granted.execute(query, ["games_secretpart"]).fetchone() == (False,)
    assert granted.execute(query, ["tournaments_entry"]).fetchone() == (True,)


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
        "CREATE TEMPORARY TABLE games_event (LIKE public.games_event)",
        "CREATE TEMPORARY VIEW games_stream AS SELECT 'a'::text AS id, 7 AS head_seq",
        "SELECT * INTO TEMP games_receipt FROM public.games_receipt",
        "CREATE SCHEMA own",
        "CREATE FUNCTION puur_refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
        "UPDATE games_secretpart SET key = 'other', closed = ''",
        "UPDATE games_receipt SET key = 'other', closed = ''",
    ],
)
def test_the_role_cannot_change_what_the_log_holds(granted: psycopg.Connection, statement: str) -> None:
    with pytest.raises(errors.InsufficientPrivilege):
        granted.execute(statement.encode())
    stored = granted.execute("SELECT type FROM games_event WHERE stream_id = %s", [STREAM]).fetchall()
    assert stored == [("x",)]


@pytest.mark.parametrize(
    "statements",
    [
        ["UPDATE games_stream SET head_seq = 2147483647 WHERE id = %(id)s"],
        ["UPDATE games_stream SET head_seq = head_seq + 1, head_hash = 'h' WHERE id = %(id)s"],
        ["UPDATE games_stream SET head_hash = 'h' WHERE id = %(id)s"],
        [
            "INSERT INTO games_secretpart (stream_id, seq, name, key, closed) "
            "VALUES (%(id)s, 1, 'seat0', 'k', 'c')"
        ],
        [
            "INSERT INTO games_secretpart (stream_id, seq, name, key, closed) "
            "VALUES (%(id)s, 0, 'junk', 'k', 'c')"
        ],
        [
            "INSERT INTO games_receipt (stream_id, command_id, key, closed, first_seq, count) "
            "VALUES (%(id)s, 'server:deal:2', 'k', 'c', 0, 1)"
        ],
        [
            "INSERT INTO games_receipt (stream_id, command_id, key, closed, first_seq, count) "
            "VALUES (%(id)s, 'server:deal:2', 'k', 'c', 1, 1)"
        ],
        ["INSERT INTO games_event VALUES (1, 'x', '', '', %(id)s)"],
        ["INSERT INTO games_event VALUES (9, 'x', '', '', %(id)s)"],
        ["INSERT INTO games_event VALUES (-1, 'x', '', '', %(id)s)"],
        ["INSERT INTO games_event VALUES (0, 'x', '', '', repeat('f', 32))"],
        [
            "WITH head AS (UPDATE games_stream SET head_seq = 5, head_hash = 'h' WHERE id = %(id)s) "
            "INSERT INTO games_event VALUES (5, 'x', '', 'h', %(id)s)",
        ],
        [
            "SET search_path = pg_temp, public",
            "UPDATE public.games_stream SET head_seq = 2147483647 WHERE id = %(id)s",
        ],
    ],
)
def test_the_role_can_neither_block_a_stream_nor_leave_an_event_in_its_way(
    guarded: str, statements: list[str]
) -> None:
    stream = {"id": uuid4().hex}
    with psycopg.connect(guarded, autocommit=True) as app:
        app.execute(sql.SQL("SET ROLE {}").format(sql.Identifier(ROLE)))
        app.execute(ADD_STREAM, [stream["id"]])
        app.execute(APPEND, {**stream, "seq": 0, "before": -1})
        for statement in statements[:-1]:
            app.execute(statement.encode())
        with pytest.raises(errors.IntegrityError, match="append-only"):
            app.execute(statements[-1].encode(), stream)
        app.execute(APPEND, {**stream, "seq": 1, "before": 0})
        found = app.execute("SELECT head_seq FROM games_stream WHERE id = %(id)s", stream).fetchone()
    assert found == (1,)
