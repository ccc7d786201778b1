"""The Stöck: declared with the second of its cards, shown by a scored meld, or lost."""

from typing import Any

import pytest

from engine import IllegalCommand, decide
from engine.cards import Card
from engine.commands import Play, Predict, StoeckSaid
from engine.contracts import Contract
from engine.events import DealScored, StoeckDeclared, TrickTaken
from tests.engine.tables import ANNA, BEAT, DARIO, SUIT_EACH, Table, club_table, only, types

MIXED = ["S6 S7 S8 S9 S10 SJ H6 H7 SK", "SQ H8 H9 H10 HJ HQ HK HA SA", "D6 D7 D8 D9 D10 DJ DQ DK DA",
         "C6 C7 C8 C9 C10 CJ CQ CK CA"]  # fmt: skip


@pytest.mark.parametrize(("first", "second"), [("SQ", "SK"), ("SK", "SQ")])
def test_it_counts_twenty_with_its_second_card(first: Card, second: Card) -> None:
    table = club_table("spades", target=None, deals=1)
    assert table.refused(Play(seat=ANNA, card=first, stoeck=True)) == "stoeck/not_second_card"
    table.play(f"{first} H6 D6 C6")
    events = table.play(second, stoeck=True)
    assert types(events) == ["card_played", "stoeck_declared"]
    assert only(events, StoeckDeclared).points == 20
    assert only(table.play_out(), DealScored).scores == [2 * (257 + 20), 0]


def test_it_is_lost_without_a_word() -> None:
    table = club_table("spades")
    table.play("SQ H6 D6 C6 SK H7 D7 C7")
    assert table.refused(Play(seat=ANNA, card="S6", stoeck=True)) == "stoeck/not_second_card"


@pytest.mark.parametrize(
    ("contract", "options", "code"),
    [
        ("obenabe", {}, "stoeck/not_second_card"),
        ("hearts", {}, "stoeck/not_second_card"),
        ("spades", {"stoeck": False}, "stoeck/not_played"),
    ],
)
def test_it_needs_trumps_and_the_option(contract: Contract, options: dict[str, Any], code: str) -> None:
    table = club_table(contract, **options)
    table.play("SQ H6 D6 C6")
    if table.turn != ANNA:
        assert table.refused(Play(seat=table.turn, card="H7", stoeck=True)) == code
    else:
        assert table.refused(Play(seat=ANNA, card="SK", stoeck=True)) == code


def test_nobody_chooses_its_sign_here() -> None:
    table = club_table("spades")
    table.play("SQ H6 D6 C6")
    assert table.refused(Play(seat=ANNA, card="SK", stoeck=-20)) == "stoeck/no_choice"


def test_it_must_be_in_one_hand() -> None:
    table = club_table("spades", MIXED)
    table.play("SK SQ D6 C6")
    assert only(table.log, TrickTaken).seat == ANNA
    table = club_table("spades", MIXED)
    table.play("SK")
    assert table.refused(Play(seat=BEAT, card="SQ", stoeck=True)) == "stoeck/not_second_card"


def test_a_scored_meld_that_shows_both_cards_declares_it() -> None:
    table = club_table("spades")
    table.play("S6", melds=[["SQ", "SK", "SA"]])
    events = table.play("H6 D6 C6")
    assert types(events)[-3:] == ["stoeck_declared", "melds_scored", "trick_taken"]
    table.play("SQ H7 D7 C7")
    assert table.refused(Play(seat=ANNA, card="SK", stoeck=True)) == "stoeck/declared_already"


def test_two_scored_melds_of_one_player_may_show_it_together() -> None:
    hands = ["S10 SJ SQ SK HK DK CK H6 H7", "S6 S7 S8 S9 H8 H9 H10 HJ HQ", "D6 D7 D8 D9 D10 DJ DQ DA HA",
             "C6 C7 C8 C9 C10 CJ CQ CA SA"]  # fmt: skip
    table = club_table("spades", hands)
    table.play("S10", melds=[["SJ", "SQ", "S10"], ["SK", "HK", "DK", "CK"]])
    assert "stoeck_declared" in types(table.play("S6 D6 SA"))


def test_a_beaten_meld_shows_nothing_and_its_stoeck_may_still_be_declared() -> None:
    hands = ["SQ SK SA H6 H7 H8 D6 D7 D8", "C6 C7 C8 C9 C10 S6 S7 H9 H10", "S8 S9 S10 SJ D9 D10 DJ HJ HQ",
             "HK HA DQ DK DA CJ CQ CK CA"]  # fmt: skip
    table = club_table("spades", hands)
    table.play("SA", melds=[["SQ", "SK", "SA"]])
    table.play("S6", melds=[["C6", "C7", "C8", "C9", "C10"]])
    assert "stoeck_declared" not in types(table.play("SJ C" + "J"))
    while table.turn != ANNA or "SQ" not in table.legal:
        table.play(table.legal.split()[0])
    table.play("SQ")
    while table.turn != ANNA or "SK" not in table.legal:
        table.play(table.legal.split()[0])
    assert "stoeck_declared" in types(table.play("SK", stoeck=True))


def refusal(table: Table, card: Card, stoeck: StoeckSaid) -> tuple[str, str, dict[str, object]]:
    with pytest.raises(IllegalCommand) as refused:
        decide(table.state, Play(seat=table.turn, card=card, stoeck=stoeck))
    return refused.value.code, refused.value.detail, refused.value.params


def test_a_refusal_says_why() -> None:
    table = club_table("spades")
    said = "declared with the second of king and queen of trumps"
    assert refusal(table, "SQ", True) == ("stoeck/not_second_card", said, {})
    table.play("SQ H6 D6 C6")
    assert refusal(table, "SK", 20) == ("stoeck/no_choice", "the Stöck is twenty points here", {"stoeck": 20})
    table.play("SK", stoeck=True)
    table.play("H7 D7 C7")
    assert refusal(table, "S6", True) == ("stoeck/declared_already", "the Stöck has been counted", {})
    table = club_table("spades", stoeck=False)
    said = "the Stöck does not count in this game"
    assert refusal(table, "SQ", True) == ("stoeck/not_played", said, {})


def test_who_chooses_its_sign_has_to_say_it() -> None:
    table = Table("differenzler", options={"stoeck": True})
    table.deal(SUIT_EACH)  # Dario shows the ace of clubs
    for _ in range(4):
        table.do(Predict(seat=table.turn, points=0))
    table.play("S6 H6 D6 CQ")
    said = "the Stöck is 20 or -20 points, as its holder says"
    assert refusal(table, "CK", True) == ("stoeck/choose", said, {"stoeck": True})
    wrong = refusal(table, "CK", 15)  # type: ignore[arg-type]  # the Stöck is never worth 15
    assert wrong == ("stoeck/choose", said, {"stoeck": 15})
    assert only(table.play("CK", stoeck=-20), StoeckDeclared).points == -20


def test_without_trumps_no_card_is_the_second_of_it() -> None:
    table = club_table("obenabe", ["D6 S7 S8 S9 S10 SJ SQ SK SA", SUIT_EACH[1], "S6 D7 D8 D9 D10 DJ DQ DK DA",
                                   SUIT_EACH[3]])  # fmt: skip
    assert refusal(table, "D6", True)[0] == "stoeck/not_second_card"


def test_a_trick_that_ends_with_a_stoeck_counts_its_cards() -> None:
    """Also in a game of so many deals, where it brings nobody to a target."""
    hands = ["S6 S7 S8 S9 S10 SJ SA H6 H7", SUIT_EACH[2], "H8 H9 H10 HJ HQ HK HA C6 C7",
             "SQ SK C8 C9 C10 CJ CQ CK CA"]  # fmt: skip
    table = Table(preset="championship")
    table.deal(hands, dealer=DARIO)
    table.choose("spades")
    table.play("SA D6 C6 SQ")
    table.play("SJ D7 C7")
    events = table.play("SK", stoeck=True)
    assert types(events) == ["card_played", "stoeck_declared", "trick_taken"]
    assert only(events, TrickTaken).points == 20 + 4
