"""The web process of the live benchmark: one table with its hub, or one Channels group, and a driver.

    python -m tests.bench._live_server ours|peer --fd N

`GET /drive?events=N&rate=R` sends N frames to all clients, R a second (0: at full speed), and answers when
they have been sent; with `&others=M` the frames belong in turn to each of 1 + M tables of a round, whose rows
move as well. `GET /used` answers with the resident KiB and processor seconds of the process.
"""

import argparse
import asyncio
import os
import resource
import socket
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import uvicorn
from asgiref.sync import sync_to_async

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.bench._live_settings"

from deploy.limits import connections
from deploy.web import WholeFrames
from tests.bench import _pages_place
from tests.bench._live_wire import GAME_FILE, LENGTH, PEOPLE

Frame = Callable[[], str]
Application = Callable[[Any, Any, Any], Awaitable[None]]
"""An ASGI application; Django's scopes and those of Channels have different types."""


def frame() -> str:
    """A frame as long as a play's, with the nanosecond of its creation."""
    head = f'{{"t":{time.monotonic_ns():020d},"kind":"events","events":[{{"type":"card_played"}}],"filler":"'
    return head + "x" * (LENGTH - len(head) - 2) + '"}'


class Ours:
    """The platform's own application; the hub is given frames that are not stored."""

    def __init__(self) -> None:
        from deploy import asgi  # reads the data key of the measured place

        self.application: Application = asgi.application

    def prepare(self) -> None:
        from django.core.management import call_command

        from games.play.game_creation import create_game

        call_command("migrate", verbosity=0)
        game = create_game(
            variant="schieber", preset="championship", players=[letter * 32 for letter in "abcd"]
        )
        (Path(os.environ["PUUR_VAR"]) / GAME_FILE).write_text(game.id)
        _pages_place.championship(PEOPLE, "bench")

    def go_on(self, tables: int) -> None:
        """Advance this many tables of the round by a card."""
        from django.db.models import F

        from games.models import Game

        playing = Game.objects.filter(tournament_table__round__championship__slug="bench", status="running")
        games = list(playing.order_by("number").values_list("pk", flat=True)[1 : 1 + tables])
        Game.objects.filter(pk__in=games).update(
            head_seq=F("head_seq") + 1, turn_seat=(F("turn_seat") + 1) % 4
        )

    async def send(self, text: str, table: int | None = None) -> None:
        """Send by all hubs, or by one of them."""
        from games.live import hub_registry

        hubs = list(hub_registry.get_hub_registry()._hubs.values())
        for hub in hubs if table is None else [hubs[table % len(hubs)]]:
            hub._broadcast(hub.watchers(), text)
        await asyncio.sleep(0)


class Peer:
    """The usual design: every client's consumer in a group of the same channel layer."""

    def __init__(self) -> None:
        from channels.generic.websocket import AsyncWebsocketConsumer

        class Spectator(AsyncWebsocketConsumer):
            async def connect(self) -> None:
                await self.channel_layer.group_add("table", self.channel_name)
                await self.accept()

            async def frame(self, event: dict[str, Any]) -> None:
                await self.send(text_data=event["text"])

        self.application: Application = Spectator.as_asgi()

    def prepare(self) -> None:
        (Path(os.environ["PUUR_VAR"]) / GAME_FILE).write_text("0" * 32)

    async def send(self, text: str, table: int | None = None) -> None:
        """Send to all clients: a page is in one group per visible table, so each frame reaches all."""
        from channels.layers import get_channel_layer

        layer = get_channel_layer()
        assert layer is not None
        await layer.group_send("table", {"type": "frame", "text": text})


def with_driver(side: Ours | Peer) -> Application:
    """The application with the driver's two addresses beside it."""

    async def application(scope: dict[str, Any], receive: Any, send: Any) -> None:
        if scope["type"] != "http" or scope["path"] not in ("/drive", "/used"):
            await side.application(scope, receive, send)
            return
        asked = {key: float(value) for key, value in parse_qsl(scope["query_string"].decode())}
        if scope["path"] == "/drive":
            await drive(side, int(asked["events"]), asked["rate"], int(asked.get("others", 0)))
        body = f"{resident()} {time.process_time()}".encode()
        await send(
            {
                "type": "http.response.start",
                "status": 200,
                "headers": [(b"content-length", b"%d" % len(body))],
            }
        )
        await send({"type": "http.response.body", "body": body})

    return application


async def drive(side: Ours | Peer, events: int, rate: float, others: int = 0) -> None:
    """Send frames at a rate; a late one is sent at once."""
    loop = asyncio.get_running_loop()
    begun = loop.time()
    for number in range(events):
        if rate:
            await asyncio.sleep(max(0.0, begun + number / rate - loop.time()))
        await side.send(frame(), number if others else None)
        if others and isinstance(side, Ours) and number % (1 + others) == 0:
            await sync_to_async(side.go_on)(others)


def resident() -> int:
    """KiB in memory now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() // 1024


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("side", choices=["ours", "peer"])
    parser.add_argument("--fd", type=int, required=True)
    asked = parser.parse_args()
    side = Ours() if asked.side == "ours" else Peer()
    side.prepare()
    config = uvicorn.Config(
        with_driver(side),
        lifespan="off",
        ws=WholeFrames,
        ws_per_message_deflate=False,
        timeout_keep_alive=connections.KEEP_SECONDS,
        ws_ping_interval=None,  # the clients count frames by their length
        log_level="warning",
        access_log=False,
    )
    print("ready", flush=True)
    uvicorn.Server(config).run(sockets=[socket.socket(fileno=asked.fd)])


if __name__ == "__main__":
    main()
