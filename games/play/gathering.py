"""The clock of a table that waits until everybody is there, or until the director says so.

Whoever opens his seat's page, or acts, is there. Only the clock waits: who is there may play on.
"""

from django.db import transaction
from django.utils import timezone

from games import game_state, store
from games.models import Game, Seat
from games.rights import seats
from games.timers import turn_deadlines


def come_to_table(game: Game, seat: int) -> None:
    """Whoever sits there has opened his table."""
    if not game.clock_waits:
        return
    with transaction.atomic():
        seats.hold_seats([game.pk])
        refs = Seat.objects.filter(game=game, number=seat).values_list("player_ref", flat=True)
        if Game.objects.filter(pk=game.pk, clock_waits=True).exists() and everybody_is_here(game.pk, *refs):
            _time_the_turn(game.pk)


def start_clock(game_id: str) -> bool:
    """Whoever is there: turns are timed from now on. False: they were already."""
    with transaction.atomic():
        seats.hold_seats([game_id])
        if not Game.objects.filter(pk=game_id, clock_waits=True).update(clock_waits=False):
            return False
        _time_the_turn(game_id)
    return True


def everybody_is_here(game_id: str, *came: str) -> bool:
    """Note that these have come, by reference; the game is held. Where nobody is missing any more its turns
    are timed from the next one on."""
    there = Seat.objects.filter(game=game_id, bot="", came_at=None)
    there.filter(player_ref__in=came).update(came_at=timezone.now())
    if there.exists():
        return False
    Game.objects.filter(pk=game_id).update(clock_waits=False)
    return True


def _time_the_turn(game_id: str) -> None:
    """The turn that goes on has its whole time from now on."""
    game = Game.objects.get(pk=game_id)
    store.ask(*turn_deadlines.arm(game, game_state.at(game_id).table, timezone.now()))
