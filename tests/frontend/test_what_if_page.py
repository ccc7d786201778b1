"""The page of alternative cards shows its moment of the game."""

import re

import pytest
from django.urls import reverse
from pytest_django.fixtures import Settings

from engine.events import CardPlayed, TrickTaken
from frontend.views.tables import analysis_limits
from games import game_state
from games.messaging.rate_limit import Budget
from tests.frontend.evening import client, html, opened, table
from tests.tournaments.table_play import write_revoke

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("card", "more", "trick"),
    [(0, "", 1), (3, "", 1), (4, "", 2), (3, "&finish=played", 9), (0, "&finish=bots", 9)],
)
def test_the_heading_names_the_trick_that_is_played(card: int, more: str, trick: int) -> None:
    """Also before its first card; after the deal it is the last one."""
    where = table(opened("transcribed", "sheet"), 1)
    write_revoke(where)
    played = [e.seq for e in game_state.load_snapshot(str(where.game_id)).events if isinstance(e, CardPlayed)]

    address = reverse("what_if", args=[where.game_id]) + f"?at={played[card] - 1}{more}"

    assert f"Deal 1, trick {trick}<" in html(client("gabi").get(address))


def test_cards_are_compared_where_it_is_asked_and_the_rest_stays_as_it_is() -> None:
    where = table(opened("transcribed", "sheet"), 1)
    write_revoke(where)
    played = [e.seq for e in game_state.load_snapshot(str(where.game_id)).events if isinstance(e, CardPlayed)]
    address = reverse("what_if", args=[where.game_id]) + f"?at={played[3] - 1}"

    plain, compared = (html(client("gabi").get(address + more)) for more in ("", "&compare=1"))

    assert "Compare the cards" in plain
    assert "an estimate" not in plain
    assert "Compare the cards" not in compared
    assert "an estimate" in compared
    assert compared.count("compare=1") >= 1, "the next card is compared as well"


def test_the_rail_says_what_each_side_has_taken_so_far() -> None:
    where = table(opened("transcribed", "sheet"), 1)
    write_revoke(where)
    played = [e.seq for e in game_state.load_snapshot(str(where.game_id)).events if isinstance(e, CardPlayed)]
    address = reverse("what_if", args=[where.game_id])

    before, after = (
        re.findall(r"<b>(\d+)</b>", html(client("gabi").get(f"{address}?at={played[card] - 1}")))
        for card in (0, 4)
    )

    assert before == ["0", "0"]
    taken = next(e for e in game_state.load_snapshot(str(where.game_id)).events if isinstance(e, TrickTaken))
    assert sorted(after) == sorted(["0", str(taken.points)])
    assert after[(0, 1, 0, 1)[taken.seat or 0]] == str(taken.points)


@pytest.mark.parametrize("budget", ["ADDRESS_BUDGET", "OF_ALL"])
def test_bots_think_for_whoever_asks_only_so_long(
    budget: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Anybody may ask, and in some games a comparison costs seconds."""
    settings.LIMITS = True
    monkeypatch.setattr(
        analysis_limits, budget, Budget(f"what-if-of-this-test-{budget}", most=1, seconds=600)
    )
    where = table(opened("transcribed", "sheet"), 1)
    write_revoke(where)
    played = [e.seq for e in game_state.load_snapshot(str(where.game_id)).events if isinstance(e, CardPlayed)]
    address = reverse("what_if", args=[where.game_id]) + f"?at={played[3] - 1}"

    assert client("gabi").get(f"{address}&compare=1").status_code == 200
    for more in ("&compare=1", "&finish=bots"):
        refused = client("gabi").get(address + more)
        assert refused.status_code == 429
        assert "what_if/too_often" in html(refused)
    for more in ("", "&finish=played", "&finish=played&compare=1"):
        assert client("gabi").get(address + more).status_code == 200, "nobody thinks"
