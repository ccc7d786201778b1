"""A disk that is full during play: SQLite gets no more pages."""

from collections.abc import Callable

import pytest
from django.db import OperationalError, connection

from engine import to_act
from games import game_state, store
from games.audit import audit
from games.models import Game
from games.monitoring import unavailable_errors
from games.play import submit
from tests.games.cast import PLAYERS, next_command, play, table


@pytest.fixture
def room(real_database: str) -> Callable[[int], None]:
    """How many more pages the file may have."""

    def give(pages: int) -> None:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA page_count")
            [used] = cursor.fetchone()
            cursor.execute(f"PRAGMA max_page_count={used + pages}")

    return give


def send(game: Game) -> int:
    """The next command; the seq it was acknowledged with."""
    command = next_command(game)
    name = f"m{store.read_head(game.pk).seq}"
    return submit.submit(game.pk, command, actor=PLAYERS[command.seat], command_id=name).last_seq


def until_it_is_full(game: Game, acknowledged: list[int]) -> None:
    while to_act(game_state.load_snapshot(game.pk).state) is not None:
        acknowledged.append(send(game))


# Only SQLite lets a test fill its disk.
@pytest.mark.parametrize("database_template", ["sqlite"], indirect=True, scope="session")
def test_nothing_is_half_stored_and_play_goes_on_when_there_is_room(room: Callable[[int], None]) -> None:
    game = table(deals=8)
    last: list[int] = []
    room(0)
    try:
        with pytest.raises(OperationalError) as full:
            until_it_is_full(game, last)
        assert unavailable_errors.reason(full.value) == unavailable_errors.DISK_FULL
        assert store.read_head(game.pk).seq >= last[-1]
        store.verify(game.pk)
        before = store.read_head(game.pk)
        with pytest.raises(OperationalError):
            send(game)
        assert store.read_head(game.pk) == before
    finally:
        room(100_000)
    assert play(game).status == Game.Status.ENDED
    assert audit(game).clean
