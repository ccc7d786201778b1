"""A stolen copy: all tables and files without the key reveal no card, seed or prediction."""

import base64
import lzma
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.test.utils import CaptureQueriesContext

from deploy.environment import BASE_DIR
from engine import decode_command
from games import store
from games.appending import by_command
from games.models import Game, Stream
from games.play import game_creation, submit
from games.randomness import round_seed
from games.store import Record, guard
from tests import servers
from tests.games import databases
from tests.games.cast import PLAYERS, next_command, play, table

pytestmark = pytest.mark.both

OLDER = BASE_DIR / "tests" / "upgrade" / "22-november-2026.db.xz"
SHORT = 12
"""A part of fewer bytes may stand anywhere by chance; its nonce may not."""


def spellings(value: bytes) -> Iterator[bytes]:
    yield value
    yield value.hex().encode()
    yield base64.b64encode(value).rstrip(b"=")


def secrets_of(stream: str) -> set[bytes]:
    """Every nonce and every body of a stream, as they might be written down."""
    found: set[bytes] = set()
    for event in store.read_raw_events(stream):
        for part in event.parts:
            found.update(spellings(part.nonce))
            if len(part.body) >= SHORT:
                found.update(spellings(part.body))
    return found


def every_table() -> bytes:
    """All columns of all rows."""
    rows = []
    with connection.cursor() as cursor:
        for name in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT * FROM "{name}"')
            for row in cursor:
                rows += [bytes(v) if isinstance(v, bytes | memoryview) else str(v).encode() for v in row]
    return b"\n".join(rows)


def every_file() -> bytes:
    """The database itself, with what was written and not yet put into its place."""
    if connection.vendor == "postgresql":
        return b""
    path = Path(str(connection.settings_dict["NAME"]))
    return b"".join(one.read_bytes() for one in path.parent.glob(f"{path.name}*"))


def betrayed(secrets: set[bytes], copy: bytes) -> list[bytes]:
    return [secret for secret in secrets if secret in copy]


@pytest.fixture
def running(real_database: str) -> list[Game]:
    """A Schieber and a Differenzler in the middle of a deal, and a round whose seed is still secret."""
    schieber = play(table(), 5)
    differenzler = play(game_creation.create_game(variant="differenzler", players=PLAYERS), 6)
    return [schieber, differenzler]


@pytest.mark.long(1)
def test_a_copy_of_the_database_shows_no_hand_no_seed_and_no_nonce(running: list[Game]) -> None:
    secrets = set[bytes]()
    for stream in Stream.objects.all():
        secrets |= secrets_of(stream.pk)
    seeds = [round_seed.source_of(game.round_stream_id).seed for game in running]
    secrets |= {spelling for seed in seeds for spelling in spellings(seed)}
    assert len(secrets) > 40
    assert betrayed(secrets, every_table()) == []
    assert betrayed(secrets, every_file()) == []
    assert any(b"hand_dealt" in bytes(e.envelope) for e in store.read_raw_events(running[0].pk))


def test_a_prediction_cannot_be_guessed_from_the_receipt_of_its_command(running: list[Game]) -> None:
    """Everything of the command but the number is known, so that the hash of each is tried."""
    [*said] = [e for e in store.read(running[1].pk) if e.parts and "predict" in e.type]
    assert said, [e.type for e in store.read(running[1].pk)]
    copy = every_table()
    for event in said:
        for points in range(158):
            command = decode_command({"cmd": "predict", "seat": event.body["seat"], "points": points})
            guess = by_command(command, event.actor, "any").hash
            assert betrayed(set(spellings(guess)), copy) == []


def test_the_length_of_what_is_closed_does_not_tell_what_it_is(real_database: str) -> None:
    lengths = set()
    for points in (0, 7, 42, 157):
        stream = store.create_stream("game").id
        said = Record("predicted", {"seat": 1}, {"points": points})
        store.append(stream, -1, [said], actor="anna", command_id="one", body_hash=bytes(32))
        with connection.cursor() as cursor:
            cursor.execute("SELECT closed FROM games_secretpart WHERE stream_id = %s", [stream])
            lengths.add(len(cursor.fetchone()[0]))
    assert len(lengths) == 1


def test_a_closed_hand_that_is_put_in_the_place_of_another_is_noticed(running: list[Game]) -> None:
    game = running[0].pk
    with connection.cursor() as cursor:
        for name in guard._names(connection):
            held = name.removeprefix("puur_").rsplit("_", 1)[0]
            cursor.execute(f"DROP TRIGGER {name}" + (f" ON {held}" if connection.vendor != "sqlite" else ""))
        query = "SELECT seq, key, closed FROM games_secretpart WHERE stream_id = %s AND name = 'cards'"
        cursor.execute(query, [game])
        (first, _, _), (_, key, closed), *_ = cursor.fetchall()
        cursor.execute(
            "UPDATE games_secretpart SET key = %s, closed = %s WHERE stream_id = %s AND seq = %s",
            [key, closed, game, first],
        )
    for reading in (store.read, store.verify):
        with pytest.raises(store.AlteredLog) as found:
            reading(game)
        assert found.value.seq == first


def test_play_goes_on_and_everything_reads_as_it_was_written(running: list[Game]) -> None:
    for game in running:
        before = [(e.seq, e.parts) for e in store.read(game.pk)]
        command = next_command(game)
        sent: dict[str, Any] = {"actor": PLAYERS[command.seat], "command_id": "again"}
        first = submit.submit(game.pk, command, **sent)
        assert submit.submit(game.pk, command, **sent).repeated
        assert [(e.seq, e.parts) for e in store.read(game.pk, upto=first.first_seq - 1)] == before
        store.verify(game.pk)


@pytest.mark.slow
def test_a_database_of_an_earlier_version_is_closed_down_to_its_pages(tmp_path: Path) -> None:
    path = tmp_path / "puur.sqlite3"
    path.write_bytes(lzma.decompress(OLDER.read_bytes()))
    with sqlite3.connect(path) as older:
        parts = older.execute("SELECT nonce, body FROM games_secretpart").fetchall()
        hashes = older.execute("SELECT body_hash FROM games_receipt").fetchall()
    older.close()
    secrets = {bytes(nonce) for nonce, _ in parts} | {bytes(digest) for (digest,) in hashes}
    # A hand that has been shown stands in the open too: only what was never told must be gone.
    assert len(betrayed(secrets, path.read_bytes())) > 100
    own = {"PUUR_VAR": str(tmp_path), "DATABASE_URL": ""}
    command = [sys.executable, "manage.py", "migrate", "-v0"]
    subprocess.run(command, cwd=BASE_DIR, env={**os.environ, **own}, check=True)
    copy = b"".join(one.read_bytes() for one in tmp_path.glob("puur.sqlite3*"))
    revealed = {secret for secret in secrets if secret.hex().encode() in copy}
    assert betrayed(secrets - revealed, copy) == []
    assert len(revealed) < 10  # nonces of seeds that are public


def freed_pages() -> int:
    """How many pages of the file nobody uses: what once lay in them may still be there."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA freelist_count")
        return int(cursor.fetchone()[0])


@pytest.fixture
def older(tmp_path: Path, django_db_blocker: Any) -> Iterator[None]:
    """The file of an earlier version is the database."""
    path = tmp_path / "puur.sqlite3"
    path.write_bytes(lzma.decompress(OLDER.read_bytes()))
    with django_db_blocker.unblock(), databases.using(databases._settings("sqlite", str(path))):
        yield


@pytest.mark.usefixtures("older")
def test_the_file_is_written_anew_though_a_later_migration_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    apply = MigrationExecutor.apply_migration

    def failing(self: Any, state: Any, migration: Any, **more: Any) -> Any:
        if migration.name == "0008_who_may_found":
            raise RuntimeError("the disk is full")
        return apply(self, state, migration, **more)

    monkeypatch.setattr(MigrationExecutor, "apply_migration", failing)
    with pytest.raises(RuntimeError, match="disk"):
        call_command("migrate", verbosity=0)
    assert "games_clearpart" not in connection.introspection.table_names()
    assert freed_pages() == 0


@pytest.mark.long
@pytest.mark.usefixtures("older")
def test_the_file_is_written_anew_by_the_next_migrate_and_only_once() -> None:
    """Cut off between the migration that closed everything and the end of the command."""
    MigrationExecutor(connection).migrate([("games", "0007_closed_secrets")])
    assert freed_pages() > 0
    call_command("migrate", verbosity=0)
    assert freed_pages() == 0
    with CaptureQueriesContext(connection) as asked:
        call_command("migrate", verbosity=0)
    assert not [one for one in asked.captured_queries if "VACUUM" in one["sql"]]


CLEAR = {
    "games_stream": ("(id, kind, head_seq, head_hash)", ("a" * 32, "game", 0, b"h")),
    "games_secretpart": ("(stream_id, seq, name, nonce, body)", ("a" * 32, 0, "cards", b"n" * 32, b'["D6"]')),
    "games_receipt": (
        "(stream_id, command_id, body_hash, first_seq, count)",
        ("a" * 32, "one", b"b" * 32, 0, 1),
    ),
}
OLD_GUARD = """
CREATE FUNCTION puur_refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$;
CREATE TRIGGER puur_games_secretpart_change BEFORE UPDATE OR DELETE ON games_secretpart
FOR EACH ROW EXECUTE FUNCTION puur_refuse();
ALTER TABLE games_secretpart ENABLE ALWAYS TRIGGER puur_games_secretpart_change;
"""


def _step_by_step() -> MigrationExecutor:
    """Return an executor that takes each step, and not the one that creates all tables at once."""
    executor = MigrationExecutor(connection)
    executor.loader.replace_migrations = False  # type: ignore[attr-defined]  # the stubs misspell it
    executor.loader.build_graph()
    return executor


def test_a_postgresql_database_of_an_earlier_version_is_closed(django_db_blocker: Any) -> None:
    with servers.own_database() as url, django_db_blocker.unblock():
        settings = databases._settings("postgresql", url.rpartition("/")[2])
        with databases.using(settings):
            _step_by_step().migrate([("games", "0006_seed_of_a_game")])
            with connection.cursor() as cursor:
                for name, (columns, values) in CLEAR.items():
                    marks = ", ".join(["%s"] * len(values))
                    cursor.execute(f"INSERT INTO {name} {columns} VALUES ({marks})", values)
                cursor.execute(OLD_GUARD)
            executor = _step_by_step()
            executor.migrate([("games", "0007_closed_secrets")])
            guard.install(connection)
            assert guard.find_missing_triggers(connection) == []
            [part] = store.decrypt_parts("a" * 32, 0)
            assert part == store.Part("cards", b"n" * 32, b'["D6"]')
            receipt = store.find_receipt("a" * 32, "one")
            assert receipt is not None
            assert (receipt.body_hash, receipt.first_seq, receipt.count) == (b"b" * 32, 0, 1)
            assert "games_clearpart" not in connection.introspection.table_names()


def test_a_migration_that_is_interrupted_begins_again(
    django_db_blocker: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    settings = databases._settings("sqlite", str(tmp_path / "old.sqlite3"))
    layout = import_module("games.store.layout")
    real = layout.encrypt_receipt

    def power_cut(*_: Any) -> None:
        raise KeyboardInterrupt

    with django_db_blocker.unblock(), databases.using(settings):
        _step_by_step().migrate([("games", "0006_seed_of_a_game")])
        with connection.cursor() as cursor:
            for name, (columns, values) in CLEAR.items():
                marks = ", ".join(["%s"] * len(values))
                cursor.execute(f"INSERT INTO {name} {columns} VALUES ({marks})", values)
        monkeypatch.setattr(layout, "encrypt_receipt", power_cut)
        with pytest.raises(KeyboardInterrupt):
            _step_by_step().migrate([("games", "0007_closed_secrets")])
        with connection.cursor() as cursor:
            cursor.execute("SELECT nonce, body FROM games_secretpart")
            assert [bytes(value) for value in cursor.fetchone()] == [b"n" * 32, b'["D6"]']
        monkeypatch.setattr(layout, "encrypt_receipt", real)
        _step_by_step().migrate([("games", "0007_closed_secrets")])
        assert store.decrypt_parts("a" * 32, 0) == [store.Part("cards", b"n" * 32, b'["D6"]')]
