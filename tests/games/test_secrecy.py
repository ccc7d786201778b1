"""Two worlds that differ only in an observer's secrets give the observer the same bytes."""

import itertools
import secrets
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone

from engine import cards
from engine.cards import Card
from games import game_state, store
from games.models import Game
from games.observed import frames
from games.play import submit
from games.randomness import dealing
from tests.games.cast import PLAYERS, person, seated, table
from tests.games.twin_games import seat_0_forehand

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 20, 18, 0, tzinfo=UTC)
DECK = list(cards.DECK)
# Packets of three from seat 0 on, for a dealer at seat 3: who holds what.
HOLDER = [(place // 3) % 4 for place in range(36)]


class _RolledBack(Exception):
    pass


@pytest.fixture(autouse=True)
def _frozen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clock and ids are the same in both worlds; the round's seed is not asked."""
    monkeypatch.setattr(timezone, "now", lambda: NOW)


def world(monkeypatch: pytest.MonkeyPatch, deck: list[Card], visibility: str) -> Game:
    numbers = itertools.count(1)
    monkeypatch.setattr(secrets, "token_hex", lambda size: f"{next(numbers):0{2 * size}x}")
    monkeypatch.setattr(secrets, "token_bytes", lambda size: next(numbers).to_bytes(size, "big"))
    monkeypatch.setattr(dealing, "deck", lambda *_: deck)
    monkeypatch.setattr(dealing, "draw_forehand", seat_0_forehand)
    game_state.KEPT.clear()
    return table(visibility=visibility)


def answers(client: Client, game: Game) -> Iterator[tuple[str, bytes, dict[str, str]]]:
    paths = [
        "",
        "events/",
        "events/?since=3",
        "replay/",
        "replay/?at=4",
        "replay/?at=99",
        "evidence/",
        "log/",
    ]
    notation = f"/g/{game.id}/notation.txt"
    for path in ["/api/v1/games/", *(f"/api/v1/games/{game.id}/{path}" for path in paths), notation]:
        answer = client.get(path)
        yield path, answer.content, dict(answer.headers)
    sent = {"command_id": "c", "command": {"cmd": "play", "seat": 3, "card": "SA"}}
    answer = client.post(f"/api/v1/games/{game.id}/commands/", sent, content_type="application/json")
    yield "commands/", answer.content, dict(answer.headers)


MOVES: list[dict[str, Any]] = [
    {"cmd": "choose", "seat": 0, "contract": "undenufe"},
    {"cmd": "play", "seat": 0, "card": "D6"},
    {"cmd": "play", "seat": 1, "card": "D9"},
    {"cmd": "play", "seat": 2, "card": "DQ"},
]


def seen(
    monkeypatch: pytest.MonkeyPatch, deck: list[Card], role: str, visibility: str
) -> tuple[list[Any], list[int]]:
    """All answers to one role, before each move and at the end; and which seqs were looked at."""
    found: list[Any] = []
    heads = []
    try:
        with transaction.atomic():
            game = world(monkeypatch, deck, visibility)
            client = Client()
            if role.startswith("seat"):
                client.force_login(seated(game)[int(role[-1])])
            elif role != "anonymous":
                client.force_login(person(role, game, role) if role == "scorer" else person(role))
            for at, move in enumerate([*MOVES, None]):
                found += answers(client, game)
                heads.append(store.read_head(game.id).seq)
                if move is not None:
                    submit.submit(game.id, move, actor=PLAYERS[move["seat"]], command_id=f"m{at}")
            raise _RolledBack
    except _RolledBack:
        return found, heads


def swapped(first: Card, second: Card) -> list[Card]:
    a, b = DECK.index(first), DECK.index(second)
    deck = DECK.copy()
    deck[a], deck[b] = deck[b], deck[a]
    assert HOLDER[a] != HOLDER[b]
    return deck


@pytest.mark.long(3)
@pytest.mark.parametrize(
    ("role", "pair"),
    [
        ("anonymous", ("HA", "SK")),
        ("eva", ("S6", "C6")),
        ("scorer", ("S6", "C6")),
        ("seat 0", ("S9", "C6")),
        ("seat 1", ("S9", "S6")),
        ("seat 2", ("S9", "C6")),
    ],
)
@pytest.mark.parametrize("visibility", ["played", "after_deal"])
def test_two_worlds_give_the_same_bytes(
    monkeypatch: pytest.MonkeyPatch, role: str, pair: tuple[Card, Card], visibility: str
) -> None:
    place = DECK.index(pair[0]), DECK.index(pair[1])
    if role.startswith("seat"):
        assert int(role[-1]) not in {HOLDER[at] for at in place}, "the observer would know"
    one = seen(monkeypatch, DECK, role, visibility)
    other = seen(monkeypatch, swapped(*pair), role, visibility)
    assert len(one[0]) == 11 * (len(MOVES) + 1)
    assert one == other


def test_the_two_worlds_differ_for_who_may_know(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test above can fail: the holder of one of the cards sees the difference."""
    one = seen(monkeypatch, DECK, "seat 3", "played")
    assert one != seen(monkeypatch, swapped("S9", "C6"), "seat 3", "played")


@pytest.mark.parametrize(("first", "second"), [("S9", "D10"), ("S10", "C6"), ("H6", "H10")])
def test_a_players_own_hand_changes_no_length(
    monkeypatch: pytest.MonkeyPatch, first: Card, second: Card
) -> None:
    """The offers must not differ either, so no trick is played here. Lengths normally go in steps,
    which hides small differences; here each byte counts.
    """
    monkeypatch.setattr(frames, "PADDING_STEP_BYTES", 1)
    monkeypatch.setattr(f"{__name__}.MOVES", [])
    one = seen(monkeypatch, DECK, "seat 3", "played")
    other = seen(monkeypatch, swapped(first, second), "seat 3", "played")
    assert one != other
    lengths = [[(path, len(body)) for path, body, _ in told] for told, _ in (one, other)]
    assert lengths[0] == lengths[1]
