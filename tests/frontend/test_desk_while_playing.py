"""The desk while the server deals at the table: only the running deal is hidden."""

import pytest
from django.urls import reverse

from engine.events import CardPlayed
from games import game_state
from games.play.submit import submit
from tests.frontend.evening import client, html, opened, person, table
from tests.games.cast import next_command
from tests.tournaments.table_play import game_of, play_deal, refs
from tournaments.models import Table
from tournaments.services.referee import disputes, opened_hands

pytestmark = pytest.mark.django_db

OPEN, TRY = "Open the hidden cards", "What if another card had been played?"


@pytest.fixture
def where() -> Table:
    """A table whose first deal is over and that plays the third card of its second one."""
    found = table(opened("dealt", "sheet"), 1)
    play_deal(found)
    while len((now := game_state.load_snapshot(str(found.game_id))).state.trick) < 3:
        command = next_command(game_of(found))
        submit(str(found.game_id), command, actor=refs(found)[command.seat], command_id=f"m{now.head.seq}")
    return table(found.round, 1)


def desk(where: Table, deal: int, query: str = "") -> str:
    raised = disputes.raise_dispute(where, actor=person("gabi"), deal=deal, trick=1)
    return html(client("gabi").get(reverse("dispute", args=[raised.pk]) + query))


def test_a_deal_that_is_over_can_be_tried_and_has_nothing_to_open(where: Table) -> None:
    page = desk(where, 1)

    assert TRY in page
    assert OPEN not in page


def test_the_hands_of_the_deal_that_is_played_are_opened_before_anything_is_tried(where: Table) -> None:
    page = desk(where, 2)

    assert TRY not in page
    assert OPEN in page


def test_another_card_that_is_looked_at_counts_and_not_the_deal_in_dispute(where: Table) -> None:
    events = game_state.load_snapshot(str(where.game_id)).events
    first = next(event.seq for event in events if isinstance(event, CardPlayed))

    page = desk(where, 2, f"?seq={first}")

    assert TRY in page
    assert OPEN not in page


def test_hands_that_are_open_already_are_not_offered_again(where: Table) -> None:
    opened_hands.open_hand(where, actor=person("gabi"), deal=2, reason="Streit um eine Karte")

    assert OPEN not in desk(where, 2)
