"""A delayed championship stays delayed where it is imported."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.models import Deadline, DealResult, Game, User
from games.projections import delayed_broadcast, delayed_projection
from games.sealing import SealKey
from tests.tournaments.table_play import confirm, enter
from tests.tournaments.test_archive import empty, exported, files_of, key, key_file, zipped
from tournaments.archive import contents, import_championship
from tournaments.models import Round
from tournaments.services import broadcast_delay

__all__ = ["key", "key_file"]

Opened = Callable[..., Round]
Files = dict[str, bytes]


@pytest.fixture
def files(open_round: Opened, fredi: User, key: SealKey) -> Files:
    """Of a round whose first deal is written down and shown to nobody yet."""
    round_ = open_round("sheet", people=4)
    broadcast_delay.set_delay(round_, 15, actor=fredi)
    table = round_.tables.select_related("game").get()
    enter(table, 1, 100)
    confirm(table, 1)
    made = files_of(exported(round_.championship))
    empty()
    return made


def imported(files: Files, key: SealKey) -> Game:
    hugo = User.objects.create_user("hugo")
    import_championship(zipped(files, key), owner=hugo, trust_unknown_key=True)
    return Game.objects.get()


def test_what_is_held_back_is_held_back_and_shown_in_its_time(
    files: Files, key: SealKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = imported(files, key)
    assert (game.totals, game.head_seq, game.ahead_seq) == ([0, 0], 0, 2)
    assert Client().get(f"/api/v1/games/{game.pk}/").json()["game"]["totals"] == [0, 0]
    assert delayed_broadcast.current_game(game).totals == [100, 57]
    assert not DealResult.objects.exists()
    later = timezone.now() + timedelta(minutes=16)
    monkeypatch.setattr(timezone, "now", lambda: later)
    due = Deadline.objects.get(kind=delayed_broadcast.SHOW)
    assert due.due_at <= later
    delayed_projection.handle_show_deadline(due)
    game.refresh_from_db()
    assert (game.totals, game.head_seq, game.ahead_seq) == ([100, 57], 2, None)
    assert DealResult.objects.get().scores == [100, 57]


def test_what_is_old_enough_by_then_is_shown_at_once(
    files: Files, key: SealKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    later = timezone.now() + timedelta(minutes=16)
    monkeypatch.setattr(timezone, "now", lambda: later)
    game = imported(files, key)
    assert (game.totals, game.head_seq, game.ahead_seq, game.ahead) == ([100, 57], 2, None, None)
    assert not Deadline.objects.filter(kind=delayed_broadcast.SHOW).exists()


def test_no_file_says_what_stands_beside_a_row(files: Files, key: SealKey) -> None:
    rows = json.loads(files["championship.json"])
    [told] = rows[contents.table_label(Game)]
    assert not {"ahead", "ahead_seq"} & told.keys()
    lie: dict[str, Any] = {"last_event_at": told["last_event_at"], "row": {"mode": "dealt"}, "results": []}
    told |= {"ahead": lie, "ahead_seq": 40}
    game = imported(files | {"championship.json": json.dumps(rows).encode()}, key)
    assert (delayed_broadcast.current_game(game).head_seq, delayed_broadcast.current_game(game).mode) == (
        2,
        "sheet",
    )
    assert delayed_broadcast.current_game(game).totals == [100, 57]
