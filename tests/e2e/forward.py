"""Many decisions of a game stored at once, for tests that begin in its middle. Only after django.setup()."""

from collections.abc import Sequence

from django.db import transaction

from engine.events import Event
from games import store, submit
from games.fold import Fold
from games.models import Game


def forward(game: Game, before: Fold, events: Sequence[Event], actor: str) -> None:
    """Write these events after `before`, as one command of `actor`."""
    with transaction.atomic():
        said = submit.records(list(events))
        stored = store.append(
            game.id, before.head, said, actor=actor, command_id="forward", body_hash=bytes(32)
        )
        submit.settle(game, before, before.extended(list(events), stored.head))
