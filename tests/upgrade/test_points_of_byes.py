"""Whole points of byes that an earlier version stored stay what they are in the column for exact numbers."""

from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from games import sealing, store
from games.sealing.keys import SealKey
from tests import servers
from tests.deploy import full_database
from tests.games import databases
from tests.games.cast import play, table
from tournaments.models import Bye

BEFORE = [("tournaments", "0048_soft_separations")]


@pytest.mark.parametrize("vendor", ["sqlite", "postgresql"])
def test_whole_points_stay(vendor: str, tmp_path: Path, django_db_blocker: Any) -> None:
    if vendor == "postgresql":
        servers.postgres_url()
    with django_db_blocker.unblock(), databases.clone(databases.template(vendor), tmp_path):
        game = play(table())  # the guards of PostgreSQL refuse secrets that follow from no log
        sealing.seal(store.create_stream("championship").id, [game.id], SealKey(Ed25519PrivateKey.generate()))
        full_database.fill()
        Bye.objects.update(points=-157)
        MigrationExecutor(connection).migrate(BEFORE)
        with connection.cursor() as cursor:
            cursor.execute("SELECT points FROM tournaments_sitout")
            assert cursor.fetchall() == [(-157,)]
        executor = MigrationExecutor(connection)
        executor.migrate(executor.loader.graph.leaf_nodes("tournaments"))
        assert Bye.objects.get().points == -157
        Bye.objects.update(points="-315/2")
        assert Bye.objects.get().points == "-315/2"
