"""A hall full of phones: many plain HTTP clients at once, and what the database sees of them."""

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg
from django.db import connections
from psycopg import sql

from tests import servers
from tests.games import databases

WATCHING = """
SELECT count(*) FILTER (WHERE datname = %s AND pid <> pg_backend_pid()), count(*) FILTER (WHERE datname = %s
    AND pid <> pg_backend_pid() AND state LIKE 'idle in transaction%%') FROM pg_stat_activity
"""


@dataclass
class Seen:
    """Statuses (0: no answer), the heads of answers other than 200, and the most connections at once."""

    statuses: Counter[int] = field(default_factory=Counter)
    headers: list[bytes] = field(default_factory=list)
    most_connections: int = 0


@contextlib.contextmanager
def on_postgresql(blocker: Any) -> Iterator[str]:
    """connections["default"] is a migrated PostgreSQL database of its own; its name."""
    made = databases.template("postgresql")
    with blocker.unblock(), databases.clone(made, Path()):
        name = str(connections["default"].settings_dict["NAME"])
        with connections["default"].cursor() as cursor:  # the server has other users
            cursor.execute(sql.SQL("ALTER DATABASE {} CONNECTION LIMIT 40").format(sql.Identifier(name)))
        connections["default"].close()
        yield name


async def phone(port: int, path: str, until: float, pause: float, seen: Seen, headers: str = "") -> None:
    """One client that keeps its connection and asks again and again, as a page that polls does."""
    request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{headers}\r\n".encode()
    while time.monotonic() < until:
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            seen.statuses[0] += 1
            continue
        try:
            while time.monotonic() < until:
                writer.write(request)
                head = await reader.readuntil(b"\r\n\r\n")
                length = next(
                    (
                        int(line[15:])
                        for line in head.split(b"\r\n")
                        if line.lower().startswith(b"content-length")
                    ),
                    0,
                )
                await reader.readexactly(length)
                seen.statuses[int(head[9:12])] += 1
                if head[9:12] != b"200":
                    seen.headers.append(head)
                if pause:
                    await asyncio.sleep(pause)
        except (OSError, asyncio.IncompleteReadError):
            seen.statuses[0] += 1
        finally:
            writer.close()


def crowd(port: int, paths: list[str], count: int, seconds: float, pause: float, database: str = "") -> Seen:
    """So many clients for so long. `pause`: seconds between the questions of one; 0: as fast as it goes."""

    async def run() -> Seen:
        seen = Seen()
        until = time.monotonic() + seconds
        phones = [
            asyncio.create_task(phone(port, paths[number % len(paths)], until, pause, seen))
            for number in range(count)
        ]
        while database and time.monotonic() < until:
            seen.most_connections = max(seen.most_connections, await asyncio.to_thread(connected, database))
            await asyncio.sleep(0.1)
        await asyncio.wait_for(asyncio.gather(*phones), seconds + 60)
        return seen

    return asyncio.run(run())


def connected(database: str) -> int:
    """How many connections the server has to this database now, without ours."""
    with psycopg.connect(servers.postgres_url(), autocommit=True) as admin:
        row = admin.execute(WATCHING, [database, database]).fetchone()
        assert row is not None
        return int(row[0])
