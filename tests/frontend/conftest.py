"""Pages show a draw; how good it can get is tested beside the search."""

import pytest


@pytest.fixture(autouse=True)
def _short_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournaments.pairing.drawing._ITERATIONS", 6_000)
    monkeypatch.setattr("tournaments.pairing.seating._MOVES", 200)
