"""Spectators of one table, as one process among several: `python -m tests.bench._load_watchers PORT GAME
COUNT FIRST < lines`. After a lost socket a spectator opens another one after a moment and reads on from its
last seq.

Each input line is answered by a line. {"forget": true}: begin to count. {"moves": [[seq, left], …]}:
`quantiles`, in hundredths, of the milliseconds from a command's sending, by the clock all processes share, to
its events here; the number of `frames`; `gaps`. {"since": instant}: `back`, the seconds after it at which
each spectator had a socket again.
"""

import asyncio
import json
import random
import sys
from bisect import bisect_left
from typing import Any, Final

import msgspec

from tests.bench import _sockets
from tests.bench._sockets import Socket

PAUSE: Final = (0.2, 2.0)
AT_ONCE: Final = 100


class Event(msgspec.Struct):
    seq: int


class Told(msgspec.Struct):
    kind: str
    seq: int = -1
    events: list[Event] = []


class Watcher:
    """One spectator."""

    def __init__(self, port: int, game: str, number: int) -> None:
        self.port, self.game = port, game
        self.address = _sockets.address(1 << 22 | number)
        self.chance = random.Random(number)
        self.loop = asyncio.get_running_loop()
        self.seq = -1
        self.arrived: list[tuple[int, float]] = []
        self.gaps = 0
        self.opened = 0.0
        self.socket = self._socket()

    def _socket(self) -> Socket:
        path = f"/ws/games/{self.game}/?since={self.seq}"
        return Socket(self.port, path, self.address, {}, self.hear, self.lost)

    def hear(self, text: bytes) -> None:
        told = msgspec.json.decode(text, type=Told)
        if told.kind != "events" or told.seq <= self.seq:
            return
        if told.events and told.events[0].seq > self.seq + 1:
            self.gaps += 1
        self.seq = told.seq
        self.arrived.append((told.seq, self.loop.time()))

    def lost(self, code: int) -> None:
        self.opened = 0.0
        self.again()

    def again(self) -> None:
        self.loop.call_later(self.chance.uniform(*PAUSE), lambda: self.loop.create_task(self.reopen()))

    async def reopen(self) -> None:
        self.socket = self._socket()
        try:
            await self.socket.open()
            self.opened = self.loop.time()
        except (OSError, TimeoutError):
            if hasattr(self.socket, "transport"):
                self.socket.transport.abort()
            self.again()


def latencies(watchers: list[Watcher], moves: list[tuple[int, float]]) -> list[float]:
    """Latencies of frames: a frame that ends at seq holds the newest move sent before it."""
    before = [seq for seq, _ in moves]
    found = []
    for watcher in watchers:
        for seq, at in watcher.arrived:
            place = bisect_left(before, seq) - 1
            if place >= 0:
                found.append(1000 * (at - moves[place][1]))
    return found


def answer(watchers: list[Watcher], asked: dict[str, Any]) -> dict[str, Any]:
    if "moves" in asked:
        found = latencies(watchers, asked["moves"])
        quantiles = _sockets.percentiles(found, *range(100))
        return {"quantiles": quantiles, "frames": len(found), "gaps": sum(each.gaps for each in watchers)}
    if "since" in asked:
        return {"back": [each.opened - asked["since"] for each in watchers if each.opened > asked["since"]]}
    for watcher in watchers:
        watcher.arrived.clear()
    return {}


async def main(port: int, game: str, count: int, first: int) -> None:
    _sockets.with_room()
    lines = asyncio.StreamReader(limit=1 << 26)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    watchers = [Watcher(port, game, first + number) for number in range(count)]
    await _sockets.opened([watcher.socket for watcher in watchers], AT_ONCE)
    print(json.dumps({"open": count}), flush=True)
    while line := await lines.readline():
        print(json.dumps(answer(watchers, json.loads(line))), flush=True)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
