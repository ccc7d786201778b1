"""The Swisslos / jass-kit log format."""

import json
from pathlib import Path
from typing import Any

import pytest

from engine import CorruptLog
from engine.audit import audit
from engine.commands import Push, TakeBack
from engine.events import ContractSet, DealScored, DealStarted, InfractionFound, Pushed
from engine.formats.swisslos import OPTIONS, VARIANT, export_games, import_games
from tests.engine.tables import ANNA, DARIO, SUIT_EACH, Table, club_table, only, types

SAMPLE = (Path(__file__).parent / "data" / "swisslos-sample.json").read_bytes()


def game(**changes: Any) -> dict[str, Any]:
    return {**json.loads(SAMPLE), **changes}


def as_line(value: Any) -> bytes:
    return json.dumps(value).encode()


def test_a_game_really_played_is_imported_and_audits_clean() -> None:
    (log,) = import_games(SAMPLE)
    assert only(log, DealStarted).dealer == 1
    assert only(log, Pushed).seat == 2
    assert only(log, ContractSet).contract == "undenufe"
    assert only(log, ContractSet).seat == 0
    assert only(log, DealScored).card_points == [78, 79]
    assert "infraction_found" not in types(log)
    assert audit(log) is None


def test_the_same_bytes_come_back() -> None:
    assert b"".join(export_games(list(import_games(SAMPLE)))) == SAMPLE.strip()


@pytest.mark.parametrize(
    "line",
    [
        as_line({"game": game(), "date": "today", "player_ids": [1, 2, 3, 4]}),
        b"2017-10-01 12:00:00 INFO server " + as_line({"rounds": [game()], "players": []}),
        as_line({k: v for k, v in game(forehand=0).items() if k != "tss"}),
    ],
)
def test_wrapped_games_are_found(line: bytes) -> None:
    (log,) = import_games(line)
    assert log == next(import_games(SAMPLE))


def test_forehand_may_have_named_the_contract() -> None:
    (log,) = import_games(as_line(game(tss=0)))
    assert "pushed" not in types(log)
    assert json.loads(next(export_games([log])))["tss"] == 0


@pytest.mark.parametrize("slip", ["deal_started", "pushed"])
def test_the_export_counts_no_push_and_no_deal_that_was_taken_back(slip: str) -> None:
    table = Table(VARIANT, 4, options=OPTIONS, mode="transcribed")
    table.deal(SUIT_EACH, dealer=DARIO)
    table.do(Push(seat=ANNA))
    table.do(TakeBack(to=types(table.log).index(slip)))
    if slip == "deal_started":
        table.deal(SUIT_EACH, dealer=DARIO)
        table.do(Push(seat=ANNA))
    table.choose("obenabe")
    table.play_out()
    pushed = slip == "deal_started"
    assert [json.loads(line)["tss"] for line in export_games([table.log])] == [pushed]


def test_an_illegal_card_is_marked_not_refused() -> None:
    tricks = json.loads(SAMPLE)["tricks"]
    first, second = tricks[0], tricks[1]
    first["cards"][1], second["cards"][3] = second["cards"][3], first["cards"][1]
    for trick in (first, second):
        trick.pop("points"), trick.pop("win")
    with pytest.raises(CorruptLog, match="swisslos/wrong_result"):
        list(import_games(as_line(game(tricks=tricks))))


def test_a_revoke_is_imported_and_marked() -> None:
    table = Table(preset="championship", options={"deals": 1})
    hands = ["C10 S6 S7 S8 S9 S10 SJ SQ SK", "C6 H7 H8 H9 H10 HJ HQ HK HA", "D6 D7 D8 D9 D10 DJ DQ DK DA",
             "C7 C8 C9 CJ CQ CK CA SA H6"]  # fmt: skip
    table.deal(hands, dealer=DARIO)
    table.choose("obenabe")
    table.play_out()
    record = json.loads(next(export_games([table.log])))
    at = next(i for i, trick in enumerate(record["tricks"]) if "C6" in trick["cards"])
    later = next(i for i, trick in enumerate(record["tricks"]) if "H9" in trick["cards"] and i != at)
    one, two = record["tricks"][at], record["tricks"][later]
    i, j = one["cards"].index("C6"), two["cards"].index("H9")
    one["cards"][i], two["cards"][j] = "H9", "C6"
    for trick in record["tricks"]:
        del trick["points"], trick["win"]
    try:
        (log,) = import_games(as_line(record))
    except CorruptLog as error:
        assert error.code == "swisslos/impossible"  # noqa: PT017 - the import may also succeed
        return
    assert any(isinstance(event, InfractionFound) for event in log)


def test_a_game_broken_off_is_imported_as_far_as_it_goes() -> None:
    whole = game()
    cut = game(
        tricks=[*whole["tricks"][:2], {"first": 0, "cards": ["S9"]}], player=[{"hand": ["D10"]}, {}, {}, {}]
    )
    (log,) = import_games(as_line(cut))
    assert types(log)[-1] == "card_played"
    assert list(export_games([log])) == []


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"trump": 6}, "swisslos/malformed"),
        ({"dealer": None}, "swisslos/malformed"),
        ({"tricks": [{"cards": ["X1"], "first": 0}]}, "swisslos/malformed"),
        ({"tricks": [{"cards": ["S6", "S6"], "first": 0}]}, "swisslos/impossible"),
        ({"player": [{"hand": ["S6"] * 10}]}, "swisslos/impossible"),
        (
            {"tricks": [{"cards": ["C7", "CK", "C6", "CJ"], "points": 18, "win": 0, "first": 2}]},
            "swisslos/impossible",
        ),
    ],
)
def test_what_cannot_be_a_game_names_the_line(changes: dict[str, Any], code: str) -> None:
    with pytest.raises(CorruptLog) as error:
        list(import_games(b"\n" + as_line(game(**changes))))
    assert error.value.code == code
    assert "line 2" in error.value.detail


def test_a_deal_broken_off_is_not_exported() -> None:
    table = club_table("hearts", SUIT_EACH, target=None, deals=1)
    table.rule("annul_deal", deal=1)
    assert list(export_games([table.log])) == []


def test_an_empty_file_holds_no_game() -> None:
    with pytest.raises(CorruptLog):
        list(import_games(b" \n"))


def test_what_the_format_cannot_hold_is_not_exported() -> None:
    table = club_table("slalom-obenabe", SUIT_EACH, contracts=["slalom-obenabe"], target=None, deals=1)
    table.play_out()
    with pytest.raises(CorruptLog, match="slalom-obenabe"):
        list(export_games([table.log]))
    with pytest.raises(CorruptLog, match="not_exportable"):
        list(export_games([[]]))
    from tests.engine.test_transcripts import play_all, transcript

    hidden = transcript("spades")
    play_all(hidden, hide=frozenset({"HA"}))
    with pytest.raises(CorruptLog, match="not known"):
        list(export_games([hidden.log]))
