"""The home page and the overview: running, coming and past championships, and next steps."""

import re
from datetime import timedelta
from typing import Any
from unittest.mock import Mock

import pytest
from django.urls import reverse
from django.utils import timezone

from frontend.presenters.site.home import build_home_page
from frontend.views.site import home as home_view
from tests.frontend.evening import championship, client, drawn, html, opened, person, table
from tests.frontend.test_standings_page import played
from tests.tournaments.table_play import write_sheet
from tournaments.models import Championship, Round
from tournaments.prizes import PrizePlan
from tournaments.services import prize_giving
from tournaments.services.championships import championships
from tournaments.services.rounds import rounds
from tournaments.services.scores import published_ranking

pytestmark = pytest.mark.django_db


def home(name: str | None = None) -> str:
    return html(client(name).get(reverse("home")))


def overview(name: str | None = None, slug: str = "herbstcup") -> str:
    return html(client(name).get(reverse("championship", args=[slug])))


def finished(*, people: int = 8) -> Championship:
    round_ = opened("sheet", people=people, slug="frueh", name="Frühlingscup")
    for number in range(1, people // 4 + 1):
        write_sheet(table(round_, number), [100] * 7 + [150 - number % 2])
    rounds.close_round(round_, actor=person("fredi"))
    championships.finish(round_.championship, actor=person("fredi"))
    return round_.championship


def test_all_who_share_the_first_place_have_won() -> None:
    made = finished()
    snapshot = published_ranking.load_latest_snapshot(made)
    assert snapshot is not None
    winners = [row.key for row in published_ranking.decode_rows(snapshot) if row.place == 1]
    assert len(winners) > 1
    names = [made.entries.get(number=number).name for number in sorted(winners)]
    assert f"won by {' / '.join(names)}" in home()


def test_many_who_share_the_first_place_are_counted() -> None:
    made = finished(people=36)
    snapshot = published_ranking.load_latest_snapshot(made)
    assert snapshot is not None
    winners = [row.key for row in published_ranking.decode_rows(snapshot) if row.place == 1]
    assert len(winners) == 8
    names = [made.entries.get(number=number).name for number in sorted(winners[:4])]
    assert f"won by {' / '.join(names)} and 4 more" in home()


def test_an_empty_house_says_how_to_begin() -> None:
    assert "Nothing is planned yet" in home()
    assert reverse("sign_in") in home()
    assert reverse("championship_new") in home("fredi")


@pytest.mark.both
def test_championships_without_a_date_come_last() -> None:
    starts = timezone.now() + timedelta(days=3)
    for status in ("draft", "finished"):
        for slug, when in (("a", None), ("b", starts), ("c", None)):
            made = championship(slug=f"{status}-{slug}", name=f"{status} {slug}", starts_at=when)
            Championship.objects.filter(pk=made.pk).update(status=status)
    shown = re.findall(r"(draft|finished) (\w)<", home())
    assert next(letter for status, letter in shown if status == "draft") == "b"
    assert next(letter for status, letter in shown if status == "finished") == "b"


def test_what_is_on_shows_its_tables() -> None:
    round_ = opened("sheet")

    shown = home()

    assert "Herbstcup" in shown
    assert "Round 1 of 1" in shown
    assert shown.count('<li class="tile') == 2
    assert reverse("table_live", args=[table(round_, 1).game_id]) in shown


def test_a_player_is_led_to_the_own_table() -> None:
    opened("dealt")

    assert "Go to your table" in home("anna")
    assert "Go to your table" not in home("eva")


def test_what_comes_and_what_is_over_stand_in_lists_with_the_winner() -> None:
    championship(4)
    made = finished()
    winner = made.entries.get(number=made.snapshots.latest("version").rows[0]["key"])

    shown = home()

    coming, over = shown.split('id="over"')
    assert "Herbstcup" in coming
    assert f"won by {winner.name}" in over


def test_a_private_championship_is_known_only_to_those_who_take_part() -> None:
    made = championship(4, public=False)
    address = reverse("championship", args=[made.slug])

    for name in (None, "eva"):
        assert "Herbstcup" not in home(name)
        assert client(name).get(address).status_code == 404
    for name in ("fredi", "gabi", "hanna", "anna"):
        assert "Herbstcup" in home(name)
        assert client(name).get(address).status_code == 200


def test_the_part_that_changes_is_asked_for_alone() -> None:
    opened("sheet")

    part = html(client().get(reverse("home"), headers={"HX-Request": "true"}))

    assert "<html" not in part
    assert "Herbstcup" in part


def test_the_part_is_made_once_a_second_for_all_who_are_not_signed_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    opened("sheet")
    made = Mock(side_effect=build_home_page)
    monkeypatch.setattr(home_view, "build_home_page", made)
    monkeypatch.setattr(home_view, "time", lambda: 1000.0)

    told = [part() for _ in range(3)]

    assert made.call_count == 1
    assert len({answer.content for answer in told}) == 1
    assert "Herbstcup" in told[0].content.decode()
    monkeypatch.setattr(home_view, "time", lambda: 1001.0)
    part()
    assert made.call_count == 2


def test_whoever_has_the_newest_of_what_is_on_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(home_view, "time", lambda: 1000.0)
    round_ = opened("sheet")
    for name in (None, "anna"):
        etag = part(name)["ETag"]
        assert part(name, etag).status_code == 304
    write_sheet(table(round_, 1), [100] * 8)

    assert part("anna", etag).status_code == 200


def test_how_people_are_called_in_public_and_who_may_see_it_holds_at_once_on_the_first_page(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(home_view, "time", lambda: 1000.0)
    found = opened("sheet").championship
    assert "Anna" in part().content.decode()

    found.public_names = "numbers"
    found.save(update_fields=["public_names"])
    assert "Anna" not in part().content.decode()

    found.public = False
    found.save(update_fields=["public"])
    assert "Herbstcup" not in part().content.decode()


def part(name: str | None = None, etag: str = "") -> Any:
    """What the first page asks for again and again."""
    headers = {"HX-Request": "true"} | ({"If-None-Match": etag} if etag else {})
    return client(name).get(reverse("home"), headers=headers)


def test_without_entries_the_next_step_is_to_enter_people() -> None:
    championship(0)

    assert "Enter the players" in overview("fredi")


def test_with_people_entered_the_next_step_is_the_desk() -> None:
    championship(8, status="registered")

    assert "Check in the people who are here" in overview("fredi")


def test_with_people_here_the_next_step_is_the_draw() -> None:
    championship(7)

    shown = overview("fredi")

    assert "Draw round 1" in shown
    assert "1 more would fill the last table." in shown


def test_after_the_last_round_prizes_are_given_and_then_it_is_closed() -> None:
    made, fredi = played(), person("fredi")
    giving, closing = (reverse(name, args=["herbstcup"]) for name in ("prize_giving", "championship_finish"))
    assert giving not in overview("fredi"), "there are none"

    prize_giving.set_plan(made, PrizePlan(table=("Käse", "Wurst")), actor=fredi)
    shown = overview("fredi")
    assert shown.index(giving) < shown.index(closing), "both can be done, prizes first"
    prize_giving.call(made, len(prize_giving.load_giving(made).steps), version=1, actor=fredi)

    assert giving not in overview("fredi")
    assert closing in overview("fredi")


def test_a_drawn_round_is_to_be_opened() -> None:
    drawn(8)

    assert "Round 1 is drawn" in overview("fredi")


def test_the_overview_links_to_the_board_during_a_round() -> None:
    round_ = opened("sheet")
    write_sheet(table(round_, 1), [100] * 8)

    shown = overview("fredi")

    assert "Tables that have finished: 1 of 2." in shown
    assert reverse("board", args=["herbstcup"]) in shown


def test_when_all_tables_have_finished_the_round_is_to_be_closed() -> None:
    round_ = opened("sheet")
    for number in (1, 2):
        write_sheet(table(round_, number), [100] * 8)

    assert "Close the round" in overview("fredi")


def test_after_the_last_round_the_championship_is_closed_from_the_overview() -> None:
    round_ = opened("sheet")
    for number in (1, 2):
        write_sheet(table(round_, number), [100] * 8)
    rounds.close_round(Round.objects.get(pk=round_.pk), actor=person("fredi"))
    assert "All rounds are played" in overview("fredi")

    client("fredi").post(reverse("championship_finish", args=["herbstcup"]))

    assert "The evening is over" in overview("fredi")
    assert "The same again" in overview("fredi")
    assert "What comes next" not in overview("eva")
    assert Championship.objects.get().status == "finished"


def test_others_are_not_told_what_the_director_has_to_do() -> None:
    drawn(8)

    assert "What comes next" not in overview("anna")
    assert "You sit at table" in overview("anna")


def test_the_regulations_can_be_read_in_plain_words() -> None:
    championship(0)

    shown = overview()

    assert "1 round of 8 deals" in shown
    assert "100 for a sweep, with Stöck, without melds" in shown


def test_german_people_read_german() -> None:
    drawn(8)

    shown = client().get(reverse("championship", args=["herbstcup"]), headers={"accept-language": "de-CH"})

    assert '<html lang="de"' in html(shown)
    assert "Reglement" in html(shown)


def test_every_championship_can_be_reached_from_the_first_page() -> None:
    for number in range(65):
        championship(slug=f"cup-{number}", name=f"Cup {number}")
    Championship.objects.update(status=Championship.Status.FINISHED)

    found, page = [], 1
    while True:
        body = html(client().get(reverse("home"), {"page": page}))
        found += re.findall(r'href="/c/(cup-\d+)/"', body)
        if f"?page={page + 1}" not in body:
            break
        page += 1

    assert (page, sorted(found)) == (3, sorted(f"cup-{number}" for number in range(65)))


def test_a_championship_is_found_by_a_part_of_its_name() -> None:
    championship(4, slug="a", name="Herbstcup am See")
    championship(4, slug="b", name="Frühlingscup")
    championship(4, slug="c", name="Herbstcup geheim", public=False)

    body = html(client().get(reverse("home"), {"q": "herbst"}))

    assert re.findall(r'<h3><a href="/c/(\w)/"', body) == ["a"]
    assert re.findall(r'<h3><a href="/c/(\w)/"', html(client("fredi").get("/", {"q": "herbst"}))) == [
        "c",
        "a",
    ]
    assert "None found." in html(client().get(reverse("home"), {"q": "nirgends"}))


def test_only_what_everybody_sees_of_tonight_is_told_again() -> None:
    opened("sheet")
    part = {"HX-Request": "true"}

    strangers, annas = (client(name).get(reverse("home"), headers=part) for name in (None, "anna"))

    assert strangers["X-Puur-Shared"].startswith("- all ")
    assert "X-Puur-Shared" not in annas
