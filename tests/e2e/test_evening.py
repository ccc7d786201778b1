"""An evening from the first entry to running tables, in a real browser with the real worker."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, WebSocket, expect

from tests import browsers
from tests import live_tree as trees
from tests.e2e.axe import findings

LIST = "Name;Verein\n" + "".join(
    f"{name};Santiago\n"
    for name in ("Anna Ammann", "Beat Bühler", "Chiara Caduff", "Dario Dörig", "Elsbeth Egli", "Fränzi Frei")
)
PAGES = {
    "home": "/",
    "password": "/password/",
    "new": "/new/",
    "overview": "/c/clubabend/",
    "regulations": "/c/clubabend/regulations/",
    "officials": "/c/clubabend/officials/",
    "entries": "/c/clubabend/entries/",
    "prints": "/c/clubabend/prints/",
    "import": "/c/clubabend/entries/import/",
    "entry": "/c/clubabend/entries/1/",
    "rounds": "/c/clubabend/rounds/",
    "open round": "/c/clubabend/rounds/1/",
    "planned round": "/c/clubabend/rounds/2/",
    "wall": "/c/clubabend/rounds/1/wall/",
    "slip": "/c/clubabend/rounds/1/slip/1/",
    "results": "/c/clubabend/rounds/1/results/",
    "correction": "/c/clubabend/rounds/1/tables/1/correct/",
    "where": "/c/clubabend/where/",
    "where on the wall": "/c/clubabend/where/projector/",
    "codes": "/c/clubabend/codes/",
    "cards to print": "/c/clubabend/codes/?print=1",
    "standings": "/c/clubabend/standings/?live=1",
    "lots": "/c/clubabend/standings/lots/",
    "projector": "/c/clubabend/standings/projector/?live=1",
    "graph": "/c/clubabend/standings/graph/",
    "prizes": "/c/clubabend/prizes/",
    "cash": "/c/clubabend/cash/",
    "board": "/c/clubabend/board/",
    "tables": "/c/clubabend/tables/",
    "slates": "/c/clubabend/tables/projector/",
    "disputes": "/c/clubabend/disputes/",
    "dispute": "/disputes/1/",
}


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with trees.running("serve", tmp_path_factory.mktemp("evening")) as tree:
        yield tree.url


def sign_in(url: str, page: Page) -> None:
    page.goto(f"{url}/sign-in/")
    page.fill("input[name=username]", trees.ORGANISER[0])
    page.fill("input[name=password]", trees.ORGANISER[1])
    page.click("main form button.primary")
    expect(page.get_by_role("heading", name="Tonight")).to_be_visible()


@pytest.fixture(scope="module")
def evening(url: str, browser: Browser) -> str:
    """Founded, entered, checked in by keyboard, drawn and opened: every step by what the page offers."""
    with browsers.fresh_page(browser) as page:
        sign_in(url, page)
        found(page)
        enter(page)
        check_in(page)
        draw_and_open(page)
        call(page)
    return url


def found(page: Page) -> None:
    page.get_by_role("link", name="New championship").first.click()
    page.get_by_label("Name", exact=True).fill("Clubabend")
    page.get_by_role("button", name="Create the championship").click()
    expect(page.get_by_role("heading", name="Enter the players")).to_be_visible()


def enter(page: Page) -> None:
    page.get_by_role("link", name="Enter players").click()
    page.get_by_role("link", name="Import a list").first.click()
    page.get_by_label("Or write the list here").fill(LIST)
    page.get_by_role("button", name="Look at the list").click()
    page.get_by_role("button", name="Enter 6 people").click()
    page.locator("#add summary").first.click()
    for name in ("Görgi Gut", "Heidi Huber"):
        page.locator("#id_family_name").fill(name)
        page.get_by_role("button", name="Enter", exact=True).click()
        expect(page.get_by_text(f"{name} is entered")).to_be_visible()


def check_in(page: Page) -> None:
    """Three letters and Enter for the first four, arrows and letters for the others; one is undone."""
    here = page.locator("#desk-counts dd").nth(1)
    expect(here).to_have_text("2")
    for at, letters in enumerate(("amm", "bueh", "cad", "doer"), 3):
        page.keyboard.press("/")
        page.keyboard.type(letters)
        page.keyboard.press("Enter")  # sooner than the answer: it must not take the one found before
        expect(here).to_have_text(str(at))
    page.locator("[data-desk-search]").fill("")
    expect(page.locator(".desk-row")).to_have_count(8)
    page.keyboard.press("ArrowDown")
    for _ in range(4):
        page.keyboard.press("ArrowDown")
    expect(page.locator("#entry-5")).to_be_focused()
    page.keyboard.press("h")
    expect(here).to_have_text("7")
    expect(page.locator("#entry-5")).to_be_focused()
    page.keyboard.press("u")
    expect(here).to_have_text("6")
    page.keyboard.press("h")
    expect(here).to_have_text("7")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("h")
    expect(here).to_have_text("8")


def draw_and_open(page: Page) -> None:
    page.get_by_role("link", name="Overview").click()
    page.get_by_role("link", name="Go to the draw").click()
    page.get_by_role("button", name="Draw round 1").click()
    expect(page.get_by_role("button", name="Open round 1")).to_be_visible()
    expect(page.locator(".seat-letter")).to_have_count(8)
    page.get_by_role("button", name="Open round 1").click()
    expect(page.get_by_text("2 tables are still playing")).to_be_visible()


def call(page: Page) -> None:
    page.get_by_role("link", name="Call the referee").first.click()
    page.get_by_role("spinbutton", name="Deal").fill("")
    page.get_by_label("In your words").fill("Bitte kommen")
    page.get_by_role("button", name="Call the referee").click()
    expect(page.get_by_role("heading", name="Call from table 1")).to_be_visible()


def test_an_evening_is_set_up_by_what_the_pages_offer(evening: str, page: Page) -> None:
    sign_in(evening, page)
    page.goto(f"{evening}/c/clubabend/board/")

    expect(page.locator("#board-1")).to_contain_text("Bitte kommen")
    expect(page.locator("#board .tile").first).to_have_attribute("id", "board-1")


def test_the_board_keeps_itself_up_to_date(evening: str, page: Page) -> None:
    sign_in(evening, page)
    page.goto(f"{evening}/c/clubabend/board/")
    clock = page.locator("[data-as-of=board]")
    before = clock.inner_text()

    expect(clock).not_to_have_text(before)


def test_the_wall_draws_its_slates_and_lets_go_of_those_before(evening: str, page: Page) -> None:
    lines: list[WebSocket] = []
    page.on("websocket", lambda line: lines.append(line))
    page.set_viewport_size({"width": 1920, "height": 1080})
    address = f"{evening}/c/clubabend/tables/projector/"
    page.goto(address)
    expect(page.locator(".projected .slate-drawing")).to_have_count(4)
    assert page.evaluate("document.documentElement.scrollHeight") <= 1080

    page.evaluate("document.querySelector('.projector').id = 'before'")
    page.evaluate("url => htmx.ajax('GET', url, {target: '#before', swap: 'outerHTML'})", address)

    expect(page.locator(".projector:not(#before) .slate-drawing")).to_have_count(4)
    *before, one, two = lines
    for line in before:
        if not line.is_closed():
            line.wait_for_event("close")
    assert [len(before), one.is_closed(), two.is_closed()] == [2, False, False]


@pytest.mark.long(1)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pages_of_a_championship_pass_the_rules_of_accessibility(
    evening: str, browser: Browser, theme: str
) -> None:
    broken = []
    with browsers.fresh_page(browser, color_scheme=theme, viewport={"width": 390, "height": 800}) as page:
        sign_in(evening, page)
        for name, address in PAGES.items():
            page.goto(evening + address)
            broken += [(name, *finding) for finding in findings(page)]
    assert broken == []


def test_no_page_of_a_championship_is_wider_than_a_phone(evening: str, browser: Browser) -> None:
    wide = []
    with browsers.fresh_page(browser, viewport={"width": 360, "height": 740}, has_touch=True) as page:
        sign_in(evening, page)
        for name, address in PAGES.items():
            page.goto(evening + address)
            if page.evaluate("document.documentElement.scrollWidth") > 360:
                wide.append(name)
    assert wide == []
