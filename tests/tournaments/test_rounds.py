"""Opening, watching, closing and reopening a round."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games import store
from games.models import Access, Deadline, Game, User
from games.play.game_creation import create_game
from games.rights.claims import ANONYMOUS
from games.rights.observers import find_observer, list_visible_games
from games.timers import deadlines
from tests.tournaments import table_play
from tournaments import jobs, regulations, round_deadlines
from tournaments.errors import NotAllowed, TournamentError
from tournaments.models import Championship, Entry, Job, Regulations, Round, Table
from tournaments.presets import PRESETS
from tournaments.services.championships import championships, officials, regulations_change
from tournaments.services.current_regulations import load_regulations
from tournaments.services.draw import drawing
from tournaments.services.entries import entries
from tournaments.services.rounds import rounds

pytestmark = pytest.mark.both

Opened = Callable[..., Round]
People = Callable[[int], list[Entry]]


def types_of(round_: Round) -> list[str]:
    return [event.type for event in store.read(round_.stream_id)]


def test_every_table_gets_its_game_in_its_own_mode(open_round: Opened) -> None:
    round_ = open_round("dealt", "sheet")
    assert round_.status == Round.Status.OPEN
    games = [table_play.game_of(table) for table in round_.tables.select_related("game")]
    assert [game.mode for game in games] == ["dealt", "sheet"]
    assert [game.round_stream_id for game in games] == [round_.stream_id] * 2
    assert [game.options["deals"] for game in games] == [8, 8]


def test_the_players_of_a_game_sit_as_they_were_drawn(open_round: Opened) -> None:
    tables = list(open_round("dealt").tables.select_related("game"))
    assert len(tables) == 2
    for table in tables:
        assert [seat.player_ref for seat in table_play.game_of(table).seats.all()] == table_play.refs(table)


def test_opening_freezes_the_regulations(championship: Championship, open_round: Opened, fredi: User) -> None:
    open_round()
    championship.refresh_from_db()
    assert championship.status == Championship.Status.RUNNING
    assert Regulations.objects.get(championship=championship).frozen_at is not None
    with pytest.raises(TournamentError) as refused:
        regulations_change.change_regulations(championship, PRESETS["einzelschieber"], actor=fredi)
    assert refused.value.code == "regulations/frozen"


def test_players_see_their_seat_and_officials_their_office(
    arrived: People, fredi: User, gabi: User, anna: User, eva: User, open_round: Opened
) -> None:
    annas = arrived(8)[0]
    entries.link_account(annas, anna, actor=fredi)
    round_ = open_round("dealt", "dealt")
    seating = round_.seatings.get(entry=annas)
    game = Game.objects.get(tournament_table=seating.table)
    assert find_observer(game, anna).number == seating.seat
    assert find_observer(game, gabi).tier == "after_deal"
    assert find_observer(game, eva).role == "spectator"
    assert Access.objects.filter(user=fredi, role="director").count() == 2


def test_a_referee_who_plays_sees_only_his_seat(
    championship: Championship, arrived: People, fredi: User, gabi: User, open_round: Opened
) -> None:
    gabis = arrived(8)[0]
    entries.link_account(gabis, gabi, actor=fredi)
    round_ = open_round()
    own = Access.objects.filter(game__tournament_table__seatings__entry=gabis, user=gabi)
    assert [access.role for access in own] == ["seat"]
    assert Access.objects.filter(user=gabi, role="referee").count() == round_.tables.count() - 1


def test_somebody_appointed_during_a_round_gets_to_the_tables(
    championship: Championship, fredi: User, eva: User, open_round: Opened
) -> None:
    open_round()
    officials.appoint(championship, eva, "referee", actor=fredi)
    assert Access.objects.filter(user=eva, role="referee").count() == 2
    officials.dismiss(championship, eva, "referee", actor=fredi)
    assert not Access.objects.filter(user=eva).exists()


def test_an_account_linked_during_a_round_gets_its_seat(
    championship: Championship, fredi: User, gabi: User, anna: User, open_round: Opened
) -> None:
    round_ = open_round()
    entry = championship.entries.get(number=1)
    entries.link_account(entry, anna, actor=fredi)
    [access] = Access.objects.filter(user=anna)
    assert access.seat == round_.seatings.get(entry=entry).seat
    entries.link_account(entry, None, actor=fredi)
    assert not Access.objects.filter(user=anna).exists()
    entries.link_account(entry, gabi, actor=fredi)
    assert [a.role for a in Access.objects.filter(user=gabi, game=access.game)] == ["seat"]


def test_private_tables_are_seen_only_by_those_who_take_part(
    championship: Championship, fredi: User, eva: User, open_round: Opened
) -> None:
    data = regulations.encode(load_regulations(championship))
    regulations_change.change_regulations(championship, {**data, "visibility": "private"}, actor=fredi)
    open_round()
    assert not list_visible_games(ANONYMOUS).exists()
    assert not list_visible_games(eva).exists()
    assert list_visible_games(fredi).count() == 2


def test_tables_of_a_private_championship_are_private(
    championship: Championship, fredi: User, open_round: Opened
) -> None:
    championships.edit_championship(championship, actor=fredi, public=False)
    open_round()
    assert not list_visible_games(ANONYMOUS).exists()
    championships.edit_championship(championship, actor=fredi, public=True)
    assert list_visible_games(ANONYMOUS).count() == 2
    championships.edit_championship(championship, actor=fredi, public=False)
    assert not list_visible_games(ANONYMOUS).exists()
    assert list_visible_games(fredi).count() == 2


def test_an_open_round_is_not_opened_again(open_round: Opened, fredi: User) -> None:
    round_ = open_round()
    with pytest.raises(TournamentError) as refused:
        rounds.open_round(round_, actor=fredi)
    assert refused.value.code == "rounds/already_open"
    assert Game.objects.count() == 2


def test_opening_broken_off_in_the_middle_goes_on(
    championship: Championship, arrived: People, fredi: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    arrived(12)
    round_ = drawing.draw_round(championship.rounds.get(number=1), actor=fredi)
    made: list[Game] = []

    def until_the_power_fails(**arguments: Any) -> Game:
        if len(made) == 2:
            raise OSError("power")
        made.append(create_game(**arguments))
        return made[-1]

    monkeypatch.setattr("tournaments.services.rounds.rounds.TABLES_PER_TRANSACTION", 2)
    monkeypatch.setattr("tournaments.services.draw.opening.create_game", until_the_power_fails)
    with pytest.raises(OSError, match="power"):
        rounds.open_round(round_, actor=fredi)
    monkeypatch.setattr("tournaments.services.draw.opening.create_game", create_game)
    assert Round.objects.get(pk=round_.pk).status == Round.Status.DRAWN
    rounds.open_round(round_, actor=fredi)
    assert Game.objects.count() == 3
    assert set(Table.objects.values_list("game", flat=True)) >= {game.pk for game in made}


def test_a_round_that_is_not_drawn_is_not_opened(championship: Championship, fredi: User) -> None:
    with pytest.raises(TournamentError) as refused:
        rounds.open_round(championship.rounds.get(number=1), actor=fredi)
    assert refused.value.code == "rounds/not_drawn"


def test_the_next_round_waits_until_this_one_is_closed(
    championship: Championship, fredi: User, open_round: Opened
) -> None:
    open_round()
    second = drawing.draw_round(championship.rounds.get(number=2), actor=fredi)
    with pytest.raises(TournamentError) as refused:
        rounds.open_round(second, actor=fredi)
    assert (refused.value.code, refused.value.params["round"]) == ("rounds/previous_open", 1)


def test_the_mode_of_a_table_is_settled_when_it_opens(open_round: Opened, fredi: User) -> None:
    table = open_round().tables.get(number=1)
    with pytest.raises(TournamentError) as refused:
        rounds.set_mode(table, "sheet", actor=fredi)
    assert refused.value.code == "rounds/table_open"
    with pytest.raises(TournamentError) as refused:
        rounds.set_mode(table, "imagined", actor=fredi)
    assert refused.value.code == "rounds/unknown_mode"


def test_a_round_is_not_closed_while_tables_play(open_round: Opened, fredi: User) -> None:
    round_ = open_round("dealt", "sheet")
    before = types_of(round_)
    with pytest.raises(TournamentError) as refused:
        rounds.close_round(round_, actor=fredi)
    assert refused.value.code == "rounds/tables_playing"
    assert str(refused.value) == "Tables still playing: 1, 2."
    assert types_of(round_) == before
    assert Round.objects.get(pk=round_.pk).status == Round.Status.OPEN


def test_a_round_is_closed_when_all_tables_are_done(open_round: Opened, fredi: User) -> None:
    round_ = open_round("dealt", "sheet")
    table_play.play_to_the_end(round_)
    rounds.close_round(round_, actor=fredi)
    assert round_.status == Round.Status.CLOSED
    assert types_of(round_)[-2:] == ["seed_revealed", "round_closed"]


def test_the_director_closes_a_round_by_force(open_round: Opened, fredi: User) -> None:
    round_ = open_round("dealt", "sheet")
    steps: list[tuple[int, int]] = []
    rounds.close_round(
        round_, actor=fredi, force=True, reason="midnight", progress=lambda *s: steps.append(s)
    )
    assert set(Game.objects.values_list("status", flat=True)) == {Game.Status.CLOSED}
    closed = store.read(round_.stream_id)[-1]
    assert (closed.type, closed.body) == ("round_closed", {"unfinished": [1, 2], "reason": "midnight"})
    assert steps == [(0, 2), (1, 2), (2, 2)]


def test_a_closed_round_is_not_closed_again(open_round: Opened, fredi: User) -> None:
    round_ = rounds.close_round(open_round(), actor=fredi, force=True)
    with pytest.raises(TournamentError) as refused:
        rounds.close_round(round_, actor=fredi)
    assert refused.value.code == "rounds/already_closed"


def test_a_drawn_round_cannot_be_closed(championship: Championship, fredi: User, arrived: People) -> None:
    arrived(4)
    round_ = drawing.draw_round(championship.rounds.get(number=1), actor=fredi)
    with pytest.raises(TournamentError) as refused:
        rounds.close_round(round_, actor=fredi)
    assert refused.value.code == "rounds/not_open"


def test_a_closed_round_is_reopened_and_leaves_a_trace(open_round: Opened, fredi: User) -> None:
    round_ = rounds.close_round(open_round("sheet", "sheet"), actor=fredi, force=True)
    rounds.reopen_round(round_, actor=fredi, reason="a sheet was forgotten")
    assert round_.status == Round.Status.OPEN
    event = store.read(round_.stream_id)[-1]
    assert (event.type, event.body) == ("round_reopened", {"reason": "a sheet was forgotten"})
    rounds.close_round(round_, actor=fredi)
    assert types_of(round_).count("seed_revealed") == 1


def test_a_round_is_not_reopened_once_the_next_has_begun(
    championship: Championship, fredi: User, open_round: Opened
) -> None:
    first = rounds.close_round(open_round(), actor=fredi, force=True)
    with pytest.raises(TournamentError) as refused:
        rounds.reopen_round(championship.rounds.get(number=2), actor=fredi, reason="")
    assert refused.value.code == "rounds/not_closed"
    open_round()
    with pytest.raises(TournamentError) as refused:
        rounds.reopen_round(first, actor=fredi, reason="late")
    assert refused.value.code == "rounds/later_open"


def test_only_a_director_opens_and_closes(open_round: Opened, gabi: User, eva: User) -> None:
    round_ = open_round()
    for somebody in (gabi, eva):
        with pytest.raises(NotAllowed):
            rounds.close_round(round_, actor=somebody, force=True)
        with pytest.raises(NotAllowed):
            rounds.schedule_round(round_, actor=somebody)


def test_a_round_closes_after_it_opens(championship: Championship, fredi: User) -> None:
    now = timezone.now()
    with pytest.raises(TournamentError) as refused:
        rounds.schedule_round(championship.rounds.get(number=1), actor=fredi, opens_at=now, closes_at=now)
    assert refused.value.code == "rounds/times"


def test_a_scheduled_round_opens_and_closes_by_itself(
    championship: Championship, fredi: User, arrived: People
) -> None:
    arrived(4)
    round_ = championship.rounds.get(number=1)
    opens_at = timezone.now() + timedelta(hours=1)
    closes_at = opens_at + timedelta(hours=1)
    rounds.schedule_round(round_, actor=fredi, opens_at=opens_at, closes_at=closes_at)
    open_row, close_row = Deadline.objects.order_by("due_at")
    assert not deadlines.run(open_row.pk)
    assert deadlines.run(open_row.pk, now=opens_at)
    [job] = Job.objects.all()
    assert (job.kind, job.started_by) == (Job.Kind.OPEN, None)
    assert jobs.run(job.pk)
    round_.refresh_from_db()
    assert round_.status == Round.Status.OPEN

    assert deadlines.run(close_row.pk, now=closes_at)  # the table is still playing: look again soon
    again = Deadline.objects.get(kind=rounds.CLOSE)
    assert Job.objects.count() == 1
    table_play.play_to_the_end(round_)
    assert deadlines.run(again.pk, now=again.due_at)
    assert jobs.run(Job.objects.get(kind=Job.Kind.CLOSE).pk)
    round_.refresh_from_db()
    assert round_.status == Round.Status.CLOSED
    assert not Deadline.objects.filter(kind__startswith="round").exists()


def test_a_schedule_is_taken_back(championship: Championship, fredi: User) -> None:
    round_ = championship.rounds.get(number=1)
    rounds.schedule_round(round_, actor=fredi, opens_at=timezone.now() + timedelta(hours=1))
    rounds.schedule_round(round_, actor=fredi)
    assert not Deadline.objects.exists()


def test_a_deadline_that_comes_too_late_does_nothing(open_round: Opened, fredi: User) -> None:
    round_ = rounds.close_round(open_round(), actor=fredi, force=True)
    for handler in (round_deadlines.open_scheduled_round, round_deadlines.close_scheduled_round):
        handler(Deadline(kind="round_open", stream_id=round_.stream_id, due_at=timezone.now()))
    assert not Job.objects.exists()


def test_a_round_with_a_time_limit_has_its_end(
    championship: Championship, fredi: User, open_round: Opened
) -> None:
    data = regulations.encode(load_regulations(championship))
    regulations_change.change_regulations(championship, {**data, "round_minutes": 40}, actor=fredi)
    round_ = open_round()
    assert round_.closes_at is not None
    assert round_.opened_at is not None
    assert round_.closes_at - round_.opened_at == timedelta(minutes=40)
    assert Deadline.objects.get(kind=rounds.CLOSE).due_at == round_.closes_at


def test_bots_sit_where_the_director_says(championship: Championship, fredi: User, arrived: People) -> None:
    arrived(4)
    round_ = drawing.draw_round(championship.rounds.get(number=1), actor=fredi)
    options = {1: {"turn_seconds": 30}}
    rounds.open_round(
        round_, actor=fredi, bots={1: {0: "puur", 2: "puur"}}, bot_pace=3, table_options=options
    )
    game = Game.objects.get()
    assert [(seat.bot, seat.bot_pace) for seat in game.seats.all()] == [("puur", 3), ("", 3)] * 2
    assert game.turn_seconds == 30


def test_closing_asks_no_more_for_more_tables(
    championship: Championship, fredi: User, arrived: People, django_assert_max_num_queries: Any
) -> None:
    arrived(20)
    drawing.draw_round(championship.rounds.get(number=1), actor=fredi)
    round_ = championship.rounds.get(number=1)
    for table in round_.tables.all():
        rounds.set_mode(table, "sheet", actor=fredi)
    rounds.open_round(round_, actor=fredi)
    table_play.play_to_the_end(round_)
    with django_assert_max_num_queries(60):
        rounds.close_round(round_, actor=fredi)


def test_the_regulations_say_how_long_hands_stay_closed(
    open_round: Opened, championship: Championship, fredi: User
) -> None:
    data = regulations.encode(load_regulations(championship))
    wait = {"visibility": "after_deal", "hands_wait_deals": 2, "hands_wait_minutes": 15}
    regulations_change.change_regulations(championship, {**data, **wait}, actor=fredi)
    game = open_round("dealt").tables.get(number=1).game
    assert game is not None
    assert {name: getattr(game, name) for name in wait} == wait
