"""Two phones at one paper table: input belongs to the deal for which it was begun, and a confirmation to the
shown result.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests import browsers
from tests import live_tree as trees
from tests.e2e.conftest import Place

pytestmark = pytest.mark.long

PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 640}, "locale": "de-CH", "has_touch": True}
LYING: dict[str, Any] = {"viewport": {"width": 640, "height": 360}, "locale": "de-CH", "has_touch": True}

CONFIRM_THE_OLD_ROW = """async (game) => {
  const token = document.querySelector("meta[name=csrf-token]").content;
  const command = {cmd: "confirm_result", seat: 1, deal: 1};
  const answer = await fetch(`/api/v1/games/${game}/commands/`, {
    method: "POST",
    headers: {"Content-Type": "application/json", "X-CSRFToken": token},
    body: JSON.stringify({command_id: "old-row", command}),
  });
  return answer.json();
}"""


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Place, trees.LiveTree]]:
    with trees.running("serve", tmp_path_factory.mktemp("two-phones")) as tree:
        yield Place(tree.url, tree.python("tests.e2e.sheets_of_two_phones")), tree


@dataclass
class Phones:
    """Two phones at one table, and how to open them there."""

    anna: Page
    beat: Page
    place: Place

    def open(self, table: str) -> None:
        for page in (self.anna, self.beat):
            page.goto(self.place.address(table, "sheet/"))
            expect(page.locator("[data-entry-deal]")).to_be_visible()


@pytest.fixture
def phones(hall: tuple[Place, trees.LiveTree], browser: Browser) -> Iterator[Phones]:
    with (
        browsers.fresh_page(browser, **PHONE) as anna,
        browsers.fresh_page(browser, **PHONE) as beat,
    ):
        hall[0].sign_in(anna, "anna")
        hall[0].sign_in(beat, "beat")
        yield Phones(anna, beat, hall[0])


def types(page: Page, points: int, side: int = 0) -> None:
    page.fill(f"[data-points='{side}']", str(points))


def enters(page: Page, points: int, side: int = 0) -> None:
    types(page, points, side)
    page.click("[data-save]")


def heading(page: Page, deal: int) -> None:
    expect(page.locator("[data-entry-deal]")).to_have_text(re.compile(rf"^Spiel {deal}\b"))


def rows(page: Page, *expected: str) -> None:
    """The lines of the sheet, by their scores."""
    found = page.locator("[data-rows] tr")
    expect(found).to_have_count(len(expected))
    for at, text in enumerate(expected):
        expect(found.nth(at).locator("td.num")).to_have_text(text.split(":"))


def test_figures_stay_with_the_deal_that_another_phone_saves_first(phones: Phones) -> None:
    phones.open("at_once")
    anna, beat = phones.anna, phones.beat
    types(beat, 60)
    enters(anna, 100)
    rows(beat, "100:57")

    heading(beat, 1)
    both = beat.locator("[data-conflict]")
    expect(both.locator("tbody tr").nth(0).locator(".num")).to_have_text(["100", "57"])
    expect(both.locator("tbody tr").nth(1).locator(".num")).to_have_text(["60", "97"])
    expect(beat.locator("[data-save]")).to_be_hidden()

    beat.reload()
    expect(both.locator("tbody tr").nth(1).locator(".num")).to_have_text(["60", "97"])
    both.locator("button").nth(1).click()  # a correction with the own figures goes off at once
    expect(beat.locator("[data-notice]")).to_be_hidden()

    rows(anna, "60:97")
    expect(anna.locator("[data-to-confirm]")).to_contain_text("100 : 57 → 60 : 97")
    anna.locator("[data-to-confirm] .primary").click()
    expect(anna.locator("[data-rows] .pill.done")).to_have_count(1)
    heading(anna, 2)
    heading(beat, 2)


def test_the_other_side_confirms_what_is_there_and_loses_nothing(phones: Phones) -> None:
    phones.open("same")
    anna, beat = phones.anna, phones.beat
    types(beat, 120)
    enters(anna, 120)
    both = beat.locator("[data-conflict]")
    expect(both.locator("tbody tr")).to_have_count(2)
    both.locator(".primary").click()
    expect(anna.locator("[data-rows] .pill.done")).to_have_count(1)
    heading(beat, 2)
    expect(beat.locator("[data-points='0']")).to_have_value("")
    browsers.forgive(beat, saying="400")  # a preview that comes after the other phone's entry


def test_of_two_tabs_the_second_keeps_its_figures_under_their_deal(phones: Phones) -> None:
    phones.open("tabs")
    first, second = phones.anna, phones.anna.context.new_page()
    second.goto(phones.place.address("tabs", "sheet/"))
    types(second, 33)
    enters(first, 90)
    expect(second.locator("[data-conflict] tbody tr").nth(1).locator(".num")).to_have_text(["33", "124"])
    heading(second, 1)
    rows(phones.beat, "90:67")
    second.close()


def test_lines_kept_without_a_network_do_not_become_other_deals(phones: Phones) -> None:
    phones.open("offline")
    anna, beat = phones.anna, phones.beat
    anna.context.set_offline(True)
    enters(anna, 40)
    enters(anna, 50)
    expect(anna.locator("[data-rows] .pill.warn")).to_have_count(2)
    anna.locator("[data-rows] tr").nth(1).get_by_role("button").click()  # changed before it goes
    expect(anna.locator("[data-points='0']")).to_have_value("50")
    heading(anna, 2)
    enters(anna, 51)
    enters(beat, 140)
    rows(beat, "140:17")

    anna.context.set_offline(False)
    anna.evaluate("window.dispatchEvent(new Event('online'))")
    rows(beat, "140:17", "51:106")
    expect(anna.locator("[data-conflict] tbody tr").nth(0).locator(".num")).to_have_text(["140", "17"])
    expect(anna.locator("[data-conflict] tbody tr").nth(1).locator(".num")).to_have_text(["40", "117"])
    heading(anna, 1)
    browsers.forgive(anna, saying="net::ERR_")
    browsers.forgive(anna, saying="400")


def test_what_cannot_be_says_why_and_keeps_its_figures(phones: Phones) -> None:
    phones.open("refused")
    anna = phones.anna
    types(anna, 158)
    expect(anna.locator("[data-missing]")).to_contain_text("157")
    anna.click("[data-save]")
    expect(anna.locator("[data-points='0']")).to_have_value("158")
    rows(anna)


def test_what_was_ruled_is_shown_at_once_and_not_confirmed_as_the_old_row(
    phones: Phones, hall: tuple[Place, trees.LiveTree]
) -> None:
    phones.open("ruled")
    beat = phones.beat
    expect(beat.locator("[data-to-confirm] .primary")).to_be_in_viewport()
    game = phones.place.games["ruled"]
    command = {"cmd": "rule", "kind": "score_change", "deal": 1, "scores": [102, 60], "reason": "Stöck"}
    command["stands"] = True
    hall[1].python("tests.e2e.send", game, json.dumps(command))
    rows(beat, "102:60")
    expect(beat.locator("[data-rows] .ruling-mark")).to_be_visible()
    expect(beat.locator("[data-to-confirm]")).to_be_hidden()
    expect(beat.locator("[data-news]")).to_contain_text("112 : 45 → 102 : 60")
    expect(beat.locator(".slate-total")).to_have_text(["102", "60"])
    answer: Any = beat.evaluate(CONFIRM_THE_OLD_ROW, game)
    assert answer["code"] == "sheet/ruled"
    browsers.forgive(beat, saying="400")


def test_a_correction_of_the_director_says_what_was_before_and_why(
    phones: Phones, hall: tuple[Place, trees.LiveTree]
) -> None:
    phones.open("corrected")
    command = {"cmd": "correct_result", "deal": 1, "card_points": [61, 96], "reason": "vertippt"}
    hall[1].python("tests.e2e.send", phones.place.games["corrected"], json.dumps(command))
    for page in (phones.anna, phones.beat):
        expect(page.locator("[data-news]")).to_contain_text("71 : 86 → 61 : 96")
        expect(page.locator("[data-news]")).to_contain_text("vertippt")
        expect(page.locator("[data-rows]")).to_contain_text("71 : 86 → 61 : 96")
    phones.anna.locator("[data-news] button").click()
    expect(phones.anna.locator("[data-news]")).to_be_hidden()
    phones.anna.reload()
    rows(phones.anna, "61:96")
    expect(phones.anna.locator("[data-news]")).to_be_hidden()


def test_the_phone_of_seat_two_writes_for_the_declarer_and_the_others_give_a_deal_away(
    phones: Phones, hall: tuple[Place, trees.LiveTree], browser: Browser
) -> None:
    phones.open("bieter")
    anna = phones.anna
    with browsers.fresh_page(browser, **PHONE) as chiara:
        hall[0].sign_in(chiara, "chiara")
        chiara.goto(phones.place.address("bieter", "sheet/"))
        chiara.click("[data-chooser='2']")
        chiara.fill("[data-bid='0']", "501")
        types(chiara, 100)
        types(chiara, 57, side=1)  # three cards may be missing: nothing follows
        expect(chiara.locator("[data-missing]")).to_contain_text("500")
        chiara.fill("[data-bid='0']", "500")
        chiara.click("[data-save]")
        anna.locator("[data-to-confirm] .primary").click()
        expect(chiara.locator("[data-rows] .pill.done")).to_have_count(1)
        chiara.click("[data-conceded]")
        expect(chiara.locator("[data-points='1']")).to_have_value("157")
        chiara.click("[data-stoeck='1']")
        chiara.click("[data-save]")
        rows(anna, "100:57", "0:177")
        anna.locator("[data-to-confirm] .primary").click()
        expect(chiara.locator("[data-rows] .pill.done")).to_have_count(2)


@pytest.mark.parametrize("table", ["lying", "auction"])
def test_a_lying_phone_shows_a_digit_without_scrolling(
    hall: tuple[Place, trees.LiveTree], browser: Browser, table: str
) -> None:
    with browsers.fresh_page(browser, **LYING) as page:
        hall[0].sign_in(page, "anna")
        page.goto(hall[0].address(table, "sheet/"))
        field = page.locator("[data-points='0']")
        expect(field).to_be_visible()
        box = field.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 360
        assert page.evaluate("document.documentElement.scrollWidth") <= 640


def test_a_phone_at_150_percent_scrolls_in_one_direction(
    hall: tuple[Place, trees.LiveTree], browser: Browser
) -> None:
    enlarged = {**PHONE, "viewport": {"width": 240, "height": 427}}
    with browsers.fresh_page(browser, **enlarged) as page:
        hall[0].sign_in(page, "beat")
        page.goto(hall[0].address("ruled", "sheet/"))
        expect(page.locator("[data-points='0']")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 240
