"""An objection to a wrong dealer is possible until the objector's first card of the deal."""

from collections.abc import Callable

import pytest

from games.play.submit import submit
from tests.tournaments import table_play
from tournaments.models import Dispute, Round, Table
from tournaments.services.referee import disputes, remedy_proposals

Opened = Callable[..., Round]
PHONE = "f" * 32


@pytest.fixture
def written(open_round: Opened) -> Table:
    """A transcribed table whose first deal has begun."""
    table = open_round("transcribed", people=4).tables.select_related("game", "round__championship").get()
    write(table, {"cmd": "deal", "dealer": 3}, {"cmd": "choose", "seat": 0, "contract": "hearts"})
    return table


def write(table: Table, *commands: dict[str, object]) -> None:
    assert table.game is not None
    for command in commands:
        table.game.refresh_from_db()
        submit(table.game.pk, command, actor="5" * 32, command_id=f"w{table.game.head_seq}")
    table.game.refresh_from_db()


def cards(*seats: int) -> list[dict[str, object]]:
    return [{"cmd": "play", "seat": seat, "card": None} for seat in seats]


def objection(table: Table, by_ref: str) -> Dispute:
    return disputes.raise_dispute(table, actor=None, by_ref=by_ref, deal=1, incident="wrong_dealer")


def test_a_player_objects_until_he_has_played_himself(written: Table) -> None:
    players = table_play.refs(written)
    write(written, *cards(0, 1))
    late = [remedy_proposals.is_late(objection(written, by_ref=ref), 1) for ref in players]
    assert late == [True, True, False, False]


def test_what_is_played_after_the_objection_does_not_make_it_late(written: Table) -> None:
    raised = objection(written, by_ref=table_play.refs(written)[0])
    write(written, *cards(0, 1, 2, 3))
    assert not remedy_proposals.is_late(raised, 1)
    assert remedy_proposals.is_late(objection(written, by_ref=table_play.refs(written)[3]), 1)


def test_the_phone_of_the_table_speaks_for_whoever_has_not_played(written: Table) -> None:
    write(written, *cards(0, 1, 2))
    assert not remedy_proposals.is_late(objection(written, by_ref=PHONE), 1)
    write(written, *cards(3))
    assert remedy_proposals.is_late(objection(written, by_ref="e" * 32), 1)


def test_a_card_that_was_a_slip_of_the_pen_was_not_played(written: Table) -> None:
    assert written.game is not None
    write(written, *cards(0))
    write(written, {"cmd": "take_back", "to": written.game.head_seq})
    assert not remedy_proposals.is_late(objection(written, by_ref=table_play.refs(written)[0]), 1)


def test_a_deal_on_a_sheet_has_been_played(open_round: Opened) -> None:
    table = open_round("sheet", people=4).tables.select_related("game", "round__championship").get()
    assert table.game is not None
    table_play.enter(table, 1, 100)
    table.game.refresh_from_db()
    assert remedy_proposals.is_late(objection(table, by_ref=table_play.refs(table)[0]), 1)
