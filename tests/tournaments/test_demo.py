"""The demo, created by the services and only once."""

import pytest

from engine import to_act
from games import game_state, store
from games.models import DealResult, Event, Game, User
from tests.tournaments import table_play
from tournaments import demo, demo_record, tasks
from tournaments.clubs.public import public_clubs
from tournaments.errors import TournamentError
from tournaments.models import Championship, Dispute, Round, Seating, Table
from tournaments.services.draw import draw_undoing, drawing
from tournaments.services.referee import rulings
from tournaments.services.rounds import rounds
from tournaments.services.scores import published_ranking


@pytest.fixture(autouse=True)
def sent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The worker's part is done by the test that is about it."""
    messages: list[str] = []
    monkeypatch.setattr(tasks.play_earlier, "apply_async", lambda *_, **__: messages.append("play"))
    return messages


def test_the_demo_shows_every_kind_of_table(db: None, sent: list[str]) -> None:
    lines = demo.build(speed=2, url="http://127.0.0.1:8000")
    running = Championship.objects.get(slug=demo.RUNNING)
    first, second = running.rounds.order_by("number")[:2]
    assert (first.status, second.status) == (Round.Status.CLOSED, Round.Status.OPEN)
    assert running.entries.filter(status="arrived").count() == 16
    modes = second.tables.values_list("mode", flat=True)
    assert sorted(modes) == ["dealt", "dealt", "sheet", "transcribed"]
    assert sent == ["play"]
    assert [club.name for club in public_clubs()] == [demo.CLUB]

    snapshot = published_ranking.load_latest_snapshot(running)
    assert snapshot is not None
    assert len(published_ranking.decode_rows(snapshot)) == 16

    annas = Seating.objects.get(round=second, entry__user__username="anna")
    game = Game.objects.get(tournament_table=annas.table)
    assert [seat.bot for seat in game.seats.all() if seat.number == annas.seat] == [""]
    assert len([seat for seat in game.seats.all() if seat.bot]) == 3
    assert game.turn_seconds == 30
    assert any(game.pk in line for line in lines)

    sheet = DealResult.objects.filter(game__tournament_table__round=second, game__mode="sheet")
    assert [result.confirmed for result in sheet] == [True, True, True, False]

    dispute = Dispute.objects.get()
    assert (dispute.status, dispute.table.mode) == (Dispute.Status.OPEN, "transcribed")
    record = demo_record.with_revoke()
    assert (dispute.deal, dispute.trick) == (record.deal, record.trick)
    outcome = rulings.preview(dispute, table_play.award(record))
    assert outcome.totals_before != outcome.totals_after


def test_the_demo_is_built_once(db: None) -> None:
    demo.build()
    events, users = Event.objects.count(), User.objects.count()
    demo.build()
    assert (Event.objects.count(), User.objects.count()) == (events, users)
    assert Dispute.objects.count() == 1


def test_a_demo_that_people_have_gone_on_with_is_left_alone(db: None) -> None:
    demo.build()
    running = Championship.objects.get(slug=demo.RUNNING)
    rounds.close_round(running.rounds.get(number=2), actor=running.owner, force=True)
    draw_undoing.undo_draw(
        drawing.draw_round(running.rounds.get(number=3), actor=running.owner),
        actor=running.owner,
        reason="anew",
    )
    events = Event.objects.count()
    demo.build()
    assert Event.objects.count() == events


def test_the_demos_players_can_sign_in(db: None) -> None:
    demo.build(password="ein anderes")
    for name in (demo.ORGANISER, demo.REFEREE, *demo.PLAYERS):
        assert User.objects.get(username=name).check_password("ein anderes")


@pytest.mark.slow
def test_the_earlier_championship_is_played_round_by_round(db: None, sent: list[str]) -> None:
    demo.build()
    tasks.play_earlier()
    earlier = Championship.objects.get(slug=demo.FINISHED)
    assert sent == ["play", "play"]
    assert earlier.rounds.filter(status=Round.Status.CLOSED).count() == 1
    for game in Game.objects.filter(tournament_table__round__championship=earlier):
        assert to_act(game_state.load_snapshot(game.pk).state) is None
        assert game.deal == 8
        store.verify(game.pk)


def test_a_worker_that_comes_second_leaves_the_earlier_championship_alone(
    db: None, sent: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    demo.build()

    def too_late() -> bool:
        raise TournamentError("rounds/already_closed", "closed already")

    monkeypatch.setattr(demo, "play_earlier", too_late)
    tasks.play_earlier()
    assert sent == ["play"]


@pytest.mark.slow
def test_the_earlier_championship_comes_to_its_end(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    demo.build()
    earlier = Championship.objects.get(slug=demo.FINISHED)
    fredi = earlier.owner
    monkeypatch.setattr(
        demo_record,
        "play_out_with_bots",
        lambda game: table_play.write_sheet(Table.objects.get(game=game), [100] * 8),
    )
    open_ = rounds.open_round

    def on_paper(round_: Round, **arguments: object) -> Round:
        round_.tables.update(mode="sheet")
        return open_(round_, actor=fredi)

    monkeypatch.setattr(rounds, "open_round", on_paper)
    assert [demo.play_earlier() for _ in range(4)] == [True, True, True, False]
    earlier.refresh_from_db()
    assert earlier.status == Championship.Status.FINISHED
    events = Event.objects.count()
    demo.build()
    assert Event.objects.count() == events
