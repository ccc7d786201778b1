"""Phones in a hall: pages that do not move under the finger."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Request

from tests import live_tree as trees
from tests.e2e import slow_phone
from tests.e2e.slow_phone import Hall

MOST_SHIFT = 0.05


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    with trees.running("serve", tmp_path_factory.mktemp("hall")) as tree:
        yield slow_phone.hall(tree)


@pytest.fixture(scope="module")
def phone(hall: Hall, browser: Browser) -> Iterator[Page]:
    with slow_phone.slow_phone(browser, hall.url) as page:
        yield page


def test_pages_hold_still_while_they_come_to_a_slow_phone(hall: Hall, phone: Page) -> None:
    asked: list[str] = []

    def note(request: Request) -> None:
        asked.append(request.url)

    phone.on("request", note)
    moved = {shown.name: slow_phone.open_page(phone, hall.url, shown) for shown in hall.pages()}
    phone.remove_listener("request", note)

    assert {name: shift for name, shift in moved.items() if shift > MOST_SHIFT} == {}
    assert [url for url in asked if not url.startswith((f"{hall.url}/", "data:"))] == []
    assert [url for url in asked if url.endswith("-more.woff2")] == []


def test_what_moves_is_measured(hall: Hall, phone: Page) -> None:
    shown = next(one for one in hall.pages() if one.name == "standings")
    assert slow_phone.open_page(phone, hall.url, shown) <= MOST_SHIFT

    phone.locator("main").evaluate("main => { main.style.marginTop = '300px'; }")

    assert slow_phone.moved(phone) > MOST_SHIFT
