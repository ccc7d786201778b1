import socket
from collections.abc import Iterator
from typing import Any

import pytest

from games import fold
from tests.games import databases


@pytest.fixture(scope="session", params=["sqlite", "postgresql"])
def database_template(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, django_db_blocker: Any
) -> Iterator[dict[str, Any]]:
    """A migrated, empty database of each kind, made once. Without PostgreSQL its half is skipped loudly."""
    with (
        django_db_blocker.unblock(),
        databases.template(request.param, tmp_path_factory.mktemp("db")) as made,
    ):
        yield made


@pytest.fixture
def real_database(
    database_template: dict[str, Any], tmp_path_factory: pytest.TempPathFactory, django_db_blocker: Any
) -> Iterator[str]:
    """A fresh database whose commits are real, on SQLite and on PostgreSQL; the value is the vendor."""
    vendor = "sqlite" if database_template["ENGINE"].endswith("sqlite3") else "postgresql"
    folder = tmp_path_factory.mktemp("clone")
    with django_db_blocker.unblock(), databases.clone(database_template, folder):
        yield vendor


@pytest.fixture
def silent() -> Iterator[str]:
    """A server that takes connections and never says a word, as a stopped Redis does."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(64)
        yield f"redis://127.0.0.1:{listening.getsockname()[1]}/0"


@pytest.fixture(autouse=True)
def _nothing_is_kept() -> Iterator[None]:
    """Each test begins as a process does: with no game in memory."""
    fold.forget_all()
    yield
    fold.forget_all()
