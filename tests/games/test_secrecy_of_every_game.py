"""Every game over HTTP in two worlds: whatever lies hidden in it changes no byte of what an observer gets.

What is otherwise in the second world, and when he learns of it by right, is said by the worlds of the
engine's own test (tests/engine/test_two_worlds.py).
"""

import itertools
import random
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone

from engine import VARIANTS, Observer
from engine.cli.playing import playout
from engine.commands import Deal, Start
from engine.events import PredictionMade
from games import dealing, fold, ids, store, submit, tables
from games.models import Game
from games.store import layout
from tests.engine.playing import EFFORT
from tests.engine.test_two_worlds import states, swaps
from tests.engine.worlds import Change, OtherPrediction, Step, look_alike
from tests.games.cast import PLAYERS, SEATED, person
from tests.games.test_secrecy import NOW, answers

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
STEPS = 70
LOOKS = 2
"""At least so many moments at which everything is asked for: the first and the last."""
HIDDEN = {key: {"hand"} for key in VARIANTS} | {
    "bieter": {"hand", "closed talon", "discards", "undealt"},
    "differenzler": {"hand", "sealed prediction"},
    "la-pomme": {"hand", "extra cards", "discards", "undealt"},
    "lake-constance": {"hand", "closed table cards"},
}
"""Where something lies that a spectator must not know."""
START = {
    "differenzler": Start(variant="differenzler", seats=4, options={"sealed_predictions": True}),
    "schieber": Start(
        variant="schieber", seats=4, options={"partner_waits": True, "first_forehand": "drawn"}
    ),
}


OBSERVERS = [Observer.spectator(), *map(Observer.seat, range(2) if EFFORT > 1 else (1,))]


class RolledBack(Exception):
    pass


class Secret(NamedTuple):
    """Something hidden: where it lies, what is otherwise, in which deal, and heads up to which that cannot
    be told."""

    place: str
    change: Change
    deal: int
    heads: Sequence[int]


def game_of(variant: str) -> list[Step]:
    start = START.get(variant) or Start(variant=variant, seats=max(VARIANTS[variant].seats))
    return list(itertools.islice(playout(start, random.Random(5)), STEPS))


def heads_of(steps: Sequence[Step]) -> set[int]:
    """Where the log ends when somebody can look: the server deals at once."""
    after = [state.seq - 1 for state in states(steps)]
    return {
        head for head, (command, _) in zip(after, steps[1:], strict=False) if not isinstance(command, Deal)
    }


def secrets_of(steps: Sequence[Step], observer: Observer) -> Iterator[Secret]:
    """One of each place where something lies hidden from an observer."""
    heads, found = heads_of(steps), set[str]()
    changes = [(place, deal, change) for place, deal, _, change in swaps(steps, observer, random.Random(1))]
    changes += [
        ("sealed prediction", 1, OtherPrediction(event.seat, (event.points or 0) + 1))
        for event in itertools.chain.from_iterable(events for _, events in steps)
        if isinstance(event, PredictionMade) and event.sealed and event.seat != observer.number
    ]
    for place, deal, change in changes:
        if place in found:
            continue
        alike = [state.seq - 1 for state in look_alike(steps, observer, deal, change)]
        seen = [head for head in alike if head in heads]
        if len(seen) > LOOKS:
            found.add(place)
            yield Secret(place, change, deal, sorted({*seen[:: len(seen) // LOOKS], seen[-1]}))


def told(
    monkeypatch: pytest.MonkeyPatch, steps: Sequence[Step], secret: Secret, observer: Observer, changed: bool
) -> list[Any]:
    """All answers at the heads of a secret."""
    numbers, deal, found = itertools.count(1), 0, []
    packs: dict[int, Deal] = {}
    moves = []
    for command, _ in steps[1:]:
        deal += isinstance(command, Deal)
        given = secret.change.of(command) if changed and deal == secret.deal else command
        if isinstance(given, Deal):
            packs[deal] = given
        else:
            moves.append(given)
    monkeypatch.setattr(timezone, "now", lambda: NOW)
    monkeypatch.setattr(ids.secrets, "token_hex", lambda size: f"{next(numbers):0{2 * size}x}")
    monkeypatch.setattr(layout.secrets, "token_bytes", lambda size: next(numbers).to_bytes(size, "big"))
    monkeypatch.setattr(dealing, "deck", lambda _source, _number, deal: packs[deal].deck)
    monkeypatch.setattr(dealing, "cut", lambda _source, _number, deal: packs[deal].cut)
    monkeypatch.setattr(dealing, "draw_forehand", lambda *_: dealing.ForehandDraw(((None,),), 0))
    fold.forget_all()
    try:
        with transaction.atomic():
            game = opened(steps[0][0])
            client = Client()
            if observer.number is not None:
                ref = PLAYERS[observer.number]
                client.force_login(person(SEATED[observer.number], game, "seat", observer.number, ref=ref))
            for at, move in enumerate(moves):
                head = store.head_of(game.id).seq
                if head in secret.heads:
                    found.append((head, list(answers(client, game))))
                if head >= secret.heads[-1]:
                    raise RolledBack
                submit.submit(game.id, move, actor=PLAYERS[move.seat], command_id=f"m{at}")
            raise RolledBack
    except RolledBack:
        return found


def opened(start: Any) -> Game:
    return tables.create_game(
        variant=start.variant, seats=start.seats, options=start.options, players=PLAYERS[: start.seats]
    )


@pytest.mark.parametrize("who", OBSERVERS, ids=str)
@pytest.mark.parametrize("variant", VARIANTS)
def test_what_lies_hidden_in_a_game_changes_no_byte(
    monkeypatch: pytest.MonkeyPatch, variant: str, who: Observer
) -> None:
    steps = game_of(variant)
    places = set()
    for secret in secrets_of(steps, who):
        one = told(monkeypatch, steps, secret, who, changed=False)
        other = told(monkeypatch, steps, secret, who, changed=True)
        assert [head for head, _ in one] == secret.heads
        for (head, first), (_, second) in zip(one, other, strict=True):
            for (path, *shown), (_, *twin) in zip(first, second, strict=True):
                assert shown == twin, f"{secret.place} at {head}: {path}"
        places.add(secret.place)
    assert places >= (HIDDEN[variant] if who.number is None else {"hand"})


def test_somebody_sees_what_was_put_away_and_would_find_it_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the test above could not fail."""
    steps = game_of("bieter")
    [secret] = [one for one in secrets_of(steps, Observer.spectator()) if one.place == "discards"]
    differ = [
        seat
        for seat in range(3)
        if told(monkeypatch, steps, secret, Observer.seat(seat), changed=False)
        != told(monkeypatch, steps, secret, Observer.seat(seat), changed=True)
    ]
    assert differ
