"""Auditing stored games, beside computing their chains again alone: `python -m tests.bench.audit`.

Four JSON lines. Games: the number a second of one core that are read, whose chain is verified, whose commands
are decided again and whose packs are dealt again from the seed. A game is a round of eight deals of Schieber,
some 370 events, played at random. A round: time and statements for each of its tables, broken off before the
first card, so that the shared cost shows. Checkpoints: the number of one championship's checkpoints that are
recomputed a second, each of which seals a tenth more of the events of all its games.
"""

import argparse
import random
import secrets
import tempfile
import time
from collections.abc import Callable, Sequence
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.bench._quick import add_quick
from tests.bench.store import migrated, report


def play(chance: random.Random) -> str:
    """Store a game of a round as the server would have dealt it; returns its id."""
    from django.db import transaction

    from engine import advance, list_offers, to_act
    from games import game_state
    from games.appending import SERVER, AppendRequest, prepare
    from games.play.game_change import GameChange
    from games.play.game_creation import create_game
    from games.randomness import round_seed as rounds
    from games.randomness.next_deal import next_deal

    players = [secrets.token_hex(16) for _ in range(4)]
    with transaction.atomic():
        game = create_game(variant="schieber", preset="championship", players=players)
        source = rounds.source_of(game.round_stream_id)
        begun = game_state.load_snapshot(game.id)
        state, added = begun.state.copy(), []
        while (turn := to_act(state)) is not None:
            by_server = turn.seat is None
            command = next_deal(game, state, source) if by_server else chance.choice(list_offers(state))
            added += advance(state, command)
        batch = prepare(game.id, added, AppendRequest(SERVER, "bench", bytes(32)), head=begun.head)
        GameChange(game, begun, begun.extended(added, batch.head), [batch]).commit()
        game_state.KEPT.clear()
    return game.id


def per_second(names: Sequence[str], act: Callable[[str], object]) -> float:
    """Rate by processor time, so that other work of the machine hardly counts."""
    start = time.process_time()
    for name in names:
        act(name)
    return len(names) / (time.process_time() - start)


def measure(games: int, runs: int) -> None:
    from games import store
    from games.audit import audit
    from games.models import Game

    chance = random.Random(1)
    names = [play(chance) for _ in range(games)]

    def whole(name: str) -> None:
        if not audit(Game.objects.get(pk=name)).clean:
            raise SystemExit(f"{name} is not clean")

    chain = ("the chain alone", lambda: per_second(names, store.verify))
    report("audit, games a second of a core, SQLite", runs, lambda: per_second(names, whole), [chain])


def sealed(games: int, checkpoints: int) -> str:
    """A championship with a checkpoint each minute, in which a tenth of its games have moved; returns its
    stream."""
    from django.db import transaction

    from games import sealing, store

    def move(stream: str) -> None:
        at = store.read_head(stream)
        event = [store.Record("pushed", {"seat": 0})]
        store.append(stream, at, event, actor="bench", command_id=f"c{at.seq}", body_hash=bytes(32))

    key = sealing.SealKey(Ed25519PrivateKey.generate())
    with transaction.atomic():
        championship = store.create_stream("championship").id
        streams = [store.create_stream("game").id for _ in range(games)]
        for minute in range(checkpoints):
            for stream in streams[minute % 10 :: 10]:
                move(stream)
            sealing.seal(championship, streams, key)
    return championship


def played_round(tables: int) -> str:
    """A championship of one closed round of dealt tables whose games were broken off; returns its slug."""
    from games.models import User
    from tournaments.services.championships import championships
    from tournaments.services.draw import seating_by_hand
    from tournaments.services.entries import entries
    from tournaments.services.rounds import rounds

    fredi = User.objects.create(username="fredi")
    made = championships.create(actor=fredi, name="Bench", changes={"rounds": 1})
    people = [entries.NewEntry(f"Person {n}", status="arrived") for n in range(4 * tables)]
    numbers = [entry.number for entry in entries.add_entries(made, people, actor=fredi)]
    round_ = made.rounds.get()
    seated = [numbers[at : at + 4] for at in range(0, len(numbers), 4)]
    seating_by_hand.seat_by_hand(round_, seated, actor=fredi)
    rounds.close_round(rounds.open_round(round_, actor=fredi), actor=fredi, force=True)
    return made.slug


def measure_round(tables: int, runs: int) -> None:
    """The cost of a whole championship: its round's stream is that of all its tables."""
    from django.db import connection

    from tournaments.models import Championship
    from tournaments.services.audit import auditing

    championship = Championship.objects.get(slug=played_round(tables))
    statements = 0

    def count(execute: Any, *given: Any) -> Any:
        nonlocal statements
        statements += 1
        return execute(*given)

    def again() -> float:
        nonlocal statements
        audit = auditing.start_audit(championship, actor=championship.owner)
        statements, begun = 0, time.process_time()
        with connection.execute_wrapper(count):
            while auditing.check_next(audit):
                pass
        spent = time.process_time() - begun
        if auditing.load_findings(audit):
            raise SystemExit(f"not clean: {auditing.load_findings(audit)[0]}")
        return 1000 * spent / tables

    report(f"audit of a round, ms of a core a table of {tables}, SQLite", runs, again, [])
    report(f"audit of a round, statements a table of {tables}, SQLite", 1, lambda: statements / tables, [])


def measure_checkpoints(games: int, checkpoints: int, runs: int) -> None:
    from games import sealing

    championship = sealed(games, checkpoints)

    def again() -> float:
        start = time.process_time()
        if any(wrong for _, wrong in sealing.compared(championship, sealing.each(championship))):
            raise SystemExit("a checkpoint is not right")
        return checkpoints / (time.process_time() - start)

    report(f"audit, checkpoints over {games} games a second of a core, SQLite", runs, again, [])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.audit")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--tables", type=int, default=80)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--sealed-games", type=int, default=10_000)
    parser.add_argument("--checkpoints", type=int, default=20)
    add_quick(parser, games=2, tables=2, runs=1, sealed_games=20, checkpoints=3)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, migrated(f"sqlite:///{folder}/puur.sqlite3"):
        measure(given.games, given.runs)
        measure_round(given.tables, given.runs)
        measure_checkpoints(given.sealed_games, given.checkpoints, given.runs)


if __name__ == "__main__":
    main()
