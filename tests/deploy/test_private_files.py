"""What the platform writes is readable for its own user alone, whatever the umask it was started under."""

import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from deploy import umask
from deploy.environment import BASE_DIR
from games.encryption import key_files
from tests.live_tree import ORGANISER, LiveTree, running


@pytest.fixture
def _wide_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def open_to_others(folder: Path) -> list[str]:
    """What below a folder, and the folder itself, somebody else may touch."""
    return [
        f"{path} {stat.S_IMODE(path.lstat().st_mode):o}"
        for path in (folder, *folder.rglob("*"))
        if path.lstat().st_mode & 0o077
    ]


@pytest.fixture
def tree(tmp_path: Path, _wide_umask: None) -> Iterator[LiveTree]:
    """Started in the folder of an earlier version, whose files everybody may read."""
    var = tmp_path / "var"
    (var / "log").mkdir(parents=True)
    for name in ("puur.sqlite3", "log/web.log"):
        (var / name).touch()
    assert open_to_others(var)
    with running("serve", var) as started:
        yield started


@pytest.mark.long
def test_nobody_else_can_read_what_a_running_platform_writes(tree: LiveTree) -> None:
    with closing(sqlite3.connect(tree.var / "puur.sqlite3")) as reader:  # for whom the WAL is there
        reader.execute("SELECT count(*) FROM django_migrations").fetchone()
        written = {path.name for path in tree.var.rglob("*")}
        assert {"puur.sqlite3", "puur.sqlite3-wal", "web.log", "worker.log", "seal_key", "running"} <= written
        assert open_to_others(tree.var) == []


@pytest.mark.slow
def test_the_organisers_password_is_in_no_childs_environment(tree: LiveTree) -> None:
    children = [pid for pid in tree.family() if pid != tree.process.pid]
    found = {pid: Path(f"/proc/{pid}/environ").read_bytes() for pid in children}
    whole = [pid for pid, environment in found.items() if b"PUUR_VAR=" in environment]
    assert len(whole) >= 3  # Valkey and beat write their titles over what stood there
    assert [pid for pid, environment in found.items() if ORGANISER[1].encode() in environment] == []


@pytest.mark.slow
@pytest.mark.usefixtures("_wide_umask")
def test_nobody_else_can_read_a_database_that_a_command_has_made(tmp_path: Path) -> None:
    var = tmp_path / "made"
    command = [sys.executable, "manage.py", "migrate", "-v0"]
    own = {"PUUR_VAR": str(var), "DATABASE_URL": ""}
    subprocess.run(command, cwd=BASE_DIR, env={**os.environ, **own}, check=True)
    assert (var / "puur.sqlite3").stat().st_size > 0
    assert open_to_others(var) == []


def test_what_root_makes_belongs_to_the_owner_of_the_folder_around(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: dict[str, tuple[int, int]] = {}

    def note(file: Path | int, uid: int, gid: int) -> None:
        given["key" if isinstance(file, int) else file.name] = (uid, gid)

    stated = tmp_path.stat()
    owner = (stated.st_uid, stated.st_gid)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(os, "chown", note)
    monkeypatch.setattr(os, "fchown", note)
    umask.make_folder(tmp_path / "backups" / "year")
    key_files.create_key_file(tmp_path / "data_key", "key", exists=FileExistsError())
    assert given == {"backups": owner, "year": owner, "key": owner}


@pytest.mark.usefixtures("_wide_umask")
def test_only_what_is_ours_to_close_is_closed(tmp_path: Path) -> None:
    var, outside, shared = tmp_path / "var", tmp_path / "outside", tmp_path / "shared"
    for folder in (var / "static", shared):
        folder.mkdir(parents=True)
        (folder / "page.css").touch()
    outside.touch()
    shared.chmod(0o1777)
    (var / "link").symlink_to(outside)
    (var / "tool").touch(0o755)
    umask.restrict_permissions(var, shared, tmp_path / "nowhere")
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (var, var / "tool", outside, shared)}
    assert modes == {"var": 0o700, "tool": 0o700, "outside": 0o666, "shared": 0o1777}
    assert stat.S_IMODE((var / "static" / "page.css").stat().st_mode) == 0o666
    assert stat.S_IMODE((shared / "page.css").stat().st_mode) == 0o666
