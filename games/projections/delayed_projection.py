"""The row of a delayed game follows its log: each event is shown when the delay after its recording is over.

A game has one deadline, due when the oldest held-back event is to be shown. A late handler shows events
later, never earlier. At tables that play the same cards, an event is also held back until its deal is open
(`games.projections.same_cards`).
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import partial
from itertools import takewhile

from django.db import transaction
from django.utils import timezone

from games import store
from games.messaging import game_pubsub
from games.models import Deadline, Game
from games.projections import delayed_broadcast, projection, same_cards
from games.timers import deadlines


def register_handler() -> None:
    """Register the handler. Called once at the start."""
    deadlines.register(delayed_broadcast.SHOW, handle_show_deadline)


def handle_show_deadline(deadline: Deadline) -> None:
    """Show the events of the game that are old enough."""
    catch_up(deadline.stream_id)


def delay(games: Iterable[Game], minutes: int) -> None:
    """Set the delay of these games; 0: everything is shown at once. Events that have been shown stay visible,
    so after a delay is made longer nothing new appears for a while.

    Watchers without the right to see the game undelayed are moved to the delayed view.
    """
    for game in games:
        with transaction.atomic():
            store.read_head(game.pk, lock=True)
            Game.objects.filter(pk=game.pk).update(delay_minutes=minutes)
            catch_up(game.pk)
        transaction.on_commit(partial(game_pubsub.publish_rights_change, game.pk), robust=True)


def catch_up(game_id: str) -> None:
    """Write the row and results of a game up to the last event that may be shown now. Set the deadline of the
    next event, unless it waits for other tables.
    """
    with transaction.atomic():
        head = store.read_head(game_id, lock=True)
        game = Game.objects.get(pk=game_id)
        waiting = store.read(game_id, since=game.head_seq, upto=head.seq, parts=False)
        wait = timedelta(minutes=game.delay_minutes)
        latest = timezone.now() - wait
        old = list(takewhile(lambda event: _recorded(event) <= latest, waiting)) if wait else waiting
        shared = same_cards.find_open_deal(game) if wait else None
        shown = old if shared is None else list(same_cards.list_open_events(old, shared))
        if shown:
            _show(game, shown[-1])
        if shared is not None:
            same_cards.wake_waiting(game, shared)
        if len(shown) < len(old):
            deadlines.disarm(delayed_broadcast.SHOW, game_id)  # another table opens the deal
        elif len(shown) < len(waiting):
            deadlines.arm(delayed_broadcast.SHOW, game_id, _recorded(waiting[len(shown)]) + wait)
        else:
            Game.objects.filter(pk=game_id).update(ahead=None, ahead_seq=None)
            deadlines.disarm(delayed_broadcast.SHOW, game_id)


def _show(game: Game, last: store.StoredEvent) -> None:
    before, after = (
        delayed_broadcast.load_shown_snapshot(game.pk, game.head_seq),
        delayed_broadcast.load_shown_snapshot(game.pk, last.seq),
    )
    row = projection.columns(projection.summarise(after.table))
    Game.objects.filter(pk=game.pk).update(head_seq=last.seq, last_event_at=_recorded(last), **row)
    projection.write_outcome(game, before.table, after.table, after.events[len(before.events) :])
    transaction.on_commit(lambda: game_pubsub.publish_delayed_hint(game.pk, last.seq), robust=True)


def _recorded(event: store.StoredEvent) -> datetime:
    return datetime.fromisoformat(event.recorded_at)
