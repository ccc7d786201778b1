"""The drill: a backup is taken while people play, restored elsewhere by another process, and audited."""

import os
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from pytest_django import Settings

from deploy import backups
from deploy.environment import BASE_DIR
from games import encryption, sealing, store
from tests import servers
from tests.games.cast import play, table

HEADS = "SELECT id, head_seq, head_hash FROM games_stream ORDER BY id"


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[str]:
    """The address of an empty database of the kind that the tests run on."""
    if connection.vendor == "postgresql":
        with servers.own_database() as url:
            yield url
    else:
        yield f"sqlite:///{tmp_path}/elsewhere.sqlite3"


@pytest.fixture(autouse=True)
def key(settings: Settings, tmp_path: Path) -> Path:
    settings.SEAL_KEY = tmp_path / "seal_key"
    sealing.make_seal_key(tmp_path / "seal_key")
    return tmp_path / "seal_key"


def heads(url: str) -> dict[str, tuple[int, bytes]]:
    if url.startswith("sqlite"):
        with sqlite3.connect(url.removeprefix("sqlite:///")) as database:
            rows = database.execute(HEADS).fetchall()
    else:
        with psycopg.connect(url) as server:
            rows = server.execute(HEADS).fetchall()
    return {stream: (seq, bytes(digest)) for stream, seq, digest in rows}


def tables(url: str) -> int:
    if url.startswith("sqlite"):
        with sqlite3.connect(url.removeprefix("sqlite:///")) as database:
            return int(database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])
    with psycopg.connect(url) as server:
        found = server.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone()
        return found[0] if found else 0


def restored(file: Path, url: str, key: Path) -> subprocess.CompletedProcess[str]:
    place = {"DATABASE_URL": url, "PUUR_VAR": str(file.parent / "var"), "PUUR_SEAL_KEY": str(key)}
    return subprocess.run(
        [sys.executable, "manage.py", "restore", str(file)],
        cwd=BASE_DIR,
        env={**os.environ, **place},
        capture_output=True,
        text=True,
    )


def test_a_file_or_link_that_somebody_has_put_in_the_way_is_not_written_to(tmp_path: Path) -> None:
    his = tmp_path / "his"
    his.write_text("before")
    (tmp_path / "evening.backup.part").symlink_to(his)
    with backups._unfinished(tmp_path / "evening.backup") as part:
        part.write_text("every hand")
        assert (part.is_symlink(), stat.S_IMODE(part.stat().st_mode)) == (False, 0o600)
    assert his.read_text() == "before"


@pytest.mark.django_db(transaction=True)
def test_what_is_restored_elsewhere_is_what_was_saved_and_audits_clean(
    elsewhere: str, tmp_path: Path, key: Path
) -> None:
    games = [play(table()) for _ in range(2)]
    evening = store.create_stream("championship").id
    assert sealing.seal(evening, [game.id for game in games], sealing.key_in_use())
    file = tmp_path / "evening.backup"
    call_command("backup", str(file))
    before = {game.id: tuple(store.head_of(game.id)) for game in games}
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.glob("*.part*")] == []
    done = restored(file, elsewhere, key)
    assert done.returncode == 0, done.stderr + done.stdout
    assert f"{len(games)} games, 0 wrong" in done.stdout
    assert {stream: head for stream, head in heads(elsewhere).items() if stream in before} == before


@pytest.mark.django_db(transaction=True)
def test_a_backup_taken_while_a_table_plays_holds_whole_commands(
    elsewhere: str, tmp_path: Path, key: Path
) -> None:
    game = table(deals=50)
    play(game, 30)
    begun, enough = threading.Event(), threading.Event()

    def go_on() -> None:
        try:
            while not enough.is_set():
                play(game, 1)
                begun.set()
        finally:
            connection.close()

    player = threading.Thread(target=go_on)
    player.start()
    try:
        assert begun.wait(60)
        call_command("backup", str(tmp_path / "now.backup"))
    finally:
        enough.set()
        player.join()
    done = restored(tmp_path / "now.backup", elsewhere, key)
    assert done.returncode == 0, done.stderr + done.stdout
    assert heads(elsewhere)[game.id][0] >= 30


@pytest.mark.django_db(transaction=True)
def test_what_was_changed_in_a_backup_is_named_when_it_is_restored(
    elsewhere: str, tmp_path: Path, key: Path
) -> None:
    game = play(table())
    for trigger in ("change", "update"):
        on = " ON games_event" if connection.vendor == "postgresql" else ""
        with connection.cursor() as cursor:
            cursor.execute(f"DROP TRIGGER IF EXISTS puur_games_event_{trigger}{on}")
    with connection.cursor() as cursor:
        cursor.execute("UPDATE games_event SET type = 'pushed' WHERE seq = 7")
    call_command("migrate", verbosity=0)
    call_command("backup", str(tmp_path / "forged.backup"))
    done = restored(tmp_path / "forged.backup", elsewhere, key)
    assert done.returncode == 1
    assert game.id in done.stdout


@pytest.mark.django_db(transaction=True)
def test_nothing_is_restored_over_something_and_no_backup_over_another(tmp_path: Path) -> None:
    file = tmp_path / "evening.backup"
    call_command("backup", str(file))
    with pytest.raises(CommandError, match="backup/file_exists"):
        call_command("backup", str(file))
    with pytest.raises(CommandError, match="backup/not_empty"):
        call_command("restore", str(file))
    with pytest.raises(CommandError, match="backup/cannot_write"):
        call_command("backup", str(tmp_path / "nowhere" / "x"))


def test_what_is_no_backup_is_refused_with_its_reason(tmp_path: Path) -> None:
    (tmp_path / "letter").write_text("Liebe Grüsse")
    with pytest.raises(CommandError, match="backup/unknown"):
        call_command("restore", str(tmp_path / "letter"))
    with pytest.raises(CommandError, match="backup/unreadable"):
        call_command("restore", str(tmp_path / "nothing"))
    other = {b"PGDMP": "sqlite", b"SQLite format 3\0": "postgresql"}
    (tmp_path / "other").write_bytes(
        next(head for head, vendor in other.items() if vendor == connection.vendor)
    )
    with pytest.raises(CommandError, match="backup/other_database"):
        call_command("restore", str(tmp_path / "other"))


@pytest.mark.django_db
def test_half_a_backup_leaves_the_database_empty(elsewhere: str, tmp_path: Path, key: Path) -> None:
    with sqlite3.connect(tmp_path / "half") as made:
        made.execute("CREATE TABLE games_stream AS SELECT zeroblob(100000)")
    whole = (tmp_path / "half").read_bytes()
    head = b"PGDMP" if connection.vendor == "postgresql" else whole[: len(whole) // 2]
    (tmp_path / "half").write_bytes(head)
    done = restored(tmp_path / "half", elsewhere, key)
    assert done.returncode == 1
    assert "backup/" in done.stderr
    assert tables(elsewhere) == 0


def test_a_missing_tool_is_named_with_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda _: None)
    with pytest.raises(backups.BackupError, match="apt install postgresql-client"):
        backups._tool("pg_dump", connection)


@pytest.mark.django_db(transaction=True)
def test_a_backup_says_which_data_key_it_needs_and_is_refused_without_it(
    elsewhere: str, tmp_path: Path, key: Path, capsys: pytest.CaptureFixture[str], settings: Settings
) -> None:
    game = play(table(), 5)
    [needed] = encryption.keys_in_use().ids
    secret = {part.nonce for event in store.raw_events(game.pk) for part in event.parts}
    call_command("backup", str(tmp_path / "evening.backup"))
    assert f"need the data key {needed}" in capsys.readouterr().out
    copy = (tmp_path / "evening.backup").read_bytes()
    assert secret
    assert not any(nonce in copy or nonce.hex().encode() in copy for nonce in secret)
    assert backups.key_ids_in(tmp_path / "evening.backup") == {needed}
    kept = os.environ["PUUR_DATA_KEY"]
    other = tmp_path / "other_key"
    encryption.make_data_key(other)
    os.environ["PUUR_DATA_KEY"] = str(other)
    try:
        done = restored(tmp_path / "evening.backup", elsewhere, key)
    finally:
        os.environ["PUUR_DATA_KEY"] = kept
    assert done.returncode == 1
    assert needed in done.stderr
    assert "backup/key_missing" in done.stderr
    assert tables(elsewhere) == 0
    assert restored(tmp_path / "evening.backup", elsewhere, key).returncode == 0
