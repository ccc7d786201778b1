"""The number of modules on a card's way from a player's socket to the frames of viewers.

`pytest -s tests/architecture/test_command_path.py` prints them in the order in which the card meets them.
Waiting stages in between (lanes, hints, hubs, outboxes) are not counted: they never look at a card. A viewer
in the process that stored the card gets the fold made for it, as `games/consumers.py` hands it on; another
process reads on from the store, and its modules are counted separately.
"""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest

from deploy.environment import BASE_DIR
from engine import Observer, encode
from games import game_state
from games.live import client_frames
from games.observed import frames
from games.play.command_request import CommandRequest
from games.play.submit import submit
from games.rights import identity
from tests.games.cast import next_command, play, seated, table
from tests.games.test_command_queries import session_of

OURS = tuple(f"{BASE_DIR}/{layer}/" for layer in ("engine", "games", "tournaments", "frontend", "deploy"))
MAX_MODULES = 23
"""The present number; docs/developers/architecture.md names the steps."""
MAX_ELSEWHERE = 13
"""In another process: from the store to the frames."""


@contextmanager
def passed() -> Iterator[dict[str, None]]:
    """The project's modules whose functions are entered, in the order of their first call."""
    modules: dict[str, None] = {}

    def note(frame: FrameType, event: str, _: object) -> None:
        name = frame.f_code.co_filename
        if event == "call" and name.startswith(OURS) and frame.f_code.co_name != "<module>":
            modules.setdefault(Path(name).relative_to(BASE_DIR).as_posix())

    sys.setprofile(note)
    try:
        yield modules
    finally:
        sys.setprofile(None)


@pytest.mark.django_db
def test_a_card_passes_few_modules() -> None:
    for cards in (6, 7):  # the first card fills a cache
        game = play(table(), cards)
        command = next_command(game)
        claim = identity.load_claim(session_of(seated(game)[command.seat]))
        text = json.dumps({"command_id": "a-card", "command": json.loads(encode(command))})
        before = game_state.load_snapshot(game.id).head.seq
        with passed() as modules:
            request = client_frames.read_request({"type": "websocket.receive", "text": text})
            assert isinstance(request, CommandRequest)
            stored = submit(
                game.id, bytes(request.command), actor=claim, command_id=request.command_id, wait=False
            )
            assert stored.now is not None
            shown = frames.EventFrames(stored.now, before).frame(Observer.spectator())
        with passed() as elsewhere:
            shown_there = frames.EventFrames(game_state.load_snapshot(game.id), before).frame(
                Observer.spectator()
            )
        assert '"card_played"' in shown
        assert shown_there == shown
    print(len(modules), *modules, "", len(elsewhere), *elsewhere, sep="\n")
    assert len(modules) <= MAX_MODULES
    assert len(elsewhere) <= MAX_ELSEWHERE
