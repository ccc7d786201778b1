"""Claiming out where the end must be claimed."""

from engine.commands import ClaimOut, Close
from engine.events import DealScored, GameEnded, OutClaimed
from tests.engine.tables import ANNA, BEAT, SUIT_EACH, Table, club_table, only, types


def claimable(target: int = 20, **options: object) -> Table:
    return club_table("spades", SUIT_EACH, target=target, claim_out="required", **options)


def test_the_game_does_not_end_by_itself() -> None:
    table = claimable()
    assert types(table.play("SJ H6 D6 C6"))[-1] == "trick_taken"


def test_a_right_claim_wins_with_what_is_scored_so_far() -> None:
    table = claimable()
    table.play("SJ H6 D6 C6 S9")
    events = table.do(ClaimOut(seat=2))
    assert types(events) == ["out_claimed", "deal_scored", "game_ended"]
    assert only(events, OutClaimed).right
    assert only(events, DealScored).scores == [40, 0]
    assert only(events, GameEnded).winners == [0]


def test_an_unfinished_trick_does_not_count() -> None:
    table = claimable()
    table.play("SJ H6 D6")
    events = table.do(ClaimOut(seat=ANNA))
    assert not only(events, OutClaimed).right
    assert only(events, GameEnded).winners == [1]


def test_a_claim_between_deals_has_no_deal_to_score() -> None:
    table = claimable()
    table.play_out()
    events = table.do(ClaimOut(seat=BEAT))
    assert types(events) == ["out_claimed", "game_ended"]
    assert only(events, GameEnded).winners == [0]


def test_where_nothing_can_be_claimed_it_is_refused() -> None:
    assert club_table().refused(ClaimOut(seat=ANNA)) == "claim_out/automatic"
    assert club_table(target=None, deals=1).refused(ClaimOut(seat=ANNA)) == "claim_out/no_target"
    fresh = Table(options={"claim_out": "required"})
    assert fresh.refused(ClaimOut(seat=ANNA)) == "claim_out/not_now"
    table = claimable()
    table.do(Close(reason="midnight"))
    assert table.refused(ClaimOut(seat=ANNA)) == "claim_out/not_now"
    assert table.refused(Close(reason="again")) == "close/over"
