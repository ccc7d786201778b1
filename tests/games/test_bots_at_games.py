"""Bots at stored games: deadlines wake them, submit stores what they do."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from engine import State
from engine.ledger.state import Trick, VariantState
from games import store
from games.bots import runner
from games.models import Deadline, Event, Game
from games.play import game_creation
from games.timers import bot_pace, deadlines
from tests.games.bots_at_work import play_out

PLAYERS = ["a" * 32, "b" * 32, "c" * 32, "d" * 32]  # Anna, Beat, Chiara, Dario
ALL = dict.fromkeys(range(4), runner.BOT)
NewGame = Callable[..., Game]


@pytest.fixture
def new_game(db: None) -> NewGame:
    def make(**more: Any) -> Game:
        usual: dict[str, Any] = {"variant": "schieber", "preset": "championship", "options": {"deals": 1}}
        return game_creation.create_game(**usual | {"players": PLAYERS} | more)

    return make


def test_four_bots_play_a_game_to_its_end(new_game: NewGame) -> None:
    game = new_game(options={"deals": 2}, bots=ALL, bot_pace=60)
    play_out(game)
    assert game.status == "ended"
    assert game.deal == 2
    store.verify(game.id)
    played = [event for event in store.read(game.id) if event.type == "card_played"]
    assert len(played) == 72
    assert all(event.actor == PLAYERS[event.body["seat"]] for event in played)


def test_bots_stop_where_a_human_is_to_act(new_game: NewGame) -> None:
    game = new_game(bots=dict.fromkeys((0, 1, 3), runner.BOT), bot_pace=60)
    play_out(game)
    assert game.status == "running"
    assert game.turn_seat == 2
    assert play_out(game) == 0


def test_the_server_deals_on_after_its_pause(new_game: NewGame) -> None:
    game = new_game(options={"deals": 2}, bots=ALL, bot_pace=60, deal_pause=60)
    play_out(game)
    assert (game.status, game.deal) == ("ended", 2)


def test_a_bot_waits_for_its_moment(new_game: NewGame) -> None:
    game = new_game(bots=ALL, bot_pace=60)
    row = Deadline.objects.get(stream_id=game.id, kind="bot")
    assert timedelta(seconds=50) < row.due_at - timezone.now() < timedelta(seconds=61)
    assert not deadlines.run(row.pk)
    assert deadlines.run(row.pk, now=row.due_at)


def test_a_doubled_wake_changes_nothing(new_game: NewGame) -> None:
    game = new_game(bots=ALL, bot_pace=60)
    row = Deadline.objects.get(stream_id=game.id, kind="bot")
    deadlines.run(row.pk, now=row.due_at)
    count = Event.objects.filter(stream_id=game.id).count()
    stale = Deadline(kind="bot", stream_id=game.id, due_at=row.due_at, guard_seq=row.guard_seq)
    Deadline.objects.filter(stream_id=game.id).delete()
    stale.save()
    deadlines.run(stale.pk, now=row.due_at)
    assert Event.objects.filter(stream_id=game.id).count() == count


def test_people_get_time_to_look_at_a_trick_and_at_a_result() -> None:
    state = State()
    state.deal, state.dealing, state.contract = 2, True, "hearts"
    state.trick = [3]
    assert bot_pace.bot_delay(state, 1.2) == pytest.approx(1.2)
    state.trick = []
    state.tricks = [Trick((0, 1, 2, 3), [0, 1, 2, 3], taker=0, points=10, seqs=())]
    assert bot_pace.bot_delay(state, 1.2) == pytest.approx(2.4)
    state.tricks, state.contract = [], None
    assert bot_pace.bot_delay(state, 1.2) == pytest.approx(4.8)


def test_only_the_first_word_of_a_deal_waits_for_the_result_to_be_read() -> None:
    state = State()
    state.deal, state.dealing = 2, True
    assert bot_pace.bot_delay(state, 1.0) == pytest.approx(4)
    state.variant_state = VariantState(bids=((0, 500),))
    assert bot_pace.bot_delay(state, 1.0) == pytest.approx(1)
    state.variant_state, state.trick = VariantState(), [3]
    assert bot_pace.bot_delay(state, 1.0) == pytest.approx(1), "a game without a contract yet"
