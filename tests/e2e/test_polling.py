"""Polled parts of pages in a real browser: requests and responses on the wire."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, Response, expect

from tests import live_tree as trees
from tests.e2e.overheard import Overheard, overheard

pytestmark = pytest.mark.long

SEEN = """state => {
    Object.defineProperty(document, "visibilityState", {value: state, configurable: true});
    document.dispatchEvent(new Event("visibilitychange"));
}"""


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """An evening on which nobody plays."""
    with trees.running("serve", tmp_path_factory.mktemp("quiet")) as tree:
        tree.python("tests.e2e.coded")
        tree.python("tests.e2e.long_ago")
        yield tree.url


@pytest.fixture
def wire(hall: str) -> Iterator[Overheard]:
    with overheard(hall) as between:
        yield between


def sign_in(page: Page, url: str) -> None:
    page.goto(f"{url}/sign-in/")
    page.fill("input[name=username]", trees.ORGANISER[0])
    page.fill("input[name=password]", trees.ORGANISER[1])
    page.click("main form button.primary")
    expect(page.get_by_role("heading", name="Tonight")).to_be_visible()


def of_path(path: str, response: Response) -> bool:
    return response.url.endswith(path) and "hx-request" in response.request.headers


def after_its_pause(page: Page, path: str, seconds: int) -> None:
    """The part has been asked for once more, and the page has dealt with it."""
    with page.expect_response(lambda response: of_path(path, response)) as answered:
        page.clock.fast_forward(seconds * 1000 + 100)
    answered.value.finished()
    expect(page.locator(".htmx-request, .htmx-settling, .htmx-swapping")).to_have_count(0)


def without_clock(page: Page) -> str:
    """What the page shows, but for as of when it is true."""
    return re.sub(r"as of \d\d:\d\d:\d\d", "", page.locator("main").inner_text())


@pytest.mark.parametrize(
    ("path", "seconds", "office"),
    [
        ("/c/clubabend/", 8, False),
        ("/c/clubabend/tables/?page=1", 8, False),
        ("/c/clubabend/standings/?live=1&page=1", 10, False),
        ("/c/clubabend/board/?page=1", 4, True),
        ("/c/clubabend/tables/?page=1", 8, True),
    ],
)
def test_a_quiet_page_is_told_that_there_is_nothing_new(
    wire: Overheard, page: Page, path: str, seconds: int, office: bool
) -> None:
    if office:
        sign_in(page, wire.url)
    page.clock.install()
    page.goto(wire.url + path)
    shown = without_clock(page)
    for _ in range(3):
        after_its_pause(page, path, seconds)

    polls = [poll for poll in wire.of_parts if f"get {path} " in poll.head]
    assert [poll.knows for poll in polls] == [False, True, True]
    assert [poll.status for poll in polls] == [200, 304, 304]
    assert without_clock(page) == shown


def test_a_page_that_nobody_sees_asks_for_nothing(wire: Overheard, page: Page) -> None:
    page.clock.install()
    page.goto(f"{wire.url}/c/clubabend/tables/?page=1")
    after_its_pause(page, "/c/clubabend/tables/?page=1", 8)

    page.evaluate(SEEN, "hidden")
    page.clock.run_for(80_000)
    asked_meanwhile = len(wire.of_parts) - 1
    with page.expect_response(lambda response: of_path("/c/clubabend/tables/?page=1", response)):
        page.evaluate(SEEN, "visible")

    assert (asked_meanwhile, len(wire.of_parts)) == (0, 2)


def test_a_quiet_page_asks_more_seldom(wire: Overheard, page: Page) -> None:
    page.clock.install()
    page.goto(f"{wire.url}/c/clubabend/tables/?page=1")
    for _ in range(4):
        after_its_pause(page, "/c/clubabend/tables/?page=1", 8)
    before = len(wire.of_parts)
    page.clock.run_for(8_100)
    after_a_pause = len(wire.of_parts) - before
    after_its_pause(page, "/c/clubabend/tables/?page=1", 8)

    assert (after_a_pause, len(wire.of_parts) - before) == (0, 1)
