"""The store beside its peers, interleaved: `python -m tests.bench.store [--appends N] [--runs N] [--flush
MICROSECONDS] [--long EVENTS]`.

One JSON line a figure: name, ours and peer (median, per second), ratio (median of the ratios of the runs),
runs, and the smallest, median and largest ratio. Ours moves the head, inserts event and receipt and chains
hashes; tests/bench/_store_peers.py describes the peers. Each side of a figure runs in processes of its own
that begin at one signal. Databases are made and dropped here; fsync is on.
"""

import argparse
import json
import os
import secrets
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

import django
import psycopg
from psycopg import sql

from tests import servers
from tests.bench import _store_peers as peers
from tests.bench._quick import add_quick

if TYPE_CHECKING:
    from games.models import Game

BODY = {"seat": 2, "card": "S6", "note": "x" * 40}
FLUSH = "what each flush of PostgreSQL's log takes longer, for ours and every peer"
Rate = Callable[[], float]
Writer = Callable[[int], object]
"""Performs the operation with this number."""
FORK = get_context("fork")


def timed(count: int, act: Writer) -> float:
    """Operations a second."""
    start = time.perf_counter()
    for number in range(count):
        act(number)
    return count / (time.perf_counter() - start)


def together(writers: int, count: int, prepare: Callable[[], Writer]) -> float:
    """Operations a second of several concurrent processes, each with the writer that `prepare` makes
    there."""
    start = FORK.Barrier(writers + 1)

    def work() -> None:
        try:
            act = prepare()
            act(0)
        except BaseException:
            start.abort()
            raise
        start.wait()
        for number in range(1, count + 1):
            act(number)

    processes = [FORK.Process(target=work) for _ in range(writers)]
    for process in processes:
        process.start()
    start.wait()
    begun = time.perf_counter()
    for process in processes:
        process.join()
    if any(process.exitcode for process in processes):
        raise SystemExit("a writer failed")
    return writers * count / (time.perf_counter() - begun)


def our_append() -> Writer:
    from games import store

    stream = store.create_stream("game").id
    head = store.read_head(stream)

    def act(number: int) -> None:
        nonlocal head
        record = store.Record("card_played", BODY)
        sent: dict[str, Any] = {"actor": "a" * 32, "command_id": f"c{number}", "body_hash": bytes(32)}
        head = store.append(stream, head, [record], **sent).head

    return act


def load_and_fold() -> Writer:
    """A game of some 60 events, read from the store and folded."""
    from games import game_state as fold
    from tests.games.cast import play, table

    game = play(table(), 42)

    def act(_: int) -> None:
        fold.KEPT.clear()
        fold.load_snapshot(game.id)

    return act


def peer_load(url: str) -> Writer:
    """An aggregate of 60 events, read and applied."""
    app = peers.application(url)
    table = peers.Table()
    for number in range(59):
        table.play(number % 4, "S6")
    app.save(table)
    return lambda _: app.repository.get(table.id)


def submits(game: "Game") -> Iterator[float]:
    """Seconds of each further command of a game to be decided, stored and projected."""
    from games import game_state as fold
    from games.play import submit
    from tests.games.cast import PLAYERS, next_command

    while (command := next_command(game)) is not None:
        seq = fold.load_snapshot(game.id).head.seq
        start = time.perf_counter()
        submit.submit(game.id, command, actor=PLAYERS[command.seat], command_id=f"m{seq}")
        yield time.perf_counter() - start


def long_game(events: int = 0) -> Iterator[float]:
    """The submits of a game of many deals, from the one after this many events on."""
    from games import game_state as fold
    from tests.games.cast import table

    game = table(deals=1000)
    times = submits(game)
    while fold.load_snapshot(game.id).head.seq < events:
        next(times)
    return times


def rate_of(times: Iterator[float], count: int) -> float:
    return count / sum(islice(times, count))


def rate(writers: int, count: int, prepare: Callable[[], Writer]) -> Rate:
    return lambda: together(writers, count, prepare)


def report(name: str, runs: int, ours: Rate, others: Sequence[tuple[str, Rate]] = ()) -> None:
    """Print a line for each peer; all peers and our side take turns."""
    mine: list[float] = []
    theirs: list[list[float]] = [[] for _ in others]
    for _ in range(runs):
        mine.append(ours())
        for found, (_, peer) in zip(theirs, others, strict=True):
            found.append(peer())
    if not others:
        _line(name, mine)
    for (peer_name, _), rates in zip(others, theirs, strict=True):
        _line(f"{name}, beside {peer_name}", mine, rates)


def _line(name: str, mine: Sequence[float], theirs: Sequence[float] = ()) -> None:
    ratios = [our / their for our, their in zip(mine, theirs, strict=True)] if theirs else []
    figures = ratios or mine
    line = {
        "name": name,
        "ours": round(statistics.median(mine), 1),
        "peer": round(statistics.median(theirs), 1) if theirs else None,
        "ratio": round(statistics.median(ratios), 3) if ratios else None,
        "runs": len(mine),
        "min": round(min(figures), 3),
        "median": round(statistics.median(figures), 3),
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
    from django.test import override_settings

    from games import encryption

    with tempfile.TemporaryDirectory() as folder, override_settings(DATA_KEY=Path(folder) / "data_key"):
        encryption.make_data_key(Path(folder) / "data_key")
        call_command("migrate", verbosity=0)
        # Writers are forked and must not inherit a connection.
        connection.close()
        yield
        connection.close()


def on_sqlite(appends: int, runs: int, *_: int) -> None:
    with tempfile.TemporaryDirectory() as folder, migrated(f"sqlite:///{folder}/puur.sqlite3"):
        path = Path(folder) / "peer.sqlite3"

        def bare() -> Writer:
            connection = sqlite3.connect(path, isolation_level=None)
            connection.execute("PRAGMA synchronous=FULL")
            return peers.bare_sqlite(connection)

        with sqlite3.connect(path) as made:
            made.executescript("PRAGMA journal_mode=WAL;" + peers.TABLE.format(blob="blob"))
        made.close()
        one = partial(rate, 1, appends)
        report("store: append, SQLite, one writer", runs, one(our_append), [("a bare insert", one(bare))])
        report("store: load and fold 60 events, SQLite", runs, one(load_and_fold))
        report("store: submit, SQLite", runs, lambda: rate_of(long_game(), appends // 4))


def slow_down(connection: psycopg.Connection, microseconds: int) -> None:
    """Slow down every flush of this database, for all sides alike: a virtual disk may flush for next to
    nothing, and then the figures compare processors, not logs.
    """
    database = sql.Identifier(connection.info.dbname)
    # The leader of a group commit waits before it flushes, even without other writers.
    for name, value in (("commit_delay", microseconds), ("commit_siblings", 0)):
        setting = sql.SQL("ALTER DATABASE {} SET {} = {}")
        connection.execute(setting.format(database, sql.Identifier(name), sql.Literal(value)))


def on_postgresql(appends: int, runs: int, flush: int, long: int) -> None:
    with servers.own_database() as url, migrated(url):
        with psycopg.connect(url, autocommit=True) as first:
            slow_down(first, flush)
            first.execute(peers.TABLE.format(blob="bytea"))
            first.execute(peers.BY_HAND)
        peers.prepare_recorders(url)

        def connected() -> psycopg.Connection:
            return psycopg.connect(url, autocommit=True)

        rivals: dict[str, Callable[[], Writer]] = {
            "a bare insert": lambda: peers.bare_postgresql(connected()),
            "the same three writes by hand": lambda: peers.by_hand(connected()),
            "eventsourcing's recorder": lambda: peers.recorder(url, functions=False),
            "eventsourcing's recorder with database functions": lambda: peers.recorder(url, functions=True),
        }
        for writers in (1, 8):
            all_at_once = partial(rate, writers, max(1, appends // writers))
            who = "one writer" if writers == 1 else f"{writers} writers, a stream each"
            named = [(name, all_at_once(prepare)) for name, prepare in rivals.items()]
            report(f"store: append, PostgreSQL, {who}", runs, all_at_once(our_append), named)
        one = partial(rate, 1, appends)
        beside = [("eventsourcing's repository.get", one(lambda: peer_load(url)))]
        report("store: load and fold 60 events, PostgreSQL", runs, one(load_and_fold), beside)
        old, few = long_game(long), appends // 20
        early = [("the first events of a game", lambda: rate_of(long_game(), few))]
        report(
            f"store: submit from event {long:,} on, PostgreSQL", 4 * runs, lambda: rate_of(old, few), early
        )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.store")
    parser.add_argument("--appends", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--on", choices=["postgresql", "sqlite"], help="only this database, in this process")
    parser.add_argument("--long", type=int, default=2000, help="events before the later submits")
    parser.add_argument("--flush", type=int, default=0, metavar="MICROSECONDS", help=FLUSH)
    add_quick(parser, appends=20, runs=1, long=60)
    options = parser.parse_args()
    how = (options.appends, options.runs, options.flush, options.long)
    databases: dict[str, Callable[[int, int, int, int], None]] = {
        "postgresql": on_postgresql,
        "sqlite": on_sqlite,
    }
    if options.on is not None:
        databases[options.on](*how)
        return
    for measure in databases.values():
        process = FORK.Process(target=measure, args=how)
        process.start()
        process.join()
        if process.exitcode:
            raise SystemExit(1)


if __name__ == "__main__":
    main()
