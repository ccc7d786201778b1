#!/usr/bin/env python3
"""A player as a program: signs in, follows its table over the socket and does what is legal, in every game.

    python bot.py http://127.0.0.1:8000 anna PASSWORD GAME

Needs the package websockets and nothing else. GAME is the 32 characters in the address of the table.
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
HIGHEST_BID = 520
"""Beyond it the bot passes."""
NEVER_AGAIN = (4400, 4403, 4404, 4429)
"""Codes with which the platform closes a socket for good."""


def sign_in(base: str, name: str, password: str) -> str:
    """The cookies of a session, as one header."""
    jar = http.cookiejar.CookieJar()
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
    opener.open(f"{base}/sign-in/").read()
    token = next(cookie.value for cookie in jar if cookie.name.endswith("csrftoken"))
    form = {"username": name, "password": password, "csrfmiddlewaretoken": token}
    opener.addheaders.append(("Referer", f"{base}/sign-in/"))  # asked for behind TLS
    opener.open(f"{base}/sign-in/", urllib.parse.urlencode(form).encode()).read()
    if not any(cookie.name.endswith("sessionid") for cookie in jar):
        sys.exit(f"{name} was not signed in")
    return "; ".join(f"{cookie.name}={cookie.value}" for cookie in jar)


def get_offers(base: str, cookies: str, game: str) -> list[dict[str, Any]]:
    """The commands that our seat may send now."""
    opener = urllib.request.build_opener()
    opener.addheaders = [("Cookie", cookies)]
    answer = json.load(opener.open(f"{base}/api/v1/games/{game}/offers/"))
    offered: list[dict[str, Any]] = answer["offers"]
    return offered


def choose(offers: list[dict[str, Any]], seats: int) -> dict[str, Any]:
    """One of the offers. A real bot would think here."""
    by_name: dict[str, list[dict[str, Any]]] = {}
    for offer in offers:
        by_name.setdefault(offer["cmd"], []).append(offer)
    if "predict" in by_name:  # an even share of the 157 points
        return min(by_name["predict"], key=lambda offer: abs(offer["points"] - 157 // seats))
    if "bid" in by_name:
        cheapest = min(by_name["bid"], key=lambda offer: offer["points"])
        return cheapest if cheapest["points"] <= HIGHEST_BID else by_name["pass"][0]
    for name in ("choose", "keep", "accept"):
        if name in by_name:
            return by_name[name][0]
    return offers[0]


async def play(base: str, cookies: str, game: str) -> None:
    """Follow the game to its end; connect again whenever the connection breaks."""
    run, numbers = secrets.token_hex(4), itertools.count()  # a command_id names one command for ever
    address = base.replace("http", "ws", 1) + f"/ws/games/{game}/"
    headers = {"Cookie": cookies, "Origin": base}
    seats = 4
    async for socket in websockets.connect(address, additional_headers=headers):
        since = -1  # the last seq we hold; a new connection begins with all events
        sent: dict[str, Any] = {}
        try:
            async for text in socket:
                frame = json.loads(text)
                if frame["kind"] == "error":
                    print(frame["code"], frame["detail"])
                    if frame["code"] == "live/too_fast":  # nothing has changed: send it again
                        await asyncio.sleep(1)
                        await socket.send(json.dumps(sent or {"since": since}))
                elif frame["kind"] in ("resync", "heartbeat") and frame["seq"] != since:
                    await socket.send(json.dumps({"since": since}))
                elif frame["kind"] == "events" and frame["seq"] > since:
                    since = frame["seq"]
                    if frame["events"][0]["type"] == "game_started":
                        seats = frame["events"][0]["seats"]
                    if frame["turn"] is None:
                        print("the game is over")
                        await socket.close()
                        return
                    own = frame.get("own_commands", [])
                    if not own:
                        continue
                    if own == ["play"]:  # the frame says which cards
                        card = DECK[frame["legal"].index("1")]
                        command = {"cmd": "play", "seat": frame["turn"]["seat"], "card": card}
                    else:
                        offers = await asyncio.to_thread(get_offers, base, cookies, game)
                        if not offers:  # it went on meanwhile
                            continue
                        command = choose(offers, seats)
                    print(since, command)
                    name = f"bot-{run}-{next(numbers)}"
                    sent = {"command_id": name, "expected_seq": since, "command": command}
                    await socket.send(json.dumps(sent))
        except websockets.ConnectionClosed as closed:
            if closed.code in NEVER_AGAIN:
                sys.exit(f"the table is closed to us: {closed.code}")


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    url, who, secret, table = sys.argv[1:]
    asyncio.run(play(url.rstrip("/"), sign_in(url.rstrip("/"), who, secret), table))
