"""A phone is lost, a substitute comes and goes: the desk makes a new code for one seat; others play on."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests import browsers
from tests import live_tree as trees
from tests.e2e.axe import findings

LIST = "/c/clubabend/rounds/1/codes/"
HAND = ".hand > li"
"""Nine at a seat, also where the hand is not taken up yet; none where people look on."""
PHONE = {"viewport": {"width": 390, "height": 800}, "has_touch": True}


@dataclass
class Hall:
    url: str
    game: str
    codes: list[str]
    browser: Browser

    def page(self, **context: Any) -> AbstractContextManager[Page]:
        return browsers.fresh_page(self.browser, **context)

    def sign_in(self, page: Page, name: str = trees.ORGANISER[0]) -> None:
        page.goto(f"{self.url}/sign-in/")
        page.fill("input[name=username]", name)
        page.fill("input[name=password]", trees.ORGANISER[1])
        page.click("main form button.primary")
        expect(page.get_by_role("heading", name="Tonight")).to_be_visible()

    def scan(self, page: Page, code: str) -> None:
        """What the camera of a phone opens."""
        page.goto(f"{self.url}/t/#{code}")
        page.wait_for_url(f"**/g/{self.game}/**")

    def type(self, page: Page, code: str) -> None:
        """What somebody without a camera copies from paper, in capitals and in groups."""
        page.goto(f"{self.url}/t/")
        page.locator("[data-code]").fill(f"{code[:20]} {code[20:24]}-{code[24:]} ".upper())
        page.keyboard.press("Enter")
        page.wait_for_url(f"**/g/{self.game}/**")

    def desk(self, page: Page, name: str = "") -> None:
        """The list of the seats, narrowed down by typing: to one, or to the sides of table 2."""
        page.goto(self.url + LIST)
        if name:
            page.get_by_label("Search").press_sequentially(name)
            expect(page.locator(".code-places > li")).to_have_count(1 if name.isalpha() else 2)


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[Hall]:
    """One for all tests here: each has a seat of its own."""
    with trees.running("serve", tmp_path_factory.mktemp("codes")) as tree:
        made = tree.python("tests.e2e.coded")
        yield Hall(tree.url, made["game"], made["codes"], browser)


def test_a_lost_phone_is_out_and_the_new_code_on_the_screen_lets_the_next_one_in(hall: Hall) -> None:
    with ExitStack() as stack:
        desk, lost, neighbour, found = (stack.enter_context(hall.page(**PHONE)) for _ in range(4))
        hall.scan(lost, hall.codes[1])
        hall.type(neighbour, hall.codes[2])
        expect(lost.locator(HAND)).to_have_count(9)
        expect(neighbour.locator(HAND)).to_have_count(9)

        hall.sign_in(desk)
        hall.desk(desk)
        row = desk.locator(".code-places > li", has_text="Beat Bühler")
        expect(row).to_contain_text("on a phone, by code")
        row.get_by_role("button", name="New code").focus()
        desk.keyboard.press("Enter")
        expect(desk.get_by_role("heading", name="Beat Bühler")).to_be_visible()
        box = desk.locator(".code-slip .qr svg").bounding_box()
        assert box is not None
        assert box["width"] > 200
        new = desk.locator(".code-slip code").inner_text()

        hall.scan(found, new)
        expect(found.locator(HAND)).to_have_count(9)
        expect(lost.locator(HAND)).to_have_count(0)
        neighbour.reload()
        expect(neighbour.locator(HAND)).to_have_count(9)
        desk.get_by_role("link", name="Done").click()
        expect(desk.locator(".code-places > li", has_text="Beat Bühler")).to_contain_text("new code")


def test_after_a_substitute_one_button_gives_the_seat_back(hall: Hall) -> None:
    with ExitStack() as stack:
        desk, anna, substitute = (stack.enter_context(hall.page()) for _ in range(3))
        hall.sign_in(anna, "anna")
        anna.goto(f"{hall.url}/g/{hall.game}/play/")
        expect(anna.locator(HAND)).to_have_count(9)
        hall.scan(substitute, hall.codes[0])
        expect(substitute.locator(HAND)).to_have_count(9)

        hall.sign_in(desk)
        hall.desk(desk, "amm")
        desk.get_by_role("button", name="Back to Anna Ammann").click()
        expect(desk.get_by_text("Anna Ammann has the seat again")).to_be_visible()
        expect(desk.get_by_role("button", name="Back to Anna Ammann")).to_have_count(0)

        anna.get_by_role("link", name="Take your seat").click()
        expect(anna.locator(HAND)).to_have_count(9)
        expect(substitute.locator(HAND)).to_have_count(0)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_pages_of_codes_pass_the_rules_of_accessibility_and_fit_a_phone(hall: Hall, theme: str) -> None:
    def look(page: Page) -> None:
        assert findings(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= 390

    with hall.page(color_scheme=theme, **PHONE) as desk:
        hall.sign_in(desk)
        hall.desk(desk)
        look(desk)
        desk.get_by_label("Search").fill("nobody")
        expect(desk.get_by_text("Nobody called")).to_be_visible()
        look(desk)
        desk.goto(f"{hall.url}/c/clubabend/entries/4/")
        look(desk)
        desk.get_by_role("button", name="New code").click()
        expect(desk.locator(".code-slip")).to_be_visible()
        look(desk)


def test_a_slip_is_printed_alone(hall: Hall) -> None:
    with hall.page() as desk:
        hall.sign_in(desk)
        hall.desk(desk, "2")
        desk.get_by_role("button", name="New code: Elsbeth Egli + Görgi Gut, table 2").click()
        expect(desk.locator(".code-slip")).to_be_visible()
        desk.emulate_media(media="print")
        expect(desk.locator(".code-slip svg")).to_be_visible()
        for hidden in (desk.get_by_role("link", name="Done"), desk.get_by_text("It is shown only now")):
            expect(hidden).to_be_hidden()
