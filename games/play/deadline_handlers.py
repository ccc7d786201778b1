"""Acting when a deadline is due: the server's deal after a pause, a bot's move, a clock that has run out."""

import hashlib
import logging
from functools import partial

from engine import IllegalCommand, Observer, view_for
from games import game_state, store
from games.bots import strategies
from games.models import Deadline, Game, Seat
from games.play import submit
from games.projections import delayed_broadcast
from games.randomness import round_seed
from games.timers import deadlines, turn_deadlines

log = logging.getLogger(__name__)


def register_handlers() -> None:
    """Called once, when the app is ready."""
    deadlines.register(turn_deadlines.DEAL, deal)
    deadlines.register(turn_deadlines.BOT, bot)
    deadlines.register(turn_deadlines.CLOCK, clock, mostly_moved=True)


def deal(deadline: Deadline) -> None:
    """The pause is over: the next deal."""
    game = _game_of_turn(deadline)
    if game is None:
        return
    before = game_state.at(game.id, store.head_of(game.id, lock=True))
    if turn_deadlines.server_deals(game, before.table):
        source = round_seed.source_of(game.round_stream_id)
        after, dealt = submit.deal(game, before, source)
        submit.project_and_arm(game, before, after, [dealt])


def bot(deadline: Deadline) -> None:
    """A bot moves; one that has no legal idea plays the first card that is."""
    game = _game_of_turn(deadline)
    if game is None or game.turn_seat is None:
        return
    row = Seat.objects.get(game=game, number=game.turn_seat)
    ask = partial(_move, game, row.number, actor=row.player_ref)
    try:
        ask(strategies.named(row.bot), command_id=f"bot:{game.turn_seq}")
    except IllegalCommand as refusal:
        log.error("bot %s made an illegal move: %s", row.bot, refusal.code, extra={"game": game.id})
        ask(strategies.first_legal, command_id=f"bot:{game.turn_seq}:legal")


def clock(deadline: Deadline) -> None:
    """A player's time is up: the first legal thing is done for him."""
    game = _game_of_turn(deadline)
    if game is not None and game.turn_seat is not None:
        command_id = f"clock:{game.turn_seq}"
        _move(game, game.turn_seat, strategies.first_legal, actor=turn_deadlines.CLOCK, command_id=command_id)


def _move(game: Game, seat: int, strategy: strategies.Strategy, *, actor: str, command_id: str) -> None:
    now = game_state.at(game.id, store.head_of(game.id, lock=True))
    view = tuple(view_for(now.events, Observer.seat(seat)))
    chance = hashlib.sha256(f"{game.id}:{seat}:{game.turn_seq}".encode()).digest()
    command = strategy(view, seat, chance)
    submit.submit(game.id, command, actor=actor, command_id=command_id, expected_seq=now.head.seq)


def _game_of_turn(deadline: Deadline) -> Game | None:
    """The game, if it still stands at the turn the deadline was armed for."""
    if deadline.guard_seq is None:
        return None
    game = Game.objects.filter(pk=deadline.stream_id, turn_seq=deadline.guard_seq).first()
    return None if game is None else delayed_broadcast.now_of(game)
