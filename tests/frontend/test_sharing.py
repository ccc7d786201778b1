"""Pictures for links, and calendars for other programs. All of them are public."""

import io
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db.models import F
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from msgspec.structs import replace
from PIL import Image

from frontend.sharing import preview_contents
from frontend.sharing.calendar_file import estimate_round_minutes
from games.models import Game
from tests.client_responses import Answer
from tests.frontend.evening import championship, client, html, opened, person, table
from tests.frontend.test_standings_page import played
from tests.tournaments.table_play import enter
from tournaments.models import Championship
from tournaments.names.readers import reading_for
from tournaments.presets import PRESETS
from tournaments.services.championships import championships
from tournaments.services.people.name_visibility import outsider

pytestmark = pytest.mark.django_db
MAX_BYTES = 40_000


def preview(kind: str, browser: Client | None = None, *, known: str = "") -> Answer:
    address = reverse("championship_preview", args=["herbstcup", kind])
    return (browser or client()).get(address, headers={"If-None-Match": known})


def calendar(browser: Client | None = None) -> str:
    answer = (browser or client()).get(reverse("calendar_file", args=["herbstcup"]))
    assert answer["Content-Type"].startswith("text/calendar")
    return answer.content.decode()


def hide(of: Championship, **how: Any) -> None:
    championships.edit_championship(of, actor=person("fredi"), **how)


@pytest.mark.parametrize("kind", ["championship", "ranking"])
def test_a_link_has_a_small_picture_that_is_made_once(kind: str) -> None:
    played()

    answer = preview(kind)

    with Image.open(io.BytesIO(answer.content)) as picture:
        assert picture.size == (1200, 630)
    assert len(answer.content) <= MAX_BYTES
    assert preview(kind, known=answer["ETag"]).status_code == 304


def test_a_table_has_one_too_and_it_changes_with_the_score() -> None:
    one = table(opened("sheet"), 1)
    address = reverse("table_preview", args=[one.game_id])
    before = client().get(address)

    enter(one, 1, 120)
    after = client().get(address)

    assert len(before.content) <= MAX_BYTES
    assert before["ETag"] != after["ETag"]
    assert before.content != after.content


def test_a_card_draws_no_table_anew() -> None:
    """Whoever asks again and again costs a drawing a deal, not one a card."""
    one = table(opened("sheet"), 1)
    address = reverse("table_preview", args=[one.game_id])
    before = client().get(address)

    Game.objects.filter(pk=one.game_id).update(head_seq=F("head_seq") + 1)

    assert client().get(address, headers={"If-None-Match": before["ETag"]}).status_code == 304


def test_the_page_names_title_picture_and_its_one_address() -> None:
    made = played()
    shown = html(client().get(reverse("standings", args=["herbstcup"]), {"after": "1"}))

    assert '<link rel="canonical" href="http://testserver/c/herbstcup/standings/">' in shown
    assert 'property="og:image" content="http://testserver/c/herbstcup/preview/ranking.png"' in shown
    assert 'property="og:title" content="Standings · Herbstcup"' in shown
    one = table(made.rounds.get(number=1), 1)
    at_table = html(client().get(reverse("table_live", args=[one.game_id])))
    assert reverse("table_preview", args=[one.game_id]) in at_table


def test_of_what_is_private_nobody_gets_a_picture_and_the_page_names_none() -> None:
    made = played()
    one = table(made.rounds.get(number=1), 1)
    hide(made, public=False)

    for browser in (client(), client("anna"), client("fredi")):
        answers = [preview("championship", browser), preview("ranking", browser)]
        answers.append(browser.get(reverse("table_preview", args=[one.game_id])))
        assert [answer.status_code for answer in answers] == [404] * 3
        assert {answer.json()["code"] for answer in answers} == {"sharing/not_public"}
    assert "og:image" not in html(client("fredi").get(reverse("championship", args=["herbstcup"])))
    assert "og:image" not in html(client("fredi").get(reverse("table_live", args=[one.game_id])))


@pytest.mark.parametrize(
    "address", ["/c/herbstcup/preview/cards.png", "/c/nowhere/preview/ranking.png", "/g/x/preview.png"]
)
def test_a_guess_gets_the_same_code(address: str) -> None:
    championship(4)

    answer = client().get(address)

    assert (answer.status_code, answer.json()["code"]) == (404, "sharing/not_public")


def test_a_private_table_of_a_public_championship_has_none() -> None:
    one = table(opened("sheet"), 1)
    Game.objects.filter(pk=one.game_id).update(visibility="private")

    assert (
        client("fredi").get(reverse("table_preview", args=[one.game_id])).json()["code"]
        == "sharing/not_public"
    )


def test_pictures_read_the_names_of_an_outsider_whoever_asks_first() -> None:
    made = played()
    full = preview("ranking").content
    hide(made, public_names="initials")

    by_official, by_stranger = preview("ranking", client("fredi")), preview("ranking")

    assert by_official.content == by_stranger.content != full
    with reading_for(outsider(made)):
        shown = preview_contents.describe_ranking(Championship.objects.get(pk=made.pk))
    assert shown.lines[0].name in ("A. A.", "C. C.")


def test_a_calendar_has_the_evening_and_the_rounds_with_a_time() -> None:
    made = championship(4, name="Herbst, Cup; 1\nBEGIN:VALARM")
    begins = timezone.now().replace(microsecond=0)
    hide(
        made,
        starts_at=begins,
        place="Gemeindesaal Oberwil im Simmental, am Ende der Strasse hinter dem Schulhaus",
    )
    made.rounds.filter(number=1).update(opens_at=begins, closes_at=begins + timedelta(hours=1))

    told = calendar()

    assert told.count("BEGIN:VEVENT") == 2
    assert "SUMMARY:Herbst\\, Cup\\; 1 BEGIN:VALARM\r\n" in told
    assert f"UID:{made.stream_id}-evening@puur\r\n" in told
    assert all(len(line.encode()) <= 75 for line in told.split("\r\n"))
    assert "\r\n " in told
    assert reverse("calendar_file", args=["herbstcup"]) in html(
        client().get(reverse("championship", args=["herbstcup"]))
    )


def test_each_entry_of_a_calendar_has_an_end_and_no_address_of_this_machine() -> None:
    made = championship(4, count=2, changes={"rounds": 2, "round_minutes": 50})
    begins = timezone.now().replace(microsecond=0)
    hide(made, starts_at=begins)
    made.rounds.filter(number=2).update(opens_at=begins + timedelta(hours=2))

    def at(when: datetime) -> str:
        return when.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")

    told = calendar()
    assert told.count("DTEND:") == told.count("BEGIN:VEVENT") == 2
    assert f"DTEND:{at(begins + timedelta(hours=2, minutes=50))}" in told
    here = client().get(reverse("calendar_file", args=["herbstcup"]), headers={"host": "127.0.0.1:8000"})
    assert "127.0.0.1" not in here.content.decode()


@pytest.mark.parametrize(
    ("preset", "changes", "minutes"),
    [("santiago", {}, 40), ("coiffeur", {}, 60), ("santiago", {"round_minutes": 35}, 35)],
)
def test_a_round_lasts_as_the_regulations_say_or_as_long_as_its_deals(
    preset: str, changes: dict[str, int], minutes: int
) -> None:
    assert estimate_round_minutes(replace(PRESETS[preset], **changes)) == minutes


def test_a_calendar_is_for_whoever_sees_the_championship_and_needs_a_day() -> None:
    made = championship(4)
    hide(made, starts_at=None)
    assert client().get(reverse("calendar_file", args=["herbstcup"])).status_code == 404

    hide(made, starts_at=timezone.now(), public=False)

    assert client().get(reverse("calendar_file", args=["herbstcup"])).status_code == 404
    assert "BEGIN:VEVENT" in calendar(client("anna"))
