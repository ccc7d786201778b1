"""The clock of a table that does not start until all players are present, or until the director starts it.

A player is present once they have opened their seat's page, or have acted. Only the clock waits: players who
are present may play.
"""

from django.db import transaction
from django.utils import timezone

from games import game_state, store
from games.models import Game, Seat
from games.rights import seats
from games.timers import turn_deadlines


def come_to_table(game: Game, seat: int) -> None:
    """If the clock waits, record that the player of this seat has opened the table. If all players are
    present now, start the clock.
    """
    if not game.clock_waits:
        return
    with transaction.atomic():
        seats.lock_games([game.pk])
        refs = Seat.objects.filter(game=game, number=seat).values_list("player_ref", flat=True)
        if Game.objects.filter(pk=game.pk, clock_waits=True).exists() and everybody_is_here(game.pk, *refs):
            _time_the_turn(game.pk)


def start_clock(game_id: str) -> bool:
    """Start the clock, whether all players are present or not. Returns False if the clock ran already."""
    with transaction.atomic():
        seats.lock_games([game_id])
        if not Game.objects.filter(pk=game_id, clock_waits=True).update(clock_waits=False):
            return False
        _time_the_turn(game_id)
    return True


def everybody_is_here(game_id: str, *came: str) -> bool:
    """Record that the players with these references are present. If no player is missing, the game's turns
    are timed from the next one on. The caller has locked the game. Returns whether all players are present.
    """
    there = Seat.objects.filter(game=game_id, bot="", came_at=None)
    there.filter(player_ref__in=came).update(came_at=timezone.now())
    if there.exists():
        return False
    Game.objects.filter(pk=game_id).update(clock_waits=False)
    return True


def _time_the_turn(game_id: str) -> None:
    """Start the clock of the current turn, with its whole time from now on."""
    game = Game.objects.get(pk=game_id)
    store.execute(*turn_deadlines.arm(game, game_state.load_snapshot(game_id).table, timezone.now()))
