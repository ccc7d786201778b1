"""The director's announcements: on walls and round pages, in two languages, until they are removed."""

import pytest
from django.urls import reverse

from tests.frontend.evening import client, html, opened, person
from tournaments.errors import NotAllowed, TournamentError
from tournaments.services.championships import championships

pytestmark = pytest.mark.django_db
SAID = {"announced": "Es gibt Suppe um 20 Uhr", "announced_too": "La soupe est servie à 20 h"}
WALLS = ("projector", "tables_projector", "seating_projector")


def act(**given: str) -> str:
    address = reverse("round_act", args=["herbstcup", 1, "announce"])
    return html(client("fredi").post(address, given, follow=True))


def test_an_announcement_stands_on_every_wall_and_round_page_until_it_is_taken_away() -> None:
    opened("sheet")
    part = reverse("announcement", args=["herbstcup"])
    before = client().get(part)
    assert html(before).strip() == ""
    pages = [*(reverse(wall, args=["herbstcup"]) for wall in WALLS), reverse("round", args=["herbstcup", 1])]

    assert "It is on the projectors now." in act(**SAID)

    for page in pages:
        shown = html(client().get(page))
        first, other = (shown.index(text) for text in SAID.values())
        assert first < other, "one below the other"
        assert f'hx-get="{part}"' in shown
    again = client().get(part, headers={"If-None-Match": before.headers["ETag"], "HX-Request": "true"})
    assert again.status_code == 200
    assert all(text in html(again) for text in SAID.values())

    assert "The announcement is removed." in act(away="1", **SAID)
    assert not any(text in html(client().get(page)) for page in pages for text in SAID.values())


def test_only_the_director_announces_and_not_at_length() -> None:
    made = opened("sheet").championship
    for name in ("hanna", "anna", "eva"):
        with pytest.raises(NotAllowed):
            championships.set_announcement(made, "Suppe", actor=person(name))
        assert 'name="away"' not in html(client(name).get(reverse("round", args=["herbstcup", 1])))
    with pytest.raises(TournamentError) as refused:
        championships.set_announcement(made, "x" * 121, actor=person("fredi"))
    assert refused.value.code == "names/too_long"


def test_one_language_is_enough_and_nobody_writes_markup() -> None:
    made = opened("sheet").championship
    championships.set_announcement(made, "", "<b>Soup</b>", actor=person("fredi"))
    shown = html(client().get(reverse("announcement", args=["herbstcup"])))
    assert "&lt;b&gt;Soup&lt;/b&gt;" in shown
    assert shown.count("<p>") == 1
