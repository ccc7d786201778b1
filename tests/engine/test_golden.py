"""Golden playthroughs: whole games kept as logs and as text with every observer's view.

`PUUR_GOLDEN=write pytest tests/engine/test_golden.py` writes them anew; read the difference before
committing it.
"""

import json
import os
from pathlib import Path

import pytest

from engine import Observer, encode, replay, snapshot, view_for
from engine.audit import audit
from engine.events import DealScored
from engine.logs import read_events
from tests.engine.playing import GAMES, Game, log_of

GOLDEN = Path(__file__).parent / "golden"
WRITE = os.environ.get("PUUR_GOLDEN") == "write"
MOST_EVENTS = 120


def text_of(log: list) -> str:  # type: ignore[type-arg]
    """A game to be read: each event as the referee sees it, and what the others see where that differs."""
    seats = log[0].seats
    observers = [Observer.spectator(), *(Observer.seat(seat) for seat in range(seats))]
    views = {str(observer): list(view_for(log, observer)) for observer in observers}
    rows = []
    for at, event in enumerate(log):
        whole = encode(event).decode()
        rows.append(whole)
        for name, view in views.items():
            seen = encode(view[at]).decode()
            if seen != whole:
                rows.append(f"    {name}: {seen}")
        if isinstance(event, DealScored):
            rows.append(f"  totals {event.totals}")
    for observer in observers:
        picture = snapshot(replay(view_for(log, observer)), observer)
        rows.append(f"{observer} at the end: {json.dumps(picture, sort_keys=True)}")
    return "\n".join(rows) + "\n"


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_a_golden_game_is_still_played_and_shown_the_same(game: Game) -> None:
    path = GOLDEN / f"{game}.jsonl"
    if WRITE:
        log = log_of(game, 2026)[:MOST_EVENTS]
        while audit(log) is not None:
            log = log[:-1]
        path.write_bytes(b"".join(encode(event) + b"\n" for event in log))
        path.with_suffix(".txt").write_text(text_of(log))
    (kept,) = read_events(path.read_bytes())
    assert audit(kept) is None
    assert path.read_bytes() == b"".join(encode(event) + b"\n" for event in kept)
    assert path.with_suffix(".txt").read_text() == text_of(kept)
