"""Pages as people have them: one table live, six others of its round beside it, the timeline open.

Ours asks for what stands beside every five seconds, with an ETag, over HTTP; the timeline is drawn from the
frames of its table and asks for nothing while the game goes on. By Channels the usual way is a group a table:
a page is in seven of them and gets each card of all.
"""

import asyncio
import json
import sys
from typing import Final

from deploy.environment import BASE_DIR
from tests.bench._live_client import get, used
from tests.bench._live_server import BESIDE, PEOPLE

OTHERS: Final = 6
"""As many as the page of a table shows beside it (`frontend.presenters.beside.AT_ONCE`)."""
ASKING: Final = 5
"""Seconds, as in `frontend/src/beside.ts`."""
PACE: Final = 0.4
"""Cards a second at each table."""
SECONDS: Final = 30


MOST: Final = 100
"""Pages that ask over HTTP: a core answers them also while others work beside."""


async def spent(side: str, port: int, sockets: int, share: float) -> float:
    """Processor seconds of the server for each page and second in which it has all of that in sight."""
    pages = min(sockets, MOST)
    seconds = max(3.0, SECONDS * share)
    if side == "peer":
        _, begun = await used(port)
        rate = PACE * (1 + OTHERS)
        await get(port, f"/drive?events={round(seconds * rate)}&rate={rate}")
        _, done = await used(port)
        return (done - begun) / seconds / sockets
    asked = {
        "port": port,
        "phones": pages,
        "period": ASKING,
        "seconds": seconds,
        "asked": [[BESIDE, True]],
        "tags": True,
    }
    await _shows_tables(port)
    phones = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.bench._load_phones"),
        cwd=BASE_DIR,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert phones.stdin
    assert phones.stdout
    phones.stdin.write(json.dumps(asked).encode())
    phones.stdin.close()
    await phones.stdout.readline()
    _, begun = await used(port)
    await get(port, f"/drive?events={round(seconds * PACE)}&rate={PACE}&others={OTHERS}")
    told = json.loads(await phones.stdout.readline())
    _, done = await used(port)
    await phones.wait()
    if wrong := {status: n for status, n in told["status"].items() if status not in ("200", "304")}:
        raise RuntimeError(f"pages were not answered: {wrong}")
    return (done - begun) / seconds / pages


async def _shows_tables(port: int) -> None:
    """What is measured is there to be measured."""
    shown = (await get(port, BESIDE)).count('class="beside-table')
    if shown != OTHERS + 1:  # the list around them is one too
        raise RuntimeError(f"{shown - 1} tables stand beside of {PEOPLE} people")
