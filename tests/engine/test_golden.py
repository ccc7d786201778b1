"""Golden playthroughs: a whole game of every variant, preset and number of seats, to be read, with what each
observer is shown (`NAME.txt`); and the beginning of a game as it is stored (`NAME.jsonl`), so that a log of
yesterday is a log tomorrow.

`PUUR_GOLDEN=write pytest tests/engine/test_golden.py` writes the playthroughs anew; read the difference
before committing it. A log is written once, and never again.
"""

import os
from pathlib import Path

import pytest

from engine import State, advance, encode
from engine.audit import audit_all
from engine.audit.rules_versions import has_other_rules
from engine.formats.logs import read_events
from engine.notation import parse
from tests.engine.annotated_games import playthrough
from tests.engine.random_games import GAMES, Game, beginning_of, log_of

GOLDEN = Path(__file__).parent / "golden"
WRITE = os.environ.get("PUUR_GOLDEN") == "write"
MAX_BYTES = 2_000_000
KEPT = [game for game in GAMES if WRITE or (GOLDEN / f"{game}.txt").exists()]
"""Those that are missing are named by tests/architecture/test_game_parts.py."""
every_game = pytest.mark.parametrize("game", KEPT, ids=str)


@every_game
def test_a_golden_game_is_still_played_and_shown_the_same(game: Game) -> None:
    path = GOLDEN / f"{game}.txt"
    if WRITE:
        path.write_text(playthrough(log_of(game, 2026)), encoding="utf-8")
    kept = path.read_text(encoding="utf-8")
    state, log = State(), []
    for command in parse(kept):
        log += advance(state, command)
    assert state.over
    assert kept.splitlines() == playthrough(log).splitlines()


@every_game
def test_a_log_of_yesterday_is_read_accepted_and_written_the_same(game: Game) -> None:
    path = GOLDEN / f"{game}.jsonl"
    if WRITE and not path.exists():
        path.write_bytes(b"".join(encode(event) + b"\n" for event in beginning_of(game, 2026, 110)))
    (log,) = read_events(path.read_bytes())
    differences = audit_all(log)
    if has_other_rules(log):  # of which this game must not have noticed anything but their number
        assert differences.pop(0).seq == 0
    assert differences == []
    assert path.read_bytes() == b"".join(encode(event) + b"\n" for event in log)


def test_golden_games_are_small_and_each_is_of_a_game_that_there_is() -> None:
    files = list(GOLDEN.iterdir())
    assert {path.name for path in files} <= {f"{game}{end}" for game in GAMES for end in (".txt", ".jsonl")}
    assert sum(path.stat().st_size for path in files) < MAX_BYTES
