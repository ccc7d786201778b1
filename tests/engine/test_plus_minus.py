"""Plus-Minus: the first card that does not follow makes trumps; sticks for the odd, the high and the low."""

from typing import Literal

import pytest
from msgspec.structs import replace

from engine import State, evolve, to_act
from engine.audit import audit
from engine.cards import INDEX, SUIT_NAMES, Card, codes, mask
from engine.commands import Play
from engine.contracts import TOP_DOWN
from engine.events import CardPlayed, ContractSet, DealScored, DealStarted, GameEnded, TrickTaken
from engine.registry import build_game_context, get_rules
from engine.scoring.deal_scores import count_deal, list_items
from engine.variants.plus_minus import PLUS_MINUS, Options, sticks
from tests.engine.random_games import Game, log_of
from tests.engine.tables import ANNA, BEAT, DARIO, SUIT_EACH, Table, only, types

OF_EACH_SUIT: list[Card] = ["S6", "H6", "D6", "C6"]


def a_table(hands: list[str] = SUIT_EACH, seats: int = 4, **options: object) -> Table:
    table = Table("plus-minus", seats=seats, options=options)
    table.deal(hands, dealer=seats - 1)
    return table


def test_the_first_card_that_does_not_follow_makes_trumps_and_is_one() -> None:
    table = a_table()
    assert to_act(table.state) == (ANNA, "trick_play", ("play",))
    events = table.play("S6 H6")
    assert types(events) == ["card_played", "card_played", "contract_set"]
    assert only(events, ContractSet).contract == "hearts"
    assert only(events, ContractSet).seat is None
    assert only(table.play("D6 C6"), TrickTaken).seat == BEAT


def test_a_record_in_which_the_first_card_that_does_not_follow_names_no_trumps_is_refused() -> None:
    table = a_table()
    written = [CardPlayed(seq=6 + turn, seat=turn, card=card) for turn, card in enumerate(OF_EACH_SUIT)]
    taken = TrickTaken(seq=10, seat=ANNA, points=0)
    difference = audit([*table.log, *written, taken])
    assert difference is not None
    assert (difference.seq, difference.expected) == (8, ContractSet(seq=8, contract="hearts"))


def test_a_player_with_the_suit_led_must_follow_before_there_are_trumps() -> None:
    hands = ["C10 D6 D7 D8 D9 D10 DJ DQ DK", "C7 H7 HA DA H6 H8 H9 H10 HJ", "C6 C8 C9 CJ CQ CK CA S6 S7",
             "S8 S9 S10 SJ SQ SK SA HQ HK"]  # fmt: skip
    table = a_table(hands)
    table.play("C10")
    assert table.legal == "C7"


@pytest.mark.parametrize(
    ("undertrump", "hand", "legal"),
    [
        ("forced", "C7 H7 HA D6", "HA C7"),
        ("forced", "H7 HA D6", "HA"),
        ("forced", "H7 D6", "H7"),
        ("forced", "H7 HJ D6", "H7 HJ"),
        ("forced", "HJ D6", "D6 HJ"),
        ("forced", "D6 D7", "D6 D7"),
        ("only-trumps", "C7 H7 HA D6", "HA C7"),
        ("only-trumps", "H7 HA D6", "D6 HA"),
        ("only-trumps", "H7 D6", "D6"),
    ],
)
def test_what_may_be_played_when_a_club_was_trumped_with_the_eight_of_hearts(
    undertrump: Literal["forced", "only-trumps"], hand: str, legal: str
) -> None:
    rules = PLUS_MINUS.play(Options(undertrump=undertrump))
    follow = rules.following[SUIT_NAMES.index("hearts")]
    assert codes(follow(mask(hand.split()), [INDEX["C10"], INDEX["H8"]])) == legal.split()


def test_points_wait_for_trumps_and_are_counted_by_those_at_the_end() -> None:
    hands = ["D6 D7 DJ D9 S6 S7 S8 S9 S10", "D8 SJ SQ SK SA C6 C7 C8 C9", "D10 C10 CJ CQ CK CA H6 H7 H8",
             "DQ DK DA H9 H10 HJ HQ HK HA"]  # fmt: skip
    table = a_table(hands)
    assert only(table.play("D6 D8 D10 DA"), TrickTaken).points is None
    events = table.play("DQ D7")
    assert table.state.contract is None
    events = table.play("C6")
    assert only(events, ContractSet).contract == "clubs"
    table.play_out()
    assert sum(only(table.log, DealScored).card_points) == 157
    assert audit(table.log) is None


def test_a_deal_without_trumps_counts_its_eights() -> None:
    """Everybody holds three cards of each suit, so everybody follows to the end."""
    three = ["D6 D7 D8 H6 H7 H8 S6 S7 S8 C6 C7 C8", "D9 D10 DJ H9 H10 HJ S9 S10 SJ C9 C10 CJ",
             "DQ DK DA HQ HK HA SQ SK SA CQ CK CA"]  # fmt: skip
    table = a_table(three, seats=3)
    events = table.play_out()
    assert "contract_set" not in types(table.log)
    assert [e.points for e in events if isinstance(e, TrickTaken)] == [None] * 12
    assert only(events, DealScored).card_points == [0, 0, 157]
    assert audit(table.log) is None


@pytest.mark.parametrize(
    ("points", "scores", "ties"),
    [
        ([60, 40, 40, 17], [1, 0, 0, 1], ()),
        ([60, 60, 20, 17], [0, 0, 0, 1], ((0, 1),)),
        ([100, 30, 20, 7], [0, 0, 0, 1], ()),
        ([39, 39, 39, 40], [0, 0, 0, 2], ()),
        ([157, 0, 0, 0], [2, 0, 0, 0], ()),
        ([57, 50, 50], [2, 0, 0], ()),
        ([60, 57, 40], [1, 0, 1], ()),
        ([60, 60, 37], [0, 0, 2], ()),
        ([99, 30, 14, 14], [1, 0, 0, 0], ((2, 3),)),
        ([117, 20, 10, 10], [0, 0, 0, 0], ((2, 3),)),
        ([0, 0, 0, 0], [0, 0, 0, 0], ()),
    ],
)
def test_sticks(points: list[int], scores: list[int], ties: object) -> None:
    assert sticks(points) == (scores, ties)


def test_a_remembered_tie_is_paid_when_one_of_the_two_scores() -> None:
    table = a_table()
    table.play_out()
    record = replace(table.state.records[0], ties=((0, 1), (0, 1), (0, 2)))
    scored = count_deal(
        build_game_context(table.state), record, list_items(build_game_context(table.state), record)
    )
    assert scored.card_points == (0, 157, 0, 0)
    assert scored.scores == (0, 4, 0, 0)
    assert scored.ties == ((0, 2),)


def test_the_first_with_seven_and_more_than_all_others_wins() -> None:
    winner = PLUS_MINUS.winner
    assert winner is not None
    assert winner(Options(), [6, 0, 0, 0], ()) is None
    assert winner(Options(), [7, 7, 0, 0], ()) is None
    assert winner(Options(), [8, 7, 0, 0], ()) == [0]
    table = a_table()
    while not table.state.over:
        table.play_out()
        if not table.state.over:
            table.deal(SUIT_EACH)
    ended = only(table.log, GameEnded)
    assert max(ended.totals) >= 7
    assert audit(table.log) is None


def test_ties_are_written_down_and_remembered() -> None:
    """Beat trumps with hearts, Chiara takes the last trick with the Puur, the others nothing."""
    beat, chiara = "H6 H7 H8 H9 H10 HQ HK HA D8", "D6 D7 D9 D10 DJ DQ DK DA HJ"
    table = a_table([SUIT_EACH[0], beat, chiara, SUIT_EACH[3]])
    table.play("S6 H6")
    table.play_out()
    scored = only(table.log, DealScored)
    assert [scored.card_points[seat] for seat in (ANNA, DARIO)] == [0, 0]
    assert scored.scores == [0, 1, 0, 0]
    assert scored.ties == [[ANNA, DARIO]]
    assert table.state.ties == ((ANNA, DARIO),)


def test_a_trick_with_an_unknown_card_leaves_the_deal_open() -> None:
    table = Table("plus-minus", mode="transcribed")
    table.deal(SUIT_EACH, dealer=DARIO)
    table.play("S6 H6")
    assert table.state.contract == "hearts"
    table.do(Play(seat=2, card=None))
    table.do(Play(seat=3, card=None))
    while table.state.dealing:
        turn = to_act(table.state)
        assert turn is not None
        table.do(Play(seat=ANNA if turn.seat is None else turn.seat, card=None))
    assert only(table.log, DealScored).scores == [None] * 4
    assert only(table.log, DealScored).ties == []


def test_seven_sticks_win_and_six_do_not() -> None:
    winner = PLUS_MINUS.winner
    assert winner is not None
    assert winner(Options(), (7, 6, 0, 0), ()) == [0]
    assert winner(Options(), (6, 5, 0, 0), ()) is None
    assert winner(Options(), (8, 8, 0, 0), ()) is None


def test_a_trick_is_played_top_down_until_a_card_names_trumps_in_it() -> None:
    met = set()
    for seed in range(6):
        state, named, done = State(), None, 0
        for event in log_of(Game("plus-minus", None, 4), seed):
            if isinstance(event, DealStarted):
                named, done = None, 0
            elif isinstance(event, ContractSet):
                named = done
            elif isinstance(event, TrickTaken):
                done += 1
            evolve(state, event)
            if isinstance(event, DealScored):
                record = state.records[-1]
                trump = TOP_DOWN if named is None else SUIT_NAMES.index(record.contract)
                wanted = [TOP_DOWN if named is None or at < named else trump for at in range(done)]
                assert [get_rules(state).mode_in(record, at) for at in range(done)] == wanted
                met.add(named)
    assert {0, 1} <= met


@pytest.mark.parametrize("led", range(4))
def test_whichever_suit_is_led_the_next_one_makes_trumps(led: int) -> None:
    table = a_table([*SUIT_EACH[led:], *SUIT_EACH[:led]])
    suits = ["spades", "hearts", "diamonds", "clubs"]
    events = table.play(f"{SUIT_EACH[led].split()[0]} {SUIT_EACH[(led + 1) % 4].split()[0]}")
    assert only(events, ContractSet).contract == suits[(led + 1) % 4]
