"""A hub a game beside a Channels group with channels_redis pub/sub, in one run:
`python -m tests.bench.live [--sockets N] [--runs N]`.

One web process on one core, the clients on another. One JSON line a figure: name, ours and peer (median),
ratio (median of the runs' ratios, always so that more is better for us), runs, smallest, median and largest
ratio.
"""

import argparse
import asyncio
import contextlib
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from deploy.environment import BASE_DIR
from deploy.process_tree.children import end_with_parent
from games.encryption import make_data_key
from tests import servers
from tests.bench import _live_sight
from tests.bench._live_client import counted, on_core, opened, used
from tests.bench._live_wire import GAME_FILE
from tests.bench._quick import add_quick

FLOOD = {"ours": 200, "peer": 20}
"""Frames to all clients at full speed; the peer is slower, and the figure is a rate."""
STEADY = 60
"""Frames to all clients at 20 a second."""
PATIENCE = 30.0


@contextlib.contextmanager
def server(side: str, redis: str) -> Iterator[tuple[int, str]]:
    """Start a fresh web process; returns its port and the path of its table."""
    with tempfile.TemporaryDirectory() as folder, socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(2048)
        environment = {
            **os.environ,
            "PUUR_VAR": folder,
            "PUUR_DATA_KEY": f"{folder}/data_key",
            "REDIS_URL": redis,
            "DATABASE_URL": f"sqlite:///{folder}/bench.sqlite3",
            "LOG_LEVEL": "ERROR",
        }
        make_data_key(Path(folder) / "data_key")
        parent = os.getpid()

        def pinned() -> None:
            end_with_parent(parent)
            on_core(0)

        process = subprocess.Popen(
            [sys.executable, "-m", "tests.bench._live_server", side, "--fd", str(listening.fileno())],
            cwd=BASE_DIR,
            env=environment,
            pass_fds=[listening.fileno()],
            stdout=subprocess.PIPE,
            preexec_fn=pinned,
        )
        assert process.stdout is not None
        try:
            if process.stdout.readline() != b"ready\n":
                raise RuntimeError(f"the server of {side} did not start")
            game = (Path(folder) / GAME_FILE).read_text()
            yield listening.getsockname()[1], f"/ws/games/{game}/"
        finally:
            process.kill()
            process.wait()
            process.stdout.close()


async def measured(side: str, port: int, path: str, sockets: int, share: float) -> dict[str, float]:
    """Measure one side once. Processor time, because other work of the machine must not count."""
    empty, _ = await used(port)
    counters = await opened(port, path, sockets)
    full, begun = await used(port)
    await counted(port, counters, int(FLOOD[side] * share), 0, PATIENCE)
    _, done = await used(port)
    rate = sum(counter.frames for counter in counters) / (done - begun)
    await counted(port, counters, int(STEADY * share), 20, PATIENCE)
    delays = sorted(delay / 1e6 for counter in counters for delay in counter.delays)
    sight = await _live_sight.spent(side, port, counters, share)
    for counter in counters:
        counter.transport.abort()
    return {
        "messages a second of processor time": rate,
        "KiB a client": (full - empty) / sockets,
        "processor µs a page and second, six other tables and the timeline in sight": 1e6 * sight,
        "ms at 20 events a second, p50": delays[len(delays) // 2],
        "ms at 20 events a second, p99": delays[len(delays) * 99 // 100],
    }


def figures(sockets: int, runs: int, redis: str, share: float) -> list[dict[str, Any]]:
    """All figures; each run measures both sides, in turn."""
    found: dict[str, list[tuple[float, float]]] = {}
    for _ in range(runs):
        sides = {}
        for side in ("ours", "peer"):
            with server(side, redis) as (port, path):
                sides[side] = asyncio.run(measured(side, port, path, sockets, share))
        for name, ours in sides["ours"].items():
            found.setdefault(name, []).append((ours, sides["peer"][name]))
    return [_figure(name, sockets, pairs) for name, pairs in found.items()]


def _figure(name: str, sockets: int, pairs: list[tuple[float, float]]) -> dict[str, Any]:
    more_is_better = name.startswith("messages")
    ratios = [ours / peer if more_is_better else peer / ours for ours, peer in pairs]
    return {
        "name": f"live/{sockets} sockets, {name}",
        "ours": round(statistics.median(ours for ours, _ in pairs), 1),
        "peer": round(statistics.median(peer for _, peer in pairs), 1),
        "ratio": round(statistics.median(ratios), 2),
        "runs": len(pairs),
        "min": round(min(ratios), 2),
        "median": round(statistics.median(ratios), 2),
        "max": round(max(ratios), 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="tests.bench.live", description=__doc__)
    parser.add_argument("--sockets", type=int, default=500)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--share", type=float, default=1, help="of the frames that are sent")
    add_quick(parser, sockets=3, runs=1, share=0.1)
    asked = parser.parse_args()
    on_core(1)
    with tempfile.TemporaryDirectory() as folder, servers.own_valkey(Path(folder)) as (_, redis):
        for figure in figures(asked.sockets, asked.runs, redis, asked.share):
            print(json.dumps(figure), flush=True)


if __name__ == "__main__":
    main()
