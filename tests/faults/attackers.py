"""Attackers, as one process: `python -m tests.faults.attackers NAME PORT SECONDS [PATH]`.

Prints as JSON how often each status came, or each other end of a request or socket, by its name.
"""

import asyncio
import contextlib
import json
import secrets
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Final
from urllib.parse import urlencode
from urllib.request import urlopen

from tests.bench import _sockets
from tests.live_tree import ORGANISER

PATIENCE: Final = 30.0
MIB: Final = 1 << 20
FORM: Final = "application/x-www-form-urlencoded"
Seen = Counter[str]
Attack = Callable[[int, float, str, Seen], Awaitable[None]]


async def request(port: int, head: str, body: bytes = b"") -> tuple[int, str]:
    """One request on a connection of its own: status and head of the answer, which may come before all of the
    body has been sent."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(f"{head}\r\nHost: 127.0.0.1:{port}\r\nContent-Length: {len(body)}\r\n\r\n".encode())
        sending = asyncio.create_task(_send(writer, body))
        told = (await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE)).decode("latin-1")
        sending.cancel()
        return int(told.split()[1]), told
    finally:
        writer.close()


async def _send(writer: asyncio.StreamWriter, body: bytes) -> None:
    with contextlib.suppress(OSError):  # it was answered before it was all sent
        for at in range(0, len(body), MIB):
            writer.write(body[at : at + MIB])
            await writer.drain()


async def ask(port: int, path: str, seen: Seen) -> None:
    """Request a page, and count its status or error."""
    await _noted(seen, request(port, f"GET {path} HTTP/1.1\r\nConnection: close"))


async def _noted(seen: Seen, answer: Awaitable[tuple[int, str]]) -> None:
    try:
        status, _ = await answer
        seen[str(status)] += 1
    except (OSError, EOFError, TimeoutError) as error:
        seen[type(error).__name__] += 1


async def _again(count: int, seconds: float, act: Callable[[int], Awaitable[None]], pause: float = 0) -> None:
    """Run `act` this many times at once, each again and again."""
    end = time.monotonic() + seconds

    async def one(number: int) -> None:
        await asyncio.sleep(pause * number / count)
        while time.monotonic() < end:
            begun = time.monotonic()
            await act(number)
            await asyncio.sleep(max(0.01, begun + pause - time.monotonic()))

    await asyncio.gather(*(one(number) for number in range(count)))


# --- the attacks


async def hall(port: int, seconds: float, path: str, seen: Seen) -> None:
    """A hundred phones that request one page every five seconds."""
    await _again(100, seconds, lambda number: ask(port, path, seen), pause=5.0)


async def crowd(port: int, seconds: float, path: str, seen: Seen) -> None:
    """150 strangers who request a page as fast as they are answered."""
    await _again(150, seconds, lambda number: ask(port, path, seen))


async def sign_in(port: int, seconds: float, path: str, seen: Seen) -> None:
    """140 concurrent sign-ins with wrong passwords, each with another name."""
    form = await _form(port)

    async def act(number: int) -> None:
        await _noted(seen, form(f"nobody{number}-{seen.total()}", "Falsch-geraten-1"))

    await _again(140, seconds, act)


async def one_password(port: int, seconds: float, path: str, seen: Seen) -> None:
    """One password over many names, one after the other."""
    form = await _form(port)
    await _again(1, seconds, lambda number: _noted(seen, form(f"anna{seen.total()}", "Sommer-2026-Jass")))


async def locked_out(port: int, seconds: float, path: str, seen: Seen) -> None:
    """Wrong passwords for the director without end, from the address of the hall."""
    form = await _form(port)
    await _again(2, seconds, lambda number: _noted(seen, form(ORGANISER[0], "Falsch-geraten-1")), pause=0.2)


async def bodies(port: int, seconds: float, path: str, seen: Seen) -> None:
    """Eight bodies of 50 MiB at once, again and again."""
    body = bytes(50 * MIB)
    head = f"POST /sign-in/ HTTP/1.1\r\nConnection: close\r\nContent-Type: {FORM}"
    await _again(8, seconds, lambda number: _noted(seen, request(port, head, body)))


async def half_open(port: int, seconds: float, path: str, seen: Seen) -> None:
    """1,100 connections that begin a request and never end it. `open`: those that the server has kept."""
    lines = []
    for _ in range(1100):
        try:
            reader, writer = await asyncio.wait_for(asyncio.open_connection("127.0.0.1", port), 5)
            writer.write(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ")
            lines.append((reader, writer))
        except (OSError, TimeoutError) as error:
            seen[type(error).__name__] += 1
    await asyncio.sleep(seconds)  # they hold on: that is the attack
    for reader, writer in lines:
        try:
            ended = await asyncio.wait_for(reader.read(12), 0.01)
            seen[ended[9:].decode() or "closed"] += 1
        except TimeoutError:
            seen["open"] += 1
        except OSError:
            seen["closed"] += 1
        writer.close()


async def schema(port: int, seconds: float, path: str, seen: Seen) -> None:
    """20 clients that request the most expensive address."""
    await _again(20, seconds, lambda number: ask(port, "/api/schema/", seen))


async def sockets(port: int, seconds: float, path: str, seen: Seen) -> None:
    """1,000 sockets at one table."""
    table = f"/ws/games/{path.strip('/').rpartition('/')[2]}/"
    opened = [_sockets.Socket(port, table, None, {}, lambda text: None) for _ in range(1000)]

    async def one(socket: _sockets.Socket) -> None:
        try:
            await socket.open()
            seen["opened"] += 1
        except (OSError, TimeoutError) as error:
            seen[type(error).__name__] += 1

    await asyncio.gather(*map(one, opened))
    await asyncio.sleep(seconds)
    for socket in opened:
        if hasattr(socket, "transport"):
            socket.transport.abort()


async def beside(port: int, seconds: float, path: str, seen: Seen) -> None:
    """Forty sockets at one table, each of which names twelve others beside it, twenty times a second.
    `closed`: sockets that the server has closed."""
    _, _, mine = path.strip("/").rpartition("/")
    listed = await asyncio.to_thread(urlopen, f"http://127.0.0.1:{port}/api/v1/games/")
    there = [game["id"] for game in json.load(listed)["games"] if game["id"] != mine]

    opened = [
        _sockets.Socket(
            *(port, f"/ws/games/{mine}/", None, {}),
            heard=lambda text: seen.update(["frames"]),
            ended=lambda code: seen.update(["closed"]),
        )
        for _ in range(40)
    ]
    await _sockets.opened(opened)

    async def act(number: int) -> None:
        if not opened[number].transport.is_closing():
            some = secrets.SystemRandom().sample(there, len(there) // 2)
            named = [*some, *(secrets.token_hex(16) for _ in range(12))][:12]
            opened[number].say(json.dumps({"also": dict.fromkeys(named, -1)}).encode())

    await _again(len(opened), seconds, act, pause=0.055)
    for socket in opened:
        socket.transport.abort()


async def rereading(port: int, seconds: float, path: str, seen: Seen) -> None:
    """Forty sockets at one table that each request its events from a random seq twenty times a second."""
    table = f"/ws/games/{path.strip('/').rpartition('/')[2]}/"
    opened = [_sockets.Socket(port, table, None, {}, lambda text: seen.update(["frames"])) for _ in range(40)]
    await _sockets.opened(opened)

    async def act(number: int) -> None:
        if not opened[number].transport.is_closing():
            opened[number].say(json.dumps({"since": secrets.randbelow(40) - 1}).encode())

    await _again(len(opened), seconds, act, pause=0.055)
    for socket in opened:
        socket.transport.abort()


async def knocking(port: int, seconds: float, path: str, seen: Seen) -> None:
    """A hundred clients that open a socket, wait for a frame, close it and begin again."""
    table = f"/ws/games/{path.strip('/').rpartition('/')[2]}/"

    async def act(number: int) -> None:
        told = asyncio.Event()

        def heard(text: bytes) -> None:
            seen[_kind(text)] += 1
            told.set()

        socket = _sockets.Socket(port, table, None, {}, heard)
        try:
            await socket.open()
            await asyncio.wait_for(told.wait(), PATIENCE)
        except (OSError, TimeoutError) as error:
            seen[type(error).__name__] += 1
        if hasattr(socket, "transport"):
            socket.transport.abort()

    await _again(100, seconds, act)


def _kind(frame: bytes) -> str:
    said = json.loads(frame)
    return str(said.get("code") or said["kind"])


async def _form(port: int) -> Callable[[str, str], Awaitable[tuple[int, str]]]:
    """The form of the sign-in page, as a browser that has loaded it once sends it."""
    _, told = await request(port, "GET /sign-in/ HTTP/1.1\r\nConnection: close")
    cookie = next(
        line.split("csrftoken=", 1)[1].split(";")[0]
        for line in told.split("\r\n")
        if line.lower().startswith("set-cookie: csrftoken=")
    )
    head = (
        f"POST /sign-in/ HTTP/1.1\r\nConnection: close\r\nContent-Type: {FORM}\r\n"
        f"Cookie: csrftoken={cookie}\r\nOrigin: http://127.0.0.1:{port}"
    )

    def send(name: str, password: str) -> Awaitable[tuple[int, str]]:
        said = urlencode({"username": name, "password": password, "csrfmiddlewaretoken": cookie})
        return request(port, head, said.encode())

    return send


ATTACKS: dict[str, Attack] = {
    "hall": hall,
    "crowd": crowd,
    "sign-in": sign_in,
    "one-password": one_password,
    "locked-out": locked_out,
    "bodies": bodies,
    "half-open": half_open,
    "schema": schema,
    "sockets": sockets,
    "beside": beside,
    "rereading": rereading,
    "knocking": knocking,
}


async def main(name: str, port: str, seconds: str, path: str = "/") -> None:
    _sockets.with_room()
    seen: Seen = Counter()
    await ATTACKS[name](int(port), float(seconds), path, seen)
    print(json.dumps(seen))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
