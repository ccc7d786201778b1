"""However many look on, those who play, sign in or sit at the desk are answered; the rest come again."""

import asyncio
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import psycopg
import pytest

from deploy.limits.lanes import Lane, LaneFull, Lanes
from tests import servers
from tests.games.live_server import WebProcess


async def _begun(gate: threading.Event, lane: Lane) -> "asyncio.Task[bool]":
    begun = asyncio.Event()
    loop = asyncio.get_running_loop()

    def work() -> bool:
        loop.call_soon_threadsafe(begun.set)
        return gate.wait(30)

    task = asyncio.create_task(lane.run(work))
    await begun.wait()
    return task


async def test_a_line_holds_so_many_and_no_more() -> None:
    lane, gate = Lane("test", threads=1, waiting=1, seconds=30), threading.Event()
    working = await _begun(gate, lane)
    waiting = asyncio.create_task(lane.run(lambda: "it was my turn"))
    await asyncio.sleep(0)
    with pytest.raises(LaneFull):
        await lane.run(lambda: "never")
    gate.set()
    assert (await working, await waiting) == (True, "it was my turn")
    assert await lane.run(lambda: "there is room again")


async def test_nobody_waits_in_line_for_ever() -> None:
    lane, gate = Lane("test", threads=1, waiting=5, seconds=0.01), threading.Event()
    working = await _begun(gate, lane)
    with pytest.raises(LaneFull):
        await lane.run(lambda: "never")
    gate.set()
    assert await working


async def test_work_whose_asker_has_left_keeps_its_place_until_it_ends() -> None:
    lane, gate = Lane("test", threads=1, waiting=5, seconds=0.01), threading.Event()
    working = await _begun(gate, lane)
    working.cancel()
    with pytest.raises(asyncio.CancelledError):
        await working
    with pytest.raises(LaneFull):
        await lane.run(lambda: "never")
    gate.set()
    patient = Lane("test", threads=1, waiting=1, seconds=30)
    assert await patient.run(lambda: "done")


async def test_who_leaves_the_line_leaves_his_place_in_it() -> None:
    lane, gate = Lane("test", threads=1, waiting=1, seconds=30), threading.Event()
    working = await _begun(gate, lane)
    left = asyncio.create_task(lane.run(lambda: "never"))
    await asyncio.sleep(0)
    left.cancel()
    with pytest.raises(asyncio.CancelledError):
        await left
    next_one = asyncio.create_task(lane.run(lambda: "mine"))
    gate.set()
    assert (await working, await next_one) == (True, "mine")


async def test_next_is_he_whose_turn_was_longest_ago_however_much_others_have_in_line() -> None:
    lane, gate = Lane("test", threads=1, waiting=50, seconds=30), threading.Event()
    at_work = threading.Semaphore(0)
    order: list[str] = []

    def work(who: str) -> None:
        at_work.release()
        gate.wait(30)
        order.append(who)

    first = asyncio.create_task(lane.run_for("anna", work, "anna"))
    await asyncio.to_thread(at_work.acquire)
    line = ["anna", "anna", "anna", "beat", "beat", "beat", "chiara", "chiara", "dario"]
    waiting = [asyncio.create_task(lane.run_for(who, order.append, who)) for who in line]
    await asyncio.sleep(0)
    assert (lane.at_work, lane.waiting) == (1, len(line))
    gate.set()
    await asyncio.gather(first, *waiting)
    assert order == ["anna", "beat", "chiara", "dario", "anna", "beat", "chiara", "anna", "beat", "anna"]
    assert (lane.at_work, lane.waiting) == (0, 0)


async def test_a_place_is_not_lost_where_he_who_is_called_leaves_at_that_moment() -> None:
    lane, gate = Lane("test", threads=1, waiting=5, seconds=30), threading.Event()
    working = await _begun(gate, lane)
    left = asyncio.create_task(lane.run(lambda: "never"))
    await asyncio.sleep(0)
    lane._release_thread()  # the next one's turn
    left.cancel()
    with pytest.raises(asyncio.CancelledError):
        await left
    assert (lane.waiting, lane._free) == (0, 1)
    lane._free -= 1  # what is at work gives it back itself
    gate.set()
    assert await working
    assert await lane.run(lambda: "there is room") == "there is room"


@pytest.mark.parametrize(
    ("method", "path", "known", "stranger"),
    [
        ("POST", "/api/v1/games/0/commands/", "players", "viewers"),
        ("POST", "/c/open/rounds/1/do/draw/", "players", "viewers"),
        ("POST", "/account/confirm/", "passwords", "viewers"),
        ("POST", "/password/", "passwords", "viewers"),
        ("GET", "/password/", "players", "viewers"),
        ("GET", "/g/0/play/", "players", "viewers"),
        ("HEAD", "/g/0/sheet/", "players", "viewers"),
        ("GET", "/sign-in/", "players", "players"),
        ("POST", "/sign-in/", "passwords", "passwords"),
        ("GET", "/t/", "players", "players"),
        ("GET", "/t/nowhere/", "players", "viewers"),
        ("POST", "/sign-in/second-factor/", "players", "players"),
        ("POST", "/reset/0/", "passwords", "passwords"),
        ("POST", "/api/v1/table-session/", "players", "players"),
        ("GET", "/c/open/standings/", "viewers", "viewers"),
        ("GET", "/g/0/", "viewers", "viewers"),
        ("GET", "/static/puur/base.js", "files", "files"),
        ("GET", "/c/open/prints/wall.png", "paper", "paper"),
        ("GET", "/c/open/prints/evening.pdf", "paper", "paper"),
        ("GET", "/c/open/cash/receipt/7/", "paper", "paper"),
        ("GET", "/c/open/prints/", "viewers", "viewers"),
        ("POST", "/c/open/prints/wall/make/", "players", "viewers"),
        ("GET", "/readyz", "asked", "asked"),
        ("POST", "/c/open/entries/import/", "sent", "viewers"),
        ("POST", "/g/0/photos/", "sent", "viewers"),
        ("GET", "/g/0/photos/", "viewers", "viewers"),
    ],
)
async def test_looking_on_is_told_from_playing(method: str, path: str, known: str, stranger: str) -> None:
    lanes = Lanes()
    assert lanes.select_lane(method, path, known=True).name == known
    assert lanes.select_lane(method, path, known=False).name == stranger


@pytest.mark.slow
def test_viewers_whose_pages_hang_keep_no_player_waiting(web: WebProcess, database: str) -> None:
    url, place = servers.with_database(servers.postgres_url(), database), f"http://127.0.0.1:{web.port}"
    with psycopg.connect(url) as holding, ThreadPoolExecutor(20) as together:
        holding.execute("LOCK TABLE tournaments_championship IN ACCESS EXCLUSIVE MODE")
        viewers = [together.submit(httpx.get, f"{place}/", timeout=60) for _ in range(20)]
        assert httpx.get(f"{place}/sign-in/", timeout=60).status_code == 200
        assert (
            httpx.post(f"{place}/api/v1/table-session/", json={"token": "x"}, timeout=60).status_code == 403
        )
        assert httpx.get(f"{place}/healthz", timeout=60).status_code == 200
        assert sum(viewer.done() for viewer in viewers) < 4, "the players were answered meanwhile"
        holding.rollback()
        assert {viewer.result().status_code for viewer in viewers} <= {200, 503}


@pytest.mark.slow
def test_a_body_is_read_only_as_far_as_it_may_be_long(web: WebProcess) -> None:
    place = f"http://127.0.0.1:{web.port}"
    with socket.create_connection(("127.0.0.1", web.port), timeout=30) as told:
        told.sendall(b"POST /sign-in/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 400000000\r\n\r\n")
        answer = told.makefile("rb").read()
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b"http/too_large" in answer

    sent = 0

    def without_end() -> Iterator[bytes]:
        nonlocal sent
        while sent < 400_000_000:
            sent += 65536
            yield b"x" * 65536

    try:
        status = httpx.post(f"{place}/api/v1/table-session/", content=without_end(), timeout=60).status_code
    except httpx.TransportError:
        status = 413  # cut off while it still sent
    assert status == 413
    assert sent < 40_000_000
    upload = {"file": ("entries.csv", b"x" * 5_000_000)}
    known = {"Cookie": "sessionid=x"}
    taken = httpx.post(f"{place}/c/open/entries/import/", files=upload, headers=known, timeout=60).status_code
    assert taken == 403, "as far as the view, which wants a token against forgery"
