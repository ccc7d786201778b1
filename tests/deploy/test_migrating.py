"""A start on the database of an older version copies it first, and says where the copy lies."""

import contextlib
import lzma
import re
import shutil
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from deploy import migrating
from deploy.environment import BASE_DIR
from tests import live_tree as trees
from tests import servers

OLD = BASE_DIR / "tests" / "upgrade"
PREPARE = (
    "import django; django.setup(); from deploy.management import local_run as run;"
    " from django.core.management import CommandError\n"
    "try: run.migrate(print)\nexcept CommandError as error: print(error); raise SystemExit(1)"
)


@pytest.fixture
def var(tmp_path: Path) -> Path:
    """The folder of an installation of 24 November 2026."""
    folder = tmp_path / "Jass & Grüße"
    folder.mkdir(mode=0o700)
    (folder / "puur.sqlite3").write_bytes(lzma.decompress((OLD / "24-november-2026.db.xz").read_bytes()))
    (folder / "data_key").touch(0o600)
    (folder / "data_key").write_bytes((OLD / "24-november-2026.data_key").read_bytes())
    return folder


ON_A_FULL_DISK = """
import django; django.setup()
from django.db import connection
from deploy import migrating

def fill(*_: object, **__: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA max_page_count = 1")
        cursor.execute("CREATE TABLE large (value)")
        cursor.execute("INSERT INTO large VALUES (zeroblob(1000000))")

migrating.call_command = fill
"""


def prepare(var: Path, before: str = "", **more: str) -> "subprocess.CompletedProcess[str]":
    environment = {**trees.outside(), "PUUR_VAR": str(var), "DEBUG": "1", **more}
    environment |= {"DJANGO_SETTINGS_MODULE": "deploy.settings"}
    return subprocess.run(
        [sys.executable, "-c", before + PREPARE],
        cwd=BASE_DIR,
        env=environment,
        capture_output=True,
        text=True,
    )


def content(file: Path) -> list[str]:
    with contextlib.closing(sqlite3.connect(file)) as database:
        return list(database.iterdump())


def saved(var: Path) -> list[Path]:
    return sorted((var / "backups").glob("before-migration-*"))


def in_the_way(var: Path) -> None:
    """A table that one of the missing migrations makes is there already."""
    with contextlib.closing(sqlite3.connect(var / "puur.sqlite3")) as database:
        before = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
    copy = var.parent / "today"
    shutil.copytree(var, copy)
    assert prepare(copy).returncode == 0
    with contextlib.closing(sqlite3.connect(copy / "puur.sqlite3")) as database:
        tables = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        name = min(name for (name,) in tables if name not in before and not name.startswith("new__"))
    shutil.rmtree(copy)
    with contextlib.closing(sqlite3.connect(var / "puur.sqlite3")) as database:
        database.execute(f"CREATE TABLE {name} (in_the_way integer)")
        database.commit()


def test_serve_copies_an_older_database_before_it_changes_it(var: Path) -> None:
    before = content(var / "puur.sqlite3")
    with trees.running("serve", var, environment={"PUUR_ORGANISER": "zora"}, empty=True) as tree:
        told = next(line for line in tree.said if "before-migration-" in line)
        (copy,) = saved(var)
        assert str(copy) in told
    assert content(copy) == before
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert stat.S_IMODE(copy.parent.stat().st_mode) == 0o700
    again = prepare(var)
    assert (again.returncode, again.stdout, saved(var)) == (0, "", [copy]), "nothing is missing any more"


@pytest.mark.slow
def test_a_demo_of_an_older_version_is_copied_too(var: Path) -> None:
    with trees.running("demo", var, empty=True) as tree:
        assert any(str(saved(var)[0]) in line for line in tree.said)


@pytest.mark.long
def test_a_first_start_has_nothing_to_copy(tmp_path: Path) -> None:
    done = prepare(tmp_path)
    assert done.returncode == 0, done.stderr
    assert "preparing the database" in done.stdout
    assert not (tmp_path / "backups").exists()


def test_a_migration_that_fails_says_where_the_copy_is_and_the_copy_is_whole(var: Path) -> None:
    in_the_way(var)
    before = content(var / "puur.sqlite3")
    done = prepare(var)
    (copy,) = saved(var)
    assert done.returncode == 1
    assert "already exists" in done.stdout
    assert done.stdout.count(str(copy)) == 2, "as it begins, and as it fails"
    assert content(copy) == before


@pytest.mark.long
def test_a_first_start_on_a_full_disk_says_so(tmp_path: Path) -> None:
    done = prepare(tmp_path, ON_A_FULL_DISK, PUUR_LANGUAGE="en")
    assert done.returncode == 1
    said = "the database could not be prepared: the disk is full: free some space, then start again"
    assert said in done.stdout


def test_however_often_a_migration_fails_the_first_copy_stays_and_few_others(var: Path) -> None:
    in_the_way(var)
    assert prepare(var).returncode == 1
    (first,) = saved(var)
    for day in range(10, 10 + 2 * migrating.MAX_KEPT_COPIES):
        (var / "backups" / f"before-migration-211011{day}-000000-000000.sqlite3").touch()
    assert prepare(var).returncode == 1
    assert first in saved(var)
    assert len(saved(var)) <= migrating.MAX_KEPT_COPIES + 2
    with contextlib.closing(sqlite3.connect(var / "puur.sqlite3")) as database:
        tables = [
            name
            for (name,) in database.execute(
                "SELECT name FROM sqlite_master WHERE sql LIKE '%(in_the_way integer)'"
            )
        ]
        for name in tables:
            database.execute(f"DROP TABLE {name}")
        database.commit()
    assert prepare(var).returncode == 0
    assert len(saved(var)) == migrating.MAX_KEPT_COPIES
    assert first not in saved(var), "the migration it was kept for has ended well"


def test_where_no_copy_can_be_made_nothing_is_changed(var: Path) -> None:
    before = content(var / "puur.sqlite3")
    (var / "backups").write_text("a file, where a folder is wanted")
    done = prepare(var, PUUR_LANGUAGE="en")
    assert done.returncode == 1
    assert "Nothing was changed" in done.stdout
    assert re.search(r"\(backup/\w+\)", done.stdout)
    assert content(var / "puur.sqlite3") == before


@pytest.mark.long
def test_a_database_of_postgresql_is_copied_and_can_be_given_back_to_the_older_version(
    tmp_path: Path,
) -> None:
    with servers.own_database() as url, servers.own_database() as empty:
        more = {"DATABASE_URL": url, "PUUR_LANGUAGE": "en"}
        assert prepare(tmp_path, **more).returncode == 0
        last = "SELECT name FROM django_migrations WHERE app = 'mfa' ORDER BY name DESC LIMIT 1"
        environment = {**trees.outside(), "PUUR_VAR": str(tmp_path), "DATABASE_URL": url}
        back = [sys.executable, "manage.py", "migrate", "--verbosity=0", "mfa", "0002"]
        subprocess.run(back, cwd=BASE_DIR, env=environment, check=True)
        done = prepare(tmp_path, **more)
        (copy,) = saved(tmp_path)
        assert str(copy) in done.stdout
        restore = [sys.executable, "manage.py", "restore", "--as-it-was", str(copy)]
        environment["DATABASE_URL"] = empty
        subprocess.run(restore, cwd=BASE_DIR, env=environment, check=True)
        for address, number in {url: "0003", empty: "0002"}.items():
            with psycopg.connect(address) as server:
                [name] = server.execute(last).fetchone() or [""]
                assert name.startswith(number)
