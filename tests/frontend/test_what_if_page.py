"""The page on which other cards are tried: it says where in the game one is."""

import pytest
from django.urls import reverse

from engine.events import CardPlayed
from games.play import game_state
from tests.frontend.evening import client, html, opened, table
from tests.tournaments.playing import write_revoke

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("card", "more", "trick"),
    [(0, "", 1), (3, "", 1), (4, "", 2), (3, "&finish=played", 9), (0, "&finish=bots", 9)],
)
def test_the_heading_names_the_trick_that_is_played(card: int, more: str, trick: int) -> None:
    """Also before its first card; after the deal it is the last one."""
    where = table(opened("transcribed", "sheet"), 1)
    write_revoke(where)
    played = [e.seq for e in game_state.at(str(where.game_id)).events if isinstance(e, CardPlayed)]

    address = reverse("what_if", args=[where.game_id]) + f"?at={played[card] - 1}{more}"

    assert f"Deal 1, trick {trick}<" in html(client("gabi").get(address))


def test_cards_are_compared_where_it_is_asked_and_the_rest_stays_as_it_is() -> None:
    where = table(opened("transcribed", "sheet"), 1)
    write_revoke(where)
    played = [e.seq for e in game_state.at(str(where.game_id)).events if isinstance(e, CardPlayed)]
    address = reverse("what_if", args=[where.game_id]) + f"?at={played[3] - 1}"

    plain, compared = (html(client("gabi").get(address + more)) for more in ("", "&compare=1"))

    assert "Compare the cards" in plain
    assert "An estimate" not in plain
    assert "Compare the cards" not in compared
    assert "An estimate" in compared
    assert compared.count("compare=1") >= 1, "the next card is compared as well"
