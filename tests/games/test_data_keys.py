"""The keys of secrets: created once, stored apart, rotated during play, named when missing."""

import os
import stat
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core import checks as system_checks
from django.core.management import CommandError, call_command
from django.db import DatabaseError, ProgrammingError, connection, transaction
from pytest_django import Settings

from deploy.management import local_run
from games import checks, encryption, store
from games.encryption import DataKeyError, keyring
from games.store import Record, rotating

Append = Callable[[int], None]
CARDS = {"cards": ["D6", "S9"]}


@pytest.fixture
def key_file(settings: Settings, tmp_path: Path) -> Path:
    settings.DATA_KEY = tmp_path / "keys" / "data_key"
    encryption.make_data_key(settings.DATA_KEY)
    return tmp_path / "keys" / "data_key"


@pytest.fixture
def stream(real_database: str, key_file: Path) -> str:
    made = store.create_stream("game").id
    for number in range(-1, 6):
        append(made, number)
    return made


def append(stream: str, head: int) -> None:
    hand = Record("hand_dealt", {"seat": 1}, CARDS)
    store.append(stream, head, [hand], actor="anna", command_id=f"c{head}", body_hash=bytes(32))


def is_whole(stream: str, events: int) -> bool:
    store.verify(stream)
    return [event.parts for event in store.read(stream)] == [CARDS] * events


def rotated(*options: str) -> str:
    call_command("rotate_data_key", *options)
    return encryption.keys_in_use().newest


def test_a_key_is_made_once_in_a_file_of_its_owner(key_file: Path) -> None:
    assert stat.S_IMODE(key_file.stat().st_mode) == 0o600
    assert stat.S_IMODE(key_file.parent.stat().st_mode) == 0o700
    [line] = key_file.read_text().splitlines()
    name, key = line.split()
    assert (encryption.keys_in_use().ids, len(bytes.fromhex(key))) == ((name,), 32)
    with pytest.raises(CommandError, match="data/key_exists"):
        call_command("make_data_key")
    assert key_file.read_text() == line + "\n"


def test_a_crash_while_a_key_is_made_leaves_no_file_in_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "data_key"

    def crash(descriptor: int) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as crashing:
        crashing.setattr(os, "fsync", crash)
        with pytest.raises(KeyboardInterrupt):
            encryption.make_data_key(path)
    assert not path.exists()
    encryption.make_data_key(path)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("harm", "code"),
    [
        (lambda path: path.unlink(), "data/no_key"),
        (lambda path: path.chmod(0o644), "data/key_readable"),
        (lambda path: path.write_text(""), "data/key_malformed"),
        (lambda path: path.write_text(path.read_text().replace(" ", " 00", 1)), "data/key_malformed"),
        (lambda path: path.write_text("0" * 12 + path.read_text()[12:]), "data/key_malformed"),
        (lambda path: path.write_bytes(b"\xff" * 77), "data/key_malformed"),
    ],
)
def test_a_file_that_holds_no_key_is_refused_by_name(
    key_file: Path, harm: Callable[[Path], object], code: str
) -> None:
    harm(key_file)
    with pytest.raises(DataKeyError) as refused:
        encryption.keys_in_use()
    assert (refused.value.code, str(key_file) in refused.value.detail) == (code, True)
    found = system_checks.run_checks(tags=["security"], include_deployment_checks=True)
    [told] = [one for one in found if one.id == "puur.E002"]
    assert refused.value.detail in told.msg


def test_a_key_of_somebody_else_is_told_from_none(key_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def somebody_elses(*_: object, **__: object) -> str:
        raise PermissionError

    keyring._cached_keyrings.clear()
    monkeypatch.setattr(Path, "read_text", somebody_elses)
    with pytest.raises(DataKeyError, match="chown") as refused:
        encryption.keys_in_use()
    assert refused.value.code == "data/key_unreadable"


@pytest.mark.long(1)
def test_after_a_rotation_the_new_key_alone_opens_everything(stream: str, key_file: Path) -> None:
    first = encryption.keys_in_use().newest
    second = rotated()
    assert first != second
    assert store.count_values_by_key() == {second: 14}
    lines = key_file.read_text().splitlines()
    assert [line.split()[0] for line in lines] == [first, second]
    key_file.write_text(lines[1] + "\n")
    assert is_whole(stream, 7)


def test_a_rotation_that_was_interrupted_goes_on_with_the_same_key(
    stream: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rotating, "BATCH_SIZE", 2)
    second = encryption.next_key(vault_file(), set(store.count_values_by_key()))
    steps = store.reencrypt_log()
    assert next(steps) == 2
    steps.close()
    assert sorted(store.count_values_by_key().values()) == [2, 12]
    assert rotated("--finish") == second
    assert store.count_values_by_key() == {second: 14}
    assert is_whole(stream, 7)


def test_no_rotation_ever_goes_back_to_a_key(stream: str) -> None:
    closed_with = [encryption.keys_in_use().newest]
    for _ in range(4):
        closed_with.append(rotated())
        assert set(store.count_values_by_key()) == {closed_with[-1]}
    assert len(set(closed_with)) == 5
    assert is_whole(stream, 7)


def test_a_key_that_was_given_up_is_not_prepared_again(stream: str) -> None:
    known = {encryption.keys_in_use().newest, rotated()}
    call_command("rotate_data_key", "--prepare")
    assert rotated() not in known
    assert rotated("--finish") not in known


def test_after_what_was_left_over_a_rotation_takes_a_new_key_all_the_same(
    stream: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rotating, "BATCH_SIZE", 2)
    leaked = encryption.next_key(vault_file(), set(store.count_values_by_key()))
    steps = store.reencrypt_log()
    next(steps)
    steps.close()
    third = rotated()
    assert third != leaked
    assert store.count_values_by_key() == {third: 14}


def test_a_machine_that_was_not_told_of_a_key_chooses_no_other(stream: str, key_file: Path) -> None:
    call_command("rotate_data_key", "--prepare")
    here = key_file.read_text()
    rotated()
    elsewhere = rotated()
    key_file.write_text(here)
    with pytest.raises(CommandError, match=elsewhere):
        rotated()
    assert key_file.read_text() == here


def vault_file() -> Path:
    from django.conf import settings

    return Path(settings.DATA_KEY)


def test_people_play_while_everything_is_closed_again(stream: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rotating, "BATCH_SIZE", 2)
    played, enough = [6], threading.Event()
    failed: list[Exception] = []

    def go_on() -> None:
        try:
            while not enough.is_set():
                append(stream, played[-1])
                played.append(played[-1] + 1)
        except Exception as error:
            failed.append(error)
        finally:
            connection.close()

    player = threading.Thread(target=go_on)
    player.start()
    try:
        rotated()
    finally:
        enough.set()
        player.join()
    assert failed == []
    assert len(played) > 1
    rotated()
    assert len(store.count_values_by_key()) == 1
    assert is_whole(stream, played[-1] + 1)


def test_a_key_may_be_carried_to_every_machine_before_it_closes_anything(stream: str, key_file: Path) -> None:
    first = encryption.keys_in_use().newest
    for _ in range(2):
        call_command("rotate_data_key", "--prepare")
    prepared, closing = encryption.keys_in_use().ids
    assert closing == first
    append(stream, 6)
    assert set(store.count_values_by_key()) == {first}
    assert rotated() == prepared
    assert is_whole(stream, 8)


def test_what_a_lost_key_has_closed_is_missed_by_name(stream: str, key_file: Path, tmp_path: Path) -> None:
    [lost] = encryption.keys_in_use().ids
    kept = key_file.read_text()
    key_file.unlink()
    with pytest.raises(DataKeyError) as refused:
        append(stream, 6)
    assert refused.value.code == "data/no_key"
    with pytest.raises(CommandError, match="data/no_key"):
        local_run.ensure_data_key(print)
    encryption.make_data_key(key_file)
    for reading in (store.read, store.verify):
        with pytest.raises(DataKeyError, match=lost) as refused:
            reading(stream)
        assert refused.value.code == "data/key_missing"
    [told] = checks.what_is_closed_can_be_opened(databases=["default"])
    assert (told.id, lost in (told.hint or "")) == ("games.E002", True)
    with pytest.raises(CommandError, match=lost):
        local_run.ensure_data_key(print)
    key_file.write_text(kept + key_file.read_text())
    assert checks.what_is_closed_can_be_opened(databases=["default"]) == []
    local_run.ensure_data_key(print)
    assert is_whole(stream, 7)


def test_the_first_start_makes_the_key(real_database: str, settings: Settings, tmp_path: Path) -> None:
    settings.DATA_KEY = tmp_path / "data_key"
    said: list[str] = []
    for _ in range(2):
        local_run.ensure_data_key(said.append)
    assert encryption.keys_in_use().newest in said[0]
    assert len(said) == 1


@pytest.mark.parametrize("table", ["games_secretpart", "games_receipt"])
@pytest.mark.parametrize(
    "change", ["key = ''", "key = 'other', stream_id = name_of", "closed = key_of", "key = key"]
)
def test_what_is_closed_changes_only_by_being_closed_again(stream: str, table: str, change: str) -> None:
    column = "name" if table == "games_secretpart" else "command_id"
    statement = change.replace("stream_id = name_of", f"{column} = 'other'")
    statement = statement.replace("closed = key_of", "closed = closed")
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"UPDATE {table} SET {statement}")
    assert is_whole(stream, 7)


def test_a_role_that_may_not_change_rows_is_told_who_may(
    stream: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> int:
        raise ProgrammingError("permission denied for table games_secretpart")

    monkeypatch.setattr(rotating, "_store_rows", refused)
    with pytest.raises(CommandError, match="as the owner of the tables"):
        rotated()
    assert is_whole(stream, 7)


def test_what_cannot_be_opened_is_not_closed_again(stream: str) -> None:
    with connection.cursor() as cursor:
        for name in ("puur_games_receipt_again", "puur_games_receipt_update"):
            on = " ON games_receipt" if connection.vendor == "postgresql" else ""
            cursor.execute(f"DROP TRIGGER IF EXISTS {name}{on}")
        cursor.execute("UPDATE games_receipt SET closed = %s WHERE first_seq = 2", [b"0" * 64])
    with pytest.raises(CommandError, match="games/corrupt_log"):
        rotated()
    with connection.cursor() as cursor:
        cursor.execute("SELECT closed FROM games_receipt WHERE first_seq = 2")
        assert bytes(cursor.fetchone()[0]) == b"0" * 64
