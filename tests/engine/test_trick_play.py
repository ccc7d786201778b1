"""Playing cards: turn, legality, tricks and their points."""

from engine import State, decide, legal_cards, next_play, to_act
from engine.commands import Play
from engine.events import CardPlayed, DealScored, GameEnded, TrickTaken
from tests.engine.tables import ANNA, BEAT, DARIO, SUIT_EACH, Table, club_table, only, types


def test_cards_are_played_in_turn_and_the_taker_leads() -> None:
    table = club_table("hearts")
    assert table.turn == ANNA
    assert only(table.play("S6 H7 D6 C6"), TrickTaken) == TrickTaken(
        seq=table.state.seq - 1, seat=BEAT, points=0
    )
    assert table.turn == BEAT


def test_a_card_out_of_turn_is_refused() -> None:
    assert club_table().refused(Play(seat=BEAT, card="H6")) == "play/not_your_turn"


def test_a_card_not_held_or_not_named_is_refused() -> None:
    table = club_table()
    assert table.refused(Play(seat=ANNA, card="H6")) == "play/not_in_hand"
    assert table.refused(Play(seat=ANNA, card=None)) == "play/card_missing"


def test_a_card_against_the_rules_is_refused_and_the_legal_ones_are_named() -> None:
    hands = ["C10 S6 S7 S8 S9 S10 SJ SQ SK", "C6 H7 H8 H9 H10 HJ HQ HK HA", "D6 D7 D8 D9 D10 DJ DQ DK DA",
             "C7 C8 C9 CJ CQ CK CA SA H6"]  # fmt: skip
    table = club_table("obenabe", hands)
    table.play("C10")
    assert table.refused(Play(seat=BEAT, card="HA")) == "play/illegal_card"
    assert table.legal == "C6"
    assert legal_cards(table.state, ANNA) == 0


def test_no_card_is_legal_before_cards_are_played() -> None:
    assert legal_cards(State()) == 0
    assert next_play(Table().state) == (None, 0)


def test_an_ordinary_card_is_one_event() -> None:
    table = club_table()
    assert types(table.play("S6")) == ["card_played"]


def test_the_last_trick_counts_five_more_and_closes_the_deal() -> None:
    table = club_table(target=None, deals=1, melds=False)
    events = table.play_out()
    assert types(events)[-4:] == ["card_played", "trick_taken", "deal_scored", "game_ended"]
    scored = only(events, DealScored)
    assert scored.card_points == [157, 0]
    assert scored.scores == [514, 0]
    assert only(events, GameEnded).winners == [0]
    assert to_act(table.state) is None


def test_a_championship_sweep_is_257() -> None:
    table = Table(preset="championship")
    table.deal(SUIT_EACH, dealer=DARIO)
    table.choose("spades")
    assert only(table.play_out(), DealScored).scores == [257, 0]


def test_a_sweep_of_the_side_that_did_not_choose_scores_the_same() -> None:
    table = Table(preset="championship")
    table.deal(SUIT_EACH[1:] + SUIT_EACH[:1], dealer=DARIO)
    table.choose("spades")
    assert only(table.play_out(), DealScored).scores == [0, 257]


def test_totals_equal_at_the_end_make_both_sides_winners() -> None:
    table = Table(preset="championship", options={"deals": 2})
    for hands in (SUIT_EACH, SUIT_EACH[1:] + SUIT_EACH[:1]):
        table.deal(hands, dealer=DARIO if table.state.deal == 0 else None)
        table.choose("spades")
        table.play_out()
    ended = only(table.log, GameEnded)
    assert (ended.winners, ended.totals) == ([0, 1], [257, 257])


def test_slalom_undenufe_counts_the_six_in_its_obenabe_tricks_too() -> None:
    hands = ["S6 H6 SK HK SQ HQ D8 D9 D10", "S7 H7 D6 D7 DJ DQ DK DA C6", "S8 S9 S10 SJ SA C7 C8 C9 C10",
             "H8 H9 H10 HJ HA CJ CQ CK CA"]  # fmt: skip
    table = club_table("slalom-undenufe", hands, contracts=["slalom-undenufe"], melds=False)
    assert only(table.play("S6 S7 S8 CJ"), TrickTaken).points == 21
    assert table.state.leader == ANNA
    assert only(table.play("H6 H7 C7 H8"), TrickTaken).points == 19
    assert table.state.leader == DARIO


def test_deciding_changes_nothing() -> None:
    table = club_table()
    before = table.state.copy()
    events = decide(table.state, Play(seat=ANNA, card="S6"))
    assert table.state == before
    assert events == [CardPlayed(seq=before.seq, seat=ANNA, card="S6")]
