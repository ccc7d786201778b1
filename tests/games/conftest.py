"""What the tests of the games share."""

import socket
from collections.abc import Iterator

import pytest


@pytest.fixture
def silent() -> Iterator[str]:
    """A server that takes connections and never says a word, as a stopped Redis does."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(64)
        yield f"redis://127.0.0.1:{listening.getsockname()[1]}/0"
