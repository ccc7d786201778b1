"""Two who change chairs: the higher-drawing opponent of forehand, and who sits otherwise in the hall."""

from collections.abc import Callable

import pytest

from games import store
from games.chance import dealing
from games.models import Access, Game, Seat, User
from games.rights.access import observer_for
from tests.tournaments import playing
from tournaments.errors import NotAllowed, TournamentError
from tournaments.models import Championship, Entry, Official, Round, Table
from tournaments.services import championships, rounds
from tournaments.services.desk import entries
from tournaments.services.draw import drawing, seat_exchanges
from tournaments.services.draw.seat_exchanges import Chair
from tournaments.services.scores import ranking

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


# --- by the lot


def test_the_opponent_of_forehand_who_drew_higher_deals(open_round: Opened) -> None:
    round_ = open_round("dealt", "dealt", "dealt", "dealt", people=16)
    drawn, moved = drawn_tables(round_), 0
    lots = events_of(round_, "forehand_drawn")
    assert len(lots) == 4
    for table, lot in zip(round_.tables.order_by("number"), lots, strict=True):
        expected = drawn[table.number - 1]
        dealer, after = lot.body["dealer"], (lot.body["dealer"] + 2) % 4
        shared = [cards for cards in lot.body["cards"] if cards[dealer] and cards[after]][-1]
        ranks = [dealing.RANKS.index(shared[seat][1:]) for seat in (dealer, after)]
        assert lot.body["exchanged"] == (ranks[1] > ranks[0])
        if lot.body["exchanged"]:
            moved += 1
            expected[dealer], expected[after] = expected[after], expected[dealer]
        assert playing.refs(table) == expected
        seats = Seat.objects.filter(game=table.game_id).order_by("number")
        assert [seat.player_ref for seat in seats] == expected
        dealt = next(e for e in store.read(str(table.game_id)) if e.type == "deal_started")
        assert dealt.body["dealer"] == dealer
    told = seat_exchanges.changes(round_)
    assert len(told) == moved
    assert all(change.by_lot for change in told)


def with_lot(monkeypatch: pytest.MonkeyPatch, *, exchanged: bool) -> None:
    """Seat 0 is forehand; seat 3 or, where chairs are changed, seat 1 has drawn the highest card."""
    cards = ("D6", "DK" if exchanged else "D8", "D7", "D9")
    lot = dealing.ForehandDraw((cards,), 0, exchanged)
    monkeypatch.setattr(dealing, "draw_forehand", lambda *_, **__: lot)


@pytest.mark.parametrize("exchanged", [True, False])
def test_who_changes_chairs_takes_his_rights_and_a_computer_its_seat_along(
    arrived: People,
    open_round: Opened,
    fredi: User,
    anna: User,
    monkeypatch: pytest.MonkeyPatch,
    exchanged: bool,
) -> None:
    arrived(4)
    with_lot(monkeypatch, exchanged=exchanged)
    round_ = Round.objects.get(number=1)
    drawing.draw(round_, actor=fredi)
    rounds.set_mode(round_.tables.get(), "dealt", actor=fredi)
    entries.link(sits_at(round_, 1, 1), anna, actor=fredi)
    other = sits_at(round_, 1, 3)
    rounds.open_(round_, actor=fredi, bots={1: {3: "heuristic"}})
    game = Game.objects.get()
    annas, bots = (3, 1) if exchanged else (1, 3)
    assert observer_for(game, anna).number == annas
    assert [(seat.number, seat.player_ref) for seat in game.seats.exclude(bot="")] == [
        (bots, other.player_ref)
    ]
    assert sits_at(round_, 1, bots) == other
    annas_ref = Entry.objects.get(user=anna).player_ref
    told = [(change.one, change.other) for change in seat_exchanges.changes(round_)]
    assert told == ([((annas_ref, Chair(1, 3)), (other.player_ref, Chair(1, 1)))] if exchanged else [])


def test_nobody_changes_chairs_by_lot_where_each_plays_alone(fredi: User) -> None:
    made = championships.create(actor=fredi, name="Plus-Minus", preset="plus_minus")
    people = [
        entries.NewEntry(name, status=Entry.Status.ARRIVED) for name in ("Anna", "Beat", "Chiara", "Dario")
    ]
    entries.add_all(made, people, actor=fredi)
    round_ = made.rounds.get(number=1)
    drawing.draw(round_, actor=fredi)
    rounds.set_mode(round_.tables.get(), "dealt", actor=fredi)
    rounds.open_(round_, actor=fredi)
    assert [lot.body["exchanged"] for lot in events_of(round_, "forehand_drawn")] == [None]
    assert seat_exchanges.changes(round_) == []


# --- at the desk


def test_two_at_one_table_change_chairs(open_round: Opened, fredi: User) -> None:
    round_ = open_round("sheet", "transcribed")
    one, other = sits_at(round_, 2, 1), sits_at(round_, 2, 3)
    assert seat_exchanges.exchange_seats(round_, one.number, other.number, actor=fredi) == (one, other)
    assert (sits_at(round_, 2, 1), sits_at(round_, 2, 3)) == (other, one)
    seats = Seat.objects.filter(game__tournament_table__number=2).order_by("number")
    assert [seat.player_ref for seat in seats] == playing.refs(round_.tables.get(number=2))
    [change] = seat_exchanges.changes(round_)
    assert (change.one, change.other, change.by_lot) == (
        (other.player_ref, Chair(2, 1)),
        (one.player_ref, Chair(2, 3)),
        False,
    )


def test_what_was_written_for_a_seat_counts_for_who_has_sat_there(
    championship: Championship, open_round: Opened, fredi: User
) -> None:
    round_ = open_round("sheet", "sheet")
    playing.write_sheet(round_.tables.get(number=1), [100] * 8)
    one, other = sits_at(round_, 1, 0), sits_at(round_, 2, 0)

    totals = {row.key: row.total for row in ranking.live(championship)}
    assert (totals[one.number], totals[other.number]) == (800, 0)
    seat_exchanges.exchange_seats(round_, one.number, other.number, actor=fredi)
    totals = {row.key: row.total for row in ranking.live(championship)}
    assert (totals[one.number], totals[other.number]) == (0, 800)


def test_done_again_it_is_undone_and_both_stand_in_the_log(open_round: Opened, fredi: User) -> None:
    round_ = open_round("sheet", "sheet")
    one, other = sits_at(round_, 1, 0), sits_at(round_, 2, 2)
    for _ in range(2):
        seat_exchanges.exchange_seats(round_, one.number, other.number, actor=fredi)
    assert (sits_at(round_, 1, 0), sits_at(round_, 2, 2)) == (one, other)
    assert len(seat_exchanges.changes(round_)) == 2


def test_chairs_can_be_changed_before_the_round_opens_also_at_tables_that_will_be_dealt(
    arrived: People, fredi: User
) -> None:
    arrived(8)
    round_ = Round.objects.get(number=1)
    drawing.draw(round_, actor=fredi)
    one, other = sits_at(round_, 1, 0), sits_at(round_, 2, 2)
    seat_exchanges.exchange_seats(round_, one.number, other.number, actor=fredi)
    rounds.open_(round_, actor=fredi)
    table = Table.objects.get(round=round_, number=1)
    assert other.player_ref in playing.refs(table)


def test_the_next_round_is_drawn_from_where_people_have_sat(
    open_round: Opened, fredi: User, championship: Championship
) -> None:
    round_ = open_round("sheet", "sheet")
    one, other = sits_at(round_, 1, 1), sits_at(round_, 2, 3)
    seat_exchanges.exchange_seats(round_, one.number, other.number, actor=fredi)
    playing.play_to_the_end(round_)
    rounds.close(round_, actor=fredi)
    second = championship.rounds.get(number=2)
    drawing.draw(second, actor=fredi)
    [drawn] = events_of(second, "seats_drawn")
    players = drawn.body["players"]
    assert [[players[p] for p in table] for table in drawn.body["problem"]["past"][0]["tables"]] == [
        playing.refs(table) for table in round_.tables.order_by("number")
    ]


def test_rights_follow_the_chair(
    championship: Championship, arrived: People, open_round: Opened, fredi: User, gabi: User, anna: User
) -> None:
    arrived(8)
    round_ = open_round("sheet", "sheet")
    annas, gabis = sits_at(round_, 1, 1), sits_at(round_, 2, 0)
    entries.link(annas, anna, actor=fredi)
    entries.link(gabis, gabi, actor=fredi)
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
    playing.play_to_the_end(round_)
    rounds.close(round_, actor=fredi)
    round_.refresh_from_db()
    assert refused(round_, one, sits_at(round_, 2, 0).number, fredi) == "chairs/round_over"


def test_director_and_desk_may_and_nobody_else(
    open_round: Opened, championship: Championship, fredi: User, gabi: User, eva: User
) -> None:
    round_ = open_round("sheet", "sheet")
    one, other = sits_at(round_, 1, 0).number, sits_at(round_, 2, 0).number
    with pytest.raises(NotAllowed):
        seat_exchanges.exchange_seats(round_, one, other, actor=gabi)
    championships.appoint(championship, eva, Official.Role.DESK, actor=fredi)
    seat_exchanges.exchange_seats(round_, one, other, actor=eva)
    assert len(seat_exchanges.changes(round_)) == 1


def test_an_undone_draw_takes_its_changes_along(open_round: Opened, fredi: User) -> None:
    round_ = open_round("sheet", "sheet")
    seat_exchanges.exchange_seats(
        round_, sits_at(round_, 1, 0).number, sits_at(round_, 2, 0).number, actor=fredi
    )
    drawing.undo(round_, actor=fredi)
    drawing.draw(round_, actor=fredi)
    assert seat_exchanges.changes(round_) == []
