"""Rulings in every game: what a side loses is shared by the others and counted by the score of the game."""

import random
from typing import Any

import pytest

from engine import IllegalCommand, decide, replay
from engine.audit import audit
from engine.cli.playing import random_command
from engine.commands import Choose, ConfirmResult, Deal, EnterResult, Play, Rule, RulingKind
from engine.events import DealScored, GameEnded, RulingMade
from engine.ledger.state import Ruling
from engine.registry import build_game_context, get_rules
from engine.ruling import preview_ruling
from engine.scoring.deal_scores import Item, list_items
from engine.scoring.ruling_effects import find_gainers, score_deal
from tests.engine.random_games import GAMES, Game
from tests.engine.tables import ANNA, BEAT, CHIARA, DARIO, SUIT_EACH, Table, only

every_game = pytest.mark.parametrize("game", GAMES, ids=str)
KINDS: dict[str, dict[str, Any]] = {
    "award_from_trick": {"deal": 1, "trick": 2, "against": BEAT},
    "card_powerless": {"deal": 1, "trick": 2, "against": BEAT},
    "annul_deal": {"deal": 1},
    "short_hand": {"deal": 1, "against": BEAT, "choice": "points"},
    "penalty": {"against": BEAT, "points": 3},
    "warning": {"against": BEAT},
}


def after_a_deal(game: Game, seed: int) -> Table:
    """A table at which one deal was played to its last card and the game goes on."""
    options = {"opponents_target": 100_000, "minimum_bid": 5000} if game.variant == "bieter" else {}
    if game.variant == "schieber" and game.preset is None:
        options = {"target": 100_000}
    rng = random.Random(seed)
    while True:
        table = Table(game.variant, game.seats, preset=game.preset, options=options)
        while not any(isinstance(event, DealScored) for event in table.log):
            table.do(random_command(table.state, rng))
        record = table.state.records[-1]
        if record.deal == 1 and len(record.tricks) == record.size and not table.state.over:
            return table


@pytest.mark.long(15)
@every_game
@pytest.mark.parametrize("kind", KINDS)
def test_every_ruling_shows_what_the_deal_counts_before_and_after(game: Game, kind: RulingKind) -> None:
    table = after_a_deal(game, 1)
    before = table.state.totals
    command = Rule(kind=kind, reason="seen", **KINDS[kind])
    outcome = preview_ruling(table.state, command)
    made = only(table.do(command), RulingMade)
    assert outcome.totals_before == before
    assert outcome.totals_after == table.state.totals == tuple(made.totals)
    if command.deal is not None:
        assert (outcome.scores_before, outcome.scores_after) == (before, table.state.totals)
    changes = table.rule("warning", replaces=1)
    assert table.state.totals == before
    assert only(changes, RulingMade).totals == list(before)
    assert audit(table.log) is None
    assert replay(table.log) == table.state


@every_game
def test_a_later_ruling_moves_on_what_an_earlier_one_gave_from_its_own_trick_on(game: Game) -> None:
    """From trick 2 on against Beat, then from trick 5 on against Anna."""
    table = after_a_deal(game, 2)
    sides = get_rules(table.state).sides_of(table.state)
    anna, beat = sides[ANNA], sides[BEAT]
    if anna == beat:
        return  # opponents of the declarer together
    record = table.state.records[0]
    fell = [item for item in list_items(build_game_context(table.state), record) if item.kind == "cards"]
    table.rule("award_from_trick", deal=1, trick=2, against=BEAT)
    table.rule("award_from_trick", deal=1, trick=5, against=ANNA)
    counted = [points or 0 for points in score_deal(build_game_context(table.state), record).card_points]
    assert sum(counted) == sum(item.points or 0 for item in fell)
    assert counted[anna] <= sum(item.points or 0 for item in fell if item.trick < 4)
    if len(counted) == 2:
        own = [item for item in fell if item.trick >= 4 or (item.trick == 0 and item.side == beat)]
        assert counted[beat] == sum(item.points or 0 for item in own)


@every_game
def test_card_points_that_are_moved_are_not_lost(game: Game) -> None:
    table = after_a_deal(game, 2)
    record = table.state.records[0]
    whole = sum(points or 0 for points in record.card_points)
    table.rule("award_from_trick", deal=1, trick=1, against=BEAT)
    counted = score_deal(build_game_context(table.state), record).card_points
    assert sum(points or 0 for points in counted) == whole
    assert counted[get_rules(table.state).sides_of(table.state)[BEAT]] == 0


def plus_minus() -> Table:
    """Anna leads spades; Beat trumps with hearts and takes every trick."""
    table = Table("plus-minus", 4)
    table.deal(SUIT_EACH, dealer=DARIO)
    table.play_out()
    return table


def test_several_others_share_what_one_loses() -> None:
    table = plus_minus()
    assert table.state.records[0].card_points == (0, 157, 0, 0)
    made = only(table.rule("award_from_trick", deal=1, trick=1, against=BEAT), RulingMade)
    assert score_deal(build_game_context(table.state), table.state.records[0]).card_points == (52, 0, 53, 52)
    assert made.scores == [0, 1, 1, 0]
    assert (made.ties, table.state.ties) == (None, ())
    table = plus_minus()
    table.rule("award_from_trick", deal=1, trick=1, against=BEAT, to=DARIO)
    assert score_deal(build_game_context(table.state), table.state.records[0]).card_points == (0, 0, 0, 157)
    assert table.state.totals == (0, 0, 0, 2)


def test_points_that_do_not_divide_go_first_to_who_plays_after() -> None:
    table = plus_minus()
    awarded = Ruling(1, "award_from_trick", 1, 1, CHIARA, None, None, None, None)
    assert find_gainers(build_game_context(table.state), awarded) == [DARIO, ANNA, BEAT]
    made = only(table.rule("short_hand", deal=1, against=CHIARA, choice="points"), RulingMade)
    assert score_deal(build_game_context(table.state), table.state.records[0]).card_points == (52, 52, 0, 53)
    assert made.scores == [0, 0, 1, 1]


def test_a_ruling_makes_and_unmakes_ties_also_for_the_deals_after() -> None:
    table = plus_minus()
    table.deal(SUIT_EACH)
    table.play_out()
    assert table.state.totals == (0, 2, 2, 0)
    made = only(table.rule("short_hand", deal=1, against=ANNA, choice="points", to=BEAT), RulingMade)
    assert made.ties is None
    table.rule("score_change", deal=1, scores=[0, 0, 0, 0])
    assert table.state.totals == (0, 0, 2, 0)
    sheet = Table("plus-minus", 4, mode="sheet")
    for deal, points in enumerate(([60, 60, 20, 17], [70, 40, 30, 17]), 1):
        sheet.do(EnterResult(seat=ANNA, deal=deal, card_points=points))
    made = only(sheet.rule("short_hand", deal=2, against=ANNA, choice="points", to=CHIARA), RulingMade)
    assert (made.scores, made.ties) == ([0, 0, 2, 0], [[ANNA, BEAT]])
    assert sheet.state.ties == ((ANNA, BEAT),)
    assert audit(sheet.log) is None


def plus_minus_sheet(*deals: list[int]) -> Table:
    table = Table("plus-minus", 4, mode="sheet")
    for deal, points in enumerate(deals, 1):
        table.do(EnterResult(seat=ANNA, deal=deal, card_points=points))
    return table


def test_another_score_for_a_deal_leaves_the_tie_that_its_cards_made() -> None:
    table = plus_minus_sheet([60, 60, 20, 17])
    assert only(table.rule("score_change", deal=1, scores=[0, 0, 0, 0]), RulingMade).ties is None
    assert table.state.ties == ((ANNA, BEAT),)
    table.do(EnterResult(seat=ANNA, deal=2, card_points=[70, 40, 30, 17]))
    assert table.state.totals == (2, 0, 0, 1)


def test_a_tie_that_was_paid_in_an_annulled_deal_is_still_to_be_paid() -> None:
    table = plus_minus_sheet([60, 60, 20, 17], [70, 40, 30, 17])
    assert table.state.ties == ()
    made = only(table.rule("annul_deal", deal=2), RulingMade)
    assert (made.ties, made.totals) == ([[ANNA, BEAT]], [0, 0, 0, 1])
    assert audit(table.log) is None


def test_rulings_on_game_points_neither_take_apples_away_nor_make_any() -> None:
    """What a deal counts was changed; who had fewer than 21 points in it was not."""
    table = Table("la-pomme", 2, mode="sheet", options={"goal": "apples"})
    for deal, points in enumerate(([130, 20], [20, 130], [20, 130], [130, 20], [130, 20]), 1):
        assert not table.state.over
        table.do(EnterResult(seat=ANNA, deal=deal, card_points=points))
        table.do(ConfirmResult(seat=BEAT, deal=deal))
        if deal == 1:
            table.rule("score_change", deal=1, scores=[0, 0])
    assert only(table.log, GameEnded).winners == [ANNA]


def test_a_penalty_is_no_gift_where_fewer_points_are_better() -> None:
    table = Table("differenzler", 3, mode="sheet")
    table.rule("penalty", against=BEAT, points=10)
    assert table.state.totals == (0, 10, 0)


def test_a_revoke_of_who_chose_loses_the_multiple() -> None:
    table = Table("coiffeur", 4)
    table.deal(SUIT_EACH, dealer=DARIO)
    table.do(Choose(seat=ANNA, contract="spades"))
    table.play_out()
    assert table.state.totals == (471, 0)
    assert only(table.rule("award_from_trick", deal=1, trick=1, against=CHIARA), RulingMade).scores == [0, 0]
    assert only(table.rule("short_hand", deal=1, against=BEAT, choice="points"), RulingMade).scores == [
        471,
        0,
    ]


def test_a_short_hand_on_the_sheet_is_counted_by_its_game() -> None:
    table = Table("lake-constance", 2, mode="sheet")
    table.do(EnterResult(seat=ANNA, deal=1, card_points=[100, 57], chooser=ANNA, bid=90))
    made = only(table.rule("short_hand", deal=1, against=ANNA, choice="points"), RulingMade)
    assert (made.scores_before, made.scores) == ([1, 0], [-1, 1])
    table.rule("annul_deal", deal=1)
    assert table.state.totals == (0, 0)
    with pytest.raises(IllegalCommand) as refused:
        decide(table.state, Rule(kind="card_powerless", deal=1, trick=1, against=ANNA, reason="x"))
    assert refused.value.code == "rule/tricks_unknown"


def test_points_go_to_another_side_only() -> None:
    table = plus_minus()
    command = Rule(kind="award_from_trick", deal=1, trick=1, against=BEAT, to=BEAT, reason="x")
    assert table.refused(command) == "rule/wrong_side"
    three = Table("differenzler", 3, mode="sheet")
    three.do(EnterResult(seat=ANNA, deal=1, card_points=[57, 50, 50], predictions=[50, 50, 50]))
    command = Rule(kind="short_hand", deal=1, against=ANNA, choice="points", to=DARIO, reason="x")
    assert three.refused(command) == "rule/wrong_side"
    command = Rule(kind="warning", to=DARIO, reason="x")
    assert three.refused(command) == "rule/not_for_this_kind"


def test_what_is_not_known_stays_open_when_it_is_moved() -> None:
    table = Table("plus-minus", 4, mode="transcribed")
    table.do(Deal(dealer=DARIO))
    for seat in list(range(4)) * 9:
        table.do(Play(seat=seat, card=None))
    made = only(table.rule("award_from_trick", deal=1, trick=1, against=BEAT), RulingMade)
    assert made.scores == [None] * 4


def test_a_trick_without_power_before_trumps_were_named_is_one_without_trumps() -> None:
    table = Table("plus-minus", 4)
    hands = ["S6 D6 D7 D8 D9 D10 DJ DQ DK", "S7 H6 H7 H8 H9 H10 HJ HQ HK", "S8 SA SK SQ SJ S10 S9 HA DA"]
    table.deal([*hands, "C6 C7 C8 C9 C10 CJ CQ CK CA"], dealer=DARIO)
    table.play("S6 S7 S8 C6")
    table.play_out()
    assert table.state.records[0].tricks[0].taker == DARIO
    made = only(table.rule("card_powerless", deal=1, trick=1, against=DARIO), RulingMade)
    items = list_items(build_game_context(table.state), table.state.records[0])
    assert isinstance(items[0], Item)
    assert made.scores is not None
