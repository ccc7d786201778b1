"""Each bench runs from its first to its last line and says figures that are figures. How large they are is
nobody's business here: that is what the whole bench is for.
"""

import json
import math
import subprocess
import sys
from typing import Any

import pytest

from deploy.environment import BASE_DIR
from deploy.management.commands.bench import list_benchmarks
from tests import servers
from tests.cluster import binaries


@pytest.mark.long
@pytest.mark.parametrize(
    "name", ["pages --tables 4 --times 1", *list_benchmarks(), "load --quick --on postgresql --only tables"]
)
def test_it_says_a_figure_a_line_beside_its_peer_or_limit(name: str) -> None:
    if "postgresql" in name and binaries() is None:
        servers.missing("PostgreSQL: no initdb on this machine (apt install postgresql)")
    asked = name.split() if " " in name else [name, "--quick"]
    command = [sys.executable, "manage.py", "bench", *asked]
    done = subprocess.run(command, cwd=BASE_DIR, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    figures = [json.loads(line) for line in done.stdout.splitlines()]
    assert figures
    assert len({figure["name"] for figure in figures}) == len(figures)
    for figure in figures:
        assert_a_figure(figure)
    assert any(figure["ratio"] is not None for figure in figures)


def assert_a_figure(figure: dict[str, Any]) -> None:
    """Each number is one, and there is a ratio wherever there is something to divide by."""
    measured = [value for value in figure.values() if isinstance(value, int | float)]
    assert all(map(math.isfinite, measured)), figure
    assert isinstance(figure["ours"], int | float), figure
    beside = figure["peer"] if "peer" in figure else figure["limit"]
    assert (figure["ratio"] is None) == (not beside or not figure["ours"]), figure
