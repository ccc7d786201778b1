"""The web process: uvicorn on a socket.

    python -m deploy.web [--bind HOST:PORT | --bind unix:/PATH | --fd N] [--workers N]

`--fd`: another process opened the socket, so connections wait there during a restart. `demo` and `serve` do
that, and systemd (deploy/systemd/puur-web.socket). Without `--bind` and `--fd`, PUUR_BIND is used.
"""

import argparse
import asyncio
import logging
import os
import socket
import stat
import time
from contextlib import suppress
from functools import cached_property
from types import FrameType
from typing import Any

import uvicorn
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.supervisors import multiprocess
from websockets.protocol import State

from deploy.environment import LAST_PORT, BadSetting
from deploy.limits import connections
from deploy.limits.lanes import Lanes
from deploy.limits.sockets import LARGEST_MESSAGE, PING_SECONDS, drop_unresponsive_clients
from deploy.process_tree import children

GRACEFUL_SECONDS = 5
HANGING_SECONDS = 40.0
HUNG_FOR_SECONDS = 15.0
"""Seconds for which /readyz reports a hanging lane; then the process ends."""
UNIX = "unix:"
BACKLOG = 4096
WATCH_SECONDS = 60
HUNG_EXIT_CODE = 70
"""Exit code of a process whose threads hang."""
NEWER_SCHEMA_EXIT_CODE = 71
"""Exit code of a process whose database was migrated by a newer version."""
log = logging.getLogger(__name__)


class WholeFrames(WebSocketsSansIOProtocol):
    """A WebSocket protocol with the ASGI extension `puur.write`: it writes whole frames at once, without a
    task for each write. A message for all spectators of a table is thus encoded as a frame only once.
    """

    async def run_asgi(self) -> None:
        extensions: dict[str, Any] = self.scope["extensions"]
        extensions["puur.write"] = self.write
        await super().run_asgi()

    def write(self, frame: bytes) -> bool:
        """Write a frame. Return False if the client does not read or is not connected."""
        ended = self.disconnected or self.close_sent or self.initial_response is not None
        if ended or not (self.handshake_complete and self.writable.is_set()):
            return False
        if self.conn.state is not State.OPEN or self.transport.is_closing():
            return False
        self.transport.write(frame)
        return True


class Server(uvicorn.Server):
    """A uvicorn server that reports its start, wakes up at a signal to end, and ends if a lane hangs.

    uvicorn itself checks ten times a second whether to end, which takes a quarter of the CPU time of an idle
    process.
    """

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._ending = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._last_tick: float | None = None
        self._hung_since: float | None = None
        self._hung: tuple[str, ...] = ()

    @property
    def is_hung(self) -> bool:
        """Whether the event loop has not run for more than HANGING_SECONDS."""
        return self._last_tick is not None and time.monotonic() - self._last_tick > HANGING_SECONDS

    async def main_loop(self) -> None:
        self._loop = asyncio.get_running_loop()
        while not await self.on_tick(0):  # Updates the Date header, once a second.
            self._last_tick = time.monotonic()
            self._check_lanes()
            with suppress(TimeoutError):
                async with asyncio.timeout(1.0):
                    await self._ending.wait()

    def _check_lanes(self) -> None:
        """End the process if every thread of a lane hangs. Threads cannot be stopped, but a new process has
        new ones. Clients of sockets are asked to reconnect, as whenever a process ends.
        """
        hung = Lanes.current.hung_lanes() if Lanes.current else ()
        if not hung:
            self._hung_since = None
            return
        self._hung_since = self._hung_since or time.monotonic()
        if time.monotonic() - self._hung_since >= HUNG_FOR_SECONDS and not self._hung:
            log.critical("every thread of %s hangs: this process ends", ", ".join(hung))
            self._hung = hung
            self.should_exit = True
            self._ending.set()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await super().shutdown(sockets)
        if self._hung:
            logging.shutdown()
            os._exit(HUNG_EXIT_CODE)  # A graceful end would wait for the threads.

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        super().handle_exit(sig, frame)
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._ending.set)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await asyncio.to_thread(_refuse_newer_schema)
        await super().startup(sockets)
        if self.started:
            await _install_network_listener(self, sockets)
            children.send_ready()
            self._alive_task = asyncio.create_task(_report_alive())


class ServingProcess(multiprocess.Process):
    """One of several processes that run a `Server`. The supervisor asks each one whether it is alive, kills
    one that does not answer, and starts another. uvicorn's own class answers even while its event loop hangs;
    this one does not.
    """

    @cached_property
    def server(self) -> Server:
        return Server(self.config)

    def pong(self) -> None:
        self.child_conn.recv()
        if not self.server.is_hung:
            self.child_conn.send(self.server.started)


def _refuse_newer_schema() -> None:
    from django.apps import apps
    from django.db import connection

    from deploy import migrating  # Django is ready only after uvicorn has loaded the application.

    if not apps.ready:  # another application than ours
        return
    try:
        migrating.refuse_newer_schema()
    except migrating.NewerSchema as error:
        log.critical("%s (%s)", error, error.code)
        os._exit(NEWER_SCHEMA_EXIT_CODE)
    finally:
        connection.close()


async def _install_network_listener(server: Server, sockets: list[socket.socket] | None) -> None:
    from django.apps import apps

    if not apps.ready or not sockets or sockets[0].family != socket.AF_INET:
        return
    from deploy import network_listener

    await network_listener.install_listener(server, sockets[0].getsockname()[1])


async def _report_alive() -> None:
    """Report from the event loop that this process is alive, so that a process whose loop hangs stops
    reporting; then look after the installation.
    """
    watching: asyncio.Task[None] | None = None
    last_watch = time.monotonic()
    while True:
        children.send_alive()
        if time.monotonic() - last_watch >= WATCH_SECONDS and (watching is None or watching.done()):
            last_watch = time.monotonic()
            watching = asyncio.create_task(asyncio.to_thread(_watch_installation))
        await asyncio.sleep(children.ALIVE_SECONDS)


def _watch_installation() -> None:
    """Publish the forwarded headers that arrived in this process, and watch for troubles, in case the worker
    is dead.
    """
    from django.apps import apps
    from django.db import connection

    if not apps.ready:
        return
    from deploy.doctor import proxies, trouble_alerts

    proxies.publish_forwarded()
    try:
        trouble_alerts.watch()
    except Exception:  # The next look may succeed; a web process lives without.
        log.exception("the installation could not be watched")
    finally:
        connection.close()


def open_socket(address: str) -> socket.socket:
    """Return a socket listening on HOST:PORT, [IPV6]:PORT or unix:/PATH. Raises BadSetting."""
    try:
        if address.startswith(UNIX):
            path = address.removeprefix(UNIX)
            with suppress(FileNotFoundError):  # An earlier process left its socket behind.
                if stat.S_ISSOCK(os.stat(path).st_mode):
                    os.unlink(path)
            listening = socket.socket(socket.AF_UNIX)
            listening.bind(path)
            listening.listen(BACKLOG)
            return listening
        host, _, port = address.rpartition(":")
        host = host.strip("[]")
        if not host or not port.isdigit() or int(port) > LAST_PORT:
            raise BadSetting(f"where to listen must be HOST:PORT or unix:/PATH, not {address}")
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, int(port)), family=family, backlog=BACKLOG)
    except OSError as error:
        raise BadSetting(f"cannot listen on {address}: {error.strerror or error}") from error


def find_socket(options: argparse.Namespace) -> socket.socket:
    """Return the socket with descriptor `--fd`, else a new one at `--bind` or PUUR_BIND. Raises BadSetting if
    the address is missing or unusable.
    """
    if options.fd is not None:
        return socket.socket(fileno=options.fd)
    address = options.bind or os.environ.get("PUUR_BIND", "")
    if not address:
        raise BadSetting("where to listen is missing: --bind HOST:PORT, or PUUR_BIND")
    return open_socket(address)


def main() -> None:
    parser = argparse.ArgumentParser(prog="deploy.web", description="The web process.")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--fd", type=int, help="a listening socket")
    where.add_argument("--bind", metavar="ADDRESS", help="HOST:PORT or unix:/PATH; default: PUUR_BIND")
    parser.add_argument("--workers", type=int, default=1, help="processes that share the socket")
    options = parser.parse_args()
    try:
        listening = find_socket(options)
    except BadSetting as error:
        parser.exit(1, f"puur: {error}\n")
    drop_unresponsive_clients(listening)
    config = uvicorn.Config(
        "deploy.asgi:application",
        workers=options.workers,
        http=connections.BoundedHttp,
        ws=WholeFrames,
        timeout_keep_alive=connections.KEEP_SECONDS,
        lifespan="off",
        proxy_headers=False,  # deploy.limits.proxied does that.
        ws_per_message_deflate=False,  # Compressed lengths would reveal the contents of private frames.
        ws_max_size=LARGEST_MESSAGE,
        ws_ping_interval=PING_SECONDS,
        timeout_graceful_shutdown=GRACEFUL_SECONDS,
        log_config=None,
        access_log=False,
        server_header=False,
    )
    connections.raise_limit()  # Child processes inherit the limit.
    if options.workers > 1:
        multiprocess.Process = ServingProcess  # type: ignore[misc]  # uvicorn takes the class from this name only
        multiprocess.Multiprocess(config, sockets=[listening]).run()
    else:
        Server(config).run(sockets=[listening])


if __name__ == "__main__":
    main()
