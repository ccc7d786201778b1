"""Players at a table, through HTTP alone, who write down, outside of the system, what was acknowledged."""

import json
import queue
import secrets
import time
from collections.abc import Sequence
from typing import Any

import httpx

from engine import decode_event, encode, replay
from games.bots import choose

PATIENCE = 120.0
PAUSE = 0.05


class Refused(Exception):
    """The server understood and said no."""


class Table:
    """Four seats of one game, each with a session of its own, played by one thread.

    `ledger` gets (command_id, seq) the moment an answer says that a command is stored.
    """

    def __init__(self, url: str, game: str, tokens: Sequence[str]) -> None:
        self.url = f"{url}/api/v1/games/{game}"
        self.ledger: queue.Queue[tuple[str, int] | None] = queue.Queue()
        self.seats = [self._open(url, token) for token in tokens]

    def _open(self, url: str, token: str) -> httpx.Client:
        seat = httpx.Client(timeout=20)
        opened = seat.post(f"{url}/api/v1/table-session/", json={"token": token})
        opened.raise_for_status()
        seat.headers["X-CSRFToken"] = opened.json()["csrf_token"]
        return seat

    def play_to_the_end(self) -> None:
        """Play until nobody is to act; a ledger entry of None says that it is over."""
        try:
            while self._move():
                pass
        finally:
            self.ledger.put(None)
            for seat in self.seats:
                seat.close()

    def _move(self) -> bool:
        turn = self._persist(self.seats[0], "GET", "events/", {})["turn"]
        if turn is None:
            return False
        seat = turn["seat"]
        frame = self._persist(self.seats[seat], "GET", "events/", {})
        state = replay([decode_event(event) for event in frame["events"]])
        command = choose(state, seat, b"faults")
        body = {"command_id": secrets.token_hex(8), "command": json.loads(encode(command))}
        answer = self._persist(self.seats[seat], "POST", "commands/", body)
        self.ledger.put((body["command_id"], answer["seq"]))
        return True

    def _persist(self, seat: httpx.Client, method: str, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """Ask until there is an answer: what became of a request without one, the same request finds out."""
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                answer = seat.request(method, f"{self.url}/{path}", json=body or None)
                if answer.status_code < 400:
                    known: dict[str, Any] = answer.json()
                    return known
                if answer.status_code < 500:
                    raise Refused(f"{answer.status_code} {answer.text}")
                failure: object = answer.status_code
            except httpx.TransportError as error:
                failure = error
            if time.monotonic() > deadline:
                raise TimeoutError(f"no answer to {method} {path} for {PATIENCE} s: {failure}")
            time.sleep(PAUSE)  # between two tries, as a browser waits; nothing is synchronised by it
