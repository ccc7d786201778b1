"""Games in several worlds, played at tables side by side with open sockets of all people.

Each frame is recorded: the first one, those after each command, and the answers to refused, repeated and
requested messages. Meanwhile seats and a scorer's place change hands: newcomers are observed from there on,
and so are people who had to leave, when they come back.
"""

import itertools
import math
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from typing import Any, NamedTuple

import pytest
from django.db import transaction

from engine import Observer, to_dict
from engine.commands import Command, Deal
from games import game_state
from games.models import Game
from games.play.submit import submit
from games.rights import seats
from tests.engine.hidden_swaps import Step, answer, attempts
from tests.games.cast import PLAYERS, SEATED, person
from tests.games.live_server import Line, WebProcess, cookie, phone
from tests.games.twin_games import (
    Twin,
    Watching,
    dealt,
    game_of,
    heads_of,
    hidden_in,
    opened,
    twins_of,
    world_of,
)

TRIES = 5
ACCEPTED = ("accepted",)
REVOKED = 4403
NOT_COMPARED = {"date", "sec-websocket-accept"}
"""Handshake headers that depend on the clock and on the client's random key."""
ANNA, BEAT = PLAYERS[:2]
HANNA = "e" * 32


class Kind(NamedTuple):
    """The play: up to `commands` commands of a `deal`, observed from the first deal on or from before the
    last card of the previous one; places change hands after a number of commands.
    """

    deal: int
    commands: int
    change_after: int
    mode: str = "dealt"


class Table:
    """One world at a table with open sockets, and all received frames.

    `told`: (end of the log, what came, to whom) -> the frame without the name of the game, in order.
    `signed`: the header by which the server knows somebody.
    """

    def __init__(self, game: Game, twin: Twin) -> None:
        self.game, self.twin, self.end = game, twin, twin.until["nobody"]
        self.lines: dict[str, Line] = {}
        self.signed: dict[str, dict[str, str]] = {}
        self.told: dict[tuple[int, str, str], str] = {}

    def make(self, at: int) -> None:
        command = self.twin.world.moves[at]
        submit(self.game.id, command, actor=PLAYERS[command.seat], command_id=f"m{at}")

    def hear(self, head: int, what: str) -> None:
        for name, line in self.lines.items():
            self.note(head, what, name, line.text())

    def note(self, head: int, what: str, name: str, text: str) -> None:
        self.told[head, what, name] = text.replace(self.game.id, "GAME")

    def let_in(self, name: str, role: str, seat: int | None = None, **more: Any) -> None:
        """Create a user with a role here."""
        self.signed[name] = {"Cookie": cookie(person(name, self.game, role, seat, **more))}

    def scan(self, name: str, role: str, seat: int | None, ref: str) -> None:
        """Create a phone with a new code of a place, which ends the previous one."""
        self.signed[name] = {"Cookie": phone(self.game, role, seat, ref)}


class Played(NamedTuple):
    """A game, the first table, and its twins, as sent to each person."""

    people: dict[str, Observer]
    hidden: dict[str, set[str]]
    tables: list[Table]


# --- people -----------------------------------------------------------------------------------------------


def people_of(seats: int, kind: Kind) -> dict[str, Observer]:
    """Return all people at the table from the beginning; the referee Gabi has opened no deal or only the
    previous one. Fredi directs, Hanna is scorer; Klara is the scorer of another table, by code.
    """
    guests = {
        "nobody": Observer.spectator(),
        "eva": Observer.spectator("after_deal"),
        "klara": Observer.spectator(),
    }
    if kind.mode == "transcribed":  # a transcript's scorers see all of it
        return guests | dict.fromkeys(["anna", "fredi", "gabi", "hanna"], Observer.referee())
    return dict(zip(SEATED[:seats], map(Observer.seat, range(seats)), strict=True)) | {
        **guests,
        "fredi": Observer.spectator("after_deal"),
        "gabi": Observer.spectator("after_deal", opened=kind.deal - 1 or None),
        "hanna": Observer.spectator(),
    }


def leaving(kind: Kind) -> dict[str, str]:
    """Return the people who lose their place, with their successors."""
    return {"hanna": "ines"} if kind.mode == "transcribed" else {"anna": "ines", "beat": "jan"}


def newcomers_of(people: dict[str, Observer], kind: Kind) -> dict[str, Observer]:
    """Return the people who watch only after the change: the new ones, and the former ones who come back."""
    came = {new: people[old] for old, new in leaving(kind).items()}
    return came | dict.fromkeys(map(gone, leaving(kind)), Observer.spectator())


def gone(name: str) -> str:
    return f"{name}, gone"


def let_in(table: Table, kind: Kind, elsewhere: Game) -> None:
    """The same people as accounts and phones; Beat and the scorer of a transcript use codes."""
    table.signed |= {"nobody": {}, "klara": {"Cookie": phone(elsewhere, "scorer", None, HANNA)}}
    table.let_in("eva", "spectator", tier="after_deal")
    table.let_in("fredi", "director")
    table.let_in("gabi", "referee", opened_deal=kind.deal - 1 or None)
    table.let_in("anna", "seat", 0, ref=ANNA)
    if kind.mode == "transcribed":
        table.scan("hanna", "scorer", None, HANNA)
        return
    table.let_in("hanna", "scorer")
    table.scan("beat", "seat", 1, BEAT)
    for seat in range(2, table.game.seat_count):
        table.let_in(SEATED[seat], "seat", seat, ref=PLAYERS[seat])


def change_hands(table: Table, kind: Kind) -> None:
    """Transfer the place of an account or a phone to another account or phone: each way once."""
    for old in leaving(kind):
        table.signed[gone(old)] = table.signed[old]
    if kind.mode == "transcribed":
        table.scan("ines", "scorer", None, HANNA)
    elif kind.deal == 1:
        table.scan("ines", "seat", 0, ANNA)
        table.scan("jan", "seat", 1, BEAT)
    else:
        for seat, new in enumerate(leaving(kind).values()):
            seats.give_to_account({table.game.id: seat}, PLAYERS[seat], person(new))
            table.signed[new] = {"Cookie": cookie(person(new))}


# --- playing and recording --------------------------------------------------------------------------------


def drawn(variant: str, seats: int, kind: Kind, places: set[str]) -> Iterator[list[Step]]:
    """Random games, up to a number of commands of a deal, in which every place gets cards."""
    for seed in range(1000):
        steps = list(up_to(game_of(variant, seats, seed, kind.mode), kind))
        hidden = (hidden_in(steps, who, kind.deal) for who in set(people_of(seats, kind).values()))
        if places <= set().union(*hidden):
            yield steps


def up_to(steps: Iterator[Step], kind: Kind) -> Iterator[Step]:
    now = since = 0
    for step in steps:
        now += isinstance(step[0], Deal)
        since += now == kind.deal
        if now > kind.deal or since > kind.commands:
            return
        yield step


def play(web: WebProcess, monkeypatch: pytest.MonkeyPatch, steps: list[Step], kind: Kind) -> Played:
    """Play a game and its twins, observed by all people."""
    start: Any = steps[0][0]
    known, steps = heads_of(steps), steps[:-1]  # the log ends elsewhere where the next command deals
    first = max(0, sum(not isinstance(command, Deal) for command, _ in before(steps, kind.deal)) - 1)
    change = first + kind.change_after
    people = people_of(start.seats, kind)
    watching = {name: Watching(who) for name, who in people.items()}
    watching |= {name: Watching(who, known[change]) for name, who in newcomers_of(people, kind).items()}
    twins = twins_of(steps, watching, kind.deal, TRIES)
    longest = max(twin.until["nobody"] for twin in twins)
    twins.insert(0, Twin(world_of(steps), dict.fromkeys(watching, longest), {}))
    heads = [head for head in known if head <= longest]
    tables = set_up(monkeypatch, start, twins, kind, first)
    with ExitStack() as stack:
        watch(stack, web, tables, list(people), heads[first])
        for at, after in enumerate([*heads[first + 1 :], math.inf], first):
            there = [table for table in tables if heads[at] <= table.end]
            if at > first:
                for table in there:
                    table.make(at - 1)
                for table in there:
                    table.hear(heads[at], "next")
            if at == first or any(table.end < after for table in there):
                ask(there, heads[at], "refused", refused(there).__getitem__)
                ask(there, heads[at], "again", lambda _: {"since": -1})
            if at == change:
                let_go(there, heads[at], kind)
                watch(stack, web, there, list(newcomers_of(people, kind)), heads[at])
        ask(there, heads[-1], "after a gap", lambda _: {"since": heads[-2] - 1})
        ask(there, heads[-1], "never was", lambda _: {"since": heads[-1] + 1})
        last = said(tables[0].twin.world.moves[at - 1], f"m{at - 1}")
        ask(there, heads[-1], "repeated", lambda _: last)
    hidden = {name: hidden_in(steps, one.who, kind.deal, one.since) for name, one in watching.items()}
    return Played({name: one.who for name, one in watching.items()}, hidden, tables)


def set_up(
    monkeypatch: pytest.MonkeyPatch, start: Any, twins: Sequence[Twin], kind: Kind, first: int
) -> list[Table]:
    """Create a table for each world, advanced so far; transcripts contain the cards that the server does not
    deal.
    """
    dealt(monkeypatch, *(twin.world for twin in twins))
    with transaction.atomic():
        elsewhere = opened(start, mode="transcribed")
        tables = [Table(opened(start, number, kind.mode), twin) for number, twin in enumerate(twins, 1)]
        for table in tables:
            let_in(table, kind, elsewhere)
            if kind.mode == "transcribed":
                submit(table.game.id, table.twin.world.packs[1], actor=HANNA, command_id="deal")
            for at in range(first):
                table.make(at)
    return tables


def before(steps: list[Step], deal: int) -> Iterator[Step]:
    """Return the steps after the start and before a deal."""
    now = itertools.accumulate(isinstance(command, Deal) for command, _ in steps)
    return (step for step, number in zip(steps[1:], list(now)[1:], strict=True) if number < deal)


def watch(stack: ExitStack, web: WebProcess, tables: list[Table], names: list[str], head: int) -> None:
    """Connect all people to each table; record the handshake and the first frame."""
    for name in names:
        for table in tables:
            line = table.lines[name] = stack.enter_context(
                web.connect(table.game, additional_headers=dict(table.signed[name]))
            )
            headers = line.socket.response.headers.raw_items() if line.socket.response else ()
            kept = [header for header in headers if header[0].lower() not in NOT_COMPARED]
            table.note(head, "handshake", name, str(kept))
    for table in tables:
        for name in names:
            table.note(head, "first", name, table.lines[name].text())


def let_go(tables: list[Table], head: int, kind: Kind) -> None:
    """Change the places; record the frames of the people who leave."""
    for table in tables:
        change_hands(table, kind)
    for table in tables:
        for name in leaving(kind):
            line = table.lines.pop(name)
            table.note(head, "let go", name, "\n".join(line.to_the_end()))
            assert line.socket.close_code == REVOKED, name


def ask(tables: list[Table], head: int, what: str, message: Callable[[str], Any]) -> None:
    """Let all people send messages at each table; at most twenty in all, because of the rate limit."""
    for table in tables:
        for name, line in table.lines.items():
            line.say(message(name))
    for table in tables:
        table.hear(head, what)


def said(command: Command, command_id: str) -> dict[str, Any]:
    return {"command_id": command_id, "command": to_dict(command)}


def refused(tables: list[Table]) -> dict[str, Any]:
    """Return for each person a message whose command is refused at the first table and in each world that the
    person can distinguish from it.
    """
    states = [game_state.load_snapshot(table.game.id).state for table in tables]
    found = {}
    for name in tables[0].lines:
        known = [s for s, t in zip(states, tables, strict=True) if t.twin.until[name] < states[0].seq - 1]
        seat = SEATED.index(name) if name in SEATED else 0
        tried = list(attempts(states[0], seat))
        random.Random(states[0].seq).shuffle(tried)
        command = next(c for c in tried if all(answer(s, c) != ACCEPTED for s in [states[0], *known]))
        found[name] = said(command, "refused")
    return found
