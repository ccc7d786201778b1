"""Rulings: events of their own, with what the deal and the game count before and after."""

from typing import Any

import pytest

from engine import IllegalCommand, State, legal_cards, to_act
from engine.commands import Rule, RulingKind
from engine.events import DealAnnulled, DealScored, GameEnded, RulingMade, SuitBarred
from engine.registry import build_game_context
from engine.ruling import preview_ruling
from engine.scoring.ruling_effects import score_deal
from engine.scoring.running_totals import compute_running_totals
from tests.engine.tables import ANNA, BEAT, CHIARA, DARIO, SUIT_EACH, Table, cards_of, only, types
from tests.engine.test_transcripts import put, transcript

#  Anna takes trick 1 (obenabe, 45 points), Beat trick 2 and so on: enough to see where points go.
HANDS = ["SA SK H6 H7 H8 D6 D7 D8 C6", "S6 S7 HA HK HQ D9 D10 C7 C8", "S8 S9 H9 H10 DA DK DQ C9 C10",
         "S10 SJ SQ HJ DJ CJ CQ CK CA"]  # fmt: skip


def table_after_a_deal(**options: Any) -> Table:
    table = Table(preset="championship", options={"deals": 2, **options})
    table.deal(HANDS, dealer=DARIO)
    table.choose("obenabe")
    table.play_out()
    return table


def points_from(table: Table, trick: int) -> tuple[int, int]:
    gained = [0, 0]
    for at, taken in enumerate(table.state.records[0].tricks):
        if at >= trick - 1:
            gained[(taken.taker or 0) % 2] += taken.points or 0
    return gained[0], gained[1]


def test_all_points_from_that_trick_on_go_to_the_other_side() -> None:
    table = table_after_a_deal()
    before = table.state.totals
    lost = points_from(table, 4)[1]
    made = only(table.rule("award_from_trick", deal=1, trick=4, against=BEAT, article="12"), RulingMade)
    assert made.ruling == 1
    assert made.article == "12"
    assert tuple(made.scores_before or ()) == before
    assert made.scores == [before[0] + lost, before[1] - lost]
    assert tuple(made.totals) == table.state.totals == (before[0] + lost, before[1] - lost)


def test_what_was_given_away_comes_back_from_the_trick_of_a_later_ruling_on() -> None:
    table = table_after_a_deal()
    late = sum(points_from(table, 9))
    given = only(table.rule("award_from_trick", deal=1, trick=5, against=ANNA), RulingMade)
    assert given.scores is not None
    mine, theirs = (points or 0 for points in given.scores)
    back = only(table.rule("award_from_trick", deal=1, trick=9, against=BEAT), RulingMade)
    assert late
    assert back.scores == [mine + late, theirs - late]


def test_a_sweep_and_a_stoeck_that_fall_later_go_too() -> None:
    table = Table(preset="championship", options={"deals": 2})
    table.deal(SUIT_EACH, dealer=DARIO)
    table.choose("spades")
    table.play("SQ H6 D6 C6")
    table.play("SK", stoeck=True)
    table.play_out()
    assert table.state.totals == (277, 0)
    made = only(table.rule("award_from_trick", deal=1, trick=2, against=CHIARA), RulingMade)
    assert made.scores == [3, 274]


def test_a_ruling_on_the_running_deal_counts_when_it_is_scored() -> None:
    table = Table(preset="championship")
    table.deal(SUIT_EACH, dealer=DARIO)
    table.choose("spades")
    table.play("SJ H6 D6 C6")
    made = only(table.rule("award_from_trick", deal=1, trick=2, against=ANNA), RulingMade)
    assert made.scores is None
    assert only(table.play_out(), DealScored).scores == [20, 237]


def test_a_card_without_power_leaves_the_trick_to_the_next_strongest() -> None:
    table = table_after_a_deal()
    first = table.state.records[0].tricks[0]
    assert first.taker == CHIARA
    made = only(table.rule("card_powerless", deal=1, trick=1, against=CHIARA), RulingMade)
    moved = first.points or 0
    ours, theirs = table.state.records[0].scores
    assert ours is not None
    assert theirs is not None
    assert made.scores == [ours - moved, theirs + moved]


@pytest.mark.parametrize(
    ("trick", "guilty", "points"),
    [
        ("S10 HA SA S7", CHIARA, [32, 0]),  # the next strongest spade is the ten that was led
        ("S7 SA HA S10", BEAT, [0, 32]),
        ("SA HA S7 S10", ANNA, [0, 32]),  # spades were led all the same
    ],
)
def test_of_the_other_cards_the_strongest_takes_a_trick_by_the_suit_led(
    trick: str, guilty: int, points: list[int]
) -> None:
    table = transcript("obenabe")
    put(table, *enumerate(cards_of(trick)))
    table.rule("card_powerless", deal=1, trick=1, against=guilty)
    assert compute_running_totals(build_game_context(table.state)) == points


def test_an_annulled_deal_counts_nothing_and_the_same_dealer_deals_again() -> None:
    table = Table(preset="championship")
    table.deal(SUIT_EACH, dealer=CHIARA)
    events = table.rule("annul_deal", deal=1)
    assert types(events) == ["ruling_made", "deal_annulled"]
    assert only(events, DealAnnulled).deal == 1
    table.deal(SUIT_EACH)
    assert (table.state.deal, table.state.dealer) == (2, CHIARA)


def test_an_annulled_deal_is_not_counted_among_the_deals() -> None:
    table = table_after_a_deal()
    table.rule("annul_deal", deal=1)
    assert table.state.totals == (0, 0)
    for _ in range(2):
        table.deal(HANDS)
        table.choose("obenabe")
        table.play_out()
    assert table.state.over


@pytest.mark.parametrize("running", [True, False])
def test_a_short_hand_gives_the_opponents_all_points(running: bool) -> None:
    table = Table(preset="championship")
    table.deal(HANDS, dealer=DARIO)
    table.choose("obenabe")
    if not running:
        table.play_out()
    events = table.rule("short_hand", deal=1, against=ANNA, choice="points")
    assert table.state.totals == (0, 157)
    assert types(events) == (["ruling_made", "deal_scored"] if running else ["ruling_made"])


def test_a_short_hand_may_annul_the_deal_instead() -> None:
    table = Table(preset="championship")
    table.deal(HANDS, dealer=DARIO)
    assert types(table.rule("short_hand", deal=1, against=ANNA, choice="annul")) == [
        "ruling_made",
        "deal_annulled",
    ]
    assert to_act(table.state) == (None, "dealing", ("deal",))


def test_a_barred_suit_may_not_be_led_once() -> None:
    table = Table(preset="championship")
    table.deal(HANDS, dealer=DARIO)
    table.choose("obenabe")
    assert only(table.rule("bar_suit", against=ANNA, suit="spades"), SuitBarred).suit == "spades"
    assert "SA" not in table.legal
    table.play("H6")
    table.play_out()
    assert table.state.barred == (0, 0, 0, 0)


def test_a_barred_suit_may_be_led_by_who_has_no_other() -> None:
    table = Table(preset="championship")
    table.deal(SUIT_EACH, dealer=DARIO)
    table.choose("obenabe")
    table.rule("bar_suit", against=ANNA, suit="spades", deal=1, trick=1)
    assert legal_cards(table.state).bit_count() == 9


def test_penalties_come_off_the_total_and_warnings_change_nothing() -> None:
    table = table_after_a_deal()
    before = table.state.totals
    assert only(table.rule("penalty", against=DARIO, points=20), RulingMade).totals == [
        before[0],
        before[1] - 20,
    ]
    table.rule("warning", against=DARIO)
    assert table.state.totals == (before[0], before[1] - 20)


def test_what_counts_is_the_last_ruling_and_replacing_one_brings_the_record_back() -> None:
    table = table_after_a_deal()
    before = table.state.totals
    table.rule("score_change", deal=1, scores=[1, 2])
    assert table.state.totals == (1, 2)
    table.rule("short_hand", deal=1, against=ANNA, choice="points")
    assert table.state.totals == (0, 157)
    table.rule("warning", replaces=2)
    assert table.state.totals == (1, 2)
    table.rule("warning", replaces=1, deal=1)
    assert table.state.totals == before
    assert table.refused(Rule(kind="warning", replaces=1, reason="x")) == "rule/nothing_to_replace"


def test_two_transfers_on_one_deal_add_up() -> None:
    table = table_after_a_deal()
    table.rule("award_from_trick", deal=1, trick=9, against=ANNA)
    table.rule("award_from_trick", deal=1, trick=1, against=BEAT)
    assert table.state.totals == (157, 0) or table.state.totals == (257, 0)


def test_what_two_rulings_move_counts_where_the_later_one_leaves_it() -> None:
    """Anna takes all tricks; the last one goes to the others and comes back, with the sweep."""
    table = Table(preset="championship", options={"deals": 2})
    table.deal(SUIT_EACH, dealer=DARIO)
    table.choose("spades")
    table.play("S6 H6 D6 C6")
    table.play_out()
    last = table.state.records[0].tricks[-1].points or 0
    table.rule("award_from_trick", deal=1, trick=9, against=ANNA)
    assert table.state.totals == (157 - last, last + 100)
    table.rule("award_from_trick", deal=1, trick=5, against=BEAT)
    assert table.state.totals == (257, 0)


def test_points_that_nobody_knows_go_with_a_trick_and_the_rest_tells_them() -> None:
    """Dario's Puur takes a card that nobody remembers; in a whole deal the sides have 157 together."""
    table = transcript("clubs")
    hands = [cards_of(hand) for hand in SUIT_EACH]
    hands[DARIO] = ["CJ", *(card for card in hands[DARIO] if card != "CJ")]
    hands[ANNA][8], hands[DARIO][8] = hands[DARIO][8], hands[ANNA][8]
    for at in range(9):
        leader = DARIO if at else ANNA
        for seat in ((leader + turn) % 4 for turn in range(4)):
            put(table, (seat, None if (seat, at) == (CHIARA, 0) else hands[seat][at]))
    aces = 4 * 11 + 5  # Anna's, with the ace of trumps
    assert table.state.totals == (aces, 157 - aces)
    table.rule("award_from_trick", deal=1, trick=1, against=DARIO)
    assert table.state.totals == (157, 0)
    table.rule("award_from_trick", deal=1, trick=1, against=CHIARA)
    assert table.state.totals == (0, 157)
    late = sum(points_from(table, 5))
    table.rule("award_from_trick", deal=1, trick=5, against=DARIO)
    assert table.state.totals == (late, 157 - late)


def test_a_deal_annulled_for_a_short_hand_after_its_score_is_dealt_again() -> None:
    table = table_after_a_deal()
    table.rule("short_hand", deal=1, against=ANNA, choice="annul")
    assert table.state.totals == (0, 0)
    record = table.state.records[0]
    assert (
        score_deal(build_game_context(table.state), record).card_points
        == score_deal(build_game_context(table.state), record).scores
        == (0, 0)
    )
    for deal in (2, 3):
        table.deal(HANDS)
        table.choose("obenabe")
        table.play_out()
        assert table.state.over == (deal == 3)


def test_a_deal_given_to_the_others_for_a_short_hand_counts_among_the_deals() -> None:
    table = table_after_a_deal()
    table.rule("short_hand", deal=1, against=ANNA, choice="points")
    table.deal(HANDS)
    table.choose("obenabe")
    table.play_out()
    assert table.state.over


@pytest.mark.parametrize(("trick", "totals"), [(1, (157, 0)), (5, (0, 157))])
def test_points_for_a_short_hand_go_back_by_a_later_ruling_from_the_first_trick(
    trick: int, totals: tuple[int, int]
) -> None:
    """The whole deal counts as of its first trick: only a ruling from there on moves it."""
    table = table_after_a_deal()
    table.rule("short_hand", deal=1, against=ANNA, choice="points")
    table.rule("award_from_trick", deal=1, trick=trick, against=BEAT)
    assert table.state.totals == totals


def test_a_ruling_names_no_ties_in_a_game_that_knows_none() -> None:
    table = table_after_a_deal()
    for kind in ("annul_deal", "score_change"):
        scores = [1, 2] if kind == "score_change" else None
        assert only(table.rule(kind, deal=1, scores=scores), RulingMade).ties is None
    table.rule("annul_deal", deal=1)
    assert score_deal(build_game_context(table.state), table.state.records[0]).ties is None


def test_a_ruling_after_the_end_names_the_winners_anew() -> None:
    table = table_after_a_deal(deals=1)
    winner = table.state.winners[0]
    made = only(table.rule("score_change", deal=1, scores=[157 * winner, 157 * (1 - winner)]), RulingMade)
    assert made.winners == [1 - winner]
    assert table.state.winners == (1 - winner,)
    assert only(table.rule("warning"), RulingMade).winners is None


def test_a_ruling_may_end_a_game_to_a_target() -> None:
    table = Table(options={"first_forehand": "drawn", "target": 600, "melds": False})
    table.deal(SUIT_EACH, dealer=DARIO)
    table.choose("spades")
    table.play_out()
    assert table.state.totals == (514, 0)
    events = table.rule("score_change", deal=1, scores=[700, 0])
    assert only(events, GameEnded).winners == [0]


def test_a_ruling_in_a_running_deal_may_end_the_game() -> None:
    table = Table(options={"first_forehand": "drawn", "target": 60, "melds": False})
    table.deal(SUIT_EACH, dealer=DARIO)
    table.choose("hearts")
    table.play("S6 H6 D6 C6 HJ D7 C7 S7")
    assert table.state.dealing
    assert "game_ended" not in types(table.rule("penalty", against=ANNA, points=5))
    assert "game_ended" in types(table.play_out())


@pytest.mark.parametrize(
    ("kind", "details", "code"),
    [
        ("award_from_trick", {"trick": 1, "against": 0}, "rule/deal_missing"),
        ("award_from_trick", {"deal": 1, "against": 0}, "rule/trick_missing"),
        ("award_from_trick", {"deal": 1, "trick": 1}, "rule/against_missing"),
        ("award_from_trick", {"deal": 1, "trick": 10, "against": 0}, "rule/no_such_trick"),
        ("award_from_trick", {"deal": 2, "trick": 1, "against": 0}, "rule/no_such_deal"),
        ("card_powerless", {"deal": 1, "trick": 10, "against": 0}, "rule/no_such_trick"),
        ("score_change", {"deal": 1}, "rule/scores_missing"),
        ("score_change", {"deal": 1, "scores": [1]}, "rule/wrong_sides"),
        ("short_hand", {"deal": 1, "against": 0}, "rule/choice_missing"),
        ("bar_suit", {"against": 0, "suit": "hearts"}, "rule/no_deal_running"),
        ("bar_suit", {"deal": 1, "against": 0, "suit": "hearts"}, "rule/no_deal_running"),
        ("penalty", {"against": 0, "points": -5}, "rule/points_not_positive"),
        ("warning", {"points": 5}, "rule/not_for_this_kind"),
        ("annul_deal", {"deal": 1, "suit": "hearts"}, "rule/not_for_this_kind"),
    ],
)
def test_a_ruling_that_makes_no_sense_is_refused(
    kind: RulingKind, details: dict[str, Any], code: str
) -> None:
    command = Rule(kind=kind, reason="seen", **details)
    assert table_after_a_deal().refused(command) == code


def test_a_running_deal_has_no_score_to_change() -> None:
    table = Table(preset="championship")
    table.deal(SUIT_EACH, dealer=DARIO)
    assert (
        table.refused(Rule(kind="score_change", deal=1, scores=[1, 1], reason="x")) == "rule/deal_not_scored"
    )


def test_a_preview_shows_both_scores_and_decides_nothing() -> None:
    table = table_after_a_deal()
    before = table.state.copy()
    outcome = preview_ruling(table.state, Rule(kind="score_change", deal=1, scores=[5, 6], reason="x"))
    assert table.state == before
    assert outcome.scores_before == outcome.totals_before == table.state.totals
    assert outcome.scores_after == outcome.totals_after == (5, 6)
    assert preview_ruling(table.state, Rule(kind="warning", reason="x")).scores_before is None
    with pytest.raises(IllegalCommand):
        preview_ruling(State(), Rule(kind="warning", reason="x"))
