"""Sockets of a delayed game: participants see it in time; no request of another client gets ahead of the
delay.
"""

from typing import Any

import pytest

from games import game_state
from games.models import Game
from games.projections import delayed_projection
from tests.games.cast import play, seated, table
from tests.games.live_server import WebProcess

LATE = 30


@pytest.fixture
def game(web: WebProcess) -> Game:
    """Ten moves of it are shown, ten are not."""
    made = play(table(deals=2), 10)
    delayed_projection.delay([made], LATE)
    return play(made, 10)


def end_of(game: Game) -> int:
    return game_state.load_snapshot(game.pk).head.seq


def shown(game: Game) -> int:
    return Game.objects.values_list("head_seq", flat=True).get(pk=game.pk)


def seqs(frame: dict[str, Any]) -> list[int]:
    return [event["seq"] for event in frame["events"]]


def test_a_stranger_gets_what_is_shown_and_who_sits_there_everything(web: WebProcess, game: Game) -> None:
    [anna, *_] = seated(game)
    assert 0 < shown(game) < end_of(game)
    with web.connect(game) as eva, web.connect(game, anna) as table_:
        late, in_time = eva.frame(), table_.frame()
        assert (late["seq"], seqs(late)) == (shown(game), list(range(shown(game) + 1)))
        assert (in_time["seq"], seqs(in_time)) == (end_of(game), list(range(end_of(game) + 1)))

        play(game, 1)
        assert table_.frame("events")["seq"] == end_of(game)
        eva.say({"since": -1})
        assert eva.frame()["seq"] == shown(game), "nothing came in between"


@pytest.mark.parametrize("since", ["shown", "beyond", "end"])
def test_no_since_leads_beyond_what_is_shown(since: str, web: WebProcess, game: Game) -> None:
    asked = {"shown": shown(game), "beyond": shown(game) + 1, "end": end_of(game)}[since]
    with web.connect(game, query=f"?since={asked}") as eva:
        first = eva.frame()
        eva.say({"since": asked})
        again = eva.frame()
    assert first == again
    assert first["seq"] == shown(game)
    assert first["kind"] == ("events" if since == "shown" else "resync")
    assert not first.get("events")


def test_what_is_shown_now_comes_by_itself(web: WebProcess, game: Game) -> None:
    before = shown(game)
    with web.connect(game) as eva:
        eva.frame()
        delayed_projection.delay([game], 0)
        frame = eva.frame("events")
        assert seqs(frame) == list(range(before + 1, end_of(game) + 1))
        play(game, 1)
        assert eva.frame("events")["seq"] == end_of(game), "and goes on in time"


def test_who_watched_in_time_has_to_read_again_when_a_delay_begins(web: WebProcess) -> None:
    game = play(table(deals=2), 10)
    [anna, *_] = seated(game)
    with web.connect(game) as eva, web.connect(game, anna) as table_:
        eva.frame()
        table_.frame()
        delayed_projection.delay([game], LATE)
        assert eva.closing_code() == 4403
        play(game, 1)
        assert table_.frame("events")["seq"] == end_of(game)
    with web.connect(game) as eva:
        assert eva.frame()["seq"] == shown(game) < end_of(game)
