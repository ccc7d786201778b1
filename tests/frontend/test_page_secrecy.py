"""Two worlds that differ only in cards that are secret to an observer: all pages, responses, frames, log
lines, tasks and cache entries for the observer are equal byte by byte, at every moment of a deal.

Clock, ids and chance are frozen. tests/engine/test_secrecy.py compares the engine's views, the base of all
this, in the same way for every game; tests/games/test_live_secrecy.py compares sockets.
"""

import contextlib
import itertools
import logging
import secrets
from collections.abc import Collection, Iterator
from datetime import UTC, datetime
from importlib import import_module
from typing import Any
from urllib.parse import quote

import pytest
from celery import Celery
from django.core.cache import cache
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from engine import cards
from engine.cards import Card
from games import game_state
from games.models import Game
from games.play.submit import submit
from games.randomness import dealing
from tests.frontend.evening import client, forget_what_is_shared, opened, person, table
from tests.games.cast import table_code
from tests.games.twin_games import seat_0_forehand
from tests.tournaments.table_play import play_deal
from tournaments.models import Table
from tournaments.services.entries import entries
from tournaments.services.referee import disputes

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
NOW = datetime(2026, 11, 20, 18, 0, tzinfo=UTC)
DECK = list(cards.DECK)
HOLDER = [(place // 3) % 4 for place in range(36)]
"""Packets of three from seat 0 on, for a dealer at seat 3."""
SEATED = ("anna", "beat", "chiara", "dario")
MOVES: list[dict[str, Any]] = [
    {"cmd": "choose", "seat": 0, "contract": "undenufe"},
    {"cmd": "play", "seat": 0, "card": "D6"},
    {"cmd": "play", "seat": 1, "card": "D9"},
    {"cmd": "play", "seat": 2, "card": "DQ"},
]
LOOKED_AT = (0, 1, len(MOVES))
"""Before the contract, when partners may not look yet; before the first card; in the trick."""
PAGES = (
    "table_live",
    "table_play",
    "replay",
    "what_if",
    "game_print",
    "game_notation",
    "open_hands",
    "table_preview",
    *("embedded_table", "overlay_table", "overlay_names"),
    *("tip", "next_seats"),
)
OF_A_MOMENT = ("table_live", "replay", "table_preview", "embedded_table")
MOMENTS = (4, 8, 99)
"""When the cards are dealt, in the trick, and what is not there yet."""
OF_THE_EVENING = (
    *("home", "championship", "tables", "board", "disputes", "standings", "audits"),
    *("embedded_ranking", "overlay_ranking"),
    *("where", "tables_projector", "projector", "standings_graph", "checkpoints"),
)
Seen = list[tuple[str, object]]


class RolledBack(Exception):
    pass


@pytest.fixture
def frozen(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The clock stands still; a table is dealt what the world says, with seat 0 forehand."""
    import_module(
        "deploy.observability.metrics"
    )  # the first page does; its process takes a name by chance then
    monkeypatch.setattr(timezone, "now", lambda: NOW)
    monkeypatch.setattr(dealing, "draw_forehand", seat_0_forehand)
    yield
    game_state.KEPT.clear()


def chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ids, nonces and masks are the same in both worlds."""
    numbers = itertools.count(1)
    monkeypatch.setattr("games.randomness.round_seed.secrets", secrets)
    monkeypatch.setattr(secrets, "token_bytes", lambda size=32: next(numbers).to_bytes(size, "big"))
    monkeypatch.setattr(secrets, "token_hex", lambda size=32: f"{next(numbers):0{2 * size}x}")
    monkeypatch.setattr(secrets, "choice", lambda among: among[next(numbers) % len(among)])


def count_rows_again() -> None:
    """Rows have the same numbers in both worlds: PostgreSQL would not give one twice."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT setval(quote_ident(sequencename)::regclass, 1000, false) FROM pg_sequences"
            )


class World:
    """An evening with one online table, and somebody who looks at it."""

    def __init__(self, deck: list[Card], visibility: str, monkeypatch: pytest.MonkeyPatch) -> None:
        forget_what_is_shared()  # ids are the same in both worlds
        chance(monkeypatch)
        monkeypatch.setattr(dealing, "deck", lambda *_: deck)
        game_state.KEPT.clear()
        cache.clear()
        count_rows_again()
        self.round = opened("dealt", people=4)
        self.table = table(self.round, 1)
        assert self.table.game is not None
        self.game: Game = self.table.game
        Game.objects.filter(pk=self.game.pk).update(visibility=visibility)
        seatings = self.table.seatings.select_related("entry").order_by("seat")
        self.refs = [seating.entry.player_ref for seating in seatings]
        for seating in seatings:
            entries.link_account(seating.entry, None, actor=person("fredi"))
        self.entries = [seating.entry for seating in seatings]
        for name, seating in zip(SEATED, seatings, strict=True):
            entries.link_account(seating.entry, person(name), actor=person("fredi"))

    def client_of(self, role: str) -> Client:
        """`substitute`: without account, by the code of seat 3; the others sat there, and no longer do."""
        if role == "substitute":
            return self.phone()
        if role == "previous":
            for player in (None, person("heidi")):
                entries.link_account(self.entries[3], player, actor=person("fredi"))
            return client("dario")
        if role == "previous by code":
            phone = self.phone()
            entries.link_account(self.entries[3], person("heidi"), actor=person("fredi"))
            return phone
        if role == "before a substitute":
            self.phone()
            return client("dario")
        return client(None if role == "anonymous" else role)

    def phone(self) -> Client:
        """One that has scanned the code of seat 3."""
        session = client()
        code = table_code(self.game, "seat", 3)
        session.post("/api/v1/table-session/", {"token": code}, content_type="application/json")
        return session

    def move(self, number: int) -> None:
        move = MOVES[number]
        submit(self.game.pk, move, actor=self.refs[move["seat"]], command_id=f"m{number}")

    def dispute(self) -> None:
        found = Table.objects.select_related("round__championship", "game").get(pk=self.table.pk)
        disputes.raise_dispute(found, actor=person("eva"), by_ref="e" * 32, text="Bock!", incident="hint")


def addresses(game: str, slug: str) -> Iterator[str]:
    yield "/api/v1/games/"
    for path in (
        "",
        "events/",
        "events/?since=3",
        "replay/",
        "replay/?at=4",
        "replay/?at=99",
        "log/",
        "sheet/",
    ):
        yield f"/api/v1/games/{game}/{path}"
    yield from (reverse(name, args=[game]) for name in PAGES)
    for name in OF_A_MOMENT:
        yield from (f"{reverse(name, args=[game])}?at={at}" for at in MOMENTS)
    for shown in ("", "?at=8", "?at=99"):
        yield f"{reverse('oembed')}?url={quote(f'http://testserver/g/{game}/{shown}')}"
    yield from (reverse(name, args=[slug] if name != "home" else []) for name in OF_THE_EVENING)
    yield reverse("beside", args=[slug, 1, 2])  # who watches another table sees this one at its side
    for name in ("round", "round_wall", "round_fairness"):
        yield reverse(name, args=[slug, 1])
    for number in (1, 4):
        yield reverse("persons_evening", args=[slug, number])
        yield reverse("follow", args=[slug, number])
    for name in ("overlay_of", "overlay_names_of"):
        yield reverse(name, args=[slug, 1])
    for key in ("championship", "ranking"):
        yield reverse("championship_preview", args=[slug, key])


def let_look_first(world: World, holder: str) -> None:
    """Somebody who holds one of the cards asks for all of it before: what was made for him, and kept, is
    nobody else's."""
    browser = client(holder)
    for address in addresses(world.game.pk, world.round.championship.slug):
        browser.get(address)


def answers(world: World, client: Client) -> Iterator[tuple[str, object]]:
    slug = world.round.championship.slug
    for address in addresses(world.game.pk, slug):
        answer = client.get(address)
        yield address, (answer.status_code, answer.content, dict(answer.headers))
    to = reverse("deal_worth", args=[world.game.pk])
    for deal in (1, 2):
        answer = client.post(to, {"deal": deal})
        yield to, (answer.status_code, answer.content, dict(answer.headers))
    for card in ("SA", "D7"):
        sent = {"command_id": f"x{card}", "command": {"cmd": "play", "seat": 3, "card": card}}
        to = f"/api/v1/games/{world.game.pk}/commands/"
        answer = client.post(to, sent, content_type="application/json")
        if answer.status_code != 201:
            yield to, (answer.status_code, answer.content, dict(answer.headers))


def seen(
    deck: list[Card],
    role: str,
    visibility: str,
    holder: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    looked_at: Collection[int] = LOOKED_AT,
) -> Seen:
    """What somebody finds before these moves, and when it is disputed; and what is logged, sent
    to workers and kept in the cache meanwhile. The holder of one of the cards has looked once before."""
    found: Seen = []
    sent: list[object] = []
    monkeypatch.setattr(Celery, "send_task", lambda self, name, *args, **more: sent.append((name, args)))
    caplog.clear()
    try:
        with transaction.atomic(), caplog.at_level(logging.DEBUG):
            world = World(deck, visibility, monkeypatch)
            looks = world.client_of(role)
            for moment in range(len(MOVES) + 1):
                if moment == LOOKED_AT[-1] and moment in looked_at:
                    let_look_first(world, holder)
                if moment in looked_at:
                    found += answers(world, looks)
                if moment < len(MOVES):
                    world.move(moment)
            world.dispute()
            found += answers(world, looks)
            raise RolledBack
    except RolledBack:
        pass
    found.append(("workers", sent))
    found.append(("log", [record.getMessage() for record in caplog.records if not is_switched_off(record)]))
    found.append(("cache", sorted(map(str, getattr(cache, "_cache", {})))))
    return found


def where(one: str, other: str) -> str:
    """What stands around the first place in which two texts differ."""
    at = next(
        (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
    return f"{one[max(0, at - 60) : at + 40]!r} or {other[max(0, at - 60) : at + 40]!r}"


def is_switched_off(record: logging.LogRecord) -> bool:
    """What Django tells of its queries, and the drawing of pictures of the files it reads once a process, is
    never switched on where people play."""
    return record.name.startswith(("django.db", "PIL."))


def dealt_otherwise(hidden: Collection[int]) -> list[Card]:
    """The deck in which these seats have one another's cards, all but diamonds, which are led."""
    places = [at for at, seat in enumerate(HOLDER) if seat in hidden and not DECK[at].startswith("D")]
    deck = DECK.copy()
    for at, other in zip(places, places[6:] + places[:6], strict=True):
        deck[at] = DECK[other]
        assert HOLDER[at] != HOLDER[other]
    return deck


ROLES = [
    ("anonymous", "played"),
    ("anonymous", "after_deal"),
    ("eva", "after_deal"),
    ("hanna", "played"),
    ("fredi", "after_deal"),
    ("gabi", "played"),
    ("previous", "played"),
    ("previous by code", "played"),
    ("before a substitute", "played"),
    ("anna", "after_deal"),
    ("beat", "played"),
    ("chiara", "played"),
    ("substitute", "after_deal"),
]


@pytest.mark.long(1)
@pytest.mark.usefixtures("frozen")
@pytest.mark.parametrize(("role", "visibility"), ROLES, ids=[" ".join(case) for case in ROLES])
def test_nobody_finds_a_trace_of_cards_he_must_not_know(
    role: str, visibility: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    hidden = [
        seat for seat, name in enumerate(SEATED) if role not in (name, "substitute" if seat == 3 else "")
    ]
    holder = SEATED[hidden[0]]
    one = seen(DECK, role, visibility, holder, monkeypatch, caplog)
    other = seen(dealt_otherwise(hidden), role, visibility, holder, monkeypatch, caplog)
    for (what, first), (_, second) in zip(one, other, strict=True):
        assert first == second, f"{what}: {where(repr(first), repr(second))}"


def seen_after_a_look(deck: list[Card], monkeypatch: pytest.MonkeyPatch) -> tuple[bool, Seen]:
    """What Gabi finds in the second deal, which this deck is for, after she has opened the first one; and
    whether she saw the hands of that."""
    found: Seen = []
    monkeypatch.setattr(Celery, "send_task", lambda *_, **__: None)
    with contextlib.suppress(RolledBack), transaction.atomic():
        world = World(DECK, "played", monkeypatch)
        looks, game = client("gabi"), world.game.pk
        looks.post(reverse("open_hands", args=[game]), {"deal": 1, "reason": "Streit"})
        told = looks.get(f"/api/v1/games/{game}/events/").json()["events"]
        saw = [bool(event["cards"]) for event in told if event["type"] == "hand_dealt"] == [True] * 4
        monkeypatch.setattr(dealing, "deck", lambda *_: deck)
        play_deal(world.table)
        found += answers(world, looks)
        contract = {"cmd": "choose", "seat": 1, "contract": "undenufe"}
        submit(game, contract, actor=world.refs[1], command_id="second")
        world.dispute()
        found += answers(world, looks)
        raise RolledBack
    return saw, found


@pytest.mark.usefixtures("frozen")
def test_a_look_at_one_deal_leaves_no_trace_of_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    saw, one = seen_after_a_look(DECK, monkeypatch)
    _, other = seen_after_a_look(dealt_otherwise(range(4)), monkeypatch)
    assert saw, "she saw the hands of the deal that she had opened"
    assert one == other, next(
        f"{what}: {where(repr(first), repr(second))}"
        for (what, first), (_, second) in zip(one, other, strict=True)
        if first != second
    )


@pytest.mark.usefixtures("frozen")
def test_whoever_holds_one_of_the_cards_sees_the_difference(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Otherwise the test above could not fail."""
    one = seen(DECK, "anna", "played", "anna", monkeypatch, caplog, looked_at=())
    assert one != seen(dealt_otherwise(range(4)), "anna", "played", "anna", monkeypatch, caplog, looked_at=())
