"""A second listening socket of the web process of `serve` and `demo`, at an address of this machine in the
network of the hall. The owner's button opens it while the installation runs (deploy/phones.py).

It is as safe as `serve --host`, and no safer:
- It is bound to one private address, and not before the button is pressed.
- Host names: this address is added to ALLOWED_HOSTS, and taken away again. A name that a stranger lets point
  here (DNS rebinding) is refused as before, by Django and for sockets.
- Cookies over http belong to one host: the owner's session at 127.0.0.1 is not valid there, and no session of
  the network is valid at 127.0.0.1. Others in the network can read along; the page says so.
- CSRF: a form's Origin has to equal the requested host, which holds at each address by itself.
- A request from the network is no insider, because `Proxied` takes only loopback for direct.
"""

import asyncio
import json
import logging
import os
import socket
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import uvicorn
from django.conf import settings

VARIABLE: Final = "PUUR_OPENABLE"
"""Variable that `serve` and `demo` set for their web process if it may open the socket."""
BACKLOG: Final = 2048
SECONDS: Final = 10
log = logging.getLogger(__name__)


class NetworkListener:
    """The second socket, which is open or closed. Its port is `port`, that of the first socket, or any free
    one if `port` is taken.
    """

    def __init__(self, server: uvicorn.Server, port: int) -> None:
        self._server, self._port = server, port
        self._loop = asyncio.get_running_loop()
        self._listening: asyncio.Server | None = None
        self.address: str | None = None
        """`HOST:PORT` while the socket is open, else None."""

    def open(self, host: str) -> None:
        """Listen at this address, also after a restart, and no longer at an earlier one. Call this outside
        the event loop. Raises OSError if that is not possible.
        """
        asyncio.run_coroutine_threadsafe(self.listen(host), self._loop).result(SECONDS)
        _state_file().write_text(json.dumps({"host": host}))

    def close(self) -> None:
        """Stop listening at the address and end its connections. Call this outside the event loop."""
        _state_file().unlink(missing_ok=True)
        asyncio.run_coroutine_threadsafe(self._stop(), self._loop).result(SECONDS)

    async def listen(self, host: str) -> None:
        await self._stop()
        try:
            listening = socket.create_server((host, self._port), backlog=BACKLOG)
        except OSError:
            listening = socket.create_server((host, 0), backlog=BACKLOG)
        self._listening = await self._loop.create_server(self._create_protocol, sock=listening)
        self._server.servers.append(self._listening)  # it ends with the others
        self.address = f"{host}:{listening.getsockname()[1]}"
        settings.ALLOWED_HOSTS.append(host)

    async def _stop(self) -> None:
        if self._listening is None or self.address is None:
            return
        self._listening.close()
        self._server.servers.remove(self._listening)
        host = self.address.rpartition(":")[0]
        for connection in list(self._server.server_state.connections):
            if _local_address(connection) == self.address:
                connection.shutdown()
        with suppress(ValueError):
            settings.ALLOWED_HOSTS.remove(host)
        self._listening = self.address = None

    def _create_protocol(self) -> Any:
        config = self._server.config
        return config.http_protocol_class(  # type: ignore[call-arg]  # any of uvicorn's classes takes these
            config=config, server_state=self._server.server_state, app_state=self._server.lifespan.state
        )


current: NetworkListener | None = None
"""The listener of this web process; None if it has no button to open one."""


async def install_listener(server: uvicorn.Server, port: int) -> None:
    """Create the listener if `allow_opening` allows it, and open it again if it was open before a restart."""
    global current
    if os.environ.get(VARIABLE) != "1":
        return
    current = NetworkListener(server, port)
    with suppress(FileNotFoundError):
        try:
            await current.listen(json.loads(_state_file().read_text())["host"])
        except (OSError, ValueError, KeyError) as error:
            if isinstance(error, FileNotFoundError):
                raise
            log.warning("the address for phones is not open again: %s", error)


def allow_opening(*, loopback: bool) -> None:
    """Allow the web process to open the network address if it listens on `loopback` only and PUUR_ORIGIN is
    not set; else forbid it. Forget an address that an earlier start has opened.
    """
    _state_file().unlink(missing_ok=True)
    if loopback and not settings.ORIGIN:
        os.environ[VARIABLE] = "1"
    else:
        os.environ.pop(VARIABLE, None)


def _local_address(connection: Any) -> str:
    transport = getattr(connection, "transport", None)
    found = transport.get_extra_info("sockname") if transport is not None else None
    return f"{found[0]}:{found[1]}" if isinstance(found, tuple) else ""


def _state_file() -> Path:
    return Path(settings.VAR_DIR) / "phones"
