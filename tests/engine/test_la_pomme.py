"""La Pomme: three unseen cards, the turned card for the six, and apples."""

from typing import Literal

import pytest
from msgspec.structs import replace

from engine import Observer, list_offers, redact_events, replay, snapshot, to_act
from engine.audit import audit
from engine.cards import DECK, INDEX, SUIT_NAMES, Card, codes, mask
from engine.commands import Deal, Exchange, Keep, Play, TakeTurned
from engine.events import (
    ContractSet,
    DealScored,
    ExtraDealt,
    ExtraExchanged,
    GameEnded,
    HandDealt,
    TrumpTurned,
    TurnedTaken,
)
from engine.phases.dealing import deck_from_hands
from engine.registry import build_game_context
from engine.rules.tally import Scored
from engine.scoring.deal_scores import Item, count_deal, list_items
from engine.scoring.ruling_effects import score_deal
from engine.variants.la_pomme import LA_POMME, Options
from tests.engine.tables import ANNA, BEAT, EVA, GABI, Table, cards_of, only, types

ANNAS, BEATS = "D6 D7 D8 D9 D10 DJ DQ DK DA", "H6 H7 H8 H9 H10 HJ HQ HK HA"


def a_table(
    turned: Card = "CA", anna: str = f"{ANNAS} S6 S7 S8", beat: str = f"{BEATS} S9 S10 SJ", **options: object
) -> Table:
    """Beat deals; the last three cards of each are the extra ones, then a card is turned."""
    table = Table("la-pomme", seats=2, options=options)
    deal(table, turned, anna, beat, BEAT)
    return table


def deal(table: Table, turned: Card, anna: str, beat: str, dealer: int | None = None) -> None:
    deck = [
        *deck_from_hands([cards_of(anna), cards_of(beat)], 1 - (BEAT if dealer is None else dealer)),
        turned,
    ]
    deck += [code for code in DECK if code not in deck]
    table.do(Deal(deck=deck, dealer=dealer))


@pytest.mark.parametrize(
    ("undertrump", "legal"), [("only-trumps", "D6"), ("void", "D6 H7"), ("forced", "H7")]
)
def test_the_option_says_who_may_undertrump(
    undertrump: Literal["only-trumps", "void", "forced"], legal: str
) -> None:
    following = LA_POMME.play(Options(undertrump=undertrump)).following[SUIT_NAMES.index("hearts")]
    assert codes(following(mask(["D6", "H7"]), [INDEX["C10"], INDEX["H8"]])) == legal.split()


def keep_both(table: Table) -> Table:
    table.do(Keep(seat=table.turn))
    table.do(Keep(seat=table.turn))
    return table


def test_nine_cards_and_three_extra_ones_and_the_next_is_turned() -> None:
    table = a_table()
    assert [e.size for e in table.log if isinstance(e, HandDealt)] == [9, 9]
    assert [e.cards for e in table.log if isinstance(e, ExtraDealt)] == [
        ["S6", "S7", "S8"],
        ["S9", "S10", "SJ"],
    ]
    assert only(table.log, TrumpTurned).seat is None
    assert only(table.log, ContractSet).contract == "clubs"
    assert audit(table.log) is None


def test_the_non_dealer_exchanges_first_exactly_three_or_none() -> None:
    table = a_table()
    assert to_act(table.state) == (ANNA, "exchange", ("exchange", "keep"))
    assert table.refused(Keep(seat=BEAT)) == "keep/not_your_turn"
    assert table.refused(Exchange(seat=BEAT, cards=["H6", "H7", "H8"])) == "exchange/not_your_turn"
    assert table.refused(Exchange(seat=ANNA, cards=["D6", "D7"])) == "exchange/wrong_number"
    assert table.refused(Exchange(seat=ANNA, cards=["D6", "D7", "S6"])) == "exchange/not_in_hand"
    table.do(Exchange(seat=ANNA, cards=["D6", "D7", "D8"]))
    assert codes(table.state.hands[ANNA]) == ["D9", "D10", "DJ", "DQ", "DK", "DA", "S6", "S7", "S8"]
    table.do(Keep(seat=BEAT))
    assert to_act(table.state) == (ANNA, "trick_play", ("play",))
    assert audit(table.log) is None


def test_all_ways_to_exchange_are_offered() -> None:
    assert len(list_offers(a_table().state)) == 1 + 84
    assert len(list_offers(a_table("DA", f"{ANNAS[:-3]} C6 S6 S7 S8").state)) == 2 + 84


def test_only_a_seat_itself_sees_what_it_took_and_nobody_the_cards_left() -> None:
    table = a_table()
    table.do(Exchange(seat=ANNA, cards=["D6", "D7", "D8"]))
    given = ["D6", "D7", "D8"]
    for observer, seen in [
        (Observer.seat(ANNA), True),
        (Observer.seat(BEAT), False),
        (EVA, False),
        (GABI, True),
    ]:
        view = list(redact_events(table.log, observer))
        exchanged = only(view, ExtraExchanged)
        assert (exchanged.given, exchanged.taken) == ((given, ["S6", "S7", "S8"]) if seen else (None, None))
        assert snapshot(replay(view), observer)["extra"] == [0, 3]
        hidden = [e.cards for e in view if isinstance(e, ExtraDealt)]
        assert (hidden == [None, None]) == (observer != GABI)
    assert replay(redact_events(table.log, Observer.seat(BEAT))).unknown(ANNA) == 9


def test_worlds_that_differ_in_the_cards_never_seen_look_the_same() -> None:
    one, two = a_table(), a_table(beat=f"{BEATS} SQ SK SA")
    for table in (one, two):
        table.do(Exchange(seat=ANNA, cards=["D6", "D7", "D8"]))
        keep = table.do(Keep(seat=BEAT))
        assert types(keep) == ["extra_kept"]
        table.play("D9 H6 D10")
    for observer in (Observer.seat(ANNA), Observer.seat(BEAT), EVA):
        assert list(redact_events(one.log, observer)) == list(redact_events(two.log, observer))


def test_the_six_of_trumps_takes_the_turned_card_with_the_exchange() -> None:
    table = a_table("SA", anna=f"{ANNAS[:-3]} S6 C6 C7 C8")
    events = table.do(Keep(seat=ANNA, take_turned=True))
    assert types(events) == ["extra_kept", "turned_taken"]
    assert only(events, TurnedTaken).six == "S6"
    assert codes(table.state.hands[ANNA])[-1] == "SA"
    assert snapshot(table.state, EVA)["turned"] == {"card": "SA", "seat": None, "taken_by": ANNA}
    assert audit(table.log) is None


def test_a_six_that_comes_with_the_extra_cards_takes_it_too() -> None:
    table = a_table("SA")
    events = table.do(Exchange(seat=ANNA, cards=["D6", "D7", "D8"], take_turned=True))
    assert types(events) == ["extra_exchanged", "turned_taken"]
    assert "S6" not in codes(table.state.hands[ANNA])
    assert audit(table.log) is None


def test_a_wish_for_the_turned_card_tells_nothing_of_the_extra_cards_before_they_are_taken() -> None:
    """A refusal would: so whether they hold the six or not, the command is accepted."""
    for turned in ("SA", "CA"):
        events = a_table(turned).do(Exchange(seat=ANNA, cards=["D6", "D7", "D8"], take_turned=True))
        assert ("turned_taken" in types(events)) == (turned == "SA")
    table = a_table("SA", anna=f"{ANNAS[:-3]} S6 C6 C7 C8")
    given_away = Exchange(seat=ANNA, cards=["D6", "D7", "S6"], take_turned=True)
    assert table.refused(given_away) == "take_turned/no_six"
    assert a_table("SA").refused(Keep(seat=ANNA, take_turned=True)) == "take_turned/no_six"


def test_the_turned_card_can_be_taken_until_the_first_card_is_led_also_out_of_turn() -> None:
    table = a_table("SA", anna=f"{ANNAS[:-3]} S6 C6 C7 C8")
    assert table.refused(TakeTurned(seat=ANNA)) == "take_turned/not_yet"
    table.do(Keep(seat=ANNA))
    assert table.turn == BEAT
    assert types(table.do(TakeTurned(seat=ANNA))) == ["turned_taken"]
    assert table.refused(TakeTurned(seat=ANNA)) == "take_turned/no_six"
    table.do(Keep(seat=BEAT))
    assert table.refused(TakeTurned(seat=BEAT)) == "take_turned/no_six"
    assert audit(table.log) is None
    table.play("D6")
    assert table.refused(TakeTurned(seat=ANNA)) == "take_turned/not_now"
    table.play_out()
    assert table.refused(TakeTurned(seat=ANNA)) == "take_turned/not_now"


@pytest.mark.parametrize("puur", [21, 20])
def test_the_puur_counts_21_or_as_elsewhere(puur: int) -> None:
    anna, beat = f"{ANNAS[:-3]} CJ S6 S7 S8", "C9 H7 H8 H9 H10 HJ HQ HK HA S9 S10 SJ"
    table = keep_both(a_table("CA", anna, beat, puur_value=puur))
    table.play("CJ C9")
    assert table.state.taken[ANNA] == puur + 14


def test_an_apple_and_the_better_score_are_applied_each_for_itself() -> None:
    """Diamonds and hearts, no club in a hand: who leads takes everything."""
    table = keep_both(a_table())
    scored = only(table.play_out(), DealScored)
    assert scored.card_points == [30 + 30 + 5, 0]
    assert scored.scores == [1, -1]
    assert audit(table.log) is None


@pytest.mark.parametrize(
    ("cards", "scores"), [((60, 50), (1, 0)), ((40, 40), (0, 0)), ((20, 20), (-1, -1)), ((20, 10), (0, -1))]
)
def test_scores(cards: tuple[int, int], scores: tuple[int, int]) -> None:
    table = keep_both(a_table())
    table.play_out()
    (record,) = table.state.records
    tricks = [replace(record.tricks[at], taker=at, points=cards[at]) for at in (ANNA, BEAT)]
    record = replace(record, tricks=tuple(tricks), size=2)
    assert (
        count_deal(
            build_game_context(table.state), record, list_items(build_game_context(table.state), record)
        ).scores
        == scores
    )


def test_first_to_seven_wins() -> None:
    winner = LA_POMME.winner
    assert winner is not None
    assert winner(Options(), [6, 2], ()) is None
    assert winner(Options(), [7, 2], ()) == [0]


def test_the_first_with_three_apples_loses_where_apples_are_counted() -> None:
    options = Options(goal="apples")
    apple, none = Scored((100, 20), (1, -1)), Scored((60, 50), (1, 0))
    winner = LA_POMME.winner
    assert winner is not None
    assert winner(options, [0, 0], (apple, apple, none)) is None
    assert winner(options, [0, 0], (apple, apple, none, apple)) == [0]
    both = Scored((20, 10), (0, -1))
    turned = Scored((10, 100), (-1, 1))
    assert winner(options, [0, 0], (apple, apple, turned, turned, both)) == [0]
    equal = Scored((20, 20), (-1, -1))
    assert winner(options, [0, 0], (apple, apple, turned, turned, equal)) == [0, 1]
    table = Table("la-pomme", seats=2, options={"goal": "apples"})
    while not table.state.over:
        dealer = None if table.state.deal else BEAT
        deal_for(table, dealer)
        keep_both(table).play_out()
    assert only(table.log, GameEnded).winners == [0]
    assert audit(table.log) is None


def deal_for(table: Table, dealer: int | None) -> None:
    """Anna holds all the trumps there are, whoever deals."""
    forehand = ANNA if dealer == BEAT or table.state.dealer == ANNA else BEAT
    anna, beat = cards_of(f"{ANNAS} S6 S7 S8"), cards_of(f"{BEATS} S9 S10 SJ")
    anna[0] = "C6"
    deck = [*deck_from_hands([anna, beat], forehand), "CA"]
    deck += [code for code in DECK if code not in deck]
    table.do(Deal(deck=deck, dealer=dealer))


def test_a_deal_with_unknown_cards_has_no_score() -> None:
    table = Table("la-pomme", seats=2, mode="transcribed")
    table.do(Deal(deck=[*[None] * 24, "CA", *[None] * 11]))
    keep_both(table)
    while table.state.dealing:
        turn = to_act(table.state)
        assert turn is not None
        table.do(Play(seat=ANNA if turn.seat is None else turn.seat, card=None))
    assert only(table.log, DealScored).scores == [None, None]


def test_the_audit_accepts_a_transcript_that_knows_only_the_turned_card() -> None:
    table = Table("la-pomme", 2, mode="transcribed")
    table.do(Deal(deck=[*[None] * 24, "S9", *[None] * 11], dealer=ANNA))

    assert audit(table.log) is None


@pytest.mark.parametrize(
    ("deals", "winners"),
    [
        ([(20, 100), (0, 158), (20, 80)], [1]),  # three apples lose
        ([(100, 20), (158, 0), (80, 20)], [0]),
        ([(20, 100), (21, 100), (20, 80)], None),  # 21 is none
        ([(100, 20), (100, 21), (80, 20)], None),
        ([(20, 10), (20, 5), (10, 20)], [1]),  # both in one deal: more points in it
        ([(20, 10), (20, 5), (20, 0)], [0]),
        ([(20, 10), (20, 5), (0, 0)], [0, 1]),
    ],
)
def test_who_wins_the_game_of_apples(deals: list[tuple[int, int]], winners: list[int] | None) -> None:
    scored = [Scored(points, (0, 0)) for points in deals]
    winner = LA_POMME.winner
    assert winner is not None
    assert winner(Options(goal="apples"), (0, 0), scored) == winners


@pytest.mark.parametrize(
    ("first", "scores"), [(21, (0, 1)), (20, (-1, 1)), (137, (1, 0)), (138, (1, -1)), (79, (0, 0))]
)
def test_fewer_than_21_points_are_an_apple_on_either_side(first: int, scores: tuple[int, int]) -> None:
    state = Table("la-pomme", seats=2).state
    items = [Item(0, 0, "cards", first), Item(1, 1, "cards", 158 - first)]
    assert count_deal(build_game_context(state), state.record(), items).scores == scores


@pytest.mark.parametrize("puur", [21, 20])
def test_a_whole_deck_counts_what_its_cards_and_the_last_trick_do(
    puur: Literal[20, 21],
) -> None:
    rules = LA_POMME.play(Options(puur_value=puur))
    for values in rules.values.values():
        assert rules.deal_points == sum(values) + 5 == 137 + puur
    table = keep_both(a_table(puur_value=puur))
    table.play_out()
    table.rule("short_hand", deal=1, against=ANNA, choice="points")
    assert score_deal(build_game_context(table.state), table.state.records[0]).card_points == (0, 137 + puur)


def test_what_one_side_took_tells_nothing_of_the_other_as_cards_stay_in_the_stock() -> None:
    assert not LA_POMME.play(Options()).all_counted
    table = Table("la-pomme", seats=2, mode="transcribed")
    table.do(Deal(deck=[*[None] * 24, "CA", *[None] * 11], dealer=BEAT))
    keep_both(table)
    table.put((ANNA, "CJ"), (BEAT, None))
    for own, other in zip(cards_of(ANNAS)[:8], cards_of(BEATS)[:8], strict=True):
        table.put((ANNA, own), (BEAT, other))
    assert [trick.taker for trick in table.state.records[0].tricks] == [ANNA] * 9
    assert only(table.log, DealScored).card_points == [None, None]
