"""Tables with a person on each seat: `python -m tests.e2e.seats` in the place of a live tree.

Anna, Beat, Chiara and Dario sit at seats 0 to 3. Some of the games have come to a moment that is rare.
"""

import json
import os
from collections.abc import Callable

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
django.setup()

from engine import Observer, State, list_out_of_turn_commands, redact_events, replay, to_act
from engine.commands import Bid, Command, Keep, Pass
from games import game_state
from games.bots import choose
from games.models import Access, Game, User
from games.play import game_creation, submit

PASSWORD = "Ein-Trumpf-im-Aermel-7"
CAST = ("anna", "beat", "chiara", "dario")
PLAYERS = [letter * 32 for letter in "abcd"]


def table(variant: str, seats: int, **options: object) -> Game:
    """Create a dealt game of these people."""
    return game_creation.create_game(variant=variant, players=PLAYERS[:seats], options=options)


def play_on(game: Game, until: Callable[[State], bool]) -> Game:
    """Play a game by bots' decisions up to a moment, which it must reach; Anna wins the auction."""
    assert has_come(game, until)
    return game


def has_come(game: Game, until: Callable[[State], bool]) -> bool:
    """Play on to a moment; return whether the game reaches it."""
    while not until(state := game_state.load_snapshot(game.id).state):
        turn = to_act(state)
        if turn is None:
            return False
        assert turn.seat is not None
        command: Command
        if turn.phase == "auction":
            points = 60 if state.seats == 2 else 500
            command = Pass(seat=turn.seat) if turn.seat else Bid(seat=0, points=points)
        else:
            view = replay(redact_events(game_state.load_snapshot(game.id).events, Observer.seat(turn.seat)))
            command = choose(view, turn.seat, b"seats")
        submit.submit(game.id, command, actor=PLAYERS[turn.seat], command_id=f"s{state.seq}")
    return True


def with_an_early_lead() -> Game:
    """Return a game in which Beat is about to lead with known trumps, which not every game reaches."""
    while True:
        if has_come(game := table("plus-minus", 3), beat_leads):
            return game


def with_the_six() -> Game:
    """Return a game in which Anna speaks first and holds the six that may be exchanged for the turned card,
    and has not exchanged it. The first dealer is drawn.
    """
    while True:
        game = table("la-pomme", 2)
        turn = to_act(game_state.load_snapshot(game.id).state)
        if turn is None or turn.seat != 0:
            continue
        submit.submit(game.id, Keep(seat=0), actor=PLAYERS[0], command_id="keep")
        if list_out_of_turn_commands(game_state.load_snapshot(game.id).state, 0):
            return game


def beat_leads(state: State) -> bool:
    """Return whether seat 1 is about to lead to an early trick with known trumps."""
    turn = to_act(state)
    leads = turn is not None and turn.phase == "trick_play" and turn.seat == 1 and not state.trick
    return leads and state.contract is not None and len(state.tricks) < 3


def in_phase(name: str) -> Callable[[State], bool]:
    return lambda state: (turn := to_act(state)) is not None and turn.phase == name


def main() -> None:
    """Create them and print their ids by name."""
    people = [User.objects.create_user(name, password=PASSWORD) for name in CAST]
    games = {
        "claimed": table("schieber", 4, claim_out="required"),
        "stopped": table("lake-constance", 2),
        "taken": with_the_six(),
        "ahead": with_an_early_lead(),
        "conceded": play_on(table("bieter", 3), in_phase("concession")),
        "paid": play_on(
            table("differenzler", 3, deals=3, stake=2),
            lambda state: state.deal == 3 and len(state.tricks) == state.sizes[0] - 1 and not state.trick,
        ),
    }
    for game in games.values():
        for seat in range(game.seat_count):
            Access.objects.create(game=game, user=people[seat], role="seat", seat=seat, ref=PLAYERS[seat])
    print(json.dumps({name: str(game.pk) for name, game in games.items()}))


if __name__ == "__main__":
    main()
