"""The cast at a table, and games for them.

Anna, Beat, Chiara and Dario sit at seats 0 to 3; Eva watches, Fredi directs, Gabi referees.
"""

from typing import Any

from engine import Observer, redact_events, to_act
from games import game_state
from games.bots import strategies
from games.models import Access, Game, User
from games.play import game_creation, submit
from games.rights import tokens

ANNA, BEAT, CHIARA, DARIO = PLAYERS = [letter * 32 for letter in "abcd"]
SEATED = ["anna", "beat", "chiara", "dario"]


def table(deals: int = 1, **more: Any) -> Game:
    """A dealt Schieber of this many deals, by championship rules."""
    arguments: dict[str, Any] = {
        "variant": "schieber",
        "preset": "championship",
        "options": {"deals": deals},
        "players": PLAYERS,
    }
    return game_creation.create_game(**arguments | more)


def person(name: str, game: Game | None = None, role: str = "", seat: int | None = None, **more: Any) -> User:
    """Create a user with a role at a game."""
    user, _ = User.objects.get_or_create(username=name)
    if game is not None:
        Access.objects.create(game=game, user=user, role=role, seat=seat, **more)
    return user


def seated(game: Game) -> list[User]:
    """Create Anna, Beat, Chiara and Dario with the right to play their seats."""
    return [person(name, game, "seat", seat, ref=PLAYERS[seat]) for seat, name in enumerate(SEATED)]


def table_code(game: Game, role: str, seat: int | None = None, **more: Any) -> str:
    """Return the code on a slip of this table."""
    token, row = tokens.create_token(game, role, seat, **more)
    tokens.store([row])
    return token


def turn_of(game: Game) -> int:
    """Return the seat in turn."""
    assert game.turn_seat is not None
    return game.turn_seat


def on_turn(game: Game) -> User:
    """Give the four people their seats, and return the one in turn."""
    return seated(game)[turn_of(game)]


def next_command(game: Game) -> Any:
    """Return the first legal command of the seat in turn; None without one."""
    now = game_state.load_snapshot(game.id)
    turn = to_act(now.state)
    if turn is None or turn.seat is None:
        return None
    view = tuple(redact_events(now.events, Observer.seat(turn.seat)))
    return strategies.first_legal(view, turn.seat, b"")


def play(game: Game, moves: int = 10_000) -> Game:
    """Play the first legal command of each turn until there is no turn or the moves are used up."""
    for _ in range(moves):
        command = next_command(game)
        if command is None:
            break
        seq = game_state.load_snapshot(game.id).head.seq
        submit.submit(game.id, command, actor=PLAYERS[command.seat], command_id=f"m{seq}", expected_seq=seq)
    game.refresh_from_db()
    return game
