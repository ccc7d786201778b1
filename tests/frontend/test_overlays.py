"""Video overlays: public content only, and no controls."""

import pytest
from django.urls import reverse

from games.models import Game
from tests.frontend.evening import client, html, opened, person, table
from tests.frontend.test_embeds import page_data
from tests.frontend.test_standings_page import played
from tournaments.models import Table
from tournaments.services.championships import championships

pytestmark = pytest.mark.django_db


def of_table(one: Table) -> list[str]:
    slug = one.round.championship.slug
    return [
        reverse("overlay_table", args=[one.game_id]),
        reverse("overlay_names", args=[one.game_id]),
        reverse("overlay_of", args=[slug, one.number]),
        reverse("overlay_names_of", args=[slug, one.number]),
    ]


def test_an_overlay_is_a_strangers_and_leads_nowhere() -> None:
    one = table(opened("dealt", people=4), 1)

    for address in of_table(one):
        hers, a_strangers = client("anna").get(address), client().get(address)
        assert hers.content == a_strangers.content
        assert page_data(hers)["seat"] is None
        assert not hers.cookies
        assert "<a " not in html(hers)
        assert "<form" not in html(hers)


def test_the_overlay_of_a_number_shows_the_table_of_the_round_that_is_played() -> None:
    one = table(opened("dealt", people=4), 1)
    there, nowhere = (reverse("overlay_of", args=["herbstcup", number]) for number in (1, 9))

    assert page_data(client().get(there))["game"] == one.game_id
    waits = client().get(nowhere)
    assert (waits.status_code, waits["Refresh"]) == (200, "20")


def test_a_private_table_looks_like_none_and_a_private_championship_is_refused() -> None:
    one = table(opened("dealt", people=4), 1)
    Game.objects.filter(pk=one.game_id).update(visibility="private")

    by_game, _, by_number, _ = (client("fredi").get(address) for address in of_table(one))
    assert "sharing/not_public" in html(by_game)
    assert by_number.content == client().get(reverse("overlay_of", args=["herbstcup", 9])).content

    championships.edit_championship(one.round.championship, actor=person("fredi"), public=False)
    for address in (*of_table(one), reverse("overlay_ranking", args=["herbstcup"])):
        answer = client("fredi").get(address)
        assert (answer.status_code, "sharing/not_public" in html(answer)) == (404, True)


def test_the_ranking_over_a_picture_has_as_many_lines_as_are_asked_for() -> None:
    played()

    shown = html(client().get(reverse("overlay_ranking", args=["herbstcup"]), {"top": "3"}))

    assert shown.count('<th scope="row">') == 3
    assert "<a " not in shown
