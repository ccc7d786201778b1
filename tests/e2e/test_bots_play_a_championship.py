"""A whole championship by HTTP and sockets alone, with a ranking recounted from the logs."""

import asyncio
import csv
import subprocess
import sys
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path

import pytest

from deploy.environment import BASE_DIR
from engine import decode_event, encode
from tests.e2e import counting
from tests.e2e.people import GAME, Director, Person, Player
from tests.engine.random_games import EFFORT
from tests.live_tree import LiveTree

pytestmark = pytest.mark.long
PEOPLE, ROUNDS, DEALS = 8 * min(EFFORT, 2), 4, 8
"""With PUUR_EFFORT=2 sixteen play."""
ENTRIES = "Name;Vorname;Verein\n" + "".join(
    f"Spieler{n:02};Müller {chr(64 + n)};Jassclub {'Nord' if n % 2 else 'Süd'}\n"
    for n in range(1, PEOPLE + 1)
)


def test_bots_play_a_championship_and_the_ranking_is_right(live_tree: LiveTree, tmp_path: Path) -> None:
    with ExitStack() as stack:
        fredi = Director(live_tree.url)
        stack.enter_context(fredi)
        fredi.found("Herbstcup")
        fredi.import_entries(ENTRIES.encode())
        players = []
        for number in range(1, PEOPLE + 1):
            fredi.check_in(number)
            person = stack.enter_context(Person(live_tree.url, *fredi.give_account(number)))
            players.append(Player(person, number, f"bot {number}".encode()))
        assert len(players) == PEOPLE

        for number in range(1, ROUNDS + 1):
            fredi.act(number, "draw", then="open")
            page = fredi.act(number, "open", then="close")
            games = {player.find_seat(fredi.slug, number) for player in players}
            assert games == set(GAME.findall(page))
            asyncio.run(everybody(players))
            fredi.act(number, "close", then="reopen")
        assert fredi.post(f"/c/{fredi.slug}/finish/").status_code == 302
        platform = list(csv.reader(fredi.standings_csv().splitlines(), delimiter=";"))[1:]

        logs = {game: log_of(fredi, game) for player in players for game, _ in player.sat}
        assert len(logs) == ROUNDS * PEOPLE // 4
        rounds = {game: counting.round_of(log) for game, log in logs.items()}
        results = {p.number: [rounds[game][seat % 2] for game, seat in p.sat] for p in players}

        assert {int(row[1]) for row in platform} == set(results)
        for row in platform:
            mine = results[int(row[1])]
            assert int(row[4]) == sum(played.points for played in mine)
            assert int(row[5]) == sum(played.sweeps for played in mine)
            assert [int(cell) for cell in row[6 : 6 + ROUNDS]] == [played.points for played in mine]
        ranked = [(int(row[0]), counting.order(results[int(row[1])])) for row in platform]
        assert ranked[0][0] == 1
        assert ranked == sorted(ranked, key=lambda line: line[0])
        for (place, better), (next_place, worse) in pairwise(ranked):
            assert better >= worse
            assert next_place > place or better == worse
        assert_no_partner_twice(players)
        assert_the_rules_give_the_same(logs, tmp_path / "championship.jsonl")


async def everybody(players: list[Player]) -> None:
    async with asyncio.TaskGroup() as group:
        for player in players:
            group.create_task(player.play())


def log_of(director: Person, game: str) -> list[dict[str, object]]:
    """The log as the director may take it away, hands included."""
    answer = director.http.get(f"/api/v1/games/{game}/events/").json()
    events: list[dict[str, object]] = answer["events"]
    assert events[-1]["type"] == "game_ended"
    assert sum(event["type"] == "deal_scored" for event in events) == DEALS
    assert sum(event["type"] == "card_played" for event in events) == DEALS * 36
    return events


def assert_no_partner_twice(players: list[Player]) -> None:
    chairs = {seat: player.number for player in players for seat in player.sat}
    for player in players:
        partners = {chairs[game, (seat + 2) % 4] for game, seat in player.sat}
        assert len(partners) == ROUNDS


def assert_the_rules_give_the_same(logs: dict[str, list[dict[str, object]]], path: Path) -> None:
    """The engine's own audit of the files, as anybody can run it."""
    for log in logs.values():
        path.write_bytes(b"\n".join(encode(decode_event(event)) for event in log) + b"\n")
        done = subprocess.run(
            [sys.executable, "-m", "engine", "audit", str(path)], cwd=BASE_DIR, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr
