"""kill -9 in the middle of a round: it goes on, and nothing that was acknowledged is missing or doubled.

What was acknowledged is known from a ledger outside of the system, kept by players who speak HTTP alone.
"""

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from tests.faults.player import Table
from tests.live_tree import LiveTree

pytestmark = [pytest.mark.faults, pytest.mark.slow]
PLAYS_OF_A_DEAL = 36


def test_web_worker_and_valkey_are_killed_in_turn_while_two_tables_play(live_tree: LiveTree) -> None:
    opened = live_tree.python("tests.faults.place", "open")
    table = Table(live_tree.url, opened["people"], opened["tokens"])
    acknowledged: list[tuple[str, int]] = []
    with ThreadPoolExecutor(max_workers=1) as pool:
        playing = pool.submit(table.play_to_the_end)
        for kind in ("web", "worker", "valkey", "web", "valkey", "worker"):
            for _ in range(8):
                entry = table.ledger.get(timeout=120)
                assert entry is not None, f"the table is over before all were killed: {playing.exception()!r}"
                acknowledged.append(entry)
            live_tree.kill(kind)
        while entry := table.ledger.get(timeout=120):
            acknowledged.append(entry)
        playing.result(timeout=60)
    wait_for_the_end(live_tree.url, opened["bots"])

    told = live_tree.python("tests.faults.place", "tell", opened["people"], opened["bots"])
    people, bots = told[opened["people"]], told[opened["bots"]]
    assert_nothing_is_missing_or_doubled(acknowledged, people)
    for game in (people, bots):
        assert game["status"] == "ended"
        assert [event["seq"] for event in game["events"]] == list(range(len(game["events"])))
        assert len(plays(game)) == 2 * PLAYS_OF_A_DEAL


def assert_nothing_is_missing_or_doubled(acknowledged: list[tuple[str, int]], game: dict[str, Any]) -> None:
    stored = {name: seq for name, seq in game["receipts"].items() if ":" not in name}  # the server's have one
    assert dict(acknowledged) == stored
    assert len(acknowledged) == len(stored)


def plays(game: dict[str, Any]) -> list[dict[str, Any]]:
    return [event for event in game["events"] if event["type"] == "card_played"]


def wait_for_the_end(url: str, game: str) -> None:
    """The bots play at a pace; their game is watched as a spectator does who asks again and again."""
    waiting = threading.Event()
    for _ in range(600):
        if httpx.get(f"{url}/api/v1/games/{game}/", timeout=30).json()["turn"] is None:
            return
        waiting.wait(0.2)
    raise AssertionError("the bots have not come to the end of their game")
