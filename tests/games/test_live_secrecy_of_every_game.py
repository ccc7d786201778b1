"""Every game over sockets in two worlds: whatever lies hidden in it changes no byte and no length of a frame.

For each game the worlds are played once, at tables side by side, with the sockets of everybody open, and each
frame is written down: the first, those after each command, the answers to what is refused, repeated or asked
for again. The tests compare what was written down.
"""

import itertools
import json
import math
import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any, NamedTuple

import pytest
from django.conf import settings
from django.db import transaction

from engine import VARIANTS, Observer, to_dict
from engine.commands import Command, Deal
from games import fold
from games.live import frames
from games.models import Game
from games.submit import submit
from tests.engine.playing import EFFORT
from tests.engine.worlds import Step, answer, attempts
from tests.games.cast import PLAYERS, SEATED, person
from tests.games.live_server import Line, WebProcess, cookie, place, web_process
from tests.games.worlds import (
    HIDDEN,
    Twin,
    dealt,
    game_of,
    heads_of,
    hidden_in,
    opened,
    twins_of,
    world_of,
)

ON = "postgresql" if settings.DATABASES["default"]["ENGINE"].endswith("postgresql") else "sqlite"
pytestmark = [
    pytest.mark.both,
    pytest.mark.slow,
    pytest.mark.parametrize("database_template", [ON], indirect=True),
]
GAMES = [(variant, seats) for variant in VARIANTS for seats in VARIANTS[variant].seats]
PLACES = {1: {**HIDDEN, "schieber": {"hand", "own hand face down"}}, 2: {key: {"hand"} for key in VARIANTS}}
"""By deal, where something has to lie hidden from somebody."""
COMMANDS = {1: 20, 2: 5}
"""By deal, how many are compared; of the first, until everything is put away."""
TRIES = 5
ACCEPTED = ("accepted",)
NOT_COMPARED = {"date", "sec-websocket-accept"}
"""Headers of a handshake that follow from the clock and from what the client drew."""


class Table:
    """One world at a table with open sockets, and all that came over them.

    `told`: (end of the log, what came, to whom) -> the frame without the name of the game, in order.
    """

    def __init__(self, game: Game, twin: Twin) -> None:
        self.game, self.twin, self.end = game, twin, twin.until["nobody"]
        self.lines: dict[str, Line] = {}
        self.told: dict[tuple[int, str, str], str] = {}

    def make(self, at: int) -> None:
        command = self.twin.world.moves[at]
        submit(self.game.id, command, actor=PLAYERS[command.seat], command_id=f"m{at}")

    def hear(self, head: int, what: str) -> None:
        for name, line in self.lines.items():
            self.told[head, what, name] = line.text().replace(self.game.id, "GAME")


class Played(NamedTuple):
    """A game, the first table, and its twins, as everybody was told of them."""

    people: dict[str, Observer]
    hidden: dict[str, set[str]]
    tables: list[Table]


def people_of(seats: int, deal: int) -> dict[str, Observer]:
    """Everybody at the table; the referee Gabi has opened no deal or only the one before."""
    return dict(zip(SEATED[:seats], map(Observer.seat, range(seats)), strict=True)) | {
        "nobody": Observer.spectator(),
        "eva": Observer.spectator("after_deal"),
        "gabi": Observer.spectator("after_deal", opened=deal - 1 or None),
    }


def let_in(game: Game, deal: int) -> None:
    """The same people, as the platform knows them."""
    for seat, name in enumerate(SEATED[: game.seat_count]):
        person(name, game, "seat", seat, ref=PLAYERS[seat])
    person("eva", game, "spectator", tier="after_deal")
    person("gabi", game, "referee", opened_deal=deal - 1 or None)


# --- playing and writing down -----------------------------------------------------------------------------


def drawn(variant: str, seats: int, deal: int) -> Iterator[list[Step]]:
    """Random games, up to so many commands of a deal, in which something comes to lie in every place."""
    for seed in range(1000):
        steps = list(up_to(game_of(variant, seats, seed), deal))
        hidden = (hidden_in(steps, who, deal) for who in people_of(seats, deal).values())
        if PLACES[deal][variant] <= set().union(*hidden):
            yield steps


def up_to(steps: Iterator[Step], deal: int) -> Iterator[Step]:
    now = since = 0
    for step in steps:
        now += isinstance(step[0], Deal)
        since += now == deal
        if now > deal or since > COMMANDS[deal]:
            return
        yield step


def play(web: WebProcess, monkeypatch: pytest.MonkeyPatch, steps: list[Step], deal: int) -> Played:
    """A game and its twins, watched from the first deal on or from before the last card of the one before."""
    start: Any = steps[0][0]
    known, steps = heads_of(steps), steps[:-1]  # the log ends elsewhere where the next thing is a deal
    people = people_of(start.seats, deal)
    twins = twins_of(steps, people, deal, TRIES)
    longest = max(twin.until["nobody"] for twin in twins)
    twins.insert(0, Twin(world_of(steps), dict.fromkeys(people, longest), {}))
    dealt(monkeypatch, *(twin.world for twin in twins))
    heads = [head for head in known if head <= longest]
    first = max(0, sum(not isinstance(command, Deal) for command, _ in before(steps, deal)) - 1)
    with transaction.atomic():
        tables = [Table(opened(start, number), twin) for number, twin in enumerate(twins, 1)]
        for table in tables:
            let_in(table.game, deal)
            for at in range(first):
                table.make(at)
    with ExitStack() as stack:
        watch(stack, web, tables, people, heads[first])
        for at, after in enumerate([*heads[first + 1 :], math.inf], first):
            there = [table for table in tables if heads[at] <= table.end]
            if at > first:
                for table in there:
                    table.make(at - 1)
                for table in there:
                    table.hear(heads[at], "next")
            if at == first or any(table.end < after for table in there):
                ask(there, heads[at], "refused", refused(there, people).__getitem__)
                ask(there, heads[at], "again", lambda _: {"since": -1})
        ask(there, heads[-1], "after a gap", lambda _: {"since": heads[-2] - 1})
        ask(there, heads[-1], "never was", lambda _: {"since": heads[-1] + 1})
        last = said(tables[0].twin.world.moves[at - 1], f"m{at - 1}")
        ask(there, heads[-1], "repeated", lambda _: last)
    return Played(people, {name: hidden_in(steps, who, deal) for name, who in people.items()}, tables)


def before(steps: list[Step], deal: int) -> Iterator[Step]:
    """What happens after the start and before a deal."""
    now = itertools.accumulate(isinstance(command, Deal) for command, _ in steps)
    return (step for step, number in zip(steps[1:], list(now)[1:], strict=True) if number < deal)


def watch(
    stack: ExitStack, web: WebProcess, tables: list[Table], people: dict[str, Observer], head: int
) -> None:
    """Everybody comes to each table; what the handshake and the first frame tell."""
    for name in people:
        signed_in = {} if name == "nobody" else {"Cookie": cookie(person(name))}
        for table in tables:
            line = table.lines[name] = stack.enter_context(
                web.connect(table.game, additional_headers=signed_in)
            )
            headers = line.socket.response.headers.raw_items() if line.socket.response else ()
            kept = [header for header in headers if header[0].lower() not in NOT_COMPARED]
            table.told[head, "handshake", name] = str(kept)
    for table in tables:
        table.hear(head, "first")


def ask(tables: list[Table], head: int, what: str, message: Callable[[str], Any]) -> None:
    """Everybody says something at each table; at most twenty times all in all, or he would be too fast."""
    for table in tables:
        for name, line in table.lines.items():
            line.say(message(name))
    for table in tables:
        table.hear(head, what)


def said(command: Command, command_id: str) -> dict[str, Any]:
    return {"command_id": command_id, "command": to_dict(command)}


def refused(tables: list[Table], people: dict[str, Observer]) -> dict[str, Any]:
    """For everybody a command that is refused at the first table, and where he knows of a difference at the
    others too: nobody may get on differently here."""
    states = [fold.at(table.game.id).state for table in tables]
    found = {}
    for name, who in people.items():
        known = [s for s, t in zip(states, tables, strict=True) if t.twin.until[name] < states[0].seq - 1]
        tried = list(attempts(states[0], who.number or 0))
        random.Random(states[0].seq).shuffle(tried)
        command = next(c for c in tried if all(answer(s, c) != ACCEPTED for s in [states[0], *known]))
        found[name] = said(command, "refused")
    return found


# --- the tests --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def web(
    database_template: dict[str, Any], tmp_path_factory: pytest.TempPathFactory, django_db_blocker: Any
) -> Iterator[WebProcess]:
    crowded = "tests.games.crowded_settings"
    with place(
        database_template, tmp_path_factory, django_db_blocker, DJANGO_SETTINGS_MODULE=crowded
    ) as process:
        yield process


@pytest.fixture(scope="module")
def leaking(web: WebProcess, tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebProcess]:
    """A web process that takes nothing out, at the same tables."""
    folder = tmp_path_factory.mktemp("leaking")
    with web_process(folder, DJANGO_SETTINGS_MODULE="tests.games.leaking_settings") as process:
        yield process


@pytest.fixture(scope="module", params=GAMES, ids=lambda game: f"{game[0]}-{game[1]}")
def games(web: WebProcess, request: pytest.FixtureRequest) -> list[Played]:
    """A first deal and a second one, several with PUUR_EFFORT."""
    variant, seats = request.param
    with pytest.MonkeyPatch.context() as monkeypatch:
        return [
            play(web, monkeypatch, steps, deal)
            for deal in COMMANDS
            for steps in itertools.islice(drawn(variant, seats, deal), EFFORT)
        ]


class Pair(NamedTuple):
    """What came at the end of the log to somebody in two worlds, and whether he must see no difference."""

    what: str
    name: str
    head: int
    who: Observer
    alike: bool
    one: str
    other: str


def pairs(games: list[Played]) -> Iterator[Pair]:
    for game in games:
        first, *others = game.tables
        for table in others:
            assert list(table.told) == [key for key in first.told if key in table.told]
            for (head, what, name), text in table.told.items():
                alike = head <= table.twin.until[name]
                yield Pair(what, name, head, game.people[name], alike, first.told[head, what, name], text)


def test_what_lies_hidden_changes_no_byte_for_who_must_not_know(games: list[Played]) -> None:
    differ = [pair for pair in pairs(games) if pair.alike and pair.one != pair.other]
    assert not differ


def test_what_is_known_to_somebody_changes_no_length_for_others_to_see(games: list[Played]) -> None:
    private = [pair for pair in pairs(games) if frames.is_private(pair.who) and not pair.alike]
    assert not [pair for pair in private if len(pair.one) != len(pair.other)]
    assert [pair for pair in private if pair.one != pair.other], "the worlds do differ"


def test_each_place_is_compared_for_everybody_from_whom_something_lies_in_it(games: list[Played]) -> None:
    for game in games:
        compared: dict[str, set[str]] = {name: set() for name in game.people}
        for table in game.tables[1:]:
            for head, _, name in table.told:
                if head <= table.twin.until[name]:
                    compared[name] |= table.twin.places[name]
        assert compared == game.hidden


def test_without_redaction_each_place_would_be_found(leaking: WebProcess, games: list[Played]) -> None:
    for game in games:
        one, *twins = game.tables
        compared, found = set[tuple[str, str]](), set[tuple[str, str]]()
        shown = {name: first_events(leaking, one, name) for name in game.people}
        for twin in twins:
            for name, places in twin.twin.places.items():
                new = {(name, place) for place in places} - compared
                if new:
                    compared |= new
                    mine, until = first_events(leaking, twin, name), twin.twin.until[name]
                    if mine[: until + 1] != shown[name][: until + 1]:
                        found |= new
        assert found == compared


def first_events(web: WebProcess, table: Table, name: str) -> list[Any]:
    user = None if name == "nobody" else person(name)
    with web.connect(table.game, user) as line:
        return list(json.loads(line.text("events"))["events"])
