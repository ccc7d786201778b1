"""Tables beside one's own, named without end: it holds up nobody else, and there is so much room for it."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from games.live import side_tables
from games.live.admission import Admission
from games.live.frame_sink import Outbox
from games.live.hub import Hub, Watcher
from games.live.side_tables import MAX_SIDE_TABLES, SideTables

NOTHING: frozenset[str] = frozenset()


class Door:
    """Where tables are looked up: it opens when `open` is set, and there is none behind it."""

    def __init__(self) -> None:
        self.open = asyncio.Event()
        self.asked: list[str] = []
        self.at_once = self.most_at_once = 0

    async def admit(self, key: str | None, game_id: str) -> Admission | None:
        self.asked.append(game_id)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        await self.open.wait()
        self.at_once -= 1
        return None

    async def attach(self, game_id: str, watcher: Watcher, since: int | None) -> Hub:
        raise AssertionError("there is no table")

    def detach(self, hub: Hub, watcher: Watcher) -> None:
        raise AssertionError("nobody has come")


def client() -> Outbox:
    async def send(message: Mapping[str, Any]) -> None:
        raise AssertionError("there is nothing to say")

    return Outbox(send, "0" * 32, lambda: None)


def twelve(number: int) -> dict[str, int]:
    """Tables that nobody else names."""
    return {f"{number * MAX_SIDE_TABLES + at:032x}": -1 for at in range(MAX_SIDE_TABLES)}


async def all_looked_up(tables: SideTables) -> None:
    assert tables._opening is not None
    await tables._opening


async def test_they_are_looked_up_one_after_the_other_and_not_at_all_once_named_no_more() -> None:
    door = Door()
    tables, outbox, had = SideTables(door), client(), NOTHING
    for number in range(50):
        held = twelve(number)
        tables.subscribe(outbox, had, held)
        had = frozenset(held)
        await asyncio.sleep(0)
    assert len(tables._waiting) == MAX_SIDE_TABLES, "those named no more wait for nothing"
    door.open.set()
    await all_looked_up(tables)
    assert door.most_at_once == 1
    assert set(door.asked[1:]) == had


async def test_there_are_so_many_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(side_tables, "MAX_SIDE_TABLES_OF_PROCESS", 2 * MAX_SIDE_TABLES)
    door = Door()
    tables = SideTables(door)
    for number in range(5):
        tables.subscribe(client(), NOTHING, twelve(number))
    door.open.set()
    await all_looked_up(tables)
    assert set(door.asked) == set(twelve(0)) | set(twelve(1))


async def test_who_has_gone_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(side_tables, "MAX_SIDE_TABLES_OF_PROCESS", MAX_SIDE_TABLES)
    door, first, second = Door(), client(), client()
    tables = SideTables(door)
    tables.subscribe(first, NOTHING, twelve(0))
    tables.subscribe(second, NOTHING, twelve(1))
    tables.subscribe(first, frozenset(twelve(0)), {})
    tables.subscribe(second, frozenset(twelve(1)), twelve(1))
    door.open.set()
    await all_looked_up(tables)
    assert set(door.asked) == set(twelve(1))
    tables.subscribe(second, frozenset(twelve(1)), {})
    assert not tables._groups
    assert not tables._tables
