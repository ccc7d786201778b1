"""Bots that play without waiting."""

from django.utils import timezone

from games.models import Deadline, Game
from games.timers import deadlines, turn_deadlines


def play_out(game: Game, moves: int = 100_000) -> int:
    """Run the bots of a game and the server's deals without waiting, until a human is to act or the game is
    over. Returns the number of deadlines run. `game` is read again."""
    for done in range(moves):
        row = Deadline.objects.filter(
            stream_id=game.pk, kind__in=(turn_deadlines.BOT, turn_deadlines.DEAL)
        ).first()
        game.refresh_from_db()
        if row is None or row.guard_seq != game.turn_seq:
            return done
        if not deadlines.run(row.pk, now=max(row.due_at, timezone.now())):
            return done
    return moves
