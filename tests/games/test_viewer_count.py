"""The number of spectators: across processes, without participants, and decreasing when they leave."""

import secrets
from typing import Any

import pytest

from games.live.socket_slots import SLOT_LIFETIME_SECONDS, SocketSlots
from games.messaging import redis_client
from games.models import Game
from tests.games.cast import play, seated, table
from tests.games.live_server import WebProcess

pytestmark = pytest.mark.parametrize("database_template", ["sqlite"], indirect=True)
"""What is tested here does not depend on the database."""
SETTINGS = {"DJANGO_SETTINGS_MODULE": "tests.games.live_settings"}


@pytest.fixture
def game(web: WebProcess) -> Game:
    return play(table(), 3)


@pytest.fixture
def which() -> str:
    return secrets.token_hex(16)


def test_who_looks_on_is_counted_and_who_plays_is_not(web: WebProcess, game: Game) -> None:
    anna = seated(game)[0]
    with web.connect(game, anna) as player:
        player.frame()
        assert player.frame("heartbeat")["watching"] == 0
        with web.connect(game) as eva, web.connect(game) as urs:
            eva.frame()
            urs.frame()
            while player.frame("heartbeat")["watching"] != 2:
                pass
            assert eva.frame("heartbeat")["watching"] <= 2
        while player.frame("heartbeat")["watching"] != 0:
            pass


def test_a_heartbeat_is_the_same_to_a_player_and_to_who_looks_on(web: WebProcess, game: Game) -> None:
    with web.connect(game, seated(game)[0]) as anna, web.connect(game) as eva:
        said = [{json_text(line) for _ in range(3)} for line in (anna, eva)]

    assert said[0] & said[1], "of three beats at least one was heard by both"


def json_text(line: Any) -> str:
    while '"kind":"heartbeat"' not in (found := line.raw()):
        pass
    return str(found)


def test_processes_add_up_and_each_game_counts_for_itself(database_template: object, which: str) -> None:
    one, two, asks = SocketSlots("audience"), SocketSlots("audience"), SocketSlots("audience")
    for process in (one, one, two):
        process.add(which)
    two.add(f"{which}x")
    one.publish()
    two.publish()

    assert asks.count_everywhere([which, f"{which}x", "none"]) == {which: 3, f"{which}x": 1}
    assert one.count_everywhere([which]) == {which: 3}
    one.release(which)
    one.publish()
    assert asks.count_everywhere([which]) == {which: 2}


def test_who_watches_takes_nobody_a_place(database_template: object, which: str) -> None:
    watching, places = SocketSlots("audience"), SocketSlots()
    for _ in range(20):
        watching.add(which)
    watching.publish()

    assert places.acquire([(which, 1)]) == [True]


def test_redis_holds_a_figure_a_game_and_forgets_it_by_itself(database_template: object, which: str) -> None:
    process = SocketSlots("audience")
    process.add(which)
    process.publish()

    name = redis_client.key("audience", process._process)
    assert redis_client.ask_redis(lambda redis: dict(redis.hgetall(name)), None) == {which.encode(): b"1"}
    assert 0 < redis_client.ask_redis(lambda redis: int(redis.ttl(name)), 0) <= SLOT_LIFETIME_SECONDS


def test_without_redis_a_process_says_what_it_knows(
    database_template: object, which: str, settings: Any
) -> None:
    process = SocketSlots("audience")
    process.add(which)
    settings.REDIS_URL = "unix:///nowhere/valkey.sock"

    assert process.count_everywhere([which]) == {which: 1}
