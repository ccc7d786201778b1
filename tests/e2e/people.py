"""People who use the platform by its URLs only: a director with pages, players with sockets."""

import asyncio
import json
import re
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

import httpx
from websockets.asyncio.client import connect

from engine import State, decode_event, encode, evolve
from games.bots import choose
from tests.live_tree import ORGANISER

PATIENCE = 60.0
FRAME_SECONDS = 1 / 20
"""A socket accepts a limited number of frames a second; a client over the limit repeats its frame."""
LOOK_AGAIN = 0.1
GAME = re.compile(r"/g/([0-9a-f]{32})/")
INVITATION = re.compile(r"/invitation/[^\s\"<]+/")


class Person:
    """A person with a browser, signed in."""

    def __init__(self, url: str, name: str, password: str = ORGANISER[1]) -> None:
        self.url = url
        self.http = httpx.Client(base_url=url, timeout=PATIENCE, headers={"Accept-Language": "en"})
        self.http.get("/sign-in/").raise_for_status()
        answer = self.post("/sign-in/", username=name, password=password)
        assert answer.status_code == 302, answer.text

    def __enter__(self) -> "Person":
        return self

    def __exit__(self, *_: type[BaseException] | TracebackType | BaseException | None) -> None:
        self.http.close()

    def page(self, path: str) -> str:
        answer = self.http.get(path)
        answer.raise_for_status()
        return answer.text

    def post(self, path: str, files: Any = None, **data: str) -> httpx.Response:
        """The fields of a form."""
        sent = {**data, "csrfmiddlewaretoken": self.http.cookies["csrftoken"]}
        return self.http.post(path, data=sent, files=files, headers={"Referer": self.url})

    def until(self, path: str, shows: Callable[[str], bool]) -> str:
        """Poll the page until it is complete, as a page with a job does."""
        deadline = time.monotonic() + PATIENCE
        while not shows(text := self.page(path)):
            assert time.monotonic() < deadline, text
            time.sleep(LOOK_AGAIN)
        return text


class Director(Person):
    """Fredi, a championship's director."""

    def __init__(self, url: str) -> None:
        super().__init__(url, ORGANISER[0])
        self.slug = ""

    def found(self, name: str) -> None:
        answer = self.post("/new/", name=name, preset="santiago", mode="dealt", public="on")
        assert answer.status_code == 302, answer.text
        self.slug = answer.headers["Location"].split("/")[2]

    def import_entries(self, csv: bytes) -> None:
        path = f"/c/{self.slug}/entries/import/"
        preview = self.post(path, files={"file": ("entries.csv", csv)})
        assert preview.status_code == 200, preview.text
        assert self.post(path, files={"file": ("entries.csv", csv)}, commit="1").status_code == 302

    def check_in(self, number: int) -> None:
        assert self.post(f"/c/{self.slug}/entries/{number}/arrive/").status_code == 302

    def give_account(self, number: int) -> tuple[str, str]:
        """Invite the person of an entry; they make an account by the link. Returns its credentials."""
        name, password = f"player-{number}", ORGANISER[1]
        made = self.post(f"/c/{self.slug}/entries/{number}/invite/")
        assert made.status_code == 200, made.text
        [link] = set(INVITATION.findall(made.text))
        with httpx.Client(base_url=self.url, timeout=PATIENCE) as invited:
            invited.get(link).raise_for_status()
            sent = {"username": name, "name": name, "password": password}
            token = {"csrfmiddlewaretoken": invited.cookies["csrftoken"]}
            accepted = invited.post(link, data={**sent, **token}, headers={"Referer": self.url})
        assert accepted.status_code == 302, accepted.text
        return name, password

    def act(self, number: int, act: str, then: str) -> str:
        """Press a button of a round's page and wait for the next button."""
        path = f"/c/{self.slug}/rounds/{number}/"
        assert self.post(f"{path}do/{act}/").status_code == 302
        return self.until(path, lambda text: f"/do/{then}/" in text)

    def standings_csv(self) -> str:
        answer = self.post(f"/c/{self.slug}/standings/export/")
        job = answer.headers["Location"]
        self.until(job, lambda text: f"{job}file/" in text)
        return self.http.get(f"{job}file/").content.decode("utf-8-sig")


@dataclass
class Player:
    """A bot that has signed in as a person and takes the seat named on the round's page."""

    person: Person
    number: int
    seed: bytes
    sat: list[tuple[str, int]] = field(default_factory=list)
    """Game and seat of every round, in order."""

    def find_seat(self, slug: str, round_number: int) -> str:
        """Find the person's table on the page of the round, and their seat at the table's address."""
        page = self.person.page(f"/c/{slug}/rounds/{round_number}/")
        [game] = set(re.findall(r"/g/([0-9a-f]{32})/play/", page))
        observer = self.person.http.get(f"/api/v1/games/{game}/").json()["observer"]
        assert observer.startswith("seat:")
        self.sat.append((game, int(observer[-1])))
        return str(game)

    async def play(self) -> None:
        """Play the game of the last seat to its end over one socket."""
        game, seat = self.sat[-1]
        cookies = self.person.http.cookies
        headers = {"Cookie": f"sessionid={cookies['sessionid']}"}
        address = f"{self.person.url.replace('http', 'ws', 1)}/ws/games/{game}/"
        origin: Any = self.person.url
        async with connect(address, origin=origin, additional_headers=headers, compression=None) as socket:
            state, said = State(), ""
            while not state.over:
                frame = json.loads(await asyncio.wait_for(socket.recv(), PATIENCE))
                if frame.get("code") == "live/too_fast":
                    await asyncio.sleep(FRAME_SECONDS)
                    await socket.send(said)
                    continue
                assert frame["kind"] not in ("error", "resync"), frame
                if frame["kind"] != "events":
                    continue
                for event in frame["events"]:
                    assert event["seq"] == state.seq
                    evolve(state, decode_event(event))
                if frame["own_commands"]:
                    command = json.loads(encode(choose(state, seat, self.seed)))
                    told = {"command_id": secrets.token_hex(16), "expected_seq": state.seq - 1}
                    said = json.dumps({**told, "command": command})
                    await socket.send(said)
