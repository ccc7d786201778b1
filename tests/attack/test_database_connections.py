"""A hall that polls pages takes few connections to PostgreSQL, and an answer never is a 500."""

import os
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import psycopg
import pytest

from deploy.environment import BASE_DIR
from tests import servers
from tests.attack import hall
from tests.cluster import Cluster, binaries
from tests.games.live_server import WebProcess, web_process

MOST = 8
"""Connections of one web process: with a second one and a worker of two children they stay below 20."""


@pytest.mark.slow
def test_a_crowd_that_polls_as_fast_as_it_can_takes_few_connections(web: WebProcess, database: str) -> None:
    seen = hall.crowd(web.port, ["/", "/rules/", "/api/v1/games/"], 120, 6.0, 0.0, database)
    assert seen.statuses[200] > 0
    assert set(seen.statuses) <= {200, 503}, (seen.statuses, web.log.read_text()[-3000:])
    assert 0 < seen.most_connections <= MOST


@pytest.mark.slow
def test_who_leaves_before_the_answer_leaves_no_connection_behind(web: WebProcess, database: str) -> None:
    for _ in range(60):
        with socket.create_connection(("127.0.0.1", web.port)) as asking:
            asking.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    seen = hall.crowd(web.port, ["/"], 4, 2.0, 0.0, database)
    assert set(seen.statuses) == {200}
    assert hall.connected(database) <= MOST


@pytest.mark.slow
def test_a_lock_that_is_held_for_long_is_a_503_that_says_when_to_come_again(
    web: WebProcess, database: str
) -> None:
    url = servers.with_database(servers.postgres_url(), database)
    german = {"Accept-Language": "de"}
    with psycopg.connect(url) as holding, ThreadPoolExecutor() as together:
        holding.execute("LOCK TABLE tournaments_championship, games_game IN ACCESS EXCLUSIVE MODE")
        page = together.submit(httpx.get, f"http://127.0.0.1:{web.port}/", headers=german, timeout=30)
        api = together.submit(httpx.get, f"http://127.0.0.1:{web.port}/api/v1/games/", timeout=30)
        with web.connect("0" * 32) as line:
            assert line.frame("error")["code"] == "live/try_again"
            assert line.closing_code() == 1013
        assert (page.result().status_code, api.result().status_code) == (503, 503)
    assert 'lang="de"' in page.result().text
    assert api.result().json()["code"] == "http/try_again"
    assert all(int(answer.result().headers["Retry-After"]) > 0 for answer in (page, api))
    assert httpx.get(f"http://127.0.0.1:{web.port}/").status_code == 200


@pytest.mark.long
@pytest.mark.slow
def test_a_server_that_comes_back_is_asked_at_once(tmp_path: Path) -> None:
    tools = binaries()
    if tools is None:
        servers.missing("PostgreSQL's own binaries")
        return
    cluster = Cluster(tools)
    try:
        place = {"DATABASE_URL": cluster.url, "PUUR_VAR": str(tmp_path / "var")}
        command = [sys.executable, "manage.py", "migrate", "--verbosity=0"]
        subprocess.run(command, cwd=BASE_DIR, env={**os.environ, **place}, check=True)
        with web_process(tmp_path, place) as web:
            home = f"http://127.0.0.1:{web.port}/"
            assert httpx.get(home).status_code == 200
            cluster.kill()
            assert [httpx.get(home, timeout=30).status_code for _ in range(2)] == [503, 503], (
                web.log.read_text()
            )
            cluster.start()
            assert httpx.get(home, timeout=30).status_code == 200
    finally:
        cluster.remove()
