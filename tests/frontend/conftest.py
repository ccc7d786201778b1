"""Pages show a draw of low quality; the search has its own tests."""

import pytest


@pytest.fixture(autouse=True)
def _short_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournaments.pairing.solving._ITERATIONS", 6_000)
    monkeypatch.setattr("tournaments.pairing.seating._MOVES", 200)
