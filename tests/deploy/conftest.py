from collections.abc import Iterator

import pytest

from tests import measuring


@pytest.fixture(scope="module", autouse=True)
def measured_children() -> Iterator[None]:
    """Much of `deploy` runs in processes that these tests start."""
    with measuring.children():
        yield
