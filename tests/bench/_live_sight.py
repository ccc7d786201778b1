"""Pages as users have them: one table live, six others of its round beside it, the timeline open.

Our pages receive other tables over the socket they have, and ask over HTTP every three minutes which tables
those are: by the clock, all within the same few seconds, so that few answers serve all pages. The timeline is
drawn from the frames of its table and requests nothing while the game goes on. With Channels the usual design
is a group a table: a page is in seven groups and gets each card of all of them.
"""

import asyncio
import json
import re
import sys
from collections.abc import Sequence
from typing import Final

from deploy.environment import BASE_DIR
from tests.bench._live_client import Counter, get, used
from tests.bench._live_wire import BESIDE, PEOPLE

OTHERS: Final = 6
"""The tables beside the page of a table (`frontend.presenters.tables.other_tables.TABLES_AT_ONCE`)."""
ASKING: Final = 180
WITHIN: Final = 5
"""Seconds, as in `frontend/src/watching/other-tables.ts`."""
PACE: Final = 0.4
"""Cards a second at each table."""
SECONDS: Final = 30
SETTLED: Final = 2.5
"""Seconds after which sent frames have arrived: our server gathers for one second."""


async def spent(side: str, port: int, counters: Sequence[Counter], share: float) -> float:
    """Processor seconds of the server for each page and second with all tables in sight."""
    rate = PACE * (1 + OTHERS)
    cards = round(max(5.0, SECONDS * share) * rate)
    if side == "ours":
        await _have_beside(port, counters)
    for counter in counters:
        counter.begin(stamping=False)
    _, begun = await used(port)
    await get(port, f"/drive?events={cards}&rate={rate}&others={OTHERS}")
    await asyncio.sleep(SETTLED)
    _, done = await used(port)
    if any(counter.frames != cards for counter in counters):
        raise RuntimeError("not every page was told of each card of seven tables")
    told = (done - begun) / (cards / rate)
    asked = await _asked(port, len(counters), rate) / ASKING if side == "ours" else 0
    return (told + asked) / len(counters)


async def _asked(port: int, pages: int, rate: float) -> float:
    """Processor seconds in which each page asks once for the tables beside its own, while cards are
    played."""
    asked = {
        "port": port,
        "phones": pages,
        "period": WITHIN,
        "warm": 0,
        "seconds": WITHIN,
        "asked": [[BESIDE, True]],
        "tags": True,
    }
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
    await get(port, f"/drive?events={round(WITHIN * rate)}&rate={rate}&others={OTHERS}")
    told = json.loads(await phones.stdout.readline())
    _, done = await used(port)
    await phones.wait()
    answered: int = told["status"].pop("200", 0)
    if told["status"] or answered < 0.9 * pages - 1:  # pages scheduled for the last moment are late
        raise RuntimeError(f"{answered} of {pages} pages were answered, and others so: {told['status']}")
    return (done - begun) * pages / answered


async def _have_beside(port: int, counters: Sequence[Counter]) -> None:
    """Each page subscribes to the tables beside its own, as it was told."""
    shown = await get(port, BESIDE)
    games = dict(re.findall(r'data-game="(\w+)" data-seq="(-?\d+)"', shown))
    if len(games) != OTHERS:
        raise RuntimeError(f"{len(games)} tables stand beside of {PEOPLE} people")
    said = json.dumps({"also": {game: int(seq) for game, seq in games.items()}}).encode()
    for counter in counters:
        counter.begin(stamping=False)
        counter.say(said)
    await asyncio.sleep(1.5)  # missing events come before the count
