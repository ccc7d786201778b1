"""A trick is counted with care where it could end the game; others go the short way."""

from typing import Any

import pytest
from msgspec.structs import replace

from engine import Event
from engine.audit import audit
from engine.cards import INDEX
from engine.commands import Bid, Deal, Pass
from engine.events import GameStarted
from engine.phases import trick_play
from engine.phases.dealing import deck_from_hands
from engine.phases.trick_play import count_trick_points
from engine.registry import build_game_context
from engine.scoring.running_totals import MAX_IN_A_TRICK, compute_points_to_target, is_target_near
from tests.engine.random_games import Game, log_of
from tests.engine.tables import ANNA, BEAT, CHIARA, SIMPLE, SUIT_EACH, Table, cards_of, club_table

TRICKS = [" ".join(cards) for cards in zip(*(hand.split() for hand in SUIT_EACH), strict=True)]


def table_to(target: int, **options: Any) -> Table:
    """Before the first card of a deal in spades, of which Anna holds all."""
    return club_table("spades", target=target, **{"multipliers": SIMPLE, **options})


def test_no_trick_brings_more_than_the_four_best_trumps_a_point_by_option_and_the_last_five() -> None:
    best = count_trick_points(
        build_game_context(table_to(1000).state),
        [INDEX["SJ"], INDEX["S9"], INDEX["SA"], INDEX["S10"]],
        last=True,
    )
    assert best == MAX_IN_A_TRICK - 1


def test_a_target_is_near_where_the_best_trick_reaches_it() -> None:
    assert is_target_near(build_game_context(table_to(61).state))
    assert not is_target_near(build_game_context(table_to(62).state))
    assert not is_target_near(build_game_context(table_to(1000).state))


def test_no_target_is_near_where_players_must_claim_it() -> None:
    assert not is_target_near(build_game_context(table_to(61, claim_out="required").state))


def test_the_multiplier_brings_the_target_nearer() -> None:
    twice = {**SIMPLE, "spades": 2}
    assert is_target_near(build_game_context(table_to(122, multipliers=twice).state))
    assert not is_target_near(build_game_context(table_to(123, multipliers=twice).state))


def test_the_multiplier_holds_for_what_was_taken_and_for_the_trick_to_come() -> None:
    for target, near in ((40 + 122, True), (40 + 123, False)):
        table = table_to(target, multipliers={**SIMPLE, "spades": 2})
        table.play("SJ H6 D6 C6")
        assert is_target_near(build_game_context(table.state)) is near


def test_melds_bring_the_target_nearer() -> None:
    for target, near in ((81, True), (82, False)):
        table = table_to(target)
        table.play("S6", melds=[["S6", "S7", "S8"]])
        table.play("H6 D6 C6")
        assert is_target_near(build_game_context(table.state)) is near


def test_a_sweep_brings_the_target_nearer_in_the_last_trick_alone() -> None:
    for target, near in ((108 + 61 + 100, True), (108 + 61 + 101, False)):
        table = table_to(target)
        for trick in TRICKS[:8]:
            assert not is_target_near(build_game_context(table.state))
            table.play(trick)
        assert is_target_near(build_game_context(table.state)) is near


def test_melds_worth_more_than_all_cards_and_the_sweep_bring_it_nearer_too() -> None:
    hands = ["SJ HJ DJ CJ S6 S7 S8 S9 S10", "H6 H7 H8 H9 H10 SQ SK SA D6", "D7 D8 D9 D10 DQ DK DA C6 C7",
             "HQ HK HA C8 C9 C10 CQ CK CA"]  # fmt: skip
    four_jacks, run = ["SJ", "HJ", "DJ", "CJ"], ["S6", "S7", "S8", "S9", "S10"]
    for target, near in ((300 + 61, True), (300 + 62, False)):
        table = club_table("hearts", hands, target=target, multipliers=SIMPLE)
        table.play("S6", melds=[four_jacks, run])
        table.play("SQ C6 C8")
        assert table.state.melds == ((0, 300),)
        assert is_target_near(build_game_context(table.state)) is near


def test_melds_of_both_partners_are_added_up() -> None:
    hands = ["S6 S7 S8 H6 H7 H8 H9 D6 C6", "S9 H10 D7 D9 D10 DJ C7 C9 CJ", "S10 SJ SQ HJ HQ DA DK DQ C8",
             "SK SA HK HA D8 C10 CQ CK CA"]  # fmt: skip
    for target, near in ((151, True), (152, False)):
        table = club_table("clubs", hands, target=target, multipliers=SIMPLE)
        table.play("S6", melds=[["S6", "S7", "S8"], ["H6", "H7", "H8", "H9"]])
        table.play("S9")
        table.play("S10", melds=[["S10", "SJ", "SQ"]])
        table.play("SK")
        assert [sum(points or 0 for _, points in table.state.melds), table.state.taken] == [90, [0, 0, 0, 14]]
        assert is_target_near(build_game_context(table.state)) is near


def test_a_target_may_be_what_somebody_has_bid() -> None:
    table = Table("bieter", seats=3, options={"minimum_bid": 50, "opponents_target": 5000})
    deck = [*deck_from_hands([cards_of(hand) for hand in SUIT_EACH[:3]], ANNA), *cards_of(SUIT_EACH[3])]
    table.do(Deal(deck=deck, dealer=CHIARA))
    assert not is_target_near(build_game_context(table.state))
    table.do(Bid(seat=ANNA, points=50))
    for seat in (BEAT, CHIARA):
        table.do(Pass(seat=seat))
    assert is_target_near(build_game_context(table.state))


def test_what_is_left_is_rounded_up_to_whole_points_of_cards() -> None:
    for target, left in ((120, 60), (121, 61)):
        table = table_to(target, multipliers={**SIMPLE, "spades": 2})
        assert compute_points_to_target(build_game_context(table.state)) == [left, left]


def test_where_a_ruling_says_who_gets_the_points_of_the_deal_any_trick_may_reach_the_target() -> None:
    table = table_to(150)
    table.play(TRICKS[5])
    assert compute_points_to_target(build_game_context(table.state)) == [124, 150]
    table.rule("award_from_trick", deal=1, trick=1, against=BEAT)
    assert compute_points_to_target(build_game_context(table.state)) == [0, 0]


def test_a_ruling_on_an_earlier_deal_brings_no_target_nearer() -> None:
    table = table_to(500, sweep_bonus=0)
    table.play_out()
    table.rule("score_change", deal=1, scores=[400, 17])
    table.deal(SUIT_EACH)
    table.choose("spades")
    assert compute_points_to_target(build_game_context(table.state)) == [100, 483]
    assert not is_target_near(build_game_context(table.state))


def with_target(log: list[Event], name: str, target: int) -> list[Event]:
    """The same, by what its first event says played to another target."""
    start = log[0]
    assert isinstance(start, GameStarted)
    return [replace(start, options={**start.options, name: target}), *log[1:]]


@pytest.mark.parametrize(
    ("game", "name"),
    [(Game("schieber", None, 4), "target"), (Game("bieter", None, 3), "opponents_target")],
    ids=str,
)
def test_a_log_that_goes_on_beyond_its_target_or_ends_before_it_is_refused_where_each_card_decided_says_so(
    monkeypatch: pytest.MonkeyPatch, game: Game, name: str
) -> None:
    places = set()
    for seed in range(6):
        log = log_of(game, seed)
        assert audit(log) is None
        for target in range(40, 1400, 45):
            changed = with_target(log, name, target)
            found = audit(changed)
            monkeypatch.setattr(trick_play, "compute_points_to_target", lambda context: [0])
            assert audit(changed) == found, target
            monkeypatch.undo()
            places.add(type(found.expected).__name__ if found else "")
    assert {"DealScored", "GameEnded"} <= places
