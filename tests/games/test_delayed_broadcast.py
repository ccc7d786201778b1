"""A delayed game: its row and its results lag behind the log by minutes, and catch up."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games import game_state
from games.audit import audit
from games.models import Access, Deadline, DealResult, Game
from games.observed import observed_game
from games.projections import delayed_broadcast, delayed_projection, projection
from games.rights import observers
from games.timers import deadlines
from tests.games.bots_at_work import play_out
from tests.games.cast import PLAYERS, next_command, person, play, seated, table, table_code

pytestmark = [pytest.mark.both, pytest.mark.django_db]
BEGUN = datetime(2026, 11, 20, 18, 0, tzinfo=UTC)
ROLES = {"seat": True, "scorer": True, "referee": True, "director": True, "spectator": False}


class Clock:
    def __init__(self) -> None:
        self.now = BEGUN

    def go_on(self, **more: float) -> None:
        """Time passes, and workers do what is due."""
        self.now += timedelta(**more)
        for number in deadlines.due(self.now):
            deadlines.run(number)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(timezone, "now", lambda: made.now)
    return made


def stored(game: Game) -> dict[str, Any]:
    """What everybody reads of a game in lists."""
    columns = (*projection.Summary.__struct_fields__, "head_seq")
    row: dict[str, Any] = dict(Game.objects.filter(pk=game.pk).values(*columns).get())
    return row | {"results": list(DealResult.objects.filter(game=game).values_list("deal", "scores"))}


def told(game: Game, until: int | None = None) -> dict[str, Any]:
    """The same of its log."""
    events = game_state.load_snapshot(game.pk).events[: None if until is None else until + 1]
    state = delayed_broadcast.load_shown_snapshot(game.pk, len(events) - 1).state
    results = [(one.deal, one.scores) for one in projection.results(state)]
    return projection.columns(projection.summarise(state)) | {"head_seq": len(events) - 1, "results": results}


def test_what_happens_is_shown_so_many_minutes_later(clock: Clock) -> None:
    game = table(deals=2, delay_minutes=5)
    assert stored(game) == told(game, until=0), "that it is there is seen at once, not that it is dealt"
    clock.go_on(minutes=1)
    play(game, 5)
    first = game_state.load_snapshot(game.pk).head.seq
    clock.go_on(minutes=3)
    play(game, 5)

    clock.go_on(seconds=59)
    assert stored(game) == told(game, until=0)
    clock.go_on(seconds=1)
    dealt = stored(game)["head_seq"]
    assert 0 < dealt < first
    assert stored(game) == told(game, until=dealt)
    clock.go_on(minutes=1)
    assert stored(game) == told(game, until=first)
    clock.go_on(minutes=3)
    assert stored(game) == told(game)
    assert not Deadline.objects.filter(stream=game.pk, kind=delayed_broadcast.SHOW).exists()


def test_the_end_of_a_game_and_its_results_are_shown_late_too(clock: Clock) -> None:
    game = table(deals=2, delay_minutes=5)
    clock.go_on(minutes=6)
    play(game)
    assert delayed_broadcast.current_game(game).status == Game.Status.ENDED
    assert (game.status, DealResult.objects.count()) == (Game.Status.RUNNING, 0)
    assert delayed_broadcast.load_visible_results(game) == []
    assert [
        row.deal for row in delayed_broadcast.load_visible_results(delayed_broadcast.current_game(game))
    ] == [
        1,
        2,
    ]

    clock.go_on(minutes=5)
    game.refresh_from_db()
    assert (game.status, game.ahead, game.ahead_seq) == (Game.Status.ENDED, None, None)
    assert stored(game) == told(game)
    assert [row.deal for row in delayed_broadcast.load_visible_results(game)] == [1, 2]


@pytest.mark.parametrize(("role", "in_time"), ROLES.items(), ids=ROLES)
def test_who_has_a_part_in_it_sees_it_in_time(role: str, in_time: bool, clock: Clock) -> None:
    game = play(table(delay_minutes=5), 6)
    seat = 0 if role == "seat" else None
    anna = person("anna", game, role, seat, ref=PLAYERS[0])
    seen = observers.find_visible_game(anna, game.pk)
    assert (
        delayed_broadcast.load_visible_snapshot(seen).head == game_state.load_snapshot(game.pk).head
        if in_time
        else seen.head_seq == 0
    )
    shown = observed_game.build_observed_snapshot(seen, observers.find_observer(seen, anna))
    assert shown["seq"] == (game_state.load_snapshot(game.pk).head.seq if in_time else 0)

    Access.objects.filter(user=anna).delete()
    assert not observers.find_visible_game(anna, game.pk).is_now


def test_a_code_of_the_table_is_as_good_as_a_seat_there(clock: Clock) -> None:
    game = play(table(delay_minutes=5), 6)
    phone, stranger = Client(), Client()
    sent = {"token": table_code(game, "seat", 1)}
    assert phone.post("/api/v1/table-session/", sent, content_type="application/json").status_code == 201
    address = f"/api/v1/games/{game.pk}/events/"
    assert phone.get(address).json()["seq"] == game_state.load_snapshot(game.pk).head.seq
    assert stranger.get(address).json()["seq"] == 0


def test_play_goes_on_by_what_is_so_and_not_by_what_is_shown(clock: Clock) -> None:
    game = table(delay_minutes=15, bots=dict.fromkeys(range(4), "puur"), bot_pace=0, turn_seconds=None)
    play_out(game)
    game.refresh_from_db()
    assert delayed_broadcast.current_game(game).status == Game.Status.ENDED
    assert game.head_seq == 0


def test_a_clock_that_runs_is_told_to_nobody_who_sees_the_game_late(clock: Clock) -> None:
    game = play(table(delay_minutes=5, turn_seconds=30), 6)
    [anna, *_] = seated(game)
    assert observed_game.find_clock(observers.find_visible_game(anna, game.pk)) is not None
    assert observed_game.find_clock(Game.objects.get(pk=game.pk)) is None


def test_a_longer_delay_stands_still_and_none_shows_everything(clock: Clock) -> None:
    game = play(table(), 6)
    before = stored(game)
    delayed_projection.delay([game], 10)
    play(game, 4)
    assert stored(game) == before, "what was shown stays shown, and nothing more is"

    clock.go_on(minutes=4)
    delayed_projection.delay([game], 2)
    assert stored(game) == told(game), "it is older than that"
    play(game, 4)
    delayed_projection.delay([game], 0)
    assert stored(game) == told(game)
    assert Game.objects.get(pk=game.pk).ahead is None
    play(game, 4)
    assert stored(game) == told(game)


def test_an_audit_compares_what_is_shown_with_the_log_up_to_there(clock: Clock) -> None:
    game = play(table(deals=2, delay_minutes=5), 60)
    clock.go_on(minutes=3)
    play(game, 4)
    clock.go_on(minutes=2)
    assert 0 < stored(game)["head_seq"] < game_state.load_snapshot(game.pk).head.seq
    assert audit(Game.objects.get(pk=game.pk)).wrong_rows == ()

    Game.objects.filter(pk=game.pk).update(totals=[1, 2])
    assert audit(Game.objects.get(pk=game.pk)).wrong_rows
    Game.objects.filter(pk=game.pk).update(ahead_seq=1, totals=stored(game)["totals"])
    assert audit(Game.objects.get(pk=game.pk)).wrong_rows


def test_what_is_ahead_of_a_row_is_never_stored_in_it(clock: Clock) -> None:
    game = play(table(delay_minutes=5), 6)
    with pytest.raises(ValueError, match="ahead"):
        delayed_broadcast.current_game(game).save()
    assert next_command(game) is not None
