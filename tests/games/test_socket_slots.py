"""A person's sockets are counted across all web processes; those of a dead process are not."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from games.live.socket_slots import SocketSlots
from games.messaging import redis_client
from games.models import Game, User
from tests.games.cast import play, seated, table
from tests.games.live_server import WebProcess, web_process

pytestmark = pytest.mark.parametrize("database_template", ["sqlite"], indirect=True)
"""What is tested here does not depend on the database."""


@pytest.fixture
def other(web: WebProcess, tmp_path: Path) -> Iterator[WebProcess]:
    with web_process(tmp_path) as process:
        yield process


@pytest.fixture
def game(web: WebProcess) -> Game:
    return play(table(), 3)


def open_at(stack: ExitStack, web: WebProcess, game: Game, user: User, count: int) -> None:
    for _ in range(count):
        line = stack.enter_context(web.connect(game, user))
        assert line.frame()["kind"] == "events"


def is_refused(web: WebProcess, game: Game, user: User) -> bool:
    with web.connect(game, user) as line:
        if line.frame()["kind"] == "events":
            return False
        assert line.closing_code() == 4429
        return True


@pytest.mark.slow
def test_the_ninth_socket_is_refused_wherever_the_eight_are(
    web: WebProcess, other: WebProcess, game: Game
) -> None:
    anna, beat = seated(game)[:2]
    with ExitStack() as stack:
        open_at(stack, web, game, anna, 5)
        open_at(stack, other, game, anna, 3)
        assert is_refused(web, game, anna)
        assert is_refused(other, game, anna)
        assert not is_refused(web, game, beat)
        assert not is_refused(other, game, beat)


def until_there_is_room(web: WebProcess, game: Game, user: User) -> None:
    """Tries again until it is let in."""
    until = monotonic() + 60
    while monotonic() < until:
        if not is_refused(web, game, user):
            return
    pytest.fail("the places were never free again")


def test_places_are_free_again_where_somebody_has_left(
    web: WebProcess, other: WebProcess, game: Game
) -> None:
    anna = seated(game)[0]
    with ExitStack() as here:
        open_at(here, web, game, anna, 4)
        with ExitStack() as there:
            open_at(there, other, game, anna, 4)
            assert is_refused(web, game, anna)
        until_there_is_room(web, game, anna)


@pytest.mark.long(1)
@pytest.mark.slow
def test_places_of_a_process_that_was_killed_are_free_again(
    web: WebProcess, other: WebProcess, game: Game
) -> None:
    anna = seated(game)[0]
    with ExitStack() as stack:
        open_at(stack, other, game, anna, 8)
        assert is_refused(web, game, anna)
        other.kill()
        until_there_is_room(web, game, anna)


@pytest.fixture
def who() -> str:
    import secrets

    return f"user:{secrets.token_hex(8)}"


def test_those_who_come_at_once_get_what_is_left(database_template: object, who: str) -> None:
    one, two = SocketSlots(), SocketSlots()
    assert one.acquire([(who, 8)] * 5) == [True] * 5
    assert two.acquire([(who, 8)] * 5) == [True] * 3 + [False] * 2
    one.release(who)
    one.publish()
    two.publish()
    assert two.acquire([(who, 8)] * 2) == [True, False]
    assert (one.all(), two.all()) == (4, 4)


def test_without_redis_each_process_counts_for_itself(
    database_template: object, who: str, settings: Any
) -> None:
    one, two = SocketSlots(), SocketSlots()
    assert one.acquire([(who, 2)] * 2) == [True, True]
    working, settings.REDIS_URL = settings.REDIS_URL, "unix:///nowhere/valkey.sock"
    assert two.acquire([(who, 2)] * 3) == [True, True, False]
    settings.REDIS_URL = working
    two.publish()
    assert one.acquire([(who, 5)] * 2) == [True, False], "what was open meanwhile is told when Redis is back"


@pytest.mark.slow
def test_counts_that_redis_has_lost_are_told_again(database_template: object, who: str) -> None:
    one, two = SocketSlots(), SocketSlots()
    one.acquire([(who, 2)] * 2)
    redis_client.ask_redis(
        lambda redis: redis.delete(redis_client.key("places"), redis_client.key("places", one._process)), None
    )
    one.publish()  # finds that it is gone
    one.publish()
    assert two.acquire([(who, 2)]) == [False]
