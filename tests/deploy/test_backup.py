"""The drill: a backup is taken while people play, restored elsewhere by another process, and audited."""

import base64
import gzip
import hashlib
import json
import os
import resource
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
from deploy.backups.atomic_files import write_atomically
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
    with write_atomically(tmp_path / "evening.backup") as part:
        part.write_text("every hand")
        assert (part.is_symlink(), stat.S_IMODE(part.stat().st_mode)) == (False, 0o600)
    assert his.read_text() == "before"


@pytest.mark.django_db(transaction=True)
def test_a_backup_taken_while_a_table_plays_holds_whole_commands_and_audits_clean_elsewhere(
    elsewhere: str, tmp_path: Path, key: Path
) -> None:
    games = [play(table()) for _ in range(2)]
    evening = store.create_stream("championship").id
    assert sealing.seal(evening, [game.id for game in games], sealing.load_key_in_use())
    before = {game.id: tuple(store.read_head(game.id)) for game in games}
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
    file = tmp_path / "now.backup"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert list(tmp_path.glob("*.part*")) == []
    done = restored(file, elsewhere, key)
    assert done.returncode == 0, done.stderr + done.stdout
    assert "3 games, 0 wrong" in done.stdout
    assert heads(elsewhere)[game.id][0] >= 30
    assert {stream: head for stream, head in heads(elsewhere).items() if stream in before} == before


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
    (tmp_path / "packed").write_bytes(gzip.compress("Liebe Grüsse\n".encode()))
    for name, code in {"letter": "unknown", "packed": "unknown", "nothing": "unreadable"}.items():
        with pytest.raises(CommandError, match=f"backup/{code}"):
            call_command("restore", str(tmp_path / name))
    for begin, remedy in {
        b"PGDMP": "pg_restore",
        b"SQLite format 3\0": "in the place of the database",
    }.items():
        (tmp_path / "native").write_bytes(begin)
        with pytest.raises(CommandError, match=f"{remedy}.*backup/native"):
            call_command("restore", str(tmp_path / "native"))


@pytest.mark.django_db(transaction=True)
def test_half_a_backup_a_damaged_one_and_one_of_a_newer_version_leave_the_database_empty(
    elsewhere: str, tmp_path: Path
) -> None:
    play(table())
    call_command("backup", str(tmp_path / "whole"))
    whole = (tmp_path / "whole").read_bytes()
    plain = gzip.decompress(whole)
    first, rest = plain.split(b"\n", 1)
    head = json.loads(first)
    lines = plain.splitlines(keepends=True)
    row = next(number for number, line in enumerate(lines) if line.startswith(b"["))
    changed = bytearray(whole)
    changed[len(whole) // 2] ^= 1
    cases = {
        "backup/damaged": [
            *(whole[: len(whole) * part // 7] for part in range(3, 7)),
            whole[:-1],
            bytes(changed),
            gzip.compress(plain[:-2]),
            gzip.compress(b"".join(lines[:-1])),
            gzip.compress(plain + b"[]\n"),
            gzip.compress(b"".join(lines[:row] + lines[row + 1 :])),
            gzip.compress(plain.replace(b'"card_played"', b'"gard_played"', 1)),
        ],
        "backup/newer_version": [
            gzip.compress(json.dumps(head | more).encode() + b"\n" + rest)
            for more in (
                {"puur_backup": 2},
                {"migrations": [*head["migrations"], ["games", "0999_of_tomorrow"]]},
                {"version": "99.1", "migrations": [*head["migrations"], ["tomorrow", "0001_initial"]]},
            )
        ],
    }
    file = tmp_path / "other"
    own = connection.copy()
    file_name, server_name = elsewhere.removeprefix("sqlite:///"), elsewhere.rpartition("/")[2]
    own.settings_dict["NAME"] = file_name if connection.vendor == "sqlite" else server_name
    for code, files in cases.items():
        for content in files:
            file.write_bytes(_sealed_again(content) if code != "backup/damaged" else content)
            with pytest.raises(backups.BackupError) as refused:
                backups.load(own, file, encryption.keys_in_use().ids)
            assert refused.value.code == code
    own.close()
    assert tables(elsewhere) == 0


def _sealed_again(packed: bytes) -> bytes:
    """Return a backup with a right checksum, as somebody makes it who has changed something."""
    *before, last = gzip.decompress(packed).splitlines(keepends=True)
    digest = hashlib.sha256(b"".join(before)).hexdigest()
    return gzip.compress(
        b"".join([*before, json.dumps(json.loads(last) | {"sha256": digest}).encode(), b"\n"])
    )


@pytest.mark.django_db(transaction=True)
def test_a_full_disk_is_named_and_leaves_nothing(tmp_path: Path) -> None:
    play(table())
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, limits[1]))
    try:
        with pytest.raises(CommandError, match=r"the disk is full.*backup/disk_full"):
            call_command("backup", str(tmp_path / "evening.backup"))
        if connection.vendor == "sqlite":
            with pytest.raises(backups.BackupError) as refused:
                backups.copy_sqlite(Path(str(connection.settings_dict["NAME"])), tmp_path / "copy")
            assert refused.value.code == "backup/cannot_write"  # SQLite does not say more of a bounded file.
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert [path.name for path in tmp_path.iterdir() if path.name != "seal_key"] == []


@pytest.mark.django_db(transaction=True)
def test_a_cell_that_could_not_be_restored_is_named_when_it_is_saved(tmp_path: Path) -> None:
    if connection.vendor != "sqlite":
        return  # PostgreSQL keeps the types of its columns.
    table()
    for column, value in {"created_at": "yesterday", "deal_pause": "long", "head_seq": "twelve"}.items():
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT {column} FROM games_game")
            [before] = cursor.fetchone()
            cursor.execute(f"UPDATE games_game SET {column} = %s", [value])
        with pytest.raises(CommandError, match=r"games_game.*\(backup/odd_row\)"):
            call_command("backup", str(tmp_path / "evening.backup"))
        assert not (tmp_path / "evening.backup").exists()
        with connection.cursor() as cursor:
            cursor.execute(f"UPDATE games_game SET {column} = %s", [before])


def test_a_database_that_is_not_there_is_not_backed_up(tmp_path: Path) -> None:
    place = {
        **os.environ,
        "DATABASE_URL": f"sqlite:///{tmp_path}/wrong/puur.sqlite3",
        "PUUR_VAR": str(tmp_path),
    }
    done = subprocess.run(
        [sys.executable, "manage.py", "backup", str(tmp_path / "night.backup")],
        cwd=BASE_DIR,
        env=place,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert "backup/nothing_there" in done.stderr
    assert not (tmp_path / "night.backup").exists()


@pytest.mark.django_db(transaction=True)
def test_a_backup_says_which_data_key_it_needs_and_is_refused_without_it(
    elsewhere: str, tmp_path: Path, key: Path, capsys: pytest.CaptureFixture[str], settings: Settings
) -> None:
    game = play(table(), 5)
    [needed] = encryption.keys_in_use().ids
    secret = {part.nonce for event in store.read_raw_events(game.pk) for part in event.parts}
    call_command("backup", str(tmp_path / "evening.backup"))
    assert f"need the data key {needed}" in capsys.readouterr().out
    copy = gzip.decompress((tmp_path / "evening.backup").read_bytes())
    assert secret
    written = [(nonce.hex().encode(), base64.b64encode(nonce)[:-4]) for nonce in secret]
    assert not any(text in copy for texts in written for text in texts)
    _, footer = backups.check_file(tmp_path / "evening.backup")
    assert footer.keys == [needed]
    kept = os.environ["PUUR_DATA_KEY"]
    other = tmp_path / "other_key"
    encryption.make_data_key(other)
    os.environ["PUUR_DATA_KEY"] = str(other)
    try:
        done = restored(tmp_path / "evening.backup", elsewhere, key)
        other.chmod(0o644)
        open_key = restored(tmp_path / "evening.backup", elsewhere, key)
    finally:
        os.environ["PUUR_DATA_KEY"] = kept
    assert open_key.returncode == 1
    assert "chmod" in open_key.stderr
    assert done.returncode == 1
    assert needed in done.stderr
    assert "backup/key_missing" in done.stderr
    assert tables(elsewhere) == 0
