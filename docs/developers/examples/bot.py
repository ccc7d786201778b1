#!/usr/bin/env python3
"""A player as a program: signs in, follows its table over the socket and plays the first card that is legal.

    python bot.py http://127.0.0.1:8000 anna PASSWORD GAME

Needs the package websockets and nothing else (behind TLS the form also wants a Referer header).
GAME is the 32 characters in the address of the table.
"""

import asyncio
import http.cookiejar
import itertools
import json
import secrets
import sys
import urllib.parse
import urllib.request
from typing import Any

import websockets

DECK = [suit + rank for suit in "DHSC" for rank in ("6", "7", "8", "9", "10", "J", "Q", "K", "A")]


def sign_in(base: str, name: str, password: str) -> str:
    """The cookies of a session, as one header."""
    jar = http.cookiejar.CookieJar()
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
    opener.open(f"{base}/sign-in/").read()
    token = next(cookie.value for cookie in jar if cookie.name == "csrftoken")
    form = {"username": name, "password": password, "csrfmiddlewaretoken": token}
    opener.open(f"{base}/sign-in/", urllib.parse.urlencode(form).encode()).read()
    if not any(cookie.name == "sessionid" for cookie in jar):
        sys.exit(f"{name} was not signed in")
    return "; ".join(f"{cookie.name}={cookie.value}" for cookie in jar)


def choose(frame: dict[str, Any]) -> dict[str, Any] | None:
    """The command to send after this frame; None where it is not our turn."""
    for name in frame.get("own_commands", []):
        seat = frame["turn"]["seat"]
        if name == "play":
            return {"cmd": "play", "seat": seat, "card": DECK[frame["legal"].index("1")]}
        if name == "choose":
            return {"cmd": "choose", "seat": seat, "contract": "undenufe"}
    return None


async def play(base: str, cookies: str, game: str) -> None:
    """Follow the game to its end; connect again whenever the connection breaks."""
    run, numbers = secrets.token_hex(4), itertools.count()  # a command_id names one command for ever
    address = base.replace("http", "ws", 1) + f"/ws/games/{game}/"
    headers = {"Cookie": cookies, "Origin": base}
    async for socket in websockets.connect(address, additional_headers=headers):
        since = -1  # the last seq we hold; a new connection begins with all events
        try:
            async for text in socket:
                frame = json.loads(text)
                if frame["kind"] == "error":
                    print(frame["code"], frame["detail"])
                elif frame["kind"] in ("resync", "heartbeat") and frame["seq"] != since:
                    await socket.send(json.dumps({"since": since}))
                elif frame["kind"] == "events" and frame["seq"] > since:
                    since = frame["seq"]
                    if frame["turn"] is None:
                        print("the game is over")
                        return
                    if command := choose(frame):
                        print(since, command)
                        name = f"bot-{run}-{next(numbers)}"
                        sent = {"command_id": name, "expected_seq": since, "command": command}
                        await socket.send(json.dumps(sent))
        except websockets.ConnectionClosed as closed:
            if closed.code in (4400, 4403, 4404, 4429):
                sys.exit(f"the table is closed to us: {closed.code}")


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    url, who, secret, table = sys.argv[1:]
    asyncio.run(play(url.rstrip("/"), sign_in(url.rstrip("/"), who, secret), table))
