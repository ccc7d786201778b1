"""Fixtures of the tests of the games."""

import socket
from collections.abc import Iterator
from typing import Any

import pytest

from tests.games.live_server import WebProcess, place


@pytest.fixture
def silent() -> Iterator[str]:
    """A server that accepts connections and never answers, like a stopped Redis."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(64)
        yield f"redis://127.0.0.1:{listening.getsockname()[1]}/0"


@pytest.fixture(scope="module")
def web(
    request: pytest.FixtureRequest,
    database_template: dict[str, Any],
    tmp_path_factory: pytest.TempPathFactory,
    django_db_blocker: Any,
) -> Iterator[WebProcess]:
    """A web process on a separate database of the module; its `SETTINGS` are added to the environment."""
    own = getattr(request.module, "SETTINGS", {})
    with place(database_template, tmp_path_factory, django_db_blocker, own) as process:
        yield process
