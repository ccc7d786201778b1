"""Every game over HTTP in two worlds: hidden facts change no byte of an observer's responses."""

import itertools
import random
import secrets
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone

from engine import VARIANTS, Observer
from games import game_state, store
from games.play import submit
from tests.engine.hidden_swaps import Change, Step, look_alike
from tests.engine.random_games import EFFORT
from tests.games.cast import PLAYERS, SEATED, person
from tests.games.test_secrecy import NOW, answers
from tests.games.twin_games import HIDDEN, changes, dealt, game_of, heads_of, is_otherwise, opened, world_of

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
STEPS = 70
LOOKS = 2
"""At least so many moments at which everything is asked for: the first and the last."""
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


def steps_of(variant: str) -> list[Step]:
    return list(itertools.islice(game_of(variant, max(VARIANTS[variant].seats)), STEPS))


def secrets_of(steps: Sequence[Step], observer: Observer) -> Iterator[Secret]:
    """One of each place where something lies hidden from an observer."""
    heads, found = heads_of(steps), set[str]()
    for place, deal, change in changes(steps, observer, random.Random(1)):
        if place in found:
            continue
        alike = [state.seq - 1 for state in look_alike(steps, observer, deal, change)]
        seen = [head for head in alike if head in heads]
        if len(seen) > LOOKS and is_otherwise(steps, deal, change):
            found.add(place)
            yield Secret(place, change, deal, sorted({*seen[:: len(seen) // LOOKS], seen[-1]}))


def told(
    monkeypatch: pytest.MonkeyPatch, steps: Sequence[Step], secret: Secret, observer: Observer, changed: bool
) -> list[Any]:
    """All answers at the heads of a secret."""
    numbers, found = itertools.count(1), []
    world = world_of(steps, secret.deal, secret.change if changed else None)
    monkeypatch.setattr(timezone, "now", lambda: NOW)
    monkeypatch.setattr(secrets, "token_hex", lambda size: f"{next(numbers):0{2 * size}x}")
    monkeypatch.setattr(secrets, "token_bytes", lambda size: next(numbers).to_bytes(size, "big"))
    dealt(monkeypatch, world)
    game_state.KEPT.clear()
    try:
        with transaction.atomic():
            game = opened(steps[0][0])
            client = Client()
            if observer.number is not None:
                ref = PLAYERS[observer.number]
                client.force_login(person(SEATED[observer.number], game, "seat", observer.number, ref=ref))
            for at, move in enumerate(world.moves):
                head = store.read_head(game.id).seq
                if head in secret.heads:
                    found.append((head, list(answers(client, game))))
                if head >= secret.heads[-1]:
                    raise RolledBack
                submit.submit(game.id, move, actor=PLAYERS[move.seat], command_id=f"m{at}")
            raise RolledBack
    except RolledBack:
        return found


@pytest.mark.long(3)
@pytest.mark.parametrize("who", OBSERVERS, ids=str)
@pytest.mark.parametrize("variant", VARIANTS)
def test_what_lies_hidden_in_a_game_changes_no_byte(
    monkeypatch: pytest.MonkeyPatch, variant: str, who: Observer
) -> None:
    steps = steps_of(variant)
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


def test_the_comparison_finds_visible_discards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the test above could not fail."""
    steps = steps_of("bieter")
    [secret] = [one for one in secrets_of(steps, Observer.spectator()) if one.place == "discards"]
    differ = [
        seat
        for seat in range(3)
        if told(monkeypatch, steps, secret, Observer.seat(seat), changed=False)
        != told(monkeypatch, steps, secret, Observer.seat(seat), changed=True)
    ]
    assert differ
