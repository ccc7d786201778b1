"""A game played through the services, from the start to the end."""

import pytest

from engine import Observer, view_for
from games import fold, store, strategies, submit, tables
from games.models import DealResult, Game

PLAYERS = ["a" * 32, "b" * 32, "c" * 32, "d" * 32]  # Anna, Beat, Chiara, Dario


def play(game: Game, moves: int = 10_000) -> Game:
    """Let everybody do the first legal thing until the game ends or the moves are used up."""
    for number in range(moves):
        game.refresh_from_db()
        if game.turn_seat is None:
            break
        now = fold.at(game.id)
        view = tuple(view_for(now.events, Observer.seat(game.turn_seat)))
        command = strategies.first_legal(view, game.turn_seat, b"")
        submit.submit(game.id, command, actor="anna", command_id=f"m{game.head_seq}-{number}")
    return game


@pytest.mark.django_db
def test_a_game_is_dealt_played_and_counted() -> None:
    game = tables.create_game(
        variant="schieber", preset="championship", options={"deals": 2}, players=PLAYERS
    )
    assert (game.status, game.deal, game.phase) == ("running", 1, "contract_choice")
    play(game)
    assert game.status == "ended"
    store.verify(game.id)
    results = list(DealResult.objects.filter(game=game))
    assert [result.deal for result in results] == [1, 2]
    assert all(sum(result.card_points) == 157 and result.confirmed for result in results)
    assert [sum(result.counted[side] for result in results) for side in (0, 1)] == game.totals
