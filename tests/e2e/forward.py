"""Store many decisions of a game at once, for tests that begin in its middle. Only after django.setup()."""

from collections.abc import Sequence

from django.db import transaction

from engine.events import Event
from games.appending import AppendRequest, prepare
from games.game_state import GameSnapshot
from games.models import Game
from games.play.game_change import GameChange


def forward(game: Game, before: GameSnapshot, events: Sequence[Event], actor: str) -> None:
    """Write these events after `before`, as one command of `actor`."""
    with transaction.atomic():
        asked = AppendRequest(actor, "forward", bytes(32))
        batch = prepare(game.id, events, asked, head=before.head)
        GameChange(game, before, before.extended(events, batch.head), [batch]).commit()
