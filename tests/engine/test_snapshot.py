"""The picture of a table, for pages and the replay command."""

import json

import pytest

from engine import Observer, State, encode, redact_events, replay, snapshot
from engine.commands import EnterResult
from tests.engine.tables import ANNA, BEAT, CHIARA, DARIO, EVA, GABI, SUIT_EACH, Table, club_table


def test_it_is_json_and_shows_the_table() -> None:
    table = club_table()
    table.play("SQ", melds=[["S6", "S7", "S8"]])
    table.play("H6 D6 C6")
    table.play("SK", stoeck=True)
    picture = snapshot(table.state, GABI)
    assert json.loads(json.dumps(picture))["contract"] == "spades"
    assert picture["turn"] == {"seat": BEAT, "phase": "trick_play", "commands": ("play",)}
    assert picture["trick"] == [{"seat": ANNA, "card": "SK"}]
    assert picture["leader"] == ANNA
    assert picture["tricks"][0]["cards"][1] == {"seat": BEAT, "card": "H6"}
    assert picture["stoeck"] == [{"seat": ANNA, "points": 20}]
    assert picture["melds"] == [{"side": 0, "points": 20}]
    assert picture["declared"][0]["melds"] == [{"points": 20, "top": "S8"}]
    assert picture["taken"] == [3, 0]
    assert picture["tricks_taken"] == [1, 0]
    assert picture["multiplier"] == 2
    assert [hand["size"] for hand in picture["hands"]] == [7, 8, 8, 8]


def test_each_sees_his_own_hand_and_legal_cards() -> None:
    table = club_table()
    own = snapshot(table.state, Observer.seat(ANNA))
    assert own["legal"] == SUIT_EACH[0].split()
    assert [hand["cards"] is None for hand in own["hands"]] == [False, True, True, True]
    assert snapshot(table.state, Observer.seat(BEAT))["legal"] is None
    assert snapshot(table.state, EVA)["hands"][0] == {
        "cards": None,
        "size": 9,
        "unknown": 9,
        "face_down": False,
    }


def test_the_picture_of_a_view_is_the_picture_for_that_observer() -> None:
    table = Table(preset="championship")
    table.deal(SUIT_EACH, dealer=DARIO)
    for observer in (Observer.seat(ANNA), Observer.seat(CHIARA), EVA, GABI):
        assert snapshot(replay(redact_events(table.log, observer)), observer) == snapshot(
            table.state, observer
        )
    table.choose("spades")
    table.play_out()
    for observer in (Observer.seat(ANNA), EVA, GABI):
        assert snapshot(replay(redact_events(table.log, observer)), observer) == snapshot(
            table.state, observer
        )


@pytest.mark.parametrize(("option", "open_tricks"), [("first", [0]), ("last", [2]), ("all", [0, 1, 2])])
def test_a_player_looks_back_at_the_tricks_of_the_option(option: str, open_tricks: list[int]) -> None:
    table = club_table(look_back=option)
    table.play("S6 H6 D6 C6 S7 H7 D7 C7 S8 H8 D8 C8")
    seen = [trick["cards"] is not None for trick in snapshot(table.state, Observer.seat(CHIARA))["tricks"]]
    assert [at for at, is_open in enumerate(seen) if is_open] == open_tricks
    assert all(trick["cards"] for trick in snapshot(table.state, EVA)["tricks"])
    table.play_out()
    assert all(trick["cards"] for trick in snapshot(table.state, Observer.seat(CHIARA))["tricks"])


def test_before_and_after_a_game() -> None:
    assert snapshot(State(), EVA)["phase"] == "start"
    table = club_table(target=None, deals=1)
    table.play_out()
    over = snapshot(table.state, EVA)
    assert (over["phase"], over["turn"], over["winners"]) == ("over", None, (0,))
    assert over["deals"][0]["counts"] == over["deals"][0]["scores"]
    assert b"null" not in encode(table.log[-1])


def test_a_sheet() -> None:
    table = Table(preset="championship", mode="sheet")
    table.do(EnterResult(seat=ANNA, deal=1, card_points=[100, 57]))
    (result,) = snapshot(table.state, EVA)["results"]
    assert (result["deal"], result["confirmed"], result["counts"]) == (1, False, (100, 57))
    assert snapshot(Table().state, EVA)["forehand"] is None
