"""The store beside bare drivers, interleaved in one process: `python -m tests.bench.store [--appends N]
[--runs N]`.

One JSON line a figure: name, ours and peer (median, per second), ratio (median of the ratios of the runs),
runs, and the smallest, median and largest ratio. Ours moves the head, inserts event and receipt and chains
hashes; the peer inserts one row of 140 bytes, unique (stream, seq), autocommit, prepared, fsync on.
Databases are made and dropped here.
"""

import argparse
import json
import os
import secrets
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import django
import psycopg

from tests import servers

BODY = {"seat": 2, "card": "S6", "note": "x" * 40}
TABLE = "CREATE TABLE peer (stream text, seq int, body {blob}, UNIQUE (stream, seq))"
Rate = Callable[[], float]


def timed(count: int, act: Callable[[int], object]) -> float:
    start = time.perf_counter()
    for number in range(count):
        act(number)
    return count / (time.perf_counter() - start)


def ours_append(count: int) -> float:
    from games import store

    stream = store.create_stream("game").id
    head = store.head_of(stream)

    def act(number: int) -> None:
        nonlocal head
        record = store.Record("card_played", BODY)
        sent: dict[str, Any] = {"actor": "a" * 32, "command_id": f"c{number}", "body_hash": bytes(32)}
        head = store.append(stream, head, [record], **sent).head

    return timed(count, act)


def peer_postgresql(connection: psycopg.Connection, count: int) -> float:
    stream = secrets.token_hex(16)
    insert = "INSERT INTO peer VALUES (%s, %s, %s)"
    return timed(count, lambda seq: connection.execute(insert, (stream, seq, b"x" * 140), prepare=True))


def peer_sqlite(connection: sqlite3.Connection, count: int) -> float:
    stream = secrets.token_hex(16)
    insert = "INSERT INTO peer VALUES (?, ?, ?)"
    return timed(count, lambda seq: connection.execute(insert, (stream, seq, b"x" * 140)))


def load_and_fold(count: int) -> float:
    """Games of some 60 events, read from the store and folded, a second."""
    from games import fold
    from tests.games.cast import play, table

    game = play(table(), 42)

    def act(_: int) -> None:
        fold.forget_all()
        fold.at(game.id)

    return timed(count, act)


def submits(count: int) -> float:
    """Commands decided, stored and projected, a second; one game after another."""
    from games import fold, submit
    from tests.games.cast import PLAYERS, next_command, table

    spent = done = 0.0
    while done < count:
        game = table(deals=4)
        while done < count and (command := next_command(game)) is not None:
            seq = fold.at(game.id).head.seq
            start = time.perf_counter()
            submit.submit(game.id, command, actor=PLAYERS[command.seat], command_id=f"m{seq}")
            spent += time.perf_counter() - start
            done += 1
    return done / spent


def report(name: str, runs: int, ours: Rate, peer: Rate | None = None) -> None:
    mine, theirs, ratios = [], [], []
    for _ in range(runs):
        mine.append(ours())
        if peer is not None:
            theirs.append(peer())
            ratios.append(mine[-1] / theirs[-1])
    figures = ratios or mine
    middle = statistics.median(figures)
    line = {
        "name": name,
        "ours": round(statistics.median(mine), 1),
        "peer": round(statistics.median(theirs), 1) if theirs else None,
        "ratio": round(middle, 3) if ratios else None,
        "runs": runs,
        "min": round(min(figures), 3),
        "median": round(middle, 3),
        "max": round(max(figures), 3),
    }
    print(json.dumps(line), flush=True)


@contextmanager
def migrated(url: str) -> Iterator[None]:
    """Django on a fresh database; once a process, since settings are read once."""
    os.environ |= {"DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "deploy.settings", "LOG_LEVEL": "ERROR"}
    os.environ.setdefault("SECRET_KEY", secrets.token_urlsafe(50))
    django.setup()
    from django.core.management import call_command
    from django.db import connection

    call_command("migrate", verbosity=0)
    yield
    connection.close()


def measure(name: str, appends: int, runs: int, peer: Rate) -> None:
    report(f"store: append, {name}, beside one bare insert", runs, lambda: ours_append(appends), peer)
    report(f"store: load and fold 60 events, {name}", runs, lambda: load_and_fold(200))
    report(f"store: submit, {name}", runs, lambda: submits(appends // 4))


def on_sqlite(appends: int, runs: int) -> None:
    with tempfile.TemporaryDirectory() as folder, migrated(f"sqlite:///{folder}/puur.sqlite3"):
        bare = sqlite3.connect(Path(folder) / "peer.sqlite3", isolation_level=None)
        bare.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;" + TABLE.format(blob="blob"))
        measure("SQLite", appends, runs, lambda: peer_sqlite(bare, appends))
        bare.close()


def on_postgresql(appends: int, runs: int) -> None:
    name = f"puur_games_{secrets.token_hex(6)}"
    url = servers.with_database(servers.postgres_url(), name)
    with psycopg.connect(servers.postgres_url(), autocommit=True) as server:
        server.execute(f'CREATE DATABASE "{name}"')
        try:
            with migrated(url), psycopg.connect(url, autocommit=True) as bare:
                bare.execute(TABLE.format(blob="bytea"))
                measure("PostgreSQL", appends, runs, lambda: peer_postgresql(bare, appends))
        finally:
            server.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.store")
    parser.add_argument("--appends", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--on", choices=["postgresql", "sqlite"], help="only this database, in this process")
    options = parser.parse_args()
    if options.on is not None:
        {"postgresql": on_postgresql, "sqlite": on_sqlite}[options.on](options.appends, options.runs)
        return
    for on in ("postgresql", "sqlite"):
        child = os.fork()
        if child == 0:
            {"postgresql": on_postgresql, "sqlite": on_sqlite}[on](options.appends, options.runs)
            os._exit(0)
        if os.waitpid(child, 0)[1]:
            raise SystemExit(1)


if __name__ == "__main__":
    main()
