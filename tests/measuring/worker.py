"""The earliest pytest plugin: what was imported before it would not be measured. Only workers of pytest-xdist
run tests where there are some, so nobody else measures."""

import os

from tests import measuring

if measuring.FOLDER in os.environ and "PYTEST_XDIST_WORKER" in os.environ:
    measuring.start(*measuring.THRESHOLDS)


def pytest_unconfigure() -> None:
    measuring.write()
