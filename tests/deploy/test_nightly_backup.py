"""Each night: a file in a folder, of which the newest stay, and a trial of restoring it."""

import errno
import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from pytest_django import Settings

from deploy.backups import nightly
from games import sealing
from tests.games.cast import play, table


@pytest.fixture(autouse=True)
def var(settings: Settings, tmp_path: Path) -> Path:
    settings.VAR_DIR = tmp_path / "var"
    settings.SEAL_KEY = tmp_path / "seal_key"
    sealing.make_seal_key(settings.SEAL_KEY)
    return tmp_path / "var"


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_the_newest_stay_and_the_trial_is_noted_for_doctor(
    tmp_path: Path, var: Path, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    play(table())
    folder = tmp_path / "other machine"
    folder.mkdir()
    for day in range(1, 5):
        (folder / f"puur-2026-11-0{day}-023000.backup").touch()
    (folder / "puur-of-the-jubilee.backup").touch()
    with monkeypatch.context() as failing:
        failing.setattr("deploy.backups.saving.GROUP", "broken")
        with pytest.raises(Exception, match=r"."):
            call_command("backup", to=folder, keep=2)
    assert len(list(folder.iterdir())) == 5, "a night without a backup deletes nothing"
    monkeypatch.setenv("DATABASE_URL", "")
    call_command("backup", to=folder, keep=2, test_restore=True)
    old, new, other = sorted(path.name for path in folder.iterdir())
    assert (old, other) == ("puur-2026-11-04-023000.backup", "puur-of-the-jubilee.backup")
    state = json.loads((var / "backup-state.json").read_bytes())
    assert state.keys() == {"last_backup", "where", "last_test_restore", "audit"}
    assert (state["where"], state["audit"]) == (str(folder / new), "clean")
    assert state["last_backup"] <= state["last_test_restore"]
    assert [path.name for path in var.iterdir()] == ["backup-state.json"]
    if connection.vendor == "postgresql":
        return
    with connection.cursor() as cursor:
        cursor.execute("DROP TRIGGER puur_games_event_update")
        cursor.execute("UPDATE games_event SET type = 'pushed' WHERE seq = 7")
    call_command("migrate", verbosity=0)
    call_command("backup", str(tmp_path / "forged.backup"))
    with pytest.raises(CommandError, match="backup/not_clean"):
        call_command("backup", test_restore=True)
    assert json.loads((var / "backup-state.json").read_bytes())["audit"] == "not clean"
    (tmp_path / "forged.backup").write_bytes(b"")
    with pytest.raises(CommandError, match=r"backup/unknown.*backup/test_failed"):
        call_command("backup", test_restore=True)
    assert json.loads((var / "backup-state.json").read_bytes())["audit"] == "not restored"


def test_an_audit_that_is_killed_is_not_clean(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    killed = subprocess.CompletedProcess([], -9, "trial.sqlite3; checking everything ...", "")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: killed)
    assert nightly.test_restore(tmp_path / "puur.backup", print) == "not clean"


def test_a_missing_disk_a_folder_that_is_a_file_and_contradictions_are_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    refused: dict[str, dict[str, Any]] = {
        "backup/not_mounted": {"to": tmp_path, "must_be_mount": Path()},
        "backup/cannot_write": {"to": tmp_path / "file" / "folder"},
        "backup/none_yet": {"test_restore": True},
        "need --to": {"file": str(tmp_path / "new"), "keep": 3},
        "at least 1": {"to": tmp_path, "keep": 0},
        "name a new FILE": {},
    }
    for told, options in refused.items():
        file = [options.pop("file")] if "file" in options else []
        with pytest.raises(CommandError, match=told):
            call_command("backup", *file, **options)
    assert os.path.ismount("/")
    with pytest.raises(CommandError, match=r"backup/(cannot_write|nothing_there)"):
        call_command("backup", to=tmp_path / "file", must_be_mount=Path("/"))


def test_a_folder_of_somebody_else_is_refused_in_plain_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse_in_the_folder(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(path: Any, *rest: Any, **named: Any) -> Any:
            if Path(str(path)).parent == tmp_path:
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
            return real(path, *rest, **named)

        return call

    for name in ("open", "stat", "lstat"):
        monkeypatch.setattr(os, name, refuse_in_the_folder(getattr(os, name)))
    with pytest.raises(CommandError, match=r"Permission denied \(backup/cannot_write\)"):
        call_command("backup", to=tmp_path)
