"""A game as a page of text: every card where it was played, and all else where a reader looks for it."""

import re
from typing import Any

import pytest
from msgspec.structs import replace

from engine import CorruptLog, Observer, redact_events
from engine.commands import (
    Choose,
    ConfirmResult,
    CorrectResult,
    Deal,
    Declare,
    Declared,
    EnterResult,
    Play,
    Push,
    TakeBack,
)
from engine.events import BidMade, CardPlayed, DealScored, PredictionMade, TableCardTurned, TrickTaken
from engine.notation import notate, page, parse
from engine.notation.course import reconstruct_hand
from engine.notation.placing import build_course
from tests.engine.random_games import GAMES, Game, log_of
from tests.engine.tables import ANNA, SUIT_EACH, Table, club_table, types

NAMES = ["Anna", "Beat", "Chiara", "Dario"]
every_game = pytest.mark.parametrize("game", GAMES, ids=str)


@every_game
def test_every_card_stands_where_it_was_played(game: Game) -> None:
    log = log_of(game, 41)
    course = build_course(log)
    played = [event for event in log if isinstance(event, CardPlayed)]
    rows = [row for deal in course.deals for row in deal.tricks]
    assert [(p.seat, p.card) for row in rows for p in row.plays] == [(e.seat, e.card) for e in played]
    taken = [event for event in log if isinstance(event, TrickTaken)]
    complete = [row for row in rows if row.complete]
    assert [row.taker for row in complete] == [event.seat for event in taken]
    assert all(row.points == e.points for row, e in zip(complete, taken, strict=True) if e.points is not None)
    assert all(row.points is not None and row.so_far for row in complete)
    text = page(log, NAMES[: game.seats])
    for event in log:
        if isinstance(event, BidMade | PredictionMade):
            assert re.search(rf"{NAMES[event.seat]} (bids|predicts) {event.points}\b", text)
        elif isinstance(event, TableCardTurned):
            assert f"{NAMES[event.seat]} turns {event.card}" in text
        elif isinstance(event, DealScored):
            assert f"totals {':'.join(map(str, event.totals))}" in text
    assert text.isascii()
    assert not any(line != line.rstrip() for line in text.splitlines())


@every_game
def test_a_spectators_page_names_no_card_that_was_not_shown(game: Game) -> None:
    log = log_of(game, 42)
    seen = list(redact_events(log, Observer.spectator()))
    shown = page(seen)
    code = re.compile(r"\b[DHSC](?:10|[6-9JQKA])\b")
    known = set(code.findall(notate(seen)))
    assert set(code.findall(shown)) <= known


@pytest.mark.parametrize("seats", [3, 4])
def test_tricks_taken_before_trumps_were_set_are_counted_when_the_deal_is_over(seats: int) -> None:
    log = log_of(Game("plus-minus", None, seats), 43)
    late = [e.seq for e in log if isinstance(e, TrickTaken) and e.points is None]
    assert late
    for deal in build_course(log).deals:
        assert deal.result is not None
        assert deal.tricks[-1].so_far == list(deal.result.card_points)
    cut = [event for event in log if event.seq <= late[0]]
    row = build_course(cut).deals[0].tricks[-1]
    assert (row.points, row.so_far) == (None, [])
    assert re.search(r" +\?  \?\n", page(cut))
    scored = next(event for event in log if isinstance(event, DealScored))
    wrong = [replace(e, card_points=[157] + [0] * (seats - 1)) if e is scored else e for e in log]
    assert not build_course(wrong).deals[0].tricks[-1].so_far


def test_a_page_reads_like_this() -> None:
    table = club_table(hands=SUIT_EACH)
    table.play("S6 H6 D6 C6 S7 H7 D7 C7")
    assert (
        page(table.log, NAMES).split("\n\n", 2)[2]
        == """\
Deal 1, dealt by Dario
----------------------
  Anna    S6 S7 S8 S9 S10 SJ SQ SK SA
  Beat    H6 H7 H8 H9 H10 HJ HQ HK HA
  Chiara  D6 D7 D8 D9 D10 DJ DQ DK DA
  Dario   C6 C7 C8 C9 C10 CJ CQ CK CA
Contract: spades, Anna
Trick   Anna    Beat    Chiara  Dario  points  so far
    1  >S6*     H6      D6      C6          0  0:0
    2  >S7*     H7      D7      C7          0  0:0

Totals 0:0
"""
    )


def test_what_was_declared_and_ruled_stands_with_its_trick() -> None:
    table = club_table(hands=SUIT_EACH)
    table.play("S6", melds=[["S6", "S7", "S8"]])
    table.play("H6 D6 C6")
    table.play("SQ H7 D7 C7")
    table.play("SK", stoeck=True)
    table.rule("warning", deal=1, against=ANNA)
    while table.state.dealing:
        table.play_out()
    table.rule("score_change", deal=1, scores=[1, 2])
    text = page(table.log, NAMES)
    assert "a: Anna declares 20 S8" in text
    assert "trick 1: melds of side 0 20: 0 S6 S7 S8 20" in text
    assert re.search(r"b: Stoeck of Anna 20", text)
    assert "; counts 1:2" in text
    assert re.search(r"\n   1  spades +1 +2\n +total +1 +2\n", text)


def test_an_annulled_deal_is_marked() -> None:
    table = club_table()
    table.play("S6")
    table.rule("annul_deal", deal=1)
    assert "Deal 1, dealt by Seat 3, annulled" in page(table.log)


def test_a_proven_infraction_stands_with_its_card() -> None:
    table = Table("schieber", 4, mode="transcribed", options={"first_forehand": "drawn"})
    table.do(Deal(dealer=3))
    table.do(Choose(seat=0, contract="obenabe"))
    table.put((0, "S6"), (1, "H6"), (2, "S7"), (3, None))
    slip = table.state.seq
    table.do(Play(seat=2, card="HA"))
    table.do(TakeBack(to=slip))
    table.put((2, "S8"), (3, None), (0, None), (1, "S9"))
    text = page(table.log, NAMES)
    assert "a: revoke of Beat in trick 1" in text
    assert "HA" not in text
    assert f"what was written from seq {slip} on is taken back" in text
    assert f"scorer takes back from event {slip}" in notate(table.log)
    assert parse(notate(table.log))[-5] == TakeBack(to=slip)
    course = build_course(table.log)
    assert reconstruct_hand(course.deals[0], 1)[:2] == ["H6", "S9"]
    assert reconstruct_hand(course.deals[0], 1)[2:] == [None] * 7
    assert reconstruct_hand(replace_shares(course.deals[0]), 1) == []


def written(variant: str = "schieber") -> Table:
    return Table(variant, 4, mode="transcribed", options={"first_forehand": "drawn"})


def test_an_infraction_of_an_act_without_a_card_stands_after_the_act() -> None:
    table = written()
    table.do(Deal(dealer=3))
    table.do(Push(seat=1))
    assert "  Beat pushes\n  out_of_turn of Beat in trick 1" in page(table.log, NAMES)


def test_an_infraction_of_a_declaration_stands_with_the_declaration() -> None:
    table = written()
    table.do(Deal(dealer=3))
    table.do(Choose(seat=0, contract="obenabe"))
    table.put((0, "S6"), (1, "S7"), (2, "S8"), (3, "SA"))
    table.do(Play(seat=3, card="H6", heard=[Declared(points=50)]))
    table.put((0, "H7"))
    table.do(Declare(seat=0, heard=[Declared(points=20)]))
    table.do(Declare(seat=2, heard=[Declared(points=100)]))
    table.put((1, "H8"))
    (deal,) = build_course(table.log).deals
    row, declared = deal.tricks[1], ["melds_declared", "infraction_found"]
    assert [types(play.said) for play in row.plays] == [declared, declared, []]
    assert types(row.notes) == declared
    assert not any(play.infractions for play in row.plays)
    text = page(table.log, NAMES)
    assert "a: Anna declares 20" in text
    assert "trick 2: Chiara declares 100" in text
    assert text.count("meld_late of ") == 3


def test_what_is_declared_between_two_tricks_stands_with_the_first() -> None:
    table = written()
    table.do(Deal(dealer=3))
    table.do(Choose(seat=0, contract="spades"))
    table.put((0, "S6"), (1, "S7"), (2, "S8"), (3, "SA"))
    table.do(Declare(seat=2, heard=[Declared(points=100)]))
    table.do(Declare(seat=0, stoeck=True))
    (deal,) = build_course(table.log).deals
    declared = ["melds_declared", "infraction_found", "stoeck_declared", "infraction_found"]
    assert types(deal.tricks[0].notes)[-4:] == declared


def replace_shares(deal: Any) -> Any:
    """The same deal, of which nothing is written that was dealt."""
    return replace(deal, shares=[])


def test_what_is_taken_back_before_a_deal_is_told_beside_the_deals() -> None:
    table = Table("schieber", 4, mode="transcribed", options={"first_forehand": "drawn"})
    slip = table.state.seq
    table.do(Deal(dealer=3))
    table.do(TakeBack(to=slip))
    assert build_course(table.log).deals == []
    assert "Beside the deals\n  what was written" in page(table.log)


def test_a_sheet_is_a_page_too() -> None:
    table = Table("schieber", 4, mode="sheet", preset="championship")
    table.do(EnterResult(seat=0, deal=1, card_points=[100, 57], contract="hearts"))
    table.do(ConfirmResult(seat=1, deal=1))
    table.do(EnterResult(seat=0, deal=2, card_points=[157, 0], sweep=0))
    table.do(CorrectResult(seat=0, deal=2, card_points=[90, 67]))
    text = page(table.log, NAMES)
    assert "On the sheet\n  of side 0: scores 100:57" in text
    assert re.search(r"   1  hearts +100 +57\n   2  - +90 +67  not confirmed\n", text)


@pytest.mark.parametrize("wrong", [[], "no start", "no variant"])
def test_events_that_are_no_game_have_no_page(wrong: Any) -> None:
    log = log_of(GAMES[0], 1)[:8]
    if wrong:
        log = log[1:] if wrong == "no start" else [replace(log[0], variant=""), *log[1:]]
    with pytest.raises(CorruptLog, match="log/no_start"):
        page(log if wrong else [])


def test_a_page_of_events_in_disorder_is_refused_or_printed() -> None:
    log = log_of(GAMES[0], 1)[:60]
    for at in range(1, 50, 3):
        try:
            assert page([*log[:at], *log[at + 2 :]])
        except CorruptLog as error:
            refusal = error
            assert refusal.code == "log/impossible"
