"""Players at a table, through HTTP alone, who write down, outside of the system, what was acknowledged."""

import json
import queue
import secrets
import threading
import time
from collections.abc import Sequence
from typing import Any

import httpx

from engine import State, decode_event, encode, replay, to_act
from games.bots import choose

PATIENCE = 120.0
PAUSE = 0.05


Acknowledged = tuple[str, str, int]
"""(game, command_id, seq) of a command that an answer says is stored."""
Ledger = queue.Queue[Acknowledged | None]
"""What is acknowledged, the moment it is; None for each table that has stopped playing."""


def told_so_far(ledger: Ledger) -> list[Acknowledged]:
    """All that lies in a ledger now, taken out of it."""
    entries = [ledger.get() for _ in range(ledger.qsize())]
    return [entry for entry in entries if entry is not None]


class Refused(Exception):
    """The server understood and said no."""


class Seat:
    """One seat of a game: its session, and the game as it has been told there.

    `nodes`: addresses of the platform, of which it asks one until that does not answer, then the next.
    """

    def __init__(self, nodes: Sequence[str], game: str, token: str) -> None:
        self._nodes = list(nodes)
        self._game = f"/api/v1/games/{game}"
        self._client = httpx.Client(timeout=20)
        self.state = State()
        self._since = -1
        opened = self._persist("POST", "/api/v1/table-session/", {"token": token})
        self._client.headers["X-CSRFToken"] = opened["csrf_token"]

    def read_on(self) -> int | None:
        """Catch up with the game; whose turn it is then."""
        told = self._persist("GET", f"{self._game}/events/?since={self._since}")
        events = [decode_event(event) for event in told["events"]]
        self._since += len(events)
        replay(events, self.state)
        turn = to_act(self.state)
        return None if turn is None else turn.seat

    def send(self, command: Any) -> tuple[str, int]:
        """Have a command stored, however often it takes: its id, and the seq it was acknowledged with."""
        command_id = secrets.token_hex(8)
        body = {"command_id": command_id, "command": json.loads(encode(command))}
        return command_id, self._persist("POST", f"{self._game}/commands/", body)["seq"]

    def close(self) -> None:
        self._client.close()

    def _persist(self, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        """Ask until there is an answer: what became of a request without one, the same request finds out."""
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                answer = self._client.request(method, self._nodes[0] + path, json=body)
                if answer.status_code < 400:
                    known: dict[str, Any] = answer.json()
                    return known
                if answer.status_code < 500:
                    raise Refused(f"{answer.status_code} {answer.text}")
                failure: object = answer.status_code
            except httpx.TransportError as error:
                failure = error
                self._nodes.append(self._nodes.pop(0))
            if time.monotonic() > deadline:
                raise TimeoutError(f"no answer to {method} {path} for {PATIENCE} s: {failure}")
            time.sleep(PAUSE)  # between two tries, as a browser waits; nothing is synchronised by it


class Table:
    """Four seats of one game, each with a session of its own, played by one thread.

    Its seats are spread over the nodes. `longest_wait`: seconds from a command to its acknowledgement, the
    longest since somebody has set it to 0.
    """

    def __init__(
        self,
        nodes: Sequence[str],
        game: str,
        tokens: Sequence[str],
        ledger: Ledger,
    ) -> None:
        self.game = game
        self.ledger = ledger
        self.longest_wait = 0.0
        self.seats = [
            Seat([*nodes[seat % len(nodes) :], *nodes[: seat % len(nodes)]], game, token)
            for seat, token in enumerate(tokens)
        ]

    def play(self, enough: threading.Event, pace: float = 0) -> None:
        """Play until nobody is to act or somebody says that it is enough. pace: seconds before a command."""
        try:
            turn = self.seats[0].read_on()
            while turn is not None and not enough.is_set():
                seat = self.seats[turn]
                told = seat.read_on()
                if told == turn:
                    command = choose(seat.state, turn, b"faults")
                    enough.wait(pace)
                    before = time.monotonic()
                    self.ledger.put((self.game, *seat.send(command)))
                    self.longest_wait = max(self.longest_wait, time.monotonic() - before)
                    told = seat.read_on()
                turn = told
        finally:
            self.ledger.put(None)
            for seat in self.seats:
                seat.close()
