"""The figures of limits. Tests of limits set smaller ones, so a figure that grows a thousand times fails only
here. A change of a limit belongs into this table too.
"""

import importlib
from collections.abc import Iterator
from typing import Any, Final

import pytest

from deploy.environment import BASE_DIR
from deploy.limits import hashing, lanes
from frontend.views.prints import print_limits
from games.messaging.rate_limit import Budget

MEGABYTE: Final = 2**20
PACKAGES: Final = ("deploy", "frontend", "games", "tournaments")
BUDGETS: Final[dict[str, tuple[int, int]]] = {
    "any-address": (12_000, 60),
    "any-person": (900, 60),
    "appoint-address": (60, 3600),
    "appoint-person": (30, 3600),
    "bots-think-address": (10_000, 60),
    "bots-think-all": (20_000, 60),
    "championship-address": (60, 3600),
    "championship-person": (30, 3600),
    "confirmation-mails": (10, 86_400),
    "confirmed-address": (6, 86_400),
    "deals-looked-at": (300, 60),
    "door-codes-address": (3000, 60),
    "door-codes-person": (120, 60),
    "door-sign-in-address": (2400, 60),
    "door-sign-in-person": (60, 60),
    "entry-link": (400, 3600),
    "entry-link-address": (60, 600),
    "entry-mail": (6, 86_400),
    "export-address": (200, 60),
    "export-person": (20, 60),
    "forgotten-address": (60, 900),
    "forgotten-name": (5, 3600),
    "game-log-address": (3000, 60),
    "game-log-person": (300, 60),
    "guest-tables-address": (150, 600),
    "guest-tables-address-day": (600, 86_400),
    "guest-tables-all": (600, 600),
    "guest-tables-day": (3000, 86_400),
    "import-address": (60, 60),
    "import-person": (30, 60),
    "job-file-address": (3000, 60),
    "job-file-person": (300, 60),
    "notices-address": (600, 3600),
    "old-password": (8, 900),
    "open-id": (300, 600),
    "own-bill-address": (300, 60),
    "own-bill-person": (30, 60),
    "own-data": (20, 3600),
    "own-page-changes": (40, 3600),
    "own-pages-address": (1200, 60),
    "own-pages-person": (60, 60),
    "photos-address": (2400, 60),
    "photos-person": (60, 60),
    "picture-address": (300, 60),
    "picture-person": (30, 60),
    "prints-first": (25, 60),
    "prints-first-address": (5, 60),
    "prints-more": (15, 60),
    "prints-office": (120, 60),
    "reset-mails": (10, 86_400),
    "second-factor": (8, 900),
    "second-factor-day": (50, 86_400),
    "sign-in-address": (150, 900),
    "sign-in-device": (8, 900),
    "sign-in-name": (100, 3600),
    "sign-in-name-here": (8, 900),
    "sign-in-suspected-address": (20, 10),
    "sign-in-suspected-name": (2, 900),
    "sockets-address": (2000, 20),
    "sockets-person": (40, 20),
    "table-codes-everywhere": (1000, 600),
    "table-codes-first": (5, 600),
    "table-codes-halls": (1, 21_600),
    "table-codes-network": (120, 600),
    "table-codes-provider": (60, 60),
    "table-codes-site": (240, 600),
    "table-codes-suspected": (6, 60),
    "table-codes-suspected-everywhere": (60, 60),
    "table-codes-suspected-site": (12, 60),
    "table-codes-table": (40, 600),
    "table-codes-told": (150, 600),
    "table-phones": (60, 3600),
    "what-if-address": (1200, 60),
    "what-if-person": (60, 60),
    "wrong-account-names": (20, 3600),
    "wrong-codes": (300, 600),
}
"""name → most, seconds"""
BOUNDS: Final[dict[str, dict[str, float]]] = {
    "deploy.limits.bodies": {
        "LARGEST_BODY": 1 * MEGABYTE,
        "LARGEST_UPLOAD": 6 * MEGABYTE,
        "LARGEST_PHOTO": 21 * MEGABYTE,
        "LARGEST_CHAMPIONSHIP": 33 * MEGABYTE,
        "ALL_BODIES": 256 * MEGABYTE,
        "SMALL": 16_384,
        "BODY_SECONDS": 60,
    },
    "deploy.limits.connections": {
        "HEAD_SECONDS": 10,
        "LARGEST_HEAD": 16_384,
        "MAX_FIELDS": 100,
        "SENDING_SECONDS": 30,
        "MIN_SENT": 32_768,
        "KEEP_SECONDS": 15,
        "MAX_CONNECTIONS": 8000,
    },
    "deploy.limits.hashing": {"MAX_CONCURRENT_HASHES": 2, "QUEUE_TIMEOUT_SECONDS": 10},
    "deploy.limits.lanes": {"HUNG_SECONDS": 60.0, "SLOW_SECONDS": 180.0},
    "frontend.edge_cache": {
        "MAX_ENTRIES": 4000,
        "MAX_BYTES": 32 * MEGABYTE,
        "LARGEST": 262_144,
        "MAX_KEY_LENGTH": 1024,
        "MAX_CONCURRENT_LOADS": 50,
        "ENTRY_LIFETIME_SECONDS": 30,
    },
    "frontend.fragment_cache": {"MAX_FRAGMENTS": 400, "FRAGMENT_LIFETIME_SECONDS": 60},
    "games.api.views": {"LARGEST_PAGE": 200, "LARGEST_OFFSET": 1_000_000, "MAX_OFFERS_BYTES": 12_288},
    "games.guests": {"MAX_GUEST_TABLES": 200},
    "games.live.frame_sink": {
        "QUEUE_SIZE": 64,
        "OVERFLOW_WINDOW_SECONDS": 30.0,
        "CLOSE_TIMEOUT_SECONDS": 2.0,
    },
    "games.live.hub": {"MAX_CACHED_FRAMES": 16},
    "games.live.side_tables": {
        "MAX_SIDE_TABLES": 12,
        "MAX_SIDE_TABLES_OF_PROCESS": 200,
        "MAX_MISSED_EVENTS": 64,
    },
    "games.live.socket_rate_limits": {
        "SOCKETS_PER_PERSON": 8,
        "SOCKETS_PER_ADDRESS": 1000,
        "FRAMES_PER_SECOND": 20,
        "SIDE_TABLES_PER_FRAME": 4,
        "MAX_REFUSED_FRAMES": 100,
    },
    "games.messaging.rate_limit": {"MAX_KEPT": 20_000},
    "games.play.command_request": {"MAX_BYTES": 4096},
    "tournaments.archive.reading": {
        "MAX_FILES": 50_000,
        "MAX_FILE_BYTES": 64 * MEGABYTE,
        "MAX_BYTES": 2048 * MEGABYTE,
        "MAX_TIMES": 200,
    },
    "tournaments.notices.subscriptions": {"MAX_OF_ENTRY": 12, "MAX_OF_PHONE": 12},
    "tournaments.pictures": {"MAX_BYTES": 20 * MEGABYTE, "MAX_MEMORY": 768 * MEGABYTE},
    "tournaments.sandbox.championship_file": {
        "MAX_FILES": 50_000,
        "MAX_INFLATED": 512 * MEGABYTE,
        "MAX_TIMES": 200,
    },
    "tournaments.sandbox.emblem": {"MAX_PIXELS": 16_000_000, "MAX_SCANS": 64},
    "tournaments.sandbox.picture": {"MAX_PIXELS": 24_000_000, "MAX_OF_BASELINE": 64_000_000, "MAX_SCANS": 64},
    "tournaments.sandbox.running": {
        "MAX_SECONDS": 10,
        "WALL_SECONDS": 60,
        "MAX_CONCURRENT": 2,
        "MAX_WAITING": 12,
        "MAX_OF_ONE": 8,
        "QUEUE_TIMEOUT_SECONDS": 20,
    },
    "tournaments.sandbox.xlsx_reader": {
        "MAX_INFLATED": 16 * MEGABYTE,
        "MAX_PARTS": 500,
        "MAX_ELEMENTS": 1_000_000,
        "MAX_OF_OTHERS": 50_000,
        "DEEPEST": 64,
        "MAX_ROWS": 10_001,
        "MAX_WRITTEN": 50_000,
        "MAX_COLUMNS": 100,
        "MAX_TEXT": 5 * MEGABYTE,
    },
    "tournaments.services.championships.championships": {"MAX_DRAFTS": 20},
    "tournaments.services.scores.photos": {"MAX_PHOTOS": 4},
    "tournaments.spreadsheets.size_limits": {
        "MAX_BYTES": 5 * MEGABYTE,
        "MAX_ROWS": 10_000,
        "MAX_COLUMNS": 100,
        "MAX_LINES": 50_000,
    },
}
"""module → its bounds"""
LANES: Final = {
    "asked": (1, 50, 5, 50),
    "files": (1, 2000, 20, 2000),
    "players": (3, 600, 20, 600),
    "passwords": (2, 400, 20, 400),
    "viewers": (2, 600, 8, 600),
    "paper": (2, 300, 20, 300),
    "sent": (3, 60, 20, 40),
}
"""name → threads, most who wait, seconds, most of one who wait"""


def _inside(value: Any) -> Iterator[Any]:
    yield value
    if isinstance(value, dict | tuple):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _inside(part)


def test_each_budget_has_the_figures_that_were_decided() -> None:
    found: dict[str, tuple[int, float]] = {}
    for path in sorted(path for package in PACKAGES for path in (BASE_DIR / package).rglob("*.py")):
        if "Budget(" in path.read_text():
            module = importlib.import_module(".".join(path.relative_to(BASE_DIR).with_suffix("").parts))
            budgets = (one for value in vars(module).values() for one in _inside(value))
            found |= {one.name: (one.most, one.seconds) for one in budgets if isinstance(one, Budget)}
    assert found == BUDGETS


@pytest.mark.parametrize("name", BOUNDS)
def test_each_bound_has_the_figure_that_was_decided(name: str) -> None:
    module = importlib.import_module(name)
    assert {bound: getattr(module, bound) for bound in BOUNDS[name]} == BOUNDS[name]


def test_each_lane_has_the_figures_that_were_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lanes.Lanes, "current", None)
    assert {
        one.name: (one._threads, one._max_waiting, one._seconds, one._max_of_one_asker)
        for one in lanes.Lanes().all()
    } == LANES


def test_so_many_are_at_work_at_once_and_no_more() -> None:
    for places, most in ((hashing._places, 2), (print_limits._others, 1)):
        taken = [places.acquire(blocking=False) for _ in range(most + 1)]
        for _ in range(sum(taken)):
            places.release()
        assert taken == [True] * most + [False]
