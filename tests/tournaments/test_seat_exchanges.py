"""Chairs are final once they are published; two people may swap theirs in the hall."""

from collections.abc import Callable

import pytest

from games import store
from games.models import Access, Game, Seat, User
from tests.tournaments import table_play
from tournaments.errors import NotAllowed, TournamentError
from tournaments.models import Championship, Entry, Official, Round, Table
from tournaments.services.championships import officials
from tournaments.services.draw import draw_undoing, drawing, seat_exchanges
from tournaments.services.draw.seat_exchanges import Chair
from tournaments.services.entries import entries
from tournaments.services.rounds import rounds
from tournaments.services.scores import ranking_basis

Opened = Callable[..., Round]
People = Callable[[int], list[Entry]]


def events_of(round_: Round, type_: str) -> list[store.StoredEvent]:
    return [event for event in store.read(round_.stream_id) if event.type == type_]


def drawn_tables(round_: Round) -> list[list[str]]:
    """Who was drawn to which chair, by reference."""
    return [list(table) for table in events_of(round_, "seats_drawn")[-1].body["tables"]]


def sits_at(round_: Round, table: int, seat: int) -> Entry:
    return round_.seatings.get(table__number=table, seat=seat).entry


def refused(round_: Round, one: int, other: int, by: User) -> str:
    before = [(s.table_id, s.seat, s.entry_id) for s in round_.seatings.order_by("table", "seat")]
    with pytest.raises(TournamentError) as refusal:
        seat_exchanges.exchange_seats(round_, one, other, actor=by)
    assert [(s.table_id, s.seat, s.entry_id) for s in round_.seatings.order_by("table", "seat")] == before
    return refusal.value.code


# --- the chairs on the wall are those that are opened


@pytest.mark.parametrize("mode", ["dealt", "transcribed", "sheet"])
def test_the_chairs_that_were_published_are_those_that_are_opened(
    arrived: People, fredi: User, mode: str
) -> None:
    arrived(20)
    round_ = Round.objects.get(number=1)
    drawing.draw_round(round_, actor=fredi)
    Table.objects.filter(round=round_).update(mode=mode)
    on_the_wall = drawn_tables(round_)
    rounds.open_round(round_, actor=fredi)
    tables = list(round_.tables.order_by("number"))
    assert [table_play.refs(table) for table in tables] == on_the_wall
    games = [Seat.objects.filter(game=table.game_id).order_by("number") for table in tables]
    assert [[seat.player_ref for seat in seats] for seats in games] == on_the_wall
    assert seat_exchanges.list_exchanges(round_) == []
    lots = events_of(round_, "forehand_drawn")
    assert len(lots) == (5 if mode == "dealt" else 0)
    for table, lot in zip(tables, lots, strict=False):
        assert lot.body["exchanged"] is None
        dealt = next(e for e in store.read(str(table.game_id)) if e.type == "deal_started")
        assert dealt.body["dealer"] == lot.body["dealer"]


# --- at the desk


def test_two_at_one_table_change_chairs(open_round: Opened, fredi: User) -> None:
    round_ = open_round("sheet", "transcribed")
    one, other = sits_at(round_, 2, 1), sits_at(round_, 2, 3)
    assert seat_exchanges.exchange_seats(round_, one.number, other.number, actor=fredi) == (one, other)
    assert (sits_at(round_, 2, 1), sits_at(round_, 2, 3)) == (other, one)
    seats = Seat.objects.filter(game__tournament_table__number=2).order_by("number")
    assert [seat.player_ref for seat in seats] == table_play.refs(round_.tables.get(number=2))
    [change] = seat_exchanges.list_exchanges(round_)
    assert (change.one, change.other, change.by_lot) == (
        (other.player_ref, Chair(2, 1)),
        (one.player_ref, Chair(2, 3)),
        False,
    )


def test_what_was_written_for_a_seat_counts_for_who_has_sat_there(
    championship: Championship, open_round: Opened, fredi: User, gabi: User
) -> None:
    officials.appoint(championship, gabi, Official.Role.REFEREE, actor=fredi)
    round_ = open_round("sheet", "sheet")
    table_play.write_sheet(round_.tables.get(number=1), [100] * 8)
    one, other = sits_at(round_, 1, 0), sits_at(round_, 2, 0)

    totals = {row.key: row.total for row in ranking_basis.live_ranking(championship)}
    assert (totals[one.number], totals[other.number]) == (800, 0)
    seat_exchanges.exchange_seats(round_, one.number, other.number, actor=gabi, reason="verwechselt")
    totals = {row.key: row.total for row in ranking_basis.live_ranking(championship)}
    assert (totals[one.number], totals[other.number]) == (0, 800)


def test_done_again_it_is_undone_and_both_stand_in_the_log(open_round: Opened, fredi: User) -> None:
    round_ = open_round("sheet", "sheet")
    one, other = sits_at(round_, 1, 0), sits_at(round_, 2, 2)
    for _ in range(2):
        seat_exchanges.exchange_seats(round_, one.number, other.number, actor=fredi)
    assert (sits_at(round_, 1, 0), sits_at(round_, 2, 2)) == (one, other)
    assert len(seat_exchanges.list_exchanges(round_)) == 2


def test_chairs_can_be_changed_before_the_round_opens_also_at_tables_that_will_be_dealt(
    arrived: People, fredi: User
) -> None:
    arrived(8)
    round_ = Round.objects.get(number=1)
    drawing.draw_round(round_, actor=fredi)
    one, other = sits_at(round_, 1, 0), sits_at(round_, 2, 2)
    seat_exchanges.exchange_seats(round_, one.number, other.number, actor=fredi)
    rounds.open_round(round_, actor=fredi)
    table = Table.objects.get(round=round_, number=1)
    assert other.player_ref in table_play.refs(table)


def test_the_next_round_is_drawn_from_where_people_have_sat(
    open_round: Opened, fredi: User, championship: Championship
) -> None:
    round_ = open_round("sheet", "sheet")
    one, other = sits_at(round_, 1, 1), sits_at(round_, 2, 3)
    seat_exchanges.exchange_seats(round_, one.number, other.number, actor=fredi)
    table_play.play_to_the_end(round_)
    rounds.close_round(round_, actor=fredi)
    second = championship.rounds.get(number=2)
    drawing.draw_round(second, actor=fredi)
    [drawn] = events_of(second, "seats_drawn")
    players = drawn.body["players"]
    assert [[players[p] for p in table] for table in drawn.body["problem"]["past"][0]["tables"]] == [
        table_play.refs(table) for table in round_.tables.order_by("number")
    ]


def test_rights_follow_the_chair(
    championship: Championship, arrived: People, open_round: Opened, fredi: User, gabi: User, anna: User
) -> None:
    arrived(8)
    round_ = open_round("sheet", "sheet")
    annas, gabis = sits_at(round_, 1, 1), sits_at(round_, 2, 0)
    entries.link_account(annas, anna, actor=fredi)
    entries.link_account(gabis, gabi, actor=fredi)
    first, second = (Game.objects.get(tournament_table__number=number) for number in (1, 2))
    seat_exchanges.exchange_seats(round_, annas.number, gabis.number, actor=fredi)

    def rights(user: User) -> set[tuple[str, str, int | None]]:
        return set(Access.objects.filter(user=user).values_list("game", "role", "seat"))

    assert rights(anna) == {(second.pk, "seat", 0)}
    assert rights(gabi) == {(first.pk, "seat", 1), (second.pk, "referee", None)}


def test_a_table_dealt_here_wants_a_new_code_instead(open_round: Opened, fredi: User) -> None:
    round_ = open_round("dealt", "sheet")
    one, other = sits_at(round_, 1, 0), sits_at(round_, 2, 0)
    assert refused(round_, one.number, other.number, fredi) == "chairs/dealt"
    assert refused(round_, other.number, one.number, fredi) == "chairs/dealt"


def test_nonsense_is_refused(open_round: Opened, fredi: User) -> None:
    round_ = open_round("sheet", "sheet")
    one = sits_at(round_, 1, 0).number
    assert refused(round_, one, one, fredi) == "chairs/one_person"
    assert refused(round_, one, 99, fredi) == "chairs/not_seated"
    table_play.play_to_the_end(round_)
    rounds.close_round(round_, actor=fredi)
    round_.refresh_from_db()
    assert refused(round_, one, sits_at(round_, 2, 0).number, fredi) == "chairs/round_over"


def test_director_and_desk_may_and_nobody_else(
    open_round: Opened, championship: Championship, fredi: User, gabi: User, eva: User
) -> None:
    round_ = open_round("sheet", "sheet")
    one, other = sits_at(round_, 1, 0).number, sits_at(round_, 2, 0).number
    with pytest.raises(NotAllowed):
        seat_exchanges.exchange_seats(round_, one, other, actor=gabi)
    officials.appoint(championship, eva, Official.Role.DESK, actor=fredi)
    seat_exchanges.exchange_seats(round_, one, other, actor=eva)
    assert len(seat_exchanges.list_exchanges(round_)) == 1


def test_an_undone_draw_takes_its_changes_along(open_round: Opened, fredi: User) -> None:
    round_ = open_round("sheet", "sheet")
    seat_exchanges.exchange_seats(
        round_, sits_at(round_, 1, 0).number, sits_at(round_, 2, 0).number, actor=fredi
    )
    draw_undoing.undo_draw(round_, actor=fredi, reason="anew")
    drawing.draw_round(round_, actor=fredi)
    assert seat_exchanges.list_exchanges(round_) == []
