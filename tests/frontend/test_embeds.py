"""Tables and rankings embedded in other sites, and their discovery. All of them are public."""

import json
import re
from typing import Any
from urllib.parse import quote

import pytest
from django.urls import reverse

from games.models import Game
from tests.client_responses import Answer
from tests.frontend.evening import client, html, opened, person, table
from tests.frontend.test_standings_page import SEATS, played
from tests.tournaments.table_play import write_sheet
from tournaments.models import Table
from tournaments.services.championships import championships
from tournaments.services.draw import seating_by_hand
from tournaments.services.rounds import rounds

pytestmark = pytest.mark.django_db
ORIGIN = "http://testserver"


def at_table(mode: str = "dealt", **more: Any) -> Table:
    return table(opened(mode, people=4, **more), 1)


def embed(one: Table, role: str | None = None, **asked: Any) -> Answer:
    return client(role).get(reverse("embedded_table", args=[one.game_id]), asked)


def oembed(url: str, **asked: Any) -> Answer:
    return client().get(reverse("oembed"), {"url": url, **asked})


def page_data(answer: Answer) -> dict[str, Any]:
    text = html(answer).split('id="page" type="application/json">')[1].split("</script>")[0]
    found: dict[str, Any] = json.loads(text)
    return found


def test_only_what_is_made_for_it_may_stand_in_a_frame() -> None:
    one = at_table()
    played = [reverse("table_live", args=[one.game_id]), reverse("replay", args=[one.game_id])]

    for address in (reverse("embedded_table", args=[one.game_id]), "/embed/c/herbstcup/ranking/"):
        answer = client().get(address)
        assert "frame-ancestors *" in answer["Content-Security-Policy"]
        assert "script-src 'self'" in answer["Content-Security-Policy"]
        assert "X-Frame-Options" not in answer
    for address in played:
        answer = client().get(address)
        assert "frame-ancestors 'none'" in answer["Content-Security-Policy"]
        assert answer["X-Frame-Options"] == "DENY"


def test_whoever_is_signed_in_is_a_stranger_there() -> None:
    """Anna sits at this table: neither her seat nor a token nor a cookie comes with its frame."""
    one = at_table()

    hers, a_strangers = embed(one, "anna"), embed(one)

    assert hers.content == a_strangers.content
    assert not hers.cookies
    told = page_data(hers)
    assert (told["seat"], told["csrf"], told["commands"]) == (None, "", "")
    assert told["socket"] == f"/ws/strangers/games/{one.game_id}/"
    assert "masthead" not in html(hers)


def test_names_are_those_shown_in_public() -> None:
    one = at_table()
    assert "Anna Ammann" in page_data(embed(one, "fredi"))["names"]

    championships.edit_championship(one.round.championship, actor=person("fredi"), public_names="initials")

    assert "A. A." in page_data(embed(one, "fredi"))["names"]


def test_a_refusal_says_why_in_words_and_with_its_code() -> None:
    one = at_table()
    Game.objects.filter(pk=one.game_id).update(visibility="private")

    private, guess = embed(one, "fredi"), client().get("/embed/g/0123/")

    assert private.status_code == guess.status_code == 404
    assert private.content == guess.content
    assert "sharing/not_public" in html(guess)


def test_a_moment_that_is_still_to_come_is_not_shown() -> None:
    one = at_table()
    head = Game.objects.get(pk=one.game_id).head_seq

    assert page_data(embed(one, at=head))["extra"]["at"] == head
    late = embed(one, at=head + 1)
    assert (late.status_code, "sharing/not_yet" in html(late)) == (404, True)


def test_a_ranking_in_a_frame_asks_for_what_is_new_alone() -> None:
    played()
    address = reverse("embedded_ranking", args=["herbstcup"])

    page = client().get(address, {"top": "2"})
    part = client().get(address, {"top": "2"}, headers={"HX-Request": "true"})
    again = client().get(address, {"top": "2"}, headers={"HX-Request": "true", "If-None-Match": part["ETag"]})

    assert html(part) in html(page)
    assert html(part).count('<th scope="row">') == 2
    assert again.status_code == 304


def test_a_language_can_be_asked_for() -> None:
    one = at_table()

    assert '<html lang="de"' in html(embed(one, lang="de"))
    assert '<html lang="xx"' not in html(embed(one, lang="xx"))


@pytest.mark.parametrize("name", ["table_live", "replay", "embedded_table"])
def test_the_frame_of_a_table_is_found_by_its_address(name: str) -> None:
    one = at_table()

    told = oembed(ORIGIN + reverse(name, args=[one.game_id]) + "#seq=1", maxwidth="400").json()

    assert (told["version"], told["type"], told["width"]) == ("1.0", "rich", 400)
    assert f'src="{ORIGIN}/embed/g/{one.game_id}/?at=1"' in told["html"]
    assert told["thumbnail_url"] == ORIGIN + reverse("table_preview", args=[one.game_id]) + "?at=1"


def test_a_page_says_where_its_frame_is_found_and_has_its_code() -> None:
    one = at_table()
    page = html(client().get(reverse("table_live", args=[one.game_id])))

    url = quote(f"{ORIGIN}/g/{one.game_id}/", safe="")
    assert f'type="application/json+oembed" href="{ORIGIN}/oembed/?url={url}&amp;format=json"' in page
    assert f"&lt;iframe src=&quot;{ORIGIN}/embed/g/{one.game_id}/&quot;" in page


def test_a_name_in_a_title_cannot_leave_the_code_of_a_frame() -> None:
    one = at_table(name='"><script>x</script>')

    told = oembed(f"{ORIGIN}/g/{one.game_id}/").json()

    assert "<script>" not in told["html"]


@pytest.mark.parametrize(
    ("url", "asked", "status", "code"),
    [
        ("https://example.org/g/1/", {}, 404, "sharing/foreign_address"),
        (ORIGIN + "/sign-in/", {}, 404, "sharing/foreign_address"),
        ("javascript:alert(1)", {}, 404, "sharing/foreign_address"),
        ("http://[", {}, 404, "sharing/foreign_address"),
        ("", {}, 404, "sharing/foreign_address"),
        (ORIGIN + "/g/0123/", {}, 404, "sharing/not_public"),
        (ORIGIN + "/c/nowhere/standings/", {}, 404, "sharing/not_public"),
        (ORIGIN + "/g/0123/", {"format": "xml"}, 501, "sharing/only_json"),
    ],
)
def test_what_has_no_frame_is_refused_with_its_code(
    url: str, asked: dict[str, str], status: int, code: str
) -> None:
    answer = oembed(url, **asked)

    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_a_private_table_has_no_frame_and_its_page_offers_none() -> None:
    one = at_table(public=False)

    assert oembed(f"{ORIGIN}/g/{one.game_id}/").json()["code"] == "sharing/not_public"
    page = html(client("fredi").get(reverse("table_live", args=[one.game_id])))
    assert "data-share" not in page
    assert "json+oembed" not in page


def between_two_rounds() -> None:
    """Round 1 is over and its ranking published; a deal of round 2 has been written down."""
    made = played(1, count=2)
    second = made.rounds.get(number=2)
    seating_by_hand.seat_by_hand(second, SEATS[1], actor=person("fredi"))
    for one in second.tables.select_related("round__championship"):
        rounds.set_mode(one, "sheet", actor=person("fredi"))
    rounds.open_round(second, actor=person("fredi"))
    write_sheet(table(second, 1), [157])


@pytest.mark.parametrize("name", ["embedded_ranking", "overlay_ranking"])
def test_a_ranking_says_that_a_round_is_being_played_and_is_offered_live(name: str) -> None:
    between_two_rounds()
    address = reverse(name, args=["herbstcup"])

    published, live = (html(client().get(address, {"lang": "en", **asked})) for asked in ({}, {"live": "1"}))

    assert "After round 1; round 2 is being played" in published
    assert "live; round 2 is being played" in live
    totals = [re.findall(r'class="num total">(\d+)<', shown) for shown in (published, live)]
    assert totals[0] != totals[1]
    assert "After round 1; round 2 is being played" in html(
        client().get(reverse("championship", args=["herbstcup"]))
    )
    assert "After round 1; round 2 is being played" in html(
        client().get(reverse("projector", args=["herbstcup"]))
    )


def test_the_code_of_a_live_ranking_is_that_of_the_live_one() -> None:
    between_two_rounds()
    shown = html(client().get(reverse("standings", args=["herbstcup"]), {"live": "1"}))
    assert "/embed/c/herbstcup/ranking/?live=1" in shown
    assert "/overlay/c/herbstcup/ranking/?live=1" in shown
    told = oembed(f"{ORIGIN}/c/herbstcup/standings/?live=1").json()
    assert "/embed/c/herbstcup/ranking/?live=1" in told["html"]


def test_where_no_round_is_played_the_live_form_is_the_published_one() -> None:
    played()
    address = reverse("embedded_ranking", args=["herbstcup"])
    published, live = (html(client().get(address, {"lang": "en", **asked})) for asked in ({}, {"live": "1"}))
    for shown in (published, live):
        assert "After round 1" in shown
        assert "is being played" not in shown
