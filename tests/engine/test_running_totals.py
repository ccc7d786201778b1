"""The order of counting: who reaches the target first has won, in the middle of a trick too."""

from typing import Any

from engine import replay
from engine.contracts import Contract
from engine.events import DealScored, GameEnded, StoeckDeclared, TrickTaken
from engine.registry import build_game_context
from engine.scoring.running_totals import compute_running_totals
from tests.engine.tables import ANNA, BEAT, CHIARA, DARIO, SUIT_EACH, Table, club_table, only, types
from tests.engine.test_transcripts import play_all, put, transcript

STOECK_OPPOSITE = [
    "S6 S7 S8 S9 S10 SJ SA H6 H7",
    "SQ SK H8 H9 H10 HJ HQ HK HA",
    "D6 D7 D8 D9 D10 DJ DQ DK DA",
    "C6 C7 C8 C9 C10 CJ CQ CK CA",
]


def simple(contract: Contract, hands: list[str], target: int, **options: Any) -> Table:
    factors = dict.fromkeys(("diamonds", "hearts", "spades", "clubs", "obenabe", "undenufe"), 1)
    return club_table(contract, hands, target=target, multipliers=factors, **options)


def test_a_trick_that_reaches_the_target_ends_the_game() -> None:
    table = simple("spades", SUIT_EACH, 20)
    events = table.play("SJ H6 D6 C6")
    assert types(events)[-3:] == ["trick_taken", "deal_scored", "game_ended"]
    assert only(events, DealScored).card_points == [20, 0]
    assert only(events, GameEnded).winners == [0]


def test_one_point_short_of_the_target_the_game_goes_on() -> None:
    table = simple("spades", SUIT_EACH, 21)
    assert "game_ended" not in types(table.play("SJ H6 D6 C6"))
    assert "game_ended" in types(table.play("S9 H7 D7 C7"))


def test_partners_sweep_together() -> None:
    hands = ["SA SK SQ SJ S10 S9 S8 S7 D6", SUIT_EACH[1], "DA DK DQ DJ D10 D9 D8 D7 S6", SUIT_EACH[3]]
    table = simple("obenabe", hands, 257)
    table.play("D6 H6 DA C6")
    table.play("S6 C7 S7 H7")
    events = table.play_out()
    assert types(events)[-3:] == ["trick_taken", "deal_scored", "game_ended"]
    assert only(events, DealScored).scores == [257, 0]


def test_all_tricks_but_one_are_no_sweep() -> None:
    hands = ["S6 S7 S8 S9 S10 SJ SQ SK H6", "SA H7 H8 H9 H10 HJ HQ HK HA", *SUIT_EACH[2:]]
    for target in (160, 250):
        table = simple("spades", hands, target)
        table.play("S6 SA D6 C6")
        events = table.play_out()
        assert types(events)[-1] == "deal_scored"
        assert sum(only(events, DealScored).scores) == 157


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


def test_melds_and_tricks_reach_the_target_together() -> None:
    for target, over in ((54, True), (55, False)):
        table = simple("spades", SUIT_EACH, target)
        table.play("S6", melds=[["S6", "S7", "S8"]])  # 20
        table.play("H6 D6 C6 SJ H7 D7 C7")  # and 20
        events = table.play("S9 H8 D8 C8")  # and 14
        assert ("game_ended" in types(events)) is over


def test_every_deal_says_which_it_was() -> None:
    table = simple("spades", SUIT_EACH, 1000)
    for deal in (1, 2):
        assert only(table.play_out(), DealScored).deal == deal
        table.deal(SUIT_EACH)
        table.choose("spades")


def test_a_game_to_a_target_goes_on_over_several_deals() -> None:
    table = simple("spades", SUIT_EACH, 400)
    table.play_out()
    assert not table.state.over
    table.deal(SUIT_EACH)
    table.choose("spades")
    table.play_out()
    assert table.state.winners == (0,)


def test_the_multiplier_holds_when_a_stoeck_comes_before_a_trick() -> None:
    for target, winner in ((40, 1), (41, 0)):
        table = club_table("spades", STOECK_OPPOSITE, target=target)  # everything twice
        events = table.play("SJ SQ D6 C6")
        assert only(events, GameEnded).winners == [winner]
        assert [event.points for event in events if isinstance(event, StoeckDeclared)] == [20] * winner


def test_the_multiplier_holds_when_a_stoeck_comes_before_melds() -> None:
    hands = ["S6 S7 S8 S9 S10 SJ SA H6 H7", "C6 C7 H8 H9 H10 HJ HQ HK HA", SUIT_EACH[2],
             "SQ SK C8 C9 C10 CJ CQ CK CA"]  # fmt: skip
    for target, winner in ((40, 1), (41, 0)):
        table = club_table("spades", hands, target=target)
        table.play("H6", melds=[["S6", "S7", "S8"], ["S9", "S10", "SJ"]])
        assert only(table.play("H8 D6 C8"), GameEnded).winners == [winner]


def test_melds_that_reach_the_target_by_their_multiplier_wait_for_the_stoeck_as_well() -> None:
    hands = ["S6 S7 S8 S9 S10 SJ SA H6 H7", "C6 C7 H8 H9 H10 HJ HQ HK HA", SUIT_EACH[2],
             "SQ SK C8 C9 C10 CJ CQ CK CA"]  # fmt: skip
    table = club_table("spades", hands, target=40)  # everything twice
    table.play("H6", melds=[["S6", "S7", "S8"]])
    events = table.play("H8 D6 C8")
    assert types(events)[-3:] == ["stoeck_declared", "deal_scored", "game_ended"]
    assert only(events, GameEnded).winners == [1]


def test_king_and_queen_in_the_hands_of_partners_are_no_stoeck() -> None:
    hands = ["S6 S7 S8 S9 S10 SJ SA H9 HA", "SQ H6 H7 H8 H10 HJ HQ C6 C7", SUIT_EACH[2],
             "SK HK C8 C9 C10 CJ CQ CK CA"]  # fmt: skip
    events = simple("spades", hands, 11).play("HA H6 D6 HK")
    assert "stoeck_declared" not in types(events)
    assert only(events, GameEnded).winners == [0]


def test_a_stoeck_that_two_players_hold_comes_before_nothing() -> None:
    hands = [STOECK_OPPOSITE[0], "SQ H8 H9 H10 HJ HQ HK HA C6", SUIT_EACH[2], "SK C7 C8 C9 C10 CJ CQ CK CA"]
    events = simple("spades", hands, 20).play("SJ SQ D6 SK")
    assert only(events, GameEnded).winners == [0]
    hands = [STOECK_OPPOSITE[0], "SQ H8 H9 H10 HJ HQ HK HA C6", "SK D7 D8 D9 D10 DJ DQ DK DA",
             "D6 C7 C8 C9 C10 CJ CQ CK CA"]  # fmt: skip
    table = simple("spades", hands, 12)
    table.play("H6 H8 D7 D6")
    assert "stoeck_declared" not in types(table.log)


def test_a_stoeck_that_does_not_count_comes_before_nothing() -> None:
    events = simple("spades", STOECK_OPPOSITE, 20, stoeck=False).play("SJ SQ D6 C6")
    assert only(events, GameEnded).winners == [0]


def test_a_trick_without_points_does_not_bring_anybody_nearer() -> None:
    hands = ["S6 S7 S8 S9 S10 SJ SA H9 H7", "SQ SK H8 H6 H10 HJ HQ HK HA", *SUIT_EACH[2:]]
    events = simple("spades", hands, 1).play("H9 H6 D6 C6")
    assert types(events) == 4 * ["card_played"] + ["trick_taken"]


def test_the_other_side_sweeps_too() -> None:
    hands = [SUIT_EACH[1], SUIT_EACH[0], SUIT_EACH[2], SUIT_EACH[3]]
    table = simple("spades", hands, 257)
    events = table.play_out()
    assert only(events, DealScored).scores == [0, 257]
    assert only(events, GameEnded).winners == [1]


def test_a_ruling_on_the_running_deal_counts_at_once() -> None:
    """The points that a referee moves are the other side's from then on."""
    table = simple("spades", SUIT_EACH, 50)
    table.play("SJ H6 D6 C6")
    table.rule("award_from_trick", deal=1, trick=1, against=ANNA)
    assert compute_running_totals(build_game_context(table.state)) == [0, 20]
    table.play("S9 H7 D7 C7")
    assert not table.state.over
    table.play("SA HK D10 C10")
    assert table.state.winners == (1,)


def before_the_deal_is_scored(table: Table) -> list[int]:
    """The running totals when all tricks are taken."""
    last = max(event.seq for event in table.log if isinstance(event, TrickTaken))
    state = replay(table.log[: last + 1])
    return compute_running_totals(build_game_context(state))


def test_a_sweep_counts_as_soon_as_the_last_trick_is_taken() -> None:
    hands = ["SA SK SQ SJ S10 S9 S8 S7 D6", SUIT_EACH[1], "DA DK DQ DJ D10 D9 D8 D7 S6", SUIT_EACH[3]]
    table = simple("obenabe", hands, 5000)
    table.play("D6 H6 DA C6 S6 C7 S7 H7")
    table.play_out()
    assert before_the_deal_is_scored(table) == [257, 0]
    table = simple("spades", [SUIT_EACH[1], SUIT_EACH[0], SUIT_EACH[2], SUIT_EACH[3]], 5000)
    table.play_out()
    assert before_the_deal_is_scored(table) == [0, 257]


def test_no_sweep_counts_where_both_sides_took_a_trick() -> None:
    hands = ["S6 S7 S8 S9 S10 SJ SQ SK H6", "SA H7 H8 H9 H10 HJ HQ HK HA", *SUIT_EACH[2:]]
    table = simple("spades", hands, 5000)
    table.play("S6 SA D6 C6")
    table.play_out()
    assert sum(before_the_deal_is_scored(table)) == 157


def test_tricks_that_nobody_can_attribute_are_no_sweep() -> None:
    table = transcript("spades", target=200)
    play_all(table, hide=frozenset({"S7"}))
    assert before_the_deal_is_scored(table) == [157, 0]
    assert not table.state.over


def test_a_ruling_about_no_deal_leaves_what_is_known_of_this_one() -> None:
    """Points that nobody knows count for nothing, and the others go on counting."""
    table = transcript("hearts", target=25)
    put(table, (ANNA, "S6"), (BEAT, None), (CHIARA, "HJ"), (DARIO, "S8"))
    table.rule("warning")
    put(table, (CHIARA, "D6"), (DARIO, "DA"), (ANNA, "D7"), (BEAT, "D8"))
    assert compute_running_totals(build_game_context(table.state)) == [0, 11]
    put(table, (DARIO, "S7"), (ANNA, "S9"), (BEAT, "H9"), (CHIARA, "D9"))
    assert table.state.winners == (1,)


def test_between_two_deals_the_running_totals_are_the_totals() -> None:
    table = club_table()
    table.play_out()
    assert compute_running_totals(build_game_context(table.state)) == list(table.state.totals)
