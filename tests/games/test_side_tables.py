"""Other tables on a socket: exactly the public bytes, and never more."""

from contextlib import suppress

import pytest
from websockets.exceptions import ConnectionClosed

from games import game_state
from games.live.side_tables import MAX_MISSED_EVENTS, MAX_SIDE_TABLES
from games.models import Game
from games.projections import delayed_projection
from tests.games.cast import play, seated, table
from tests.games.live_server import Line, WebProcess

LATE = 30


def end_of(game: Game) -> int:
    return game_state.load_snapshot(game.pk).head.seq


def nothing_of(other: Game, line: Line, third: Game) -> None:
    """What happens at both is told of the third alone; what is gathered with it has come by then."""
    for _ in range(2):
        play(other, 1)
        play(third, 1)
        while (frame := line.frame())["game"] != third.id or frame["seq"] < end_of(third):
            assert frame["game"] != other.id


def beside(line: Line, *games: Game) -> None:
    """Say it, and take what comes at first: a frame a table."""
    line.say({"also": {game.id: end_of(game) for game in games}})
    assert {line.frame()["game"] for _ in games} == {game.id for game in games}


@pytest.fixture
def watched(web: WebProcess) -> Game:
    return play(table(number=1), 3)


@pytest.fixture
def other(web: WebProcess) -> Game:
    return play(table(number=2), 3)


def test_a_table_beside_says_to_everybody_what_it_says_to_a_stranger(
    web: WebProcess, watched: Game, other: Game
) -> None:
    anna = seated(other)[0]  # she sits there, and watches here
    with web.connect(other) as stranger, web.connect(watched) as eva, web.connect(watched, anna) as she:
        first = end_of(other)
        for line in (stranger, eva, she):
            line.frame()
        beside(eva, other)
        beside(she, other)
        told = []
        for _ in range(30):
            play(other, 1)
            told.append(stranger.text("events"))
        assert [eva.text("events") for _ in told] == told
        assert [she.text("events") for _ in told] == told
        assert end_of(other) >= first + 30


def test_who_comes_late_is_told_what_he_lacks_and_who_lacks_too_much_reads_again(
    web: WebProcess, watched: Game
) -> None:
    other = play(table(number=2, deals=3), MAX_MISSED_EVENTS + 20)
    with web.connect(watched) as eva:
        eva.frame()
        eva.say({"also": {other.id: end_of(other) - 2}})
        assert [event["seq"] for event in eva.frame("events")["events"]] == [end_of(other) - 1, end_of(other)]
        for seq in (-1, end_of(other) - MAX_MISSED_EVENTS - 1, end_of(other) + 1):
            eva.say({"also": {other.id: seq}})
            assert eva.frame() == {"kind": "resync", "game": other.id, "seq": end_of(other)}


def test_what_is_named_no_more_is_not_told_any_more(web: WebProcess, watched: Game, other: Game) -> None:
    third = play(table(number=3), 3)
    with web.connect(watched) as eva:
        eva.frame()
        beside(eva, other)
        beside(eva, third)
        nothing_of(other, eva, third)
        eva.say({"also": {}})
        play(third, 1)
        beside(eva, other)
        nothing_of(third, eva, other)


def test_a_table_nobody_may_look_at_is_none_here_either_for_who_plays_there(
    web: WebProcess, watched: Game, other: Game
) -> None:
    Game.objects.filter(pk=other.pk).update(visibility=Game.Visibility.PRIVATE)
    third = play(table(number=3), 3)
    with web.connect(watched, seated(other)[0]) as anna:
        anna.frame()
        anna.say({"also": {other.id: -1, "0" * 32: -1, third.id: end_of(third)}})
        assert anna.frame()["game"] == third.id
        nothing_of(other, anna, third)


def test_a_table_that_is_shown_late_is_late_beside_another(web: WebProcess, watched: Game) -> None:
    other = play(table(number=2, deals=2), 10)
    delayed_projection.delay([other], LATE)
    shown = end_of(other)
    play(other, 10)
    third = play(table(number=3), 3)
    with web.connect(watched, seated(other)[0]) as anna:
        anna.frame()
        anna.say({"also": {other.id: shown - 1}})
        assert anna.frame("events")["seq"] == shown
        for seq in (shown + 1, end_of(other)):
            anna.say({"also": {other.id: seq}})
            assert anna.frame() == {"kind": "resync", "game": other.id, "seq": shown}
        beside(anna, other, third)
        nothing_of(other, anna, third)


def test_who_loses_a_table_beside_keeps_his_own_and_is_told_to_read_again(
    web: WebProcess, watched: Game, other: Game
) -> None:
    third = play(table(number=3), 3)
    with web.connect(watched) as eva:
        eva.frame()
        beside(eva, other, third)
        delayed_projection.delay([other], LATE)
        assert eva.frame("resync") == {"kind": "resync", "game": other.id, "seq": -1}
        nothing_of(other, eva, third)
        play(watched, 1)
        assert eva.frame()["game"] == watched.id


@pytest.mark.parametrize(
    "wanted",
    [
        {"x": 1},
        {"0" * 32: -2},
        {"0" * 32: "1"},
        {f"{number:032x}": 1 for number in range(MAX_SIDE_TABLES + 1)},
        ["0" * 32],
    ],
    ids=["no game", "no seq", "no number", "too many", "no tables"],
)
def test_what_cannot_be_read_is_refused(web: WebProcess, watched: Game, wanted: object) -> None:
    with web.connect(watched) as eva:
        eva.frame()
        eva.say({"also": wanted})
        assert eva.frame()["code"] == "games/malformed"


def test_who_names_tables_without_end_is_refused_and_then_let_go(web: WebProcess, watched: Game) -> None:
    with web.connect(watched) as eva:
        eva.frame()
        named = {"also": {f"{number:032x}": -1 for number in range(MAX_SIDE_TABLES)}}
        for _ in range(12):
            eva.say(named)
        assert eva.frame("error")["code"] == "live/too_fast"
        with suppress(ConnectionClosed):
            for _ in range(400):
                eva.say(named)
        assert eva.closing_code() == 4429
