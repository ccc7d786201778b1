"""The unit of work of a game: events decided on a locked game, stored in one write with all consequences.

This module lists the consequences: functions in STATEMENT_BUILDERS return statements for the same write, and
functions in FOLLOW_UPS run after it in the same transaction.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils import timezone

from engine import Command, Event, decide, to_act
from games import game_state, store
from games.appending import SERVER, AppendRequest, by_command, prepare
from games.errors import UnknownGame
from games.game_state import GameSnapshot
from games.messaging import game_pubsub
from games.models import Game
from games.projections import delayed_broadcast, projection
from games.randomness import next_deal, round_seed
from games.randomness.dealing import Source
from games.store import queries
from games.timers import turn_deadlines


@dataclass(eq=False, slots=True)
class GameChange:
    """A change of a locked game, inside a transaction. `before`: the snapshot when the game was locked.
    `after`: the snapshot with all events decided since. `batches`: the writes of these events. `bot_seats`:
    rows of `queries.select_bot_seats`; None if they have not been read.
    """

    game: Game
    before: GameSnapshot
    after: GameSnapshot
    batches: list[store.Batch] = field(default_factory=list)
    bot_seats: store.Rows | None = None
    now: datetime = field(init=False)
    """The time of storing, set by `commit`. Deadlines count from this time."""

    def append(self, command: Command, request: AppendRequest) -> list[Event]:
        """Decide a command, add its events to the change, and return them. Raises IllegalCommand."""
        events = decide(self.after.table, command)
        batch = prepare(self.game.id, events, request, head=self.after.head)
        self.after = self.after.extended(events, batch.head)
        self.batches.append(batch)
        return events

    def server_deals(self) -> bool:
        """Return whether the next step is a deal by the server."""
        return turn_deadlines.server_deals(self.game, self.after.table)

    def deal(self, source: Source | None = None) -> None:
        """Add the server's deal to the change. `source`: the randomness of the round; None reads it."""
        state = self.after.state
        source = source or round_seed.source_of(self.game.round_stream_id)
        command = next_deal.next_deal(self.game, state, source)
        self.append(command, by_command(command, SERVER, f"server:deal:{state.deal + 1}"))

    def events(self) -> tuple[Event, ...]:
        """Return all events of this change."""
        return self.after.events[len(self.before.events) :]

    def commit(self) -> None:
        """Store the events with all consequences. Hints are sent after the commit."""
        self.now = timezone.now()
        store.write(self.batches, *(statement for react in STATEMENT_BUILDERS for statement in react(self)))
        for follow in FOLLOW_UPS:
            follow(self)


def lock(game_id: str, *questions: store.Statement, wait: bool = True) -> store.LockedGame:
    """Lock a game, and send the statements `questions` in the same round trip.

    `answers` of the result are the rows of `queries.select_bot_seats`, then the rows of each question. Raises
    UnknownGame; StreamBusy for a locked game if `wait` is False.
    """
    locked = store.lock_game(game_id, queries.select_bot_seats(game_id), *questions, wait=wait)
    if locked is None:
        raise UnknownGame(f"there is no game {game_id}", game=game_id)
    return locked


def begin(locked: store.LockedGame) -> GameChange:
    """Begin a change of a locked game, and load its snapshot. Loading may read and decrypt the whole log, so
    callers check rights and turn first if they can.
    """
    before = game_state.load_snapshot(locked.game.id, locked.head)
    return GameChange(locked.game, before, before, bot_seats=locked.answers[0])


def _arm_turn(change: GameChange) -> list[store.Statement]:
    """Return the statements that set the deadline of the new turn; empty if no turn begins. Sets `turn_seq`
    of the game.
    """
    before, after = to_act(change.before.table), to_act(change.after.table)
    if not turn_deadlines.begins_turn(before, after, list(change.events())):
        return []
    change.game.turn_seq = change.after.head.seq
    return turn_deadlines.arm(change.game, change.after.table, change.now, change.bot_seats)


def _update_row(change: GameChange) -> list[store.Statement]:
    """Return the statement that writes the game's row. In a delayed game, return the statements that write
    `Game.ahead` and set the deadline at which it is shown.
    """
    game, after, seq = change.game, change.after, change.after.head.seq
    if game.delay_minutes:
        ahead = delayed_broadcast.build_ahead(after, change.now)
        return [
            queries.update_game(game.id, {"ahead_seq": seq, "ahead": ahead, "turn_seq": game.turn_seq}),
            delayed_broadcast.schedule_show(game.id, change.now, game.delay_minutes),
        ]
    row = projection.columns(projection.summarise(after.table))
    row |= {"head_seq": seq, "last_event_at": change.now}
    for name, value in row.items():
        setattr(game, name, value)
    return [queries.update_game(game.id, row | {"turn_seq": game.turn_seq})]


def _write_outcome(change: GameChange) -> None:
    """Write the rows of the results. In a delayed game `delayed_projection` writes them later."""
    if change.game.delay_minutes:
        return
    projection.write_outcome(change.game, change.before.table, change.after.table, change.events())


def _announce(change: GameChange) -> None:
    """After the commit, cache the snapshot and publish a hint."""
    game_id, after = change.game.id, change.after
    transaction.on_commit(lambda: game_state.cache_snapshot(after))
    transaction.on_commit(lambda: game_pubsub.publish_hint(game_id, after.head.seq), robust=True)


# `_arm_turn` sets the `turn_seq` that `_update_row` writes.
STATEMENT_BUILDERS: Final[tuple[Callable[[GameChange], list[store.Statement]], ...]] = (
    _arm_turn,
    _update_row,
)
FOLLOW_UPS: Final[tuple[Callable[[GameChange], None], ...]] = (_write_outcome, _announce)
