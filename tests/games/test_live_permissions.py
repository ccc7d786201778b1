"""The permission matrix of sockets: received and permitted frames of every role at every kind of table.

Received frames are compared byte by byte with those of the observer in the matrix.
"""

import json
from typing import Any

import pytest

from engine import Observer
from games import game_state
from games.models import Game
from games.observed import frames
from tests.games.cast import ANNA, person, play, table
from tests.games.live_server import Line, WebProcess, cookie, phone
from tests.games.test_access import ALLOWED, COMMANDS

SEAT = 2
KINDS: dict[str, dict[str, Any]] = {
    "dealt": {},
    "private": {"visibility": "private"},
    "after": {"visibility": "after_deal"},
    "ended": {},
    "written": {"mode": "transcribed"},
    "sheet": {"mode": "sheet"},
}
SEES: dict[str, Observer | None] = {
    "-": None,
    "table": Observer.spectator(),
    "later": Observer.spectator("after_deal"),
    "opened": Observer.spectator("after_deal", opened=1),
    "seat": Observer.seat(SEAT),
    "all": Observer.referee(),
}
# role -> what it sees at each kind of table, in the order of KINDS
MATRIX = {
    "nobody": "table - later table table table",
    "stranger": "table - later table table table",
    "seat": "seat seat seat seat all all",
    "code of seat": "seat seat seat seat all all",
    "code of another table": "table - later table table table",
    "spectator": "table table later table table table",
    "spectator after": "later later later later later later",
    "scorer": "table table later table all all",
    "code of scorer": "table table later table all all",
    "referee": "later later later all all all",
    "referee who has opened": "opened opened opened all all all",
    "director": "later later later all all all",
    "somebody locked out": "table - later table table table",
}
SENDS = {
    "seat": "seat 2",
    "code of seat": "seat 2",
    "scorer": "scorer",
    "code of scorer": "code of scorer",
    "referee": "referee",
    "referee who has opened": "referee",
    "director": "director",
}


SETTINGS = {"DJANGO_SETTINGS_MODULE": "tests.bench._live_settings"}


def made(kind: str) -> Game:
    game = table(**KINDS[kind])
    if KINDS[kind].get("mode"):
        return game
    return play(game) if kind == "ended" else play(game, 3)


def cookie_of(role: str, game: Game) -> str | None:
    """The session of somebody in this role."""
    name = f"{role} of {game.id}".replace(" ", "-")
    match role.split():
        case ["nobody"]:
            return None
        case ["code", "of", "another", "table"]:
            return phone(table(), "seat", SEAT, ref=ANNA)
        case ["code", "of", place]:
            return phone(game, place, SEAT if place == "seat" else None, ref=ANNA)
        case ["spectator", "after"]:
            return cookie(person(name, game, "spectator", tier="after_deal"))
        case ["referee", *opened]:
            return cookie(person(name, game, "referee", opened_deal=1 if opened else None))
        case ["stranger"]:
            return cookie(person(name))
        case ["somebody", *_]:
            user = person(name, game, "seat", SEAT, ref=ANNA)
            of_before = cookie(user)
            user.is_active = False
            user.save()
            return of_before
        case _:
            return cookie(person(name, game, role, SEAT if role == "seat" else None, ref=ANNA))


def allowed(role: str, game: Game) -> set[str]:
    """The commands that this person may send."""
    return ALLOWED[game.mode].get(SENDS.get(role, ""), set())


def is_let_through(line: Line, name: str) -> bool:
    """Whether this command was stored, or refused by the rules of the game and not for who sent it."""
    line.say({"command_id": name, "command": COMMANDS[name]})
    while (answer := json.loads(line.raw()))["kind"] not in ("ack", "error"):
        pass
    assert answer["command_id"] == name
    return answer["kind"] == "ack" or not answer["code"].startswith("access/")


@pytest.mark.long(13)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("role", MATRIX)
def test_each_role_gets_and_sends_what_the_matrix_says(web: WebProcess, role: str, kind: str) -> None:
    game = made(kind)
    observer = SEES[MATRIX[role].split()[list(KINDS).index(kind)]]
    key = cookie_of(role, game)
    with web.connect(game, additional_headers={} if key is None else {"Cookie": key}) as line:
        first = line.raw()
        if observer is None:
            assert json.loads(first)["code"] == "games/unknown_game"
            assert line.closing_code() == 4404
            return
        assert first == frames.EventFrames(game_state.load_snapshot(game.id), -1).frame(observer)
        if kind in ("dealt", "private", "after"):
            before = game.head_seq
            play(game, 1)
            assert line.text("events") == frames.EventFrames(game_state.load_snapshot(game.id), before).frame(
                observer
            )
        # What ends or changes the game comes last: it changes nothing of who may send what.
        order = sorted(COMMANDS, key=lambda name: (name == "close", name == "take_back", name))
        assert {name for name in order if is_let_through(line, name)} == allowed(role, game)
