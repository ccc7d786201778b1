"""Hands that open later than their deal ends: after more deals, after minutes, after all tables with the same
cards.
"""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from engine import Observer, decode_event, redact_events, replay
from engine.events import HandDealt
from games import game_state
from games.models import Game
from games.observed import export
from games.randomness import round_seed
from games.rights import claims, delayed_hands, observers
from tests.games.cast import person, play, table

pytestmark = pytest.mark.django_db
EVA = claims.ANONYMOUS


def watched(**more: Any) -> Game:
    usual: dict[str, Any] = {"deals": 4, "visibility": "after_deal"}
    return table(**usual | more)


def until_deal(game: Game, deal: int) -> Game:
    while game.deal < deal and game.status != "ended":
        play(game, 1)
    return game


def open_deals(game: Game) -> list[int]:
    """The deals whose hands are in the frames of a spectator."""
    rows = Client().get(f"/api/v1/games/{game.pk}/events/").json()["events"]
    found, deal = [], 0
    for event in map(decode_event, rows):
        deal = getattr(event, "deal", deal) if type(event).__name__ == "DealStarted" else deal
        if isinstance(event, HandDealt) and event.cards is not None and deal not in found:
            found.append(deal)
    return found


def test_without_a_wait_hands_open_when_their_deal_is_over() -> None:
    game = until_deal(watched(), 3)
    assert open_deals(game) == [1, 2]


def test_hands_may_open_so_many_deals_later_and_all_at_the_end() -> None:
    game = until_deal(watched(hands_wait_deals=2), 4)
    assert open_deals(game) == [1]
    assert open_deals(play(game)) == [1, 2, 3, 4]


def test_hands_may_open_so_many_minutes_later(monkeypatch: pytest.MonkeyPatch) -> None:
    game = until_deal(watched(hands_wait_minutes=10), 3)
    assert open_deals(game) == []
    assert open_deals(play(game)) == [], "the end of the game opens nothing sooner"
    assert b'"view":"spectator"' in next(export.log_lines(game, Observer.spectator()))
    later = timezone.now() + timedelta(minutes=11)
    monkeypatch.setattr(timezone, "now", lambda: later)
    assert open_deals(game) == [1, 2, 3, 4]
    assert b'"view"' not in next(export.log_lines(game, Observer.spectator()))


def test_the_queries_for_waiting_hands_do_not_grow_with_deals() -> None:
    asked = []
    game = watched(hands_wait_minutes=10)
    for deal in (2, 4):
        until_deal(game, deal)
        with CaptureQueriesContext(connection) as queries:
            assert delayed_hands.count_hidden_deals(game) == deal - 1
        asked.append(len(queries))
    assert asked[0] == asked[1]


def test_hands_of_tables_with_the_same_cards_open_when_all_have_played_them() -> None:
    stream = round_seed.new_round().id
    first, second = watched(round_stream=stream), watched(round_stream=stream)
    until_deal(first, 3)
    assert open_deals(first) == []
    until_deal(second, 2)
    assert (open_deals(first), open_deals(second)) == ([1], [1])
    other = until_deal(watched(round_stream=stream, number=2), 2)
    assert open_deals(other) == [1], "it plays other cards"


def test_what_is_streamed_live_keeps_hands_that_wait_closed() -> None:
    game = watched(hands_wait_deals=1)
    assert observers.find_live_observer(game, claims.roles(game, EVA)) == Observer.spectator()
    assert observers.find_live_observer(watched(), []) == Observer.spectator("after_deal")
    gabi = person("gabi", game, "referee", opened_deal=1)
    assert observers.find_live_observer(game, claims.roles(game, gabi)) == Observer.spectator(opened=1)


def test_whoever_was_given_the_hands_after_each_deal_does_not_wait() -> None:
    game = until_deal(watched(hands_wait_deals=3), 2)
    eva = person("eva", game, "spectator", tier="after_deal")
    assert observers.find_observer(game, eva) == Observer.spectator("after_deal")


def test_the_name_of_such_an_observer_says_how_far_he_is_behind() -> None:
    observer = Observer.spectator("after_deal", 2)
    assert str(observer) == "spectator:after_deal:2"
    game = until_deal(watched(), 2)
    seen = replay(redact_events(game_state.load_snapshot(game.pk).events, observer))
    assert seen.deal == 2
