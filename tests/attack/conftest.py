"""A web process of our own on a database of its own."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.attack import hall
from tests.games.live_server import WebProcess, web_process


@pytest.fixture
def database(django_db_blocker: Any) -> Iterator[str]:
    with hall.on_postgresql(django_db_blocker) as name:
        yield name


@pytest.fixture
def web(database: str, tmp_path: Path) -> Iterator[WebProcess]:
    with web_process(tmp_path) as process:
        yield process
