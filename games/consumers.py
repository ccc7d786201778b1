"""The socket of a table, /ws/games/<id>/?since=<last seq held>.

A plain ASGI application behind the Channels router: a Channels consumer would subscribe to Redis for each
client, and here the watch does that once. Authorised when it connects, with every command, with every
heartbeat, and before secrets are sent. Closing codes: 4400 bad address, 4403 no longer allowed, 4404 no such
game (or not for this person), 4429 too much asked; 1009 frame too large for the server, 1012 the server
restarts, 1013 too slow.
"""

import asyncio
import logging
from typing import Any, Final, NamedTuple

from engine import IllegalCommand, Observer
from games import access, sending, store
from games.access import Principal
from games.api.requests import CommandRequest
from games.errors import Malformed, Refused, UnknownGame
from games.live import frames, identity, limits, requests, watch
from games.live.hub import Hub, Watcher
from games.live.outbox import Message, Outbox, Send, message
from games.live.threads import in_thread
from games.models import Game
from games.submit import Submitted

BAD_ADDRESS: Final = 4400
UNKNOWN_GAME: Final = 4404
TOO_MUCH: Final = 4429
REFUSALS: Final = (IllegalCommand, Refused, store.ConcurrencyError)

log = logging.getLogger(__name__)


class Entry(NamedTuple):
    """Who was let in to what."""

    game: Game
    principal: Principal
    observer: Observer


class TableSocket:
    """One connection."""

    def __init__(self, scope: dict[str, Any], receive: Any, send: Send) -> None:
        self._scope = scope
        self._receive = receive
        self._send = send
        self._pace = limits.Pace()

    async def run(self) -> None:
        """From the handshake to the end."""
        await self._receive()
        await self._send({"type": "websocket.accept"})
        try:
            since = requests.since_of(self._scope["query_string"])
            entry = await in_thread(_enter)(self._scope)
        except Malformed as refusal:
            await self._turn_away(BAD_ADDRESS, refusal)
        except UnknownGame as refusal:
            await self._turn_away(UNKNOWN_GAME, refusal)
        else:
            await self._take_place(entry, since)

    async def _turn_away(self, code: int, refusal: Refused) -> None:
        """Say why, then close: of a refused handshake a page learns nothing."""
        text = frames.error(None, refusal.code, refusal.detail, refusal.params)
        await self._send(message(text))
        await self._send({"type": "websocket.close", "code": code})

    async def _take_place(self, entry: Entry, since: int) -> None:
        place = limits.Place(entry.principal, (self._scope.get("client") or ("",))[0])
        try:
            if place.taken:
                await self._serve(entry, since)
            else:
                await self._turn_away(TOO_MUCH, Refused("too many sockets", code="live/too_many_sockets"))
        finally:
            place.leave()

    async def _serve(self, entry: Entry, since: int) -> None:
        task = asyncio.current_task()
        outbox = Outbox(self._send, entry.game.id, gone=task.cancel if task else lambda: None)
        watcher = Watcher(
            outbox, entry.observer, limits.person_of(entry.principal), lambda: _may_still(self._scope, entry)
        )
        watching = watch.of_this_process()
        hub = None
        try:
            hub = await watching.attach(entry.game.id, watcher, since)
            while (said := await self._receive())["type"] == "websocket.receive":
                await self._hear(said, entry, watcher, hub)
        except asyncio.CancelledError:
            pass  # the writer found the client gone
        finally:
            outbox.abandon()
            if hub is not None:
                watching.detach(hub, watcher)

    async def _hear(self, said: Message, entry: Entry, watcher: Watcher, hub: Hub) -> None:
        if not self._pace.allows():
            self._answer(watcher, hub, frames.error(None, "live/too_fast", "at most 20 frames a second"))
            if self._pace.refused > limits.MOST_REFUSED:
                watcher.outbox.close(TOO_MUCH)
            return
        try:
            request = requests.read(said)
            if isinstance(request, CommandRequest):
                stored = await in_thread(_submit)(self._scope, entry.game, request)
                self._answer(watcher, hub, frames.ack(request.command_id, stored.last_seq))
                watch.of_this_process().nudge(entry.game.id, stored.last_seq)
            else:
                hub.again(watcher, request.since)
        except REFUSALS as refusal:
            named = requests.command_id_of(said)
            self._answer(watcher, hub, frames.error(named, refusal.code, refusal.detail, refusal.params))
        except Exception:
            log.exception("a command on a socket failed", extra={"game": entry.game.id})
            text = "the outcome is not known: send it again under the same command_id"
            self._answer(watcher, hub, frames.error(requests.command_id_of(said), "live/try_again", text))

    def _answer(self, watcher: Watcher, hub: Hub, text: str) -> None:
        if frames.is_private(watcher.observer):
            text = frames.padded(text, frames.ANSWER_LENGTH)
        watcher.outbox.put(message(text), hub.seq)


async def table_socket(scope: dict[str, Any], receive: Any, send: Send) -> None:
    """The ASGI application."""
    await TableSocket(scope, receive, send).run()


async def nowhere(scope: dict[str, Any], receive: Any, send: Send) -> None:
    """Any other address of a socket."""
    await receive()
    await send({"type": "websocket.accept"})
    await send({"type": "websocket.close", "code": UNKNOWN_GAME})


def _enter(scope: dict[str, Any]) -> Entry:
    principal = identity.principal_of(scope)
    game = access.game_for(principal, scope["url_route"]["kwargs"]["game_id"])
    return Entry(game, principal, access.live_observer_for(game, principal))


def _may_still(scope: dict[str, Any], entry: Entry) -> bool:
    try:
        return _enter(scope).observer == entry.observer
    except UnknownGame:
        return False


def _submit(scope: dict[str, Any], game: Game, request: CommandRequest) -> Submitted:
    return sending.send(game, identity.principal_of(scope), request)
