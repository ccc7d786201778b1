"""All clients of many dealt tables, as one process: four seats each, and spectators.

    python -m tests.bench._load_crowd PORT SPECTATORS < lines

The first line has the tables as `_load_place` prints them; then each line {"rate": cards a second or 0,
"seconds": s} starts play at that pace, and is answered by a line of figures. Milliseconds are counted from a
command's sending to its acknowledgement, and to its events at each spectator. Of a single table `moves` holds
the preceding seq and the time of each command.
"""

import asyncio
import json
import random
import secrets
import sys
from functools import partial
from typing import Any, Final

import msgspec

from engine.cards import DECK
from tests.bench import _sockets
from tests.bench._sockets import Socket

CONTRACTS: Final = ("clubs", "hearts", "spades", "diamonds")
TRY_AGAIN: Final = "live/try_again"
"""The code after which the same command is sent again under the same id, after a second, as a page does; its
milliseconds go on."""


class Told(msgspec.Struct):
    """The fields read from a frame to a player."""

    kind: str
    seq: int = -1
    command_id: str | None = None
    code: str = ""
    legal: str = ""
    own_commands: list[str] = []


class Seen(msgspec.Struct):
    """The fields read from a frame to a spectator."""

    kind: str
    seq: int = -1


class Pace:
    """The requested pace of all tables, and its results."""

    def __init__(self) -> None:
        self.interval = 0.0
        self.acknowledged: list[float] = []
        self.seen: list[float] = []
        self.refused: dict[str, int] = {}
        self.moves: list[tuple[int, float]] = []


class Table:
    """Four seats and their spectators; a card is played when it is due and a seat has the turn."""

    def __init__(self, port: int, told: dict[str, Any], spectators: int, number: int) -> None:
        path = f"/ws/games/{told['game']}/"
        self.pace = Pace()
        self.chance = random.Random(number)
        self.loop = asyncio.get_running_loop()
        self.turn: tuple[int, Told] | None = None
        self.seq = -1
        self.left: float | None = None
        self.due = 0.0
        self.command = ""
        self.timer: asyncio.TimerHandle | None = None
        self.seats = [
            Socket(
                port,
                path,
                _sockets.address(number * 8 + seat),
                {"Cookie": cookie},
                partial(self.hear, seat),
            )
            for seat, cookie in enumerate(told["seats"])
        ]
        self.spectators = [
            Socket(port, path, _sockets.address(1 << 20 | number * 8 + who), {}, self.see)
            for who in range(spectators)
        ]

    def play_at(self, pace: Pace) -> None:
        """Change the pace from now on; the first card comes at a random time within the interval."""
        self.pace = pace
        if pace.interval:
            self.due = self.loop.time() + self.chance.uniform(0, pace.interval)
            self._arm()

    def hear(self, seat: int, text: bytes) -> None:
        told = msgspec.json.decode(text, type=Told)
        if told.kind == "events":
            self.seq = max(self.seq, told.seq)
            if told.own_commands and told.seq >= self.seq:
                self.turn = seat, told
                self._arm()
        elif told.kind == "ack" and told.command_id == self.command and self.left is not None:
            self.pace.acknowledged.append(self.loop.time() - self.left)
        elif told.kind == "error":
            self.pace.refused[told.code] = self.pace.refused.get(told.code, 0) + 1
            if told.command_id == self.command and told.code == TRY_AGAIN:
                self.loop.call_later(1.0, self.seats[seat].say, self.said)

    def see(self, text: bytes) -> None:
        told = msgspec.json.decode(text, type=Seen)
        if told.kind == "events" and self.left is not None and told.seq > self.sent_at:
            self.pace.seen.append(self.loop.time() - self.left)

    def _arm(self) -> None:
        if self.turn is None or not self.pace.interval or self.timer is not None:
            return
        self.timer = self.loop.call_at(max(self.due, self.loop.time()), self._send)

    def _send(self) -> None:
        self.timer = None
        if self.turn is None or not self.pace.interval:
            return
        (seat, told), self.turn = self.turn, None
        self.command, self.sent_at, self.left = secrets.token_hex(8), told.seq, self.loop.time()
        self.due = max(self.due + self.pace.interval, self.left)
        self.pace.moves.append((told.seq, self.left))
        asked = {"command_id": self.command, "command": self._answer(seat, told)}
        self.said = msgspec.json.encode(asked)
        self.seats[seat].say(self.said)

    def _answer(self, seat: int, told: Told) -> dict[str, Any]:
        if "play" in told.own_commands:
            legal = [card for card, may in zip(DECK, told.legal, strict=True) if may == "1"]
            return {"cmd": "play", "seat": seat, "card": self.chance.choice(legal)}
        return {"cmd": "choose", "seat": seat, "contract": self.chance.choice(CONTRACTS)}


async def measured(tables: list[Table], rate: float, seconds: float) -> dict[str, Any]:
    """Play at a pace for this many seconds."""
    pace = Pace()
    pace.interval = len(tables) / rate if rate else 0.0
    before = _sockets.processor()
    for table in tables:
        table.play_at(pace)
    await asyncio.sleep(seconds)  # the measured time
    used = _sockets.processor() - before
    for table in tables:
        table.pace = Pace()
    acknowledged = _sockets.percentiles([1000 * each for each in pace.acknowledged], 50, 95, 99)
    return {
        "rate": rate,
        "got": len(pace.acknowledged) / seconds,
        "acknowledged": acknowledged,
        "seen": _sockets.percentiles([1000 * each for each in pace.seen], 50, 95, 99),
        "refused": pace.refused,
        "cards": len(pace.acknowledged),
        "client": used,
        "moves": pace.moves if len(tables) == 1 else [],
    }


async def main(port: int, spectators: int) -> None:
    _sockets.with_room()
    lines = asyncio.StreamReader(limit=1 << 26)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    told = json.loads(await lines.readline())
    tables = [Table(port, each, spectators, number) for number, each in enumerate(told)]
    await _sockets.opened([socket for table in tables for socket in table.seats])
    await _sockets.opened([socket for table in tables for socket in table.spectators])
    print(json.dumps({"open": len(tables) * (4 + spectators)}), flush=True)
    while line := await lines.readline():
        asked = json.loads(line)
        print(json.dumps(await measured(tables, asked["rate"], asked["seconds"])), flush=True)


if __name__ == "__main__":
    asyncio.run(main(*map(int, sys.argv[1:])))
