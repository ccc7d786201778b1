"""Two small works whose processor time says how fast this machine is: the references of `bench load`.

Machines differ by a factor of two. Each target in time was set on one machine; a run measures both works
before its figures, and multiplies the targets by how many times as long they take here.
"""

import asyncio
import sqlite3
import time
from typing import Final, NamedTuple

import psycopg

from tests.bench import _store_peers as peers
from tests.bench._live_client import counted, opened, used
from tests.bench._load_figures import Limit, say
from tests.bench.live import PATIENCE, server
from tests.installations import Place

THERE: Final = {"commit on postgresql": 64e-6, "commit on sqlite": 69e-6, "message": 91e-6}
"""Processor seconds of each work on the machine on which the targets were set, 26 November 2026. What was not
measured there follows from the messages, by the ratio on another machine."""


class Reference(NamedTuple):
    """One work: its name, and its processor seconds here and there."""

    name: str
    here: float
    there: float

    def most(self, value: float) -> Limit:
        """The target for a time, or for a share of a core, which was `value` there."""
        return Limit(value * self.here / self.there, f"{value:g} × {self.here / self.there:.2f}, {self.name}")

    def least(self, rate: float) -> Limit:
        """The target for a rate."""
        return Limit(rate * self.there / self.here, f"{rate:g} / {self.here / self.there:.2f}, {self.name}")


class References(NamedTuple):
    """`commit`: a client inserts a row by the bare driver and commits it. `message`: a web process sends one
    message to one socket of a Channels group."""

    commit: Reference
    message: Reference


class Sizes(NamedTuple):
    """`rows` inserted; `sockets` of a group, and the `frames` that each gets."""

    rows: int
    sockets: int
    frames: int


def measure(place: Place, where: str, sizes: Sizes) -> References:
    """Measure both works, and print their costs."""
    commit = "commit on postgresql" if place.cluster else "commit on sqlite"
    found = References(
        Reference(commit, _commit(place, sizes.rows), THERE[commit]),
        Reference("message", _message(place, sizes), THERE["message"]),
    )
    for work in found:
        there = 1e6 * work.there
        say(f"load/reference, {where}: processor µs a {work.name}", 1e6 * work.here, None, there=there)
    return found


def _commit(place: Place, rows: int) -> float:
    if place.cluster:
        with psycopg.connect(place.cluster.url, autocommit=True) as connection:
            connection.execute(peers.TABLE.format(blob="bytea"))
            spent = _spent(peers.bare_postgresql(connection), rows)
            connection.execute("DROP TABLE peer")
        return spent
    made = sqlite3.connect(place.node.folder / "reference.sqlite3", isolation_level=None)
    try:
        made.executescript("PRAGMA journal_mode=WAL;" + peers.TABLE.format(blob="blob"))
        return _spent(peers.bare_sqlite(made), rows)
    finally:
        made.close()


def _spent(act: peers.Act, rows: int) -> float:
    begun = time.process_time()
    for seq in range(rows):
        act(seq)
    return (time.process_time() - begun) / rows


def _message(place: Place, sizes: Sizes) -> float:
    with server("peer", place.redis) as (port, path):
        return asyncio.run(_spent_by_a_group(port, path, sizes))


async def _spent_by_a_group(port: int, path: str, sizes: Sizes) -> float:
    members = await opened(port, path, sizes.sockets)
    _, begun = await used(port)
    await counted(port, members, sizes.frames, 0, PATIENCE)
    _, done = await used(port)
    sent = sum(member.frames for member in members)
    for member in members:
        member.transport.abort()
    return (done - begun) / sent
