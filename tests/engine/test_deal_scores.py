"""A deal taken apart: each thing that counted, for which side, and after how many tricks it fell."""

import random

import pytest
from msgspec.structs import replace

from engine.cli.playing import playout
from engine.commands import Bid, Choose, Deal, Discard, EnterResult, Pass, Play, Start
from engine.contracts import Contract
from engine.events import DealScored
from engine.phases import trick_play
from engine.phases.dealing import deck_from_hands
from engine.registry import build_game_context
from engine.rules.tally import Tally
from engine.scoring.deal_scores import Item, list_items
from engine.scoring.ruling_effects import get_current_scores, list_deals
from engine.scoring.running_totals import compute_running_totals
from tests.engine.tables import ANNA, BEAT, CARD, CHIARA, DARIO, SUIT_EACH, Table, cards_of, club_table, only


def test_the_tricks_stoeck_melds_and_sweep_of_a_deal() -> None:
    table = club_table("spades", SUIT_EACH, target=5000)
    table.play("S6", melds=[["S6", "S7", "S8"]])
    table.play("H6 D6 C6")
    table.play("SQ H7 D7 C7")
    table.play("SK", stoeck=True)
    table.play_out()
    items = list_items(build_game_context(table.state), table.state.records[0])
    assert [item for item in items if item.kind != "cards"] == [
        Item(2, 0, "stoeck", 20),
        Item(0, 0, "melds", 20),
        Item(8, 0, "sweep", 100),
    ]
    cards = [item for item in items if item.kind == "cards"]
    assert [(item.trick, item.side) for item in cards] == [(at, 0) for at in range(9)]
    assert sum(item.points or 0 for item in cards) == 157


def test_a_deal_that_two_sides_shared_has_no_sweep() -> None:
    table = club_table("hearts", SUIT_EACH, target=5000)
    table.play_out()
    kinds = {item.kind for item in list_items(build_game_context(table.state), table.state.records[0])}
    assert kinds == {"cards", "sweep"}
    hands = ["S6 S7 S8 S9 S10 SJ SQ SK H6", "SA H7 H8 H9 H10 HJ HQ HK HA", *SUIT_EACH[2:]]
    table = club_table("spades", hands, target=5000)
    table.play("S6 SA D6 C6")
    table.play_out()
    assert {item.side for item in list_items(build_game_context(table.state), table.state.records[0])} == {
        0,
        1,
    }
    assert {item.kind for item in list_items(build_game_context(table.state), table.state.records[0])} == {
        "cards"
    }


def test_what_is_on_a_sheet_is_taken_apart_like_a_deal() -> None:
    table = Table(mode="sheet")
    table.do(
        EnterResult(
            seat=ANNA, deal=1, contract="spades", card_points=[157, 0], sweep=0, stoeck=0, melds=[50, 0]
        )
    )
    table.do(
        EnterResult(seat=ANNA, deal=2, contract="hearts", card_points=[57, 100], stoeck=1, melds=[0, 20])
    )

    def items(deal: int) -> list[Item]:
        return list_items(build_game_context(table.state), replace(table.state.record(), deal=deal))

    assert items(1) == [
        Item(0, 0, "cards", 157),
        Item(0, 0, "stoeck", 20),
        Item(0, 0, "melds", 50),
        Item(0, 0, "sweep", 100),
    ]
    assert items(2) == [
        Item(0, 0, "cards", 57),
        Item(0, 1, "cards", 100),
        Item(0, 1, "stoeck", 20),
        Item(0, 1, "melds", 20),
    ]
    for record in list_deals(table.state):
        assert (record.tricks, record.stoeck, record.melds) == ((), (), ())


def test_the_totals_of_a_round_are_taken_apart_with_all_their_sweeps_and_stoecks() -> None:
    table = Table(preset="championship", mode="sheet", hand_in="totals", options={"deals": 8})
    table.do(EnterResult(deal=1, scores=[712 + 200 + 20, 544 + 60], sweeps=[2, 0], stoecks=[1, 3]))
    assert list_items(build_game_context(table.state), replace(table.state.record(), deal=1)) == [
        Item(0, 0, "cards", 712),
        Item(0, 1, "cards", 544),
        Item(0, 0, "sweep", 200),
        Item(0, 0, "stoeck", 20),
        Item(0, 1, "stoeck", 60),
    ]


def test_nobody_who_scores_a_tally_can_change_it() -> None:
    tally = Tally((157, 0), (157, 0), {0})
    with pytest.raises(AttributeError):
        tally.cards = (0, 157)  # type: ignore[misc]  # the test writes to a frozen field


@pytest.mark.parametrize(
    ("variant", "seats", "options"),
    [
        ("schieber", 4, {}),
        ("schieber", 4, {"stoeck_priority": False, "sweep_bonus": 0}),
        ("bieter", 3, {"minimum_bid": 10, "raise": 10}),
    ],
)
def test_the_short_way_through_a_trick_ends_the_game_where_the_long_way_does(
    monkeypatch: pytest.MonkeyPatch, variant: str, seats: int, options: dict[str, object]
) -> None:
    """A trick that cannot reach the target is counted in one go; here each is counted with care as well."""
    name = {"schieber": "target", "bieter": "opponents_target"}[variant]
    for seed in range(60):
        target = 20 + seed * 5
        start = Start(variant=variant, seats=seats, options={**options, name: target})
        games = []
        for careful in (False, True):
            if careful:
                monkeypatch.setattr(trick_play, "is_target_near", lambda state: True)
            games.append([events for _, events in playout(start, random.Random(seed))])
            monkeypatch.undo()
        assert games[0] == games[1]


def test_discards_fall_with_the_last_trick_and_go_where_it_goes() -> None:
    """Anna takes all tricks of the first deal, and has put away C10 and CJ: 12 points beside 127."""
    spades, hearts, diamonds, clubs = map(cards_of, SUIT_EACH)
    table = Table("bieter", 3)
    table.do(Deal(deck=[*deck_from_hands([spades, hearts, diamonds], ANNA), *clubs], dealer=CHIARA))
    table.do(Bid(seat=ANNA, points=500))
    table.do(Pass(seat=BEAT))
    table.do(Pass(seat=CHIARA))
    table.do(Discard(seat=ANNA, cards=[*clubs[:6]]))
    table.choose("spades")
    table.play("S10 H6 D6 S6 H7 D7 S7 H8 D8 S8 H9 D9 SJ H10 D10 S9 HJ DJ SQ HQ DQ SA HA DA SK HK DK")
    assert only(table.log, DealScored).scores == [127 + 12 + 100, 0]
    table.rule("award_from_trick", deal=1, trick=9, against=ANNA)
    kings = 4 + 4 + 4 + 5
    assert get_current_scores(build_game_context(table.state), 1) == (127 - kings, kings + 12 + 100)


def written(contract: Contract, **options: object) -> Table:
    """A championship deal written down at a table where nobody sees another's hand."""
    table = Table(preset="championship", mode="transcribed", options=options)
    table.do(Deal(dealer=DARIO))
    table.do(Choose(seat=ANNA, contract=contract))
    return table


def write(table: Table, leader: int, cards: str) -> None:
    """The cards of a trick in the order they fell; ? for one that nobody remembers."""
    for place, card in enumerate(cards.split()):
        table.do(Play(seat=(leader + place) % 4, card=None if card == "?" else CARD[card]))


def test_a_card_without_power_takes_no_trick_that_was_written_down() -> None:
    table = written("obenabe")
    write(table, ANNA, "SA SK S6 S7")
    assert compute_running_totals(build_game_context(table.state)) == [15, 0]
    table.rule("card_powerless", deal=1, trick=1, against=ANNA)
    assert compute_running_totals(build_game_context(table.state)) == [0, 15]


def test_what_one_side_took_tells_what_the_other_took() -> None:
    """Dario's clubs take all tricks but the last. Dario takes the first, whatever Chiara played: the Puur."""
    table = written("clubs")
    spades, hearts, diamonds, clubs = (hand.split() for hand in SUIT_EACH)
    clubs[0], clubs[5], clubs[8], spades[8], diamonds[0] = "CJ", "C6", "SA", "CA", "?"
    hands = [spades, hearts, diamonds, clubs]
    for at in range(9):
        leader = DARIO if at else ANNA
        write(table, leader, " ".join(hands[(leader + place) % 4][at] for place in range(4)))
    four_aces_and_the_last_trick = 4 * 11 + 5
    assert only(table.log, DealScored).card_points == [
        four_aces_and_the_last_trick,
        157 - four_aces_and_the_last_trick,
    ]


def test_what_one_side_took_tells_nothing_where_the_deal_ended_before_its_last_card() -> None:
    """The cards that were not played count for nobody."""
    table = written("hearts", target=25)
    write(table, ANNA, "S6 ? HJ S8")
    write(table, CHIARA, "D6 DA D7 H9")
    ended = only(table.log, DealScored)
    assert table.state.winners == (1,)
    assert ended.card_points == ended.scores == [None, None]
    assert ended.ties is None  # a matter of Plus-Minus
