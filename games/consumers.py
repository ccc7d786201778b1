"""The socket of a table, /ws/games/<id>/?since=<last seq held>; /ws/strangers/games/<id>/ ignores the
session.

It is a plain ASGI application behind the Channels router: a Channels consumer would subscribe to Redis for
each client, while `games.live.hub_polling` subscribes once per process. Rights are checked at the connect,
with every command and heartbeat, after changes of rights, and before secrets are sent. Close codes:
`games.close_codes`.
"""

import asyncio
import logging
from functools import partial
from typing import Any

from django.db import DatabaseError

from engine import Refused
from games.close_codes import Closing
from games.encryption import DataKeyError
from games.error_responses import answer_to
from games.errors import TooMuch, TryLater, UnknownGame
from games.live import client_frames, command_queues, hub_registry, socket_rate_limits
from games.live.admission import Admission
from games.live.frame_sink import Message, Outbox, Send, make_message
from games.live.hub import Hub, Watcher
from games.live.threads import in_read_thread
from games.monitoring import counters, unavailable_errors
from games.observed import frames
from games.play.command_request import CommandRequest
from games.play.submit import CommandResult, submit
from games.rights import identity
from games.rights.claims import Outdated, SessionClaim

log = logging.getLogger(__name__)


class TableSocket:
    """One WebSocket connection."""

    def __init__(self, scope: dict[str, Any], receive: Any, send: Send, *, anonymous: bool = False) -> None:
        self._scope = scope
        self._receive = receive
        self._send = send
        self._frame_limit = socket_rate_limits.RateLimit()
        self._session = None if anonymous else identity.read_session_key(scope)
        self._address = (scope.get("client") or ("",))[0]
        self._side_tables: frozenset[str] = frozenset()

    async def run(self) -> None:
        """Serve the connection from the handshake to the end."""
        await self._receive()
        await self._send({"type": "websocket.accept"})
        try:
            identity.refuse_authorization(identity.read_authorization(self._scope))
            since = client_frames.parse_since(self._scope["query_string"])
            admission = await self._admit(self._scope["url_route"]["kwargs"]["game_id"])
        except Refused as refusal:
            await self._refuse_connection(refusal)
        except (DatabaseError, DataKeyError) as error:
            reason = unavailable_errors.reason(error)
            if not reason:
                raise
            await self._refuse_connection(TryLater(reason))
        else:
            await self._serve_in_slot(admission, since)

    async def _admit(self, game_id: str) -> Admission:
        """Admit the client. A client without a session is rate-limited before any lookup."""
        if self._session is None:
            await self._check_connect_rate(socket_rate_limits.address_key(self._address))
        admission = await hub_registry.get_hub_registry().admit(self._session, game_id)
        if self._session is not None:
            claim = SessionClaim() if admission is None else admission.claim
            await self._check_connect_rate(socket_rate_limits.socket_limit(claim, self._address)[0])
        if admission is None:
            raise UnknownGame("there is no such game", game=game_id)
        return admission

    async def _check_connect_rate(self, who: str) -> None:
        if seconds := await hub_registry.get_hub_registry().check_connect_rate(who):
            raise TooMuch("too many sockets were opened", code="http/throttled", seconds=seconds)

    async def _refuse_connection(self, refusal: Refused) -> None:
        """Send the refusal in a frame, then close: a page cannot read the reason of a refused handshake."""
        counters.refusals.add("sockets", refusal.code)
        text = frames.error(None, refusal.code, refusal.detail, refusal.params)
        await self._send(make_message(text))
        await self._send({"type": "websocket.close", "code": answer_to(refusal).closing})

    async def _serve_in_slot(self, admission: Admission, since: int) -> None:
        hubs = hub_registry.get_hub_registry()
        socket_limit = socket_rate_limits.socket_limit(admission.claim, self._address)
        if not await hubs.acquire_slot(socket_limit):
            await self._refuse_connection(TooMuch("too many sockets", code="live/too_many_sockets"))
            return
        try:
            await self._serve(admission, since)
        finally:
            hubs.release_slot(socket_limit)

    async def _serve(self, admission: Admission, since: int) -> None:
        task = asyncio.current_task()
        on_gone = task.cancel if task else lambda: None
        write = self._scope.get("extensions", {}).get("puur.write")
        outbox = Outbox(self._send, admission.game.id, on_gone, write)
        watcher = Watcher(outbox, admission)
        hubs = hub_registry.get_hub_registry()
        hub = None
        try:
            hub = await hubs.attach(admission.game.id, watcher, since)
            while (message := await self._receive())["type"] == "websocket.receive":
                await self._handle_message(message, watcher, outbox, hub)
        except asyncio.CancelledError:
            pass  # the writer noticed that the client is gone
        finally:
            outbox.abandon()
            self._subscribe_side_tables(outbox, {})
            if hub is not None:
                hubs.detach(hub, watcher)

    async def _handle_message(self, message: Message, watcher: Watcher, outbox: Outbox, hub: Hub) -> None:
        if not self._frame_limit.allows():
            self._refuse_too_fast(watcher, outbox, hub)
            return
        try:
            request = client_frames.read_request(message)
            if isinstance(request, CommandRequest):
                with counters.time_command("socket"):
                    stored = await self._submit(watcher, request)
                self._send_frame(watcher, hub, frames.ack(request.command_id, stored.last_seq))
                hub_registry.get_hub_registry().notify_new_events(hub.game_id, stored.last_seq, stored.now)
            elif isinstance(request, client_frames.SinceRequest):
                hub.resend(watcher, request.since)
            elif not self._frame_limit.allows(len(request.also) / socket_rate_limits.SIDE_TABLES_PER_FRAME):
                self._refuse_too_fast(watcher, outbox, hub)
            else:
                self._subscribe_side_tables(
                    outbox, {k: v for k, v in request.also.items() if k != hub.game_id}
                )
        except Refused as refusal:
            command_id = client_frames.read_command_id(message)
            self._send_frame(
                watcher, hub, frames.error(command_id, refusal.code, refusal.detail, refusal.params)
            )
        except Exception as error:
            if reason := unavailable_errors.reason(error):
                log.warning("a command on a socket was not stored: %s", reason)
            else:
                log.exception("a command on a socket failed", extra={"game": hub.game_id})
            text = "the outcome is not known: send it again under the same command_id"
            self._send_frame(
                watcher, hub, frames.error(client_frames.read_command_id(message), "live/try_again", text)
            )

    def _refuse_too_fast(self, watcher: Watcher, outbox: Outbox, hub: Hub) -> None:
        self._send_frame(watcher, hub, frames.error(None, "live/too_fast", "at most 20 frames a second"))
        if self._frame_limit.refused_count > socket_rate_limits.MAX_REFUSED_FRAMES:
            outbox.close(Closing.TOO_MUCH)

    def _subscribe_side_tables(self, outbox: Outbox, since_by_game: dict[str, int]) -> None:
        previous, self._side_tables = self._side_tables, frozenset(since_by_game)
        hub_registry.get_hub_registry().side_tables.subscribe(outbox, previous, since_by_game)

    async def _submit(self, watcher: Watcher, request: CommandRequest) -> CommandResult:
        """Store a command. If the session has changed since it was read, read the session and submit
        again.
        """
        while True:
            admission = watcher.admission
            try:
                return await command_queues.run_in_turn(
                    admission.game.id,
                    partial(
                        submit,
                        admission.game.id,
                        bytes(request.command),
                        actor=admission.claim,
                        command_id=request.command_id,
                        expected_seq=request.expected_seq,
                        wait=False,
                    ),
                )
            except Outdated:
                claim = await in_read_thread(identity.load_claim, self._session)
                watcher.admission = admission._replace(claim=claim)

    def _send_frame(self, watcher: Watcher, hub: Hub, text: str) -> None:
        if frames.is_private(watcher.observer):
            text = frames.padded(text, frames.MIN_ANSWER_BYTES)
        watcher.outbox.put(make_message(text), hub.seq)


async def table_socket(scope: dict[str, Any], receive: Any, send: Send) -> None:
    """Serve a connection, as an ASGI application."""
    await TableSocket(scope, receive, send).run()


async def anonymous_socket(scope: dict[str, Any], receive: Any, send: Send) -> None:
    """Serve a connection as an anonymous one, as an ASGI application for tables embedded in other sites."""
    await TableSocket(scope, receive, send, anonymous=True).run()


async def unknown_socket(scope: dict[str, Any], receive: Any, send: Send) -> None:
    """Accept and close a socket at an unknown address, as an ASGI application."""
    await receive()
    await send({"type": "websocket.accept"})
    await send({"type": "websocket.close", "code": Closing.UNKNOWN_GAME})
