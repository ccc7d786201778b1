"""The cost of pages: `manage.py bench pages [--entries N …] [--times N] [--tables N] [--phone] [--deals]`.

One JSON line a figure: milliseconds of processor time an answer (the median of those without first-time work,
and the first one), queries, and kilobytes compressed. A quiet poll sends the current ETag while nothing has
changed; it goes to the ASGI application, other requests to Django. `--tables` measures an open session and a
round of so many tables instead. `--phone` opens pages on a slow phone
instead, in a browser: layout shift, and time of the largest paint. `--deals` plays a deal of each game on a
phone: taps, and seconds.
"""

import argparse
import asyncio
import gzip
import logging
import os
import secrets
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

from tests.bench import _pages_deals, _pages_phone, _pages_place, _pages_session
from tests.bench._load_figures import rounded, say
from tests.bench._quick import add_quick
from tests.bench.store import migrated

PART = {"HX-Request": "true"}
PAGE_MS, PAGE_KB, QUIET_MS = 150, 60, 1
PICTURE_MS, PICTURE_KB = 200, 40


class Page(NamedTuple):
    """A page and its visitor; `part`: the request of an open page that refreshes itself."""

    name: str
    path: str
    who: str = ""
    part: bool = False
    changes: str = ""
    """A `card` is played, or a `deal` ends, a while before each answer."""
    printed: bool = False
    """Whole lists for paper: no limit."""


def pages(slug: str, entry: int) -> Iterator[Page]:
    c = f"/c/{slug}/"
    for who in ("", "player"):
        yield Page("home", "/", who)
        yield Page("home, its part", "/", who, part=True)
        yield Page("championship", c, who)
        yield Page("championship, its part", c, who, part=True)
        yield Page("championship, its part after a card", c, who, part=True, changes="card")
        yield Page("a round", f"{c}rounds/2/", who)
        yield Page("tables", f"{c}tables/", who)
        yield Page("tables, its part", f"{c}tables/", who, part=True)
        yield Page("tables, its part after a card", f"{c}tables/", who, part=True, changes="card")
        yield Page("live standings", f"{c}standings/?live=1", who)
        yield Page("live standings, its part", f"{c}standings/?live=1", who, part=True)
        yield Page("live standings, its part after a card", f"{c}standings/?live=1", who, True, "card")
        yield Page("live standings, its part after a deal", f"{c}standings/?live=1", who, True, "deal")
    yield Page("a round", f"{c}rounds/2/", "director")
    yield Page("board", f"{c}board/", "director")
    yield Page("board, its part", f"{c}board/", "director", part=True)
    yield Page("board, its part after a card", f"{c}board/", "director", part=True, changes="card")
    yield Page("entries", f"{c}entries/", "desk")
    yield Page("a search", f"{c}entries/?q=gast", "desk", part=True)
    yield Page("a person's slip", f"{c}rounds/2/slip/{entry}/")
    yield Page("standings", f"{c}standings/")
    yield Page("projector", f"{c}standings/projector/?live=1")
    yield Page(
        "projector, its part after a deal", f"{c}standings/projector/?live=1", part=True, changes="deal"
    )
    yield Page("tables on the projector", f"{c}tables/projector/")
    yield Page("lists for the wall", f"{c}rounds/2/wall/", printed=True)


class Measured(NamedTuple):
    first_ms: float
    ms: float
    queries: int
    body: bytes


def measured(ask: Callable[[], Any], before: Callable[[], None], times: int) -> Measured:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    took = []
    for _ in range(times + 1):
        before()
        start = time.process_time()
        answer = ask()
        took.append(1000 * (time.process_time() - start))
        assert answer.status_code == 200, answer
    before()
    with CaptureQueriesContext(connection) as asked:
        answer = ask()
    return Measured(took[0], statistics.median(took[1:]), len(asked), answer.content)


def a_card(championship: Any) -> None:
    """Advance a table of the open round by one card."""
    _goes_on(championship)


def a_deal(championship: Any) -> None:
    """A table of the open round ends a deal: both sides have more points."""
    from games.models import Game

    game = Game.objects.filter(tournament_table__round__championship=championship, status="running")[0]
    ours, theirs = game.totals
    _goes_on(championship, deal=game.deal + 1, totals=[ours + 88, theirs + 69])


def _goes_on(championship: Any, **columns: Any) -> None:
    """Change the row of a running game, and end the caches that would serve the earlier page."""
    from django.db.models import F

    from frontend.presenters.standings import loaded_rankings
    from games.models import Game
    from tournaments.services import cache_versions

    game = Game.objects.filter(tournament_table__round__championship=championship, status="running")[0]
    assert game.turn_seat is not None
    columns |= {"head_seq": F("head_seq") + 1, "turn_seat": (game.turn_seat + 1) % 4}
    Game.objects.filter(pk=game.pk).update(**columns)
    cache_versions.forget_all()
    for live in loaded_rankings.KEPT.find([*loaded_rankings.KEPT]).values():
        live.until = float("-inf")


def nothing(championship: Any) -> None:
    """Change nothing."""


HAPPENS = {"card": a_card, "deal": a_deal, "": nothing}


def of_size(people: int, times: int) -> None:
    from django.test import Client

    from games.models import User

    slug = f"bench-{people}"
    made = _pages_place.championship(people, slug)
    for page in pages(slug, people // 3):
        browser = Client(SERVER_NAME="localhost")
        if page.who:
            browser.force_login(User.objects.get(username=page.who))
        found = measured(
            partial(browser.get, page.path, headers=PART if page.part else None),
            partial(HAPPENS[page.changes], made),
            times,
        )
        size = len(gzip.compress(found.body, 6)) / 1000
        name = f"pages/{people} entries/{page.who or 'anybody'}/{page.name}"
        say(
            f"{name}, ms",
            found.ms,
            None if page.printed else PAGE_MS,
            first_ms=rounded(found.first_ms),
            queries=found.queries,
        )
        say(f"{name}, kB", size, None if page.printed else PAGE_KB)
    for name, path in (("championship", ""), ("tables", "tables/"), ("live standings", "standings/?live=1")):
        said = asyncio.run(quiet(f"/c/{slug}/{path}", times))
        if said is not None:
            say(f"pages/{people} entries/anybody/{name}, a quiet poll, ms", said, QUIET_MS)
    link_pictures(made, times)
    made.rounds.update(status="closed")
    type(made).objects.filter(pk=made.pk).update(status="finished")


def link_pictures(championship: Any, times: int) -> None:
    """The preview pictures of a link, drawn anew each time, as for the first request."""
    from frontend.sharing import preview_contents
    from frontend.sharing.moment_pictures import draw_moment
    from frontend.sharing.preview_pictures import draw_preview
    from tests.games import cast

    game = cast.play(cast.table(), 20)
    pictures: dict[str, Callable[[], bytes]] = {
        "a championship": lambda: draw_preview(preview_contents.describe_championship(championship)),
        "a ranking": lambda: draw_preview(preview_contents.describe_ranking(championship)),
        "a table": lambda: draw_preview(preview_contents.describe_table(game, None)),
        "a moment": lambda: draw_moment(preview_contents.describe_moment(game, None, game.head_seq)),
    }
    for name, draw in pictures.items():
        took = []
        for _ in range(times + 1):
            start = time.process_time()
            body = draw()
            took.append(1000 * (time.process_time() - start))
        picture = f"pages/{championship.slug}/the picture of {name}"
        say(f"{picture}, ms", statistics.median(took[1:]), PICTURE_MS, first_ms=rounded(took[0]))
        say(f"{picture}, kB", len(body) / 1000, PICTURE_KB)


async def quiet(path: str, times: int) -> float | None:
    """Milliseconds of a poll without news; None where the page sends no ETag."""
    from deploy.asgi import application

    headers = [(b"host", b"localhost"), (b"hx-request", b"true"), (b"accept-language", b"en")]
    _status, said, _body = await asked(application, path, headers)
    etag = said.get(b"etag")
    if etag is None:
        return None
    again = [*headers, (b"if-none-match", etag)]
    await asked(application, path, again)
    start = time.process_time()
    for _ in range(20 * times):
        status, _said, _body = await asked(application, path, again)
        assert status == 304, status
    return 1000 * (time.process_time() - start) / (20 * times)


async def asked(application: Any, path: str, headers: list[Any]) -> tuple[int, dict[bytes, bytes], bytes]:
    """Send one request to the ASGI application; returns status, headers, body."""
    where, _, query = path.partition("?")
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": where,
        "raw_path": where.encode(),
        "query_string": query.encode(),
        "headers": headers,
        "client": ("127.0.0.1", 1),
        "server": ("localhost", 80),
    }
    said: list[dict[str, Any]] = []
    body = [{"type": "http.request", "body": b"", "more_body": False}]

    async def receive() -> dict[str, Any]:
        if body:
            return body.pop()
        await asyncio.Event().wait()
        raise AssertionError

    async def send(message: dict[str, Any]) -> None:
        said.append(message)

    await application(scope, receive, send)
    start = said[0]
    return (
        start["status"],
        {name.lower(): value for name, value in start["headers"]},
        b"".join(message.get("body", b"") for message in said[1:]),
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="manage.py bench pages", description=__doc__)
    parser.add_argument("--entries", type=int, nargs="+", default=[400, 4000])
    parser.add_argument("--times", type=int, default=7)
    parser.add_argument("--tables", type=int)
    parser.add_argument("--phone", action="store_true")
    parser.add_argument("--deals", action="store_true")
    add_quick(parser, entries=[16], times=1)
    given = parser.parse_args()
    if given.phone:
        _pages_phone.on_a_phone()
        return
    if given.deals:
        _pages_deals.of_each_game()
        return
    logging.disable(logging.WARNING)
    os.environ["PUUR_CHANNEL_PREFIX"] = f"bench-{secrets.token_hex(4)}"
    with (
        tempfile.TemporaryDirectory(prefix="puur-pages-") as folder,
        migrated(f"sqlite:///{folder}/pages.sqlite3"),
    ):
        if given.tables:
            _pages_session.measure_halls(given.tables, given.times)
            return
        for people in given.entries:
            of_size(people, given.times)


if __name__ == "__main__":
    main()
