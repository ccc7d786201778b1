"""What a seat may do outside its turn, and that its own view is enough to tell."""

import pytest

from engine import Observer, State, evolve, list_out_of_turn_commands, redact_events
from engine.commands import Close, Exchange, Keep, Stop, TakeTurned
from engine.events import Event
from tests.engine.random_games import GAMES, Game, positions
from tests.engine.tables import ANNA, BEAT, SUIT_EACH, Table, club_table
from tests.engine.test_la_pomme import a_table as pomme
from tests.engine.test_lake_constance import played as bid_for


def open_beside(table: Table) -> list[tuple[str, ...]]:
    return [list_out_of_turn_commands(table.state, seat) for seat in range(table.state.seats)]


def test_nothing_is_open_before_a_game_and_where_the_game_knows_no_such_thing() -> None:
    assert list_out_of_turn_commands(State(), ANNA) == ()
    assert list_out_of_turn_commands(Table("coiffeur").state, ANNA) == ()


def test_a_claim_is_open_to_everybody_where_it_is_required_until_the_game_is_over() -> None:
    table = club_table("spades", SUIT_EACH, target=20, claim_out="required")
    assert open_beside(table) == [("claim_out",)] * 4
    table.do(Close(reason="the hall burns"))
    assert open_beside(table) == [()] * 4
    assert open_beside(club_table("spades", SUIT_EACH, target=20)) == [()] * 4


def test_only_who_is_certain_to_win_may_stop_the_deal() -> None:
    table = bid_for()
    assert open_beside(table) == [(), ()]
    while not any(open_beside(table)):
        table.play(table.legal.split()[0])
    certain = [seat for seat in (ANNA, BEAT) if list_out_of_turn_commands(table.state, seat)]
    assert len(certain) == 1
    table.do(Stop(seat=certain[0]))
    assert open_beside(table) == [(), ()]


def test_the_turned_card_is_open_to_the_holder_of_the_six_after_his_own_exchange() -> None:
    table = pomme("CA", "C6 D7 D8 D9 D10 DJ DQ DK DA S6 S7 S8")
    assert open_beside(table) == [(), ()]
    table.do(Keep(seat=ANNA))
    assert open_beside(table) == [("take_turned",), ()]
    table.do(Exchange(seat=BEAT, cards=["H6", "H7", "H8"]))
    table.do(TakeTurned(seat=ANNA))
    assert open_beside(table) == [(), ()]


def test_a_game_that_was_broken_off_takes_neither_stop_nor_turned_card() -> None:
    table = pomme("CA", "C6 D7 D8 D9 D10 DJ DQ DK DA S6 S7 S8")
    table.do(Keep(seat=ANNA))
    table.do(Close(reason="the hall burns"))
    assert table.refused(TakeTurned(seat=ANNA)) == "take_turned/not_now"


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_the_own_view_of_a_seat_tells_the_same(game: Game) -> None:
    views = [State() for _ in range(game.seats)]
    whole = State()
    for _, events, _ in positions(game, 7):
        follow(whole, events)
        for seat, view in enumerate(views):
            follow(view, list(redact_events(events, Observer.seat(seat))))
            assert list_out_of_turn_commands(view, seat) == list_out_of_turn_commands(whole, seat)


def follow(state: State, events: list[Event]) -> None:
    for event in events:
        evolve(state, event)
