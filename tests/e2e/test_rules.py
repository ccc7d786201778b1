"""The rules and the regulations in a real browser: on a phone, on paper, for screen readers."""

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from engine import VARIANTS
from tests import browsers
from tests.e2e.axe import findings
from tests.e2e.conftest import Place

PHONE: ViewportSize = {"width": 360, "height": 740}
A4: ViewportSize = {"width": 673, "height": 986}
"""What is left of a sheet between its margins, in pixels of CSS."""


@pytest.mark.long(2)
@pytest.mark.parametrize("key", VARIANTS)
def test_a_page_of_rules_fits_a_phone_by_day_and_by_night(place: Place, page: Page, key: str) -> None:
    page.set_viewport_size(PHONE)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.goto(f"{place.url}/rules/{key}/")
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= PHONE["width"]
        for table in page.locator(".card-orders").all():
            assert table.evaluate("table => table.offsetWidth <= table.parentElement.clientWidth")


def test_the_contents_lead_to_each_part_by_keyboard(place: Place, page: Page) -> None:
    page.goto(f"{place.url}/rules/{next(iter(VARIANTS))}/")
    for link in page.locator(".rules-contents a").all():
        anchor = link.get_attribute("href") or ""
        link.press("Enter")
        expect(page).to_have_url(f"{place.url}/rules/{next(iter(VARIANTS))}/{anchor}")
        expect(page.locator(anchor)).to_be_in_viewport()


def test_the_cards_that_may_be_played_stand_out_also_on_paper(place: Place, page: Page) -> None:
    page.goto(f"{place.url}/rules/{next(iter(VARIANTS))}/#following")
    playable, barred = page.locator(".may-play .playable").first, page.locator(".may-play .barred").first
    for medium in ("screen", "print"):
        page.emulate_media(media=medium)
        assert playable.evaluate("card => getComputedStyle(card).boxShadow") != "none"
        assert float(barred.evaluate("card => getComputedStyle(card).opacity")) < 1
        assert playable.locator("svg").evaluate("svg => svg.getBoundingClientRect().width") > 30


def test_on_paper_there_is_nothing_that_only_makes_sense_on_a_screen(place: Place, page: Page) -> None:
    page.set_viewport_size(A4)
    page.emulate_media(media="print")
    page.goto(f"{place.url}/rules/{next(iter(VARIANTS))}/")
    for beside in (".masthead", ".rules-contents", ".colophon", ".breadcrumb"):
        expect(page.locator(beside).first).to_be_hidden()
    expect(page.locator("#scoring")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= A4["width"]


@pytest.mark.long(2)
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("path", ["/rules/", *(f"/rules/{key}/" for key in VARIANTS)])
def test_pages_of_rules_pass_the_rules_of_accessibility(
    place: Place, browser: Browser, path: str, theme: str
) -> None:
    with browsers.fresh_page(browser, color_scheme=theme, viewport={"width": 390, "height": 800}) as page:
        page.goto(f"{place.url}{path}")
        found = findings(page)
    assert found == []
