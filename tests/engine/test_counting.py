"""The order of counting: who reaches the target first has won, in the middle of a trick too."""

from engine.events import DealScored, GameEnded, StoeckDeclared
from tests.engine.tables import DARIO, SUIT_EACH, Table, club_table, only, types

STOECK_OPPOSITE = [
    "S6 S7 S8 S9 S10 SJ SA H6 H7",
    "SQ SK H8 H9 H10 HJ HQ HK HA",
    "D6 D7 D8 D9 D10 DJ DQ DK DA",
    "C6 C7 C8 C9 C10 CJ CQ CK CA",
]


def simple(contract: str, hands: list[str], target: int, **options: object) -> Table:
    factors = dict.fromkeys(("diamonds", "hearts", "spades", "clubs", "obenabe", "undenufe"), 1)
    return club_table(contract, hands, target=target, multipliers=factors, **options)


def test_a_trick_that_reaches_the_target_ends_the_game() -> None:
    table = simple("spades", SUIT_EACH, 20)
    events = table.play("SJ H6 D6 C6")
    assert types(events)[-3:] == ["trick_taken", "deal_scored", "game_ended"]
    assert only(events, DealScored).card_points == [20, 0]
    assert only(events, GameEnded).winners == [0]


def test_a_stoeck_ends_the_game_in_the_middle_of_a_trick() -> None:
    table = simple("spades", SUIT_EACH, 23)
    table.play("SQ H6 D6 C6")
    events = table.play("SK", stoeck=True)
    assert types(events) == ["card_played", "stoeck_declared", "deal_scored", "game_ended"]
    assert only(events, DealScored).scores == [23, 0]


def test_melds_count_before_the_first_trick() -> None:
    table = simple("spades", SUIT_EACH, 150)
    table.play("S6", melds=[["S6", "S7", "S8"]])
    table.play("H6", melds=[["H6", "H7", "H8", "H9", "H10", "HJ"]])
    events = table.play("D6 C6")
    assert types(events)[-3:] == ["melds_scored", "deal_scored", "game_ended"]
    assert only(events, GameEnded).winners == [1]


def test_a_stoeck_shown_by_a_meld_counts_before_the_melds() -> None:
    table = simple("spades", SUIT_EACH, 20)
    table.play("S6", melds=[["SQ", "SK", "SA"]])
    events = table.play("H6 D6 C6")
    assert types(events)[-3:] == ["stoeck_declared", "deal_scored", "game_ended"]
    assert "melds_scored" not in types(events)


def test_a_stoeck_still_held_comes_before_the_trick_of_the_other_side() -> None:
    table = simple("spades", STOECK_OPPOSITE, 20)
    events = table.play("SJ SQ D6 C6")
    assert types(events)[-3:] == ["stoeck_declared", "deal_scored", "game_ended"]
    assert "trick_taken" not in types(events)
    assert only(events, StoeckDeclared).seat == 1
    assert only(events, GameEnded).winners == [1]


def test_a_stoeck_with_both_cards_in_hand_comes_before_melds() -> None:
    hands = [
        "S6 S7 S8 S9 S10 SJ SA H6 H7",
        "C6 C7 H8 H9 H10 HJ HQ HK HA",
        "D6 D7 D8 D9 D10 DJ DQ DK DA",
        "SQ SK C8 C9 C10 CJ CQ CK CA",
    ]
    table = simple("diamonds", hands, 20)
    table.play("S6", melds=[["S6", "S7", "S8"]])
    assert "melds_scored" in types(table.play("H8 D6 SQ"))
    table = simple("spades", hands, 20)
    table.play("H6", melds=[["S6", "S7", "S8"]])
    events = table.play("H8 D6 C8")
    assert only(events, StoeckDeclared).seat == DARIO
    assert types(events)[-3:] == ["stoeck_declared", "deal_scored", "game_ended"]


def test_without_the_priority_the_trick_wins() -> None:
    table = simple("spades", STOECK_OPPOSITE, 20, stoeck_priority=False)
    events = table.play("SJ SQ D6 C6")
    assert only(events, GameEnded).winners == [0]


def test_a_stoeck_too_small_for_the_target_waits() -> None:
    table = simple("spades", STOECK_OPPOSITE, 23)
    assert only(table.play("SJ SQ D6 C6"), GameEnded).winners == [0]


def test_a_stoeck_of_the_same_side_does_not_come_before_its_own_trick() -> None:
    hands = [STOECK_OPPOSITE[0], STOECK_OPPOSITE[2], STOECK_OPPOSITE[1], STOECK_OPPOSITE[3]]
    table = simple("spades", hands, 20)
    events = table.play("SJ D6 SQ C6")
    assert "stoeck_declared" not in types(events)
    assert only(events, GameEnded).winners == [0]


def test_a_stoeck_played_or_declared_already_gives_no_priority() -> None:
    table = simple("spades", STOECK_OPPOSITE, 200)
    table.play("S6 SQ D6 C6")
    assert table.turn == 1
    table.play("SK", stoeck=True)
    assert only(table.log, StoeckDeclared).seat == 1
    table.play("D7 C7 S7")
    while table.state.dealing:
        table.play(table.legal.split()[-1])
    assert types(table.log).count("stoeck_declared") == 1


def test_a_sweep_counts_with_the_last_trick() -> None:
    table = simple("spades", SUIT_EACH, 250)
    events = table.play_out()
    assert types(events)[-3:] == ["trick_taken", "deal_scored", "game_ended"]
    assert only(events, DealScored).scores == [257, 0]


def test_multipliers_hold_for_everything_scored() -> None:
    table = club_table("undenufe", SUIT_EACH, target=5000)
    table.play("S6", melds=[["S6", "S7", "S8"]])
    assert only(table.play_out(), DealScored).scores == [4 * (157 + 20 + 100), 0]


def test_whichever_end_comes_first() -> None:
    table = simple("spades", SUIT_EACH, 1000, deals=1)
    assert only(table.play_out(), GameEnded).winners == [0]


def test_a_game_to_a_target_goes_on_over_several_deals() -> None:
    table = simple("spades", SUIT_EACH, 400)
    table.play_out()
    assert not table.state.over
    table.deal(SUIT_EACH)
    table.choose("spades")
    table.play_out()
    assert table.state.winners == (0,)
