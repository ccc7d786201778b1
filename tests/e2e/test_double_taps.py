"""A double tap announces nothing: irrevocable actions need a second tap at another place."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests import browsers
from tests import live_tree as trees
from tests.e2e.conftest import Place

pytestmark = pytest.mark.long
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True}


@pytest.fixture(scope="module")
def states(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """Tables that ask each thing that can be asked."""
    with trees.running("serve", tmp_path_factory.mktemp("taps")) as tree:
        yield Place(tree.url, tree.python("tests.e2e.stage_states"))


def tap_four_times(page: Page, wanted: str) -> None:
    """As a hand that trembles: in the same place, each tap a tenth of a second after the one before."""
    button = page.get_by_role("button", name=wanted).first
    expect(button).to_be_enabled()
    box = button.bounding_box()
    assert box is not None
    for _ in range(4):
        page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def seq(page: Page) -> str | None:
    return page.locator("[data-cloth]").get_attribute("data-seq")


@pytest.mark.parametrize(
    ("table", "button"),
    [("slots", "Joker ×7"), ("trumps", "Roses"), ("exchanges", "Keep the hand"), ("bids", "Pass")],
)
def test_taps_in_the_same_place_say_nothing_that_cannot_be_taken_back(
    states: Place, browser: Browser, table: str, button: str
) -> None:
    with browsers.fresh_page(browser, asked_twice=True, **PHONE) as page:
        states.sign_in(page)
        page.goto(states.address(table, "play/"))
        expect(page.locator("[data-cloth]")).to_have_attribute("data-turn", "0")
        before = seq(page)

        tap_four_times(page, button)

        expect(page.locator(".choices:not([data-settling])")).to_be_visible()
        assert seq(page) == before
        page.reload()
        expect(page.locator("[data-cloth]")).to_have_attribute("data-turn", "0")
        assert seq(page) == before


def test_a_second_tap_on_another_place_says_it(states: Place, browser: Browser) -> None:
    with browsers.fresh_page(browser, asked_twice=True, **PHONE) as page:
        states.sign_in(page)
        page.goto(states.address("trumps", "play/"))
        roses = page.locator(".choices > .choice", has_text="Roses")
        roses.tap()
        confirm = page.locator("[data-confirm]")
        expect(confirm).to_have_text("Yes, Roses")
        page.get_by_role("button", name="Back", exact=True).tap()
        expect(confirm).to_have_count(0)

        roses.tap()
        confirm.tap()

        expect(page.locator(".rail .contract")).to_contain_text("Roses")
