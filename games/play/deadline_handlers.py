"""Handlers of the deadlines of a turn: the server's deal, a bot's move, the end of a player's time. They do
nothing once the turn is over.
"""

import hashlib
import logging
from functools import partial

from engine import IllegalCommand, Observer, redact_events, to_act
from games.bots import strategies
from games.models import Deadline, Seat
from games.play import game_change, submit
from games.play.game_change import GameChange
from games.timers import deadlines, turn_deadlines

log = logging.getLogger(__name__)


def register_handlers() -> None:
    """Register the handlers. Called once, at the start."""
    deadlines.register(turn_deadlines.DEAL, deal)
    deadlines.register(turn_deadlines.BOT, bot)
    deadlines.register(turn_deadlines.CLOCK, clock, mostly_moved=True)


def deal(deadline: Deadline) -> None:
    """Deal the next deal after the pause."""
    change = _lock_turn(deadline)
    if change is not None and change.server_deals():
        change.deal()
        change.commit()


def bot(deadline: Deadline) -> None:
    """Move for a bot. If its move is illegal, log an error and make the first legal move."""
    change = _lock_turn(deadline)
    turn = None if change is None else to_act(change.before.table)
    if change is None or turn is None or turn.seat is None:
        return
    game = change.game
    row = Seat.objects.get(game=game.id, number=turn.seat)
    ask = partial(_move, change, row.number, actor=row.player_ref)
    try:
        ask(strategies.named(row.bot), command_id=f"bot:{game.turn_seq}")
    except IllegalCommand as refusal:
        log.error("bot %s made an illegal move: %s", row.bot, refusal.code, extra={"game": game.id})
        ask(strategies.first_legal, command_id=f"bot:{game.turn_seq}:legal")


def clock(deadline: Deadline) -> None:
    """Make the first legal move for a player whose time is up."""
    change = _lock_turn(deadline)
    turn = None if change is None else to_act(change.before.table)
    if change is not None and turn is not None and turn.seat is not None:
        command_id = f"clock:{change.game.turn_seq}"
        _move(change, turn.seat, strategies.first_legal, actor=turn_deadlines.CLOCK, command_id=command_id)


def _move(
    change: GameChange, seat: int, strategy: strategies.Strategy, *, actor: str, command_id: str
) -> None:
    game, now = change.game, change.before
    view = tuple(redact_events(now.events, Observer.seat(seat)))
    chance = hashlib.sha256(f"{game.id}:{seat}:{game.turn_seq}".encode()).digest()
    command = strategy(view, seat, chance)
    submit.submit(game.id, command, actor=actor, command_id=command_id, expected_seq=now.head.seq)


def _lock_turn(deadline: Deadline) -> GameChange | None:
    """Lock the game and return its change; None if the turn of the deadline is over."""
    if deadline.guard_seq is None:
        return None
    locked = game_change.lock(deadline.stream_id)
    return game_change.begin(locked) if locked.game.turn_seq == deadline.guard_seq else None
