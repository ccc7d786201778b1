"""Sockets under strain: limits, slow clients, revoked rights, a Redis that dies, a server that stops."""

import socket
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from django.contrib.sessions.models import Session
from websockets.exceptions import ConnectionClosed, InvalidStatus

from games import game_state, store
from games.models import Access, Game
from tests import servers
from tests.games.cast import next_command, person, play, seated, table, turn_of
from tests.games.live_server import Line, WebProcess, web_process

pytestmark = pytest.mark.parametrize("database_template", ["sqlite"], indirect=True)
"""What is tested here does not depend on the database; test_live.py runs on both."""
SETTINGS = {"DJANGO_SETTINGS_MODULE": "tests.games.live_settings"}


@pytest.fixture
def game(web: WebProcess) -> Game:
    return play(table(), 3)


@pytest.mark.slow
def test_a_foreign_page_gets_no_socket(web: WebProcess, game: Game) -> None:
    for origin in ("https://elsewhere.example", "null", f"http://127.0.0.1.elsewhere.example:{web.port}"):
        with pytest.raises(InvalidStatus) as refused, web.connect(game, origin=origin):
            pass
        assert refused.value.response.status_code == 403


def test_a_person_has_eight_sockets_and_gets_a_place_back(web: WebProcess, game: Game) -> None:
    anna = seated(game)[0]
    with ExitStack() as stack:
        lines = [stack.enter_context(web.connect(game, anna)) for _ in range(8)]
        assert all(line.frame()["kind"] == "events" for line in lines)
        with web.connect(game, anna) as ninth:
            assert ninth.frame()["code"] == "live/too_many_sockets"
            assert ninth.closing_code() == 4429
        with web.connect(game) as eva:
            assert eva.frame()["kind"] == "events"
    with web.connect(game, anna) as again:
        assert again.frame()["kind"] == "events"


def test_one_address_has_as_many_as_the_settings_say(web: WebProcess, game: Game) -> None:
    with ExitStack() as stack:
        lines = [stack.enter_context(web.connect(game)) for _ in range(12)]
        assert all(line.frame()["kind"] == "events" for line in lines)
        with web.connect(game) as one_more:
            assert one_more.frame()["code"] == "live/too_many_sockets"


def test_more_than_twenty_frames_a_second_are_refused_and_many_more_end_the_connection(
    web: WebProcess, game: Game
) -> None:
    with web.connect(game) as eva:
        eva.frame()
        for _ in range(40):
            eva.say({"since": game.head_seq})
        kinds = [eva.frame() for _ in range(40)]
        refused = [frame for frame in kinds if frame["kind"] == "error"]
        assert {frame["code"] for frame in refused} == {"live/too_fast"}
        assert 10 <= len(refused) <= 20
        with suppress(ConnectionClosed):
            for _ in range(400):
                eva.say({"since": game.head_seq})
        assert eva.closing_code() == 4429


def test_a_frame_beyond_all_measure_ends_the_connection(web: WebProcess, game: Game) -> None:
    with web.connect(game) as eva:
        eva.frame()
        eva.say("x" * 70_000)
        assert eva.closing_code() == 1009
    assert store.read_head(game.id).seq == game.head_seq


def test_the_heartbeat_carries_the_head(web: WebProcess, game: Game) -> None:
    with web.connect(game) as eva:
        told = {"kind": "heartbeat", "game": game.id, "seq": game.head_seq, "watching": 1}
        assert eva.frame("heartbeat") == told


def test_who_may_no_longer_see_a_table_is_shown_out(web: WebProcess, game: Game) -> None:
    people = seated(game)
    with web.connect(game, people[0]) as anna, web.connect(game, people[1]) as beat, web.connect(game) as eva:
        assert [line.frame()["kind"] for line in (anna, beat, eva)] == ["events"] * 3
        Access.objects.filter(user=people[0]).delete()
        assert anna.closing_code() == 4403
        beat.frame("heartbeat")
        eva.frame("heartbeat")
        Game.objects.filter(pk=game.pk).update(visibility="private")
        assert eva.closing_code() == 4403
        beat.frame("heartbeat")


def test_a_session_that_has_ended_sends_no_commands_and_is_shown_out(web: WebProcess, game: Game) -> None:
    people = seated(game)
    with web.connect(game, people[turn_of(game)]) as line:
        line.frame()
        Session.objects.all().delete()
        command = next_command(game)
        said = {"cmd": "play", "seat": command.seat, "card": command.card}
        line.say({"command_id": "c-1", "command": said})
        assert line.frame("error")["code"] == "access/no_role"
        assert line.closing_code() == 4403
    assert store.read_head(game.id).seq == game.head_seq


def test_clients_are_told_that_the_server_restarts(tmp_path: Path, game: Game) -> None:
    with web_process(tmp_path) as stopping, stopping.connect(game) as eva:
        eva.frame()
        stopping.terminate()
        assert eva.closing_code() == 1012


@pytest.mark.slow
def test_without_redis_plays_still_arrive(tmp_path: Path, game: Game) -> None:
    with (
        servers.own_valkey(tmp_path) as (server, url),
        web_process(tmp_path, {"REDIS_URL": url, **SETTINGS}) as web,
        web.connect(game) as eva,
    ):
        eva.frame()
        server.kill()
        server.wait()
        play(game, 1)
        head = game_state.load_snapshot(game.id).head.seq
        assert eva.until(head)[-1]["seq"] == head
        with web.connect(game, seated(game)[0]) as anna:
            assert anna.frame()["seq"] == head
        play(game, 1)
        head = game_state.load_snapshot(game.id).head.seq
        assert eva.until(head)[-1]["seq"] == head


class Slow:
    """A seat's client whose kernel buffer is small and who does not read until told to."""

    def __init__(self, stack: ExitStack, web: WebProcess, game: Game) -> None:
        raw = socket.socket()
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        raw.connect(("127.0.0.1", web.port))
        user = seated(game)[0]
        self.line: Line = stack.enter_context(
            web.connect(game, user, sock=raw, max_queue=1, ping_interval=None)
        )


def in_step(game: Game, eva: Line, moves: int) -> None:
    """Moves, each of which the other client has before the next one: it does not wait for the slow one."""
    for _ in range(moves):
        play(game, 1)
        head = game_state.load_snapshot(game.id).head.seq
        while eva.frame("events")["seq"] < head:
            pass


@pytest.mark.slow
def test_a_slow_client_is_told_to_read_again_and_holds_up_nobody(tmp_path: Path, game: Game) -> None:
    game = play(table(deals=8), 3)
    with web_process(tmp_path, SETTINGS, send_buffer=4096) as web, ExitStack() as stack:
        eva = stack.enter_context(web.connect(game))
        slow = Slow(stack, web, game).line
        eva.frame()
        in_step(game, eva, 190)
        head = game_state.load_snapshot(game.id).head.seq
        kinds = []
        while (frame := slow.frame())["kind"] != "resync":
            assert frame["kind"] != "events" or frame["seq"] < head, "nothing was dropped"
            kinds.append(frame["kind"])
        assert "events" in kinds
        slow.say({"since": -1})
        while frame["kind"] != "events" or frame["events"][0]["seq"] > 0:
            frame = slow.frame()
        assert frame["events"][-1]["seq"] == head


@pytest.mark.slow
def test_a_client_that_stays_slow_is_let_go(tmp_path: Path, game: Game) -> None:
    game = play(table(deals=12), 3)
    with web_process(tmp_path, SETTINGS, send_buffer=4096) as web, ExitStack() as stack:
        eva = stack.enter_context(web.connect(game))
        slow = Slow(stack, web, game).line
        eva.frame()
        in_step(game, eva, 330)
        assert slow.closing_code() in (1013, 1006)
        with web.connect(game, person("anna")) as anna:
            assert anna.frame()["seq"] == game_state.load_snapshot(game.id).head.seq
