"""A backup of SQLite fills PostgreSQL and the other way round: every row of every table comes along."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection, connections, transaction
from django.db.utils import load_backend
from pytest_django import Settings

from deploy import backups, environment
from games import encryption, sealing, store
from games.models import Checkpoint, User
from tests import servers
from tests.deploy import full_database
from tests.games.cast import play, table

pytestmark = pytest.mark.slow


@pytest.fixture
def _installation(settings: Settings, tmp_path: Path) -> None:
    """A sealing key, and the migrations, which tests otherwise go without."""
    settings.MIGRATION_MODULES = {}
    settings.SEAL_KEY = tmp_path / "seal_key"
    sealing.make_seal_key(settings.SEAL_KEY)


@contextlib.contextmanager
def database(alias: str, vendor: str, folder: Path) -> Iterator[None]:
    """Make an empty database that Django knows by this alias."""
    with contextlib.ExitStack() as stack:
        url = f"sqlite:///{folder}/{alias}.sqlite3"
        if vendor == "postgresql":
            url = stack.enter_context(servers.own_database())
        place = connections.configure_settings({"default": environment.make_database_settings(url, folder)})[
            "default"
        ]
        connections[alias] = load_backend(place["ENGINE"]).DatabaseWrapper(place, alias)
        try:
            yield
        finally:
            connections[alias].close()
            del connections[alias]


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("_installation")
def test_every_row_of_every_table_goes_to_the_other_database_and_back(tmp_path: Path) -> None:
    game = play(table())
    sealing.seal(store.create_stream("championship").id, [game.id], sealing.load_key_in_use())
    full_database.fill()
    User.objects.create(username="gone").delete()
    last = User.objects.create(username="last")
    User.objects.create(username="also gone").delete()
    before = full_database.content("default")
    assert all(before.values())
    keys = encryption.keys_in_use().ids
    other = "sqlite" if connection.vendor == "postgresql" else "postgresql"
    with database("there", other, tmp_path), database("back", connection.vendor, tmp_path):
        backups.save(connection, tmp_path / "first.backup")
        assert backups.load(connections["there"], tmp_path / "first.backup", keys) == []
        assert full_database.content("there") == before
        backups.save(connections["there"], tmp_path / "second.backup")
        backups.load(connections["back"], tmp_path / "second.backup", keys)
        assert full_database.content("back") == before
        for alias in ("there", "back"):
            # No number is given twice, not even that of a row that is gone.
            assert User.objects.using(alias).create(username="next").pk == last.pk + 2
            log_is_guarded(alias)


def log_is_guarded(alias: str) -> None:
    """After migrate the log of a restored database can only grow."""
    call_command("migrate", database=alias, verbosity=0)
    with pytest.raises(Exception, match="append-only"), transaction.atomic(using=alias):
        Checkpoint.objects.using(alias)._raw_delete(alias)
