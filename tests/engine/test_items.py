"""A deal taken apart: each thing that counted, for which side, and after how many tricks it fell."""

import random

import pytest
from msgspec.structs import replace

from engine.cli.playing import playout
from engine.commands import EnterResult, Start
from engine.items import Item, items_of
from engine.phases import trick_play
from tests.engine.tables import ANNA, SUIT_EACH, Table, club_table


def test_the_tricks_stoeck_melds_and_sweep_of_a_deal() -> None:
    table = club_table("spades", SUIT_EACH, target=5000)
    table.play("S6", melds=[["S6", "S7", "S8"]])
    table.play("H6 D6 C6")
    table.play("SQ H7 D7 C7")
    table.play("SK", stoeck=True)
    table.play_out()
    items = items_of(table.state, table.state.records[0])
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
    kinds = {item.kind for item in items_of(table.state, table.state.records[0])}
    assert kinds == {"cards", "sweep"}
    hands = ["S6 S7 S8 S9 S10 SJ SQ SK H6", "SA H7 H8 H9 H10 HJ HQ HK HA", *SUIT_EACH[2:]]
    table = club_table("spades", hands, target=5000)
    table.play("S6 SA D6 C6")
    table.play_out()
    assert {item.side for item in items_of(table.state, table.state.records[0])} == {0, 1}
    assert {item.kind for item in items_of(table.state, table.state.records[0])} == {"cards"}


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
        return items_of(table.state, replace(table.state.record(), deal=deal))

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
                monkeypatch.setattr(trick_play, "target_near", lambda state: True)
            games.append([events for _, events in playout(start, random.Random(seed))])
            monkeypatch.undo()
        assert games[0] == games[1]
