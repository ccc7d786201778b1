"""Two worlds that differ only in what a client must not know give him the same bytes, frame by frame."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from engine import cards
from games import dealing
from games.models import Game
from games.submit import submit
from tests.games.cast import ANNA, person, seated, table
from tests.games.live_server import WebProcess, place

MINE = ["D6", "D10", "DJ", "HA", "H7", "S6", "SK", "C8", "CQ"]
REST = [card for card in cards.DECK if card not in MINE]
PLAYS: list[dict[str, Any]] = [
    {"cmd": "choose", "seat": 0, "contract": "diamonds"},
    {"cmd": "play", "seat": 0, "card": "HA"},
]


@pytest.fixture(scope="module")
def web(
    database_template: dict[str, Any], tmp_path_factory: pytest.TempPathFactory, django_db_blocker: Any
) -> Iterator[WebProcess]:
    with place(database_template, tmp_path_factory, django_db_blocker) as process:
        yield process


World = Callable[[list[str]], Game]


@pytest.fixture
def world(web: WebProcess, monkeypatch: pytest.MonkeyPatch) -> World:
    """A table where seat 0, forehand by the D10, holds MINE and the others hold what is given, nine each."""

    def dealt(others: list[str]) -> Game:
        hands = [MINE, others[:9], others[9:18], others[18:]]
        deck = [hand[3 * packet + i] for packet in range(3) for hand in hands for i in range(3)]
        monkeypatch.setattr(dealing, "deck", lambda *_: deck)
        return table(options={"deals": 1, "first_forehand": "D10"})

    return dealt


def frames_of(web: WebProcess, game: Game, user: Any, query: str = "") -> list[str]:
    """What one client gets, from the first frame to the last, live; without the name of the game."""
    said = []
    with web.connect(game, user, query) as line:
        said.append(line.raw())
        for number, command in enumerate(PLAYS):
            submit(game.id, command, actor=ANNA, command_id=f"c-{number}")
            said.append(line.raw())
        line.say({"command_id": "x", "command": {"cmd": "play", "seat": 0, "card": "D6"}})
        said.append(line.raw())
        line.say({"since": -1})
        said.append(line.raw())
    return [text.replace(game.id, "GAME") for text in said]


@pytest.mark.parametrize("who", ["anna", "eva", "nobody"])
def test_the_others_hands_change_no_byte(web: WebProcess, world: World, who: str) -> None:
    seen = []
    for others in (REST, REST[::-1], REST[13:] + REST[:13]):
        game = world(others)
        people = {"anna": seated(game)[0], "eva": person("eva", game, "spectator"), "nobody": None}
        seen.append(frames_of(web, game, people[who]))
    assert seen[0] == seen[1] == seen[2]


def test_a_players_own_hand_changes_no_length(web: WebProcess, world: World) -> None:
    lengths = []
    for others in (REST, REST[::-1], REST[13:] + REST[:13]):
        game = world(others)
        lengths.append([len(text) for text in frames_of(web, game, seated(game)[1])])
    assert lengths[0] == lengths[1] == lengths[2]


def test_the_worlds_do_differ(web: WebProcess, world: World) -> None:
    """Otherwise the tests above could not fail."""
    one, other = world(REST), world(REST[::-1])
    assert frames_of(web, one, seated(one)[1]) != frames_of(web, other, seated(other)[1])
